"""The tree of the Monte-Carlo search, in two arrays of fixed length.

TREE DESCRIPTION
    node        a decision, as its players see it; node 0 is the decision to be made
    edge        a legal action of a node; those of one node lie side by side, the most promising first
    candidate   an edge of node 0 that may still be decided on; they are its first edges
    key         what chance revealed since the action of the edge: with another tile it leads to another node

    node ── first_edge ──▶ edge ── first_node ──▶ node ── next ──▶ another node that the edge leads to, with another key

Where no room is left, no node is added or opened any more, and the search goes on in the tree that there is.
"""

import numpy as np

from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, find_kind, record_dtype
from zamek_env.layout.actions import CHOOSE

NODE = record_dtype(
    [
        ("key", np.int64),
        ("first_edge", np.int32),
        ("num_edges", np.int32),  # 0: not opened yet
        ("next", np.int32),
        ("visits", np.int32),  # simulations that came through
    ]
)
EDGE = record_dtype(
    [
        ("total", np.float64),  # of the values of all visits, to the player who decides
        ("guess", np.float64),  # value before the first visit
        ("prior", np.float64),  # share of the visits it is expected to deserve
        ("visits", np.int32),
        ("first_node", np.int32),  # that it leads to, NONE before its first visit
        ("action", np.int32),
    ]
)
_KEYS = 2**31 - 1  # a prime; what is computed with keys stays within int64


@kernel
def find_key(t, s):
    """Return a number that stands for what chance revealed so far: the tile drawn, and the tokens that players took.

    With hands it also stands for who moves, and for the tiles to choose from.
    """
    tile = s.deck[as_index(max(1, int(s.drawn)) - 1)]  # with hands, none is drawn before the first is chosen
    key = int(find_kind(t, tile)) * s.deck.size + int(s.drawn)
    if s.hand.size > 0:
        key = (key * 1009 + 8 * int(s.player) + int(s.phase)) % _KEYS
        for slot in range(s.hand.shape[1] if s.phase == CHOOSE else 0):
            held = int(s.hand[s.player, slot])
            key = (key * 1009 + (int(find_kind(t, held)) if held > NONE else s.deck.size)) % _KEYS
    for player in range(s.tokens.shape[0]):
        for kind in range(s.tokens.shape[1]):
            key = (key * 1009 + 31 * int(s.tokens[player, kind]) + int(s.fresh_tokens[player, kind])) % _KEYS
    return key


@kernel
def clear_tree(nodes, search):
    """Empty the tree but for its root."""
    search.used_nodes = 0
    search.used_edges = 0
    add_node(nodes, search, 0)


@kernel
def add_node(nodes, search, key):
    """Return a new node, or NONE where no room is left."""
    number = search.used_nodes
    if number == nodes.size:
        return NONE
    search.used_nodes += 1
    node = nodes[number]
    node.key = key
    node.num_edges = 0
    node.next = NONE
    node.visits = 0
    return int(number)


@kernel
def find_node(nodes, edge, search, key):
    """Return the node to which `edge` leads with that `key`: a new one the first time, NONE where no room is left."""
    number = edge.first_node
    while number > NONE:
        if nodes[number].key == key:
            return int(number)
        number = nodes[number].next
    number = add_node(nodes, search, key)
    if number > NONE:
        nodes[number].next = edge.first_node
        edge.first_node = number
    return int(number)


@kernel
def open_node(node, edges, search, count):
    """Give `node` edges for the best of the `count` actions listed in `search`, as far as there is room for them."""
    width = min(count, search.width, edges.size - search.used_edges)
    node.first_edge = search.used_edges
    node.num_edges = width
    search.used_edges += width
    shares = 0.0
    for rank in range(width):
        _move_best_to(search, rank, count)
        edge = edges[node.first_edge + rank]
        edge.total = 0.0
        edge.guess = np.tanh(search.values[rank] / search.unit)
        edge.prior = np.exp((search.values[rank] - search.values[0]) / search.temperature)
        edge.visits = 0
        edge.first_node = NONE
        edge.action = search.actions[rank]
        shares += edge.prior
    for number in range(node.first_edge, node.first_edge + width):
        edges[number].prior /= shares


@kernel
def _move_best_to(search, rank, count):
    """Swap the best of the actions from `rank` on to `rank`. Writes `actions`, `values`."""
    best = rank
    for number in range(rank + 1, count):
        if search.values[number] > search.values[best]:
            best = number
    value, action = search.values[rank], search.actions[rank]
    search.values[rank], search.actions[rank] = search.values[best], search.actions[best]
    search.values[best], search.actions[best] = value, action


@kernel
def estimate(edge, search):
    """Return what `edge` is worth by its visits and by its guess, which counts as `trust` visits."""
    return (edge.total + search.trust * edge.guess) / (edge.visits + search.trust)


@kernel
def list_candidates(tree, searches, actions, estimates):
    """Write the actions of the candidates and what they are worth by now; return how many there are."""
    search, root = searches[0], tree.nodes[0]
    for number in range(search.candidates):
        edge = tree.edges[root.first_edge + number]
        actions[number] = edge.action
        estimates[number] = estimate(edge, search)
    return int(search.candidates)


@kernel
def select_edge(node, edges, search):
    """Return the edge of `node` to follow: good so far, or promising and seldom followed; NONE where it has none.

    PUCT: C. D. Rosin, Multi-armed bandits with episode context, Annals of Mathematics and Artificial Intelligence 61
    (2011), as in AlphaGo Zero, but before its first visits an edge has the value of looking one decision ahead.
    """
    best, best_value = NONE, -np.inf
    urge = search.exploration * np.sqrt(float(node.visits))
    for number in range(node.first_edge, node.first_edge + node.num_edges):
        edge = edges[number]
        value = estimate(edge, search) + urge * edge.prior / (1.0 + edge.visits)
        if value > best_value:
            best, best_value = number, value
    return best


@kernel
def select_in_turn(root, edges, search):
    """Return the candidate that was followed least often, the first of several."""
    best = root.first_edge
    for number in range(root.first_edge, root.first_edge + search.candidates):
        if edges[number].visits < edges[best].visits:
            best = number
    return int(best)


@kernel
def halve_candidates(root, edges, search):
    """Keep the better half of the candidates, of an odd number one more, the best as the first edge of the root.

    Sequential halving: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits, ICML
    2013; at the root as in Gumbel AlphaZero. Writes `candidates`.
    """
    kept = (search.candidates + 1) // 2
    for target in range(root.first_edge, root.first_edge + kept):
        best = target
        for number in range(target + 1, root.first_edge + search.candidates):
            if estimate(edges[number], search) > estimate(edges[best], search):
                best = number
        _swap_edges(edges, target, best)
    search.candidates = kept


@kernel
def _swap_edges(edges, first, second):
    edge = edges[first : first + 1].copy()
    edges[first : first + 1] = edges[second : second + 1]
    edges[second : second + 1] = edge
