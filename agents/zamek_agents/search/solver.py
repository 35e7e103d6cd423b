"""Exact values of the last turns: *-minimax to the end of the game, over every deal of what is hidden."""

import time

import numpy as np
import numpy.typing as npt

from zamek_agents.search import star_search as kernels
from zamek_agents.search.star_search import MAX_TURNS, make_room
from zamek_env import Game
from zamek_env.common.pickling import WritableArrays
from zamek_env.core.state import copy_state
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
