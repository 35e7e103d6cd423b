"""The page of the API: all that it names is there, also what needs large libraries, and says what it does."""

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def find_public(name):
    """Return the classes and functions that an entry of the page of the API shows."""
    module, _, last = name.rpartition(".")
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # a package that is not installed
            return []
        return [getattr(importlib.import_module(module), last)]
    except ImportError:  # says which package to install
        return []
    own = [one for one in vars(found) if getattr(vars(found)[one], "__module__", None) == name]
    return [getattr(found, one) for one in getattr(found, "__all__", own) if not one.startswith("_")]


def test_all_that_the_page_of_the_api_names_is_there_and_says_what_it_does():
    """Pages show nothing of a method without docstring, nor what a class has from its bases unless asked for."""
    assert re.search("^ +inherited_members: true", read("mkdocs.yml"), re.MULTILINE)
    silent, names = [], re.findall(r"^::: (\S+)", read("docs/api.md"), re.MULTILINE)
    for shown in (one for name in names for one in find_public(name)):
        owners = [base for base in getattr(shown, "__mro__", ()) if base.__module__.startswith("zamek_")]
        members = [member for base in owners for name, member in vars(base).items() if not name.startswith("_")]
        for member in (shown, *members):
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            if callable(function) and not getattr(function, "__doc__", None):
                silent.append(f"{shown.__qualname__}: {getattr(function, '__qualname__', function)}")
    assert silent == []
