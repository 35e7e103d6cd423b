"""Tooltips of each area in a picture: who holds it, and what it is worth so far."""

from collections.abc import Sequence

import numpy as np

from zamek_env.common.messages import show_count
from zamek_env.common.player_names import name_player
from zamek_env.notation.position import Area, read_areas
from zamek_env.render import Hint
from zamek_env.ruleset import Ruleset

NOBODY_STANDS = "nobody stands there"


def find_hints(ruleset: Ruleset, state: np.record, names: Sequence[str] = ()) -> tuple[Hint, ...]:
    """Return a `Hint` for each area on the board of a state record, with the players' `names`, if they have some."""
    return tuple(Hint(_describe_area(ruleset, area, names), area.segments) for area in read_areas(ruleset, state))


def _describe_area(ruleset: Ruleset, area: Area, names: Sequence[str]) -> str:
    completes = ruleset.components.feature(area.feature).completes
    size = f"{area.feature} of {show_count(area.tiles, 'tile')}"
    ends = ", complete" if area.complete else f", {area.open_ports} open" if completes else ""
    if area.complete and not area.owners:
        return size + ends
    worths = {player: area.points[player] for player in area.owners}
    if len(set(worths.values())) > 1:  # the prince of one of them is there (rule S7)
        shares = ((show_count(worth, "point"), name_player(player, names)) for player, worth in worths.items())
        points = ", ".join(f"{share} for {name}" for share, name in shares)
    else:
        points = show_count(next(iter(worths.values()), min(area.points)), "point")
    return f"{size}{ends}; {_describe_owners(area, names)}; {points} so far"


def _describe_owners(area, names):
    if not any(area.followers):
        return NOBODY_STANDS
    if not area.owners:
        return "tied, so nobody holds it"
    return f"held by {' and '.join(name_player(owner, names) for owner in area.owners)}"
