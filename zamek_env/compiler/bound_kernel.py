"""Faster calls of kernels from Python, where the types of arguments, or the arguments, stay the same."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import config, typeof, types
from numba.core import cgutils
from numba.core.datamodel import PrimitiveModel
from numba.extending import NativeValue, intrinsic, overload, register_model, typeof_impl, unbox

Function = TypeVar("Function", bound=Callable[..., Any])
ROOM = 2048  # bytes for what numba knows of bound arguments: at most 88 of an array of up to three dimensions


class BoundKernel(Generic[Function]):
    """A kernel whose arguments have the same types in every call.

    numba looks at the types of all arguments at each call, to choose the code for them. That takes a fifth of a
    microsecond for an array of records, and two for a named tuple of arrays. Here the first call chooses, and `call`
    trusts all later ones: arrays of another dtype or layout would be misread, and read-only ones written to. So pass
    only arrays that you made yourself or have checked. Arguments are positional.

    A copy or an unpickled object chooses again.
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


class BoundArguments(int):
    """Several `values`, arrays and tuples of them, which a kernel takes as one argument and opens by `unbind`.

    In every call numba asks each array where its memory is and how long, which takes a fifteenth of a microsecond. Here
    it asks once, and the number is the address of the answers. So the arrays must keep their memory and shape.

    `bind` is a kernel that calls `write_answers`, bound to values of these types. Each module of kernels has its own:
    numba imports all types that a kernel was ever compiled for, so a common one would import the other game's.
    """

    values: tuple[Any, ...]
    _answers: npt.NDArray[np.uint8]

    def __new__(cls, bind: BoundKernel[Callable[..., int]], *values: Any) -> Self:
        answers = np.empty(ROOM, np.uint8)
        bound = super().__new__(cls, 0 if config.DISABLE_JIT else bind.call(answers, values))
        bound.values, bound._answers = values, answers  # which live as long
        return bound


def unbind(bound: BoundArguments) -> tuple[Any, ...]:
    """Return the values of an argument of a kernel."""
    return bound.values


class _BoundType(types.Type):
    """The numba type of `BoundArguments`: that of the tuple of their `values`."""

    def __init__(self, values: types.BaseTuple) -> None:
        self.values = values
        super().__init__(f"BoundArguments({values})")

    @property
    def mangling_args(self) -> tuple[str, tuple[types.BaseTuple]]:
        return type(self).__name__, (self.values,)


@register_model(_BoundType)
class _BoundModel(PrimitiveModel):
    """An address."""

    def __init__(self, manager: Any, kind: _BoundType) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@typeof_impl.register(BoundArguments)
def _find_type(bound, _):
    return _BoundType(typeof(bound.values))


@unbox(_BoundType)
def _unbox(_, bound, code):
    return NativeValue(code.pyapi.long_as_voidptr(bound))


@overload(unbind)
def _unbind(bound):
    return lambda bound: _load(bound)


@intrinsic
def _load(_, bound):
    def generate(context, builder, signature, values):
        return builder.load(builder.bitcast(values[0], context.get_value_type(bound.values).as_pointer()))

    return bound.values(bound), generate


@intrinsic
def write_answers(_: Any, answers: Any, values: Any) -> Any:
    """Write what numba knows of `values` to `answers`, an array of `ROOM` bytes, and return its address."""

    def generate(context, builder, signature, given):
        kind = context.get_value_type(values)
        assert context.get_abi_sizeof(kind) <= ROOM, values
        address = context.make_array(answers)(context, builder, given[0]).data
        builder.store(_disown(context, builder, values, given[1]), builder.bitcast(address, kind.as_pointer()))
        return builder.ptrtoint(address, context.get_value_type(types.intp))

    return types.intp(answers, values), generate


def _disown(context, builder, kind, value):
    """Return a value, or a tuple of them, without reference counting."""
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind, cgutils.unpack_tuple(builder, value, len(kind)), strict=True)
        return context.make_tuple(builder, kind, [_disown(context, builder, *part) for part in parts])
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    return value
