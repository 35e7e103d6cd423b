"""Everything public has type hints: functions, methods, properties and class attributes. Kernels have none."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("zamek_env", "agents", "scripts")
BLOCKS = (ast.If, ast.Try, ast.With)  # in which functions and classes may stand
KERNELS = ("kernel", "inlined_kernel")  # decorators

LACKING = """
def bare(first, *rest, last=1): ...
def half(first: int, second): ...
def whole(first: int, *rest: int, last: int = 1, **others: int) -> None: ...
def _private(first): ...
@kernel
def compiled(t, s): ...
if True:
    def hidden(): ...
class Shown:
    size = 3
    room: int = 3
    __slots__ = ()
    def __init__(self): ...
    def _private(self, first): ...
    @property
    def width(self): ...
    @staticmethod
    def make(first) -> None: ...
class Derived(Shown):
    size = 4
class _Private:
    def bare(self, first): ...
"""


def is_public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def is_marked(function, *decorators):
    return any(ast.unparse(found) in decorators for found in function.decorator_list)


def find_lacking(function, in_class):
    """Return the names of the parameters without type, and `return` where it lacks that of what it returns."""
    given = function.args
    ordered = given.posonlyargs + given.args
    if in_class and not is_marked(function, "staticmethod"):
        ordered = ordered[1:]
    others = [other for other in (given.vararg, given.kwarg) if other]
    lacking = [one.arg for one in (*ordered, *given.kwonlyargs, *others) if one.annotation is None]
    return lacking if function.returns else [*lacking, "return"]


def list_lacking(block, owner=""):
    """Yield what public functions and classes in a block of code lack, a text each."""
    for node in block.body:
        if isinstance(node, BLOCKS):
            yield from list_lacking(node, owner)
        elif isinstance(node, ast.ClassDef) and is_public(node.name):
            yield from list_lacking(node, f"{owner}{node.name}.")
            for found in node.body if not node.bases else ():  # one that has bases may take the type from there
                for target in found.targets if isinstance(found, ast.Assign) else ():
                    if not ast.unparse(target).startswith("_"):
                        yield f"{owner}{node.name}.{ast.unparse(target)}"
        elif isinstance(node, ast.FunctionDef) and is_public(node.name) and not is_marked(node, *KERNELS):
            lacking = find_lacking(node, in_class=bool(owner))
            if lacking:
                yield f"{owner}{node.name}: {', '.join(lacking)}"


def test_what_lacks_a_type_is_found():
    assert list(list_lacking(ast.parse(LACKING))) == [
        "bare: first, last, rest, return",
        "half: second, return",
        "hidden: return",
        "Shown.__init__: return",
        "Shown.width: return",
        "Shown.make: first",
        "Shown.size",
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_everything_public_has_type_hints(folder):
    paths = sorted((ROOT / folder).rglob("*.py"))
    found = {path: list(list_lacking(ast.parse(path.read_text(encoding="utf-8")))) for path in paths}
    assert paths
    assert not [f"{path}: {text}" for path, texts in found.items() for text in texts]
