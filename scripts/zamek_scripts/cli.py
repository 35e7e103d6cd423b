"""The command `zamek`: runs the script called like its first argument, with all others as that script's dataclass.

They come from the command line, and from the file that `--config` names. `--help` has a paragraph an option, and a
default only where there is one.
"""

import os
import sys
import textwrap
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

try:  # for the second or two that this takes, in which Ctrl-C may come
    from zamek_env import __version__
    from zamek_env.common.extras import MissingExtraError, needs_extra, needs_train_extra

    with needs_extra("cli", "the command zamek"):
        import tyro
        from docstring_parser import parse_from_object
        from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructFieldSpec, StructTypeInfo

        from zamek_scripts.run_folder import read_config
        from zamek_scripts.terminal import BAD_INPUT, any_output, reporting_refusals
except KeyboardInterrupt:
    print("zamek: interrupted", file=sys.stderr)
    raise SystemExit(130) from None  # `terminal.INTERRUPTED`, which may not be there yet
except MissingExtraError as error:
    print(f"zamek: {error}", file=sys.stderr)
    raise SystemExit(2) from None  # `terminal.BAD_INPUT`, which is not there

COMMANDS = {
    "show": "let agents play one game and print its board",
    "play": "play against an agent, in the browser or the terminal",
    "train": "train a player",
    "train-value": "learn the evaluation of the agent `value`",
    "refine-value": "improve that evaluation: fit it to many games and valued choices",
    "evaluate": "let agents play each other and say who wins how often",
    "import": "take over games that people played elsewhere, checked move by move",
    "convert": "write recorded games for other programs",
    "export": "write games as data to learn from",
    "benchmark": "run learners on fixed tasks, with counted budgets, against opponents that never change",
    "regret": "measure how many points the decisions of agents lose",
    "exploit": "measure how much an opponent made to beat an agent wins against it",
    "replay": "make a page that replays a recorded game in the browser",
    "analyse": "make a report of game records",
    "models": "list the models that come with the package, and check them",
    "warmup": "compile everything for some rulesets or all, so that no later command has to",
}
# Settings of torch's threads, read when it is loaded. In training, waiting threads must sleep, or everything nearly
# stops once the CPUs are shared; elsewhere one position at a time, or one of many learners, is too little to share.
THREADS, TRAINING_THREADS = ("OMP_NUM_THREADS", "1"), ("OMP_WAIT_POLICY", "PASSIVE")
USAGE = "\n".join(
    [
        "usage: zamek COMMAND [OPTIONS]",
        "",
        *(f"  {command:<14}{purpose}" for command, purpose in COMMANDS.items()),
        "",
        "zamek COMMAND --help lists the options of a command, zamek --version the version.",
    ]
)

ArgsType = TypeVar("ArgsType")
MARGIN = " "  # tyro joins the lines of a description, but for those that begin with a space


def name_module(command: str) -> str:
    """Return the module of a command; none may be named like a Python keyword."""
    return f"{command}_" if iskeyword(command) else command.replace("-", "_")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `zamek` with these arguments, by default those of the command line, and return its exit code."""
    with any_output():
        return run(sys.argv[1:] if arguments is None else arguments)


def run(arguments: Sequence[str]) -> int:
    """Run the command that `arguments` begin with, and return its exit code."""
    command, *options = arguments or ["--help"]
    if command in ("--help", "-h"):
        print(USAGE)
        return 0
    if command == "--version":
        print(f"zamek {__version__}")
        return 0
    if command not in COMMANDS:
        near = "".join(f"; did you mean {name}?" for name in get_close_matches(command, COMMANDS, 1))
        print(f"zamek: the command must be one of {', '.join(COMMANDS)}, not {command!r}{near}", file=sys.stderr)
        return BAD_INPUT
    os.environ.setdefault(*(TRAINING_THREADS if command == "train" else THREADS))
    try:
        with needs_extra("cli", f"zamek {command}"), needs_train_extra(f"zamek {command}"):
            script = import_module(f"zamek_scripts.{name_module(command)}")  # here, because training imports torch
    except MissingExtraError as error:
        print(f"zamek: {error}", file=sys.stderr)
        return BAD_INPUT
    with reporting_refusals(command):
        args = parse(script.Args, options, prog=f"zamek {command}", description=script.__doc__)
    script.main(args)
    return 0


# --- arguments ---


def parse(
    args_class: type[ArgsType], arguments: Sequence[str], description: str | None = None, prog: str | None = None
) -> ArgsType:
    """Return the arguments of a command, as its dataclass; `--help` begins with its name `prog` and the `description`.

    What the command line leaves out is taken from the file of `--config`, if the command has that. Raises `ValueError`
    for an invalid file or an empty argument, and exits for any other mistake on the command line.
    """
    for before, argument in zip(["", *arguments], arguments, strict=False):  # an empty one may be an unset variable
        if not argument or (argument.startswith("--") and argument.endswith("=")):
            option = argument[:-1] or before
            raise ValueError(f"{option if option.startswith('-') else 'arguments'} must not be empty")
    if not any(field.name == "config" for field in fields(args_class)):  # type: ignore[arg-type]  # a dataclass
        return read_options(args_class, arguments, description, prog)
    first = ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--config")
    path = first.parse_known_args(arguments)[0].config
    values = {} if path is None else read_config(args_class, Path(path))
    return read_options(args_class, arguments, description, prog, args_class(**values))


def read_options(
    args_class: type[ArgsType],
    arguments: Sequence[str],
    description: str | None = None,
    prog: str | None = None,
    default: ArgsType | Any = tyro.MISSING_NONPROP,
) -> ArgsType:
    """Return the arguments of a command, as its dataclass; those that are not given are as in `default`.

    Without this tyro would keep the line breaks of a docstring, show `{None}` as a choice and None as a default, and
    show only the type of a positional argument.
    """
    registry = ConstructorRegistry()

    @registry.struct_rule
    def _(info: StructTypeInfo) -> StructConstructorSpec | None:
        return StructConstructorSpec(args_class, tuple(_list_fields(info))) if info.type is args_class else None

    with registry:
        return tyro.cli(
            args_class,
            prog=prog,
            description=_wrap(description or ""),
            args=arguments,
            default=default,
            config=(tyro.conf.DisallowNone, tyro.conf.PositionalMetavarFromFieldName),
        )


def _list_fields(info):
    hints = get_type_hints(info.type, include_extras=True)
    for option in fields(info.type):
        default = getattr(info.default, option.name, option.default)
        no_hint = tyro.conf.arg(help_behavior_hint="" if default in (None, ()) else None)
        kind, *others = get_args(hint) if get_origin(hint := hints[option.name]) is Annotated else (hint,)
        yield StructFieldSpec(
            option.name,
            Annotated[(kind, no_hint, *others)],  # type: ignore[arg-type]  # of several hints the last counts
            tyro.MISSING_NONPROP if default is MISSING else default,
            partial(_find_text, info.type, option.name),  # called for `--help` only
        )


def _find_text(args_class, name):
    """Return the docstring of a field as one paragraph, None where there is none."""
    texts = {option.arg_name: option.description for option in parse_from_object(args_class).params}
    return " ".join((texts.get(name) or "").split()) or None


def _wrap(description):
    """Return a description in lines that fit the terminal; every paragraph begins a line."""
    width = get_terminal_size().columns
    parts = description.split("\n\n")
    return "\n".join(textwrap.fill(part, width, initial_indent=MARGIN, subsequent_indent=MARGIN) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
