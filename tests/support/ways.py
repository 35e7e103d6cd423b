"""Runs the core tests with the kernels as plain Python, and with every index checked.

    python -m tests.support.ways [compiled] [plain] [checked]       by default plain and checked

Compiled kernels that read or write beyond an array go on silently; these runs notice it. numba does not look at its
settings when it finds compiled code, so the checked kernels are kept in a folder of their own.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = (  # all that runs the kernels and is quick enough without compilation
    "tests/rules",
    "tests/test_actions.py",
    "tests/test_consistency.py",
    "tests/test_core.py",
    "tests/test_drawn.py",
    "tests/test_game.py",
    "tests/test_golden.py",
    "tests/test_invariants.py",
    "tests/test_lockstep.py",
    "tests/test_observation.py",
    "tests/test_perft.py",
    "tests/test_repeatable.py",
    "tests/test_ways.py",
)
WAYS = {
    "compiled": {},
    "plain": {"NUMBA_DISABLE_JIT": "1"},
    "checked": {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(ROOT / "build" / "checked kernels")},
}


def run_core_tests(names):
    """Run the core tests in each of the named `WAYS`, side by side, and print what they print.

    Returns the names of those in which a test failed.
    """
    with ThreadPoolExecutor() as pool:
        return [name for name, passed in zip(names, pool.map(_run, names), strict=True) if not passed]


def _run(name):
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *CORE]
    environment = os.environ | WAYS[name]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    print(f"--- core tests, kernels {name} ---", done.stdout + done.stderr, sep="\n", flush=True)
    return done.returncode == 0


def main():
    """Run the core tests in the ways named; exit with 1 where a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ways", nargs="*", metavar="way", help=f"one of {', '.join(WAYS)}; by default the last two")
    names = parser.parse_args().ways or ["plain", "checked"]
    if not set(names) <= set(WAYS):
        parser.error(f"a way must be one of {', '.join(WAYS)}")
    sys.exit(bool(run_core_tests(names)))


if __name__ == "__main__":
    main()
