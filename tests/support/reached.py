"""Which statements of the core each test reaches, and how long it takes: a plug-in of pytest.

`tests.support.mutation` uses it in a copy of the tree in which every statement of the core notes that it was reached
(`instrument`).
"""

import ast
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.support.mutants import find_functions, find_statements

RESULT = Path("reached.json")  # in the folder that the tests run in

reached = set()  # statements reached since a test, or its preparation, began: "file:line"
_in_setup = defaultdict(set)  # file of tests -> what the preparation of any of them reached
_in_test = {}
_seconds = Counter()


def instrument(source, file):
    """Return the source of a file of the core in which every statement notes that it was reached."""
    tree = ast.parse(source)
    for function in find_functions(tree):
        for node in (function, *find_statements(function)):
            for block in ("body", "orelse", "finalbody"):
                if isinstance(getattr(node, block, None), list):
                    setattr(node, block, _instrument_block(getattr(node, block), file))
    tree.body.insert(0, ast.parse("from tests.support.reached import reached as _reached").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _instrument_block(block, file):
    fresh = []
    for statement in block:
        fresh += [ast.parse(f"_reached.add('{file}:{statement.lineno}')").body[0], statement]
    return fresh


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Note what a preparation reaches for all tests of the file: they share what it prepares."""
    reached.clear()
    result = yield
    _in_setup[item.nodeid.partition("::")[0]] |= reached
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Note what a test reaches."""
    reached.clear()
    result = yield
    _in_test[item.nodeid] = set(reached)
    return result


def pytest_runtest_logreport(report):
    """Add up how long a test takes with its preparation."""
    _seconds[report.nodeid] += report.duration


def pytest_sessionfinish():
    """Write {test: [seconds, statements]}."""
    found = {
        test: [_seconds[test], sorted(lines | _in_setup[test.partition("::")[0]])] for test, lines in _in_test.items()
    }
    RESULT.write_text(json.dumps(found), encoding="utf-8")
