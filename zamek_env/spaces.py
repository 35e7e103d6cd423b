"""Spaces, observations and pictures as Gymnasium wants them, shared by all environments."""

from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.checks import check_choice
from zamek_env.core.tables import NONE, NUM_PLAYERS
from zamek_env.game import Game
from zamek_env.render import draw_rgb
from zamek_env.ruleset import Ruleset


class Observation(TypedDict):
    """What a player sees, or many see, one a row."""

    planes: npt.NDArray[np.uint8]
    vector: npt.NDArray[np.float32]


def make_observation_space(ruleset: Ruleset) -> spaces.Dict:
    """Return the `Dict` space of observations; names and scales stand in `ruleset.planes` and `ruleset.vector`.

    The planes are bounded by what they can hold, not by 255, so that Stable-Baselines3 does not take them for an image.
    """
    shape = (*ruleset.components.board.shape, len(ruleset.planes))
    high = np.broadcast_to(ruleset.planes.high, shape).astype(np.uint8)
    return spaces.Dict(
        {
            "planes": spaces.Box(np.zeros(shape, np.uint8), high, dtype=np.uint8),
            "vector": spaces.Box(0.0, ruleset.vector.high.astype(np.float32), dtype=np.float32),
        }
    )


def make_action_space(ruleset: Ruleset) -> spaces.Discrete:
    """Return the `Discrete` space of actions; its layout stands in `zamek_env.layout.actions`."""
    return spaces.Discrete(ruleset.num_actions)


def read_frames(ruleset: Ruleset, frames: npt.NDArray[np.record]) -> Observation:
    """Return the observations in `frames`, shape `(n,)`: views `planes` `(n, rows, columns, planes)` and `vector`."""
    shape = (len(frames), *ruleset.components.board.shape, len(ruleset.planes))
    return {"planes": frames["squares"].reshape(shape), "vector": frames["vector"]}


class Observer:
    """Writes what is seen of games of one ruleset, in room of its own.

    Looking at the same game again, later on, is fastest.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._canvases, self._frames = ruleset.new_canvases(1), ruleset.new_frames(1)
        frames = read_frames(ruleset, self._frames)
        self._planes, self._vector = frames["planes"][0], frames["vector"][0]
        self._row = self._planes.ravel(), self._vector
        self._mask = self._frames["mask"][0]
        self._states: npt.NDArray[np.record] | None = None  # of the game that the frame shows

    def __deepcopy__(self, memo: dict[int, Any]) -> "Observer":
        return Observer(self._ruleset)

    def __reduce__(self) -> tuple[type["Observer"], tuple[Ruleset]]:
        return Observer, (self._ruleset,)

    def look(
        self, game: Game, player: int | None = None
    ) -> tuple[Observation, npt.NDArray[np.int8], int, tuple[int, int]]:
        """Return (observation, mask, player to decide, scores) of `game`; observation and mask (int8) are new arrays.

        It is seen by `player`, 0 or 1, or by the one whose turn it is. Once the game is over nobody is to decide: -1.
        Raises `ValueError` for another `player`, or a game of another ruleset.
        """
        decider, scores = self._write(game, player)
        return self._read(), self._mask.copy(), decider, scores

    def look_flat(
        self, game: Game, player: int | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], int, tuple[int, int]]:
        """Return what `look` does, with the observation as one row: what `zamek_env.flat.flatten` makes of it."""
        decider, scores = self._write(game, player)
        return self._read_flat(), self._mask.copy(), decider, scores

    def play(
        self, game: Game, action: int, flat: bool
    ) -> tuple[Observation | npt.NDArray[np.float32], npt.NDArray[np.int8], int, tuple[int, int]]:
        """Play `action` as `Game.step` does, raise what it raises, and return what `look` or `look_flat` does then.

        That is seen by the one whose turn it is.
        """
        states = game.raw_states
        if not (goes_on := states is self._states):
            self._check_ruleset(game)
        _, decider, first, second = game.step_and_show(action, self._canvases, self._frames, goes_on)
        self._states = states
        return self._read_flat() if flat else self._read(), self._mask.copy(), decider, (first, second)

    def _write(self, game, player):
        """Write what `player` sees into the frame; return (player to decide, scores)."""
        observer = NONE if player is None else player
        if not (player is None or (type(player) is int and 0 <= player < NUM_PLAYERS)):
            observer = check_choice("player", player, range(NUM_PLAYERS))  # which takes a microsecond
        states = game.raw_states
        if not (goes_on := states is self._states):  # no game goes back to where it was
            self._check_ruleset(game)
        self._states = states
        _, decider, first, second = self._ruleset.engine.write_frame.call(
            self._ruleset.tables, states, self._canvases, self._frames, 0, observer, goes_on
        )
        return decider, (first, second)

    def _check_ruleset(self, game):
        if game.ruleset is not self._ruleset:
            raise ValueError(f"game must be of the ruleset {self._ruleset.name!r} of this observer, not {game!r}")

    def _read(self):
        return {"planes": self._planes.copy(), "vector": self._vector.copy()}

    def _read_flat(self):
        return np.concatenate(self._row, dtype=np.float32)


def observe(game: Game, player: int) -> Observation:
    """Return what `player`, 0 or 1, sees of `game`: new arrays `planes` and `vector`.

    Raises `ValueError` for another `player`.
    """
    return Observer(game.ruleset).look(game, player)[0]


def picture(game: Game, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return `game` as text (`"ansi"`) or pixels (`"rgb_array"`), None for any other mode."""
    if render_mode == "ansi":
        return str(game)
    if render_mode == "rgb_array":
        return draw_rgb(game.ruleset.components, game.position())
    return None
