"""The arguments of a command, as its dataclass: from the command line, and from the file that `--config` names."""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from zamek_scripts.config_file import read_config
from zamek_scripts.help_texts import read_options

ArgsType = TypeVar("ArgsType")


def parse(
    args_class: type[ArgsType], arguments: Sequence[str], description: str | None = None, prog: str | None = None
) -> ArgsType:
    """Return the arguments of a command, as its dataclass; `--help` begins with its name `prog` and the `description`.

    What the command line does not say stands in the file of `--config`, if the command has that. Raises `ValueError`
    where that file cannot be taken or an argument is empty, and exits where the command line cannot be taken otherwise.
    """
    _refuse_empty(arguments)
    if not any(field.name == "config" for field in fields(args_class)):  # type: ignore[arg-type]  # a dataclass
        return read_options(args_class, arguments, description, prog)
    first = ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--config")
    path = first.parse_known_args(arguments)[0].config
    values = {} if path is None else read_config(args_class, Path(path))
    return read_options(args_class, arguments, description, prog, args_class(**values))


def _refuse_empty(arguments):
    """Raise `ValueError` for an empty argument, such as a shell variable that is not set: as a path it is "."."""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if not argument or (argument.startswith("--") and argument.endswith("=")):
            option = argument[:-1] or before
            raise ValueError(f"{option if option.startswith('-') else 'arguments'} must not be empty")
