"""Simulations of the Monte-Carlo search: down the tree, on by playing, back up.

Each simulation of a candidate, an action that may still be decided on, has a reshuffle of its own of what is hidden, so
that nothing is peeked at. All candidates meet the same reshuffles, for then their luck is much the same. The tree
gathers what simulations have in common, and grows by a node with each.

    states[ROOT]    the game to decide in
    states[GAME]    the game simulated
    states[TRIALS:] where `lookahead.py` tries actions
"""

import numpy as np

from zamek_agents.search.evaluation import evaluate
from zamek_agents.search.lookahead import choose_of_few, deal_next_tile, look_ahead
from zamek_agents.search.mcts_tree import (
    clear_tree,
    find_key,
    find_node,
    halve_candidates,
    open_node,
    select_edge,
    select_in_turn,
)
from zamek_agents.value.choice import count_begun, is_turn_over
from zamek_agents.value.evaluator import evaluator_dtype
from zamek_env.core.bits import as_index
from zamek_env.core.chance import forget_hidden, redeal, seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.legality import is_legal, list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import NONE, record_dtype
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset

ROOT, GAME, TRIALS = range(3)
MAX_DEPTH = 128  # edges of a path; there the tree ends, however many nodes it has


def search_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of what a search is asked for, and of its room beside games and tree."""
    return record_dtype(
        [
            # what is asked, see `mcts.py`
            ("exploration", np.float64),
            ("temperature", np.float64),
            ("trust", np.float64),
            ("unit", np.float64),
            # room
            ("generator", np.uint64, (1,)),
            ("number", np.int64),  # from which all chance follows
            ("values", np.float64, (ruleset.num_actions,)),  # of `actions`
            ("results", np.float64, (ruleset.players,)),  # what this simulation is worth to each
            ("evaluator", evaluator_dtype(ruleset)),
            ("is_learned", np.int32),  # the evaluator values positions; else they are valued by hand
            ("actions", np.int32, (ruleset.num_actions,)),
            ("path", np.int32, (MAX_DEPTH,)),  # edges followed by this simulation
            ("depth", np.int32),  # how many
            ("count", np.int32),  # simulations to make
            ("simulations", np.int32),  # made
            ("candidates", np.int32),  # edges of the root that may still be played: its first so many
            ("used_nodes", np.int32),
            ("used_edges", np.int32),
            # what is asked, again
            ("turns", np.int32),
            ("tries", np.int32),
            ("width", np.int32),
            ("trials", np.int32),  # the first of the games where actions are tried
            ("guided", np.int32),
            # room, again
            ("movers", np.int8, (MAX_DEPTH,)),  # who chose each edge of `path`
        ]
    )


@kernel
def begin_search(tables, states, logs, tree, searches):
    """Begin the tree for `states[ROOT]`; return how many candidates there are. Chance follows from `number`."""
    search = searches[0]
    seed_generator(search.generator, search.number)
    forget_hidden(states[ROOT], states[ROOT].player)
    redeal(states[ROOT], search.generator, states[ROOT].player)
    search.simulations = 0
    clear_tree(tree.nodes, search)
    copy_state(states, ROOT, states, GAME)
    _open(tables[0], states, logs[0], tree, search, 0)
    search.candidates = tree.nodes[0].num_edges
    return int(search.candidates)


@kernel
def simulate(tables, states, logs, tree, searches):
    """Make `count` more simulations; return how many have been made."""
    search = searches[0]
    for _ in range(search.count):
        _simulate_once(tables[0], states, logs[0], tree, search)
    search.simulations += search.count
    return int(search.simulations)


@kernel
def end_round(tree, searches):
    """Keep the better half of the candidates, the best as the first edge."""
    halve_candidates(tree.nodes[0], tree.edges, searches[0])


@kernel
def _simulate_once(t, states, log, tree, search):
    s, player = states[GAME], states[ROOT].player
    _descend(t, states, log, tree, search)
    _play_on(t, states, log, search)
    if s.score.size == 2:
        value = np.tanh(evaluate(t, s, player, search) / search.unit)
        search.results[player] = value
        search.results[1 - player] = -value
    else:
        for each in range(s.score.size):
            search.results[each] = np.tanh(evaluate(t, s, each, search) / search.unit)
    for number in range(search.depth):
        edge = tree.edges[search.path[number]]
        edge.visits += 1
        edge.total += search.results[as_index(search.movers[number])]


@kernel
def _descend(t, states, log, tree, search):
    """Play `states[GAME]` down the tree to a node that is new, or to the horizon. Writes `path`, `movers`, `depth`.

    `find_key` tells nodes apart, so each action should be legal in every reshuffle that reaches its node. It is checked
    all the same, because two keys might be one number.
    """
    s = states[GAME]
    search.depth = 0
    number = 0
    while number > NONE and search.depth < search.path.size:
        node = tree.nodes[number]
        node.visits += 1
        if number == 0:
            chosen = select_in_turn(node, tree.edges, search)
            deal_again(states, GAME, search, tree.edges[chosen].visits)
        elif node.visits == 1 or is_at_horizon(states, GAME, search):
            return
        else:
            if node.num_edges == 0:
                _open(t, states, log, tree, search, number)
            chosen = select_edge(node, tree.edges, search)
        if chosen == NONE or not is_legal(t, s, tree.edges[chosen].action):
            return
        edge = tree.edges[chosen]
        search.path[search.depth] = chosen
        search.movers[search.depth] = s.player
        search.depth += 1
        step(t, s, log, edge.action)
        if s.phase == OVER:
            return
        number = find_node(tree.nodes, edge, search, find_key(t, s))


@kernel
def deal_again(states, index, search, number):
    """Make `states[index]` the game to decide in, with what is hidden dealt as `number` says. Writes `generator`.

    The next tile is taken in turn from the order of `states[ROOT]`, so that all tiles come equally often. Where players
    hold several tiles, it is left to chance.
    """
    copy_state(states, ROOT, states, index)
    root, s = states[ROOT], states[index]
    seed_generator(search.generator, search.number ^ (number + 1))
    redeal(s, search.generator, root.player)
    left = s.deck.size - int(s.drawn)
    if left > 0 and (s.hand.size == 0 or s.hand.shape[1] == 1):
        deal_next_tile(s, root.deck[s.drawn + number % left])


@kernel
def _play_on(t, states, log, search):
    """Play `states[GAME]` to the horizon."""
    while not is_at_horizon(states, GAME, search):
        step(t, states[GAME], log, choose_of_few(t, states, GAME, log, search))


@kernel
def is_at_horizon(states, index, search):
    """Return whether `states[index]` is to be evaluated: its turn begins after so many `turns`, or it is over."""
    s = states[index]
    return s.phase == OVER or (is_turn_over(s) and count_begun(s) >= count_begun(states[ROOT]) + search.turns)


@kernel
def _open(t, states, log, tree, search, number):
    """Give that node its edges, where there is room for any."""
    if search.used_edges == tree.edges.size:
        return
    if search.guided:
        count = look_ahead(t, states, GAME, log, search)
    else:
        count = list_actions(t, states[GAME], search.actions)
        for action in range(count):
            search.values[action] = 0.0
    open_node(tree.nodes[number], tree.edges, search, count)
