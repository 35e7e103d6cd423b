"""Fetching records into the processor's cache before they are needed.

Thousands of games do not fit into the cache. While one is played, the next one can be on its way.
"""

from typing import Any

import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

LINE = 64  # bytes that come at once
MAX_BYTES = 8192  # of larger records most is not needed in a step, and would drive out what is
READ, SECOND_LEVEL, DATA = 0, 2, 1  # what LLVM calls it; the first level of the cache is too small for another game


def fetch(records: npt.NDArray[Any], number: int) -> None:
    """Fetch `records[number]`, a record of at most `MAX_BYTES`. Nothing else happens; not compiled nothing at all."""


@overload(fetch)
def _fetch(records, number):
    return lambda records, number: _fetch_lines(records, number)


@intrinsic
def _fetch_lines(_, records, number):
    size = records.dtype.size

    def generate(context, builder, signature, values):
        if size <= MAX_BYTES:
            byte = ir.IntType(8).as_pointer()
            signed = context.cast(builder, values[1], signature.args[1], types.intp)
            array = context.make_array(signature.args[0])(context, builder, value=values[0])
            first = builder.mul(signed, ir.Constant(signed.type, size))
            start = builder.gep(builder.bitcast(array.data, byte), [first])
            codes = [ir.Constant(ir.IntType(32), code) for code in (READ, SECOND_LEVEL, DATA)]
            kind = ir.FunctionType(ir.VoidType(), [byte, *(code.type for code in codes)])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
            for offset in range(0, size, LINE):
                builder.call(prefetch, [builder.gep(start, [ir.Constant(signed.type, offset)]), *codes])
        return context.get_dummy_value()

    return types.none(records, number), generate
