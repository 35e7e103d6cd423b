"""The decorator of all compiled functions, and a guard against stale compiled code.

numba notices an edit of the file that defines a kernel, but not of files that it calls into or takes constants from. So
compiled code is kept together with a fingerprint of *all* sources that the file of the kernel imports, directly or
through others, in any folder or package. Where the fingerprint differs, the kernel is recompiled.

numba names a compiled function after the types of its arguments, but records only by a number, which differs between
processes. So code for the records of two rulesets, compiled by two processes and loaded by a third, can have the same
name, and one ruleset would be played by the code of the other. Here records are therefore named by their contents.
"""

import hashlib
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from inspect import getfile
from pathlib import Path
from typing import Any, TypeVar

from numba import config, njit, types, version_info
from numba.core.base import BaseContext
from numba.core.compiler import CompileResult
from numba.np import linalg

import zamek_env.compiler.memory  # noqa: F401 - registers itself
from zamek_env.compiler.code_cache import KernelCache
from zamek_env.compiler.linking import EntryCompiler, LinkedCompiler, LinkedFiles

Function = TypeVar("Function", bound=Callable[..., Any])
LINKS_KERNELS = version_info.short == (0, 68)  # linking relies on numba's internals, which change
_OURS = __name__.partition(".")[0]
_IMPORT = re.compile(r"^(?:from\s+(\S+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]*))", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


def _load_numba_without_linear_algebra():
    """Let numba load what it knows of arrays without `scipy.linalg`, which takes a fifth of a second.

    It imports that only to find out whether it is installed. Where linear algebra is compiled, it is imported later.
    """
    find_out = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = find_out


if not config.DISABLE_JIT:
    _load_numba_without_linear_algebra()


def _name_record(record):
    """Return (identifier, parameters), by which numba names a record in the mangled names of functions."""
    return type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


def _name_field(field):
    """Return the same for a field of a record, including its shape, which numba leaves out: code may depend on it."""
    return type(field).__name__, (field.dtype, *field.shape)


types.Record.mangling_args = property(_name_record)
types.NestedArray.mangling_args = property(_name_field)
for _kind in (types.Record, types.NestedArray):  # numba spells types out in every pass, records by all their fields
    _kind.__repr__ = cache(_kind.__repr__)


def _find_linked(linked):
    """Return how numba finds the code of a linked kernel, which `linked()` returns, for the types of the arguments.

    Integers are widened to int64, and constants count as plain numbers. Otherwise it would be compiled for every
    type of number that is passed to it, although all versions become the same when optimised together with the caller.
    Indices (`bits.as_index`) keep their type, because unsigned ones make the code faster.
    """

    def get_call_template(args, kws):
        return linked().get_call_template(tuple(map(_widen, args)), {name: _widen(kind) for name, kind in kws.items()})

    return get_call_template


def _widen(kind):
    plain = types.unliteral(kind)
    is_small = isinstance(plain, types.Integer) and plain.bitwidth < types.int64.bitwidth
    return types.int64 if is_small and plain != types.uint32 else plain


def kernel(function: Function) -> Function:
    """Compile `function` on first call and keep the result on disk; it runs without the GIL.

    Other kernels link it (`linking.py`), with versions of numba that are known to allow it.
    """
    return _compile_lazily(function)


def inlined_kernel(function: Function) -> Function:
    """Compile `function` as `kernel` does, always within its callers, for small kernels that are passed arrays.

    A call passes seven numbers for each array, which takes longer than such kernels themselves.
    """
    return _compile_lazily(function, forceinline=True)


def _compile_lazily(function, **more):
    # No kernel divides by 0. None is called from C, and compiling the entry point for that takes a tenth longer.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **more}
    entry: Any = njit(**options, **({"pipeline_class": EntryCompiler} if LINKS_KERNELS else {}))(function)
    if entry is function:  # where NUMBA_DISABLE_JIT is set
        return function
    is_in_module = hasattr(sys.modules.get(function.__module__), "__file__")  # not in an interactive session
    if is_in_module and Path(getfile(function)).is_file():  # nor made by `exec`
        sources = fingerprint(function.__module__)
        entry._cache = KernelCache(function, sources)  # what `cache=True` would set, with the files checked
    else:
        sources = None

    @cache
    def find_linked():
        linked: Any = njit(**options, no_cpython_wrapper=True, pipeline_class=LinkedCompiler)(function)
        if sources is not None:
            linked._cache = KernelCache(function, sources, LinkedFiles)
        return linked

    if LINKS_KERNELS:  # for other kernels
        entry.get_call_template = _find_linked(find_linked)
        entry.get_overload = lambda signature: find_linked().get_overload(signature)
        entry.find_linked = find_linked
    return entry


def compile_linked(function: Any, kinds: tuple[types.Type, ...]) -> tuple[CompileResult, BaseContext]:
    """Return a kernel, to be linked, for arguments of these types, and numba's context in which it can be called.

    Raises `NotImplementedError` where kernels are not linked, as with versions of numba for which that was not made.
    """
    if not hasattr(function, "find_linked"):
        raise NotImplementedError("games on a GPU need numba 0.68, and NUMBA_DISABLE_JIT not set")
    linked = function.find_linked()
    linked.get_call_template(kinds, {})
    return linked.overloads[kinds], linked.targetctx


@cache
def fingerprint(name: str) -> str:
    """Return a digest of the sources of the imported module of that name and of all modules of its own kind it imports.

    Modules of its own kind are those in the same package or folder, and those whose source mentions this package: the
    kernels, and the constants that kernels use, of any package that builds on this one.
    """
    used, waiting = {}, [name]
    while waiting:
        module = waiting.pop()
        if module not in used:
            used[module], imported = _read_module(module)
            waiting.extend(imported)
    digest = hashlib.sha256()
    for module in sorted(used):
        digest.update(used[module])
    return digest.hexdigest()


@cache
def _read_module(name):
    """Return the digest of the source of an imported module, and the names of those of its own kind it imports."""
    module = sys.modules[name]
    path = Path(module.__file__)
    source = path.read_bytes()
    imported = {found for found in _list_imports(module, source.decode("utf-8")) if _is_of_kind(found, name, path)}
    return hashlib.sha256(source).digest(), sorted(imported)


def _list_imports(module, source):
    """Yield the names of all modules in import statements at the beginning of lines."""
    for origin, names, modules in _IMPORT.findall(source):
        if modules:
            yield from _NAME.findall(modules)
            continue
        package = resolve_name(origin, module.__package__ or None) if origin.startswith(".") else origin
        yield package
        yield from (f"{package}.{name}" for name in _NAME.findall(names))


def _is_of_kind(name, importing, path):
    """Return whether the module `name` is one whose source counts for the module `importing` at `path`."""
    found = getattr(sys.modules.get(name), "__file__", None)
    if found is None or not found.endswith(".py"):
        return False
    if name.partition(".")[0] in (_OURS, importing.partition(".")[0]) or Path(found).parent == path.parent:
        return True
    return name.partition(".")[0] not in sys.stdlib_module_names and _OURS.encode() in Path(found).read_bytes()
