"""Effects of cards that are played (the table of effects): cards, pawns and hands changed.

An effect is a generator: it yields decisions through `game.ask` and is sent the answers. It returns whether any part of
it could be carried out. `own` is the card just played, `at` its space. A part without any option is skipped.
"""

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any

from tests.support.castle_cards.reference.board import (
    COURT,
    FEMALE,
    MALE,
    OUTSIDE,
    RAMPART,
    SOLDIERS,
    TOWER,
    Card,
    Space,
    neighbours,
)

if TYPE_CHECKING:
    from tests.support.castle_cards.reference.reference import CastleCardsReference

CASTLE = (TOWER, RAMPART, COURT)
Effect = Generator[Any, tuple, bool]


# --- decisions that many effects share ---


def choose_space(game: "CastleCardsReference", spaces: Iterable[Space], player: int | None = None):
    """Have one of these spaces chosen; None where there is none."""
    answer = yield from game.ask({("space", space) for space in spaces}, player)
    return None if answer is None else answer[1]


def take_one_back(game: "CastleCardsReference", spaces: Iterable[Space], player: int | None = None) -> Effect:
    """Have the uncovered card of one of these piles taken back."""
    target = yield from choose_space(game, spaces, player)
    if target is not None:
        game.take_back(target, by=player)
    return target is not None


def adjacent(game: "CastleCardsReference", own: Card, at: Space, zones: tuple[str, ...] = CASTLE) -> list[Space]:
    """Unprotected targets next to the card played."""
    return [space for space in game.board.exposed(own, zones) if space in neighbours(at)]


def choose_card(game: "CastleCardsReference", cards: list[tuple[Space, int]]):
    """Have one of these cards chosen, first its pile, then its level, 0 at the bottom."""
    space = yield from choose_space(game, {space for space, _ in cards})
    if space is None:
        return None
    _, level = yield from game.ask({("level", level) for other, level in cards if other == space})
    return game.board.piles[space][level]


# --- cards taken back, removed, or put into the exchange (K6) ---

VICTIMS: dict[str, Callable[["CastleCardsReference", Card, Space], list[Space]]] = {  # of those who take one card back
    "Archer": lambda game, own, at: game.board.exposed(own, (OUTSIDE,)),
    "Barbarian": lambda game, own, at: game.board.exposed(own, (TOWER, RAMPART)),
    "Black Knight": lambda game, own, at: [
        space for space in adjacent(game, own, at) if game.board.top(space).name == "Knight"
    ],
    "Courtier": adjacent,
    "Lady in Waiting": lambda game, own, at: [
        space for space in adjacent(game, own, at, (COURT,)) if game.board.top(space).name in MALE
    ],
    "Queen": lambda game, own, at: game.board.exposed(own, (COURT,)),
    "Traitor": lambda game, own, at: adjacent(game, own, at, (COURT,)),
}


