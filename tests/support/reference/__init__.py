"""The reference engine: all games played slowly and plainly from the numbered rules, an oracle for the fast one.

It knows the component data and nothing of the fast engine. What can be recomputed is recomputed: areas are flood-filled
from the board each time somebody asks, supplies are counted from the pieces in the castle, and who still has to score
is read off the board after every step.

    box.py         what a ruleset's files say: board, tiles, and the few rules in which rulesets differ
    faces.py       which port of a turned tile shows which segment
    joining.py     how segments join to areas
    turns.py       turns and games as the record writes them
    table.py       Zamek and Sokół: what lies inside the wall; `Area` is a value
    scoring.py     a marker's way along the track, nests from the pool, the end of the game
    game.py        the turn
    open_table.py  Carcassonne: what lies on the table
    land.py        an area, a value, and its points
    carcassonne.py the turn and the end of the game
"""

from tests.support.reference.box import Box, CarcassonneRules, read_box
from tests.support.reference.carcassonne import ReferenceCarcassonne
from tests.support.reference.faces import STEPS
from tests.support.reference.game import ReferenceGame
from tests.support.reference.land import Land
from tests.support.reference.open_table import OpenTable
from tests.support.reference.scoring import move_marker
from tests.support.reference.table import Area

__all__ = [
    "STEPS",
    "Area",
    "Box",
    "CarcassonneRules",
    "Land",
    "OpenTable",
    "ReferenceCarcassonne",
    "ReferenceGame",
    "move_marker",
    "new_game",
    "read_box",
]


def new_game(box: Box, deck: list[str], tokens: dict[int, int], **chance) -> ReferenceGame | ReferenceCarcassonne:
    """A game of what is in the box, for a known deck and known tower tokens, and a known `shake` of the bag."""
    game = ReferenceCarcassonne if isinstance(box.rules, CarcassonneRules) else ReferenceGame
    return game(box.board, box.tiles, deck, tokens, box.rules, **chance)
