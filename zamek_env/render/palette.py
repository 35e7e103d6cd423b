"""The colours of the picture, `#rrggbb` or `#rrggbbaa`.

People with red-green colour blindness can tell players and grounds apart too: by lightness, and by the pattern of the
ground (`tests/pictures/test_palette.py`).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """The colours of the ground of a feature."""

    fill: str
    grain: str  # colour of what is strewn over it
    pattern: str | None  # roof, tufts, spots, houses or None
    walled: bool = False  # a wall runs where it meets other ground, with gates where roads end
    crossing: str = "fountain"  # what stands on this ground where several roads end together


LOOKS = {
    "house": Look("#b04a2a", "#8a3519", "roof"),
    "pigsty": Look("#c79a86", "#a37460", "spots"),
    "meadow": Look("#93ba5b", "#719a42", "tufts"),
    "road": Look("#efe3c2", "#b9a274", None),
    "chapel": Look("#b9a9cf", "#8f7cab", "roof"),
    "city": Look("#e8c08c", "#bf9259", "houses", walled=True),
    "field": Look("#7fa94b", "#628a34", "tufts", crossing="village"),
}
FALLBACKS = ("#7fa8b8", "#c9b458", "#a98bb5", "#7db39a", "#b58b6b")  # for features without a look, by their number

PLAYERS = ("#2b5fb0", "#f4bf1b", "#c8442c", "#26211d", "#f4f1ec")
PLAYER_INK = ("#ffffff", "#3a2a12", "#ffffff", "#ffffff", "#3a2a12")  # words on a player's colour

INK = "#46352a"
FAINT_INK = "#8d7b69"
SEAM = "#4d3527"  # between two segments
TILE_EDGE = "#3b2a1e55"

# What lies under and next to the game. These colours mean nothing else, so that dark pictures can replace them.
PARCHMENT = "#f1e8d5"
PAPER = "#fbf6ea"
WORDS = "#46352b"
FAINT_WORDS = "#7d6c5b"
GROUND = "#d8cbb0"  # an empty space
GROUND_EDGE = "#bfae8b"
CLOTH = "#e6dbc2"  # an empty cell of the table
CLOTH_EDGE = "#cdbd99"
DARK = {  # what replaces them
    PARCHMENT: "#1e1a17",
    PAPER: "#2b2521",
    WORDS: "#f0e6d4",
    FAINT_WORDS: "#b5a593",
    GROUND: "#463c32",
    GROUND_EDGE: "#5e5145",
    CLOTH: "#2e2823",
    CLOTH_EDGE: "#51463b",
}

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
CHOICES = (
    "#dcebf5",
    "#0072b2",
)  # from the worst to the best: blue of M. Okabe and K. Ito, Color Universal Design (2008)
CHOICE_INKS = ("#1c1510", "#ffffff")  # words on faint and on strong ones
CHOICE_EDGE = "#003f63"
