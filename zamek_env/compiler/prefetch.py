"""Prefetches memory into the CPU's cache before it is needed.

Thousands of games do not fit into the cache. While some are played, the next ones can be loaded. Without compilation
nothing happens here.
"""

from collections.abc import Iterable
from typing import Any

import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

LINE = 64  # bytes that are fetched at once
MAX_BYTES = 8192  # of a record; much of a larger one is not needed in a step, and would evict what is:
MAX_FIELD = 600  # of those only fields of at most this many bytes are fetched; of larger ones a game uses little
READ, WRITE, FIRST_LEVEL, SECOND_LEVEL, DATA = 0, 1, 3, 2, 1  # what LLVM calls it


def fetch(records: npt.NDArray[Any], number: int) -> None:
    """Prefetch `records[number]` for reading; of a large record its smaller fields."""


def fetch_entry(array: npt.NDArray[Any], index: int) -> None:
    """Prefetch an entry of an array for writing; `index` counts entries in the order of memory."""


@overload(fetch)
def _fetch(records, number):
    return lambda records, number: _fetch_record(records, number)


@overload(fetch_entry)
def _fetch_entry(array, index):
    return lambda array, index: _fetch_one(array, index)


@intrinsic
def _fetch_record(_, records, number):
    record = records.dtype

    def generate(context, builder, signature, values):
        start = _find_address(context, builder, signature, values, record.size)
        for offset in list_lines(record):
            _fetch_line(builder, start, offset, READ, SECOND_LEVEL)  # the first level is too small for another game
        return context.get_dummy_value()

    return types.none(records, number), generate


@intrinsic
def _fetch_one(_, array, index):
    size = array.dtype.bitwidth // 8

    def generate(context, builder, signature, values):
        _fetch_line(builder, _find_address(context, builder, signature, values, size), 0, WRITE, FIRST_LEVEL)
        return context.get_dummy_value()

    return types.none(array, index), generate


def list_lines(record: types.Record) -> Iterable[int]:
    """Return the byte offsets in a record of the cache lines to fetch."""
    if record.size <= MAX_BYTES:
        return range(0, record.size, LINE)
    found: dict[int, None] = {}
    for field in record.fields.values():
        size = _find_size(field.type)
        if size <= MAX_FIELD:
            found |= dict.fromkeys(range(field.offset // LINE * LINE, field.offset + size, LINE))
    return sorted(found)


def _find_size(field):
    """Return the size of a field of a record in bytes."""
    if isinstance(field, types.NestedArray):
        return field.nitems * field.size  # of an item
    return field.bitwidth // 8


def _find_address(context, builder, signature, values, size):
    """Return the address of an entry of an array, whose entries have `size` bytes."""
    number = context.cast(builder, values[1], signature.args[1], types.intp)
    array = context.make_array(signature.args[0])(context, builder, value=values[0])
    first = builder.mul(number, ir.Constant(number.type, size))
    return builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [first])


def _fetch_line(builder, start, offset, use, level):
    """Prefetch the cache line `offset` bytes after `start`."""
    codes = [ir.Constant(ir.IntType(32), code) for code in (use, level, DATA)]
    kind = ir.FunctionType(ir.VoidType(), [start.type, *(code.type for code in codes)])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [start.type], kind)
    builder.call(prefetch, [builder.gep(start, [ir.Constant(ir.IntType(64), offset)]), *codes])
