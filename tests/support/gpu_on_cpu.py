"""Runs code for GPUs here: the same code of LLVM, compiled for this processor, one lane after the other."""

import re
from ctypes import CFUNCTYPE, c_int64
from functools import cache

import llvmlite.binding as llvm
import torch

from zamek_env.cuda.bodies import BODY
from zamek_env.cuda.ptx import find_machine, finish, parse
from zamek_env.cuda.vector import ZamekCudaVectorEnv


def compile_here(code):
    """Return a function that finds, by a name and a count of 64-bit arguments, what to call in LLVM's `code`."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(code), machine)
    engine.finalize_object()

    def find(name, count):
        function = CFUNCTYPE(None, *[c_int64] * count)(engine.get_function_address(name))
        function.engine = engine  # it ends with the last function
        return function

    return find


_compile_once = cache(compile_here)


class HostProgram:
    """Stands for a `CudaProgram`."""

    def __init__(self, linked, kernels, device):
        assert device.type == "cpu"
        self._code = self.prepare(linked, kernels)

    def prepare(self, linked, kernels):
        """Return the code that is compiled here."""
        return linked

    def run(self, kernel, lanes, tensors):
        """Run a kernel in so many lanes."""
        addresses = [tensor.data_ptr() for tensor in tensors]
        body = _compile_once(self._code)(f"{kernel}{BODY}", 2 + len(addresses))
        for lane in range(lanes):
            body(lane, lanes, *addresses)


class FinishedProgram(HostProgram):
    """Runs what PTX is made of: the bodies as they are optimised for a GPU."""

    def prepare(self, linked, kernels):
        """Return the code, but for what it says of the machine it is for."""
        machine = find_machine(90)
        finished = finish(parse(linked, machine), [f"{kernel}{BODY}" for kernel in kernels], machine)
        return re.sub("^target .*$", "", str(finished), flags=re.MULTILINE)


class HostVectorEnv(ZamekCudaVectorEnv):
    """A `ZamekCudaVectorEnv` whose tensors lie in the memory of this processor."""

    def _check_device(self, device):
        return torch.device("cpu")

    def _find_loader(self):
        return HostProgram


class FinishedVectorEnv(HostVectorEnv):
    """The same, by the code of which PTX is made."""

    def _find_loader(self):
        return FinishedProgram
