"""Where a result comes from: the command, its arguments and the versions that are noted with it."""

import platform
import shlex
import sys
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from zamek_env import __version__


def format_command(command: str) -> str:
    """Return the command line as `zamek COMMAND …`, however the command was called."""
    given = sys.argv[1:]
    return shlex.join(["zamek", command, *given[1 if given[:1] == [command] else 0 :]])


def describe_run(command: str, args: Any, packages: Iterable[str]) -> dict[str, Any]:
    """Return command, arguments and versions, as they are noted with what `zamek COMMAND` writes."""
    return {
        "command": format_command(command), "arguments": list_arguments(args), "versions": list_versions(packages),
    }  # fmt: skip


def list_arguments(args: Any) -> dict[str, Any]:
    """Return the arguments of a command, a dataclass, as JSON holds them: paths as text."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()}


def list_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of this package, of Python and of those of the `packages` that are installed, by name."""
    found = {"zamek_env": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
