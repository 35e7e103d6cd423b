"""Memory in kernels: fields are filled, records copied, small fields made tuples, scratch space made on the stack.

numba would compile a function for each shape of field that is filled, so each call of `s.area.fill(NONE)` is replaced
by a loop. Records are copied byte by byte: assigning a record takes twice as long, because it copies field by field;
assigning a slice of length one is as fast, but takes a second to compile, because it includes code for an error
message.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin, type_callable
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr, signature
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

ALIGNMENT = 64  # bytes: the compiler may move any field of a record on the stack by its widest instructions
FILL = "zamek.fill"
_ONCE: Any = types.literal(1)


# --- fields are filled ---


@infer_getattr
class Filling(AttributeTemplate):
    """Tells numba of the method `fill` of a field."""

    key = types.NestedArray

    @bound_function(FILL)
    def resolve_fill(self, field: types.NestedArray, values: Sequence[types.Type], named: dict[str, types.Type]) -> Any:
        """Return the types of a call, one value for all entries; None where it is called otherwise."""
        return signature(types.none, field.dtype) if len(values) == 1 and not named else None


@lower_builtin(FILL, types.NestedArray, types.Any)
def _fill(context, builder, signature, values):
    field, _ = signature.args
    start = context.make_array(field)(context, builder, value=values[0]).data
    if field.nitems > 0:
        with cgutils.for_range(builder, context.get_constant(types.intp, field.nitems)) as loop:
            context.pack_value(builder, field.dtype, values[1], builder.gep(start, [loop.index]))
    return context.get_dummy_value()


# --- scratch space ---


def new_scratch(like: npt.NDArray[Any], times: int = 1) -> npt.NDArray[Any]:
    """Return an array of shape `(times * like.size,)` and the dtype of `like`, a field of a record; `times` a constant.

    Its contents are arbitrary. It must not outlive the kernel that makes it.
    """
    return np.empty(times * like.size, like.dtype)


@type_callable(new_scratch)
def _type_scratch(_):
    def find_type(like, times=_ONCE):
        is_known = isinstance(like, types.NestedArray) and isinstance(times, types.IntegerLiteral)
        return types.Array(like.dtype, 1, "C") if is_known else None

    return find_type


@lower_builtin(new_scratch, types.NestedArray)
@lower_builtin(new_scratch, types.NestedArray, types.IntegerLiteral)
def _make_scratch(context, builder, signature, _):
    like, times = (*signature.args, _ONCE)[:2]
    count = prod(like.shape) * times.literal_value
    entry = context.get_data_type(signature.return_type.dtype)
    made = context.make_array(signature.return_type)(context, builder)
    where = cgutils.alloca_once(builder, entry, size=context.get_constant(types.intp, count))
    strides = [context.get_constant(types.intp, context.get_abi_sizeof(entry))]
    shape = [context.get_constant(types.intp, count)]
    populate_array(made, data=where, shape=shape, strides=strides, itemsize=strides[0], meminfo=None)
    return made._getvalue()


# --- records are copied, and fields into tuples ---


def copy_record(source: npt.NDArray[np.record], number: int, target: npt.NDArray[np.record], index: int) -> None:
    """Copy `source[number]` to `target[index]`, both arrays of the same records."""
    target[index : index + 1] = source[number : number + 1]


@overload(copy_record)
def _copy_record(source, number, target, index):
    return lambda source, number, target, index: _move_record(source, number, target, index)


def copy_aside(record: np.record) -> np.record:
    """Return a copy of a record; compiled, it lies on the stack and must not outlive the kernel that makes it."""
    return record.copy()


@type_callable(copy_aside)
def _type_copy(_):
    return lambda record: record if isinstance(record, types.Record) else None


@lower_builtin(copy_aside, types.Record)
def _copy_aside(context, builder, signature, values):
    room = cgutils.alloca_once(builder, values[0].type.pointee)
    room.align = ALIGNMENT
    cgutils.raw_memmove(builder, room, values[0], context.get_constant(types.intp, 1), signature.args[0].size)
    return room


@intrinsic
def _move_record(_, source, number, target, index):
    if source.dtype != target.dtype:
        return None  # no such call

    def generate(context, builder, signature, values):
        def find(array, place):
            kind = signature.args[array]
            made = context.make_array(kind)(context, builder, value=values[array])
            where = context.cast(builder, values[place], signature.args[place], types.intp)
            check = context.enable_boundscheck
            return cgutils.get_item_pointer(context, builder, kind, made, [where], boundscheck=check)

        one = context.get_constant(types.intp, 1)
        cgutils.raw_memmove(builder, find(2, 3), find(0, 1), one, source.dtype.size)
        return context.get_dummy_value()

    return types.none(source, number, target, index), generate


def as_tuple(numbers: npt.NDArray[np.integer]) -> tuple[int, ...]:
    """Return a field of a record, one to five whole numbers, as a tuple of ints."""
    return tuple(numbers.tolist())


@overload(as_tuple)
def _as_tuple(numbers):
    return _TUPLES[numbers.shape[0] - 1]


_TUPLES = (
    lambda numbers: (int(numbers[0]),),
    lambda numbers: (int(numbers[0]), int(numbers[1])),
    lambda numbers: (int(numbers[0]), int(numbers[1]), int(numbers[2])),
    lambda numbers: (int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3])),
    lambda numbers: (int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3]), int(numbers[4])),
)
