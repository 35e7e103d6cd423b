"""Deals, states and histories that somebody hands over to make a `Game` of: checked whole."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import check_whole
from zamek_env.common.messages import show
from zamek_env.core.state import copy_records
from zamek_env.ruleset import Ruleset


def read_deal(
    ruleset: Ruleset, deck: Iterable[int], token_deal: Iterable[int]
) -> dict[str, tuple[list[int], list[int]]]:
    """Return, for each field of a state that a deal fills, (what is given, what is left to be dealt after it).

    Raises as `Game.from_deal` does.
    """
    _check_is_ruleset(ruleset)
    fields = {}
    for field, given, due in (
        ("deck", deck, range(ruleset.sizes.tiles)),
        ("token_deal", token_deal, ruleset.tables[0].token_pool),
    ):
        numbers, all_there = _list_whole(field, given), Counter(map(int, due))
        left = all_there.copy()
        left.subtract(numbers)
        if min(left.values(), default=0) < 0:
            wanted = sorted(all_there.elements())
            raise ValueError(f"{field} must hold some of {wanted}, or all, not {show(numbers)}")
        fields[field] = numbers, sorted(left.elements())
    return fields


def read_state(
    ruleset: Ruleset, states: npt.NDArray[np.record], number: int | np.integer, history: Iterable[int]
) -> tuple[npt.NDArray[np.record], list[int]]:
    """Return (a copy of `states[number]`, shape `(1,)`, and `history` as a list). Raises as `Game.from_state` does."""
    _check_is_ruleset(ruleset)
    if not isinstance(states, np.ndarray) or states.ndim != 1 or states.dtype != ruleset.state_dtype:
        given = _describe_array(states, ruleset.state_dtype) if isinstance(states, np.ndarray) else show(states)
        raise ValueError(f"states must be shape (n,) of the states of the ruleset {ruleset.name!r}, not {given}")
    index = check_whole("number", number)
    if not 0 <= index < len(states):
        raise ValueError(f"number must be at least 0 and less than the {len(states)} games, not {show(index)}")
    actions = _list_whole("history", history)
    if actions and not 0 <= min(actions) <= max(actions) < ruleset.num_actions:
        raise ValueError(f"history must hold actions from 0 to {ruleset.num_actions - 1}, not {show(actions)}")
    return copy_records(states[index : index + 1]).view(ruleset.state_dtype), actions  # `np.load` drops attributes


def _check_is_ruleset(ruleset: object) -> None:
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"ruleset must be a Ruleset, such as get_ruleset returns or a game has, not {show(ruleset)}")


def _describe_array(array: npt.NDArray[Any], due: np.dtype[Any]) -> str:
    """Return the shape of an array that was refused, and that its dtype is not the one `due`, where it is not."""
    return f"shape {array.shape}" + (" of another dtype" if array.dtype != due else "")


def _list_whole(name: str, numbers: Iterable[int]) -> list[int]:
    """Return `numbers` as a list of ints. Raises `TypeError` where they are no row of whole numbers."""
    is_row = numbers.ndim == 1 if isinstance(numbers, np.ndarray) else isinstance(numbers, Iterable)
    if not is_row or isinstance(numbers, str | bytes | Mapping | Set):  # which hold no numbers, or in no order
        raise TypeError(f"{name} must be a row of whole numbers, not {show(numbers)}")
    return [check_whole(name, number) for number in numbers]
