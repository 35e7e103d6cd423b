"""Makes sizes of record fields constants of the compiler, which then drops code for what a ruleset does not have.

A kernel asks for the size of a field (`if s.hand.size > 0`), which the type of the record says. numba finds that out
only when it has compiled both branches, with all that they call. Here the sizes are put into the code before types are
inferred, and numba drops the branches that are never taken.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import find_const, get_definition, guard
from numba.core.types.containers import NamedTuple


@register_pass(mutates_CFG=False, analysis_only=False)
class ConstantSizes(FunctionPass):
    """Replaces `.size` and `.shape[number]` of fields of records by their values."""

    _name = "zamek_constant_sizes"

    def __init__(self) -> None:
        super().__init__()  # numba declares it abstract

    def run_pass(self, state: Any) -> bool:
        """Rewrite the code of a function; return whether anything was replaced."""
        found = [
            (statement, size)
            for block in state.func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if (size := _find_size(state, statement.value)) is not None
        ]
        for statement, size in found:
            definitions = state.func_ir._definitions[statement.target.name]
            place = definitions.index(statement.value)
            definitions[place] = statement.value = ir.Const(size, statement.loc)
        return bool(found)


def _find_size(state, value):
    """Return the value of an expression, given the types of the arguments; None if it is no size or unknown."""
    if _is_expression(value, "getattr") and value.attr == "size":
        field = _find_type(state, value.value)
        return field.nitems if isinstance(field, types.NestedArray) else None
    if _is_expression(value, "getitem"):
        shape, number = guard(get_definition, state.func_ir, value.value), guard(find_const, state.func_ir, value.index)
        if _is_expression(shape, "getattr") and shape.attr == "shape" and isinstance(number, int):
            field = _find_type(state, shape.value)
            return field.shape[number] if isinstance(field, types.NestedArray) else None
    return None


def _find_type(state, variable):
    """Return the type of an argument, or of a record or field that is reached from there; None for anything else."""
    value = guard(get_definition, state.func_ir, variable)
    if isinstance(value, ir.Arg):
        return state.args[value.index]
    if _is_expression(value, "getattr"):
        holder = _find_type(state, value.value)
        if isinstance(holder, types.Record) and value.attr in holder.fields:
            return holder.typeof(value.attr)
        if isinstance(holder, NamedTuple) and value.attr in holder.fields:
            return holder.types[holder.fields.index(value.attr)]
    if _is_expression(value, "getitem"):
        holder = _find_type(state, value.value)
        if isinstance(holder, types.Array) and isinstance(holder.dtype, types.Record) and holder.ndim == 1:
            is_number = isinstance(guard(find_const, state.func_ir, value.index), int)
            return holder.dtype if is_number or isinstance(_find_type(state, value.index), types.Integer) else None
    return None


def _is_expression(value, operation):
    return isinstance(value, ir.Expr) and value.op == operation
