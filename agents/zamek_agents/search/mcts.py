"""The agent `mcts`: searches a tree by simulated games."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.base import NODES_A_SECOND, Hurrying
from zamek_agents.options import ANY
from zamek_agents.search import mcts_search as kernels
from zamek_agents.search.base import ENDGAME, ENDGAME_NODES, ENDGAME_RANGES, SearchingAgent
from zamek_agents.search.evaluation import AUTO, EVALUATIONS, set_up_evaluation
from zamek_agents.search.mcts_search import EDGE, NODE, list_candidates
from zamek_agents.value.choice import count_trials
from zamek_env import Game
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import proven_fair
from zamek_env.ruleset import Ruleset

TO_THE_END = "score"  # an evaluation by playing on to the end
EDGES_A_NODE = 8  # many have some 5, half are not opened or have `width`
_MOST_SURE = 1 - 1e-9  # of values within (-1, 1), where they are given in points


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    simulations: int = 200  # for a decision
    seconds: float = 0.0  # for a decision, in place of a number of simulations; 0: that number
    turns: int = 8  # this one included, that are played before evaluating
    tries: int = 1000  # random legal actions of which the simulated players take the best; 1: a random one
    evaluation: str = AUTO  # "score": play on to the end whatever `turns` says, and value by hand on the way
    weights: str = ""  # file, or folder with a model, of those of `value`, in place of those shipped
    width: int = 10  # actions looked at in a decision, those that promise most
    trust: float = 16.0  # visits that what is seen one decision ahead is worth
    exploration: float = 0.1  # this and the next: where to go below the decision to be made
    temperature: float = 2.0  # points by which an action must look worse to deserve 1/e of the visits
    guided: int = 1  # 0: actions are not valued one decision ahead; the first `width` are looked at
    unit: float = 20.0  # points ahead that make a value of tanh(1)
    nodes: int = 1_000_000  # most nodes of the tree
    endgame: int = ENDGAME  # last tiles that are played exactly, the one in hand included; 0: none
    endgame_nodes: int = ENDGAME_NODES  # most positions looked at for that; if more are needed, it searches


# the defaults where the evaluation is not learned
BY_HAND = Options(simulations=2000, turns=6, tries=8, width=30, exploration=1.0, trust=1.0)
RANGES = {
    "simulations": (1, 10**9),
    "seconds": (0.0, 1e6),
    "turns": (1, 1000),
    "tries": (1, 10**6),
    "evaluation": (*EVALUATIONS, TO_THE_END),
    "weights": ANY,
    "width": (1, 10**6),
    "trust": (1e-3, 1e6),
    "exploration": (0.0, 1e6),
    "temperature": (1e-3, 1e6),
    "guided": (0, 1),
    "unit": (1e-3, 1e6),
    "nodes": (1, 10**8),
    **ENDGAME_RANGES,
}


class Tree(NamedTuple):
    """The arrays described in `mcts_search.py`."""

    nodes: npt.NDArray[np.record]
    edges: npt.NDArray[np.record]


@proven_fair
class MCTSAgent(Hurrying, SearchingAgent):
    """Simulates games, and drops the worse half of the candidate actions again and again until one is left.

    `MCTSAgent(simulations=500, width=20)` and `MCTSAgent("simulations=500,width=20")` are the same; `Options` lists all
    options and their defaults. Raises `ValueError` or `TypeError` for anything else, and `FileNotFoundError` if there
    are no weights of that path. `act` raises `ValueError` if there are no weights for the game's ruleset.
    """

    kind, defaults, by_hand, ranges = "mcts", Options(), BY_HAND, RANGES

    @property
    def simulations(self) -> int:
        """Number of simulations made for the last decision."""
        return 0 if self.is_solved else int(self.searches["simulations"][0])

    def _find_solving_time(self) -> float:
        return self.options.seconds / 2 if self.options.seconds else np.inf

    def _make_room(self, ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> None:
        options = self.options
        nodes = options.seconds * NODES_A_SECOND if options.seconds else options.simulations
        nodes = min(int(nodes) + 1, options.nodes)
        edges = min(nodes * EDGES_A_NODE, nodes * options.width) + ruleset.num_actions
        self._states = ruleset.new_states(kernels.TRIALS + count_trials(ruleset.sizes))
        self.searches = np.zeros(1, kernels.search_dtype(ruleset))
        set_up_evaluation(self.searches, ruleset, weights)
        self.searches["trials"] = kernels.TRIALS
        self.tree = Tree(np.zeros(nodes, NODE), np.zeros(edges, EDGE))
        self._rules = ruleset
        self._room = (self._states, ruleset.new_log(), self.tree, self.searches)
        for field in ("exploration", "temperature", "trust", "width", "guided", "unit", "tries"):
            self.searches[field] = getattr(options, field)
        to_the_end = options.evaluation == TO_THE_END
        self.searches["turns"] = ruleset.sizes.tiles if to_the_end else options.turns

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        with self._deciding():
            return super()._choose(game, rng)

    def _evaluate(self, game: Game, rng: np.random.Generator) -> Evaluation:
        with self._deciding():
            return super()._evaluate(game, rng)

    def _warm_up(self) -> None:
        kernels.begin_search(self._rules.tables, *self._room)
        self._simulate(1)
        self._list_points()
        kernels.end_round(self.tree, self.searches)

    def _search(self, number: int) -> int:
        for _ in self._play_rounds(number):
            kernels.end_round(self.tree, self.searches)
        return self.tree.edges["action"][0]

    def _rate(self, number: int) -> dict[int, float]:
        """Return {action: points} of all candidates.

        A dropped one counts as worse than the chosen action by as much as in its last round, because later rounds had
        other luck.
        """
        rounds = []
        for _ in self._play_rounds(number):
            rounds.append(self._list_points())
            kernels.end_round(self.tree, self.searches)
        final = self._list_points()
        [(chosen, points)] = final.items()
        rated = final
        for candidates in reversed(rounds):
            dropped = {action: value for action, value in candidates.items() if action not in rated}
            rated |= {action: points - candidates[chosen] + value for action, value in dropped.items()}
        return rated

    def _list_points(self):
        """Return {action: points} of the present candidates."""
        most = self.searches["candidates"][0]
        actions, values = np.zeros(most, np.int32), np.zeros(most)
        list_candidates(self.tree, self.searches, actions, values)
        points = self.options.unit * np.arctanh(np.clip(values, -_MOST_SURE, _MOST_SURE))
        return dict(zip(actions.tolist(), points.tolist(), strict=True))

    def _play_rounds(self, number: int) -> Iterator[None]:
        """Make the simulations of all rounds, and stop after each, where the candidates are halved."""
        started = time.perf_counter()
        seconds = self._started + self.options.seconds - started  # less the time spent on trying to solve the game
        self.searches["number"] = number
        candidates = int(kernels.begin_search(self._rules.tables, *self._room))
        rounds = (candidates - 1).bit_length()  # as often as they can be halved
        for done in range(1, rounds + 1):
            if self.options.seconds:
                self._simulate_until(self._simulate, started, started + seconds * done / rounds)
            else:
                self._simulate_many(self._simulate, self.options.simulations * done // rounds - self.simulations)
            yield

    def _simulate(self, count):
        self.searches["count"] = count
        return kernels.simulate(self._rules.tables, *self._room)
