"""Finds an order of drawing that fits the recorded turns or moves of a game.

Games of which only the moves are known, such as those played elsewhere, are played here.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from zamek_env.common.messages import show
from zamek_env.components.model import STEP
from zamek_env.core.log import DISCARDED, LOGGED_EVENT, LOGGED_SUBJECT
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, SEND
from zamek_env.notation.action_line import CHOSEN, NOTHING, TILE_AT, word
from zamek_env.ruleset import Ruleset
from zamek_env.tile_game import TileGame

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
        """Return the numbers of all tiles left, in ascending order."""
        return sorted(number for numbers in self._numbers.values() for number in numbers)


class Shown(NamedTuple):
    """A tile that left the bag for good, as all saw it."""

    tile: int
    cell: Cell | None = None  # where it was laid; None: it left the game


def order_tiles(ruleset: Ruleset, shown: Iterable[Shown], start: int | None) -> list[int | None]:
    """Return the first tiles of a deck from which all of `shown` come in this order (rules C1, H1, H2).

    `start` is the tile that came first and lies in the middle, None where none came (rule H4). Players who hold tiles
    draw them in the order in which they use them. None in the result is a tile that was drawn and not used.
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
    """The order in which players draw, as it follows from the tiles shown; later turns tell which tiles they drew."""

    def __init__(self, ruleset, drawn):
        self._size, self._plays_again = ruleset.sizes.hand_size, ruleset.sizes.holes_play_again
        self._bag = ruleset.sizes.tiles - drawn
        self._drawers: list[int] = []  # who drew each tile, in the order of drawing
        self._used: list[list[int]] = [[] for _ in range(ruleset.players)]  # tiles that each has laid or lost, in order
        self._held = [0] * ruleset.players
        self._lost = [0] * ruleset.players  # tiles of the hand that is being lost
        self._begun = [0] * ruleset.players  # how many each had used when the hand was redrawn
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
        """Once a whole hand is lost, reorder its tiles to match the order in which they are recorded.

        All tiles laid from this hand were in the first slot, one after another.
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


DISCARD = "discard "  # begins the move that tells of a tile that fitted nowhere
START = "start "  # begins the one that tells of the tile in the middle, where that is drawn (rule H4)


def play_moves(ruleset: Ruleset, moves: Iterable[str], seed: int | None) -> TileGame:
    """Return the game after `moves`, as `Game.from_moves` describes."""
    if isinstance(moves, str | bytes | Mapping | Set) or not isinstance(moves, Iterable):
        raise TypeError(f"moves must be a row of texts, not {show(moves)}")
    texts = list(moves)
    game = TileGame.from_deal(ruleset, _order(ruleset, texts, seed), seed=seed)
    discarded = _list_discarded(game)
    for number, text in enumerate(texts, 1):
        with _numbered(number, text):
            if text.startswith(DISCARD):
                tile = text.removeprefix(DISCARD)
                if discarded[:1] != [tile]:
                    raise ValueError(f"{discarded[0]} was discarded first" if discarded else f"{tile} fits somewhere")
                discarded.pop(0)
            elif not text.startswith(START):
                if (placed := TILE_AT.fullmatch(text)) and placed[1] in discarded:
                    raise ValueError(f"{placed[1]} fits nowhere and leaves the game")
                discarded += _play(game, text)
    return game


def _order(ruleset, texts, seed):
    """Return the first tiles of the deck, in the order that the moves imply."""
    left, shown, start = TilesLeft(ruleset), [], None
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise TypeError(f"moves must be texts, and move {number} is {show(text)}")
        placed = TILE_AT.fullmatch(text)
        with _numbered(number, text):
            if placed:
                shown.append(Shown(left.take(unquote(placed[1])), (int(placed[2]), int(placed[3]))))
            elif text.startswith(CHOSEN) and number == len(texts):  # its placement is not told
                shown.append(Shown(left.take(unquote(text.removeprefix(CHOSEN)))))
            elif text.startswith(DISCARD):
                shown.append(Shown(left.take(unquote(text.removeprefix(DISCARD)))))
            elif text.startswith(START):
                if number > 1 or not ruleset.sizes.starts_in_bag:
                    raise ValueError("it can only be the first move, where the start tile is drawn (H4)")
                start = left.take(unquote(text.removeprefix(START)))
    rest = left.list_numbers()
    if start is None and ruleset.sizes.starts_in_bag and rest:
        start = rest.pop(int(np.random.default_rng(seed).integers(len(rest))))
    return fill_order(order_tiles(ruleset, shown, start), np.random.default_rng(seed).permutation(rest).tolist())


@contextmanager
def _numbered(number: int, text: str) -> Iterator[None]:
    """Let errors of the block begin with the number of the move and its text."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"move {number}, {show(text)}: {error}") from error


def _list_discarded(game):
    """Return the words of the tiles that left the game in the last step."""
    events = game.last_events
    subjects = events[events[:, LOGGED_EVENT] == DISCARDED, LOGGED_SUBJECT]
    return [word(game.ruleset.tile(tile).id) for tile in subjects.tolist()]


def _play(game, text):
    """Play a move, after the actions left out before it: sending nobody, choosing a tile; return discarded tiles."""
    phase, placed = game.phase, TILE_AT.fullmatch(text)
    if (text == NOTHING and phase != PHASE_NAMES[SEND]) or (text.startswith(CHOSEN) and phase != PHASE_NAMES[CHOOSE]):
        return []
    discarded = []
    if placed and phase == PHASE_NAMES[SEND]:
        discarded += _play(game, NOTHING)
    if placed and game.phase == PHASE_NAMES[CHOOSE]:
        discarded += _play(game, f"{CHOSEN}{placed[1]}")
    game.step(game.parse_action(text))
    return discarded + _list_discarded(game)
