"""`config.yaml`: what a training was asked to do. It is written into its folder, and `--config FILE` takes it back."""

import os
import re
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import yaml
from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

from zamek_agents.plain_file import open_plain
from zamek_env.common.messages import shorten, show, show_names
from zamek_scripts.atomic_file import write_atomic

NAME = "config.yaml"
FIRST_WORDS = "# zamek "
NOT_IN_FILES = ("config", "overwrite")  # arguments that only the command line may hold
NOT_WRITTEN = (*NOT_IN_FILES, "resume")  # a run is repeated from its beginning, wherever it was interrupted
LONGEST = 100_000  # bytes of a file: what is read in a second; one with all arguments has a hundredth of that
MOST_DIGITS = 1000  # of a whole number: those with thousands cannot be shown
_TYPES = {
    int: "a whole number", float: "a number", bool: "true or false", str: "text", Path: "a path",
    type(None): "null",
}  # fmt: skip


class WritingArgs(Protocol):
    """The arguments of a training that say where it writes."""

    out: Path


def write_config(args: WritingArgs, command: str) -> None:
    """Write the arguments of a command, a dataclass, into the folder `args.out`."""
    kept = {field.name: getattr(args, field.name) for field in fields(args)}  # type: ignore[arg-type]  # a dataclass
    values = {name: _to_plain(value) for name, value in kept.items() if name not in NOT_WRITTEN}
    with write_atomic(args.out / NAME) as file:
        file.write(f"{FIRST_WORDS}{command} --config FILE takes this back; what the command line says wins\n")
        yaml.dump(values, file, _Dumper, sort_keys=False, allow_unicode=True)


def mark_run(args: WritingArgs, command: str) -> None:
    """Write the arguments of a command into the folder `args.out` unless it holds a run, so that it is known as one."""
    if not is_run(args.out):
        write_config(args, command)


def is_run(folder: Path) -> bool:
    """Return whether a training wrote its arguments into `folder`, as all do before anything else."""
    path = folder / NAME
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(FIRST_WORDS)) == FIRST_WORDS.encode()


def read_config(args_class: type, path: Path) -> dict[str, Any]:
    """Return {argument: value} of a file, each of its type.

    Raises `ValueError`, in one line that names the file, where it cannot be read, is no YAML of that shape, or holds a
    key or a value that the command does not know.
    """
    try:
        return _check(args_class, _load(path))
    except OSError as error:
        raise ValueError(f"--config: {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"--config: {path}: {error}") from error


class _Loader(yaml.SafeLoader):
    """Reads plain values only: no aliases, no tags, no key twice.

    `3e-4` is a number, and `010` is ten. A date, and `1:30`, which in older YAML is a number to base 60, are text.
    """

    def compose_node(self, parent, index):
        event = self.peek_event()
        is_alias = isinstance(event, yaml.AliasEvent)
        if is_alias or getattr(event, "tag", None) is not None:
            problem = "aliases are not taken" if is_alias else f"tags are not taken, such as {show(event.tag)}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        return super().compose_node(parent, index)

    def resolve(self, kind, value, implicit):
        tag = super().resolve(kind, value, implicit)
        is_plain = kind is not yaml.ScalarNode or (tag in _PLAIN_TAGS and ":" not in value)
        return tag if is_plain else self.DEFAULT_SCALAR_TAG

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name is None or name in seen:
                problem = "a name must be text" if name is None else f"{show(name)} stands there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


class _Dumper(yaml.SafeDumper):
    """Writes text in quotes where `_Loader` would take it for a number."""


_INT, _FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
_PLAIN_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str")}
# Numbers as YAML 1.2 has them; yaml knows those of YAML 1.1.
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$")
_WHOLE, _OCTAL = re.compile(r"[-+]?[0-9]+$"), re.compile(r"0o[0-7]+$")
for _kind in (_Loader, _Dumper):
    _kind.add_implicit_resolver(_FLOAT, _NUMBER, list("-+0123456789."))
    _kind.add_implicit_resolver(_INT, _WHOLE, list("-+0123456789"))
    _kind.add_implicit_resolver(_INT, _OCTAL, ["0"])


def _construct_whole(loader, node):
    """Return a whole number. What YAML 1.2 does not know, such as `0b11`, is taken as in YAML 1.1."""
    if len(node.value) > MOST_DIGITS:
        problem = f"a number must have at most {MOST_DIGITS:,} digits, not {len(node.value):,}"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
    if _WHOLE.match(node.value):
        return int(node.value)
    return int(node.value, 8) if _OCTAL.match(node.value) else loader.construct_yaml_int(node)


_Loader.add_constructor(_INT, _construct_whole)


def _load(path):
    """Return what a file of YAML holds."""
    with open_plain(path) as file:
        text = file.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise ValueError(f"must be at most {LONGEST:,} bytes long")
    try:
        return yaml.load(text.decode(), _Loader)
    except UnicodeDecodeError as error:
        raise ValueError("must be text in UTF-8") from error
    except yaml.MarkedYAMLError as error:
        where = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ValueError(f"{where}{shorten(str(error.problem))}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"is no YAML: {shorten(str(error).partition(chr(10))[0])}") from error


def _check(args_class, found):
    """Return the values of a file, each of its type."""
    hints = get_type_hints(args_class)
    known = [field.name for field in fields(args_class) if field.name not in NOT_IN_FILES]
    if not isinstance(found, dict):
        raise ValueError(f"must hold a line `name: value` for each argument, not {show(found)}")
    if reserved := [name for name in NOT_IN_FILES if name in found]:
        raise ValueError(f"must not hold {show_names(reserved)}: only the command line may say that")
    if unknown := [name for name in found if name not in known]:
        near = get_close_matches(str(unknown[0])[:100], known, 1)
        hint = f"; is {near[0]} meant?" if near else f"; there are {', '.join(known)}"
        raise ValueError(f"must hold only arguments of the command, not {show_names(map(str, unknown))}{hint}")
    return {name: _to_type(name, value, hints[name]) for name, value in found.items()}


def _to_type(name, value, hint):
    """Return a value of a file as one of the type `hint`."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    converted = value
    if isinstance(value, str) and Path in choices:
        if not _is_path(value):
            raise ValueError(f"{name} must be a path, not {show(value)}")
        converted = Path(value)
    elif isinstance(value, list):
        converted = tuple(value)
    try:
        if isinstance(value, bool) and bool not in choices:
            raise TypeCheckError("is a truth value")
        check_type(converted, hint, collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS)
    except TypeCheckError as error:
        allowed = " or ".join(word for choice in choices for word in _name_type(choice))
        raise ValueError(f"{name} must be {allowed}, not {show(value)}") from error
    try:
        return float(converted) if float in choices and isinstance(converted, int) else converted
    except OverflowError as error:
        raise ValueError(f"{name} must be a number that a computer holds, not {show(value)}") from error


def _is_path(text):
    """Return whether the operating system can have a file of that name."""
    try:
        return text != "" and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _name_type(choice):
    """Return what a file may hold for a type, in words."""
    if get_origin(choice) is Literal:
        return [repr(value) for value in get_args(choice)]
    if get_origin(choice) is tuple:
        return [f"a list of {'whole numbers' if int in get_args(choice) else 'text'}"]
    return [_TYPES.get(get_origin(choice) or choice, str(choice))]


def _to_plain(value):
    """Return a value of an argument as YAML holds it."""
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
