"""Loads components: the files are read and checked, and what the engine could not hold is refused."""

import os
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from zamek_env.common.messages import show
from zamek_env.components.box import read_box
from zamek_env.components.box_folder import DATA, RULESETS
from zamek_env.components.json_entry import ComponentError
from zamek_env.components.model import Components
from zamek_env.components.which_ruleset import check_held, check_name, check_strays, find_ruleset_name
from zamek_env.layout.limits import check_limits

AnyComponents: TypeAlias = Components | PathLike[str] | str | None  # loaded, in a folder, or None: the packaged ones


def load_components(path: PathLike[str] | str | None = None, ruleset: str | None = None) -> Components:
    """Load and check the components of a ruleset.

    `path` is a folder with component files. Files that its ruleset names and the folder lacks are taken from the
    package. Without `path` all files are.

    `ruleset` is one of `zamek_env.RULESETS`, or the name of a ruleset of your own, whose file `NAME.json` lies in the
    folder. Without `ruleset` it is the one whose file lies in the folder, and without a folder `"zamek"`.

    Returns `Components`. Raises `ValueError` for an unknown ruleset, and `ComponentError` (a `ValueError`) naming file,
    item and field, also where the folder does not name the ruleset, or holds a `*.json` that no ruleset uses. Raises
    `TypeError` for a `path` of another kind. `docs/components.md` lists the fields and the limits.
    """
    if not isinstance(path, str | PathLike | None):
        raise TypeError(f"path must be a folder or None, not {show(path)}")
    if ruleset is not None:
        check_name(ruleset, path)
    if path is None:
        return _load(DATA, ruleset or RULESETS[0])
    folder = Path(path)
    if not os.path.isdir(folder):
        raise ComponentError(f"{folder}: is not a folder with component files")
    name = ruleset or find_ruleset_name(folder)
    check_held(folder, name)
    components = _load(folder, name)
    check_strays(folder)
    return components


def _load(folder: Path, ruleset_name: str) -> Components:
    rules, components = read_box(folder, ruleset_name)
    check_limits(rules, components)
    return components
