"""Checks the arguments of `reset`, of one game or of many: seeds, deals and other options; draws the learner's seat."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from zamek_env.base.chance import check_deal
from zamek_env.common.checks import check_choice, check_each, check_seed, is_row
from zamek_env.common.messages import show

OPTIONS = ("deal", "reset_mask")  # of many games
TOOLS_OPTIONS = ("minari_autoseed",)  # Minari's `DataCollector` reads them, and passes them on


def check_options(
    options: Mapping[str, Any] | None, allowed: Collection[str], ignored: Collection[str] = ()
) -> Mapping[str, Any]:
    """Return the `options` of an environment's `reset` as a mapping; `allowed` are the keys that count.

    Raises `TypeError` where they are no mapping, `ValueError` for another key that is not `ignored`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict or None, not {show(options)}")
    for key in options:
        if key not in (*allowed, *ignored):
            raise ValueError(f"options may have the keys {', '.join(map(repr, allowed))}, not {show(key)}")
    return options


def read_deal(options: Mapping[str, Any] | None, ignored: Collection[str] = ()) -> int | None:
    """Return `options["deal"]` of an environment's `reset`, or None; `ignored` are other keys it may have.

    Raises `TypeError` or `ValueError` for a bad number, and as `check_options` does.
    """
    deal = check_options(options, ("deal",), ignored).get("deal")
    return None if deal is None else check_deal("options['deal']", deal)


def read_seeds(seed: object, count: int) -> list[int | None]:
    """Return a seed for each of `count` games, None to keep its generator: `seed`, `seed + 1` … or a row."""
    if is_row(seed):
        return check_each("seed", seed, count, check_seed)
    first = check_seed("seed", seed)
    return [None if first is None else first + game for game in range(count)]


def read_deals(deal: object, count: int) -> npt.NDArray[np.int64] | None:
    """Return a deal for each of `count` games, of `options["deal"]`, int64 `(count,)`; None where it is not given."""
    if deal is None:
        return None
    name = "options['deal']"
    deals = check_each(name, deal, count, check_deal) if is_row(deal) else [check_deal(name, deal)] * count
    return np.array(deals, np.int64)


def join_options(options: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the `options` of single games, as Stable-Baselines3 notes them, as those of `reset` of many games.

    None counts as not given. Raises `ValueError` where an option is given for some games only.
    """
    joined: dict[str, Any] = {}
    for name in {name for given in options for name in given}:
        values = [given.get(name) for given in options]
        count = sum(value is None for value in values)  # no ==, for arrays
        if 0 < count < len(values):
            raise ValueError(f"options must name {name!r} for every game or for none")
        joined[name] = None if count else values
    return joined or None


def check_seat(seat: Any, players: int, name: str, others: object) -> Any:
    """Return the `seat` of a learner: an int of 0 to `players` - 1, or `"random"`.

    Raises `ValueError` for anything else, for a number although `others`, the argument called `name`, is None, so that
    the learner plays every seat, and for `others` although there is one player.
    """
    checked = check_choice("seat", seat, (*range(players), "random"))
    if players == 1 and (isinstance(others, str) or callable(others)):
        raise ValueError(f"{name} must be None where one plays alone, not {show(others)}")
    if others is None and checked != "random":
        raise ValueError(
            f"seat must be 'random' without {name}, as the learner then plays every seat, not {show(seat)}"
        )
    return checked


def draw_seat(rng: np.random.Generator, players: int, seat: int | Literal["random"]) -> int:
    """Return the learner's seat among `players` players. One is always drawn, so that a seed gives the same deals."""
    drawn = int(rng.integers(players))
    return drawn if seat == "random" else seat
