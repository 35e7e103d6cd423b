"""Observations and masks of many games, in the memory that kernels write to."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


class ObsBatch(NamedTuple):
    """Observations and masks of many games: arrays with a row a game, or views of them."""

    observations: Any  # an array, or a dict of arrays
    masks: npt.NDArray[np.int8]

    def pick(self, game: int) -> Any:
        """Return the observation of one game, in memory of its own."""
        if not isinstance(self.observations, dict):
            return self.observations[game].copy()
        return {part: array[game].copy() for part, array in self.observations.items()}

    def list_arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return all arrays."""
        return (
            *(self.observations.values() if isinstance(self.observations, dict) else [self.observations]),
            self.masks,
        )

    def lock(self) -> None:
        """Make the arrays read-only, and so all views of them that are made later."""
        for array in self.list_arrays():
            array.flags.writeable = False

    def view(self) -> tuple[Any, npt.NDArray[np.int8]]:
        """Return new views of observations and masks; whoever gets them may give them another shape or dtype."""
        if not isinstance(self.observations, dict):
            return self.observations.view(), self.masks.view()
        seen = self.observations.copy()
        for part, array in self.observations.items():  # faster than a comprehension
            seen[part] = array.view()
        return seen, self.masks.view()

    def copy_to(self, other: "ObsBatch") -> None:
        """Copy the arrays to those of another one of the same form."""
        for array, target in zip(self.list_arrays(), other.list_arrays(), strict=True):
            target[...] = array


def new_obs_arrays(count: int, observation_space: spaces.Space[Any], num_actions: int) -> tuple[Any, ...]:
    """Return arrays for copies of what `list_arrays` lists of `count` games; `observation_space` is that of one."""
    parts: Any = observation_space.values() if isinstance(observation_space, spaces.Dict) else [observation_space]
    observations = [np.empty((count, *part.shape), part.dtype) for part in parts]
    return (*observations, np.empty((count, num_actions), np.int8))


def view_obs_arrays(observation_space: spaces.Space[Any], arrays: tuple[Any, ...]) -> ObsBatch:
    """Return views of the arrays that `new_obs_arrays` returned."""
    *parts, masks = (array.view() for array in arrays)
    if isinstance(observation_space, spaces.Dict):
        return ObsBatch(dict(zip(observation_space, parts, strict=True)), masks)
    return ObsBatch(parts[0], masks)
