"""Prints constraints for pip: the oldest version that `pyproject.toml` allows of each package for which it names one.

Packages for which it names none are not constrained, and PyTorch is that of `constraints.txt`: old ones for processors
alone are not everywhere to be had.
"""

import re
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
AS_TESTED = "torch"
NOT_RUN = {"cuda", "docs"}  # extras without tests of this kind


def list_oldest(project, tested):
    """Return the constraints of a `[project]` table, where `tested` are the lines of `constraints.txt`."""
    extras = (names for extra, names in project["optional-dependencies"].items() if extra not in NOT_RUN)
    oldest = {}
    for requirement in chain(project["dependencies"], *extras):
        found = re.match(r"([\w-]+)(?:\[[\w,]+\])?>=([\d.]+)", requirement)
        if found and found[1] != AS_TESTED:
            oldest.setdefault(*found.groups())
    return [f"{name}=={version}" for name, version in oldest.items()] + [
        line for line in tested if line.startswith(f"{AS_TESTED}==")
    ]


if __name__ == "__main__":
    PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print(*list_oldest(PROJECT, (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()), sep="\n")
