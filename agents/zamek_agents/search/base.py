"""The base class of agents that search, and the exact solver of the last turns.

The solver is *-minimax to the end of the game, over every deal of what is hidden.
"""

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zamek_agents.base import RulesetAgent
from zamek_agents.options import name_agent, read_options
from zamek_agents.search import star_search as kernels
from zamek_agents.search.evaluation import check_weights, load_evaluation_weights
from zamek_agents.search.star_search import MAX_TURNS, make_room
from zamek_env import Game
from zamek_env.base.chance import draw_deal
from zamek_env.common.pickling import WritableArrays
from zamek_env.core.state import copy_state
from zamek_env.evaluation import POINTS, Evaluation
from zamek_env.ruleset import Ruleset

MAX_LEFT = MAX_TURNS - 1  # tiles not yet drawn, in a position that is solved
PROBES = 1  # choices tried to see what an outcome of chance is worth at most
ENDGAME, ENDGAME_NODES = 3, 300_000  # what agents solve by default: the last tiles, and how many nodes at most
ENDGAME_RANGES = {"endgame": (0, MAX_TURNS), "endgame_nodes": (1, 10**9)}
_ALL = 2**62  # nodes, more than there are
_CHUNK = 2_000  # nodes between two looks at the clock


class Solver(WritableArrays):
    """Solves positions of a `Ruleset` with at most `MAX_LEFT` tiles to be drawn.

    `plain` does without windows, move ordering, table and probes: slow, and easy to trust.
    """

    def __init__(self, ruleset: Ruleset, plain: bool = False) -> None:
        self._room = make_room(ruleset)
        self._room.searches["is_plain"] = plain
        self._room.searches["probes"] = 0 if plain else PROBES
        self._room.searches["horizon"] = ruleset.sizes.tiles + 1  # beyond the end
        self._ruleset = ruleset

    def solve(self, game: Game) -> npt.NDArray[np.float64]:
        """Return the margin of the player to decide after each legal action, ascending, if both play perfectly.

        Raises `ValueError` where more than `MAX_LEFT` tiles are left.
        """
        self._begin(game)
        values = np.zeros(len(game.legal_actions()))
        for number, action in enumerate(game.legal_actions()):
            kernels.begin_with(self._room, action)
            kernels.go_on(self._ruleset.tables, self._room, _ALL)
            values[number] = self._room.frames["best"][0]
        return values

    def choose(self, game: Game, nodes: int, seconds: float = np.inf) -> int | None:
        """Return the first of the best actions that is found; None where `nodes` or `seconds` do not suffice.

        Raises `ValueError` where more than `MAX_LEFT` tiles are left.
        """
        ends = time.perf_counter() + seconds
        self._begin(game)
        chunk = min(nodes, _ALL if seconds == np.inf else _CHUNK)
        while not kernels.go_on(self._ruleset.tables, self._room, chunk):
            if self.nodes >= nodes or time.perf_counter() >= ends:
                return None
        return int(self._room.searches["best"][0])

    def warm_up(self, game: Game) -> None:
        """Call all compiled code once, so that no position takes the time to compile it."""
        copy_state(game.raw_states, 0, self._room.states, 0)
        kernels.begin(self._ruleset.tables, self._room)
        kernels.begin_with(self._room, game.legal_actions()[0])
        kernels.go_on(self._ruleset.tables, self._room, 0)

    @property
    def nodes(self) -> int:
        """Number of decisions and ends looked at for the position solved last."""
        return int(self._room.searches["nodes"][0])

    def _begin(self, game):
        left = count_left(game)
        if left > MAX_LEFT:
            raise ValueError(f"game must have at most {MAX_LEFT} tiles to be drawn, not {left}")
        copy_state(game.raw_states, 0, self._room.states, 0)
        kernels.begin(self._ruleset.tables, self._room)


def can_solve(ruleset: Ruleset) -> bool:
    """Return whether the search supports the chance of a `Ruleset`, and two play it.

    It does not support hands that others do not see, nor tiles that go back into the bag.
    """
    return ruleset.players == 2 and not ruleset.sizes.hand_size and not ruleset.sizes.draws_back


def count_left(game: Game) -> int:
    """Return how many tiles are not yet drawn."""
    return game.ruleset.sizes.tiles - int(game.raw_states["drawn"][0])


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
