"""Runs the tests in several ways: compiled, as plain Python, and with every index checked; and looks at the sources.

    python -m tools.run_tests [compiled] [plain] [checked] [quick] [lint]       by default the first three

The first is shown as it goes. The others run beside it with as many workers, stepping back, and are shown when all are
done. So every core has something to do while tests wait for processes, and to the end. `lint` runs no tests: it checks
style and type hints.

Compiled kernels that read or write beyond an array go on silently; the other ways notice it. numba does not look at its
settings when it finds compiled code, so the checked kernels are kept in a folder of their own. What is compiled is
compiled first, by processes that end with it: to compile takes much memory, and two that need the same kernel would
both compile it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.support.rulesets import CHECKED, COMPILED, CORE, IS_PROOF, SHORTEST
from zamek_env.make_game import FAMILIES
from zamek_scripts.shared_args import count_cores
from zamek_scripts.warmup import CARD_PARTS, PARTS, Args, compile_all

ROOT = Path(__file__).parents[1]
MOST_WORKERS = 4
BESIDE = "5"  # how far what runs beside the first way steps back: it fills the pauses of that, which takes longer
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # kept, since tests start many processes, each of which would make it anew
XLA = {"JAX_DISABLE_MOST_OPTIMIZATIONS": "1", "XLA_FLAGS": "--xla_cpu_use_fusion_emitters=false"}  # compiles quickly
PROVEN = (  # in all ways, in the proof
    *CORE,
    "tests/engine/test_castle_cards_engine.py",
    "tests/engine/test_repeatable.py",
)
ALL = (("tests", "--ignore=tests/libraries"), ("tests/libraries",))  # one after the other
QUICK = (
    "tests/rules",
    "tests/engine/test_core.py",
    "tests/engine/test_drawn.py",
    "tests/engine/test_golden.py",
    "tests/project/test_layering.py",
)
LINT = (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",))  # modules with their arguments
WITHIN = (
    "tests/project/test_run_tests.py",
    "tests/engine/test_within_arrays.py",
    "tests/engine/test_lockstep.py",
    "tests/engine/test_castle_cards_engine.py",
)


@dataclass(frozen=True)
class Way:
    """A way to run tests."""

    environment: dict[str, str]
    tests: tuple[str, ...]  # files and folders; none for all there are, those with large libraries apart
    compiled: tuple[tuple[str, str], ...] = ()  # (ruleset name, part) as `zamek warmup` names it


WAYS = {
    "compiled": Way(
        {} if IS_PROOF else {"ZAMEK_TESTS": "warm"} | XLA,
        (),
        (
            *product(dict.fromkeys((*COMPILED, SHORTEST)), ["games"]),
            *product(COMPILED, ["environments"]),
            *product(COMPILED[:1], [part for part in PARTS if part not in ("games", "environments")]),
            *product(FAMILIES, CARD_PARTS),
        ),
    ),
    "plain": Way(
        {"NUMBA_DISABLE_JIT": "1"} | ({} if IS_PROOF else {"ZAMEK_TESTS": "rest"}), PROVEN if IS_PROOF else ()
    ),
    "checked": Way(
        {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(ROOT / "build" / "checked kernels")},
        PROVEN if IS_PROOF else WITHIN,
        tuple(product((*CHECKED, *FAMILIES), ("games",))),
    ),
    "quick": Way({"NUMBA_DISABLE_JIT": "1"}, QUICK),
}
KNOWN = (*WAYS, "lint")
USUAL = ("compiled", "plain", "checked")


def run_tests(names, workers):
    """Run the tests in each of the ways `names`, the first beside the others. Returns whether all passed."""
    first, *others = names
    if not others:
        return _run(first, workers)
    command = ["nice", "-n", BESIDE, sys.executable, "-m", "tools.run_tests", *others]
    command += ["--workers", str(workers)]
    with (
        tempfile.TemporaryFile() as output,
        _ended(subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)) as rest,
    ):
        passed = _run(first, workers)
        passed &= rest.wait() == 0
        output.seek(0)
        print(output.read().decode(errors="replace"), end="", flush=True)
    return passed


@contextmanager
def _ended(process):
    """End the process with the block, however that ends."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _run(name, workers):
    print(f"--- {name} ---", flush=True)
    started = time.monotonic()
    passed = _run_all(LINT) if name == "lint" else _test(WAYS[name], workers)
    print(f"--- {name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s ---", flush=True)
    return passed


def _test(way, workers):
    several = ("--numprocesses", str(workers), "--dist", "loadfile")  # by file: its tests share kernels and fixtures
    pytest = ("pytest", "--quiet", "-p", "no:cacheprovider", *(several if workers > 1 else ()))
    with set_variables(BYTECODE | way.environment):
        if way.compiled:
            compile_all(way.compiled, Args(workers=workers))
        return _run_all((*pytest, *tests) for tests in ((way.tests,) if way.tests else ALL))


def _run_all(modules):
    """Run modules with their arguments, each of them, also after one that failed. Returns whether none did."""
    failed = [module for module in modules if subprocess.run([sys.executable, "-m", *module], cwd=ROOT).returncode]
    return not failed


@contextmanager
def set_variables(variables):
    """Set environment variables for the processes that the block starts."""
    before = {**os.environ}
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def main():
    """Run the tests in the ways named; exit with 1 where a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "ways", nargs="*", metavar="way", help=f"one of {', '.join(KNOWN)}; by default {', '.join(USUAL)}"
    )
    parser.add_argument("--workers", type=int, default=min(count_cores(), MOST_WORKERS), help="processes that test")
    arguments = parser.parse_args()
    names = arguments.ways or [*USUAL]
    if not set(names) <= set(KNOWN):
        parser.error(f"a way must be one of {', '.join(KNOWN)}")
    sys.exit(not run_tests(names, arguments.workers))


if __name__ == "__main__":
    main()
