"""Measures how good the tests of the core are: makes one small change after another and sees whether a test fails.

    python -m tests.support.mutation [--mutants 100] [--seed 0] [--only FILE …] [--seconds 60] [--measured FILE]

All is done in a copy of the tree, with the kernels as plain Python. First the tests run once, unchanged, and it is
measured which statements each reaches and how long it takes. Then each mutant runs the tests that reach it, the
quickest first, for as many seconds as allowed. One that does not end counts as killed. The stored games come last and
are told apart: they notice a change, but do not say which rule it breaks.
"""

import argparse
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from tests.support import reached
from tests.support.mutants import SOURCES, find_mutants, list_files

ROOT = Path(__file__).parents[2]
TESTS = (  # all that runs the core, without what takes longest as plain Python
    "tests/rules",
    "tests/test_actions.py",
    "tests/test_consistency.py",
    "tests/test_consistency_table.py",
    "tests/test_core.py",
    "tests/test_drawn.py",
    "tests/test_explain.py",
    "tests/test_golden.py",
    "tests/test_greedy.py",
    "tests/test_invariants.py",
    "tests/test_kernels.py",
    "tests/test_lockstep.py",
    "tests/test_observation.py",
    "tests/test_open_table.py",
    "tests/test_own_box.py",
    "tests/test_locations.py",
    "tests/test_transcription.py",
)
SKIPPED = ("tests/test_kernels.py::test_the_greedy_player_beats_a_random_one",)  # plays for minutes
STORED_GAMES = "tests/test_golden.py"
LEFT_OUT = (".git", ".venv", "build", "dist", "runs", "__pycache__", ".hypothesis", ".pytest_cache", "*.egg-info")
PLACES = ("", "agents", "scripts")  # folders in which packages lie
SLOWEST = 3  # times as long as measured; then a mutant is taken not to end
START = 60  # seconds that the start of the tests may take
NOBODY, NOT_REACHED, NO_END = "nobody", "not reached", "no end"

_FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\n]*?)(?: - |$)", re.MULTILINE)


