"""Copying a record byte by byte, and a field of it into a tuple.

Assigning the record takes twice as long, because it copies field by field. Assigning a slice of length one is as fast,
but takes a second to compile, because it includes code for an error message.
"""

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin, type_callable
from numba.extending import intrinsic, overload

ALIGNMENT = 64  # bytes: the compiler may move any field of a record on the stack by its widest instructions


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
