"""Effects that take a card back, remove it, or put it into the exchange (K6)."""

from typing import TYPE_CHECKING

from tests.support.castle.board import Card, Space
from tests.support.castle.cards import COURT, MALE, OUTSIDE, RAMPART, TOWER
from tests.support.castle.deciding import CASTLE, Effect, adjacent, choose_space, take_one_back

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference


def archer(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, game.board.exposed(own, (OUTSIDE,))))


def barbarian(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, game.board.exposed(own, (TOWER, RAMPART))))


def dragon(game: "CastleReference", own: Card, at: Space) -> Effect:
    outside = yield from take_one_back(game, game.board.exposed(own, (OUTSIDE,)))
    wall = yield from take_one_back(game, game.board.exposed(own, (TOWER, RAMPART)))
    return outside or wall


def black_knight(game: "CastleReference", own: Card, at: Space) -> Effect:
    knights = [space for space in adjacent(game, own, at) if game.board.top(space).name == "Knight"]
    return (yield from take_one_back(game, knights))


def courtier(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, adjacent(game, own, at)))


def lady_in_waiting(game: "CastleReference", own: Card, at: Space) -> Effect:
    men = [space for space in adjacent(game, own, at, (COURT,)) if game.board.top(space).name in MALE]
    return (yield from take_one_back(game, men))


def queen(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, game.board.exposed(own, (COURT,))))


def traitor(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, adjacent(game, own, at, (COURT,))))


def ghost(game: "CastleReference", own: Card, at: Space) -> Effect:
    game.take_back(at, level=0)  # he was laid on the card whose place he takes
    return True
    yield  # a generator without a decision


def king(game: "CastleReference", own: Card, at: Space) -> Effect:
    is_done = yield from take_one_back(game, game.board.exposed(own, CASTLE))
    mistress = game.board.find_in_court("Mistress")
    if mistress is None:
        return is_done
    owner = next(card.pawn for card in game.board.piles[mistress] if card.name == "Mistress")
    if owner is None:
        return is_done
    return (yield from take_one_back(game, game.board.exposed(own, CASTLE), owner)) or is_done


def assassin(game: "CastleReference", own: Card, at: Space) -> Effect:
    victims = [space for space in adjacent(game, own, at) if game.board.top(space).name != "King"]
    target = yield from choose_space(game, victims)
    if target is not None:
        game.removed.append(game.board.lift(target).name)
        game.step(do="remove", at=target)
    return target is not None


def magician(game: "CastleReference", own: Card, at: Space) -> Effect:
    target = yield from choose_space(game, game.board.exposed(own, (*CASTLE, OUTSIDE)))
    if target is not None:
        game.exchange.append(game.board.lift(target).name)
        game.step(do="to_exchange", at=target)
    return target is not None


def enchanter(game: "CastleReference", own: Card, at: Space) -> Effect:
    before = game.played_before
    targets = [space for space in game.board.exposed(own, (*CASTLE, OUTSIDE)) if game.board.top(space) is before]
    return (yield from take_one_back(game, targets))
