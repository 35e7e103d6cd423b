"""The code of games on a GPU: kernels linked, made into PTX, kept, loaded and started."""

import ctypes
import hashlib
import importlib
import pickle
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import llvmlite.binding as llvm
import numpy as np
import pytest
import torch

from tests.support.gpu_on_cpu import compile_here
from tests.support.rulesets import IS_COMPILED
from zamek_env.base.episode import EVERY_SEAT
from zamek_env.compiler.jit import LINKS_KERNELS
from zamek_env.core.batch import GREEDY, OUTSIDE
from zamek_env.cuda.games import KERNELS, Settings
from zamek_env.cuda.lanes import ANY_SEAT
from zamek_env.cuda.ptx import MEMOPS, MOST_KEPT, REGISTERS, define_memops, find_ptx, make_ptx
from zamek_env.layout.observation import PARTS, PLANE_PARTS
from zamek_env.ruleset import get_ruleset

pytestmark = pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="kernels are not linked")


class Driver:
    """Stands for the driver of a GPU: notes what it is asked for, and can fail."""

    CUresult = SimpleNamespace(CUDA_SUCCESS="fine", CUDA_ERROR_OUT_OF_MEMORY="full")

    def __init__(self):
        self.calls, self.fails = [], {}

    def __getattr__(self, name):
        def answer(*given):
            if name == "cuLaunchKernel":  # what the parameters point to is there for the call alone
                places = np.ctypeslib.as_array((ctypes.c_uint64 * 3).from_address(given[9]))
                given = (*given[:9], [ctypes.c_int64.from_address(int(place)).value for place in places])
            self.calls.append((name, *given))
            return self.fails.get(name, "fine"), f"{name} of {given[-1] if given else None}"

        return answer


@pytest.fixture
def driver(monkeypatch):
    """Let PTX be run by a `Driver`."""
    driver = Driver()
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(bindings=SimpleNamespace(driver=driver)))
    monkeypatch.setitem(sys.modules, "cuda.bindings", SimpleNamespace(driver=driver))
    monkeypatch.delitem(sys.modules, "zamek_env.cuda.program", raising=False)
    stream = SimpleNamespace(cuda_stream=77, synchronize=lambda: None)
    monkeypatch.setattr("torch.cuda.current_stream", lambda: stream)
    monkeypatch.setattr("torch.cuda.device", lambda device: nullcontext())
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda device: (8, 6))
    monkeypatch.setattr("zamek_env.cuda.ptx.find_ptx", lambda linked, kernels, capability: f"PTX {capability}")
    yield driver
    sys.modules.pop("zamek_env.cuda.program", None)


def test_kernels_are_loaded_once_and_started_with_the_addresses_of_tensors(driver):
    program = importlib.import_module("zamek_env.cuda.program")
    made = program.CudaProgram("code", ["step", "draw"], torch.device("cuda", 0))
    assert [name for name, *_ in driver.calls] == ["cuModuleLoadData", *["cuModuleGetFunction"] * 2, "cuCtxGetCurrent"]
    assert driver.calls[0][1] == b"PTX 86\0" and driver.calls[2][2] == b"draw"
    driver.calls.clear()
    tensors = torch.zeros(3), torch.zeros(5)
    for running in (made, pickle.loads(pickle.dumps(made))):
        running.run("draw", 129, tensors)
        context, launch = driver.calls
        assert context[0] == "cuCtxSetCurrent" and context[1].startswith("cuCtxGetCurrent")
        assert launch[:2] == ("cuLaunchKernel", "cuModuleGetFunction of b'draw'")
        assert launch[2:10] == (2, 1, 1, 128, 1, 1, 0, 77)
        assert launch[10] == [129, *(tensor.data_ptr() for tensor in tensors)]
        driver.calls.clear()


@pytest.mark.parametrize(
    ("fails", "error", "message"),
    [
        ("cuModuleLoadData", SimpleNamespace(name="CUDA_ERROR_NO"), "says CUDA_ERROR_NO, asked for PTX for 8.6"),
        ("cuLaunchKernel", "full", r"no memory is left on the GPU for draw: play fewer games, or torch.cuda.empty"),
    ],
)
def test_what_the_driver_refuses_is_told(driver, fails, error, message):
    driver.fails[fails] = error
    with pytest.raises(RuntimeError, match=message):
        program = importlib.import_module("zamek_env.cuda.program")
        program.CudaProgram("code", ["draw"], torch.device("cuda", 0)).run("draw", 1, [torch.zeros(1)] * 2)


