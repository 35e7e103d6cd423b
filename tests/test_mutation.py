"""Mutants change one thing each, and only where a test can notice it."""

import ast

import pytest

from tests.support.mutants import SOURCES, find_mutants, list_files
from tests.support.mutation import ROOT
from tests.support.reached import instrument


def mutants_of(tmp_path, text):
    """Return {new text of the module} of all mutants of a module with this text."""
    (tmp_path / SOURCES).mkdir()
    (tmp_path / SOURCES / "one.py").write_text(text, encoding="utf-8")
    return [mutant.apply(text.encode()).decode() for mutant in find_mutants(tmp_path, "one.py")]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return a < b", ["return a <= b", "return a >= b"]),
        ("return a != b", ["return a == b"]),
        ("return (a + c) - (b)", ["return (a + c) + (b)", "return (a - c) - (b)"]),
        ("return a and b", ["return a or b"]),
        ("return not (a)", ["return (a)"]),
        ("return min(a, b)", ["return max(a, b)"]),
        ("return 7", ["return 6", "return 8"]),
        ("return True", ["return False"]),
        ("return range(a)", ["return range(a + 1)", "return range(a - 1)"]),
        ("return a if b else c", ["return a if False else c", "return a if True else c"]),
        ("a[b] = c", ["pass"]),
        ("a(b)", ["pass"]),
        ("a += b", ["a -= b", "pass"]),
        ("a = b", []),  # a name that nothing else binds would be missed at once
        ("'text'", []),
        ("raise ValueError(f'no {a + b}')", []),
        ("return 'ł' + a", ["return 'ł' - a"]),  # places are counted in bytes
    ],
)
def test_what_is_changed_in_a_line(tmp_path, line, changed):
    head = "LIMIT = 3\n\n\ndef choose(a, b=1):\n    "
    assert sorted(mutants_of(tmp_path, f"{head}{line}\n")) == [f"{head}{new}\n" for new in changed]


@pytest.mark.parametrize(
    "text",
    ["@intrinsic\ndef f(a):\n    return a + 1\n", "def log_dtype(a):\n    return a + 1\n", "LIMIT = 1 + 2\n"],
)
def test_what_compiles_to_instructions_names_fields_or_stands_outside_functions_is_not_changed(tmp_path, text):
    assert mutants_of(tmp_path, text) == []


@pytest.mark.parametrize("file", list_files(ROOT))
@pytest.mark.long
def test_every_mutant_of_the_core_is_another_program(file):
    source = (ROOT / SOURCES / file).read_bytes()
    before = ast.dump(ast.parse(source))
    for mutant in find_mutants(ROOT, file)[::20]:
        assert ast.dump(ast.parse(mutant.apply(source))) != before


def test_a_statement_notes_that_it_was_reached():
    source = "def f(a):\n    if a:\n        return 1\n    elif not a:\n        return 2\n"
    names = {}
    exec(instrument(source, "one.py"), names)
    names["_reached"].clear()
    assert names["f"](0) == 2
    assert names["_reached"] == {"one.py:2", "one.py:4", "one.py:5"}
