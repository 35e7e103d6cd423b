"""The agents `uct` and `mcts-follower30`: trees of random games, as in what is published on Carcassonne."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from zamek_agents.base import RulesetAgent
from zamek_agents.options import name_agent, read_options
from zamek_agents.search import uct_search as kernels
from zamek_agents.search.mcts import Tree
from zamek_agents.search.mcts_tree import EDGE, NODE
from zamek_env import Game
from zamek_env.core.deals import draw_deal
from zamek_env.core.state import copy_state
from zamek_env.fair_play import proven_fair

MOST_NODES = 1_000_000  # of the tree; where there are too few, the search goes on in the tree that there is
_EDGES_A_NODE = 64  # many are not opened; for too few holds the same


class Options(NamedTuple):
    """What can be set, with its defaults."""

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
        searches = np.zeros(1, kernels.search_dtype(ruleset))
        for field in self.options._fields:
            searches[field] = getattr(self.options, field)
        tree = Tree(np.zeros(nodes, NODE), np.zeros(nodes * _EDGES_A_NODE + ruleset.num_actions, EDGE))
        self._room = (ruleset.new_states(2), ruleset.new_log(), tree, searches)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        states, _, _, searches = self._room
        copy_state(game.raw_states, 0, states, kernels.ROOT)
        searches["number"] = draw_deal(rng)
        return int(kernels.choose(game.ruleset.tables, *self._room))


@proven_fair
class FollowerAgent(UCTAgent):
    """`uct`, whose random games send somebody in three of ten cases where that is possible."""

    kind, defaults = "mcts-follower30", Options(followers=0.3)
