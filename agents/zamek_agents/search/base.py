"""The base class of agents that search."""

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zamek_agents.base import RulesetAgent
from zamek_agents.options import name_agent, read_options
from zamek_agents.search.evaluation import check_weights, load_evaluation_weights
from zamek_agents.search.solver import Solver, can_solve, count_left
from zamek_env import Game
from zamek_env.core.deals import draw_deal
from zamek_env.core.state import copy_state
from zamek_env.evaluation import POINTS, Evaluation
from zamek_env.ruleset import Ruleset


class SearchingAgent(RulesetAgent):
    """Searches on redealt copies of the game, and notes how long it takes. Solves the last tiles exactly, if it can.

    `options.endgame` says how many tiles those are, and `options.endgame_nodes` how long it may take. If that does not
    suffice, the agent searches as usual.

    Args:
        options: text such as `"width=6,weights=FILE"`, with what differs from the defaults.
        keywords: the same options as keyword arguments. Here a path may contain commas.
    """

    kind: ClassVar[str] = ""  # the name without options
    defaults: ClassVar[Any] = ()  # a named tuple of options, with the learned evaluation
    by_hand: ClassVar[Any] = ()  # one without
    ranges: ClassVar[Mapping[str, tuple[Any, ...]]] = {}  # what each may be

    _states: npt.NDArray[np.record]
    _solver: Solver | None = None  # of the last tiles
    _started: float = 0.0  # when the decision was asked for

    def __init__(self, options: str = "", **keywords: Any) -> None:
        self._given = (options, keywords)
        self.options = self._read_options(self.defaults)
        self.name = name_agent(self.kind, *self._given, self.options)
        check_weights(self.options.evaluation, self.options.weights)
        self.is_solved = False  # whether the last decision is an exact one

    def _read_options(self, defaults):
        return read_options(defaults, self.ranges, *self._given)

    def _load_weights(self, ruleset):
        return load_evaluation_weights(self.options.evaluation, self.options.weights, ruleset)

    def _check_weights(self, ruleset: Ruleset) -> None:
        self._load_weights(ruleset)

    def _prepare(self, game: Game) -> None:
        weights = self._load_weights(game.ruleset)
        self.options = self._read_options(self.defaults if weights.size > 0 else self.by_hand)
        self._make_room(game.ruleset, weights)
        copy_state(game.raw_states, 0, self._states, 0)
        self._warm_up()
        self._solver = Solver(game.ruleset) if self.options.endgame > 0 and can_solve(game.ruleset) else None
        if self._solver:
            self._solver.warm_up(game)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        number = draw_deal(rng)
        self._started = time.perf_counter()
        exact = self._solve(game)
        if exact is None:
            copy_state(game.raw_states, 0, self._states, 0)
        return self._search(number) if exact is None else exact

    def _evaluate(self, game: Game, rng: np.random.Generator) -> Evaluation:
        number, legal = draw_deal(rng), game.legal_actions()
        self._started = time.perf_counter()
        exact = self._solve(game)
        if exact is not None:
            assert self._solver is not None
            values = self._solver.solve(game)
            values[legal.index(exact)] = values.max()  # which it is, but for rounding
            return Evaluation(legal, values, POINTS)
        copy_state(game.raw_states, 0, self._states, 0)
        rated = self._rate(number)
        return Evaluation(legal, np.array([rated.get(action, np.nan) for action in legal], np.float64), POINTS)

    def _solve(self, game):
        """Return the best action if few tiles are left and the node limit suffices to find it; else None."""
        exact = None
        if self._solver and count_left(game) < self.options.endgame:
            exact = self._solver.choose(game, self.options.endgame_nodes, self._find_solving_time())
        self.is_solved = exact is not None
        return exact

    def _find_solving_time(self) -> float:
        """Return the seconds that solving a position may take."""
        return np.inf

    def _make_room(self, ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> None:
        """Allocate games of `ruleset`, `_states`, of which the first is the game to decide in, and all other memory.

        `weights` are those of the learned evaluation; empty: positions are valued by hand.
        """
        raise NotImplementedError

    def _warm_up(self) -> None:
        """Call all compiled code once, so that no decision takes the time to compile it."""
        raise NotImplementedError

    def _search(self, number: int) -> int:
        """Return the action chosen for `_states[0]`, which may be overwritten; all chance follows from `number`."""
        raise NotImplementedError

    def _rate(self, number: int) -> dict[int, float]:
        """Return {action: its worth in points} of actions that `_search(number)` looks at. None exceeds its choice's.

        `_states[0]` may be overwritten.
        """
        raise NotImplementedError
