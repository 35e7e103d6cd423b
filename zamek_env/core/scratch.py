"""Scratch space of kernels: arrays on the stack, which cost nothing to make and are gone when the kernel returns."""

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array


def new_scratch(like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of shape `(like.size,)` and the dtype of `like`, a field of a record. Anything stands in it.

    It must not outlive the kernel that makes it.
    """
    return np.empty(like.size, like.dtype)


@type_callable(new_scratch)
def _type_scratch(_):
    return lambda like: types.Array(like.dtype, 1, "C") if isinstance(like, types.NestedArray) else None


@lower_builtin(new_scratch, types.NestedArray)
def _make_scratch(context, builder, signature, _):
    size, entry = prod(signature.args[0].shape), context.get_data_type(signature.return_type.dtype)
    made = context.make_array(signature.return_type)(context, builder)
    where = cgutils.alloca_once(builder, entry, size=context.get_constant(types.intp, size))
    strides = [context.get_constant(types.intp, context.get_abi_sizeof(entry))]
    shape = [context.get_constant(types.intp, size)]
    populate_array(made, data=where, shape=shape, strides=strides, itemsize=strides[0], meminfo=None)
    return made._getvalue()
