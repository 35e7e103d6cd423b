"""Random and malformed calls: refused as documented, with nothing changed. The proof makes many more."""

import numpy as np
import pytest

from tests.support.hostile import KINDS, attack
from tests.support.hostile_calls import ViolationError, expect
from tests.support.rulesets import IS_PROOF
from tests.support.spoiling import find_keys, spoil

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
