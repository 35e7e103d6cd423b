"""The output folder of a training run, which may hold an earlier one, and its arguments there, `config.yaml`.

`--config FILE` reads these back.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import tyro
import yaml

from zamek_agents.array_file import open_arrays
from zamek_agents.atomic_dir import resolve_links, sweep_parts
from zamek_agents.plain_file import locked_folder, open_plain
from zamek_env.base.chance import MAX_DEAL
from zamek_env.common.messages import shorten, show, show_names
from zamek_env.components.model import MAX_PLAYERS
from zamek_scripts.atomic_file import check_folder_place, write_atomic
from zamek_scripts.provenance import Tracker, list_arguments

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


_CONFIG = "a `config.yaml` of a run, or one of your own: the arguments that the command line leaves out"


@dataclass
class RunArgs:
    """The arguments of all trainings: where a run is written, and how it begins."""

    out: Path
    resume: Path | None = None
    overwrite: Annotated[bool, tyro.conf.arg(help="replace the run that `--out` holds")] = False
    config: Annotated[Path | None, tyro.conf.arg(help=_CONFIG)] = None
    track: Tracker = None


ArgsType = TypeVar("ArgsType", bound=RunArgs)


def write_config(args: RunArgs, command: str) -> None:
    """Write the arguments of a command into the folder `args.out`."""
    values = {name: value for name, value in list_arguments(args).items() if name not in NOT_WRITTEN}
    with write_atomic(args.out / NAME) as file:
        file.write(f"{FIRST_WORDS}{command} --config FILE takes this back; what the command line says wins\n")
        yaml.dump(values, file, _Dumper, sort_keys=False, allow_unicode=True)


def mark_run(args: RunArgs, command: str) -> None:
    """Write the arguments of a command into the folder `args.out` unless it holds a run, which marks it as one."""
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
    """Return a whole number. Numbers that YAML 1.2 lacks, such as `0b11`, are read as in YAML 1.1."""
    if len(node.value) > MOST_DIGITS:
        problem = f"a number must have at most {MOST_DIGITS:,} digits, not {len(node.value):,}"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
    if _WHOLE.match(node.value):
        return int(node.value)
    return int(node.value, 8) if _OCTAL.match(node.value) else loader.construct_yaml_int(node)


_Loader.add_constructor(_INT, _construct_whole)


def _load(path):
    """Return the contents of a YAML file."""
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
    if not any(_fits(value, choice) for choice in choices):
        allowed = " or ".join(word for choice in choices for word in _name_type(choice))
        raise ValueError(f"{name} must be {allowed}, not {show(value)}")
    if isinstance(value, str) and Path in choices:
        return Path(value)
    if isinstance(value, list):
        return tuple(value)
    try:
        return float(value) if float in choices and type(value) is int else value
    except OverflowError as error:
        raise ValueError(f"{name} must be a number that a computer holds, not {show(value)}") from error


def _fits(value, choice):
    """Return whether a value of a file can be one of a type that is no union."""
    if get_origin(choice) is Literal:
        return value in get_args(choice)
    if get_origin(choice) is tuple:
        return isinstance(value, list) and all(_fits(item, get_args(choice)[0]) for item in value)
    if choice is Path:
        return isinstance(value, str) and _is_path(value)
    return type(value) in ((int, float) if choice is float else (choice,))


def _is_path(text):
    """Return whether the operating system allows a file of that name."""
    try:
        return text != "" and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _name_type(choice):
    """Return in words the allowed values of a type in a file."""
    if get_origin(choice) is Literal:
        return [repr(value) for value in get_args(choice)]
    if get_origin(choice) is tuple:
        return [f"a list of {'whole numbers' if int in get_args(choice) else 'text'}"]
    return [_TYPES.get(get_origin(choice) or choice, str(choice))]


WRITTEN = (  # by all trainings
    "weights.npz", "learner.npz", "refined.npz", "curve.json", "config.json", "config.yaml", "final.npz",
    "checkpoint-*.npz", "events.out.tfevents.*",
)  # fmt: skip
RESUMABLE = ("learner.npz", "refined.npz", "final.npz", "checkpoint-*.npz")
SHOWN = 4  # names in a message


def take_held(args: ArgsType, held: Mapping[str, Any]) -> ArgsType:
    """Return the arguments of a run that is resumed, with the values that its file `held`.

    So the output tells how the run was made. Raises `ValueError` where an argument is neither that value nor the
    default.
    """
    for name, value in held.items():
        given = getattr(args, name)
        if given not in (value, getattr(type(args), name)):
            raise ValueError(f"--{name} must be left out with --resume, or be {value} as in {args.resume}, not {given}")
    return replace(args, **held)


def read_begun(path: Path, what: str, form: str) -> dict[str, Any]:
    """Return the arguments with which the contents of a file began: the seed, if that is known, and what it plays.

    The file is one of `array_file.py`, of the format `form`; `what` it should hold is for errors.
    """
    with open_arrays(path, what, form) as file:
        arguments = file.about.get("arguments")
    if not isinstance(arguments, dict):
        return {}
    seed, players, rules = (arguments.get(name) for name in ("seed", "players", "rules"))
    begun: dict[str, Any] = {"seed": seed} if type(seed) is int and 0 <= seed <= MAX_DEAL else {}
    if players is None or (type(players) is int and 1 <= players <= MAX_PLAYERS):
        begun["players"] = players
    return begun | {"rules": rules if isinstance(rules, str) else ""}


def check_folder(args: RunArgs) -> None:
    """Raise `ValueError` where `--out` holds a run that would be lost: neither resumed nor overwritten on purpose.

    It is also raised where the folder holds files named like those of a run without the arguments of one, or takes no
    files.
    """
    check_folder_place("--out", args.out, NAME)
    found = _list_written(args.out)
    if not found:
        return
    if not is_run(args.out):
        raise ValueError(
            f"--out: {args.out} holds no run, but files called like those of one ({_describe(found)}); name another "
            f"folder"
        )
    if args.overwrite or _is_resumed_there(args):
        return
    if args.resume is not None:
        raise ValueError(
            f"--out: {args.out} holds another run than that of {args.resume} ({_describe(found)}); replace it by "
            f"--overwrite, or name another folder"
        )
    newest = _find_newest(found)
    go_on = f"go on with it by --resume {newest}, " if newest else ""
    raise ValueError(
        f"--out: {args.out} holds a run ({_describe(found)}); {go_on}replace it by --overwrite, or name another folder"
    )


def describe_left(command: str, args: RunArgs) -> str:
    """Return how to resume a run of `command` that has ended early, as the end of a message."""
    newest, kept = _find_newest(_list_written(args.out)), f"; what was written to {args.out} before is kept"
    if newest is None:
        return f"{kept}, and no checkpoint is among it"
    files = ("--config", str(args.out / NAME), "--resume", str(newest))
    return f"{kept}; go on by: zamek {command} {shlex.join(files)}"


def describe_over(args: RunArgs, learned: str, *limits: str) -> str:
    """Return a line which says that the run to resume had `learned` all that the arguments `limits` ask for."""
    asked = [f"--{name} {getattr(args, name)}" for name in limits if getattr(args, name) is not None]
    return f"nothing was left to do: {args.resume} has {learned}, and the run ends at {' or '.join(asked)}"


def _find_newest(written):
    """Return the newest of these files from which a run can be resumed; None where there is none."""
    resumable = [path for path in written if _is_any(path, RESUMABLE)]
    return max(resumable, key=lambda path: path.stat().st_mtime, default=None)


@contextmanager
def begin_run(args: RunArgs) -> Iterator[None]:
    """Make the folder `--out`, and delete leftovers of killed runs, and the run to overwrite.

    A run that is resumed from this very folder is not overwritten, but goes on. Within the block no other run begins
    there. Raises as `check_folder` does, and `ValueError` where another process writes there.
    """
    check_folder(args)  # another program may have been faster, while all was compiled
    folder = resolve_links(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as till_it_ends:
        try:
            till_it_ends.enter_context(locked_folder(folder))
        except BlockingIOError as error:
            raise ValueError(f"--out: {args.out}: {error.strerror}; name another folder") from error
        check_folder(args)
        sweep_parts(folder)
        if args.overwrite and not _is_resumed_there(args):
            for path in sorted(_list_written(folder), key=lambda path: path.name == NAME):
                path.unlink()  # the file that marks the folder as a run's comes last: a kill may come before it
        yield


def _list_written(folder):
    """Return the files in `folder` that a training wrote, by name."""
    return sorted(path for path in folder.iterdir() if _is_any(path, WRITTEN)) if folder.is_dir() else []


def _is_any(path, patterns):
    return any(path.match(pattern) for pattern in patterns)


def _is_resumed_there(args):
    """Return whether the run to resume is the one in `--out`."""
    return args.resume is not None and resolve_links(args.resume).parent == resolve_links(args.out)


def _describe(found):
    names = [path.name for path in found]
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
