"""Deals of games of which the turns are told: an order of drawing in which the tiles come as they were laid."""

from collections.abc import Iterable
from typing import NamedTuple

from zamek_env.common.messages import show
from zamek_env.components.model import STEP
from zamek_env.ruleset import Ruleset

Cell = tuple[int, int]


class TilesLeft:
    """The tiles of a `Ruleset` that have not been drawn yet; copies are taken in the order of the components."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._numbers: dict[str, list[int]] = {}  # id -> numbers of the copies left
        for number, tile in enumerate(ruleset.components.tiles):
            self._numbers.setdefault(tile.id, []).append(number)
        self._counts = {name: len(numbers) for name, numbers in self._numbers.items()}

    def take(self, name: object) -> int:
        """Return the number of a tile called `name`. Raises `ValueError` where none is left."""
        if not isinstance(name, str) or name not in self._numbers:
            raise ValueError(f"there is no tile {show(name)}")
        if not self._numbers[name]:
            often = "was" if self._counts[name] == 1 else f"is there {self._counts[name]} times and was so often"
            raise ValueError(f"{name} {often} drawn before")
        return self._numbers[name].pop(0)

    def list_numbers(self) -> list[int]:
        """Return the numbers of all that are left, in ascending order."""
        return sorted(number for numbers in self._numbers.values() for number in numbers)


class Shown(NamedTuple):
    """A tile that left the bag for good, as all saw it."""

    tile: int
    cell: Cell | None = None  # where it was laid; None: it left the game


def order_tiles(ruleset: Ruleset, shown: Iterable[Shown], start: int | None) -> list[int | None]:
    """Return the first tiles of a deck that is drawn so that all of `shown` come in this order (rules C1, H1, H2).

    `start` is the tile that came first and lies in the middle, None where none came (rule H4). Who holds tiles draws
    them in the order in which they are used. None stands for a tile that has been drawn and not been used.
    """
    before: list[int | None] = [] if start is None else [start]
    if not ruleset.sizes.hand_size:
        return before + [tile for tile, _ in shown]
    table = _Table(ruleset, len(before))
    for tile, cell in shown:
        table.show(tile, cell)
    return before + table.list_drawn()


def fill_order(order: Iterable[int | None], left: Iterable[int]) -> list[int]:
    """Return `order`, which `order_tiles` found, with tiles of `left` for those that are not known."""
    others = iter(left)
    return [next(others) if tile is None else tile for tile in order]


class _Table:
    """Who draws when, as follows from the tiles that are shown; which tiles are drawn follows from later turns."""

    def __init__(self, ruleset, drawn):
        self._size, self._plays_again = ruleset.sizes.hand_size, ruleset.sizes.holes_play_again
        self._bag = ruleset.sizes.tiles - drawn
        self._drawers: list[int] = []  # who drew each tile, in the order of drawing
        self._used: list[list[int]] = [[] for _ in range(ruleset.players)]  # tiles that each has laid or lost, in order
        self._held = [0] * ruleset.players
        self._lost = [0] * ruleset.players  # tiles of the hand that is being lost
        self._begun = [0] * ruleset.players  # how many each had used when the hand was drawn anew
        self._cells, self._player = {(0, 0)}, 0
        for player in range(ruleset.players):
            self._fill(player)

    def show(self, tile, cell):
        """Let the player whose turn it is lay a tile of the hand, or lose it where `cell` is None."""
        for _ in self._held:
            self._fill(self._player)
            if not self._held[self._player]:
                self._pass_on()
        player = self._player
        self._used[player].append(tile)
        self._held[player] -= 1
        if cell is None:
            self._lost[player] += 1
            self._order_lost(player)
            return
        self._cells.add(cell)
        self._fill(player)
        around = {(cell[0] + down, cell[1] + right) for down, right in STEP}
        if not (self._plays_again and around <= self._cells):
            self._pass_on()

    def list_drawn(self):
        """Return the tiles in the order of drawing, None for those of which nothing is known."""
        used = [iter(tiles) for tiles in self._used]
        return [next(used[player], None) for player in self._drawers]

    def _order_lost(self, player):
        """Once a whole hand is lost, let its tiles be drawn so that they lie in the order in which they are told.

        All that was laid from this hand lay in the first slot, one after another.
        """
        if self._lost[player] == self._size:
            used, begun = self._used[player], self._begun[player]
            laid, (first, *others) = used[begun : -self._size], used[-self._size :]
            used[begun:] = [*laid[:1], *others, *laid[1:], first] if laid else [first, *others]
            self._begun[player], self._lost[player] = len(used), 0

    def _pass_on(self):
        self._player = (self._player + 1) % len(self._held)

    def _fill(self, player):
        drawn = min(self._size - self._held[player], self._bag)
        self._drawers += [player] * drawn
        self._held[player] += drawn
        self._bag -= drawn
