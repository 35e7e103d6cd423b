"""Scratch space of kernels: arrays on the stack, which cost nothing to make and are gone when the kernel returns."""

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array

_ONCE: Any = types.literal(1)


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
