"""The reference engine: Zamek and Sokół played slowly and plainly from the numbered rules, an oracle for the fast one.

It knows the component data and nothing of the fast engine. What can be recomputed is recomputed: areas are flood-filled
from the board each time somebody asks, supplies are counted from the pieces in the castle, and who still has to score
is read off the board after every step.

    box.py      what a ruleset's files say: wall, tiles, and the few rules in which rulesets differ
    castle.py   what lies on the table; `Area` is a value
    scoring.py  a marker's way along the track, nests from the pool, the end of the game
    game.py     the turn
"""

from tests.reference.box import ZAMEK, Box, Rules, read_box, widen
from tests.reference.castle import FEATURES, Area, Castle
from tests.reference.faces import SIDES, STEPS, facing_port, ports_of_side, turned_ports
from tests.reference.game import ReferenceGame
from tests.reference.scoring import end_scoring, move_marker, take_nests
from tests.reference.turns import copy_turn, scores_after

__all__ = [
    "FEATURES",
    "SIDES",
    "STEPS",
    "ZAMEK",
    "Area",
    "Box",
    "Castle",
    "ReferenceGame",
    "Rules",
    "copy_turn",
    "end_scoring",
    "facing_port",
    "move_marker",
    "ports_of_side",
    "read_box",
    "scores_after",
    "take_nests",
    "turned_ports",
    "widen",
]
