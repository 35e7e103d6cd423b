"""Which rulesets the tests play.

To compile a ruleset takes a minute of a core or more. So tests with compiled kernels play those of `COMPILED`: a wall
and a table. Tests marked `engine`, for which games alone are compiled, play those of `GAMES`: also a table with fields.
Tests marked `evaluates` are of agents that evaluate positions, and play the ruleset of `EVALUATED` only. Tests with
every index checked play the one of `CHECKED`, which has all that a wall can have. Tests with kernels as plain Python
play all rulesets, and so do all tests where the environment variable `ZAMEK_TESTS` is `all`, as in `make proof`.
"""

import os

import pytest
from numba import config

from zamek_env import RULESETS

IS_COMPILED = not config.DISABLE_JIT
IS_PROOF = os.environ.get("ZAMEK_TESTS") == "all"
ELSEWHERE = "ZAMEK_TESTS=all runs it, as `make proof` does"
COMPILED = RULESETS if IS_PROOF else ("zamek", "carcassonne-demo")
GAMES = RULESETS if IS_PROOF else (*COMPILED, "carcassonne")
EVALUATED = RULESETS if IS_PROOF else ("zamek",)
CHECKED = RULESETS if IS_PROOF else ("sokol-gates",)  # with every index checked
PLAYED = RULESETS if not IS_COMPILED else CHECKED if config.BOUNDSCHECK else COMPILED
MARKED = {"engine": GAMES, "evaluates": EVALUATED} if PLAYED is COMPILED else {}  # mark -> rulesets played there


def skip_unless_played(name):
    """Skip the test where the ruleset of that name is not played."""
    if name not in PLAYED:
        pytest.skip(f"{name}: not compiled here; {ELSEWHERE}")


def find_left_out(values, played=PLAYED):
    """Return which rulesets not `played` stand in `values`, in tuples and dicts of them too, by name."""
    found = set()
    for value in values:
        if isinstance(value, str):
            found |= {value} & (set(RULESETS) - set(played))
        elif isinstance(value, dict):
            found |= find_left_out(value.values(), played)
        elif isinstance(value, tuple | list):
            found |= find_left_out(value, played)
    return found
