"""What the network of `ppo` is given of areas, worked out from the state of the engine instead of an observation."""

from collections import defaultdict
from functools import cached_property

import numpy as np

from zamek_agents.ppo.area_rows import CONTINUED, CROWDED, OWN, STOPPED
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE, opposite_side
from zamek_env.core.areas import count_followers, count_tiles, count_touched
from zamek_env.core.pieces import find_factor, has_special
from zamek_env.core.placement import find_around, lay_tile
from zamek_env.core.scoring import count_points
from zamek_env.core.tables import NONE
from zamek_env.core.track import move_marker


class ExpectedAreas:
    """The areas of the state `s`, as the network is given them for the player to decide; `t` are the tables."""

    def __init__(self, t, s):
        self.t, self.s = t, s

    @cached_property
    def openings(self):
        """By area: each (empty space, side of a tile beside it) where it is open."""
        found = defaultdict(set)
        for location in np.flatnonzero(self.s["face"] > NONE):
            for side, beside in self._list_sides(location):
                if beside > NONE and self.s["face"][beside] <= NONE:
                    nodes = self.t.face_node[self.s["face"][location], PORTS_PER_SIDE * side :][:PORTS_PER_SIDE]
                    for area in self.s["area"][nodes[nodes > NONE]].tolist():
                        found[area].add((int(beside), side))
        return found

    def _list_sides(self, location):
        """Return (side, what lies there) of a cell or start space."""
        if location < len(self.t.neighbor):
            return list(enumerate(self.t.neighbor[location]))
        cells, sides = np.nonzero(self.t.neighbor == location)  # a start space has no neighbours of its own
        return [(opposite_side(int(side)), cell) for cell, side in zip(cells, sides, strict=True)]

    def describe(self, area, role, paid=(0, 0, 0)):
        """Return (role, feature, columns, openings, farms, fitted, complete, points, token) of an area.

        The last three are `paid`.
        """
        return (role, *self._list_columns(area), *self._count_openings(area), *self._count_farms(area), 0, *paid)

    def describe_crowded(self, area, after):
        """Return the same of an area that is crowded, with openings as they are `after`; None if they do not change."""
        now, then = self._count_openings(area), after._count_openings(area)
        if now == then:
            return None
        return (CROWDED, *self._list_columns(area), *then, *self._count_farms(area), now[1], 0, 0, 0)

    def _list_columns(self, area):
        t, s, feature = self.t, self.s, int(self.t.node_feature[area])
        is_open = int(s["open_ports"][area])
        sides = is_open if t.feature_surrounded[feature] else len(self.openings[area])
        tiles = count_tiles(s, area) if t.feature_completes[feature] else 0
        mine, theirs = (int(count_followers(s, area, player)) for player in (s["player"], 1 - s["player"]))
        nests = s["area_nests"][area : area + 1].tolist()  # none where there are none
        kinds, players = range(1, t.kind_factor.size), (s["player"], 1 - s["player"])
        special = [int(has_special(t, s, area, player, kind)) for kind in kinds for player in players]
        return feature, tiles, is_open, sides, mine, theirs, int(s["area_marks"][area]), *nests, *special

    def find_paid(self, area):
        """Return (whether an area is complete, what it pays, whether the marker takes a token)."""
        t, s = self.t, self.s
        if s["open_ports"][area] or not t.feature_completes[t.node_feature[area]]:
            return 0, 0, 0
        lead = self._find_lead(area)
        leader = s["player"] if lead > 0 else 1 - s["player"]
        after, points = np.array([s])[0], count_points(t, s, area, 0) * find_factor(t, s, area, leader)
        took = move_marker(t, after, leader, points) != 0
        return 1, lead * points, lead * took

    def _count_openings(self, area):
        """Return what the network is given of where an area is open (`openings.py`)."""
        t, s, leads = self.t, self.s, []
        if t.feature_surrounded[t.node_feature[area]]:
            middle = np.flatnonzero(s["face"] // NUM_ROTATIONS == t.node_tile[area])[0]
            squares = {int(find_around(t, middle, number)) for number in range(NUM_AROUND)}
            squares = {square for square in squares if s["face"][square] <= NONE}
        else:
            squares = {square for square, _ in self.openings[area]}
            for other in list(self.openings):
                if other != area and t.node_feature[other] == t.node_feature[area]:
                    shared = squares & {square for square, _ in self.openings[other]}
                    leads += len(shared) * [self._find_lead(other)]
        fits = [self._count_fits(square) for square in squares]
        stuck = min(fits, default=1) == 0
        return len(squares), min(fits, default=0), int(stuck), leads.count(1), leads.count(-1)

    def _count_fits(self, cell):
        """Return how many of the tiles that are not drawn yet fit on a cell."""
        t, s, shown = self.t, self.s, []
        for side, beside in enumerate(t.neighbor[cell]):
            is_there = beside > NONE and s["face"][beside] > NONE
            shown.append(t.face_edge[s["face"][beside], opposite_side(side)] if is_there else NONE)
        faces = s["deck"][s["drawn"] :, None] * NUM_ROTATIONS + np.arange(NUM_ROTATIONS)
        fits = (np.array(shown) == NONE) | (t.face_edge[faces] == shown)
        return int(fits.all(axis=2).any(axis=1).sum())

    def _count_farms(self, area):
        """Return the `FARM_COLUMNS` of an area; none where fields touch nothing (rule C8)."""
        t, s = self.t, self.s
        if s["area_touched"].size == 0:
            return ()
        if t.feature_touch_points[t.node_feature[area]]:
            finished, unfinished = (int(count_touched(s, area, completed)) for completed in (True, False))
            lead = self._find_lead(area)
            return finished, unfinished, lead * finished, lead * unfinished
        leads = 0
        for field in set(s["follower_area"].ravel().tolist()):
            if field > NONE and t.feature_touch_points[t.node_feature[field]] and self._touches(field, area):
                leads += self._find_lead(field)
        return (0, 0, leads, 0) if s["open_ports"][area] == 0 else (0, 0, 0, leads)

    def _touches(self, field, city):
        """Return whether a segment of the field lies beside one of the city on some tile."""
        for node in np.flatnonzero(self.s["area"] == field):
            row = self.t.node_touched[node - self.s["area_tiles"].shape[0]]
            beside = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
            if (self.s["area"][beside] == city).any():
                return True
        return False

    def _find_lead(self, area):
        """Return 1 where the player to decide has more followers in an area than the other, -1 where fewer, else 0."""
        s = self.s
        return int(np.sign(count_followers(s, area, s["player"]) - count_followers(s, area, 1 - s["player"])))


def expect_placement(before, cell, rotation):
    """Return, sorted, what the network is given of the areas that the tile to be placed would touch.

    `before` are `ExpectedAreas`.
    """
    t, s = before.t, before.s
    tile, state = int(s["deck"][s["drawn"] - 1]), np.array([s])[0]
    lay_tile(t, state, cell, tile * NUM_ROTATIONS + rotation)
    after = ExpectedAreas(t, state)
    own = {int(state["area"][node]) for node in t.tile_node[tile] if node > NONE}
    areas = [after.describe(area, OWN, after.find_paid(area)) for area in own]
    faced = set()
    for side in range(NUM_SIDES):
        beside = t.neighbor[cell, side]
        if beside > NONE and s["face"][beside] > NONE:
            first = opposite_side(side) * PORTS_PER_SIDE
            faced.update(t.face_node[s["face"][beside], first : first + PORTS_PER_SIDE].tolist())
    facing = {int(s["area"][node]) for node in faced - {NONE}}
    around = set()
    if t.tile_middle.size:
        for number in range(NUM_AROUND):
            face = s["face"][find_around(t, cell, number)]
            around.add(int(t.tile_middle[face // NUM_ROTATIONS]) if face > NONE else NONE)
    for area in facing | (around - {NONE}):
        joined = int(state["area"][area])
        is_own = joined in own
        stopped = after.describe(joined, STOPPED, after.find_paid(joined))
        areas.append(before.describe(area, CONTINUED) if is_own else stopped)
    areas += [before.describe_crowded(area, after) for area in list_crowded(before, cell) if area not in facing]
    return sorted(filter(None, areas))


def list_crowded(before, cell):
    """Yield the areas with followers that open to a cell beside `cell`."""
    beside = {int(other) for other in before.t.neighbor[cell] if other > NONE}
    for area, openings in list(before.openings.items()):
        if any(square in beside for square, _ in openings) and any(before.s["area_followers"][area]):
            yield area
