"""Decisions that many effects share.

An effect is a generator: it yields decisions through `game.ask` and is sent the answers. It returns whether any part of
it could be carried out. `own` is the card just played, `at` its space. A part without any option is skipped.
"""

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

from tests.support.castle.board import Card, Space, neighbours
from tests.support.castle.cards import COURT, RAMPART, TOWER

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference

CASTLE = (TOWER, RAMPART, COURT)
Effect = Generator[Any, tuple, bool]


def choose_space(game: "CastleReference", spaces: Iterable[Space], player: int | None = None):
    """Have one of these spaces chosen; None where there is none."""
    answer = yield from game.ask({("space", space) for space in spaces}, player)
    return None if answer is None else answer[1]


def take_one_back(game: "CastleReference", spaces: Iterable[Space], player: int | None = None) -> Effect:
    """Have the uncovered card of one of these piles taken back."""
    target = yield from choose_space(game, spaces, player)
    if target is not None:
        game.take_back(target, by=player)
    return target is not None


def adjacent(game: "CastleReference", own: Card, at: Space, zones: tuple[str, ...] = CASTLE) -> list[Space]:
    """Unprotected targets next to the card played."""
    return [space for space in game.board.exposed(own, zones) if space in neighbours(at)]


def choose_card(game: "CastleReference", cards: list[tuple[Space, int]]):
    """Have one of these cards chosen, first its pile, then its level, 0 at the bottom."""
    space = yield from choose_space(game, {space for space, _ in cards})
    if space is None:
        return None
    _, level = yield from game.ask({("level", level) for other, level in cards if other == space})
    return game.board.piles[space][level]
