"""What a picture says of each area: who holds it, and what it is worth so far."""

import numpy as np

from zamek_env.core.ending import count_end_points
from zamek_env.core.pieces import find_factor
from zamek_env.core.scoring import count_points
from zamek_env.core.tables import NONE
from zamek_env.messages import show_count
from zamek_env.records.position import Area, read_areas
from zamek_env.render import Hint
from zamek_env.ruleset import Ruleset

NOBODY_STANDS = "nobody stands there"


def find_hints(ruleset: Ruleset, state: np.record) -> tuple[Hint, ...]:
    """Return a `Hint` for each area on the board of a state record."""
    numbers = np.unique(state.area[state.area != NONE]).tolist()  # the order of `read_areas`
    areas = read_areas(ruleset, state)
    return tuple(
        Hint(_describe_area(ruleset, state, number, area), area.segments)
        for number, area in zip(numbers, areas, strict=True)
    )


def _describe_area(ruleset: Ruleset, state: np.record, number: int, area: Area) -> str:
    completes = ruleset.components.feature(area.feature).completes
    is_complete = completes and area.open_ports == 0
    size = f"{area.feature} of {show_count(area.tiles, 'tile')}"
    ends = f", {area.open_ports} open" if completes and not is_complete else ", complete" if is_complete else ""
    holders = _find_holders(ruleset, area)
    if is_complete and not holders:
        return size + ends
    table = ruleset.tables[0]
    plain = int(count_points(table, state, number, 0) if completes else count_end_points(table, state, number))
    worths = [plain * int(find_factor(table, state, number, player)) for player in holders]
    if len(set(worths)) > 1:  # the prince of one of them stands there (rule S7)
        points = ", ".join(f"{show_count(worths[player], 'point')} for player {player}" for player in holders)
    else:
        points = show_count(worths[0] if worths else plain, "point")
    return f"{size}{ends}; {_describe_holders(area, holders)}; {points} so far"


def _find_holders(ruleset, area):
    """Return the players who would score the area: more followers than the other, or as many where ties pay."""
    first, second = area.followers
    if first == second:
        return [0, 1] if first and ruleset.tables[0].ties_pay else []
    return [0 if first > second else 1]


def _describe_holders(area, holders):
    if not any(area.followers):
        return NOBODY_STANDS
    if not holders:
        return "tied, so nobody holds it"
    return f"held by player {holders[0]}" if len(holders) == 1 else "held by both players"
