"""What no box may exceed, because the arrays of the engine could not hold it; checked when component files are read.

The other limits stand where the numbers are read: each follows from a type, as stated there. What follows from them:

    tiles      at most 254 (`box.MAX_TILES`), each with at most 13 segments, one for each port and one without any
    nodes      at most 254 * 13 + 1004 * 3 (`json_entry.MAX_ITEMS` start spaces, four at gates) = 6,314: 16 bits
    faces      at most 254 * 4 + 1004 = 2,020: 16 bits
    choices    1 + 3 kinds of pieces * 13 segments = 40, and 2 * 24 areas that a tile completes within a wall = 48: both
               are bit sets in one int64, of which 62 bits can be shifted freely
    log        254 tiles, 5 * 102 areas, 5 * (32 features + 100 kinds) + 2 payments = 1,426 rows: 16 bits
"""

from collections import Counter

from zamek_env.common.messages import show
from zamek_env.components.highest_score import bound_score
from zamek_env.components.json_entry import Entry
from zamek_env.components.model import Components
from zamek_env.layout.actions import ActionLayout
from zamek_env.layout.observation import plane_layout, vector_layout
from zamek_env.layout.sizes import Sizes, measure

MAX_NUMBER = 2**15 - 1  # of 16 bits with a sign
MAX_ACTIONS = MAX_NUMBER  # first actions of phases are kept in 16 bits
MAX_SCORE = MAX_NUMBER  # scores, and the points of events, are kept in 16 bits


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
