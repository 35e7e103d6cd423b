"""The information-set search: its tree, and its simulations: redeal, go down the tree, play on, back up.

Every simulation redeals what the player to decide does not know, so that nothing is peeked at. Each player maximises
its own result.

    states[ROOT]    the game to decide in
    states[GAME]    the game simulated

TREE DESCRIPTION
    node       what followed a decision; node 0 is the decision to be made. Nodes are told apart by the decisions that
               led there, not by what was hidden: one tree serves all deals (Single-Observer ISMCTS).
    available  simulations in which the decision of the node could be made when its parent was reached. Each deal allows
               other decisions, so it replaces the visits of the parent (P. Cowling, E. Powley and D. Whitehouse,
               Information Set Monte Carlo Tree Search, 2012).

    node ── first_child ──▶ child ── next ──▶ another child

Once the memory is full, no node is added any more, and the search goes on in the present tree.
"""

import numpy as np

from zamek_agents.castle_cards.gains import SURVEY
from zamek_agents.castle_cards.greedy import choose_greedily, value_options
from zamek_agents.castle_cards.worths import WORTHS, find_need
from zamek_env.base.chance import seed_generator
from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components.box import MAX_PLAYERS
from zamek_env.castle_cards.core.redealing import redeal
from zamek_env.castle_cards.core.rules import draw_action, find_option, is_legal, step
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.core.turns import is_terminal
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

ROOT, GAME = range(2)
MAX_DEPTH = 64  # nodes of a path below node 0; there the tree ends

NODE = record_dtype(
    [
        ("total", np.float64),  # of the results of all visits, to the player who decided
        ("visits", np.int32),
        ("available", np.int32),
        ("action", np.int32),
        ("first_child", np.int32),  # NONE: there is none
        ("next", np.int32),  # the next child of the same parent, NONE: there is none
    ]
)
SEARCH = record_dtype(
    [
        # what is asked, see `ismcts.py`
        ("exploration", np.float64),
        ("width", np.float64),
        ("unit", np.float64),
        ("worth", WORTHS),
        # room
        ("generator", np.uint64, 1),
        ("number", np.int64),  # from which all chance follows
        ("seen", SURVEY),
        ("results", np.float64, MAX_PLAYERS),  # of the simulation, by player
        ("values", np.float64, NUM_ACTIONS),  # of the options of a decision
        ("path", np.int32, MAX_DEPTH),  # nodes visited by this simulation below node 0
        ("depth", np.int32),  # how many
        ("used", np.int32),  # nodes
        ("count", np.int32),  # simulations to make
        ("simulations", np.int32),  # made
        # what is asked, again
        ("turns", np.int32),
        ("is_greedy", np.int32),  # players of simulations play greedily, else at random
        # room, again
        ("movers", np.int8, MAX_DEPTH),  # who decided for each node of `path`
    ]
)


@kernel
def begin_search(nodes, searches):
    """Begin the tree. Chance follows from `number`."""
    search = searches[0]
    seed_generator(search.generator, search.number)
    search.used = clear_tree(nodes)
    search.simulations = 0


@kernel
def simulate(states, logs, nodes, searches):
    """Make `count` more simulations; return how many have been made."""
    search = searches[0]
    for _ in range(search.count):
        states[GAME] = states[ROOT]
        redeal(states[GAME], search.generator, np.int64(states[ROOT].decider))
        _descend(states[GAME], logs[0], nodes, search)
        _play_on(states[GAME], logs[0], search, np.int64(states[ROOT].turns) + search.turns)
        _find_results(states[GAME], search)
        _climb(nodes, search)
    search.simulations += search.count
    return np.int64(search.simulations)


@kernel
def _descend(s, log, nodes, search):
    """Play `s` down the tree to a node that is new, or to its end. Writes `path`, `movers`, `depth`."""
    search.depth = 0
    parent, is_new = 0, False
    while not is_new and search.depth < MAX_DEPTH and not is_terminal(s):
        child, count = select_child(s, nodes, parent, search.exploration)
        if search.used < nodes.size and count < s.num_options:
            room = search.width * np.sqrt(np.float64(nodes[as_index(parent)].visits))
            if count <= room:
                child = np.int64(search.used)
                add_child(nodes, parent, child, _find_untried(s, nodes, parent, search))
                search.used += 1
                is_new = True
        if child == NONE:
            return
        search.path[as_index(search.depth)] = child
        search.movers[as_index(search.depth)] = s.decider
        search.depth += 1
        step(s, log, np.int64(nodes[as_index(child)].action))
        parent = child


