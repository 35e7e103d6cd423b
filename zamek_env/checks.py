"""Checks of arguments that come from outside."""

import operator
from collections.abc import Mapping

import numpy as np

from zamek_env.core.chance import MAX_DEAL

MAX_SHOWN = 300  # characters of a value in an error message


def show(value):
    """Return `value` as error messages show it: any value at all, but not at any length."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or lists as deep as Python can go
        return f"a value of type {type(value).__name__} too large to show"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def check_whole(name, value):
    """Return `value` as an int. Raises `TypeError` where it is no whole number (a bool is none)."""
    if type(value) not in (bool, np.bool_):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} must be a whole number, not {show(value)}")


def check_count(name, value):
    """Return `value` as an int, which must be at least 1. Raises `TypeError` or `ValueError` where it is not."""
    number = check_whole(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, not {show(number)}")
    return number


def check_choice(name, value, allowed):
    """Return `value`, which must be one of `allowed`. Raises `ValueError` where it is not."""
    for choice in allowed:
        if type(value) is type(choice) and value == choice:
            return value
    raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {show(value)}")


def check_deal(name, number):
    """Return the number of a deal as an int. Raises `TypeError` or `ValueError` where it is none."""
    deal = check_whole(name, number)
    if not 0 <= deal <= MAX_DEAL:
        raise ValueError(f"{name} must lie in 0 to {MAX_DEAL}, not {show(deal)}")
    return deal


def draw_deal(rng):
    """Return the number of a random deal."""
    return int(rng.integers(MAX_DEAL, endpoint=True))


def read_deal(options):
    """Return `options["deal"]` of an environment's `reset`, or None; other options are ignored.

    Raises `TypeError` or `ValueError` where it is no number of a deal, `TypeError` where `options` are no dict.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict or None, not {show(options)}")
    deal = options.get("deal")
    return None if deal is None else check_deal("options['deal']", deal)
