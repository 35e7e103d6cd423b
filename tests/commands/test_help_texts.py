"""The texts of `--help` on a command's options."""

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, get_args, get_type_hints

import pytest
import tyro
from docstring_parser import parse_from_object

from zamek_scripts.cli import COMMANDS, name_module, read_options, run


@dataclass
class Args:
    first: tyro.conf.Positional[str]
    """what is needed"""
    count: int | None = None
    """a text whose
    line breaks mean nothing"""
    names: tuple[str, ...] = ()
    """none by default"""
    rate: Annotated[float | None, tyro.conf.arg(help_behavior_hint="(default: as needed)")] = None
    """with a hint of its own"""
    steps: int = 7
    """as many as these"""


def read_help(capsys, read):
    """Return what `read` shows before it exits, as lines and as words in a row."""
    with pytest.raises(SystemExit, match="0"):
        read()
    shown = capsys.readouterr().out
    return shown.splitlines(), " ".join(re.sub("[│╭╮╰╯─]", " ", shown).split())


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_each_option_of_a_command_does(command, capsys):
    lines, words = read_help(capsys, lambda: run([command, "--help"]))
    script = import_module(f"zamek_scripts.{name_module(command)}")
    texts = {option.arg_name: option.description for option in parse_from_object(script.Args).params}
    assert " ".join(script.__doc__.split()) in words
    for name, kind in get_type_hints(script.Args, include_extras=True).items():
        shared = [mark.help for mark in get_args(kind)[1:] if getattr(mark, "help", None)]
        (text,) = shared or [texts[name]]
        assert " ".join(text.split()) in words, name
    assert "None" not in words and "(default: )" not in words
    assert max(len(line) for line in lines if not line.startswith("usage")) <= 80


def test_a_text_is_one_paragraph_and_a_default_is_shown_where_there_is_one(capsys):
    lines, words = read_help(capsys, lambda: read_options(Args, ["--help"], "A summary.\n\nMore of it."))
    assert [line for line in lines if "summary" in line or "More" in line] == [" A summary.", " More of it."]
    assert "FIRST what is needed (required)" in words
    assert "--count INT a text whose line breaks mean nothing --names" in words
    assert "none by default --rate" in words
    assert "with a hint of its own (default: as needed)" in words
    assert "as many as these (default: 7)" in words


def test_options_are_read_as_the_dataclass_they_belong_to():
    assert read_options(Args, ["a", "--names", "b", "c", "--rate", "0.5"]) == Args("a", None, ("b", "c"), 0.5, 7)
    assert read_options(Args, ["a"], default=Args("", 3, ("d",))) == Args("a", 3, ("d",))


def test_a_default_that_was_handed_in_is_shown(capsys):
    _, words = read_help(capsys, lambda: read_options(Args, ["--help"], default=Args("a", 3, ("d",), steps=9)))
    assert "mean nothing (default: 3)" in words
    assert "none by default (default: d)" in words
    assert "as many as these (default: 9)" in words


def test_what_is_no_option_is_refused(refused):
    assert "--count" in refused(read_options, Args, ["a", "--count", "None"])
