"""From bodies (`bodies.py`) to PTX, the assembly language of NVIDIA's GPUs, which their driver compiles.

numba gives LLVM code that does not depend on the target yet, from which LLVM makes PTX as well. So a GPU plays by the
same sources. Making PTX takes five seconds, so it is kept on disk, in the folders where the kernels are kept. Nothing
here needs a GPU.
"""

import hashlib
import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from zamek_env.compiler.code_cache import read_sealed, write_sealed
from zamek_env.compiler.jit import fingerprint
from zamek_env.cuda import lanes
from zamek_env.cuda.bodies import BODY, LONG

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
    """Return the optimised module, with `MEMOPS` of our own in place of LLVM's; only functions of `kept` stay.

    It is optimised as for the CPU, but without vectorised loops, which GPUs do not have.
    """
    _keep_only(module, kept)
    tuning: Any = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
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


def _keep_only(module, kept):
    """Let LLVM drop functions outside `kept` once they are inlined."""
    for defined in (*module.functions, *module.global_variables):
        if not defined.is_declaration and defined.name not in kept:
            defined.linkage = "internal"


# --- blocks of memory ---

# They are set and copied 16 bytes at once where aligned, else 4, else 1: LLVM goes byte by byte where it does not know
# the alignment.
MEMOPS = {"memset": False, "memcpy": True, "memmove": True}  # what LLVM calls them, and whether they read memory
UNITS = (16, 4)  # bytes

_BYTE = ir.IntType(8)
_POINTER = _BYTE.as_pointer()
_CALL = re.compile(r"@llvm\.(memset|memcpy|memmove)\.(?:p0\.)+i64")
_DECLARATION = re.compile(r"^declare void @memop_\w+\(.*\n", re.MULTILINE)


def call_memops(code: str) -> str:
    """Return LLVM's code with calls of the functions of `define_memops` in place of LLVM's own."""
    declared = [f"declare void @memop_{name}(ptr, {'ptr' if MEMOPS[name] else 'i8'}, i64, i1)\n" for name in MEMOPS]
    return _DECLARATION.sub("", _CALL.sub(r"@memop_\1", code)) + "".join(declared)


def define_memops() -> str:
    """Return LLVM's code of functions that set or copy blocks of memory."""
    module = ir.Module()
    for name, copies in MEMOPS.items():
        _define_memop(module, f"memop_{name}", copies)
    return str(module)


def _define_memop(module, name, copies):
    """Define one: (target, source or a byte, count, an ignored bit)."""
    arguments = [_POINTER, _POINTER if copies else _BYTE, LONG, ir.IntType(1)]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), arguments), name)
    function.attributes.add("noinline")
    target, source, count, _ = function.args
    start, head, end = (function.append_basic_block(block) for block in ("start", "head", "end"))
    builder = ir.IRBuilder(start)
    addresses = [builder.ptrtoint(pointer, LONG) for pointer in (target, source)[: 1 + copies]]
    is_backward: Any = ir.IntType(1)(0)
    if copies:  # from the end on, where what is still to be read would be overwritten
        is_backward = builder.icmp_unsigned("<", builder.sub(*addresses), count)
    builder.branch(head)
    builder.position_at_end(head)
    done = builder.phi(LONG)
    done.add_incoming(LONG(0), start)
    left = builder.sub(count, done)
    builder.cbranch(builder.icmp_unsigned("==", left, LONG(0)), end, function.append_basic_block())
    for unit in (*UNITS, 1):
        builder.position_at_end(function.blocks[-1])
        at = builder.select(is_backward, builder.sub(left, LONG(unit)), done)
        places = [builder.add(address, at) for address in addresses]
        if unit > 1:
            fits = builder.icmp_unsigned(">=", left, LONG(unit))
            for place in places:
                low = builder.and_(place, LONG(unit - 1))
                fits = builder.and_(fits, builder.icmp_unsigned("==", low, LONG(0)))
            move, after = function.append_basic_block(), function.append_basic_block()
            builder.cbranch(fits, move, after)
            builder.position_at_end(move)
        done.add_incoming(_move_block(builder, places, None if copies else source, unit, done), builder.block)
        builder.branch(head)
    builder.position_at_end(end)
    builder.ret_void()


def _move_block(builder, places, byte, unit, done):
    """Move `unit` bytes, and return how many are moved then."""
    kind = _BYTE if unit == 1 else ir.VectorType(_WORD, unit // 4)
    target, *source = [builder.inttoptr(place, kind.as_pointer()) for place in places]
    if source:
        value = builder.load(source[0])
    elif unit == 1:
        value = byte
    else:
        word = builder.mul(builder.zext(byte, _WORD), _WORD(0x01010101))
        value = kind(ir.Undefined)
        for number in range(unit // 4):
            value = builder.insert_element(value, word, _WORD(number))
    builder.store(value, target).align = unit
    return builder.add(done, LONG(unit))


# --- PTX on disk ---

# A file is named after all inputs of the PTX, and sealed as compiled code is (`compiler/code_cache.py`): a truncated
# one counts as missing. Only the newest few are kept.
MOST_KEPT = 16  # files
ENDING = ".zamek-ptx"


def find_ptx(linked: str, kernels: Collection[str], capability: int) -> str:
    """Return the result of `make_ptx`, from the cache or made now."""
    kept: Any = lanes.step_lane
    sources = fingerprint(__name__)
    parts = (linked, *kernels, str(capability), sources, MAKER)
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest() + ENDING
    paths = [Path(folder, name) for folder in kept._cache.folders]
    for path in paths:
        found = read_sealed(path, sources)
        if found is not None:
            with suppress(OSError):  # what is used counts as new; it may be somebody else's
                os.utime(path)
            return found.decode()
    made = make_ptx(linked, kernels, capability)
    with suppress(OSError):  # optional: if the disk is full, it is made again next time
        write_sealed(paths[0], made.encode(), sources)
        kept_files = paths[0].parent.glob(f"*{ENDING}")
        for old in sorted(kept_files, key=lambda path: path.stat().st_mtime_ns, reverse=True)[MOST_KEPT:]:
            old.unlink(missing_ok=True)
    return made
