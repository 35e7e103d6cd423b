"""Masks as bits, and values of legal actions only: an eighth and a fraction of their room."""

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import check_whole
from zamek_env.common.messages import show


def pack_masks(masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return masks, bool `(n, num_actions)`, as bits, uint8 `(n, bytes)`; the first action is the lowest bit."""
    return np.packbits(masks, axis=1, bitorder="little")


def unpack_masks(packed: npt.NDArray[np.uint8], num_actions: int) -> npt.NDArray[np.bool_]:
    """Return the masks, bool `(n, num_actions)`, of packed ones, uint8 `(n, bytes)`: which actions are legal.

    Raises `ValueError` where these are no masks of so many actions, as where a bit after the last one is set,
    `TypeError` where they are no array.
    """
    if check_whole("num_actions", num_actions) < 1:
        raise ValueError(f"num_actions must be at least 1, not {num_actions}")
    if not isinstance(packed, np.ndarray):
        raise TypeError(f"packed must be an array, not {show(packed)}")
    due = (num_actions + 7) // 8
    if packed.dtype != np.uint8 or packed.ndim != 2 or packed.shape[1] != due:
        raise ValueError(
            f"packed must be uint8 (n, {due}) for {num_actions} actions, not {packed.dtype} {packed.shape}"
        )
    if (packed[:, -1] >> (num_actions - 1) % 8 >> 1).any():
        raise ValueError(f"packed must be of {num_actions} actions: a bit after the last of them is set")
    return np.unpackbits(packed, axis=1, count=num_actions, bitorder="little").astype(np.bool_)


def count_legal(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return how many actions are legal by each of the packed masks, int64 `(n,)`."""
    return np.bitwise_count(packed).sum(axis=1, dtype=np.int64)


def unpack_values(
    values: npt.NDArray[np.float32], packed: npt.NDArray[np.uint8], num_actions: int
) -> npt.NDArray[np.float32]:
    """Return the values of all actions, float32 `(n, num_actions)`: NaN where one is illegal or was not looked at.

    `values` are those of the legal actions only, one decision after the other, as they are stored beside the `packed`
    masks. Raises `ValueError` where they are more or fewer.
    """
    masks = unpack_masks(packed, num_actions)
    if np.shape(values) != (masks.sum(),):
        raise ValueError(f"values must be of shape ({masks.sum()},), one for each legal action, not {np.shape(values)}")
    spread = np.full(masks.shape, np.nan, np.float32)
    spread[masks] = values
    return spread
