"""Lets kernels fill fields of records: `s.area.fill(NONE)`.

numba would compile a function for each shape of field. Here each call is replaced by a loop.
"""

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr, signature

FILL = "zamek.fill"


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
