"""The folder that a training writes into, which may hold an earlier one."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from zamek_agents.array_file import open_arrays
from zamek_agents.atomic_dir import resolve_links, sweep_parts
from zamek_agents.plain_file import locked_folder
from zamek_env.components.model import MAX_PLAYERS
from zamek_env.core.chance import MAX_DEAL
from zamek_scripts.atomic_file import check_place
from zamek_scripts.config_file import NAME, is_run

WRITTEN = (  # by all trainings
    "weights.npz", "learner.npz", "refined.npz", "curve.json", "config.json", "config.yaml", "final.npz",
    "checkpoint-*.npz", "events.out.tfevents.*",
)  # fmt: skip
RESUMABLE = ("learner.npz", "refined.npz", "final.npz", "checkpoint-*.npz")
SHOWN = 4  # names in a message


class RunArgs(Protocol):
    """The arguments of a training that say where it writes."""

    out: Path
    overwrite: bool
    resume: Path | None


ArgsType = TypeVar("ArgsType", bound=RunArgs)


def take_held(args: ArgsType, held: Mapping[str, Any]) -> ArgsType:
    """Return the arguments of a run that is resumed, a dataclass, with the values that its file `held`.

    So what is written says how the run was made. Raises `ValueError` where an argument is neither that nor as by
    default.
    """
    for name, value in held.items():
        given = getattr(args, name)
        if given not in (value, getattr(type(args), name)):
            raise ValueError(f"--{name} must be left out with --resume, or be {value} as in {args.resume}, not {given}")
    return replace(args, **held)  # type: ignore[type-var]  # a dataclass


def read_begun(path: Path, what: str, form: str) -> dict[str, Any]:
    """Return the arguments that what stands in a file began with: its seed, if that is known, and what it plays.

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
    """Raise `ValueError` where `--out` holds a run that would be lost: neither resumed nor to be overwritten.

    Also where it holds files called like those of a run, but not the arguments of one, or takes no files.
    """
    if args.out.exists() and not args.out.is_dir():
        raise ValueError(f"--out: {args.out} is not a folder")
    check_place("--out", args.out / NAME)
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
    resumable = [path for path in found if _is_any(path, RESUMABLE)]
    newest = max(resumable, key=lambda path: path.stat().st_mtime, default=None)
    go_on = f"go on with it by --resume {newest}, " if newest else ""
    raise ValueError(
        f"--out: {args.out} holds a run ({_describe(found)}); {go_on}replace it by --overwrite, or name another folder"
    )


@contextmanager
def begin_run(args: RunArgs) -> Iterator[None]:
    """Make the folder `--out`, and clear it of what is left over from kills, and of the run to overwrite.

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
                path.unlink()  # that by which the folder is known as a run's comes last: a kill may come before it
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
