"""The rulesets that the tests play.

To compile a ruleset takes a minute of a core or more. So tests with compiled kernels play the one of `COMPILED`, in a
wall. Tests with every index checked are compiled too; they play the one of `CHECKED`, a table with fields. Tests with
kernels as plain Python play the rulesets of `REST` where the environment variable `ZAMEK_TESTS` is `rest`, as in `make
test`, and all rulesets elsewhere. There the tests of `CORE` and `MORE` run, and all that say by a mark that they play
what is not compiled. The tests of the rules are quick and play all rulesets as plain Python. Where `ZAMEK_TESTS` is
`all`, as in `make proof`, all tests play all. Where it is `warm`, what daily tests need was compiled before them, and a
test that compiles much fails.
"""

import os

import pytest
from numba import config

from zamek_env import RULESETS

IS_COMPILED = not config.DISABLE_JIT
IS_PROOF = os.environ.get("ZAMEK_TESTS") == "all"
IS_WARM = os.environ.get("ZAMEK_TESTS") == "warm"
IS_REST = os.environ.get("ZAMEK_TESTS") == "rest"
ELSEWHERE = "ZAMEK_TESTS=all runs it, as `make proof` does"
COMPILED = RULESETS if IS_PROOF else ("zamek",)
CHECKED = RULESETS if IS_PROOF else ("carcassonne",)  # with every index checked
REST = ("sokol", "carcassonne")  # not compiled daily; `carcassonne` has all of the other tables
PLAYED = CHECKED if config.BOUNDSCHECK else COMPILED
if not IS_COMPILED:
    PLAYED = REST if IS_REST else RULESETS
CORE = (  # tests of the kernels that are quick enough without compilation
    "tests/rules/",
    "tests/engine/test_actions.py",
    "tests/engine/test_consistency.py",
    "tests/engine/test_core.py",
    "tests/engine/test_drawn.py",
    "tests/agents/test_endgame.py",
    "tests/engine/test_game.py",
    "tests/engine/test_golden.py",
    "tests/engine/test_invariants.py",
    "tests/engine/test_lockstep.py",
    "tests/environments/test_observation.py",
    "tests/engine/test_perft.py",
    "tests/agents/test_published_agents.py",
    "tests/project/test_run_tests.py",
    "tests/engine/test_within_arrays.py",
)
MORE = (  # tests of what else differs by the ruleset, as quick
    "tests/agents/test_areas_of_actions.py",
    "tests/environments/test_aec.py::test_pettingzoos_api_test_is_content_with_other_rulesets",
    "tests/engine/test_open_table.py",
    "tests/commands/test_play_session.py::test_a_whole_game_is_played_by_what_is_shown",
    "tests/records/test_position_line.py",
    "tests/environments/test_rows.py::test_rows_say_what_the_reference_engine_finds",
    "tests/agents/test_value.py::test_every_open_area_opens_to_cells_and_no_other_does",
)
SHORTEST = "carcassonne-demo"  # games of it are compiled daily beside those of `COMPILED`, its environments are not
SECOND = COMPILED[0] if IS_WARM else SHORTEST  # beside zamek, in tests that need all of a ruleset


def skip_unless_played(name):
    """Skip the test where the ruleset of that name is not played."""
    if name not in PLAYED:
        pytest.skip(f"{name}: not compiled here; {ELSEWHERE}")


def find_left_out(values):
    """Return which rulesets that are not played stand in `values`, in tuples and dicts of them too, by name."""
    found = set()
    for value in values:
        if isinstance(value, str):
            found |= {value} & (set(RULESETS) - set(PLAYED))
        elif isinstance(value, dict):
            found |= find_left_out(value.values())
        elif isinstance(value, tuple | list):
            found |= find_left_out(value)
    return found
