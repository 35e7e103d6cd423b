#!/usr/bin/env bash
# A good guess: `win_probs` of elopy says how likely a team beats another, and changes neither; with `is_home=False` the
# advantage of the home side, 100 points by default, is added to the other one for this question. `play_game` moves as
# many points from one to the other as it takes, so their sum stays.
#
# What happens: for a guest the advantage is added to the rating of the host itself, and stays there. Each question
# makes the host 100 points better: asked four times, the same chance falls from 0.36 to 0.09. `play_game` asks it, too,
# so each game that is entered from the guest's side adds 100 points out of nothing: of two equal teams that play ten
# games at one place, and win five each, the host is 846 points ahead. Entered from the host's side, the same games
# leave it 26 behind, as they should. Nothing is said. Call both methods of the team at home only, or pass `hca=0` to
# both where nobody is at home.
#
# elopy 0.1.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check elopy==0.1.4
"$folder/venv/bin/python" - <<'PYTHON'
from elopy.elo import Elo


def play(by_guest):
    """Return the ratings of a guest and of its host after ten games, of which each won every second."""
    guest, host = Elo(), Elo()
    for game in range(10):
        points = 1 if game % 2 else -1
        if by_guest:
            guest.play_game(host, points, is_home=False)
        else:
            host.play_game(guest, -points, is_home=True)
    return round(guest.elo), round(host.elo)


guest, host = Elo(), Elo()
chances = [round(guest.win_probs(host, is_home=False), 2) for _ in range(4)]
print("chance of a guest, asked four times:", chances, "rating of its host:", host.elo)
print("both after ten games, entered by the guest:", play(by_guest=True), "by the host:", play(by_guest=False))
assert chances == [0.36, 0.24, 0.15, 0.09] and host.elo == 1900
assert play(by_guest=True) == (1577, 2423) and play(by_guest=False) == (1513, 1487)
PYTHON
