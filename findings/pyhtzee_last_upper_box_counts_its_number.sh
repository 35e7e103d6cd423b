#!/usr/bin/env bash
# A good guess: in pyhtzee, a game of Yahtzee for reinforcement learning, the bonus of 35 comes with 63 points in the
# six boxes from ones to sixes, in any order. A turn has three rolls, of which two are rerolls, and a seed repeats a
# game.
#
# What happens: of the box that is filled last not the points are counted, but its number from 0 to 5. With three of
# each number, 63 in all, there is no bonus in any order: sixes last count 45 + 5. With four fives and sixes and no
# ones, 71 in all, it comes in half of the 720 orders. So an agent learns to leave a poor box for the end. Nothing is
# said. Besides, all turns but the first have three rerolls, and the seed 0 is none. Add the bonus up by `scores`, and
# count the rolls.
#
# pyhtzee 1.2.7; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyhtzee==1.2.7
"$folder/venv/bin/python" - <<'PYTHON'
from itertools import permutations

from pyhtzee import Pyhtzee
from pyhtzee.classes import Category
from pyhtzee.utils import CATEGORY_ACTION_OFFSET


def bonus(counts, order):
    """Return the bonus for so many dice of each number, with the boxes filled in this order."""
    game = Pyhtzee(seed=1)
    for number in order:
        others = [face for face in range(1, 7) if face != number]
        game.dice = [number] * counts[number] + others[: 5 - counts[number]]
        game.take_action(CATEGORY_ACTION_OFFSET + number - 1)
    assert sum(game.scores[Category(box)] for box in range(6)) == sum(n * count for n, count in counts.items())
    return game.scores[Category.UPPER_SECTION_BONUS]


def count_rerolls(game):
    """Return how many rerolls a turn has."""
    rerolls = 0
    while 0 in game.get_possible_actions():
        game.take_action(0)
        rerolls += 1
    game.take_action(game.get_possible_actions()[0])
    return rerolls


three_each = dict.fromkeys(range(1, 7), 3)
four_high = {**three_each, 5: 4, 6: 4, 1: 0}
orders = list(permutations(range(1, 7)))
seen = [sum(bonus(counts, order) > 0 for order in orders) for counts in (three_each, four_high)]
game = Pyhtzee(seed=1)
rerolls = [count_rerolls(game) for _ in range(3)]
repeats = [len({tuple(Pyhtzee(seed=seed).dice) for _ in range(20)}) == 1 for seed in (0, 1)]
print(f"orders of {len(orders)} with a bonus for 63 points: {seen[0]}, for 71 points: {seen[1]}")
print("rerolls of the first three turns:", rerolls, "seeds 0 and 1 repeat games:", repeats)
assert seen == [0, 360] and rerolls == [2, 3, 3] and repeats == [False, True]
PYTHON
