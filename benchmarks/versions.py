"""Two versions of the package side by side: sources of a commit, and a process that measures with some sources."""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "bench-check"  # where sources of commits lie, with what was compiled of them
PACKAGE = "zamek_env"


class NoSuchVersionError(ValueError):
    """There is no such commit, or no git to ask."""


def find_last_release() -> str:
    """Return the last tag that the history holds, or `HEAD`, the last commit, while there is none."""
    try:
        return _ask_git("describe", "--tags", "--abbrev=0").strip()
    except NoSuchVersionError:
        return "HEAD"


def find_commit(name: str) -> str:
    """Return the full hash of the commit of that name. Raises `NoSuchVersionError`."""
    try:
        return _ask_git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").strip()
    except NoSuchVersionError:
        raise NoSuchVersionError(f"--base must name a commit, not {name!r}") from None


def unpack(commit: str) -> Path:
    """Return a folder with the package as of `commit`. It is kept, so that it is compiled only once."""
    folder = KEPT / commit
    if not folder.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        archive = _ask_git("archive", commit, PACKAGE, text=False)
        beside = Path(tempfile.mkdtemp(dir=KEPT))
        try:
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(beside, filter="data")
            beside.rename(folder)  # it appears whole
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    return folder


def _ask_git(*arguments, text=True):
    """Return what git prints. Raises `NoSuchVersionError` where it fails or is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=text, check=True)
    except FileNotFoundError:
        raise NoSuchVersionError("git is needed, and not installed") from None
    except subprocess.CalledProcessError as error:
        raise NoSuchVersionError(f"git {arguments[0]} failed: {error.stderr}") from None
    return done.stdout


class LostError(RuntimeError):
    """A process that measures has ended; `args[0]` is its `Measuring`."""

    def __str__(self) -> str:
        return str(self.args[1])


class Measuring:
    """A process that measures with the package in `folder`, and keeps its compiled code in `compiled`, or beside it."""

    def __init__(self, folder: Path, compiled: Path | None = None) -> None:
        environment = os.environ | {"PYTHONPATH": str(folder)}
        environment |= {"NUMBA_CACHE_DIR": str(compiled)} if compiled else {}
        command = [sys.executable, str(Path(__file__).with_name("check_worker.py")), str(folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, env=environment, cwd=folder, **pipes)

    def measure(self, name: str) -> float | None:
        """Return how many a second of CPU time the measurement of that name brings, None where it does not exist.

        Raises `LostError` where the process ended.
        """
        process = self._process
        print(name, file=process.stdin, flush=True)
        line = process.stdout.readline()
        if not line:
            raise LostError(self, f"the process that measures has ended with exit code {process.wait()}")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()
