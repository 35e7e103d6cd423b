"""Checks and draws numbers of deals."""

import numpy as np

from zamek_env.common.checks import check_count, check_generator
from zamek_env.core.chance import MAX_DEAL


def check_deal(name: str, number: object) -> int:
    """Return the number of a deal as an int. Raises `TypeError` or `ValueError` for anything else."""
    return check_count(name, number, MAX_DEAL, 0)


def draw_deal(rng: np.random.Generator) -> int:
    """Return the number of a random deal. Raises as `check_generator` does."""
    return int(check_generator(rng).integers(MAX_DEAL, endpoint=True))
