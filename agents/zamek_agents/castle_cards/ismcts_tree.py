"""The tree of the information-set search, in one array of fixed length.

TREE DESCRIPTION
    node       what followed a decision; node 0 is the decision to be made. Nodes are told apart by the decisions that
               led there, not by what was hidden: one tree serves all deals (Single-Observer ISMCTS).
    available  simulations in which the decision of the node could be made when its parent was reached. Each deal allows
               other decisions, so it stands in for the visits of the parent (P. Cowling, E. Powley and D. Whitehouse,
               Information Set Monte Carlo Tree Search, 2012).

    node ── first_child ──▶ child ── next ──▶ another child

Where no room is left, no node is added any more, and the search goes on in the tree that there is.
"""

import numpy as np

from zamek_env.castle_cards.core.rules import is_legal
from zamek_env.castle_cards.core.state import NONE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

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
    """Write the actions of the children of node 0 and their visits; return how many they are."""
    count, number = 0, np.int64(nodes[0].first_child)
    while number != NONE:
        actions[count] = nodes[as_index(number)].action
        visits[count] = nodes[as_index(number)].visits
        count += 1
        number = np.int64(nodes[as_index(number)].next)
    return count
