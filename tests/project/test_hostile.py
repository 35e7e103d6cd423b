"""Random and malformed calls and boxes: refused as documented, or played. The proof makes many more."""

import ast
import subprocess
import sys

import numpy as np
import pytest

from tests.support.hostile.attack import KINDS, attack
from tests.support.hostile.calls import ViolationError, expect
from tests.support.hostile.mutated_boxes import SWITCHES, draw_rules
from tests.support.hostile.spoiling import find_keys, spoil
from tests.support.rulesets import IS_PROOF
from tools.run_tests import ROOT
from zamek_env import load_components
from zamek_env.components.house_rules import vary

CALLS = 10_000 if IS_PROOF else 1_000


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of infinite numbers, as plain Python
def test_hostile_calls_are_refused_as_documented_and_change_nothing():
    outcomes = attack(CALLS)
    assert sum(outcomes.values()) == CALLS
    assert {kind for kind, _ in outcomes} == set(KINDS)


def test_the_kinds_make_up_all_calls():
    assert sum(KINDS.values()) == 1000


def test_an_error_of_another_type_is_a_violation():
    with pytest.raises(ViolationError, match="raised KeyError"):
        expect(lambda: {}["a"], ValueError, "a look-up")
    with pytest.raises(ViolationError, match="returned"):
        expect(lambda: 1, ValueError, "a number")
    with pytest.raises(ViolationError, match="raised TypeError"):
        expect(lambda: len(1), None, "a length")


def test_a_value_is_spoilt_in_a_copy():
    value, rng = {"a": [1, {"b": "c"}], "d": None}, np.random.default_rng(0)
    spoilt = [spoil(value, rng) for _ in range(50)]
    assert value == {"a": [1, {"b": "c"}], "d": None}
    assert sum(other != value for other in spoilt) > 40
    assert len(list(find_keys(value))) == 5


# --- boxes ---


@pytest.mark.long
def test_boxes_changed_at_random_are_refused_or_played():
    command = [sys.executable, "-m", "tests.support.hostile.fuzz_boxes", "--boxes", "30", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = ast.literal_eval(done.stdout)
    assert sum(counts.values()) == 30 and counts["refused"] >= 5
    assert counts["accepted"] + counts["varied"] >= 5 and counts["varied"] >= 2


def test_house_rules_of_all_kinds_are_drawn_to_be_accepted_and_refused():
    components = load_components(ruleset="carcassonne-demo")
    accepted, refused = set(), 0
    for seed in range(200):
        try:
            house = vary(components, rules=draw_rules(np.random.default_rng(seed))).house
        except ValueError:
            refused += 1
            continue
        accepted |= {name for name, value in vars(house).items() if value}
    assert accepted == set(SWITCHES) - {"dice"}
    assert 50 < refused < 180
