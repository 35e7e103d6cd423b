"""An open table: the start tile, those placed since, followers, areas (C1 to C4, C8, C10, H7 to H9)."""

from tests.support.reference.box import HouseRules
from tests.support.reference.faces import STEPS, turned_ports
from tests.support.reference.joining import find_joined
from tests.support.reference.land import FEATURES, Land

WITHOUT = HouseRules()
AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class OpenTable:
    """A table: a start tile at (0, 0), the tiles placed since, and the followers on them; mostly without border."""

    def __init__(self, start: dict, tiles: list[dict], players: int = 2, house: HouseRules = WITHOUT):
        self.players, self.house = players, house
        self.tiles = {tile["id"]: tile for tile in [start, *tiles]}
        self.turned = {
            (tile_id, rotation): turned_ports(tile, rotation)
            for tile_id, tile in self.tiles.items()
            for rotation in range(4)
        }
        self.shown = {laid: [shown(ports, side) for side in range(4)] for laid, ports in self.turned.items()}
        self.board: dict = {}  # (row, col) -> (tile id, rotation)
        if not self.house.start_in_bag:
            self.board[0, 0] = (start["id"], 0)
        self.followers: list = []  # (player, (row, col), segment name, piece)

    def ports(self, cell: tuple) -> dict[int, str]:
        """Port -> segment name of the tile on a cell."""
        return self.turned[self.board[cell]]

    def exists(self, cell: tuple) -> bool:
        """Whether the cell is on the table (H7)."""
        if self.house.table is None:
            return True
        rows, columns = self.house.table
        return -(rows // 2) <= cell[0] <= rows // 2 and -(columns // 2) <= cell[1] <= columns // 2

    def neighbour(self, cell: tuple, side: int) -> tuple | None:
        """The cell beyond a side, which may be beyond the table too; None where an edge closes the side (H8)."""
        there = (cell[0] + STEPS[side][0], cell[1] + STEPS[side][1])
        return None if self.house.edges_complete and not self.exists(there) else there

    def is_filled(self, cell: tuple) -> bool:
        """Whether a tile lies there."""
        return cell in self.board

    def fits(self, tile: str, cell: tuple, rotation: int) -> bool:
        """Whether the tile may be placed: on the table, beside something, and matching whatever it touches (C1, H7)."""
        return rotation in self._rotations(tile, cell)

    def placements(self, tile: str) -> list[tuple]:
        """Every (cell, rotation) at which the tile may be placed."""
        beside = {self.neighbour(cell, side) for cell in self.board for side in range(4)} - {None}
        return [(cell, rotation) for cell in sorted(beside) for rotation in self._rotations(tile, cell)]

    def _rotations(self, tile: str, cell: tuple) -> list[int]:
        """The rotations in which the tile may be placed on a cell."""
        if cell in self.board or not self.exists(cell):
            return []
        beside = [(side, self.board.get(self.neighbour(cell, side))) for side in range(4)]
        due = [(side, self.shown[laid][(side + 2) % 4]) for side, laid in beside if laid]
        turned = [self.shown[tile, rotation] for rotation in range(4)]
        return [rotation for rotation in range(4) if due and all(turned[rotation][side] == face for side, face in due)]

    def segments(self, cell: tuple) -> list[str]:
        """Names of the segments on a cell's tile, a monastery among them."""
        return sorted({*self.ports(cell).values(), *self.tile_on(cell).get("monastery", [])})

    def areas(self) -> list[Land]:
        """All areas on the table."""
        areas, seen = [], set()
        for cell in self.board:
            for name in self.segments(cell):
                if (cell, name) not in seen:
                    areas.append(self.area_of(cell, name))
                    seen |= areas[-1].segments
        return areas

    def area_of(self, cell: tuple, name: str) -> Land:
        """The area of one segment; a monastery is one by itself, with the eight cells around it (C4).

        Where edges close what runs into them, it has those of the eight that there are (H8).
        """
        segments, open_ports = find_joined(self, cell, name)
        tiles = {where for where, _ in segments}
        if FEATURES[name[0]] == "monastery":
            around = {(cell[0] + down, cell[1] + right) for down, right in AROUND}
            if self.house.edges_complete:
                around = {there for there in around if self.exists(there)}
            tiles |= around & set(self.board)
            open_ports = len(around - set(self.board))
        standing = [player for player, where, segment, _ in self.followers if (where, segment) in segments]
        return Land(
            feature=FEATURES[name[0]],
            segments=segments,
            tiles=len(tiles),
            open_ports=open_ports,
            followers=[standing.count(player) for player in range(self.players)],
            marks=sum(segment in self.tile_on(where).get("shields", []) for where, segment in segments),
            small_cities=self.house.small_city,
        )

    def cities_touched(self, field: Land) -> list[Land]:
        """The completed cities that a field touches, each once (C8)."""
        touched = {}
        for cell, name in field.segments:
            if name not in self.tile_on(cell).get("apart", []):
                cities = [self.area_of(cell, city) for city in self.segments(cell) if city[0] == "c"]
                touched |= {city.segments: city for city in cities if city.is_complete}
        return list(touched.values())

    def tile_on(self, cell: tuple) -> dict:
        """The data of the tile on a cell."""
        return self.tiles[self.board[cell][0]]

    def take_back_followers(self, area: Land) -> None:
        """Return all followers of an area to their owners (C5)."""
        self.followers[:] = [standing for standing in self.followers if standing[1:3] not in area.segments]


def shown(ports: dict[int, str], side: int) -> str:
    """What a side shows: a road where one leaves through its middle, or else city or field (C1)."""
    return FEATURES[ports.get(3 * side + 1, ports[3 * side])[0]]
