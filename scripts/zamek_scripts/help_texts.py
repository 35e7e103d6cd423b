"""What `--help` says of the options of a command: a paragraph an option, and a default only where there is one."""

import textwrap
from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import partial
from shutil import get_terminal_size
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import tyro
from docstring_parser import parse_from_object
from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructFieldSpec, StructTypeInfo

ArgsType = TypeVar("ArgsType")
MARGIN = " "  # tyro joins the lines of a description, but for those that begin with a space


def read_options(
    args_class: type[ArgsType],
    arguments: Sequence[str],
    description: str | None = None,
    prog: str | None = None,
    default: ArgsType | Any = tyro.MISSING_NONPROP,
) -> ArgsType:
    """Return the arguments of a command, as its dataclass; those that are not given are as in `default`.

    By itself tyro keeps the line breaks of a docstring, shows `{None}` as a choice and None as a default, and says of
    an argument without a name only its type.
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
