"""Spaces of many games at once, whose bounds take the memory of one."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

_BOUNDS = ("low", "high", "bounded_below", "bounded_above")


class BatchedBox(spaces.Box):
    """A `Box` equal to what `batch_space` returns, but with bounds that are read-only views of one game's bounds.

    Gymnasium writes them out for each game: 23 kB of `zamek`, 100 kB of Carcassonne. Pickles and copies are as small.
    """

    def __init__(self, single: spaces.Box, count: int) -> None:
        super().__init__(single.low, single.high, dtype=single.dtype, seed=deepcopy(single.np_random))
        self._shape = (count, *single.shape)
        self._repeat_bounds()

    def _repeat_bounds(self):
        for name in _BOUNDS:
            setattr(self, name, np.broadcast_to(getattr(self, name), self._shape))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {name: self.__dict__[name][0].copy() for name in _BOUNDS}

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, Any]) -> None:
        super().__setstate__(state)
        self._repeat_bounds()


def batch(space: spaces.Space[Any], count: int) -> spaces.Space[Any]:
    """Return the space of what `count` games show, as `gymnasium.vector.utils.batch_space` does."""
    if isinstance(space, spaces.Box):
        return BatchedBox(space, count)
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: batch(part, count) for name, part in space.items()})
    return batch_space(space, count)
