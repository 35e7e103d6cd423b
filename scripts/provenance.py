"""Where a result comes from: the command and the versions that are told with it."""

import platform
import shlex
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from zamek_env import __version__


def tell_command(command: str) -> str:
    """Return the command line as `zamek COMMAND …`, however the command was called."""
    given = sys.argv[1:]
    return shlex.join(["zamek", command, *given[1 if given[:1] == [command] else 0 :]])


def tell_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of this package, of Python and of those of the `packages` that are installed, by name."""
    found = {"zamek_env": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
