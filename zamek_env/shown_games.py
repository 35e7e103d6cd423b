"""What there is to see and to do in many games, in the memory that kernels write to."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.flat import flatten


class Shown(NamedTuple):
    """Observations and masks of many games: arrays with a row a game, or views of them."""

    seen: Any  # an array, or a dict of arrays
    masks: npt.NDArray[np.int8]

    def pick(self, game: int | np.integer, is_flat: bool) -> Any:
        """Return a copy of what is seen of one game, a dict as one row where it `is_flat`."""
        if not isinstance(self.seen, dict):
            return self.seen[game].copy()
        parts: Any = {part: array[game].copy() for part, array in self.seen.items()}
        return flatten(parts) if is_flat else parts

    def lock(self) -> None:
        """Make the arrays read-only."""
        for array in (*(self.seen.values() if isinstance(self.seen, dict) else [self.seen]), self.masks):
            array.flags.writeable = False
