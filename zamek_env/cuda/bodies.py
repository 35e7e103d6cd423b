"""Bodies: kernels as LLVM's code that any machine can run for one game at a time, given the addresses of the arrays.

A linked kernel (`compiler/linking.py`) has numba's calling convention, with the metadata of each array. A body is
called with addresses alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.np.arrayobj import populate_array

from zamek_env.compiler.jit import compile_linked
from zamek_env.compiler.linking import link_kernels
from zamek_env.compiler.machine import define_answer

BODY = "_body"  # at the end of their names
LONG = ir.IntType(64)
ALIGNED = 64  # bytes, of which the addresses of records are multiples


@dataclass(frozen=True)
class Own:
    """An argument of which each lane has its own on its stack: an array of `count` records with arbitrary contents."""

    dtype: np.dtype[Any]
    count: int = 1


def link_bodies(kernels: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> str:
    """Return LLVM's code of kernels and all that they call; `kernels` is {name: (kernel, arguments)}.

    Arguments are examples of what the kernel is called with: arrays, named tuples of arrays, `Own`; numbers and None
    become constants. The kernel takes one more argument, the last: the number of the lane, that is of the game.

    The body `NAME_body` has as arguments, all of 64 bits, the number of the lane, how many lanes there are, and the
    addresses of all arrays in the order of the arguments. An array of one entry, or of none, stays of that size; any
    other has an entry a lane. Kernels must allocate nothing (`compiler/memory.py`).
    """
    module: Any = None
    linked = []
    for name, (kernel, arguments) in kernels.items():
        kinds = (*map(_find_type, arguments), types.int64)
        compiled, context = compile_linked(kernel, kinds)
        if module is None:
            module = context.codegen()._create_empty_module("bodies")
            _define_counting(module)
            define_answer(module, is_on_gpu=True)
        _write_body(module, context, compiled, f"{name}{BODY}", arguments)
        linked.append(compiled.library)
    whole = llvm.parse_assembly(str(module))
    link_kernels(whole, linked)
    return str(whole)


def list_arrays(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the arrays among arguments, also those in tuples, in the order in which bodies have their addresses."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from list_arrays(argument)
        elif _is_array(argument):
            yield argument


def _is_array(argument):
    return hasattr(argument, "shape")


def _find_type(argument):
    """Return the type that numba gives an argument; of numbers the widest, as where kernels call each other."""
    if isinstance(argument, Own):
        return typeof(np.zeros(argument.count, argument.dtype))
    return types.int64 if type(argument) is int else typeof(argument)


def _define_counting(module):
    """Define the functions that count references to arrays: they do nothing, since nothing is allocated."""
    for name in ("NRT_incref", "NRT_decref"):
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()]), name)
        ir.IRBuilder(function.append_basic_block()).ret_void()


def _write_body(module, context, compiled, name, arguments):
    """Write the body of one kernel into a module."""
    kinds = compiled.fndesc.argtypes
    addresses = [LONG for _ in list_arrays(arguments)]
    body = ir.Function(module, ir.FunctionType(ir.VoidType(), [LONG, LONG, *addresses]), name)
    builder = ir.IRBuilder(body.append_basic_block())
    lane, lanes, *given = body.args
    left = iter(given)

    def make(kind, argument):
        if isinstance(argument, Own):
            room = builder.alloca(context.get_data_type(kind.dtype), argument.count)
            room.align = ALIGNED
            return make_array(kind, builder.ptrtoint(room, LONG), argument.count)
        if isinstance(argument, tuple):
            return context.make_tuple(builder, kind, [make(*item) for item in zip(kind, argument, strict=True)])
        if _is_array(argument):
            return make_array(kind, next(left), len(argument) if len(argument) <= 1 else lanes)
        return context.get_dummy_value() if argument is None else context.get_constant(kind, argument)

    def make_array(kind, address, size):
        array = context.make_array(kind)(context, builder)
        width = LONG(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        data = builder.inttoptr(address, array.data.type)
        shape = [LONG(size) if isinstance(size, int) else size]
        populate_array(array, data=data, shape=shape, strides=[width], itemsize=width, meminfo=None)
        return array._getvalue()

    values = [*(make(*item) for item in zip(kinds[:-1], arguments, strict=True)), lane]
    function = context.declare_function(module, compiled.fndesc)
    context.call_conv.call_function(builder, function, compiled.fndesc.restype, kinds, values)
    builder.ret_void()
