"""Drawn positions on the open table of Carcassonne, played by both engines side by side.

NOTATION
    Scripts are those of `drawn.py`, in the words of Carcassonne:

        0: V at 0,1 turned 1, thief on r1
        1: E at -1,0 turned 2, knight on c1

    V at 0,1 turned 1       the tile drawn, (row, column) of its cell, clockwise quarter turns; the start tile, a D,
                            lies at 0,0 as it is; rows grow southward
    knight on c1            who is sent to which segment of that tile: knight to city, thief to road, monk to monastery,
                            farmer to field
    choose V                which tile of a hand is laid; may be left out before the step that lays it

    A picture shows tiles as they lie, each by its letter and its quarter turns, with 0 left out; `.` is an empty cell,
    `*` the start tile:

        .   E2  .
        V1  *   V3

    They are laid one after another, the players taking turns and sending nobody: of those that touch what lies there
    and fit, always the first one in the order of reading.

THE TILES, as they are unturned: north, east, south and west side, what is on them

    A  F F R F  monastery k1, road r1           N  C F F C  c1 in the corner
    B  F F F F  monastery k1                    O  C R R C  c1 in the corner, shield, road r1 curves, f2 in the curve
    C  C C C C  shield                          P  C R R C  the same without shield
    D  C R F R  road r1, f1 north of it         Q  C C F C  shield
    E  C F F F                                  R  C C F C
    F  F C F C  c1 from east to west, shield    S  C C R C  shield, road r1, f1 east of it
    G  F C F C  c1 from east to west            T  C C R C  road r1, f1 east of it
    H  C F C F  c1 north, c2 south              U  F R F R  road r1, f1 north of it
    I  C F F C  c1 north, c2 west               V  F F R R  road r1 curves, f2 in the curve
    J  C R R F  road r1 curves, f2 in the curve W  F R R R  r1 east, r2 south, r3 west; f1 north, f2, f3 clockwise
    K  C F R R  road r1 curves, f2 in the curve X  R R R R  r1 to r4 clockwise from north
    L  C R R R  r1 east, r2 south, r3 west      Y  C F R F  road r1, f1 east of it
    M  C F F C  c1 in the corner, shield        Z  F R F R  monastery k1, r1 east, r2 west, f1 north of them
"""

from typing import ClassVar

from tests.support.drawn import Drawn
from tests.support.lockstep import box_of, compare_seen
from tests.support.reference import OpenTable

CHOOSE = "choose "
START = "*"
EMPTY = "."


class DrawnTable(Drawn):
    """A game on the open table that was set up to show something, and its twin in the reference engine.

    Args:
        tiles: letters of the tiles in the order of drawing; all others follow them.
        only: whether all tiles but `tiles` have left the game before its first turn.
        ruleset: the name of its ruleset.
        laid: a picture of tiles that are drawn and laid before all those.
        players: how many there are, one to five.
        rules: the house rules.

    With `only` there must be as many `tiles` as are drawn before the first turn.
    """

    roles: ClassVar = {"knight": "c", "thief": "r", "monk": "k", "farmer": "f"}  # (rules C3, C8)
    special_pieces = ()

    def __init__(self, tiles="", only=False, ruleset="carcassonne", laid="", players=2, rules=None):
        steps = order_picture(laid, ruleset)
        named = " ".join([*(step[0] for step in steps), tiles])
        super().__init__(named, only=only, ruleset=ruleset, players=players, rules=rules)
        for step in steps:
            self.play(f"{self.game.current_player}: {step}")

    def seen_by(self, player):
        """Return all hands as a player sees them, or None for what all see, as letters; `.` where nothing is seen."""
        compare_seen(self.game, self.twin)
        return ["".join(tile or "." for tile in hand) for hand in self.twin.seen_hands(player)]

    def _take_step(self, step):
        if self.twin.phase == "choose" and not step.startswith(CHOOSE):
            super()._take_step(CHOOSE + step[0])
        super()._take_step(step)

    def read_step(self, step):
        """Return what `step` decides, legal or not, in the words of the reference engine."""
        if step.startswith(CHOOSE):
            return "choose", self.twin.hands[self.twin.player].index(step.removeprefix(CHOOSE))
        return super().read_step(step)

    def _number(self, decision):
        if decision[0] == "choose":
            return self.game.ruleset.actions.choose(decision[1])
        return super()._number(decision)

    def _write_step(self, decision):
        if decision[0] == "choose":
            return CHOOSE + self.twin.hands[self.twin.player][decision[1]]
        return super()._write_step(decision)

    def _without_order(self, entries):
        """Return the entries without their order, and without the scores that come of it."""
        return sorted([*entry[:4], *entry[5:]] for entry in entries)


def order_picture(picture, ruleset):
    """Return the steps that lay the tiles of a picture, one after another."""
    drawn = read_picture(picture)
    board, tiles, _ = box_of(ruleset)
    table, steps = OpenTable(board["start"], tiles["tiles"]), []
    while drawn:
        cell = next((cell for cell, (tile, rotation) in drawn.items() if table.fits(tile, cell, rotation)), None)
        assert cell, f"of {drawn} nothing can be laid"
        tile, rotation = table.board[cell] = drawn.pop(cell)
        steps.append(f"{tile} at {cell[0]},{cell[1]}" + (f" turned {rotation}" if rotation else ""))
    return steps


def read_picture(picture):
    """Return {cell: (tile, rotation)} of all tiles in a picture but the start tile, in the order of reading."""
    rows = [line.split() for line in picture.strip().splitlines()]
    marks = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}
    starts = [cell for cell, mark in marks.items() if mark == START]
    assert len(starts) == bool(marks), f"there must be one {START} in the picture:\n{picture}"
    return {
        (cell[0] - starts[0][0], cell[1] - starts[0][1]): (mark[0], int(mark[1:] or 0))
        for cell, mark in marks.items()
        if mark not in (START, EMPTY)
    }
