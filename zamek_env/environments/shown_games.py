"""What there is to see and to do in many games, in the memory that kernels write to."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


class Shown(NamedTuple):
    """Observations and masks of many games: arrays with a row a game, or views of them."""

    seen: Any  # an array, or a dict of arrays
    masks: npt.NDArray[np.int8]

    def pick(self, game: int) -> Any:
        """Return what is seen of one game, in memory of its own."""
        if not isinstance(self.seen, dict):
            return self.seen[game].copy()
        return {part: array[game].copy() for part, array in self.seen.items()}

    def list_arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return all arrays."""
        return (*(self.seen.values() if isinstance(self.seen, dict) else [self.seen]), self.masks)

    def lock(self) -> None:
        """Make the arrays read-only, and so all views of them that are made later."""
        for array in self.list_arrays():
            array.flags.writeable = False

    def view(self) -> tuple[Any, npt.NDArray[np.int8]]:
        """Return new views of what is seen and of the masks; whoever gets them may give them another shape or dtype."""
        if not isinstance(self.seen, dict):
            return self.seen.view(), self.masks.view()
        seen = self.seen.copy()
        for part, array in self.seen.items():  # faster than a comprehension
            seen[part] = array.view()
        return seen, self.masks.view()

    def copy_to(self, other: "Shown") -> None:
        """Copy the arrays to those of another one of the same form."""
        for array, target in zip(self.list_arrays(), other.list_arrays(), strict=True):
            target[...] = array


def make_copies(count: int, observation_space: spaces.Space[Any], num_actions: int) -> tuple[Any, ...]:
    """Return arrays for copies of what `list_arrays` lists of `count` games; `observation_space` is that of one."""
    parts: Any = observation_space.values() if isinstance(observation_space, spaces.Dict) else [observation_space]
    observations = [np.empty((count, *part.shape), part.dtype) for part in parts]
    return (*observations, np.empty((count, num_actions), np.int8))


def show_copies(observation_space: spaces.Space[Any], arrays: tuple[Any, ...]) -> Shown:
    """Return views of the arrays that `make_copies` returned."""
    *parts, masks = (array.view() for array in arrays)
    if isinstance(observation_space, spaces.Dict):
        return Shown(dict(zip(observation_space, parts, strict=True)), masks)
    return Shown(parts[0], masks)