def test_another_process_links_the_same_code():
    """So it finds the PTX that was kept."""
    link = "Settings(get_ruleset('zamek'), 2, -1, 0, False, False).link()"
    code = f"""
import hashlib
from zamek_env.cuda.games import Settings
from zamek_env.ruleset import get_ruleset
print(hashlib.sha256({link}.encode()).hexdigest())
"""
    linked = hashlib.sha256(eval(link).encode()).hexdigest()
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.strip()
        == linked
    )


def list_called(linked):
    """Return the functions that are called and are not there; those of LLVM itself are everywhere."""
    called = {function.name for function in llvm.parse_assembly(linked).functions if function.is_declaration}
    return {name for name in called if not name.startswith("llvm.")}


@pytest.mark.parametrize("opponent", [OUTSIDE, GREEDY])
def test_kernels_call_nothing_that_is_not_there(opponent):
    """On a GPU there is nothing else: nothing that allocates memory, and nothing of Python."""
    settings = Settings(get_ruleset("zamek"), opponent, ANY_SEAT, 0, same_step=True, flat=True, parts=PLANE_PARTS)
    assert list_called(settings.link()) == set()


def test_ptx_is_whole():
    """Nothing is to be linked with it."""
    linked = Settings(get_ruleset("zamek"), OUTSIDE, EVERY_SEAT, 0, same_step=False, flat=False, parts=PARTS).link()
    assert list_called(linked) == set()
    ptx = make_ptx(linked, KERNELS, 90)
    assert ptx.count(".visible .entry") == ptx.count(f".maxnreg {REGISTERS}\n") == len(KERNELS)
    assert ".extern" not in ptx


def keep_in(monkeypatch, *folders):
    """Let PTX be kept in the first of the `folders`, and read from all."""
    monkeypatch.setattr("zamek_env.cuda.lanes.step_lane", SimpleNamespace(_cache=SimpleNamespace(folders=folders)))


def test_ptx_is_kept_whole_or_made_anew(monkeypatch, tmp_path):
    made = []

    def make_ptx(linked, kernels, capability):
        made.append(capability)
        return f"PTX of {linked} for {capability} — {len(made)}"

    monkeypatch.setattr("zamek_env.cuda.ptx.make_ptx", make_ptx)
    keep_in(monkeypatch, tmp_path / "new")
    first = find_ptx("code", ["step"], 90)
    assert find_ptx("code", ["step"], 90) == first and made == [90]
    for arguments in (("other", ["step"], 90), ("code", ["draw"], 90), ("code", ["step"], 80)):
        assert find_ptx(*arguments) != first
    assert len(made) == 4
    for path in (tmp_path / "new").iterdir():
        contents = path.read_bytes()
        path.write_bytes(contents[:-1])
    assert find_ptx("code", ["step"], 90) != first and len(made) == 5
    for number in range(2 * MOST_KEPT):
        find_ptx(f"code {number}", ["step"], 90)
    assert len(list((tmp_path / "new").iterdir())) == MOST_KEPT
    kept = find_ptx("code", ["step"], 90)
    keep_in(monkeypatch, tmp_path / "other", tmp_path / "new")  # as where `new` is read-only
    assert find_ptx("code", ["step"], 90) == kept and not (tmp_path / "other").exists()


def test_where_ptx_cannot_be_kept_it_is_made(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr("zamek_env.cuda.ptx.make_ptx", lambda *given: "PTX")
    keep_in(monkeypatch, tmp_path / "file")
    assert find_ptx("code", ["step"], 90) == "PTX"


@pytest.mark.parametrize(("capability", "target"), [(70, "sm_70"), (72, "sm_70"), (103, "sm_100"), (130, "sm_120")])
def test_ptx_is_made_for_the_gpu_or_an_older_one(capability, target):
    assert f".target {target}\n" in make_ptx(
        "define void @rest_body(i64 %a, i64 %b) { ret void }", ["rest"], capability
    )


@pytest.mark.parametrize("name", MEMOPS)
def test_blocks_of_memory_are_moved_whole(name):
    """From and to any address, and nothing around them."""
    move = compile_here(define_memops())(f"memop_{name}", 4)
    rng = np.random.default_rng(0)
    for _ in range(300):
        memory, source = rng.integers(0, 256, (2, 160), np.uint8)
        start, origin, count = (int(number) for number in rng.integers(0, [40, 40, 100]))
        expected, byte = memory.copy(), int(rng.integers(256))
        expected[start : start + count] = source[origin : origin + count] if MEMOPS[name] else byte
        move(memory.ctypes.data + start, source.ctypes.data + origin if MEMOPS[name] else byte, count, 0)
        assert np.array_equal(memory, expected)
        if MEMOPS[name]:  # within one block, where it may overlap
            expected[start : start + count] = memory[origin : origin + count].copy()
            move(memory.ctypes.data + start, memory.ctypes.data + origin, count, 0)
            assert np.array_equal(memory, expected)
