"""Kernels that Python calls again and again with arguments of the same types."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


class BoundKernel(Generic[Function]):
    """A kernel whose arguments have the same types in every call.

    numba looks at the types of all arguments at each call, to choose the code for them. That takes a fifth of a
    microsecond for an array of records, and two for a named tuple of arrays. Here the first call chooses, and `call`
    trusts all later ones: arrays of another dtype or layout would be misread, and read-only ones written to. So pass
    only arrays that you made yourself or have checked. Arguments are positional.

    A copy or an unpickled object chooses anew.
    """

    call: Function

    def __init__(self, kernel: Function) -> None:
        self._kernel = kernel
        self.call = cast(Function, self._choose)

    def __reduce__(self) -> tuple[Callable[[str, str], "BoundKernel[Any]"], tuple[str, str]]:
        return _restore, (self._kernel.__module__, self._kernel.__name__)

    def _choose(self, *arguments):
        kernel: Any = self._kernel
        result = kernel(*arguments)
        if hasattr(kernel, "overloads"):  # not where NUMBA_DISABLE_JIT is set
            compiled = kernel.overloads[tuple(map(kernel.typeof_pyval, arguments))]
            self.call = compiled.entry_point
        else:
            self.call = kernel
        return result


def _restore(module: str, name: str) -> BoundKernel[Any]:
    return BoundKernel(getattr(import_module(module), name))
