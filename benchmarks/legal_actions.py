"""Random legal actions for many games, drawn by compiled code: it reads the masks, and no more of the cache is lost."""

import numba
import numpy as np


@numba.njit
def draw_legal(masks, seed):
    """Return a random legal action for each row of `masks`, int8 `(n, actions)`; all follow from `seed`."""
    np.random.seed(seed)
    actions = np.zeros(masks.shape[0], np.int64)
    for game in range(masks.shape[0]):
        left = np.random.randint(masks[game].sum())
        while left >= 0:
            left -= masks[game, actions[game]]
            actions[game] += 1
        actions[game] -= 1
    return actions
