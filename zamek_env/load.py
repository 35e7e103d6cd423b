"""Loads components: the files are read and checked, and what the arrays of the engine could not hold is refused.

Most limits stand where the numbers are read: each follows from a type, as stated there. What follows from them:

    tiles      at most 254 (`box.MAX_TILES`), each with at most 13 segments, one for each port and one without any
    nodes      at most 254 * 13 + 1004 * 3 (`json_entry.MAX_ITEMS` start spaces, four at gates) = 6,314: 16 bits
    faces      at most 254 * 4 + 1004 = 2,020: 16 bits
    choices    1 + 3 kinds of pieces * 13 segments = 40, and 2 * 24 areas that a tile completes within a wall = 48: both
               are bit sets in one int64, of which 62 bits can be shifted freely
    log        254 tiles, 5 * 102 areas, 5 * (32 features + 100 kinds) + 2 payments = 1,426 rows: 16 bits
"""

import os
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from zamek_env.common.messages import show
from zamek_env.components.box import read_box
from zamek_env.components.box_folder import DATA, RULESETS
from zamek_env.components.highest_score import bound_score
from zamek_env.components.json_entry import ComponentError, Entry
from zamek_env.components.model import Components
from zamek_env.components.which_ruleset import check_held, check_name, check_strays, find_ruleset_name
from zamek_env.layout.actions import ActionLayout
from zamek_env.layout.observation import plane_layout, vector_layout
from zamek_env.layout.sizes import Sizes, measure

MAX_ACTIONS = 2**15 - 1  # first actions of phases are kept in 16 bits with a sign
MAX_SCORE = 2**15 - 1  # and so are scores, and the points of events
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
    folder = DATA if path is None else Path(path)
    if not os.path.isdir(folder):
        raise ComponentError(f"{folder}: is not a folder with component files")
    name = ruleset or (RULESETS[0] if path is None else find_ruleset_name(folder))
    if path is not None:
        check_held(folder, name)
    rules, components = read_box(folder, name)
    check_limits(rules, components)
    if path is not None:
        check_strays(folder)
    return components


def make_actions(sizes: Sizes) -> ActionLayout:
    """Return the `ActionLayout` of a ruleset of these `Sizes`."""
    return ActionLayout(
        sizes.window_cells + sizes.spots,
        sizes.segments,
        sizes.slots,
        1 + sizes.special_pieces,
        sizes.fields > 0,
        sizes.hand_size if sizes.hand_size > 1 else 0,
    )


def check_limits(rules: Entry, components: Components) -> None:
    """Fail where games with `components` could exceed what is stored; `rules` is the entry of the ruleset file."""
    sizes = measure(components)
    actions = make_actions(sizes).num_actions
    if actions > MAX_ACTIONS:
        what, field = ("a table", "table") if components.house.table else ("a window", "table, window")
        rules.fail(field, f"{what} of {sizes.window_cells} cells gives {actions} actions, more than {MAX_ACTIONS}")
    highest = bound_score(components)
    if highest > MAX_SCORE:
        what = "points, tiles, marks, pieces and tokens"
        rules.fail("features", f"with these {what} a player could score {highest}, more than {MAX_SCORE}")
    planes = plane_layout(components, sizes)
    groups = Counter(group.name for group in planes.groups)
    for names in (groups, Counter(planes.names), Counter(vector_layout(components, sizes).names)):
        for name, count in names.items():
            if count > 1:
                rules.fail("features", f"{show(name)} would mean two things in observations")
