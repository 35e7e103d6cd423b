"""Notes where a result comes from, as command, arguments and versions, or sends that to Weights & Biases."""

import platform
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from zamek_env import __version__
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import shorten


def format_command(command: str) -> str:
    """Return the command line as `zamek COMMAND …`, however the command was called."""
    given = sys.argv[1:]
    return shlex.join(["zamek", command, *given[1 if given[:1] == [command] else 0 :]])


def describe_run(command: str, args: Any, packages: Iterable[str]) -> dict[str, Any]:
    """Return command, arguments and versions, as noted in the output of `zamek COMMAND`."""
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


PROJECT = "zamek"
Tracker = Annotated[
    Literal["wandb"] | None,
    tyro.conf.arg(help="follow the run on Weights & Biases; set WANDB_MODE=offline to send nothing"),
]


class TrackingError(OSError):
    """A run cannot be tracked; the message says why."""


def check_tracking(args: Any) -> None:
    """Raise `MissingExtraError` where the packages for `--track` are not installed."""
    if args.track is not None:
        with needs_extra("wandb", "--track wandb"):
            import wandb  # noqa: F401 - it is there


@contextmanager
def track(args: Any, about: Mapping[str, Any]) -> Iterator[Callable[[Mapping[str, float], int], None]]:
    """Yield `log(figures, number)`, which notes figures of a training after that number of games or decisions.

    `args` are its `RunArgs`.
    What is written to TensorBoard within the block is tracked by itself, `about` once. Without `--track` nothing is.
    The files of wandb are in its default folder, not below `--out`: there it would mistake its copies of the
    TensorBoard logs for more logs. Raises `TrackingError` where the run cannot begin, such as without a login.
    """
    if args.track is None:
        yield lambda figures, number: None
        return
    import wandb

    config = list_arguments(args)
    try:
        run = wandb.init(project=PROJECT, name=args.out.name, config=config | dict(about), sync_tensorboard=True)
    except wandb.errors.Error as error:
        problem = shorten(str(error).partition("\n")[0].rstrip("."))
        raise TrackingError(f"--track wandb: {problem}; log in by `wandb login`, or set WANDB_MODE=offline") from error
    try:
        yield lambda figures, number: run.log({**figures, "global_step": number})
    except BaseException:
        run.finish(exit_code=1)
        raise
    run.finish()
