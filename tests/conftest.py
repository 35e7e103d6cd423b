"""Leaves out tests of rulesets that are not compiled here."""

import pytest

from tests.support.rulesets import find_left_out


def pytest_collection_modifyitems(items):
    """Skip what plays a ruleset that is not played: by a parameter of the test, or by its mark `plays`."""
    for item in items:
        values = [*getattr(getattr(item, "callspec", None), "params", {}).values()]
        values += [name for mark in item.iter_markers("plays") for name in mark.args]
        if left_out := find_left_out(values):
            names = ", ".join(sorted(left_out))
            item.add_marker(pytest.mark.skip(f"{names}: played as plain Python, and compiled with ZAMEK_TESTS=all"))
