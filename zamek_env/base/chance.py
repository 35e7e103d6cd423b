"""Chance: deals by number, and the generator from which each follows.

All chance of a game lies in its deal: nothing is drawn at random later. A deal is named by a number, so that it can be
repeated anywhere. The generator is Marsaglia's xorshift64; its state is a `uint64` array of shape `(1,)`.
"""

import numpy as np

from zamek_env.common.checks import check_count, check_generator
from zamek_env.compiler.jit import kernel

MAX_DEAL = 2**63 - 1  # deals are numbered from 0 to this
_SEED_MIX = 0x9E3779B9  # 2**32 / golden ratio, so that deal 0 does not start from zeros
_WARM_UP = 8  # steps, after which one differing bit of a deal's number has reached all bits


def check_deal(name: str, number: object) -> int:
    """Return the number of a deal as an int. Raises `TypeError` or `ValueError` for anything else."""
    return check_count(name, number, MAX_DEAL, 0)


def draw_deal(rng: np.random.Generator) -> int:
    """Return the number of a random deal. Raises as `check_generator` does."""
    return int(check_generator(rng).integers(MAX_DEAL, endpoint=True))


@kernel
def seed_generator(generator, deal):
    """Start `generator` for the deal of that number. Writes `generator`."""
    low, high = int(deal) & 0xFFFFFFFF, int(deal) >> 32
    for _ in range(2):
        low = scramble(low ^ _SEED_MIX ^ high)
        high = scramble(high ^ low)
    generator[0] = (np.uint64(high) << np.uint64(32)) | np.uint64(low | 1)
    for _ in range(_WARM_UP):
        draw_random(generator)


@kernel
def scramble(word):
    """Return a 32-bit word that depends on every bit of the 32-bit `word`; a bijection. Stays within int64."""
    first = ((word ^ (word >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    second = ((first ^ (first >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    return second ^ (second >> 16)


@kernel
def draw_random(generator):
    """Return the next 32 random bits as an int. Writes `generator`."""
    word = generator[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    generator[0] = word
    return int(word >> np.uint64(32))


@kernel
def draw_below(generator, limit):
    """Return a random whole number from 0 to `limit - 1`, where 0 < `limit` < 2**31. Writes `generator`."""
    return (draw_random(generator) * int(limit)) >> 32
