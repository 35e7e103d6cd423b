"""On what kernels run: the processor, or a GPU, which is slowed down by other things."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

NAME = "zamek_runs_on_gpu"  # of the function that answers; code for a GPU brings another one (`cuda/bodies.py`)


def runs_on_gpu() -> bool:
    """Return whether a GPU runs what asks. The compiler knows, and leaves out what is meant for the other.

    A processor predicts branches, and does the same to many numbers at once. So it is faster without branches, even
    where more is written. A GPU waits for its memory, and should write little.
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
    """Return the function of a module that answers. Where one that says yes is linked with others, it counts."""
    if NAME in module.globals:
        return module.globals[NAME]
    answer = ir.IntType(1)
    function = ir.Function(module, ir.FunctionType(answer, ()), NAME)
    function.linkage = "external" if is_on_gpu else "linkonce_odr"
    ir.IRBuilder(function.append_basic_block()).ret(answer(is_on_gpu))
    return function
