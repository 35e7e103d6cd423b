"""The agent that searches a tree by simulated games."""

import time
from typing import NamedTuple

import numpy as np

from . import mcts_search as kernels
from .evaluation import AUTO, EVALUATIONS
from .mcts_tree import EDGE, NODE
from .options import ANY
from .searching import SearchingAgent
from .value_choice import count_trials

TO_THE_END = "score"  # an evaluation by playing on to the end
_NODES_A_SECOND = 200_000  # more than there can be simulations, or looking ahead at each one new nodes
_NODES_A_SIMULATION = 4  # a new placement, and what is new on the way to it: where to send, what to score
EDGES_A_NODE = 8  # many have some 5, half are not opened or have some 20
_STRETCH = 0.005  # seconds between two looks at the clock


class Options(NamedTuple):
    """What can be set, with its defaults."""

    simulations: int = 1000  # for a decision
    seconds: float = 0.0  # for a decision, in place of a number of simulations; 0: that number
    turns: int = 0  # from the decision on that are played before evaluating; 0: a new placement's best action tells
    tries: int = 8  # random legal actions of which the simulated players take the best; 1: a random one
    evaluation: str = AUTO  # "score": play on to the end whatever `turns` says, and value by hand on the way
    weights: str = ""  # file of those of the learned evaluation, in place of those shipped
    exploration: float = 0.3
    temperature: float = 2.0  # points by which an action must look worse to deserve 1/e of the visits
    trust: float = 1.0  # visits that what is seen one decision ahead is worth
    width: int = 30  # actions looked at in a decision, those that promise most
    guided: int = 1  # 0: actions are not valued one decision ahead, so that all look alike at first
    unit: float = 20.0  # points ahead that make a value of tanh(1)
    nodes: int = 1_000_000  # most nodes of the tree


BY_HAND = Options(simulations=2000, turns=6, exploration=1.0)  # the defaults where the evaluation is not learned
RANGES = {
    "simulations": (1, 10**9),
    "seconds": (0.0, 1e6),
    "turns": (0, 1000),
    "tries": (1, 10**6),
    "evaluation": (*EVALUATIONS, TO_THE_END),
    "weights": ANY,
    "exploration": (0.0, 1e6),
    "temperature": (1e-3, 1e6),
    "trust": (1e-3, 1e6),
    "width": (1, 10**6),
    "guided": (0, 1),
    "unit": (1e-3, 1e6),
    "nodes": (1, 10**8),
}


class Tree(NamedTuple):
    """The arrays described in `mcts_tree.py`."""

    nodes: np.ndarray
    edges: np.ndarray


class MCTSAgent(SearchingAgent):
    """Plays what most simulations began with. `options` as in `Options`, or the default.

    Raises `ValueError` where `options` are none, `FileNotFoundError` where there is no file of weights they name. `act`
    raises `ValueError` where there are no weights for the ruleset of the game.
    """

    kind, defaults, by_hand, ranges = "mcts", Options(), BY_HAND, RANGES

    @property
    def simulations(self):
        """How many were made for the last decision."""
        return int(self.searches["simulations"][0])

    def _prepare(self, ruleset, weights):
        options = self.options
        each = _NODES_A_SIMULATION if options.turns == 0 else 1
        nodes = options.seconds * _NODES_A_SECOND if options.seconds else options.simulations * each
        nodes = min(int(nodes) + 1, options.nodes)
        edges = min(nodes * EDGES_A_NODE, nodes * options.width) + ruleset.num_actions
        self._states = ruleset.new_states(kernels.TRIALS + count_trials(ruleset.sizes))
        self.searches = np.zeros(1, kernels.search_dtype(ruleset, weights.size))
        self.searches["weights"] = weights
        self.searches["trials"] = kernels.TRIALS
        self.tree = Tree(np.zeros(nodes, NODE), np.zeros(edges, EDGE))
        self._room = (ruleset.tables, self._states, ruleset.new_log(), self.tree, self.searches)
        for field in ("exploration", "temperature", "trust", "width", "guided", "unit", "tries"):
            self.searches[field] = getattr(options, field)
        to_the_end = options.evaluation == TO_THE_END
        self.searches["turns"] = ruleset.sizes.tiles if to_the_end else options.turns

    def _decide(self, number):
        started = time.perf_counter()
        self.searches["number"] = number
        choices = kernels.begin_search(*self._room)
        if not self.options.seconds or choices == 1:
            return self._simulate(self.options.simulations if choices > 1 else 0)
        action = self._simulate(1)
        while (passed := time.perf_counter() - started) < self.options.seconds:
            stretch = min(_STRETCH, self.options.seconds - passed)
            action = self._simulate(max(1, int(stretch * self.simulations / passed)))
        return action

    def _simulate(self, count):
        self.searches["count"] = count
        return kernels.simulate(*self._room)
