"""`OneGame`: base of Gymnasium and PettingZoo environments of one game, which deals, observes and draws it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces

from zamek_env.common.messages import show
from zamek_env.common.pickling import PackedSpaces
from zamek_env.spaces import picture


class OneGame(PackedSpaces):
    """An environment of a `PlayableGame`, which `_make(seed=…)` returns; subclasses may override how."""

    game: Any
    metadata: dict[str, Any]
    render_mode: Any
    _make: Callable[..., Any]

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return what everybody sees as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it.

        Without a mode it returns None and warns.
        """
        if self.render_mode is None:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            logger.warn(f"render() shows nothing without a render_mode; name one as the environment is made: {modes}")
        return picture(self.game, self.render_mode)

    def _deal(self, number: int) -> Any:
        """Return the game of a deal."""
        return self._make(seed=number)

    def _find_space(self) -> spaces.Space[Any]:
        """Return the space of what a player sees."""
        space: spaces.Space[Any] = self.game.observation_space
        return space

    def _observe(self, player: int) -> Any:
        """Return what `player` sees."""
        return self.game.observe(player)

    def _check_observe(self, space: spaces.Space[Any]) -> None:
        """Raise `ValueError` unless what the player to decide sees is in `space`."""
        seen = self._observe(max(0, self.game.current_player))
        if seen not in space:
            name = type(self.game).__name__
            raise ValueError(
                f"observe of {name} must return what is in its observation_space {show(space)}, not {show(seen)}"
            )
