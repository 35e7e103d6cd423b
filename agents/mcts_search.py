"""Simulations of the Monte-Carlo search: down the tree, on by playing, back up.

Every simulation has its own reshuffle of what is hidden, so that nothing is peeked at; the tree gathers what they have
in common, and grows by a node with each.

    states[ROOT]    the game to decide in
    states[GAME]    the game simulated
    states[TRIALS:] where `lookahead.py` tries actions
"""

import numpy as np

from zamek_agents.evaluation import evaluate
from zamek_agents.lookahead import choose_of_few, look_ahead
from zamek_agents.mcts_tree import clear_tree, find_key, find_most_visited, find_node, open_node, select_edge
from zamek_env.core.actions import OVER, PLACE
from zamek_env.core.chance import forget_hidden, redeal, seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.legality import is_legal, list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import NONE, record_dtype

ROOT, GAME, TRIALS = range(3)
MAX_DEPTH = 128  # edges of a path; there the tree ends, however many nodes it has


def search_dtype(ruleset, weights):
    """Return the dtype of what a search with so many `weights` is asked for, and of its room beside games and tree."""
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
            ("weights", np.float32, (weights,)),  # of the evaluation
            ("actions", np.int32, (ruleset.num_actions,)),
            ("path", np.int32, (MAX_DEPTH,)),  # edges followed by this simulation
            ("depth", np.int32),  # how many
            ("count", np.int32),  # simulations to make
            ("simulations", np.int32),  # made
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
    """Begin the tree for `states[ROOT]`; return how many actions are looked at there. Chance follows from `number`."""
    search = searches[0]
    seed_generator(search.generator, search.number)
    forget_hidden(states[ROOT])
    redeal(states[ROOT], search.generator)
    search.simulations = 0
    clear_tree(tree.nodes, search)
    copy_state(states, ROOT, states, GAME)
    redeal(states[GAME], search.generator)
    _open(tables[0], states, logs[0], tree, search, 0)
    return int(tree.nodes[0].num_edges)


@kernel
def simulate(tables, states, logs, tree, searches):
    """Make `count` more simulations; return the action that looks best so far."""
    search = searches[0]
    for _ in range(search.count):
        _simulate_once(tables[0], states, logs[0], tree, search)
    search.simulations += search.count
    return find_most_visited(tree.nodes[0], tree.edges)


@kernel
def _simulate_once(t, states, log, tree, search):
    copy_state(states, ROOT, states, GAME)
    redeal(states[GAME], search.generator)
    player = states[ROOT].player
    leaf = _descend(t, states, log, tree, search)
    value = _value_leaf(t, states, log, tree, search, leaf)
    for number in range(search.depth):
        edge = tree.edges[search.path[number]]
        edge.visits += 1
        edge.total += value if search.movers[number] == player else -value


@kernel
def _descend(t, states, log, tree, search):
    """Play `states[GAME]` down the tree to a node that is new, or as far as it goes.

    Returns the node where it ends, NONE where it is past the tree. Writes `path`, `movers`, `depth`.

    An action that a new reshuffle does not allow cannot be: `find_key` tells such nodes apart. It is asked for all the
    same, for two keys might be one number.
    """
    s = states[GAME]
    search.depth = 0
    number = 0
    while number > NONE and search.depth < search.path.size:
        node = tree.nodes[number]
        node.visits += 1
        if node.visits == 1 and number > 0 and (s.phase == PLACE or not _looks_ahead(search)):
            return number
        if node.num_edges == 0:
            _open(t, states, log, tree, search, number)
        chosen = select_edge(node, tree.edges, search)
        if chosen == NONE or not is_legal(t, s, tree.edges[chosen].action):
            return number
        edge = tree.edges[chosen]
        search.path[search.depth] = chosen
        search.movers[search.depth] = s.player
        search.depth += 1
        _draw_in_turn(states[ROOT], s, edge.visits)
        step(t, s, log, edge.action)
        if s.phase == OVER:
            return NONE
        number = find_node(tree.nodes, edge, search, find_key(t, s))
    return NONE


@kernel
def _looks_ahead(search):
    """Return whether a new placement is valued by its best action rather than by playing on."""
    return search.turns == 0 and search.guided != 0


@kernel
def _draw_in_turn(root, s, visits):
    """Let the tile to be drawn next be the one whose turn it is for an edge with so many visits. Writes `deck`.

    So all edges meet the same tiles in the same order, each as often as any other, and less is left to chance.
    """
    left = root.deck.size - int(root.drawn)
    for number in range(left):
        tile = root.deck[root.drawn + (visits + number) % left]
        for place in range(s.drawn, s.deck.size):
            if s.deck[place] == tile:
                s.deck[place] = s.deck[s.drawn]
                s.deck[s.drawn] = tile
                return


@kernel
def _value_leaf(t, states, log, tree, search, leaf):
    """Return what the game simulated, which is at the node `leaf`, is worth to the player who decides at the root."""
    player = states[ROOT].player
    if _looks_ahead(search) and leaf > NONE:
        node = tree.nodes[leaf]
        if node.num_edges == 0:
            _open(t, states, log, tree, search, leaf)
        if node.num_edges > 0:
            guess = tree.edges[node.edges].guess
            return guess if states[GAME].player == player else -guess
    _play_on(t, states, log, search)
    return np.tanh(evaluate(t, states[GAME], player, search) / search.unit)


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


@kernel
def _play_on(t, states, log, search):
    """Play `states[GAME]` until the turn begins from which on positions are evaluated, or to its end."""
    s = states[GAME]
    last = states[ROOT].drawn + search.turns
    while s.phase != OVER and not (s.phase == PLACE and s.drawn >= last):
        step(t, s, log, choose_of_few(t, states, GAME, log, search))
