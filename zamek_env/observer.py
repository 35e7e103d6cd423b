"""Observations of one game: `Observer` follows games; `Game.observe` looks once."""

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from zamek_env.base.array_game import ArrayGame
from zamek_env.base.records import NONE
from zamek_env.common.checks import check_choice, check_flag
from zamek_env.common.messages import show
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.ruleset import Ruleset
from zamek_env.tile_game import TileGame


class Observation(TypedDict, total=False):
    """The observation of one player, or of many, one a row: the parts that were asked for."""

    codes: npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
    planes: npt.NDArray[np.uint8]
    row_actions: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int8]
    vector: npt.NDArray[np.float32]


def read_frames(ruleset: Ruleset, frames: npt.NDArray[np.record], parts: tuple[str, ...] = PLANE_PARTS) -> Observation:
    """Return the observations in `frames`, shape `(n,)`, which hold the `parts`: views of each, by name, `(n, …)`."""
    seen: Observation = {}
    shape = (len(frames), *ruleset.components.board.shape)
    if "codes" in parts:
        seen["codes"] = frames["codes"].reshape(*shape, len(ruleset.codes))
    if "planes" in parts:
        seen["planes"] = frames["squares"].reshape(*shape, len(ruleset.planes))
    if "rows" in parts:
        seen["row_actions"], seen["rows"] = frames["row_actions"], frames["rows"]
    if "vector" in parts:
        seen["vector"] = frames["vector"]
    return seen


class Observer:
    """Writes what players see of games of one `Ruleset`, such as `game.ruleset`: the observations of the environments.

    For agents that ask a network about many positions: it keeps the memory that `Game.observe` allocates each time, and
    looking at the same game again, later on, writes only what has changed. `observation` names the parts of what is
    seen, some of "planes", "codes", "vector" and "rows". Raises `TypeError` where `ruleset` is no `Ruleset`, and
    `TypeError` or `ValueError` for another `observation`.
    """

    def __init__(self, ruleset: Ruleset, observation: Sequence[str] = PLANE_PARTS) -> None:
        if not isinstance(ruleset, Ruleset):
            raise TypeError(f"ruleset must be a Ruleset, such as game.ruleset, not {show(ruleset)}")
        self._ruleset, self._parts, self._players = ruleset, check_parts(observation), ruleset.players
        self._engine = ruleset.frame_engine(self._parts)
        self._canvases, self._frames = ruleset.new_canvases(1), ruleset.new_frames(1, self._parts)
        frames: Any = read_frames(ruleset, self._frames, self._parts)
        shown = {name: frame[0] for name, frame in frames.items()}
        self._copies = [(name, part.copy) for name, part in shown.items()]
        self._row = [part.ravel() for part in shown.values()]
        self._mask = self._frames["mask"][0]
        self._states: npt.NDArray[np.record] | None = None  # of the game that is looked at
        self._bound: Any = None  # what plays and shows it
        self._goes_on = False  # whether the frame shows it, as it is or was: no game goes back to where it was

    def __deepcopy__(self, memo: dict[int, Any]) -> "Observer":
        return Observer(self._ruleset, self._parts)

    def __reduce__(self) -> tuple[type["Observer"], tuple[Ruleset, tuple[str, ...]]]:
        return Observer, (self._ruleset, self._parts)

    def look(
        self, game: TileGame, player: int | None = None
    ) -> tuple[Observation, npt.NDArray[np.int8], int, tuple[int, ...]]:
        """Return (observation, mask, player to decide, scores) of `game`; observation and mask (int8) are new arrays.

        The observer is `player`, by default the one whose turn it is. Once the game is over nobody decides: -1. Raises
        `ValueError` for another `player`, or a game of another ruleset, `TypeError` for what is no `Game`.
        """
        decider, scores = self._write(game, player)
        return self._read(), self._mask.copy(), decider, scores

    def look_flat(
        self, game: TileGame, player: int | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], int, tuple[int, ...]]:
        """Do as `look` does, with the observation as one row, float32: its parts in the order of their names.

        Raises as `look` does.
        """
        decider, scores = self._write(game, player)
        return self._read_flat(), self._mask.copy(), decider, scores

    def play(
        self, game: TileGame, action: int | np.integer, flat: bool
    ) -> tuple[Observation | npt.NDArray[np.float32], npt.NDArray[np.int8], int, tuple[int, ...]]:
        """Play `action` as `Game.step` does, raise what it raises, and return what `look` does then, or `look_flat`.

        The observer is the one whose turn it is then. One call of compiled code takes less time than two. Raises
        `ValueError` too for a game of another ruleset, or where `flat` is neither True nor False.
        """
        if flat is not False:  # a call would take longer
            check_flag("flat", flat)
        if getattr(game, "raw_states", self) is not self._states:
            self._turn_to(game)
        status = game.step_and_show(action, self._engine, self._bound, self._goes_on)
        self._goes_on = True
        return self._read_flat() if flat else self._read(), self._mask.copy(), status[1], status[2:]

    def _write(self, game, player):
        """Write what `player` sees into the frame; return (player to decide, scores)."""
        observer = NONE if player is None else player
        if not (player is None or (type(player) is int and 0 <= player < self._players)):
            observer = check_choice("player", player, range(self._players))  # which takes a microsecond
        if getattr(game, "raw_states", self) is not self._states:
            self._turn_to(game)
        _, status = self._engine.play_and_write.call(self._bound, NONE, observer, self._goes_on)
        self._goes_on = True
        return status[1], status[2:]

    def _turn_to(self, game):
        """Bind the memory of a game that is not the one that was looked at last."""
        if not isinstance(game, ArrayGame):
            raise TypeError(f"game must be a Game, not {show(game)}")
        if not isinstance(game, TileGame) or game.ruleset is not self._ruleset:
            raise ValueError(f"game must be of the ruleset {self._ruleset.name!r} of this observer, not {show(game)}")
        self._bound, self._goes_on = game.bind(self._engine, self._canvases, self._frames), False
        self._states = game.raw_states

    def _read(self):
        seen = {}
        for name, copy in self._copies:  # a comprehension takes longer
            seen[name] = copy()
        return seen

    def _read_flat(self):
        return np.concatenate(self._row, dtype=np.float32)
