#!/usr/bin/env bash
# A good guess: `SSS` of easyAI finds what `Negamax` finds, only by another search: at the same depth it plays as well.
# Its documentation says that soon wins count a little more than late ones, and that it takes a `scoring` of one's own.
#
# What happens: for each decision of the depth that is left at the end of a game it takes 0.99 off the score, where
# `Negamax` adds 0.1 %. With ends of 100 points a late win is worth more than an early one. With ends of 1 point, as
# rewards have them, a win with two decisions left is worth less than to go on: it leaves the last stones to the other
# player, and the deeper it searches, the more wins it shuns. And the argument `scoring` is not used: what counts is the
# method of the game. Use `Negamax`.
#
# numpy 2.4.6, easyAI 2.0.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 easyAI==2.0.12
"$folder/venv/bin/python" - <<'PYTHON'
from easyAI import SSS, Negamax, TwoPlayerGame


class Stones(TwoPlayerGame):
    """A heap, of which two players take one or two stones in turn. Who takes the last one wins."""

    def __init__(self, stones, points):
        self.players, self.current_player = [None, None], 1
        self.stones, self.points = stones, points

    def possible_moves(self):
        return [1, 2][: self.stones]

    def make_move(self, move):
        self.stones -= move

    def is_over(self):
        return not self.stones

    def scoring(self):
        return -self.points if self.is_over() else 0


def takes(search, points, **options):
    """Return how many of two stones a search takes, by depth. To take both wins at once."""
    return {depth: search(depth, **options)(Stones(2, points)) for depth in (1, 2, 3, 4, 6)}


def worth(search, depth):
    """Return the score of a win of 100 points at once."""
    algorithm = search(depth)
    algorithm(Stones(1, 100))
    return round(algorithm.alpha, 2)


negamax, sss, hundred = takes(Negamax, 1), takes(SSS, 1), takes(SSS, 100)
ignored = takes(SSS, 1, scoring=lambda game: 100 * game.scoring())
print("stones of 2 that are taken, by depth: Negamax", negamax, "SSS", sss, "for 100 points", hundred)
print("with `scoring` of 100 points:", ignored)
soon = {search.__name__: [worth(search, depth) for depth in (1, 6)] for search in (Negamax, SSS)}
print("a win at once of 100 points with 0 and 5 decisions left:", soon)
assert soon == {"Negamax": [100.0, 100.5], "SSS": [100.0, 95.05]}
assert set(negamax.values()) == set(hundred.values()) == {2}
assert sss == ignored == {1: 2, 2: 2, 3: 1, 4: 1, 6: 1}
PYTHON
