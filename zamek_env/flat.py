"""Observations as one row of numbers, for learners that take nothing else."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.observer import Observation


def make_flat_space(space: spaces.Dict) -> spaces.Box:
    """Return the `Box` of what `flatten` makes of observations of `space`: float32 `(n,)`, planes first."""
    planes, vector = space["planes"], space["vector"]
    if not isinstance(planes, spaces.Box) or not isinstance(vector, spaces.Box):
        raise TypeError(f"space must hold the boxes 'planes' and 'vector', not {space}")
    low, high = (
        np.concatenate([first.ravel(), second], dtype=np.float32)
        for first, second in ((planes.low, vector.low), (planes.high, vector.high))
    )
    return spaces.Box(low, high, dtype=np.float32)


def flatten(observation: Observation, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
    """Return `observation` as one row, float32 `(n,)`: the planes in C order, then the vector.

    Of many observations, one a row, it returns `(many, n)`. Each row is what `gymnasium.spaces.flatten` returns. It is
    written to `out` where that is given, and to a new array otherwise.
    """
    planes, vector = observation["planes"], observation["vector"]
    many = vector.shape[:-1]  # there may be none
    parts: list[npt.NDArray[Any]] = [planes.reshape(*many, math.prod(planes.shape[len(many) :])), vector]
    if out is not None:
        return np.concatenate(parts, axis=-1, out=out)
    return np.concatenate(parts, axis=-1, dtype=np.float32)
