"""Finds orders in which all tiles of Carcassonne can be laid in one line, each on the far side of the one before."""

from collections import Counter

from tests.support.lockstep import box_of
from tests.support.reference import OpenTable
from tests.support.reference.open_table import shown

NORTH, EAST, SOUTH, WEST = range(4)
LINES = {  # name -> the side by which the n-th tile, 0 the start tile, leads to the next
    "north": lambda number: NORTH,
    "east": lambda number: EAST,
    "south": lambda number: SOUTH,
    "west": lambda number: WEST,
    "south-east": lambda number: (EAST, SOUTH)[number % 2],
    "north-west": lambda number: (NORTH, WEST)[number % 2],
}


class LongLine:
    """A search for such an order, depth first; tiles that show one edge only come first: they have fewest places."""

    def __init__(self, ruleset, line):
        board, tiles, _ = box_of(ruleset)
        self.leads = LINES[line]
        self.table = OpenTable(board["start"], tiles["tiles"])
        self.left = Counter(tile["id"] for tile in tiles["tiles"])
        self.letters = sorted(self.left, key=self._count_edges)
        self.steps = []  # (letter, cell, rotation)
        self.hopeless = set()  # (what the end of the line shows, tiles left)
        assert self._lay_on((0, 0)), f"there is no line {line} of all tiles of {ruleset}"

    def _count_edges(self, letter):
        return len({shown(self.table.turned[letter, 0], side) for side in range(4)})

    def _lay_on(self, end):
        """Lay all tiles that are left, the first beside the cell `end`; return whether that was possible."""
        if not self.left:
            return True
        cell = self.table.neighbour(end, self.leads(len(self.steps)))
        for letter, rotation in [(letter, rotation) for letter in self.letters for rotation in range(4)]:
            if self.left[letter] and self.table.fits(letter, cell, rotation):
                self.left -= Counter([letter])
                open_end = shown(self.table.turned[letter, rotation], self.leads(len(self.steps) + 1))
                situation = (open_end, tuple(sorted(self.left.items())))
                self.steps.append((letter, cell, rotation))
                self.table.board[cell] = (letter, rotation)
                if situation not in self.hopeless and self._lay_on(cell):
                    return True
                self.hopeless.add(situation)
                del self.table.board[cell]
                self.steps.pop()
                self.left += Counter([letter])
        return False