@kernel
def _find_untried(s, nodes, parent, search):
    """Return the option, of those without a node, that greedy play values most."""
    value_options(s, search.worth, search.seen, search.generator, search.values)
    best, best_value = NONE, -np.inf
    for number in range(np.int64(s.num_options)):
        if search.values[as_index(number)] > best_value:
            action = find_option(s, number)
            if not has_child(nodes, parent, action):
                best, best_value = action, search.values[as_index(number)]
    return best


@kernel
def _play_on(s, log, search, horizon):
    """Play `s` until `horizon` turns have begun, or to its end."""
    while not is_terminal(s) and s.turns < horizon:
        if search.is_greedy:
            action = choose_greedily(s, search.worth, search.seen, search.generator)
        else:
            action = draw_action(s, search.generator)
        step(s, log, action)


@kernel
def _find_results(s, search):
    """Write each player's result, or its estimate where `s` goes on: from -1 to 1, of sum 0."""
    players, total = np.int64(s.players), _write_shares(s, search, 0.0)
    if not 0.0 < total < np.inf:  # with a small `unit`, the exponent of e would overflow
        total = _write_shares(s, search, _find_least_need(s, search.worth))
    for player in range(players):
        share = search.results[player] / total
        search.results[player] = share - (1.0 - share) / (players - 1)


@kernel
def _write_shares(s, search, least):
    """Write each player's share of the win, 1 for a need of `least` actions; return the sum. Writes `results`."""
    total = 0.0
    for player in range(np.int64(s.players)):
        if is_terminal(s):
            share = 1.0 if s.winners >> player & 1 else 0.0
        else:
            share = np.exp(-(find_need(s, player, search.worth) - least) / search.unit)
        search.results[player] = share
        total += share
    return total


@kernel
def _find_least_need(s, worth):
    """Return the least number of actions that any player still needs to win."""
    least = np.inf
    for player in range(np.int64(s.players)):
        least = min(least, find_need(s, player, worth))
    return least


@kernel
def _climb(nodes, search):
    """Note the results in the nodes of the path."""
    nodes[0].visits += 1
    for number in range(search.depth):
        node = nodes[as_index(search.path[as_index(number)])]
        node.visits += 1
        node.total += search.results[as_index(search.movers[as_index(number)])]


# --- the tree ---


@kernel
def clear_tree(nodes):
    """Leave node 0 only, without children; return how many nodes there are."""
    _clear_node(nodes[0], NONE)
    return 1


@kernel
def _clear_node(node, action):
    node.total = 0.0
    node.visits = 0
    node.available = 0
    node.action = action
    node.first_child = NONE
    node.next = NONE


@kernel
def add_child(nodes, parent, number, action):
    """Make node `number`, the first that is not used yet, a child of `parent`."""
    node, above = nodes[as_index(number)], nodes[as_index(parent)]
    _clear_node(node, action)
    node.available = 1
    node.next = above.first_child
    above.first_child = number


@kernel
def select_child(s, nodes, parent, exploration):
    """Return the child to visit among those that `s` allows, NONE where it allows none, and how many it allows.

    It is the one with the best upper confidence bound. Writes `available`.
    """
    best, best_bound, count = np.int64(NONE), -np.inf, 0
    number = np.int64(nodes[as_index(parent)].first_child)
    while number != NONE:
        node = nodes[as_index(number)]
        if is_legal(s, node.action):
            count += 1
            node.available += 1
            bound = np.inf
            if node.visits > 0:
                spread = np.sqrt(np.log(np.float64(node.available)) / node.visits)
                bound = node.total / node.visits + exploration * spread
            if bound > best_bound:
                best, best_bound = number, bound
        number = np.int64(node.next)
    return best, count


@kernel
def has_child(nodes, parent, action):
    """Return whether a node has a child of that action."""
    number = np.int64(nodes[as_index(parent)].first_child)
    while number != NONE:
        if nodes[as_index(number)].action == action:
            return True
        number = np.int64(nodes[as_index(number)].next)
    return False


@kernel
def find_most_visited(nodes):
    """Return the action of the child of node 0 with most visits, of equal ones the lowest."""
    best, number = np.int64(NONE), np.int64(nodes[0].first_child)
    while number != NONE:
        if best == NONE or _is_better(nodes[as_index(number)], nodes[as_index(best)]):
            best = number
        number = np.int64(nodes[as_index(number)].next)
    return np.int64(nodes[as_index(best)].action)


@kernel
def _is_better(node, other):
    return node.visits > other.visits or (node.visits == other.visits and node.action < other.action)


@kernel
def write_children(nodes, actions, visits):
    """Write the actions of the children of node 0 and their visits; return their number."""
    count, number = 0, np.int64(nodes[0].first_child)
    while number != NONE:
        actions[count] = nodes[as_index(number)].action
        visits[count] = nodes[as_index(number)].visits
        count += 1
        number = np.int64(nodes[as_index(number)].next)
    return count
