"""Makes agents by name: those that installed packages offer, and any class of a module or a file.

    greedy, mcts:simulations=50, theirs:(depth=2)    an entry point of the group `zamek_env.agents`
    my_module:MyAgent(depth=2)                       a class of a module, installed or in the current folder
    folder/my_agent.py:MyAgent(depth=2)              a class of a file

A module or a file is imported once: restart Python after changing it. If it changes the current folder, that is undone.

Arguments in parentheses are literals of Python: they are read, never evaluated. Any other text after the name of an
entry point is passed on as one argument.
"""

import ast
import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from zamek_env.common.checks import takes
from zamek_env.common.extras import MissingExtraError
from zamek_env.common.messages import show, show_name

GROUP = "zamek_env.agents"  # of entry points
FORMS = ("MODULE:CLASS", "FILE.py:CLASS")  # of names, besides those of entry points
_FILE = re.compile(r"(?P<path>.*?\.py):(?P<call>.*)", re.DOTALL)
_MODULE = re.compile(r"(?P<module>\w+(\.\w+)*):(?P<call>.*)", re.DOTALL)
_importing = RLock()  # so that no thread gets a module that another has only half imported


class NamedAgent(Protocol):
    """An agent that was made from a name."""

    name: str

    def act(self, game: Any, rng: np.random.Generator) -> int:
        """Return a legal action of `game`, a `GameProtocol` or, of some agents, only of one kind of game."""
        ...


class NamedMaker(NamedTuple):
    """The callable that an agent's name stands for, with its arguments."""

    make: Callable[..., Any]  # returns the agent
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    module: str  # in which `make` was looked up


def make_named_agent(spec: str) -> NamedAgent:
    """Return the agent that `spec` names: it has a method `act` and a `name`, by default the spec.

    Raises `ValueError`, naming the spec, where there is no such agent or making it fails, and `FileNotFoundError` where
    there is no such file. Other `OSError`s and `MissingExtraError` are passed on unchanged.
    """
    return make_found_agent(find_maker(spec), spec)


def make_found_agent(found: NamedMaker, spec: str) -> NamedAgent:
    """Return a new agent from what `find_maker(spec)` has `found`. Raises as `make_named_agent` does."""
    try:
        _check_arguments(found)
        agent: NamedAgent = found.make(*found.arguments, **found.keywords)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the agent {show(spec)}: {error}") from error
    except SystemExit as error:
        raise ValueError(f"the agent {show(spec)}: making it ends the program by {error!r}") from error
    except (OSError, MissingExtraError):
        raise
    except Exception as error:
        raise ValueError(f"the agent {show(spec)}: making it failed with {type(error).__name__}: {error}") from error
    if not callable(act := getattr(agent, "act", None)):
        raise ValueError(f"the agent {show(spec)} must have a method act(game, rng), and {show(agent)} has none")
    if not takes(act, None, None):
        given = show_name(f"act{inspect.signature(act)}")
        raise ValueError(f"the agent {show(spec)} must have a method act(game, rng), not {given}")
    _name(agent, spec)
    return agent


def find_maker(spec: str, kind: str = "agent", form: str = "class") -> NamedMaker:
    """Return the `NamedMaker` that `spec` names. Raises as `make_named_agent` does.

    Messages call the thing a `kind`, and its `form` a class or a function. Entry points offer agents only.
    """
    if not isinstance(spec, str):
        raise TypeError(f"an agent must be named by a text, not {show(spec)}")
    name, colon, text = spec.partition(":")
    asked, installed = f"the {kind} {show(spec)}", list_installed() if kind == "agent" else {}
    if name in installed:
        return _find_installed(installed[name], text if colon else None, asked)
    if match := _FILE.fullmatch(spec):
        return _find_called(
            _import_file(match["path"], spec, asked), match["call"], asked, form, f"the file {show(match['path'])}"
        )
    if match := _MODULE.fullmatch(spec):
        module = match["module"]
        imported = import_named(module, asked, f", and no {kind} is installed under that name")
        return _find_called(imported, match["call"], asked, form, f"the module {module!r}")
    if spec.endswith(".py"):
        raise ValueError(f"{asked} must end with a {form}, as in FILE.py:{form.upper()}")
    known = ", ".join((*installed, *FORMS))
    raise ValueError(f"an agent must be one of {known}, not {show(spec)}")


def list_installed() -> dict[str, EntryPoint]:
    """Return {name: entry point} of all agents that installed packages offer, of several the last."""
    return {entry.name: entry for entry in _list_entries()}


def check_unique(name: str) -> None:
    """Raise `ValueError` where two packages offer different agents of that name."""
    offered = sorted({entry.value for entry in _list_entries() if entry.name == name})
    if len(offered) > 1:
        raise ValueError(f"two packages offer an agent {name!r}: {' and '.join(offered)}")


def find_file(spec: str) -> Path | None:
    """Return the file that holds what `spec` names; None where it names something else."""
    match = _FILE.fullmatch(spec)
    return Path(match["path"]) if match else None


# --- what is installed ---


def _list_entries() -> tuple[EntryPoint, ...]:
    """Return the entry points of all agents that installed packages offer, as they are now."""
    return _read_entries(tuple(map(_describe_folder, sys.path)))


@lru_cache(maxsize=1)
def _read_entries(folders: tuple[tuple[int, ...], ...]) -> tuple[EntryPoint, ...]:
    """Return all entry points of the group.

    Reading the metadata of all packages takes 20 ms, so it is redone only where `folders`, the `_describe_folder` of
    each on the path, have changed: after a package was installed, for example.
    """
    return tuple(entry_points(group=GROUP))


def _describe_folder(path):
    """Return numbers that change when the folder at `path` is replaced or its contents change."""
    try:
        found = os.stat(path or ".")  # "" is the current folder
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_mtime_ns)


