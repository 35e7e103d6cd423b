"""The colours of the picture, `#rrggbb` or `#rrggbbaa`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """How the ground of a feature is painted."""

    fill: str
    grain: str  # colour of what is strewn over it
    pattern: str | None  # roof, tufts, spots, houses or None
    walled: bool = False  # a wall runs where it meets other ground, with gates where roads end
    crossing: str = "fountain"  # what stands on this ground where several roads end together


LOOKS = {
    "house": Look("#c9603f", "#a5452b", "roof"),
    "pigsty": Look("#c79a86", "#a37460", "spots"),
    "meadow": Look("#8fb558", "#6f9740", "tufts"),
    "road": Look("#efe3c2", "#b9a274", None),
    "chapel": Look("#b9a9cf", "#8f7cab", "roof"),
    "city": Look("#dcb982", "#b58a55", "houses", walled=True),
    "field": Look("#9cc165", "#7ba648", "tufts", crossing="village"),
}
FALLBACKS = ("#7fa8b8", "#c9b458", "#a98bb5", "#7db39a", "#b58b6b")  # for features without a look, by their number


def look_of(feature: str, number: int = 0) -> Look:
    """Return the look of the feature called `feature`, the ruleset's feature number `number`."""
    plain = FALLBACKS[number % len(FALLBACKS)]
    return LOOKS.get(feature, Look(plain, plain, None))


PLAYERS = ("#2b5fb0", "#f4bf1b")
PLAYER_INK = ("#ffffff", "#3a2a12")  # words on a player's colour

PARCHMENT = "#f1e8d5"
PAPER = "#fbf6ea"
INK = "#46352a"
FAINT_INK = "#8d7b69"
SEAM = "#4d3527"  # between two segments
TILE_EDGE = "#3b2a1e55"
GROUND = "#d8cbb0"  # an empty space
GROUND_EDGE = "#bfae8b"
CLOTH = "#e6dbc2"  # an empty cell of the table
CLOTH_EDGE = "#cdbd99"

STONE = "#b7b0a4"
STONE_LIGHT = "#ded8cc"
STONE_PALE = "#cdc6b9"
STONE_DARK = "#8a8378"
STONE_EDGE = "#6f685e"
TOWER = "#c2a08f"
TOWER_EDGE = "#7a5648"
TOKEN = "#f7d774"
TOKEN_EDGE = "#9a7415"
WATER = "#5fa8d3"
WATER_EDGE = "#2f6f99"
WOOD = "#7a5230"
NEST = "#b98a4e"
PLASTER = "#fbf3e0"
ROOFS = ("#b9512f", "#cf7a3c", "#a8432f", "#c2603a")
SLATE = "#8a5a6b"
SHIELD = ("#f6f1e4", "#b8322a")
SHADOW = "#2a1c1233"
HIGHLIGHT = "#fff7c2"
