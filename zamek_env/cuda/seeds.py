"""Seeds of many games as 32-bit words for kernels, and numpy generators made from those of kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.common.messages import show
from zamek_env.cuda.pcg64 import MOST_WORDS

_BITS = 32 * MOST_WORDS


def split_seeds(
    seeds: Sequence[int | None], draws_missing: bool
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]:
    """Return the words of seeds, `(n, 4)`, the lowest first, and which games have one, bool `(n,)`.

    Missing seeds are drawn from the system if `draws_missing`. Raises `ValueError` for a seed of too many bits.
    """
    for seed in seeds:
        if seed is not None and seed >> _BITS:
            raise ValueError(f"seed must be below 2**{_BITS} for games on a GPU, not {show(seed)}")
    is_given = np.array([seed is not None for seed in seeds])
    text = b"".join((seed or 0).to_bytes(_BITS // 8, "little") for seed in seeds)
    words = np.frombuffer(text, "<u4").astype(np.uint32).reshape(-1, MOST_WORDS)
    if draws_missing and not is_given.all():
        drawn = np.random.SeedSequence().generate_state(words.size, np.uint32).reshape(words.shape)
        return np.where(is_given[:, None], words, drawn), np.ones_like(is_given)
    return words, is_given


def join_words(words: npt.NDArray[np.uint32]) -> int:
    """Return the seed with these words."""
    return int.from_bytes(words.astype("<u4").tobytes(), "little")


def make_generator(record: Any) -> np.random.Generator:
    """Return the generator that goes on as one of `pcg64.GENERATOR` does."""
    state, increment = ((int(high) << 64) | int(low) for high, low in (record["state"], record["increment"]))
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": int(record["has_half"]),
        "uinteger": int(record["half"]),
    }
    return np.random.Generator(bits)
