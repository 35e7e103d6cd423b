"""Simulations of the Monte-Carlo search: down the tree, on by playing, back up.

Each simulation of a candidate, an action that may still be chosen, has its own reshuffle of what is hidden, so that
nothing is peeked at. All candidates meet the same reshuffles, so that their luck is much the same. The tree gathers
what simulations have in common, and grows by a node with each.

    states[ROOT]    the game to decide in
    states[GAME]    the game simulated
    states[TRIALS:] where actions are tried

TREE DESCRIPTION, in two arrays of fixed length
    node        a decision, as its players see it; node 0 is the decision to be made
    edge        a legal action of a node; those of one node lie side by side, the most promising first
    candidate   an edge of node 0 that may still be decided on; they are its first edges
    key         what chance revealed since the action of the edge: with another tile it leads to another node

    node ── first_edge ──▶ edge ── first_node ──▶ node ── next ──▶ another node that the edge leads to, with another key

Once the memory is full, no node is added or opened any more, and the search goes on in the present tree.
"""

import numpy as np

from zamek_agents.search.evaluation import choose_of_few, deal_next_tile, evaluate, look_ahead
from zamek_agents.value.choice import count_begun, is_turn_over
from zamek_agents.value.evaluator import evaluator_dtype
from zamek_env.base.chance import seed_generator
from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import copy_record
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.legality import is_legal, list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import find_kind
from zamek_env.layout.actions import CHOOSE, OVER
from zamek_env.ruleset import Ruleset

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
ROOT, GAME, TRIALS = range(3)
MAX_DEPTH = 128  # edges of a path; there the tree ends, however many nodes it has


@kernel
def find_key(t, s):
    """Return a key of what chance revealed so far: the tile drawn, and the tokens that players took.

    With hands it also covers who moves, and the tiles to choose from.
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
    """Empty the tree except its root."""
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
    """Return the value of `edge` by its visits and by its guess, which counts as `trust` visits."""
    return (edge.total + search.trust * edge.guess) / (edge.visits + search.trust)


@kernel
def list_candidates(tree, searches, actions, estimates):
    """Write the actions of the candidates and their present values; return their number."""
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
    """Keep the better half of the candidates, rounded up, the best as the first edge of the root.

    Sequential halving: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits, ICML
    2013; at the root as in Gumbel AlphaZero. Writes `candidates`.
    """
    kept = (search.candidates + 1) // 2
    for target in range(root.first_edge, root.first_edge + kept):
        best = target
        for number in range(target + 1, root.first_edge + search.candidates):
            if estimate(edges[number], search) > estimate(edges[best], search):
                best = number
        edge = edges[target : target + 1].copy()
        copy_record(edges, best, edges, target)
        copy_record(edge, 0, edges, best)
    search.candidates = kept


def search_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of the settings of a search, and of its memory besides games and tree."""
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
            ("candidates", np.int32),  # edges of the root that may still be played, its first ones
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
    nevertheless, because two keys might be one number.
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
    hold several tiles, it is random.
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
    """Return whether to evaluate `states[index]`: its turn begins after `turns` turns, or it is over."""
    s = states[index]
    return s.phase == OVER or (is_turn_over(s) and count_begun(s) >= count_begun(states[ROOT]) + search.turns)


@kernel
def _open(t, states, log, tree, search, number):
    """Give that node its edges, if there is room."""
    if search.used_edges == tree.edges.size:
        return
    if search.guided:
        count = look_ahead(t, states, GAME, log, search)
    else:
        count = list_actions(t, states[GAME], search.actions)
        for action in range(count):
            search.values[action] = 0.0
    open_node(tree.nodes[number], tree.edges, search, count)
