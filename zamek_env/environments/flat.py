"""Flattens observations to one row of numbers, for learners that take nothing else."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.observer import Observation

_DIMENSIONS = {"codes": 3, "planes": 3, "rows": 2}  # of a part of one observation; all others have 1


def make_flat_space(space: spaces.Dict) -> spaces.Box:
    """Return the `Box`, float32 `(n,)`, of observations of `space` once flattened."""
    boxes: list[Any] = list(space.values())
    if not all(isinstance(box, spaces.Box) for box in boxes):
        raise TypeError(f"space must hold boxes, not {space}")
    low, high = (
        np.concatenate([bound.ravel() for bound in bounds], dtype=np.float32)
        for bounds in ([box.low for box in boxes], [box.high for box in boxes])
    )
    return spaces.Box(low, high, dtype=np.float32)


def flatten(observation: Observation, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
    """Return `observation` as one row, float32 `(n,)`: its parts in the order of their names, each in C order.

    For a batch of observations it returns `(batch, n)`. Each row is what `gymnasium.spaces.flatten` returns. The result
    is written to `out` if given, else to a new array.
    """
    seen: dict[str, npt.NDArray[Any]] = dict(sorted(observation.items()))  # type: ignore[arg-type]
    parts = []
    for name, part in seen.items():
        first = part.ndim - _DIMENSIONS.get(name, 1)
        parts.append(part.reshape(*part.shape[:first], math.prod(part.shape[first:])))
    if out is not None:
        return np.concatenate(parts, axis=-1, out=out)
    return np.concatenate(parts, axis=-1, dtype=np.float32)
