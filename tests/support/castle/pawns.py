"""Effects on pawns, which protection does not touch (K7)."""

from typing import TYPE_CHECKING

from tests.support.castle.board import Card, Space, neighbours
from tests.support.castle.deciding import Effect, choose_card

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference


def note_pawns(game: "CastleReference", before: dict[Card, int | None]) -> None:
    """Write down the pawns that differ from before."""
    changed = [
        [space, level, card.name, card.pawn] for space, level, card in game.board.cards() if card.pawn != before[card]
    ]
    game.step(do="pawns", set=changed)


def pawns_now(game: "CastleReference") -> dict[Card, int | None]:
    return {card: card.pawn for _, _, card in game.board.cards()}


def merchant(game: "CastleReference", own: Card, at: Space) -> Effect:
    before, count = pawns_now(game), 0
    while count < 3 and game.supply(game.turn_player):
        others = [
            (space, level)
            for space, level, card in game.board.cards()
            if card.pawn is not None and card.pawn != game.turn_player
        ]
        card = yield from choose_card(game, others)
        if card is None:
            break
        card.pawn = game.turn_player
        count += 1
    if count:
        note_pawns(game, before)
    game.actions_left += 1
    return count > 0


def thief(game: "CastleReference", own: Card, at: Space) -> Effect:
    before = pawns_now(game)
    near = neighbours(at)
    marked = [(space, level) for space, level, card in game.board.cards() if space in near and card.pawn is not None]
    card = yield from choose_card(game, marked)
    if card is None:
        return False
    card.pawn = None
    note_pawns(game, before)
    return True


def conspirator(game: "CastleReference", own: Card, at: Space) -> Effect:
    before = pawns_now(game)
    marked = {
        (space, level): card for space, level, card in game.board.cards() if card.pawn is not None and card is not own
    }
    if len(marked) < 2:
        return False
    one = yield from choose_card(game, list(marked))
    other = yield from choose_card(game, [place for place, card in marked.items() if card is not one])
    one.pawn, other.pawn = other.pawn, one.pawn
    note_pawns(game, before)
    return True


def spy(game: "CastleReference", own: Card, at: Space) -> Effect:
    before = pawns_now(game)
    cards = [card for space in neighbours(at) for card in game.board.piles.get(space, [])]
    left = [card.pawn for card in cards]
    if all(pawn is None for pawn in left):
        return False
    chosen = []
    for _ in cards:
        _, pawn = yield from game.ask({("pawn", pawn) for pawn in left})
        left.remove(pawn)
        chosen.append(pawn)
    for card, pawn in zip(cards, chosen, strict=True):
        card.pawn = pawn
    note_pawns(game, before)
    return True
