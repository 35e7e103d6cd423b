"""Finds the ruleset that a folder of component files is meant for, and the files that no ruleset would read."""

import json
import os
from os import PathLike
from pathlib import Path

from zamek_env.common.messages import show, show_name, show_names
from zamek_env.components.box_folder import (
    CASTLE_CARDS,
    DATA,
    RULESETS,
    find_file,
    is_own_name,
    is_plain_name,
    list_json,
    read_text,
)
from zamek_env.components.json_entry import ComponentError, read_json

_CARDS_FILE = "castle_cards.json"  # the packaged one of `CASTLE_CARDS`


def check_name(ruleset: object, folder: PathLike[str] | str | None = None) -> None:
    """Raise `ValueError` unless `ruleset` is a packaged name or, with a folder, a possible name of a ruleset there."""
    if isinstance(ruleset, str) and ruleset in RULESETS:
        return
    if isinstance(ruleset, str) and ruleset == CASTLE_CARDS:
        raise ValueError(f"ruleset {ruleset!r} is a game of cards: CastleCards plays it, and CastleCards-v1")
    is_own = is_own_name(ruleset)
    if folder is not None and is_own:
        return
    packaged = ", ".join(RULESETS)
    if folder is not None:
        own = "a name of letters, digits, - and _ that no packaged file has"
        raise ValueError(f"ruleset must be one of {packaged}, or {own}, not {show(ruleset)}")
    hint = f"; a ruleset of your own needs components, the folder that holds {ruleset}.json" if is_own else ""
    raise ValueError(f"ruleset must be one of {packaged}, not {show(ruleset)}{hint}")


def check_held(folder: Path, ruleset: str) -> None:
    """Raise `ComponentError` where `folder` lacks the file of a ruleset that is not packaged."""
    if ruleset not in RULESETS and not os.path.lexists(folder / f"{ruleset}.json"):
        problem = f"holds no {ruleset}.json, the file of the ruleset {ruleset!r}"
        raise ComponentError(f"{folder}: {problem}{describe_held(folder)}")


def find_ruleset_name(folder: Path) -> str:
    """Return the name of the ruleset that the files in `folder` are made for.

    That is the one whose file lies there; without such a file, the only one that uses all packaged names there.
    Raises `ComponentError` where there are several, or none.
    """
    names = _list_names(folder)
    rulesets = _list_rulesets(folder, names)
    if len(rulesets) == 1:
        return rulesets[0]
    if rulesets:
        raise ComponentError(f"{folder}: holds the files of several rulesets, so name one, ruleset={_either(rulesets)}")
    used = {ruleset: _names_used(DATA, f"{ruleset}.json") for ruleset in RULESETS}
    known = set(names) & set.union(*used.values())
    using = [ruleset for ruleset in RULESETS if known <= used[ruleset]]
    if not known:
        for name in names:
            read_json(folder / name)  # a ruleset file that is not JSON says so
        problem = f'holds no component file, such as {RULESETS[0]}.json, and no NAME.json with "name": "NAME"'
        raise ComponentError(f"{folder}: {problem}{describe_held(folder)}")
    if len(using) != 1:
        files = show_names(sorted(known))
        raise ComponentError(f"{folder}: {files} may be of several rulesets, so name one, ruleset={_either(using)}")
    return using[0]


def check_strays(folder: Path) -> None:
    """Fail where a `*.json` in `folder` is used by no ruleset: its name may be mistyped, and it would change nothing.

    Names of packaged files are allowed, that of the card game for a copy alone, and so are those that ruleset files in
    the folder name. Raises `ComponentError`.
    """
    names = _list_names(folder)
    used = set(_list_names(DATA))
    for ruleset in _list_rulesets(folder, names):
        used |= _names_used(folder, f"{ruleset}.json")
    for name in names:
        if name not in used:
            problem = f"no ruleset uses a file of this name; used are {show_names(sorted(used))}"
            raise ComponentError(f"{folder / show_name(name)}: {problem}")
        if name == _CARDS_FILE and _read_values(folder / name) != _read_values(DATA / name):
            raise ComponentError(f"{folder / name}: {CASTLE_CARDS} takes no cards of your own; remove this file")


def describe_held(folder: Path) -> str:
    """Return the end of an error message: which component files `folder` holds."""
    names = _list_names(folder)
    return f"; it holds {show_names(names)}" if names else ""


def _list_names(folder):
    try:
        return list_json(folder)
    except OSError as error:
        raise ComponentError(f"{folder}: cannot be read: {error}") from error


def _list_rulesets(folder, names):
    """Return the rulesets whose files are among the `names` in `folder`, the packaged ones first.

    The file of one that is not packaged is known by its field `name`, which is the name of the file.
    """
    packaged = [ruleset for ruleset in RULESETS if f"{ruleset}.json" in names]
    stems = [name.removesuffix(".json") for name in names]
    return packaged + [
        stem for stem in stems if is_own_name(stem) and _read_values(folder / f"{stem}.json").get("name") == stem
    ]


def _either(rulesets):
    return " or ".join(f'"{ruleset}"' for ruleset in rulesets or RULESETS)


def _names_used(folder, name):
    """Return the name of a ruleset file and of all files named in it or in those it extends."""
    used, following = set(), name
    while isinstance(following, str) and is_plain_name(following) and following not in used:
        used.add(following)
        values = _read_values(find_file(folder, following))
        tiles = values.get("tiles")
        files = [values.get("wall"), *(tiles if isinstance(tiles, list) else [])]
        used |= {file for file in files if isinstance(file, str)}
        following = values.get("extends")
    return used


def _read_values(path):
    """Return the JSON object in a file, an empty one where there is none: the full read reports why."""
    try:
        values = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
