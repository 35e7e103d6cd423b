"""Single small changes of the kernels and readers of the core, each of which a test should notice.

What is changed: comparisons, `+` and `-`, `|` and `&`, numbers by one, `and` and `or`, `not`, `min` and `max`, bounds
of ranges, conditions, and statements, which are dropped. Only what stands in functions is changed, and nothing in those
that name the fields of a record or that compile to machine instructions.
"""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path("zamek_env")
FOLDERS = ("components", "layout", "core")  # of it
UNCHANGED = ("__init__.py", "jit.py")
_COMPARISONS = {
    b"<": (b"<=", b">="),
    b"<=": (b"<", b">"),
    b">": (b">=", b"<="),
    b">=": (b">", b"<"),
    b"==": (b"!=",),
    b"!=": (b"==",),
}
_OPERATORS = {b"+": b"-", b"-": b"+", b"|": b"&", b"&": b"|", b"+=": b"-=", b"-=": b"+="}
_OPERATOR = re.compile(rb"[-+|&]=?")
_COMPARISON = re.compile(rb"[<>=!]=|[<>]")
_JUNCTION = re.compile(rb"\b(?:and|or)\b")
_NOT = re.compile(rb"not\s*")


@dataclass(frozen=True)
class Mutant:
    """One change: the bytes from `start` to `end` of a file of the core are replaced by `text`."""

    file: str
    function: str
    is_kernel: bool
    line: int  # the first of the statement
    start: int
    end: int
    text: bytes

    def apply(self, source):
        """Return `source`, the bytes of the file, with the change made."""
        return source[: self.start] + self.text + source[self.end :]


def find_functions(tree):
    """Yield the functions of a module and of its classes, without those in which nothing can be changed."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from find_functions(node)
        if isinstance(node, ast.FunctionDef) and not _is_left_out(node):
            yield node


def _is_left_out(function):
    made_by = {ast.unparse(decorator).partition("(")[0] for decorator in function.decorator_list}
    return function.name.endswith("_dtype") or bool(made_by & {"intrinsic", "overload"})


def find_statements(function):
    """Yield all statements of a function but its docstring, those in its blocks too."""
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function and not _is_text(node):
            yield node


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def list_files(root):
    """Return the names of all files to change in the tree at `root`, such as "core/rules.py"."""
    found = sorted(path for folder in FOLDERS for path in (root / SOURCES / folder).glob("*.py"))
    return [path.relative_to(root / SOURCES).as_posix() for path in found if path.name not in UNCHANGED]


def find_mutants(root, file):
    """Return all `Mutant`s of a file of the tree at `root`, in the order of its lines."""
    source = (root / SOURCES / file).read_bytes()
    found = []
    for function in find_functions(ast.parse(source)):
        found += _Changes(source, file, function).find()
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.text))


class _Changes:
    """Finds the changes of one function."""

    def __init__(self, source, file, function):
        self.source, self.file, self.function = source, file, function
        self.is_kernel = any(ast.unparse(decorator) == "kernel" for decorator in function.decorator_list)
        self.line_starts = [0, *(match.end() for match in re.finditer(b"\n", source))]
        names = (node.id for node in ast.walk(function) if isinstance(node, ast.Name) and type(node.ctx) is ast.Store)
        self.stored = Counter(names)
        self.found = []

    def find(self):
        for statement in find_statements(self.function):
            self.statement = statement
            self._drop(statement)
            self._decide(statement)
            for expression in _find_expressions(statement):
                self._change(expression)
        return self.found

    # --- places in the source ---

    def _start(self, node):
        return self.line_starts[node.lineno - 1] + node.col_offset

    def _end(self, node):
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def _note(self, start, end, text):
        line = self.statement.lineno
        self.found.append(Mutant(self.file, self.function.name, self.is_kernel, line, start, end, text))

    def _note_between(self, left, right, pattern, replacements):
        """Note the changes of the operator that stands between two operands."""
        start = self._end(left)
        operator = pattern.search(self.source, start, self._start(right))
        for text in replacements(operator[0]) if operator else ():
            self._note(operator.start(), operator.end(), text)

    # --- changes of statements ---

    def _drop(self, node):
        """Drop what changes something, or leaves a block; not the only binding of a name, which would be missed."""
        if isinstance(node, ast.Assign):
            due = not all(isinstance(target, ast.Name) and self.stored[target.id] == 1 for target in node.targets)
        else:
            due = isinstance(node, ast.AugAssign | ast.Continue | ast.Break) or (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            )
        if due or (isinstance(node, ast.Return) and node.value is None):
            self._note(self._start(node), self._end(node), b"pass")
        if isinstance(node, ast.AugAssign):
            self._note_between(node.target, node.value, _OPERATOR, lambda text: filter(None, [_OPERATORS.get(text)]))

    def _decide(self, node):
        """Make the condition of a statement or of an expression constant; a loop would not end if it held always."""
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            for text in (b"False",) if isinstance(node, ast.While) else (b"True", b"False"):
                self._note(self._start(node.test), self._end(node.test), text)

    # --- changes of expressions ---

    def _change(self, node):
        self._decide(node)
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                self._note_between(left, right, _COMPARISON, lambda text: _COMPARISONS.get(text, ()))
        elif isinstance(node, ast.BinOp):
            self._note_between(node.left, node.right, _OPERATOR, lambda text: filter(None, [_OPERATORS.get(text)]))
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                self._note_between(left, right, _JUNCTION, lambda text: (b"or" if text == b"and" else b"and",))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start = self._start(node)
            self._note(start, _NOT.match(self.source, start).end(), b"")
        elif isinstance(node, ast.Constant):
            self._change_constant(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            self._change_call(node)

    def _change_constant(self, node):
        if isinstance(node.value, bool):
            values = (not node.value,)
        elif isinstance(node.value, int | float):
            values = (node.value + 1, node.value - 1)
        else:
            return
        for value in values:
            self._note(self._start(node), self._end(node), repr(value).encode())

    def _change_call(self, node):
        if node.func.id in ("min", "max"):
            other = b"max" if node.func.id == "min" else b"min"
            self._note(self._start(node.func), self._end(node.func), other)
        if node.func.id == "range":
            for bound in node.args[:2]:
                if not isinstance(bound, ast.Constant):  # which is changed as a number
                    self._note(self._end(bound), self._end(bound), b" + 1")
                    self._note(self._end(bound), self._end(bound), b" - 1")


def _find_expressions(statement):
    """Yield the expressions of a statement, without those of the statements in it, annotations and texts."""
    for name, value in ast.iter_fields(statement):
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.expr) and name not in ("annotation", "returns", "decorator_list"):
                yield from _walk(node)


def _asks_whether_there_is_any(node):
    """Return whether a node is `….size > 0`: an array of a state is empty or has many entries, never one."""
    return isinstance(node, ast.Compare) and ast.unparse(node).endswith((".size > 0", ".size == 0"))


def _walk(node):
    if isinstance(node, ast.JoinedStr):
        return
    yield node
    if _asks_whether_there_is_any(node):  # the same with 1 for 0
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)
