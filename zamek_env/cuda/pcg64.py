"""numpy's generator PCG64 in kernels, so that a GPU draws the deals that numpy draws on the CPU.

Seeded as `numpy.random.SeedSequence` seeds it, and read as `numpy.random.Generator.integers` reads it. The numbers with
names are those of numpy. On the CPU seeds are split into words for kernels, and numpy goes on where they stopped.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import record_dtype
from zamek_env.common.messages import show
from zamek_env.compiler.jit import kernel

MOST_WORDS = 4  # of 32 bits, of a seed

GENERATOR = record_dtype(
    [
        ("state", np.uint64, 2),  # of 128 bits: the high half, the low one
        ("increment", np.uint64, 2),
        ("half", np.uint32),  # the half that is left of 64 bits of which 32 were asked for
        ("has_half", np.uint32),
    ]
)
SEED = record_dtype([("words", np.uint32, MOST_WORDS)])  # the lowest first; zeros beyond the highest

INIT_A, MULT_A, INIT_B, MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
MIX_MULT_L, MIX_MULT_R, XSHIFT = 0xCA01F9DD, 0x4973F715, 16
MULTIPLIER_HIGH, MULTIPLIER_LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)
ONE, HALF, ALL, ROTATED = np.uint64(1), np.uint64(32), np.uint64(63), np.uint64(58)  # shifts of 64 bits
LOW = np.uint64(0xFFFFFFFF)
_WORD = 0xFFFFFFFF


@kernel
def seed(generator, words):
    """Start `generator` as `PCG64(SeedSequence(seed))` does, for the seed of those `words`. Writes `generator`."""
    mixed = (0, 0, 0, 0)
    constant = INIT_A
    for number in range(MOST_WORDS):
        mixed = _replace(mixed, number, _hash(int(words[number]), constant, MULT_A))
        constant = (constant * MULT_A) & _WORD
    for source in range(MOST_WORDS):
        for target in range(MOST_WORDS):
            if source != target:
                mixed = _replace(mixed, target, _mix(mixed[target], _hash(mixed[source], constant, MULT_A)))
                constant = (constant * MULT_A) & _WORD
    constant = INIT_B
    for number in range(2):
        for part in range(2):
            value = np.uint64(0)
            for place in range(2):
                source = (number * 4 + part * 2 + place) % MOST_WORDS
                value |= np.uint64(_hash(mixed[source], constant, MULT_B)) << (HALF * np.uint64(place))
                constant = (constant * MULT_B) & _WORD
            if number == 0:
                generator.state[part] = value
            else:
                generator.increment[part] = value
    _start(generator)


@kernel
def draw_deal(generator):
    """Return what `integers(2**63 - 1, endpoint=True)` returns. Writes `generator`."""
    return np.int64(_draw_64(generator) >> ONE)


@kernel
def draw_seat(generator):
    """Return what `integers(2)` returns. Writes `generator`."""
    if generator.has_half:
        generator.has_half = 0
        return int(generator.half) >> 31
    drawn = _draw_64(generator)
    generator.has_half = 1
    generator.half = drawn >> HALF
    return np.int64(drawn & LOW) >> 31


@kernel
def _replace(four, number, value):
    """Return four numbers with the one of that number replaced."""
    first, second, third, fourth = four
    return (
        value if number == 0 else first,
        value if number == 1 else second,
        value if number == 2 else third,
        value if number == 3 else fourth,
    )


@kernel
def _hash(value, constant, multiplier):
    """Return a 32-bit word that depends on every bit of another one."""
    hashed = ((value ^ constant) * ((constant * multiplier) & _WORD)) & _WORD
    return hashed ^ (hashed >> XSHIFT)


@kernel
def _mix(first, second):
    """Return a 32-bit word made of two."""
    mixed = (first * MIX_MULT_L - second * MIX_MULT_R) & _WORD
    return mixed ^ (mixed >> XSHIFT)


@kernel
def _start(generator):
    """Go on from the state and the increment that a seed gives."""
    high, low = generator.state[0], generator.state[1]
    generator.increment[0] = (generator.increment[0] << ONE) | (generator.increment[1] >> ALL)
    generator.increment[1] = (generator.increment[1] << ONE) | ONE
    sum_low = generator.increment[1] + low
    generator.state[0] = generator.increment[0] + high + np.uint64(sum_low < low)
    generator.state[1] = sum_low
    _advance(generator)
    generator.has_half = 0
    generator.half = 0


@kernel
def _draw_64(generator):
    """Return the next 64 bits. Writes `generator`."""
    _advance(generator)
    high, low = generator.state[0], generator.state[1]
    word, turned = high ^ low, high >> ROTATED
    return (word >> turned) | (word << ((np.uint64(64) - turned) & ALL))


@kernel
def _advance(generator):
    """Multiply the state, and add the increment, modulo 2**128."""
    high, low = generator.state[0], generator.state[1]
    product = low * MULTIPLIER_LOW
    carried = _multiply_high(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH
    sum_low = product + generator.increment[1]
    generator.state[0] = carried + generator.increment[0] + np.uint64(sum_low < product)
    generator.state[1] = sum_low


@kernel
def _multiply_high(first, second):
    """Return the high 64 of the 128 bits of a product."""
    low = (first & LOW) * (second & LOW)
    cross = (first >> HALF) * (second & LOW) + (low >> HALF)
    other = (first & LOW) * (second >> HALF) + (cross & LOW)
    return (first >> HALF) * (second >> HALF) + (cross >> HALF) + (other >> HALF)


# --- on the CPU ---

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
