#!/usr/bin/env bash
# A good guess: TrueSkill with `draw_probability=0`, for a game that has no draws, refuses a draw, or takes it for what
# it is, a sign that both are equal: the means stay, and both deviations fall, as with any other probability.
#
# What happens: the deviations rise. Of two new players that draw they go from 8.3 to 9.6, and after 50 draws they are
# 66, so that the next win lifts the winner from 25 to 62, above anybody else. Nothing is raised.
# So it is with 1e-9 too; with 0.001 they fall to 0.9. Shared victories are rare, not impossible: give their share, or
# leave such games out.
#
# trueskill 0.4.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check trueskill==0.4.5
"$folder/venv/bin/python" - <<'PYTHON'
from trueskill import TrueSkill


def draw(probability, games):
    """Return the deviation of two new players after draws, and the mean of the first after one win more."""
    env = TrueSkill(draw_probability=probability)
    players = env.create_rating(), env.create_rating()
    for _ in range(games):
        players = env.rate_1vs1(*players, drawn=True)
    winner, _ = env.rate_1vs1(*players)
    return round(players[0].sigma, 1), round(winner.mu, 1)


for probability in (0, 1e-9, 0.001, 0.1):
    print(f"probability {probability}: deviation, and mean after a win, after 0, 1 and 50 draws:", end=" ")
    print(*(draw(probability, games) for games in (0, 1, 50)))
assert draw(0, 0) == (8.3, 29.2) and draw(0, 1)[0] == 9.6 and draw(0, 50)[0] > 60 and draw(0, 50)[1] > 60
assert draw(1e-9, 50)[0] > 60 and draw(0.001, 50)[0] < 1 and draw(0.1, 50)[0] < 1
PYTHON