# --- what a name stands for ---


def _find_installed(entry: EntryPoint, text: str | None, asked: str) -> NamedMaker:
    """Return the `NamedMaker` of an entry point, with the `text` after its name or None.

    Raises `ValueError` where two packages offer different agents of that name.
    """
    check_unique(entry.name)
    with _importing:
        make = _import(entry.module, entry.load, asked)
    if text is None:
        return _check_maker(NamedMaker(make, (), {}, entry.module), asked)
    if text.startswith("("):
        _, arguments, keywords = _parse_call(f"_{text}", asked)
    elif text and not takes(make, text):
        raise ValueError(f"{asked} takes no options after its colon")
    elif text:
        arguments, keywords = (text,), {}
    else:
        raise ValueError(f"{asked} must have something after its colon")
    return _check_maker(NamedMaker(make, arguments, keywords, entry.module), asked)


def _find_called(module: ModuleType, call: str, asked: str, form: str, origin: str) -> NamedMaker:
    """Return the `NamedMaker` of `Class` or `Class(literals)` in a module, which messages call `origin`."""
    name, arguments, keywords = _parse_call(call, asked, form)
    try:
        make = getattr(module, name)
    except AttributeError:
        raise ValueError(f"{asked}: there is no {form} {name!r} in {origin}") from None
    return _check_maker(NamedMaker(make, arguments, keywords, module.__name__), asked, form)


def _check_maker(found: NamedMaker, asked: str, form: str = "class") -> NamedMaker:
    if not callable(found.make):
        raise ValueError(f"{asked} must name a {form}, not {show(found.make)}")
    return found


def _parse_call(text, asked, form="class"):
    """Return (name, arguments, keywords) of a text such as `MyAgent(2, name="x")`; it is not evaluated."""
    try:
        node: Any = ast.parse(text, mode="eval").body
        called: Any
        called, given, named = (node.func, node.args, node.keywords) if isinstance(node, ast.Call) else (node, [], [])
        arguments = tuple(ast.literal_eval(value) for value in given)
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in named}
        is_sound = isinstance(called, ast.Name) and None not in keywords and len(keywords) == len(named)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        is_sound = False
    if not is_sound:
        raise ValueError(
            f"{asked} must end with a {form}, or a {form} and literals in parentheses such as "
            f"MyAgent(depth=2, name='x')"
        )
    return called.id, arguments, keywords


# --- importing ---


def import_named(name: str, asked: str, nor: str = "") -> ModuleType:
    """Return the module of that name, installed or in the current folder.

    Raises `ValueError` where there is none, or where importing it fails. The message begins with what was `asked` for,
    and `nor` says what else it may name.
    """
    _let_import_from(os.getcwd())
    with _importing, chdir(os.curdir):
        imported: ModuleType = _import(name, lambda: import_module(name), asked, nor=nor)
    return imported


def _import_file(text, spec, asked):
    """Return the file at the path `text` as a module; it can import its neighbours."""
    path = Path(text)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {text!r}, as {show(spec)} names it")
    path = path.resolve()
    _let_import_from(str(path.parent))
    digest = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()[:8]
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{stem}_{digest}"  # the same in each process, for compiled code that is kept
    with _importing, chdir(os.curdir):
        if name not in sys.modules:
            _import(name, lambda: _run_file(name, path), asked, show_name(text))
        return sys.modules[name]


def _run_file(name, path):
    """Enter the file into `sys.modules` under that `name`, where kernels look for their sources, and run it."""
    found = spec_from_file_location(name, path)
    assert found is not None and found.loader is not None  # its name ends with .py
    sys.modules[name] = module_from_spec(found)
    try:
        found.loader.exec_module(sys.modules[name])
    except BaseException:
        del sys.modules[name]
        raise


def _import(name, load, asked, origin=None, nor=""):
    """Return what `load()` imports from the module `name`, which messages call `origin` if it is given."""
    try:
        return load()
    except SystemExit as error:
        raise ValueError(
            f"{asked}: importing {origin or name} ends the program by {error!r}; "
            f'put what it does when it is run under `if __name__ == "__main__":`'
        ) from error
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{name}.".startswith(f"{missing}."):
            raise ValueError(
                f"{asked}: there is no module {missing!r}, neither installed nor in the current folder{nor}"
            ) from None
        said = f"{type(error).__name__}: {error}"
        raise ValueError(f"{asked}: importing {origin or name} failed with {said}") from error


def _let_import_from(folder):
    """Make modules of `folder` importable; others of the same names, earlier on the path, take precedence."""
    if folder not in (os.path.abspath(entry) for entry in sys.path):  # "" is the current folder
        sys.path.append(folder)


# --- what was made ---


def _check_arguments(found):
    """Raise `TypeError` where `found.make` does not take its arguments."""
    try:
        signature = inspect.signature(found.make)
    except ValueError:
        return  # of what is written in C
    try:
        signature.bind(*found.arguments, **found.keywords)
    except TypeError as error:
        if found.arguments or found.keywords or not inspect.isfunction(found.make):
            raise
        raise TypeError(
            f"{error}; name a class with a method act(game, rng), or a function that makes an agent"
        ) from error


def _name(agent, spec):
    """Name `agent` `spec` where it has no name. Raises `ValueError` where its name is invalid or cannot be set."""
    if getattr(agent, "name", None) is None:
        try:
            agent.name = spec
        except AttributeError as error:
            raise ValueError(f"the agent {show(spec)} must have a name, or let it be given one") from error
    if not isinstance(agent.name, str) or not agent.name.isprintable() or not agent.name.strip():
        raise ValueError(
            f"the name of the agent {show(spec)} must be printable text that is not blank, not {show(agent.name)}"
        )
