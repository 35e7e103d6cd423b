"""Checks of arguments that come from outside."""

import math
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from zamek_env.core.chance import MAX_DEAL
from zamek_env.messages import show

Choice = TypeVar("Choice")
Checked = TypeVar("Checked")

TOOLS_OPTIONS = ("minari_autoseed",)  # of `reset`: Minari's `DataCollector` reads them, and hands them on
ROWS = {"iu": "whole numbers of at most 64 bits", "b": "booleans"}  # kinds of a numpy dtype: what they hold


def check_whole(name: str, value: object) -> int:
    """Return `value` as an int. Raises `TypeError` where it is no whole number (a bool is none)."""
    if type(value) is int:  # before anything slower
        return value
    if type(value) not in (bool, np.bool_):
        try:
            return operator.index(value)  # type: ignore[arg-type]  # what has no index is refused
        except TypeError:
            pass
    raise TypeError(f"{name} must be a whole number, not {show(value)}")


def check_count(name: str, value: object, most: float = math.inf, least: int = 1) -> int:
    """Return `value` as an int in `least` to `most`. Raises `TypeError` or `ValueError` where it is none."""
    number = check_whole(name, value)
    if not least <= number <= most:
        allowed = f"be at least {least}" if most == math.inf else f"lie in {least} to {most}"
        raise ValueError(f"{name} must {allowed}, not {show(number)}")
    return number


def check_choice(name: str, value: object, allowed: Iterable[Choice]) -> Choice:
    """Return `value`, which must be one of `allowed`; a number may be one of numpy. Raises `ValueError` where not."""
    given = int(value) if isinstance(value, np.integer) else value
    for choice in allowed:
        if type(given) is type(choice) and given == choice:
            return choice
    raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {show(value)}")


def check_deal(name: str, number: object) -> int:
    """Return the number of a deal as an int. Raises `TypeError` or `ValueError` where it is none."""
    deal = check_whole(name, number)
    if not 0 <= deal <= MAX_DEAL:
        raise ValueError(f"{name} must lie in 0 to {MAX_DEAL}, not {show(deal)}")
    return deal


def check_seed(name: str, seed: object) -> int | None:
    """Return the seed of a generator as an int, or None. Raises `TypeError` or `ValueError` where it is neither."""
    return None if seed is None else check_given_seed(name, seed)


def check_given_seed(name: str, seed: object) -> int:
    """Return the seed of a generator as an int. Raises `TypeError` or `ValueError` where it is none, as None is."""
    number = check_whole(name, seed)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, not {show(number)}")
    return number


def is_row(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether `value` holds one value per game, rather than a single one for all."""
    return isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)


def check_each(name: str, values: Sequence[Any], count: int, check: Callable[[str, Any], Checked]) -> list[Checked]:
    """Return a row of `count` values as a list, each of them checked and returned by `check(name, value)`.

    Raises `ValueError` where they are more or less, and whatever `check` raises.
    """
    if len(values) != count:
        raise ValueError(f"{name} must be one or a row of {count}, not {len(values)}: {show(values)}")
    return [check(name, value) for value in values]


def read_seeds(seed: object, count: int) -> list[int | None]:
    """Return a seed for each of `count` games, None where its generator is to stay: `seed`, `seed + 1` … or a row."""
    if is_row(seed):
        return check_each("seed", seed, count, check_seed)
    first = check_seed("seed", seed)
    return [None if first is None else first + game for game in range(count)]


def read_deals(deal: object, count: int) -> npt.NDArray[np.int64] | None:
    """Return a deal for each of `count` games, of `options["deal"]`, int64 `(count,)`; None where it names none."""
    if deal is None:
        return None
    name = "options['deal']"
    deals = check_each(name, deal, count, check_deal) if is_row(deal) else [check_deal(name, deal)] * count
    return np.array(deals, np.int64)


def check_seat(seat: Any, players: int, name: str, others: object) -> Any:
    """Return the `seat` of a learner: an int of 0 to `players` - 1, or `"random"`.

    Raises `ValueError` where it is none of these, or is a number although `others`, the argument called `name`, is
    None: then the learner plays every seat.
    """
    checked = check_choice("seat", seat, (*range(players), "random"))
    if others is None and checked != "random":
        raise ValueError(
            f"seat must be 'random' without {name}, as the learner then plays every seat, not {show(seat)}"
        )
    return checked


def check_row(name: str, values: npt.ArrayLike, count: int, kinds: Literal["iu", "b"]) -> npt.NDArray[Any]:
    """Return `values` as an array of shape `(count,)`; `kinds`, one of `ROWS`, are those its dtype may be of.

    Raises `ValueError` where they have another shape, `TypeError` where they are of another kind.
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:  # such as rows of different lengths
        raise ValueError(f"{name} must have shape ({count},), not {show(values)}") from error
    if array.shape != (count,):
        raise ValueError(f"{name} must have shape ({count},), not {array.shape}: {show(values)}")
    if array.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {ROWS[kinds]}, not {array.dtype}: {show(values)}")
    return array


def check_options(
    options: Mapping[str, Any] | None, allowed: Collection[str], ignored: Collection[str] = ()
) -> Mapping[str, Any]:
    """Return the `options` of an environment's `reset` as a mapping; `allowed` are the keys that count.

    Raises `TypeError` where they are none, `ValueError` where there is another key that is not to be `ignored`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict or None, not {show(options)}")
    for key in options:
        if key not in (*allowed, *ignored):
            raise ValueError(f"options may have the keys {', '.join(map(repr, allowed))}, not {show(key)}")
    return options


def join_options(options: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the `options` of single games, as Stable-Baselines3 notes them, as those of `reset` of many games.

    What is None names nothing. Raises `ValueError` where one is named for some games only.
    """
    joined: dict[str, Any] = {}
    for name in {name for given in options for name in given}:
        values = [given.get(name) for given in options]
        count = sum(value is None for value in values)  # no ==, for arrays
        if 0 < count < len(values):
            raise ValueError(f"options must name {name!r} for every game or for none")
        joined[name] = None if count else values
    return joined or None


def check_generator(rng: object) -> np.random.Generator:
    """Return `rng`. Raises `TypeError` unless it is a numpy `Generator`."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, not {show(rng)}")
    return rng


def draw_deal(rng: np.random.Generator) -> int:
    """Return the number of a random deal. Raises as `check_generator` does."""
    return int(check_generator(rng).integers(MAX_DEAL, endpoint=True))


def draw_seat(rng: np.random.Generator, players: int, seat: int | Literal["random"]) -> int:
    """Return the learner's seat among so many `players`. One is always drawn, so that a seed gives the same deals."""
    drawn = int(rng.integers(players))
    return drawn if seat == "random" else seat


def read_deal(options: Mapping[str, Any] | None, ignored: Collection[str] = ()) -> int | None:
    """Return `options["deal"]` of an environment's `reset`, or None; `ignored` are other keys it may have.

    Raises `TypeError` or `ValueError` where it is no number of a deal, and as `check_options` does.
    """
    deal = check_options(options, ("deal",), ignored).get("deal")
    return None if deal is None else check_deal("options['deal']", deal)
