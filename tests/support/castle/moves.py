"""Effects that move cards (K6)."""

from typing import TYPE_CHECKING

from tests.support.castle.board import Card, Space
from tests.support.castle.cards import COURT, FEMALE, SOLDIERS
from tests.support.castle.deciding import CASTLE, Effect, adjacent, choose_space

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference


def move_one(game: "CastleReference", names: tuple[str, ...], is_optional: bool = False) -> Effect:
    """Have a card of these names moved within its zone (K6); an optional part may be declined."""
    sources = {("space", space) for space in game.board.movable(names)}
    if not sources:
        return False
    answer = yield from game.ask(sources | ({("decline",)} if is_optional else set()))
    if answer == ("decline",):
        game.step(do="decline")
        return True
    to = yield from choose_space(game, game.board.destinations(answer[1]))
    game.move(answer[1], to)
    return True


def lookout(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from move_one(game, SOLDIERS))


def prince_charming(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from move_one(game, FEMALE))


def princess(game: "CastleReference", own: Card, at: Space) -> Effect:
    return (yield from move_one(game, ("Knight",)))


def mistress(game: "CastleReference", own: Card, at: Space) -> Effect:
    moved_king = yield from move_one(game, ("King",), is_optional=True)
    moved_knight = yield from move_one(game, ("Knight",), is_optional=True)
    return moved_king or moved_knight


def fairy(game: "CastleReference", own: Card, at: Space) -> Effect:
    people = [space for space in game.board.exposed(own, CASTLE) if game.board.top(space).name != "Knight"]
    target = yield from choose_space(game, people)
    if target is not None:
        game.move(target, ("outside", game.board.next_outside))
    return target is not None


def minstrel(game: "CastleReference", own: Card, at: Space) -> Effect:
    spaces = [space for space in adjacent(game, own, at, (COURT,)) if game.board.top(space).name != "Knight"]
    spaces.sort()
    left, arranged = [game.board.top(space) for space in spaces], []
    for _ in spaces:
        _, name = yield from game.ask({("card", card.name) for card in left})
        chosen = next(card for card in left if card.name == name)
        left.remove(chosen)
        arranged.append(chosen)
    for space in spaces:
        game.board.lift(space)
    for space, card in zip(spaces, arranged, strict=True):
        game.board.put(card, space)
    if spaces:
        game.step(do="rearrange", set=[[space, card.name] for space, card in zip(spaces, arranged, strict=True)])
    return bool(spaces)
