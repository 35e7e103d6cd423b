"""A whole small game of OpenSpiel, walked node by node, and its value found in another way than by OpenSpiel."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix


class Visit(NamedTuple):
    """A state of a tree, as the walk came to it."""

    state: object
    reach: float  # by chance alone
    seen: tuple  # by player: what was observed at all decisions so far, this one included, and what was decided
    last: tuple  # by player: (seen, action) of the last own decision; None before it
    states: tuple  # the same with the information state in place of what was seen


def walk(state, reach=1.0, seen=((), ()), last=(None, None), states=(None, None)):
    """Yield a `Visit` for each state of the tree of two players."""
    if state.is_player_node():
        seen = tuple((*seen[player], np.array(state.observation_tensor(player)).tobytes()) for player in range(2))
    yield Visit(state, reach, seen, last, states)
    if state.is_chance_node():
        for outcome, chance in state.chance_outcomes():
            yield from walk(state.child(outcome), reach * chance, seen, last, states)
    elif not state.is_terminal():
        decider = state.current_player()
        for action in state.legal_actions():
            known, done, said = list(seen), list(last), list(states)
            known[decider] = (*seen[decider], action)
            done[decider] = (seen[decider], action)
            said[decider] = (state.information_state_string(), action)
            yield from walk(state.child(action), reach, tuple(known), tuple(done), tuple(said))


def find_value(visits):
    """Return what the game of two players is worth to player 0, by linear programming over sequences of decisions.

    Players can tell apart what they have observed differently: nothing here looks at information states of OpenSpiel.
    """
    sequences = [{None: 0}, {None: 0}]  # by player: {last of a visit: number}
    sets = [{}, {}]  # by player: {seen of an own decision: (number of the sequence before it, those after it)}
    pays = defaultdict(float)
    for state, reach, seen, last, _ in visits:
        if state.is_player_node():
            player = state.current_player()
            key = seen[player]
            if key not in sets[player]:
                numbers = sequences[player]
                after = [numbers.setdefault((key, action), len(numbers)) for action in state.legal_actions()]
                sets[player][key] = (numbers[last[player]], after)
        elif state.is_terminal():
            pays[sequences[0][last[0]], sequences[1][last[1]]] += reach * state.returns()[0]
    return _solve(pays, [len(numbers) for numbers in sequences], [list(found.values()) for found in sets])


def _solve(pays, sizes, sets):
    """Return the value: player 0 makes a plan x that pays most against the best reply, whose worth is p[0]."""
    paid = lil_matrix((sizes[0], sizes[1]))
    for (first, second), points in pays.items():
        paid[first, second] = points
    flows = [_make_flow(size, found) for size, found in zip(sizes, sets, strict=True)]
    count = flows[1].shape[0]
    # the most of p[0], where x is a plan and flow1' p <= paid' x
    upper = lil_matrix((sizes[1], sizes[0] + count))
    upper[:, : sizes[0]] = -paid.T
    upper[:, sizes[0] :] = flows[1].T
    equal = lil_matrix((flows[0].shape[0], sizes[0] + count))
    equal[:, : sizes[0]] = flows[0]
    starts = np.zeros(flows[0].shape[0])
    starts[0] = 1
    costs = np.zeros(sizes[0] + count)
    costs[sizes[0]] = -1
    bounds = [(0, None)] * sizes[0] + [(None, None)] * count
    found = linprog(costs, upper.tocsr(), np.zeros(sizes[1]), equal.tocsr(), starts, bounds)
    assert found.status == 0, found.message
    return -found.fun


def _make_flow(size, sets):
    """Return the matrix of which each row says that what is played in a set is what leads there."""
    flow = lil_matrix((len(sets) + 1, size))
    flow[0, 0] = 1
    for row, (before, after) in enumerate(sets, 1):
        flow[row, before] = -1
        flow[row, after] = 1
    return flow