class Copy:
    """A copy of the tree in a folder, in which mutants are made and tested; only one at a time."""

    def __init__(self, folder):
        self.root = Path(folder) / "copy"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self.environment = os.environ | {
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # two mutants of one second must not be mixed up
            "PYTHONPATH": os.pathsep.join(str(self.root / place) for place in PLACES),
        }

    def run(self, arguments, seconds=None):
        """Run Python with `arguments` in the copy."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=seconds,
        )

    def run_tests(self, tests, seconds=None, options=()):
        """Run tests until one fails; return (whether all passed, the test that failed, what was printed).

        Raises `subprocess.TimeoutExpired`.
        """
        names = self.root / "tests.txt"
        names.write_text("\n".join(tests), encoding="utf-8")
        done = self.run(["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *options, f"@{names}"], seconds)
        failed = _FAILED.search(done.stdout)
        return done.returncode == 0, failed[1] if failed else "the start", done.stdout + done.stderr

    def check(self):
        """Raise `RuntimeError` unless the tests in the copy import the copy, and fail where it is broken."""
        done = self.run(["-c", "import zamek_env, zamek_agents; print(zamek_env.__file__, zamek_agents.__file__)"])
        if done.stdout.count(f"{self.root}{os.sep}") != 2:
            raise RuntimeError(f"what is tested is not the copy: {done.stdout}{done.stderr}")
        rules = self.root / SOURCES / "core" / "rules.py"
        source = rules.read_bytes()
        rules.write_bytes(source.replace(b"def is_terminal(s):", b"def is_terminal(s):\n    raise RuntimeError"))
        passed, *_ = self.run_tests(["tests/rules/test_end.py"])
        rules.write_bytes(source)
        if passed:
            raise RuntimeError("a kernel that raises an error fails no test")

    def measure(self):
        """Run all tests once; return {test: [seconds, statements reached]}. Raises `RuntimeError` if one fails."""
        sources = {name: (self.root / SOURCES / name).read_bytes() for name in list_files(self.root)}
        for name, source in sources.items():
            (self.root / SOURCES / name).write_text(reached.instrument(source, name), encoding="utf-8")
        options = ["-p", "tests.support.reached", *(f"--deselect={test}" for test in SKIPPED)]
        passed, failed, printed = self.run_tests(TESTS, options=options)
        for name, source in sources.items():
            (self.root / SOURCES / name).write_bytes(source)
        if not passed:
            raise RuntimeError(f"without any change {failed} fails:\n{printed}")
        return json.loads((self.root / reached.RESULT).read_text(encoding="utf-8"))

    def try_mutant(self, mutant, measured, limit):
        """Return which test kills `mutant`, or `NOBODY`, `NOT_REACHED`, `NO_END`."""
        tests = _find_tests(mutant, measured)
        if not tests:
            return NOT_REACHED
        file = self.root / SOURCES / mutant.file
        source = file.read_bytes()
        file.write_bytes(mutant.apply(source))
        try:
            for group in _choose(tests, measured, limit):
                expected = sum(measured[test][0] for test in group)
                passed, failed, _ = self.run_tests(group, START + SLOWEST * expected)
                if not passed:
                    return failed
        except subprocess.TimeoutExpired:
            return NO_END
        finally:
            file.write_bytes(source)
        return NOBODY


def _find_tests(mutant, measured):
    """Return the tests that reach a mutant, the quickest first. What a reader reads is kept, so all tests may."""
    statement = f"{mutant.file}:{mutant.line}"
    tests = [test for test, (_, lines) in measured.items() if statement in lines or not mutant.is_kernel]
    return sorted(tests, key=lambda test: measured[test][0])


def _choose(tests, measured, limit):
    """Yield the first of `tests` that take `limit` seconds together, then as many stored games."""
    for is_stored in (False, True):
        chosen, left = [], limit
        for test in tests:
            if test.startswith(STORED_GAMES) == is_stored and measured[test][0] <= left:
                chosen.append(test)
                left -= measured[test][0]
        if chosen:
            yield chosen


def find_all(root, names, number, seed):
    """Return (so many mutants, drawn from those of the files named or of all; how many there are)."""
    found = [mutant for file in names or list_files(root) for mutant in find_mutants(root, file)]
    return random.Random(seed).sample(found, min(number, len(found))), len(found)


def show(root, mutant):
    """Return the change of a mutant as a unified diff, after its file, line and function."""
    source = (root / SOURCES / mutant.file).read_bytes()
    before, after = (text.decode().splitlines() for text in (source, mutant.apply(source)))
    name = f"{SOURCES.as_posix()}/{mutant.file}"
    diff = difflib.unified_diff(before, after, name, name, f"line {mutant.line}", mutant.function, lineterm="", n=2)
    return "\n".join(diff)


def sum_up(verdicts):
    """Return in a line how many mutants were killed by what, and how many were not."""
    counts = Counter()
    for verdict in verdicts:
        file = verdict.partition("::")[0]
        counts[Path(file).stem if file.endswith(".py") else file] += 1
    survived = counts[NOBODY] + counts[NOT_REACHED]
    by = ", ".join(f"{file} {count}" for file, count in counts.most_common())
    return f"{len(verdicts)} mutants, {len(verdicts) - survived} killed, {survived} survived; by: {by}"


def try_all(copy, mutants, measured, limit):
    """Try the mutants one after another and print those that survive, or are killed by stored games only."""
    verdicts = []
    for mutant in tqdm(mutants, desc="mutants"):
        verdict = copy.try_mutant(mutant, measured, limit)
        verdicts.append(verdict)
        if verdict in (NOBODY, NOT_REACHED):
            tqdm.write(f"\nsurvived: {verdict}\n{show(copy.root, mutant)}", file=sys.stdout)
        elif verdict.startswith(STORED_GAMES):
            tqdm.write(f"\nkilled by stored games only: {verdict}\n{show(copy.root, mutant)}", file=sys.stdout)
        sys.stdout.flush()
    return verdicts


def _read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=100, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=0, help="of the generator that draws them")
    parser.add_argument("--only", nargs="+", metavar="FILE", help="files, such as core/rules.py; by default all")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each mutant, as measured unchanged")
    parser.add_argument("--measured", type=Path, metavar="FILE", help="keeps what is measured for further runs")
    arguments = parser.parse_args()
    for name in arguments.only or ():
        if name not in list_files(ROOT):
            parser.error(f"--only {name}: must be one of {', '.join(list_files(ROOT))}")
    return arguments


def main():
    """Draw mutants, try them, and print the survivors; exit with 1 where there are any."""
    arguments = _read_arguments()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder)
        copy.check()
        kept = arguments.measured
        measured = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else copy.measure()
        if kept:
            kept.write_text(json.dumps(measured), encoding="utf-8")
        mutants, number = find_all(copy.root, arguments.only, arguments.mutants, arguments.seed)
        print(f"{len(mutants)} of {number} mutants, {len(measured)} tests", flush=True)
        verdicts = try_all(copy, mutants, measured, arguments.seconds)
    print(sum_up(verdicts))
    sys.exit(any(verdict in (NOBODY, NOT_REACHED) for verdict in verdicts))


if __name__ == "__main__":
    main()
