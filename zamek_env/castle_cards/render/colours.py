"""The colours of pictures of castle-cards, `#rrggbb` or `#rrggbbaa`.

Zones are told apart by the place of their spaces too, and players by the numbers on their pawns.
"""

PAPER, WORDS, ROW = "#f6f1e6", "#2b2621", "#fffaee"  # next to the castle
MEADOW, TUFT = "#c9d9ae", "#a9bd86"
WALL, WALL_EDGE, MERLON, COURT = "#b9b2a6", "#7f786d", "#cfc8bc", "#d8c6a6"
GROUND = {"tower": "#cbd7e6", "rampart": "#ecd9b8", "court": "#ecdccb", "siege": "#dbe7c8", "outside": "#dbe7c9"}
SPACE_EDGE, PLACE = "#9a917f", "#665d50"  # of a space without a card: its edge and its name
CARD = {"tower": "#8fb0df", "rampart": "#e5b36c", "court": "#e2948d", "outside": "#a3c986", "card": "#bca5da"}
FACE, INK, EDGE, SHADOW = "#fbf4e2", "#241d18", "#4d443a", "#00000030"  # of a card
PLAYERS = ("#1f1f1f", "#f0e0b0", "#d55e00", "#009e73", "#9b5fc0")  # black, beige, red, green, purple
PLAYER_INK = ("#ffffff", "#2b2520", "#ffffff", "#ffffff", "#ffffff")
CHOICE, CHOICE_FILL, CHOICE_INK = "#0072b2", "#56b4e933", "#ffffff"
CLEAR = "#00000000"  # nothing is seen of it
LAST, LAST_EDGE = "#ffd23e", "#5b3f00"  # what has changed last

DARK = {  # what replaces the colours of what lies under and next to the cards; these mean nothing else
    PAPER: "#1e1b18",
    WORDS: "#ece4d8",
    ROW: "#37312b",
    MEADOW: "#2a3320",
    TUFT: "#3d4a2d",
    WALL: "#4d4841",
    WALL_EDGE: "#24201c",
    MERLON: "#5d574e",
    COURT: "#38312a",
    GROUND["tower"]: "#3c4859",
    GROUND["rampart"]: "#574a35",
    GROUND["court"]: "#4b3f39",
    GROUND["siege"]: "#36432b",
    GROUND["outside"]: "#36432c",
    SPACE_EDGE: "#1f1b17",
    PLACE: "#b9ad9a",
}
