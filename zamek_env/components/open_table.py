"""The open table: a board without border, in just the memory that a game of that number of tiles can reach (rule C1).

TABLE DESCRIPTION
    The start tile lies at cell (0, 0), rows grow southward; negative numbers are cells like others. Every cell has a
    number, and cells so far apart that no game reaches both share one:

        ┌─────────┬─────────┐       a rectangle of H rows and 2H columns, repeated over the table; each row of
        │ a       │         │       rectangles is shifted by H columns against the one above it
        ├────┬────┴────┬────┤
        │    │ a       │    │       so two cells with one number (a) are 2H or more steps from side to side apart
        └────┴─────────┴────┘

    Tiles lie side by side, and an empty cell counts only where it touches one. With n tiles the two cells farthest
    apart are the empty ones at both ends of n tiles in one line, n + 1 steps. Asking for a neighbour, even a diagonal
    one, goes no farther than that. Hence 2H = n + 2, rounded up to an even number, is enough: no two cells of a game
    are mixed up, no cell is ever missing, and no placement is refused.

    Numbers 0 … W * W - 1 are the window around the start tile, row by row: what the planes of an observation show, and
    where actions name cells by their numbers. The numbers after it, from a full word of a bit set on, are all the rest.
    A cell 2H - (W - 1) or more steps from the start tile may bear a number of the window, whose cell then stays out of
    reach: it is shown and named there. It takes 50 tiles in one direction (with 48 tiles 30) to come so far.

    A table with an edge (rule H7) is small: its cells are numbered row by row, and the window is all of it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from zamek_env.components.bitset import WORD_BITS, num_words


@dataclass(frozen=True)
class OpenTable:
    """A board without border for games of at most `tiles` tiles, the start tile among them."""

    tiles: int
    window: int  # rows and columns of the window, an odd number
    edge: tuple[int, int] | None = None  # rows and columns of the table where it ends somewhere, odd numbers (rule H7)

    starts: ClassVar[tuple[()]] = ()  # what only a wall has
    track: ClassVar[tuple[()]] = ()
    towers: ClassVar[tuple[()]] = ()
    token_towers: ClassVar[tuple[()]] = ()
    gates: ClassVar[tuple[()]] = ()

    @cached_property
    def period(self) -> int:
        """Rows after which the numbers repeat, and half the columns after which they do: H in the drawing."""
        return (self.tiles + 3) // 2

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the window; of the whole table where that has an edge."""
        return self.edge or (self.window, self.window)

    @property
    def first_beyond(self) -> int:
        """The lowest number of a cell beyond the window."""
        return num_words(self.window**2) * WORD_BITS

    @property
    def num_spots(self) -> int:
        """Most empty cells beyond the window that can touch a tile when one must be laid.

        Each tile laid takes one such cell and brings three at most; the first one brought four.
        """
        return 0 if self.edge else 4 + 2 * (self.tiles - 2)

    @cached_property
    def cells(self) -> tuple[tuple[int, int] | None, ...]:
        """For each number the nearest cell to (0, 0) that has it, as (row, column); None where no cell has."""
        if self.edge:
            return tuple(self._shown)
        cells = {self._numbers[self._fold(cell)]: cell for cell in reversed(self._nearest)}
        return tuple(cells.get(number) for number in range(max(cells) + 1))

    def find_number(self, cell: tuple[int, int]) -> int | None:
        """Return the number of `cell`, None beyond the edge."""
        return self._numbers.get(cell if self.edge else self._fold(cell))

    @property
    def _shown(self) -> list[tuple[int, int]]:
        """The cells of the window, or of a table with an edge, row by row."""
        rows, columns = (range(-(size // 2), size // 2 + 1) for size in self.shape)
        return [(row, column) for row in rows for column in columns]

    def _fold(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the cell of the rectangle at (0, 0) that lies where `cell` lies in its own."""
        rectangle, row = divmod(cell[0], self.period)
        return row, (cell[1] - rectangle * self.period) % (2 * self.period)

    @cached_property
    def _nearest(self) -> list[tuple[int, int]]:
        """Cells that have all numbers, the nearest to (0, 0) first."""
        near = range(-self.period, self.period + 1)
        square = [(row, column) for row in near for column in near]
        return sorted(square, key=lambda cell: (abs(cell[0]) + abs(cell[1]), cell))

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        """The number of each cell of the rectangle at (0, 0), or of a table with an edge."""
        shown = self._shown
        if self.edge:
            return {cell: number for number, cell in enumerate(shown)}
        numbers = {self._fold(cell): number for number, cell in enumerate(shown)}
        for cell in self._nearest:
            numbers.setdefault(self._fold(cell), self.first_beyond - len(shown) + len(numbers))
        return numbers
