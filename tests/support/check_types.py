"""Checks the type hints of all packages with mypy, as `[tool.mypy]` in `pyproject.toml` says.

    python -m tests.support.check_types

The folders `agents` and `scripts` hold the packages `zamek_agents` and `zamek_scripts`. mypy names modules after their
folders, and would not find those that are imported by these names. So here every file is given the name of its package.
Checked too is a program of a user, `USER`, which says of which types our values must be.
"""

import sys
import tomllib
from contextlib import chdir
from pathlib import Path

from mypy import build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource

ROOT = Path(__file__).parents[2]
USER = ROOT / "tests" / "support" / "user_program.py"


def check_types():
    """Return what mypy has to say, a line each; nothing where all hints are right."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {folder: name for name, folder in project["tool"]["setuptools"]["package-dir"].items()}
    with chdir(ROOT):
        sources, options = process_options(["--config-file", "pyproject.toml"])
        named = [BuildSource(source.path, _rename(source.module, packages), source.text) for source in sources]
        named.append(BuildSource(str(USER), "tests.support.user_program"))
        try:
            return build.build(named, options).errors
        except CompileError as error:  # such as a syntax error
            return error.messages


def _rename(module, packages):
    """Return the name under which a module is imported, for its name by folders."""
    folder, dot, rest = module.partition(".")
    return f"{packages.get(folder, folder)}{dot}{rest}"


def main():
    """Print what mypy says; exit with 1 where it says anything."""
    messages = check_types()
    print("\n".join(messages) if messages else "all type hints are right")
    sys.exit(1 if messages else 0)


if __name__ == "__main__":
    main()
