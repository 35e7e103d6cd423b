"""The arguments of a command, as its dataclass: from the command line, and from the file that `--config` names.

`--help` has a paragraph an option, and a default only where there is one.
"""

import textwrap
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import tyro
from docstring_parser import parse_from_object
from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructFieldSpec, StructTypeInfo

from zamek_scripts.run_folder import read_config

ArgsType = TypeVar("ArgsType")
MARGIN = " "  # tyro joins the lines of a description, but for those that begin with a space


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


# --- what `--help` says ---


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
