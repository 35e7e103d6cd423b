"""Loads kernels on a GPU once, and launches them with tensors as arrays."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from cuda.bindings import driver

from zamek_env.cuda.ptx import find_ptx

BLOCK = 128  # threads


class CudaProgram:
    """The `kernels` whose bodies are `linked` (`bodies.py`), on one GPU."""

    def __init__(self, linked: str, kernels: Collection[str], device: torch.device) -> None:
        self._linked, self._kernels, self._device = linked, tuple(kernels), device
        self._context, self._functions = _load(linked, self._kernels, device)

    def __reduce__(self) -> tuple[type["CudaProgram"], tuple[Any, ...]]:
        return CudaProgram, (self._linked, self._kernels, self._device)

    def run(self, kernel: str, lanes: int, tensors: Sequence[torch.Tensor]) -> None:
        """Launch a kernel in `lanes` lanes on the current stream, with the memory of `tensors`; returns while it runs.

        The tensors stand for the arrays of `link_bodies`, in their order.
        """
        arguments = np.array([lanes, *(tensor.data_ptr() for tensor in tensors)], np.int64)
        places = arguments.ctypes.data + arguments.itemsize * np.arange(arguments.size, dtype=np.uint64)
        with torch.cuda.device(self._device):
            stream = torch.cuda.current_stream().cuda_stream
            blocks = (-(-lanes // BLOCK), 1, 1, BLOCK, 1, 1)
            _ask(driver.cuCtxSetCurrent(self._context), kernel)  # a thread that has not used the GPU yet has none
            launched = driver.cuLaunchKernel(self._functions[kernel], *blocks, 0, stream, places.ctypes.data, 0)
            _ask(launched, kernel)


@cache
def _load(linked, kernels, device):
    """Return the driver's context, and its functions by the names of `kernels`, loaded till the process ends."""
    major, minor = torch.cuda.get_device_capability(device)
    ptx = find_ptx(linked, kernels, 10 * major + minor)
    with torch.cuda.device(device):
        torch.cuda.current_stream().synchronize()  # the driver knows the GPU of this thread from here on
        module = _ask(driver.cuModuleLoadData(ptx.encode() + b"\0"), f"PTX for {major}.{minor}")
        functions = {name: _ask(driver.cuModuleGetFunction(module, name.encode()), name) for name in kernels}
        return _ask(driver.cuCtxGetCurrent(), "the context"), functions


def _ask(answer, purpose):
    """Return the driver's answer to a call for that `purpose`. Raises `RuntimeError` where it reports an error."""
    error, *values = answer
    if error == driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY:
        raise RuntimeError(f"no memory is left on the GPU for {purpose}: play fewer games, or torch.cuda.empty_cache()")
    if error != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the driver of the GPU says {error.name}, asked for {purpose}")
    return values[0] if values else None
