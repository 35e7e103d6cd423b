"""Loads components: the files are read and checked, and what the engine could not hold is refused."""

import os
from pathlib import Path

from zamek_env.components.box import read_box
from zamek_env.components.box_folder import DATA, RULESETS
from zamek_env.components.json_entry import ComponentError
from zamek_env.components.which_ruleset import check_strays, find_ruleset_name
from zamek_env.layout.limits import check_limits
from zamek_env.shown import show


def load_components(path=None, ruleset=None):
    """Load and check the components of a ruleset.

    `path` is a folder with a transcription of a box: files called as in `zamek_env/data/`, of which at least one must
    be there; what is missing is taken from the packaged files. Without `path` all packaged files are used.

    Without `ruleset` it is the one whose file lies in the folder, and without a folder `"zamek"`.

    Returns `Components`. Raises `ComponentError` (a `ValueError`) naming file, item and field, also where the folder
    does not tell the ruleset, or holds a `*.json` that no ruleset uses. `docs/components.md` tells the limits.
    """
    if ruleset is not None and not (isinstance(ruleset, str) and ruleset in RULESETS):
        raise ValueError(f"ruleset must be one of {', '.join(RULESETS)}, not {show(ruleset)}")
    if path is None:
        return _load(DATA, ruleset or RULESETS[0])
    folder = Path(path)
    if not os.path.isdir(folder):
        raise ComponentError(f"{folder}: is not a folder with component files")
    components = _load(folder, ruleset or find_ruleset_name(folder))
    check_strays(folder)
    return components


def _load(folder, ruleset_name):
    rules, components = read_box(folder, ruleset_name)
    check_limits(rules, components)
    return components
