"""The target of kernels: a CPU or a GPU, which are slowed down by different things."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

NAME = "zamek_runs_on_gpu"  # of the function that answers; code for a GPU defines its own (`cuda/bodies.py`)


def runs_on_gpu() -> bool:
    """Return whether the calling code runs on a GPU. The compiler knows, and drops the code for the other machine.

    A CPU mispredicts branches, and vectorises loops without any. So it is faster without branches, even if it writes
    more. A GPU waits for its memory, and should write little.
    """
    return False


@overload(runs_on_gpu)
def _runs_on_gpu():
    return lambda: _ask()


@intrinsic
def _ask(_):
    def generate(context, builder, signature, values):
        return builder.call(define_answer(builder.module, False), ())

    return types.boolean(), generate


def define_answer(module: ir.Module, is_on_gpu: bool) -> ir.Function:
    """Return the function of a module that answers. In linked modules, the one that answers yes replaces all others."""
    if NAME in module.globals:
        return module.globals[NAME]
    answer = ir.IntType(1)
    function = ir.Function(module, ir.FunctionType(answer, ()), NAME)
    function.linkage = "external" if is_on_gpu else "linkonce_odr"
    ir.IRBuilder(function.append_basic_block()).ret(answer(is_on_gpu))
    return function
