"""The last turns by plain counting, with nothing of the solver: what `test_endgame.py` compares it with."""

from collections import defaultdict
from itertools import permutations

import numpy as np

from tests.support.games import after


def solve(game):
    """Return by how much the player to decide wins after each legal action if both play perfectly."""
    player = game.current_player
    return np.array([expect(game, action, player) for action in game.legal_actions()])


def find_value(game, player):
    if game.is_terminal:
        return game.scores[player] - game.scores[1 - player]
    best = max if game.current_player == player else min
    return best(expect(game, action, player) for action in game.legal_actions())


def expect(game, action, player):
    """Return the mean over all deals of what is hidden; deals that look the same afterwards are one position."""
    found = defaultdict(list)
    for deal in list_deals(game, action):
        deal.step(action)
        found[deal.public_key()].append(deal)
    total = sum(map(len, found.values()))
    return sum(len(alike) * find_value(alike[0], player) for alike in found.values()) / total


def list_deals(game, action):
    """Return copies of the game, one for each order of the tiles left and of the tokens that `action` takes."""
    before, later = game.state[0], after(game, action).state[0]
    towers = np.flatnonzero(later["tower_taken"] != before["tower_taken"]).tolist()
    hidden = [
        n for n in range(before["token_deal"].size) if n >= before["tower_taken"].size or not before["tower_taken"][n]
    ]
    drawn = int(before["drawn"])
    orders = list(permutations(before["deck"][drawn:].tolist())) if later["drawn"] > drawn else [before["deck"][drawn:]]
    return [
        deal(game, order, towers, hidden, chosen) for order in orders for chosen in permutations(hidden, len(towers))
    ]


def deal(game, order, towers, hidden, chosen):
    """Return a copy with the tiles in that order, and on `towers` the tokens that lay at `chosen` of the `hidden`."""
    twin = game.copy()
    state = twin.raw_states[0]
    state["deck"][int(state["drawn"]) :] = order
    kinds = [int(state["token_deal"][n]) for n in (*chosen, *(n for n in hidden if n not in chosen))]
    for number, kind in zip((*towers, *(n for n in hidden if n not in towers)), kinds, strict=True):
        state["token_deal"][number] = kind
    return twin
