"""Which files belong to agents given by name, and whether they have changed."""

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from zamek_agents.base import Agent
from zamek_agents.plain_file import find_version
from zamek_agents.pretrained import ABOUT, WEIGHTS
from zamek_agents.registry import check_form, is_built_in, make_agent
from zamek_env.agent_names import find_maker

Versions: TypeAlias = tuple[tuple[str, ...], ...]  # of each file of some agents: its path, and its version


def list_named_files(spec: str) -> list[Path]:
    """Return the files that the arguments of an agent name, of weights for example, in order.

    Raises as `make_agent` does.
    """
    check_form(spec)
    text = spec.partition(":")[2]
    if is_built_in(spec) and not text.startswith("("):
        given = [text]
    else:
        found = find_maker(spec)
        given = [value for value in (*found.arguments, *found.keywords.values()) if isinstance(value, str)]
    if is_built_in(spec):  # a text may be of options
        given += [option.removeprefix("weights=") for text in given for option in text.split(",")]
    return sorted({file for path in given for file in _list_files(path)})


def list_modules(spec: str) -> list[str]:
    """Return the names of the modules that an agent of another package comes from; none for an agent of this one.

    Raises as `make_agent` does.
    """
    if is_built_in(spec):
        return []
    found = find_maker(spec)
    return sorted({found.module, getattr(found.make, "__module__", found.module)})


def find_versions(*specs: str) -> Versions:
    """Return a value that changes whenever a file changes that one of these agents names or comes from.

    Raises as `make_agent` does.
    """
    named = [str(path) for spec in specs for path in list_named_files(spec)]
    sources = [getattr(sys.modules.get(name), "__file__", None) for spec in specs for name in list_modules(spec)]
    files = sorted({*named, *(path for path in sources if path is not None and os.path.isfile(path))})
    return tuple((path, *map(str, find_version(path))) for path in files)


@lru_cache(maxsize=2)
def keep_agent(spec: str, versions: Versions) -> Agent:
    """Return the agent of that name, made once a process as long as its files have these `versions`.

    It is ready and compiled for what it played last. Raises as `make_agent` does.
    """
    return make_agent(spec)


def _list_files(path):
    """Return the files that a path names: itself, or those in a folder with a model; none where there is no path."""
    if not path:
        return []  # not what lies in the current folder
    if os.path.isfile(path):
        return [Path(path)]
    return [file for file in (Path(path, name) for name in (WEIGHTS, ABOUT)) if os.path.isfile(file)]
