"""The board read from nothing but the faces that lie on it: plain and slow, to check the engine against."""

from collections import Counter

from zamek_env.core.components import (
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    STEP,
    facing_port,
    opposite_side,
    rotated_port,
)
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE
from zamek_env.core.tabulation import edge_of_side


class Board:
    """What lies where, read from the faces: places, neighbours, segments at ports, and areas by flood fill."""

    def __init__(self, ruleset, state):
        self.ruleset = ruleset
        self.state = state
        self.faces = state.face.tolist()
        self.places = [place for place, face in enumerate(self.faces) if face != EMPTY]
        self.neighbors = _find_neighbors(ruleset)  # (place, side) -> place
        self.ports = {}  # (place, port) -> node
        self.segments = {}  # node -> `Segment`
        tile_node = ruleset.tables[0].tile_node.tolist()
        for place in self.places:
            tile, rotation = self.lying_at(place)
            for slot, segment in enumerate(ruleset.tile(tile).segments):
                self.segments[tile_node[tile][slot]] = segment
                for port in segment.ports:
                    self.ports[place, rotated_port(port, rotation)] = tile_node[tile][slot]
        self.place_of = {node: place for (place, _), node in self.ports.items()}
        self.area_of = self._find_areas()  # node -> name of its area, the smallest node in it
        self.members = {}  # name of an area -> nodes
        for node, name in self.area_of.items():
            self.members.setdefault(name, []).append(node)
        self.open_ports = self._count_open_ports()
        completing = {name for name in self.members if self.feature(name).completes}
        self.complete = {name for name in completing if self.open_ports[name] == 0}  # rule Z16

    def lying_at(self, place):
        """Return (tile number, rotation) of what lies at `place`."""
        face, sizes = self.faces[place], self.ruleset.sizes
        if place >= sizes.cells:
            return face - NUM_ROTATIONS * sizes.tiles + sizes.tiles, 0
        return divmod(face, NUM_ROTATIONS)

    def edge(self, tile, rotation, side):
        """Return what `side` of the tile counts as, so rotated, when sides meet (rule Z10)."""
        return edge_of_side(self.ruleset.components, self.ruleset.tile(tile), (side - rotation) % NUM_SIDES)

    def feature(self, node):
        """Return the `Feature` of the segment or area called `node`."""
        return self.ruleset.components.feature(self.segments[node].feature)

    def is_filled(self, place):
        """Return whether something lies at `place`; nothing lies beyond the wall, which is None."""
        return place is not None and self.faces[place] != EMPTY

    def beside(self, place):
        """Return the four neighbours of `place`, None for the wall."""
        return [self.neighbors.get((place, side)) for side in range(NUM_SIDES)]

    def beyond(self, place, port):
        """Return the place that `port` faces, None for the wall."""
        return self.neighbors.get((place, port // PORTS_PER_SIDE))

    def facing(self, place):
        """Return the nodes of its neighbours whose ports face `place`."""
        return [node for (other, port), node in self.ports.items() if self.beyond(other, port) == place]

    def edge_beside(self, place, side):
        """Return what the neighbour on `side` shows there, None where nothing lies."""
        beside = self.neighbors.get((place, side))
        return self.edge(*self.lying_at(beside), opposite_side(side)) if self.is_filled(beside) else None

    def fits(self, tile, cell, rotation):
        """Return whether `tile` may be laid on `cell` in `rotation` (rules Z9, Z10)."""
        if self.is_filled(cell):
            return False
        shown = [self.edge_beside(cell, side) for side in range(NUM_SIDES)]
        return any(shown) and all(edge in (None, self.edge(tile, rotation, side)) for side, edge in enumerate(shown))

    def count_followers(self, area):
        """Return how many followers of each player stand in `area`."""
        nodes = [[int(node) for node in row if node != NONE] for row in self.state.follower_node]
        return [sum(self.area_of[node] == area for node in row) for row in nodes]

    def count_tiles(self, area):
        """Return the size of `area`: tiles and start spaces, each once (rule Z18)."""
        return len({self.place_of[node] for node in self.members[area]})

    def _count_open_ports(self):
        """Return {area: ports that face an empty space} (rule Z16)."""
        facing = {spot: self.beyond(*spot) for spot in self.ports}
        is_open = {spot: place is not None and not self.is_filled(place) for spot, place in facing.items()}
        return Counter(self.area_of[node] for spot, node in self.ports.items() if is_open[spot])

    def _find_areas(self):
        joined = {node: set() for node in self.ports.values()}
        for (place, port), node in self.ports.items():
            other = self.ports.get((self.beyond(place, port), facing_port(port)))
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


def _find_neighbors(ruleset):
    wall = ruleset.components.board
    numbers = {cell: number for number, cell in enumerate(wall.cells)}
    neighbors = {}
    for (row, column), number in numbers.items():
        for side, (down, right) in enumerate(STEP):
            if (row + down, column + right) in numbers:
                neighbors[number, side] = numbers[row + down, column + right]
    for number, start in enumerate(wall.starts, start=len(numbers)):
        neighbors[numbers[start.cell], start.side] = number
        neighbors[number, opposite_side(start.side)] = numbers[start.cell]
    return neighbors
