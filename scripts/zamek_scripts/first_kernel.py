"""Compiles one kernel when it is imported, for which numba loads all that other kernels need.

It is for the process from which `warmup` forks those that compile.
"""

import numba
import numpy as np


@numba.njit("float64[:](float64[:])")
def double(numbers: np.ndarray) -> np.ndarray:
    """Return the numbers twice as large."""
    return numbers * 2
