"""The agents `uct` and `mcts-follower30`: trees of random games, as in what is published on Carcassonne.

Simulations are those of plain UCT: down the tree by UCB1, on at random to the end of the game, back up with the margin.
Each redeals what is hidden. The tree is that of `mcts_search.py`: an edge leads to another node where chance revealed
something else.

    states[ROOT]    the game to decide in
    states[GAME]    the game simulated

L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from zamek_agents.base import RulesetAgent
from zamek_agents.options import name_agent, read_options
from zamek_agents.search.mcts import Tree
from zamek_agents.search.mcts_search import EDGE, NODE, clear_tree, find_key, find_node
from zamek_env import Game
from zamek_env.base.chance import draw_below, draw_deal, draw_random, seed_generator
from zamek_env.base.records import NONE, record_dtype
from zamek_env.base.rewards import find_lead_in_kernel
from zamek_env.compiler.bits import count_word, nth_bit_of_word
from zamek_env.compiler.jit import kernel
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.legality import find_choices, find_phase_range, is_legal, list_actions
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.fair_play import proven_fair
from zamek_env.layout.actions import NOBODY, OVER, SEND
from zamek_env.ruleset import Ruleset

ROOT, GAME = range(2)
MAX_DEPTH = 128  # edges of a path; there the tree ends
_WORDS = 2.0**32  # numbers that `draw_random` may return
MOST_NODES = 1_000_000  # of the tree; if there are too few, the search goes on without new ones
_EDGES_A_NODE = 64  # many are not opened; for too few holds the same


def search_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of the settings of a search, and of its memory besides games and tree."""
    return record_dtype(
        [
            ("exploration", np.float64),  # points
            ("followers", np.float64),  # how probable it is that random play sends somebody; below 0: as all else
            ("generator", np.uint64, (1,)),
            ("number", np.int64),  # from which all chance follows
            ("simulations", np.int32),  # to make
            ("actions", np.int32, (ruleset.num_actions,)),
            ("path", np.int32, (MAX_DEPTH,)),  # edges followed by this simulation
            ("depth", np.int32),  # how many
            ("used_nodes", np.int32),
            ("used_edges", np.int32),
            ("movers", np.int8, (MAX_DEPTH,)),  # who chose each edge of `path`
        ]
    )


@kernel
def choose(tables, states, logs, tree, searches):
    """Return the action of `states[ROOT]` that was simulated most often; ties go to the best mean."""
    t, search = tables[0], searches[0]
    seed_generator(search.generator, search.number)
    forget_hidden(states[ROOT], states[ROOT].player)
    clear_tree(tree.nodes, search)
    _open(t, states[ROOT], tree, search, 0)
    for _ in range(search.simulations):
        copy_state(states, ROOT, states, GAME)
        redeal(states[GAME], search.generator, states[GAME].player)
        _descend(t, states[GAME], logs[0], tree, search)
        _play_out(t, states[GAME], logs[0], search)
        _back_up(states[GAME], tree, search)
    best = tree.edges[0]
    for number in range(1, tree.nodes[0].num_edges):
        edge = tree.edges[number]
        if edge.visits > best.visits or (edge.visits == best.visits and edge.total > best.total):
            best = edge
    return int(best.action)


@kernel
def _open(t, s, tree, search, number):
    """Give that node an edge for each legal action of `s`, if there is room for all."""
    count, first = list_actions(t, s, search.actions), int(search.used_edges)
    if first + count > tree.edges.size:
        return
    node = tree.nodes[number]
    node.first_edge, node.num_edges = first, count
    search.used_edges += count
    for rank in range(count):
        edge = tree.edges[first + rank]
        edge.total = 0.0
        edge.visits = 0
        edge.first_node = NONE
        edge.action = search.actions[rank]