def take_victim(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    return (yield from take_one_back(game, VICTIMS[own.name](game, own, at)))


def dragon(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    outside = yield from take_one_back(game, game.board.exposed(own, (OUTSIDE,)))
    wall = yield from take_one_back(game, game.board.exposed(own, (TOWER, RAMPART)))
    return outside or wall


def ghost(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    game.take_back(at, level=0)  # he was laid on the card whose place he takes
    return True
    yield  # a generator without a decision


def king(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    is_done = yield from take_one_back(game, game.board.exposed(own, CASTLE))
    mistress = game.board.find_in_court("Mistress")
    if mistress is None:
        return is_done
    owner = next(card.pawn for card in game.board.piles[mistress] if card.name == "Mistress")
    if owner is None:
        return is_done
    return (yield from take_one_back(game, game.board.exposed(own, CASTLE), owner)) or is_done


def assassin(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    victims = [space for space in adjacent(game, own, at) if game.board.top(space).name != "King"]
    target = yield from choose_space(game, victims)
    if target is not None:
        game.removed.append(game.board.lift(target).name)
        game.step(do="remove", at=target)
    return target is not None


def magician(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    target = yield from choose_space(game, game.board.exposed(own, (*CASTLE, OUTSIDE)))
    if target is not None:
        game.exchange.append(game.board.lift(target).name)
        game.step(do="to_exchange", at=target)
    return target is not None


def enchanter(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    before = game.played_before
    targets = [space for space in game.board.exposed(own, (*CASTLE, OUTSIDE)) if game.board.top(space) is before]
    return (yield from take_one_back(game, targets))


# --- cards moved (K6) ---

MOVED = {"Lookout": SOLDIERS, "Prince Charming": FEMALE, "Princess": ("Knight",)}  # whom they move


def move_one(game: "CastleCardsReference", names: tuple[str, ...], is_optional: bool = False) -> Effect:
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


def move_somebody(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    return (yield from move_one(game, MOVED[own.name]))


def mistress(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    moved_king = yield from move_one(game, ("King",), is_optional=True)
    moved_knight = yield from move_one(game, ("Knight",), is_optional=True)
    return moved_king or moved_knight


def fairy(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    people = [space for space in game.board.exposed(own, CASTLE) if game.board.top(space).name != "Knight"]
    target = yield from choose_space(game, people)
    if target is not None:
        game.move(target, ("outside", game.board.next_outside))
    return target is not None


def minstrel(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
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


# --- pawns changed, which protection does not touch (K7) ---


def note_pawns(game: "CastleCardsReference", before: dict[Card, int | None]) -> None:
    """Write down the pawns that differ from before."""
    changed = [
        [space, level, card.name, card.pawn] for space, level, card in game.board.cards() if card.pawn != before[card]
    ]
    game.step(do="pawns", set=changed)


def pawns_now(game: "CastleCardsReference") -> dict[Card, int | None]:
    return {card: card.pawn for _, _, card in game.board.cards()}


def merchant(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
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


def thief(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    before = pawns_now(game)
    near = neighbours(at)
    marked = [(space, level) for space, level, card in game.board.cards() if space in near and card.pawn is not None]
    card = yield from choose_card(game, marked)
    if card is None:
        return False
    card.pawn = None
    note_pawns(game, before)
    return True


def conspirator(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
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


def spy(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
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


# --- hands and the exchange ---


def alchemist(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    hand, lying = list(game.hands[game.turn_player]), list(game.exchange)
    count = min(2, len(hand), len(lying))
    given, taken = [], []
    for cards, chosen in ((hand, given), (lying, taken)):
        for _ in range(count):
            _, name = yield from game.ask({("card", card) for card in cards})
            cards.remove(name)
            chosen.append(name)
    if count:
        for card in given:
            game.lay_into_exchange(card)
        for card in taken:
            game.take_from_exchange(card, game.turn_player)
        game.step(do="swap", give=given, take=taken)
    return count > 0


def courtesan(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    player = game.turn_player
    others = {("player", other) for other in game.clockwise() if other != player and game.hands[other]}
    if not game.hands[player] or not others:
        return False
    _, victim = yield from game.ask(others)
    stolen = game.draw(sorted(game.hands[victim]))
    _, given = yield from game.ask({("card", card) for card in [*game.hands[player], stolen]})
    game.hand_over([(victim, player, stolen)])
    game.hand_over([(player, victim, given)])
    game.step(do="steal", **{"from": victim, "card": stolen, "give": given})
    return True


def fool(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    passed = []
    for player in game.clockwise():
        answer = yield from game.ask({("card", card) for card in game.hands[player]}, player)
        if answer is not None:
            passed.append((player, game.left_of(player), answer[1]))
    game.hand_over(passed)
    for giver, taker, card in passed:
        game.step(do="give", **{"from": giver, "to": taker, "card": card})
    return bool(passed)


def village_idiot(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    drawn = [
        (player, game.left_of(player), game.draw(sorted(game.hands[player])))
        for player in game.clockwise()
        if game.hands[player]
    ]
    game.hand_over(drawn)
    for giver, taker, card in drawn:
        game.step(do="give", **{"from": giver, "to": taker, "card": card, "chance": True})
    return bool(drawn)
    yield  # a generator without a decision


def witch(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    if not game.exchange:
        return False
    _, player = yield from game.ask({("player", player) for player in game.clockwise()})
    _, card = yield from game.ask({("card", card) for card in game.exchange})
    game.take_from_exchange(card, player)
    game.step(do="award", to=player, card=card)
    return True


def counselor(game: "CastleCardsReference", own: Card, at: Space) -> Effect:
    answer = yield from game.ask({("card", card) for card in game.exchange if game.board.fitting(card)})
    if answer is None:
        return False
    yield from game.play_card(answer[1], from_exchange=True)
    return True


EFFECTS: dict[str, Callable[..., Effect]] = dict.fromkeys(VICTIMS, take_victim) | dict.fromkeys(MOVED, move_somebody)
EFFECTS |= {
    "Dragon": dragon, "Ghost": ghost, "King": king, "Assassin": assassin, "Magician": magician, "Enchanter": enchanter,
    "Mistress": mistress, "Fairy": fairy, "Minstrel": minstrel, "Merchant": merchant, "Thief": thief,
    "Conspirator": conspirator, "Spy": spy, "Alchemist": alchemist, "Courtesan": courtesan, "Fool": fool,
    "Village Idiot": village_idiot, "Witch": witch, "King's Counselor": counselor,
}  # fmt: skip
