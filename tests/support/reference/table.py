"""The table: the wall with its start spaces, the tiles, the pieces, and the areas they make."""

from dataclasses import dataclass

from tests.support.reference.faces import SIDES, STEPS, facing_port, ports_of_side, turned_ports
from tests.support.reference.joining import find_joined

FEATURES = {"h": "house", "p": "pigsty", "r": "road", "m": "meadow", "c": "chapel"}  # by the first letter of a segment
CHAPEL_POINTS = {1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21, 7: 28}  # S6: tiles -> points
LARGE_CHAPEL_POINTS = 36  # S6: 8 tiles or more


@dataclass(frozen=True)
class Area:
    """Segments joined through facing ports of one feature (Z7), with all that scoring asks about them."""

    feature: str
    segments: frozenset  # of (location, segment name); location is a (row, col) or a start space's id
    tiles: int  # tiles and start spaces, each once (Z18)
    open_ports: int
    followers: list[int]  # of player 0 and of player 1; prince and falconer count as one each (S5)
    shrines: int
    stocks: int
    nests: int
    pieces: frozenset  # (player, piece) of each prince and falconer in it

    @property
    def marks(self) -> int:
        """Shrines or stocks: a feature has either."""
        return self.shrines + self.stocks

    @property
    def is_complete(self) -> bool:
        """Whether the area is without open ports, and no meadow, which is never completed (Z16)."""
        return self.feature != "meadow" and self.open_ports == 0

    @property
    def controller(self) -> int | None:
        """The player with strictly more followers, or None (Z17, Z24, Z27)."""
        first, second = self.followers
        if first == second:
            return None
        return 0 if first > second else 1

    def points(self, token: int | None) -> int:
        """What the completed area pays its scorer, with a token of kind 2 or 3 used on it or none (Z18, Z23, S6)."""
        if self.feature == "chapel":
            points = CHAPEL_POINTS.get(self.tiles, LARGE_CHAPEL_POINTS)
        else:
            points = self.tiles * {"road": 2 if self.stocks else 1, "house": 1, "pigsty": 2}[self.feature]
        return points * self.prince_factor(self.controller) * (1 if token is None else 2)

    def has(self, player: int, piece: str) -> bool:
        """Whether the player's prince or falconer stands in the area."""
        return (player, piece) in self.pieces

    def prince_factor(self, player: int) -> int:
        """By how much the player's points for the area are multiplied: 2 with the player's own prince in it (S7)."""
        return 2 if self.has(player, "prince") else 1


class WalledTable:
    """The wall with its start spaces, the tiles placed inside it, and the pieces on them."""

    def __init__(self, wall: dict, tiles: dict):
        rows = wall["interior"]
        self.interior = {(row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#"}
        self.starts = {start["id"]: start for start in wall["starts"]}
        self.start_beside = {
            (tuple(start["cell"]), SIDES.index(start["side"])): start["id"] for start in wall["starts"]
        }
        self.tiles = {tile["id"]: tile for tile in tiles["tiles"]}
        self.turned = {
            (tile_id, rotation): turned_ports(tile, rotation)
            for tile_id, tile in self.tiles.items()
            for rotation in range(4)
        }
        self.board: dict = {}  # (row, col) -> (tile id, rotation)
        self.followers: list = []  # (player, (row, col), segment name, piece)

    def ports(self, location) -> dict[int, str]:
        """Port -> segment name of the tile or start space at a location; a start shows its inner side only (Z2)."""
        if location in self.starts:
            start = self.starts[location]
            return ports_of_side((SIDES.index(start["side"]) + 2) % 4, start["face"])
        return self.turned[self.board[location]]

    def neighbour(self, location, side: int):
        """The location beyond a side: a start space, an interior space (empty or not), or None for the bare wall."""
        if location in self.starts:
            return tuple(self.starts[location]["cell"])
        if (location, side) in self.start_beside:
            return self.start_beside[location, side]
        row, col = location
        beyond = (row + STEPS[side][0], col + STEPS[side][1])
        return beyond if beyond in self.interior else None

    def is_filled(self, location) -> bool:
        """Whether a tile lies there or the location is a start space, which counts as one (Z2)."""
        return location in self.starts or location in self.board

    def fits(self, tile: str, cell: tuple, rotation: int) -> bool:
        """Whether the tile may be placed: it touches something, and roads meet roads wherever it does (Z9, Z10)."""
        if cell not in self.interior or cell in self.board:
            return False
        own = self.turned[tile, rotation]
        touches = False
        for side in range(4):
            location = self.neighbour(cell, side)
            if location is None or not self.is_filled(location):
                continue
            touches = True
            middle = 3 * side + 1
            if (middle in own) != (facing_port(middle) in self.ports(location)):
                return False
        return touches

    def placements(self, tile: str) -> list[tuple]:
        """Every (cell, rotation) at which the tile may be placed."""
        return [
            (cell, rotation)
            for cell in sorted(self.interior)
            for rotation in range(4)
            if self.fits(tile, cell, rotation)
        ]

    def segments(self, location) -> list[str]:
        """Names of the segments at a location."""
        return sorted(set(self.ports(location).values()))

    def areas(self) -> list[Area]:
        """All areas on the table, those of start spaces alone too."""
        areas, seen = [], set()
        for location in [*self.starts, *self.board]:
            for name in self.segments(location):
                if (location, name) not in seen:
                    areas.append(self.area_of(location, name))
                    seen |= areas[-1].segments
        return areas

    def area_of(self, location, name: str) -> Area:
        """The area of one segment, by flood fill through facing ports (Z7, Z16)."""
        return self.measure(*find_joined(self, location, name))

    def measure(self, segments: frozenset, open_ports: int) -> Area:
        """Count what stands on the segments of one area."""
        any_name = next(iter(segments))[1]
        standing = [(player, piece) for player, cell, name, piece in self.followers if (cell, name) in segments]
        return Area(
            feature=FEATURES[any_name[0]],
            segments=segments,
            tiles=len({location for location, _ in segments}),
            open_ports=open_ports,
            followers=[sum(1 for owner, _ in standing if owner == player) for player in (0, 1)],
            shrines=self.count_printed("shrines", segments),
            stocks=self.count_printed("stocks", segments),
            nests=self.count_printed("nests", segments),
            pieces=frozenset((player, piece) for player, piece in standing if piece != "follower"),
        )

    def count_printed(self, what: str, segments: frozenset) -> int:
        """How many shrines, stocks or nests are printed on these segments."""
        return sum(self.component(location).get(what, []).count(name) for location, name in segments)

    def component(self, location) -> dict:
        """The data of the start space or tile at a location."""
        return self.starts[location] if location in self.starts else self.tiles[self.board[location][0]]

    def take_back_followers(self, area: Area) -> None:
        """Return all followers of an area, prince and falconer too, to their owners (Z20, S5)."""
        self.followers[:] = [standing for standing in self.followers if standing[1:3] not in area.segments]

    def largest_empty_group(self) -> int:
        """Spaces of the largest group of empty interior spaces joined by sides (Z28)."""
        empty, largest = self.interior - set(self.board), 0
        while empty:
            to_visit, size = [empty.pop()], 0
            while to_visit:
                row, col = to_visit.pop()
                size += 1
                for beside in [(row + down, col + right) for down, right in STEPS]:
                    if beside in empty:
                        empty.remove(beside)
                        to_visit.append(beside)
            largest = max(largest, size)
        return largest
