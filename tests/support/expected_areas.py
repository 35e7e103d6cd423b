"""The areas that `ppo` is shown, worked out from the state of the engine, slowly and without a survey."""

from collections import defaultdict
from functools import cached_property

import numpy as np

from zamek_agents.ppo.areas import COLUMNS, OTHER, OWN, WAS
from zamek_env.base.records import NONE
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, PORTS_PER_SIDE, opposite_side
from zamek_env.core.areas import count_followers, count_tiles, count_touched
from zamek_env.core.end_scoring import count_end_points
from zamek_env.core.pieces import find_factor, has_special
from zamek_env.core.placement import find_around, lay_tile
from zamek_env.core.scoring import count_points
from zamek_env.core.track import move_marker
from zamek_env.notation.position import find_faces


class ExpectedAreas:
    """The areas of the state `s`, as the player to decide is shown them; `t` are the tables."""

    def __init__(self, t, s):
        self.t, self.s = t, s
        self.players = int(s["player"]), 1 - int(s["player"])
        self.faces = find_faces(s)

    @cached_property
    def cells(self):
        """By area: the empty cells to which it is open, but for areas that are surrounded."""
        found = defaultdict(set)
        for location, face in self.faces.items():
            for side, beside in self._list_sides(location):
                if beside > NONE and beside not in self.faces:
                    nodes = self.t.face_node[face, PORTS_PER_SIDE * side :][:PORTS_PER_SIDE]
                    for area in self.s["area"][nodes[nodes > NONE]].tolist():
                        found[area].add(int(beside))
        return found

    @property
    def names(self):
        """The areas that are open somewhere, or in which somebody is."""
        return {*self.cells} | {area for area in self.s["follower_area"].ravel().tolist() if area > NONE}

    def _list_sides(self, location):
        """Return (side, what lies there) of a cell or start space."""
        if location < len(self.t.neighbor):
            return list(enumerate(self.t.neighbor[location]))
        cells, sides = np.nonzero(self.t.neighbor == location)  # a start space has no neighbours of its own
        return [(opposite_side(int(side)), cell) for cell, side in zip(cells, sides, strict=True)]

    def describe(self, area):
        """Return what is said of an area but for its role: the feature, `COLUMNS` without `ends`, special pieces."""
        t, s, feature = self.t, self.s, int(self.t.node_feature[area])
        told = dict.fromkeys((name for name in COLUMNS if name != "ends"), 0)
        completes, touches = bool(t.feature_completes[feature]), bool(t.feature_touch_points[feature])
        cells = self._find_cells(area)
        told |= {"marks": int(s["area_marks"][area]), "ports": int(s["open_ports"][area]), "cells": len(cells)}
        told["nests"] = sum(s["area_nests"][area : area + 1].tolist())  # none where there are none
        told["tiles"] = int(count_tiles(s, area)) if completes else 0
        told["points"] = int(count_points(t, s, area, 0) if completes else count_end_points(t, s, area))
        if s["area_touched"].size and touches:
            told |= {"done": int(count_touched(s, area, True)), "undone": int(count_touched(s, area, False))}
        if cells:
            told["fits"] = min(self._count_fitting(cell) for cell in cells)
        followers = [int(count_followers(s, area, player)) for player in self.players]
        told |= {"mine": followers[0], "theirs": followers[1]}
        leads = self._list_near_leads(area, cells)
        told |= {"near_mine": int(1 in leads), "near_theirs": int(-1 in leads)}
        told["complete"] = int(completes and told["ports"] == 0)
        self._add_paid(area, followers, told)
        kinds = range(1, t.kind_factor.size)
        special = [int(has_special(t, s, area, player, kind)) for kind in kinds for player in self.players]
        return (feature, *told.values(), *special)

    def _add_paid(self, area, followers, told):
        """Add to whom the area would pay what, and whether that brings a token."""
        ties_pay, taker = self.t.field_tower.size == 0, self.players[0]
        lead = np.sign(followers[0] - followers[1])
        for player, name, sign in zip(self.players, ("to_me", "to_them"), (1, -1), strict=True):
            if max(followers) > 0 and (lead == sign or (lead == 0 and ties_pay)):
                told[name] = told["points"] * int(find_factor(self.t, self.s, area, player))
        if max(followers) > 0:
            taker = None if lead == 0 else self.players[0] if lead > 0 else self.players[1]
        if told["complete"] and taker is not None and not ties_pay:
            after, paid = np.array([self.s])[0], max(told["points"], told["to_me"], told["to_them"])
            took = move_marker(self.t, after, taker, paid) != 0
            told["token"] = int(took) * (1 if taker == self.players[0] else -1)

    def _find_cells(self, area):
        if not self.t.feature_surrounded[self.t.node_feature[area]]:
            return self.cells[area]
        middle = self.s["tile_location"][self.t.node_tile[area]]
        around = {int(find_around(self.t, middle, number)) for number in range(NUM_AROUND)}
        return {cell for cell in around if cell not in self.faces}

    def _list_near_leads(self, area, cells):
        """Return who leads in areas of the same feature that open to one cell with it: 1, 0 or -1 of each."""
        alike = [other for other in list(self.cells) if self.t.node_feature[other] == self.t.node_feature[area]]
        near = [other for other in alike if other != area and self.cells[other] & cells]
        counts = [[int(count_followers(self.s, other, player)) for player in self.players] for other in near]
        return {int(np.sign(mine - theirs)) for mine, theirs in counts}

    def _count_fitting(self, cell):
        """Return how many of the tiles that are not drawn yet fit on a cell."""
        t, s, shown = self.t, self.s, []
        for side, beside in enumerate(t.neighbor[cell]):
            is_there = beside in self.faces
            shown.append(t.face_edge[self.faces[beside], opposite_side(side)] if is_there else NONE)
        faces = s["deck"][s["drawn"] :, None] * NUM_ROTATIONS + np.arange(NUM_ROTATIONS)
        fits = (np.array(shown) == NONE) | (t.face_edge[faces] == shown)
        return int(fits.all(axis=2).any(axis=1).sum())

    def lay(self, tile, cell, rotation):
        """Return the `ExpectedAreas` after a tile is laid."""
        state = np.array([self.s])[0]
        lay_tile(self.t, state, cell, tile * NUM_ROTATIONS + rotation)
        return ExpectedAreas(self.t, state)


def expect_placement(before, cell, rotation):
    """Return, sorted, (role, …) of the areas that a placement of this turn's tile would change.

    `before` are `ExpectedAreas`.
    """
    tile = int(before.s["deck"][before.s["drawn"] - 1])
    after = before.lay(tile, cell, rotation)
    own = {int(after.s["area"][node]) for node in before.t.tile_node[tile] if node > NONE}
    was, becomes = (
        {area: each.describe(area) for area in names}
        for each, names in ((before, before.names), (after, after.names | own))
    )
    changed = {area for area in was.keys() | becomes.keys() if was.get(area) != becomes.get(area)}
    told = [(WAS, *was[area]) for area in changed & was.keys()]
    return sorted(told + [(OWN if area in own else OTHER, *becomes[area]) for area in changed & becomes.keys()])
