"""Reads the board from its faces alone: plain and slow, to check the engine against."""

from collections import Counter
from functools import cached_property, lru_cache
from typing import TypeGuard

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.components.model import (
    NUM_AROUND,
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    STEP,
    Feature,
    Segment,
    facing_port,
    opposite_side,
    rotated_port,
)
from zamek_env.core.tabulation import edge_of_side
from zamek_env.notation.position import find_faces
from zamek_env.ruleset import Ruleset


class Board:
    """The board as read from the faces: locations, neighbours, segments at ports, and areas by flood fill.

    Locations are named by their numbers; on an open table a number belongs to one cell of a game at most.
    """

    def __init__(self, ruleset: Ruleset, state: np.record) -> None:
        self.ruleset = ruleset
        self.state = state
        self.faces = find_faces(state)
        self.locations = sorted(self.faces)
        self.neighbors = _find_neighbors(ruleset.components.board)  # (location, side) -> location
        self.ports: dict[tuple[int, int], int] = {}  # (location, port) -> node
        self.segments: dict[int, Segment] = {}  # node -> `Segment`
        self.location_of: dict[int, int] = {}  # node -> location
        tile_node = ruleset.tables[0].tile_node.tolist()
        for location in self.locations:
            tile, rotation = self.lying_at(location)
            for number, segment in enumerate(ruleset.tile(tile).segments):
                self.segments[tile_node[tile][number]] = segment
                self.location_of[tile_node[tile][number]] = location
                for port in segment.ports:
                    self.ports[location, rotated_port(port, rotation)] = tile_node[tile][number]
        self.area_of = self._find_areas()  # node -> name of its area, the smallest node in it
        self.members: dict[int, list[int]] = {}  # name of an area -> nodes
        for node, name in self.area_of.items():
            self.members.setdefault(name, []).append(node)
        self.open_ports = self._count_open_ports()
        completing = {name for name in self.members if self.feature(name).completes}
        self.complete = {name for name in completing if self.open_ports[name] == 0}  # rules Z16, C4

    @cached_property
    def frontier(self) -> list[int]:
        """The empty cells next to something placed, by number."""
        beside = {cell for location in self.locations for cell in self.beside(location) if cell is not None}
        return sorted(cell for cell in beside if not self.is_filled(cell))

    def lying_at(self, location: int) -> tuple[int, int]:
        """Return (tile number, rotation) of what lies at `location`."""
        return divmod(self.faces[location], NUM_ROTATIONS)

    def edge(self, tile: int, rotation: int, side: int) -> str | None:
        """Return what `side` of the tile, rotated, counts as when sides meet (rule Z10)."""
        return edge_of_side(self.ruleset.components, self.ruleset.tile(tile), (side - rotation) % NUM_SIDES)

    def feature(self, node: int) -> Feature:
        """Return the `Feature` of the segment or area called `node`."""
        return self.ruleset.components.feature(self.segments[node].feature)

    def is_filled(self, location: int | None) -> TypeGuard[int]:
        """Return whether something lies at `location`; nothing lies beyond the wall, which is None."""
        return location in self.faces

    def beside(self, location: int | None) -> list[int | None]:
        """Return the four neighbours of `location`, None for the wall."""
        return [self.neighbors.get((location, side)) for side in range(NUM_SIDES)]

    def around(self, location: int) -> list[int | None]:
        """Return the eight cells around `location`, None beyond the wall."""
        beside = self.beside(location)
        return beside + [self.neighbors.get((other, (side + 1) % NUM_SIDES)) for side, other in enumerate(beside)]

    def beyond(self, location: int, port: int) -> int | None:
        """Return the location that `port` faces, None for the wall."""
        return self.neighbors.get((location, port // PORTS_PER_SIDE))

    def facing(self, location: int) -> list[int]:
        """Return the nodes of its neighbours whose ports face `location`."""
        return [node for (other, port), node in self.ports.items() if self.beyond(other, port) == location]

    def edge_beside(self, location: int, side: int) -> str | None:
        """Return what the neighbour on `side` shows there, None where nothing lies."""
        beside = self.neighbors.get((location, side))
        return self.edge(*self.lying_at(beside), opposite_side(side)) if self.is_filled(beside) else None

    def fits(self, tile: int, cell: int, rotation: int) -> bool:
        """Return whether `tile` may be laid on `cell` in `rotation` (rules Z9, Z10)."""
        if self.is_filled(cell):
            return False
        shown = [self.edge_beside(cell, side) for side in range(NUM_SIDES)]
        return any(shown) and all(edge in (None, self.edge(tile, rotation, side)) for side, edge in enumerate(shown))

    def nodes_at(self, location: int | None) -> list[int]:
        """Return the nodes of what lies at `location`, none where it is empty."""
        if not self.is_filled(location):
            return []
        nodes = self.ruleset.tables[0].tile_node[self.lying_at(location)[0]].tolist()
        return [node for node in nodes if node != NONE]

    def surrounded_near(self, location: int) -> list[int]:
        """Return the nodes of surrounded areas that count what lies at `location`: on it and around it (rule C4)."""
        return [
            node
            for near in [location, *self.around(location)]
            for node in self.nodes_at(near)
            if self.feature(node).surrounded
        ]

    def is_held(self, node: int) -> bool:
        """Return whether somebody may be sent to the segment called `node` (rule C8)."""
        return self.ruleset.components.farmers or not self.feature(node).touches

    def touched_by(self, area: int) -> set[int]:
        """Return the nodes that the segments of `area` touch on their tiles (rule C8)."""
        names = {(node, name) for node in self.members[area] for name in self.segments[node].touches}
        return {
            other
            for node, name in names
            for other in self.nodes_at(self.location_of[node])
            if self.segments[other].name == name
        }

    def count_followers(self, area: int) -> list[int]:
        """Return how many followers of each player are in `area`."""
        nodes = [[int(node) for node in row if node != NONE] for row in self.state.follower_node]
        return [sum(self.area_of[node] == area for node in row) for row in nodes]

    def tiles_of(self, area: int) -> set[int]:
        """Return the locations that make up the size of `area`: tiles and start spaces (Z18), those around (C4)."""
        locations = {self.location_of[node] for node in self.members[area]}
        if self.feature(area).surrounded:
            locations |= {
                around for location in locations for around in self.around(location) if self.is_filled(around)
            }
        return locations

    def count_tiles(self, area: int) -> int:
        """Return the size of `area`."""
        return len(self.tiles_of(area))

    def _count_open_ports(self):
        """Return {area: ports that face an empty space, or empty spaces around it} (rules Z16, C4)."""
        facing = {here: self.beyond(*here) for here in self.ports}
        stays_open = self.ruleset.sizes.has_edge and not self.ruleset.sizes.edges_complete  # (rules H7, H8)
        is_open = {
            here: stays_open if beyond is None else not self.is_filled(beyond) for here, beyond in facing.items()
        }
        surrounded = {
            name: self._count_needed(name) - self.count_tiles(name)
            for name in self.members
            if self.feature(name).surrounded
        }
        return Counter(self.area_of[node] for here, node in self.ports.items() if is_open[here]) + Counter(surrounded)

    def _count_needed(self, area):
        """Return how many tiles a surrounded `area` needs: fewer where the edge of the table closes it (rule H8)."""
        if not self.ruleset.sizes.edges_complete:
            return NUM_AROUND + 1
        (location,) = {self.location_of[node] for node in self.members[area]}
        return 1 + sum(cell is not None for cell in self.around(location))

    def _find_areas(self):
        joined: dict[int, set[int]] = {node: set() for node in self.segments}
        for (location, port), node in self.ports.items():
            beyond = self.beyond(location, port)
            other = None if beyond is None else self.ports.get((beyond, facing_port(port)))
            if other is not None and self.segments[node].feature == self.segments[other].feature:
                joined[node].add(other)
        area_of = {}
        for first in sorted(joined):
            waiting = [first] if first not in area_of else []
            while waiting:
                node = waiting.pop()
                if node not in area_of:
                    area_of[node] = first
                    waiting += joined[node]
        return area_of


@lru_cache(maxsize=16)
def _find_neighbors(board):
    """Return {(location, side): location}, without sides at the wall."""
    neighbors = {}
    for number, cell in enumerate(board.cells):
        for side, (down, right) in enumerate(STEP if cell else ()):
            beside = board.find_number((cell[0] + down, cell[1] + right))
            if beside is not None:
                neighbors[number, side] = beside
    for number, start in enumerate(board.starts, start=len(board.cells)):
        cell = board.find_number(start.cell)
        neighbors[cell, start.side] = number
        neighbors[number, opposite_side(start.side)] = cell
    return neighbors
