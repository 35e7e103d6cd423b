"""From bodies (`bodies.py`) to PTX, the assembly language of NVIDIA's GPUs, which their driver compiles.

numba gives LLVM code that does not depend on the target yet, from which LLVM makes PTX as well. So a GPU plays by the
same sources. Nothing here needs a GPU.
"""

from collections.abc import Collection
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from zamek_env.cuda.bodies import BODY, LONG
from zamek_env.cuda.memops import call_memops, define_memops

TARGET = "nvptx64-nvidia-cuda"
MAKER = f"LLVM {'.'.join(map(str, llvm.llvm_version_info))}"
CAPABILITIES = (70, 75, 80, 86, 89, 90, 100, 120)  # of GPUs, times ten, for which there is PTX of its own

REGISTERS = 128  # of a thread at most, so that enough threads fit a multiprocessor to wait for memory meanwhile

_WORD = ir.IntType(32)


def make_ptx(linked: str, kernels: Collection[str], capability: int) -> str:
    """Return PTX in which each of `kernels` runs its body, of those `linked`, in one thread a lane.

    `capability` is that of the GPU, times ten: 90 for 9.0, and 70 at least. A kernel has the arguments of its body
    except the number of the lane. It is run in blocks of one dimension, by as many threads as there are lanes, or more.
    """
    machine = find_machine(capability)
    module = parse(linked, machine)
    entries = ir.Module()
    for name in kernels:
        _write_entry(entries, name, len(list(module.get_function(f"{name}{BODY}").arguments)))
    module.link_in(parse(str(entries), machine))
    return str(machine.emit_assembly(finish(module, kernels, machine)))


def find_machine(capability: int) -> llvm.TargetMachine:
    """Return LLVM's target machine: GPUs of that capability, or else of the next lower one that it knows."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    known = max(known for known in CAPABILITIES if known <= capability)
    return llvm.Target.from_triple(TARGET).create_target_machine(cpu=f"sm_{known}", opt=3)


def parse(code: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """Return LLVM's code as a module for that machine."""
    module = llvm.parse_assembly(code)
    module.triple, module.data_layout = TARGET, str(machine.target_data)
    return module


def finish(module: llvm.ModuleRef, kept: Collection[str], machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """Return the optimised module, with `memops.py` in place of LLVM's own functions; only functions of `kept` stay."""
    _optimise(module, kept, machine)
    finished = parse(call_memops(str(module)), machine)
    finished.link_in(parse(define_memops(), machine))
    _keep_only(finished, kept)
    return finished


def _write_entry(module, name, count):
    """Write the kernel `name`, whose body has `count` arguments: find the number of the lane, and call the body."""
    body = ir.Function(module, ir.FunctionType(ir.VoidType(), [LONG] * count), f"{name}{BODY}")
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), [LONG] * (count - 1)), name)
    entry.calling_convention = "ptx_kernel"
    builder = ir.IRBuilder(entry.append_basic_block())

    def read(register):
        kind = ir.FunctionType(_WORD, ())
        return builder.call(module.declare_intrinsic(f"llvm.nvvm.read.ptx.sreg.{register}", (), kind), ())

    lane = builder.zext(builder.add(builder.mul(read("ctaid.x"), read("ntid.x")), read("tid.x")), LONG)
    with builder.if_then(builder.icmp_unsigned("<", lane, entry.args[0])):
        builder.call(body, [lane, *entry.args])
    builder.ret_void()
    limit = module.add_metadata([entry, ir.MetaDataString(module, "maxnreg"), _WORD(REGISTERS)])
    module.add_named_metadata("nvvm.annotations", limit)


def _optimise(module, kept, machine):
    """Optimise as for the CPU, but without vectorised loops, which GPUs do not have."""
    _keep_only(module, kept)
    tuning: Any = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)


def _keep_only(module, kept):
    """Let LLVM drop functions outside `kept` once they are inlined."""
    for defined in (*module.functions, *module.global_variables):
        if not defined.is_declaration and defined.name not in kept:
            defined.linkage = "internal"
