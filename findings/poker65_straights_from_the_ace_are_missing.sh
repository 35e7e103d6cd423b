#!/usr/bin/env bash
# A good guess: `get_best_hand` of Poker65 finds the best five of seven cards, the straight of ace to five among them.
# Its source says that the lowest straight ends with a five, and `Straight(high="5", ...)` can be made.
#
# What happens: the search ends with the six. Ace, two, three, four and five are a high card, or a pair, two pairs or
# three of a kind if there are such, and of one suit a flush. A pair of twos beats them. One straight of ten or so is
# lost, and nothing is said. All other hands are as phevaluator has them.
#
# phevaluator 0.6.0, Poker65 0.0.5; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check phevaluator==0.6.0 poker65==0.0.5
"$folder/venv/bin/python" - <<'PYTHON'
import random
from collections import Counter

from phevaluator import evaluate_cards
from Poker65.card import Card
from Poker65.hands import get_best_hand

RANKS = "23456789TJQKA"
WORST = {  # of phevaluator's numbers in each class of hands
    "StraightFlush": 10, "FourOfAKind": 166, "FullHouse": 322, "Flush": 1599, "Straight": 1609,
    "ThreeOfAKind": 2467, "TwoPair": 3325, "OnePair": 6185, "HighCard": 7462,
}  # fmt: skip


def name_hand(cards):
    """Return the class of the best hand by Poker65."""
    return get_best_hand([Card(suit=suit.upper(), rank=rank) for rank, suit in cards]).hand_type


deck = [rank + suit for rank in RANKS for suit in "shcd"]
random.seed(0)
straights, lost, lows, others = 0, Counter(), 0, 0
for _ in range(20000):
    cards = random.sample(deck, 7)
    number = evaluate_cards(*cards)
    right = next(name for name, worst in WORST.items() if number <= worst)
    straights += right == "Straight"
    if name_hand(cards).replace("Royal", "Straight") != right:
        lost[right] += 1
        others += number not in (10, 1609)  # the straights that end with a five
wheel, pair = (name_hand(hand.split()) for hand in ("As 2h 3d 4c 5s 9h Jd", "Ks 2h 2d 4c 5s 9h Jd"))
print(f"A 2 3 4 5 9 J: {wheel}; K 2 2 4 5 9 J: {pair}; lost of 20000 hands: {dict(lost)} of {straights} straights")
assert (wheel, pair, others) == ("HighCard", "OnePair", 0) and 0.05 < lost["Straight"] / straights < 0.15
PYTHON
