"""The effects of cards as a record has them: what the next steps of the turn must be, and what they lead to.

Each applies the steps and returns whether any part of the effect could be carried out. `own` is the card just played,
`at` its space.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support.castle.board import Card, Space, neighbours, zone_of
from tests.support.castle.cards import COURT, FEMALE, MALE, OUTSIDE, RAMPART, SOLDIERS, TOWER, ZONE
from tests.support.castle.complaints import as_text, is_number, read_space, require

if TYPE_CHECKING:
    from tests.support.castle.replayed import Replayed

CASTLE = (TOWER, RAMPART, COURT)


def merchant(game: "Replayed", own: Card, at: Space) -> bool:
    game.actions_left += 1
    others = [card for card in game.marked(own) if card.pawn != game.player]
    count = min(3, len(others), game.pawns_left())
    if count:
        changed = game.pawns_set()
        require(len(changed) == count, f"the Merchant replaces {count} pawns, not {len(changed)}")
        require(all(card in others and pawn == game.player for card, pawn in changed), "he replaces opposing pawns")
        apply(changed)
    return count > 0


def apply(changed: list[tuple[Card, int | None]]) -> None:
    """Set the pawns."""
    for card, pawn in changed:
        card.pawn = pawn


def thief(game: "Replayed", own: Card, at: Space) -> bool:
    marked = game.marked(own, neighbours(at))
    if marked:
        changed = game.pawns_set()
        require(len(changed) == 1, f"the Thief removes one pawn, not {len(changed)}")
        require(changed[0][0] in marked and changed[0][1] is None, "the Thief removes the pawn of an adjacent card")
        apply(changed)
    return bool(marked)


def conspirator(game: "Replayed", own: Card, at: Space) -> bool:
    marked = game.marked(own)
    if len(marked) < 2:
        return False
    changed = game.pawns_set()
    if changed:
        require(len(changed) == 2 and all(card in marked for card, _ in changed), "he swaps the pawns of two cards")
        (one, first), (other, second) = changed
        require((first, second) == (other.pawn, one.pawn), "he swaps pawns")
    else:
        require(len({card.pawn for card in marked}) < len(marked), "no two cards have equal pawns to be swapped")
    apply(changed)
    return True


def spy(game: "Replayed", own: Card, at: Space) -> bool:
    marked = game.marked(own, neighbours(at))
    if marked:
        cards = [card for space, _, card in game.board.cards() if space in neighbours(at)]
        pawns, changed = Counter(card.pawn for card in cards), game.pawns_set()
        require(all(card in cards for card, _ in changed), "the Spy permutes the pawns of adjacent cards")
        apply(changed)
        require(Counter(card.pawn for card in cards) == pawns, "the Spy adds no pawn and takes none away")
    return bool(marked)


def minstrel(game: "Replayed", own: Card, at: Space) -> bool:
    spaces = [space for space in game.near(own, at, (COURT,)) if game.board.top(space).name != "Knight"]
    if spaces:
        step = game.take_step("rearrange", "set")
        require(
            all(isinstance(entry, list) and len(entry) == 2 for entry in step["set"]), f"{step}: space and card each"
        )
        names = [(read_space(space), name) for space, name in step["set"]]
        require(sorted(space for space, _ in names) == sorted(spaces), f"{step}: {sorted(spaces)} take part")
        cards = [game.board.lift(space) for space in spaces]
        require(
            sorted(str(name) for _, name in names) == sorted(card.name for card in cards),
            f"{step}: other cards lie there",
        )
        for space, name in names:
            card = next(card for card in cards if card.name == name)
            cards.remove(card)
            game.board.put(card, space)
    return bool(spaces)


# --- effects on hands and the exchange ---


def alchemist(game: "Replayed", own: Card, at: Space) -> bool:
    hand, exchange = game.hands[game.player], game.exchange
    count = min(2, hand.total(), exchange.total())
    if count:
        step = game.take_step("swap", "give take")
        require(len(step["give"]) == len(step["take"]) == count, f"{step}: {count} cards are swapped")
        for cards, key in ((hand, "give"), (exchange, "take")):
            for name in step[key]:
                game.take_card(cards, name, f"there to {key}")
        hand.update(step["take"])
        exchange.update(step["give"])
    return count > 0


def courtesan(game: "Replayed", own: Card, at: Space) -> bool:
    hand = game.hands[game.player]
    others = [player for player in game.clockwise()[1:] if game.hands[player].total()]
    if not others or not hand.total():
        return False
    step = game.take_step("steal", "from card give")
    require(is_number(step["from"]) and step["from"] in others, f"{step}: no opponent with a card")
    victim = game.hands[step["from"]]
    game.take_card(victim, step["card"], "in the hand stolen from")
    hand[step["card"]] += 1
    game.take_card(hand, step["give"], "in the hand given from")
    victim[step["give"]] += 1
    return True


def passed(is_chance: bool) -> Callable:
    """The effect by which everybody gives a card to the left, chosen or drawn."""

    def effect(game: "Replayed", own: Card, at: Space) -> bool:
        givers = [player for player in game.clockwise() if game.hands[player].total()]
        gifts = []
        for giver in givers:
            step = game.take_step("give", "from to card chance" if is_chance else "from to card")
            to = (giver + 1) % len(game.hands)
            require(as_text([step["from"], step["to"]]) == as_text([giver, to]), f"{step}: {giver} gives to {to}")
            require(step.get("chance", True) is True, f"{step}: chance is true or left out")
            game.take_card(game.hands[giver], step["card"], f"in the hand of {giver}")
            gifts.append((to, step["card"]))
        for to, card in gifts:
            game.hands[to][card] += 1
        return bool(givers)

    return effect


def witch(game: "Replayed", own: Card, at: Space) -> bool:
    if not game.exchange.total():
        return False
    step = game.take_step("award", "to card")
    require(is_number(step["to"]) and step["to"] < len(game.hands), f"{step}: no such player")
    game.take_card(game.exchange, step["card"], "in the exchange")
    game.hands[step["to"]][step["card"]] += 1
    return True


def counselor(game: "Replayed", own: Card, at: Space) -> bool:
    if not any(count and game.board.fitting(name) for name, count in game.exchange.items()):
        return False
    game.play_card(game.exchange, "card at from")
    return True


# --- effects on the board ---


def ghost(game: "Replayed", own: Card, at: Space) -> bool:
    game.returned(at, level=0)
    return True


def king(game: "Replayed", own: Card, at: Space) -> bool:
    is_done = game.one_returned(game.exposed(own, CASTLE))
    in_court = [card for space, _, card in game.board.cards() if zone_of(space) == COURT and card.name == "Mistress"]
    if in_court and in_court[0].pawn is not None:
        is_done |= game.one_returned(game.exposed(own, CASTLE), by=in_court[0].pawn)
    return is_done


def dragon(game: "Replayed", own: Card, at: Space) -> bool:
    outside = game.one_returned(game.exposed(own, (OUTSIDE,)))
    return game.one_returned(game.exposed(own, (TOWER, RAMPART))) or outside


def enchanter(game: "Replayed", own: Card, at: Space) -> bool:
    lying = game.exposed(own, (*CASTLE, OUTSIDE))
    return game.one_returned([space for space in lying if game.board.top(space) is game.before])


def gone(do: str, zones: tuple[str, ...], is_near: bool) -> Callable:
    """The effect by which a card leaves play other than to a hand."""

    def effect(game: "Replayed", own: Card, at: Space) -> bool:
        spaces = game.near(own, at, zones, set(ZONE) - {"King"}) if is_near else game.exposed(own, zones)
        if spaces:
            step = game.take_step(do, "at")
            space = read_space(step["at"])
            require(space in spaces, f"{step}: no target lies there")
            card = game.board.lift(space)
            game.exchange[card.name] += do == "to_exchange"
        return bool(spaces)

    return effect


def fairy(game: "Replayed", own: Card, at: Space) -> bool:
    people = game.exposed(own, CASTLE, set(ZONE) - {"Knight"})
    if people:
        step = game.take_step("move", "at to")
        at, to = read_space(step["at"]), ("outside", game.board.next_outside)
        require(at in people, f"{step}: no target lies there")
        require(read_space(step["to"]) == to, f"{step}: the card goes to {to}")
        game.board.put(game.board.lift(at), to)
    return bool(people)


def mistress(game: "Replayed", own: Card, at: Space) -> bool:
    is_done = game.one_moved(game.board.movable(("King",)), is_optional=True)
    return game.one_moved(game.board.movable(("Knight",)), is_optional=True) or is_done


EFFECTS: dict[str, Callable[["Replayed", Card, Space], bool]] = {
    "Alchemist": alchemist,
    "Archer": lambda game, own, at: game.one_returned(game.exposed(own, (OUTSIDE,))),
    "Assassin": gone("remove", CASTLE, is_near=True),
    "Barbarian": lambda game, own, at: game.one_returned(game.exposed(own, (TOWER, RAMPART))),
    "Black Knight": lambda game, own, at: game.one_returned(game.near(own, at, names=("Knight",))),
    "Conspirator": conspirator,
    "Courtesan": courtesan,
    "Courtier": lambda game, own, at: game.one_returned(game.near(own, at)),
    "Dragon": dragon,
    "Enchanter": enchanter,
    "Fairy": fairy,
    "Fool": passed(is_chance=False),
    "Ghost": ghost,
    "King": king,
    "King's Counselor": counselor,
    "Lady in Waiting": lambda game, own, at: game.one_returned(game.near(own, at, (COURT,), MALE)),
    "Lookout": lambda game, own, at: game.one_moved(game.board.movable(SOLDIERS)),
    "Magician": gone("to_exchange", (*CASTLE, OUTSIDE), is_near=False),
    "Merchant": merchant,
    "Minstrel": minstrel,
    "Mistress": mistress,
    "Prince Charming": lambda game, own, at: game.one_moved(game.board.movable(FEMALE)),
    "Princess": lambda game, own, at: game.one_moved(game.board.movable(("Knight",))),
    "Queen": lambda game, own, at: game.one_returned(game.exposed(own, (COURT,))),
    "Spy": spy,
    "Thief": thief,
    "Traitor": lambda game, own, at: game.one_returned(game.near(own, at, (COURT,))),
    "Village Idiot": passed(is_chance=True),
    "Witch": witch,
}