@kernel
def _descend(t, s, log, tree, search):
    """Play `s` down the tree to a node that is new. Writes `path`, `movers`, `depth`."""
    search.depth = 0
    number = 0
    while number > NONE and s.phase != OVER and search.depth < search.path.size:
        node = tree.nodes[number]
        node.visits += 1
        if number > 0 and node.visits == 1:
            return
        if node.num_edges == 0:
            _open(t, s, tree, search, number)
        chosen = _select(node, tree.edges, search)
        if chosen == NONE or not is_legal(t, s, tree.edges[chosen].action):  # for two keys might be one number
            return
        search.path[search.depth] = chosen
        search.movers[search.depth] = s.player
        search.depth += 1
        step(t, s, log, tree.edges[chosen].action)
        number = find_node(tree.nodes, tree.edges[chosen], search, find_key(t, s))


@kernel
def _select(node, edges, search):
    """Return the edge of `node` to follow: one never followed, at random, else that of UCB1; NONE where it has none."""
    best, best_value, untried = NONE, -np.inf, 0
    for number in range(node.first_edge, node.first_edge + node.num_edges):
        edge = edges[number]
        if edge.visits == 0:
            untried += 1
            if draw_below(search.generator, untried) == 0:
                best = number
        elif untried == 0:
            value = edge.total / edge.visits + search.exploration * np.sqrt(np.log(float(node.visits)) / edge.visits)
            if value > best_value:
                best, best_value = number, value
    return best


@kernel
def _play_out(t, s, log, search):
    """Play `s` at random to its end."""
    while s.phase != OVER:
        if s.phase == SEND and search.followers >= 0:
            step(t, s, log, _draw_sending(t, s, search))
        else:
            step(t, s, log, draw_action(t, s, search.generator))


@kernel
def _draw_sending(t, s, search):
    """Return a random action that sends somebody, with the probability `followers`, or else nobody."""
    first, _ = find_phase_range(t, s)
    sendings = find_choices(t, s) & ~(1 << NOBODY)
    if sendings == 0 or draw_random(search.generator) >= search.followers * _WORDS:
        return first + NOBODY
    return first + nth_bit_of_word(sendings, draw_below(search.generator, count_word(sendings)))


@kernel
def _back_up(s, tree, search):
    """Add the margin of the finished game `s` along the path."""
    for number in range(search.depth):
        edge = tree.edges[search.path[number]]
        edge.visits += 1
        edge.total += float(find_lead_in_kernel(s.score, search.movers[number]))


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    simulations: int = 100  # for a decision
    exploration: float = 3.0  # the constant of UCB1, in points
    followers: float = -1.0  # how often random play sends somebody where it may; -1: it takes any legal action


RANGES = {"simulations": (1, 10**7), "exploration": (0.0, 1e6), "followers": (-1.0, 1.0)}


@proven_fair
class UCTAgent(RulesetAgent):
    """Plays the action that UCT simulates most often, by games played on at random to their end.

    `UCTAgent(simulations=500, exploration=10)` and `UCTAgent("simulations=500,exploration=10")` are the same; `Options`
    lists all options and their defaults. Raises `ValueError` or `TypeError` for anything else.
    """

    kind: ClassVar[str] = "uct"
    defaults: ClassVar[Options] = Options()

    def __init__(self, options: str = "", **keywords: Any) -> None:
        self.options = read_options(self.defaults, RANGES, options, keywords)
        self.name = name_agent(self.kind, options, keywords, self.options)
        if -1 < self.options.followers < 0:
            raise ValueError(f"followers must be -1 or a number from 0 to 1, not {self.options.followers:g}")

    def _prepare(self, game: Game) -> None:
        ruleset, nodes = game.ruleset, min(self.options.simulations, MOST_NODES) + 1
        searches = np.zeros(1, search_dtype(ruleset))
        for field in self.options._fields:
            searches[field] = getattr(self.options, field)
        tree = Tree(np.zeros(nodes, NODE), np.zeros(nodes * _EDGES_A_NODE + ruleset.num_actions, EDGE))
        self._room = (ruleset.new_states(2), ruleset.new_log(), tree, searches)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        states, _, _, searches = self._room
        copy_state(game.raw_states, 0, states, ROOT)
        searches["number"] = draw_deal(rng)
        return int(choose(game.ruleset.tables, *self._room))


@proven_fair
class FollowerAgent(UCTAgent):
    """`uct`, whose random games send somebody in three of ten cases where that is possible."""

    kind, defaults = "mcts-follower30", Options(followers=0.3)
