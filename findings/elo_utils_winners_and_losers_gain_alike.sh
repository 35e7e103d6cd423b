#!/usr/bin/env bash
# A good guess: `match_result(player, challenger, 1)` of ELO-utils moves rating from the challenger to the player, and
# 0 the other way, with their sum unchanged but for rounding.
#
# What happens: both take the player's result and the player's chance. A win of one of two equals brings 16 points to
# each, a loss costs 16 each. Who loses ten games in a row ends where the winner ends. Draws against a stronger one
# raise both. Nothing is said, and so all ratings rise and fall together, while differences only mirror the start.
#
# elo-utils 1.3.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check elo-utils==1.3.1
"$folder/venv/bin/python" - <<'PYTHON'
from ELOutils.ELO import Player, match_result


def play(results, ratings=(1500, 1500)):
    """Return both ratings after these results of the first."""
    pair = [Player(name, rating) for name, rating in zip("ab", ratings)]
    for result in results:
        match_result(*pair, result)
    return [player.rating for player in pair]


won, lost, often, drawn = play([1]), play([0]), play([1] * 10), play([0.5], (1400, 1600))
print(f"two of 1500 after a win {won}, a loss {lost}, ten wins {often}; 1400 and 1600 after a draw {drawn}")
assert won == [1516, 1516] and lost == [1484, 1484] and often == [1660, 1660] and drawn == [1408, 1608]
PYTHON
