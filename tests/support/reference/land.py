"""An area of Carcassonne and what it is worth, completed or not (rules C4 to C6)."""

from dataclasses import dataclass

FEATURES = {"c": "city", "r": "road", "k": "monastery", "f": "field"}  # by the first letter of a segment
POINTS_A_TILE = {"road": 1, "city": 2, "monastery": 1}  # C4: of a completed area
POINTS_A_SHIELD = 2  # C4: of a completed city


@dataclass(frozen=True)
class Land:
    """Segments joined through facing ports of one feature, or a monastery, with all that scoring asks about them."""

    feature: str
    segments: frozenset  # of (cell, segment name)
    tiles: int  # each once; of a monastery its own and its neighbours (C4)
    open_ports: int  # ports that face an empty cell; of a monastery its empty neighbours
    followers: list[int]  # of each player
    marks: int  # shields
    small_cities: bool = False  # whether a city of two tiles pays less (H9)

    nests = 0  # what only the castle has
    pieces = frozenset()

    @property
    def is_complete(self) -> bool:
        """Whether nothing is open any more, and it is no field, which is never completed (C4, C8)."""
        return self.feature != "field" and self.open_ports == 0

    @property
    def owners(self) -> list[int]:
        """The players with most followers, all who tie, nobody where nobody stands (C5, C10)."""
        return [player for player, standing in enumerate(self.followers) if 0 < standing == max(self.followers)]

    @property
    def points(self) -> int:
        """What the completed area pays (C4, H9)."""
        if self.small_cities and self.feature == "city" and self.tiles == 2:
            return self.tiles + self.marks
        return POINTS_A_TILE[self.feature] * self.tiles + POINTS_A_SHIELD * self.marks

    @property
    def unfinished_points(self) -> int:
        """What an area that was not completed pays at the end: a point for each tile and shield (C6)."""
        return self.tiles + self.marks
