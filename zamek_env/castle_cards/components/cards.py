"""The components, as `data/castle_cards.json` lists them: cards, how they are dealt, pawns (K2, K3)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zamek_env.castle_cards.components import box

FILE = Path(__file__).parents[2] / "data" / "castle_cards.json"
ZONES = ("tower", "rampart", "court", "outside", "card")  # where a card is placed; Knights on any card
_ZONE_KINDS = (box.TOWER_KINDS, box.RAMPART_KINDS, box.COURT_KINDS, box.OUTSIDE_KINDS, 1 << box.KNIGHT)


@dataclass(frozen=True)
class Card:
    """One kind of card."""

    name: str
    zone: str  # one of `ZONES`
    copies: int
    gender: str | None  # "male", "female", or None of what is no character
    character: bool
    soldier: bool
    rule: str  # what the card does, in sentences for players


@dataclass(frozen=True)
class Deal:
    """The numbers of cards that each player gets and that lie in the exchange."""

    players: int
    hand: int
    deck: int
    exchange: int
    left_out: tuple[str, ...]  # names of cards that are not in this game


def _check(cards: tuple[Card, ...], deals: dict[int, Deal], pawns: tuple[int, ...]) -> None:
    """Raise `RuntimeError` where the file differs from the constants of the kernels."""
    found = (
        {number: (deal.hand, deal.deck) for number, deal in deals.items()},
        pawns,
        tuple(card.copies for card in cards),
        tuple(sum(1 << kind for kind, card in enumerate(cards) if card.zone == zone) for zone in ZONES),
        sum(1 << kind for kind, card in enumerate(cards) if card.gender == "female"),
        sum(1 << kind for kind, card in enumerate(cards) if card.soldier),
        sum(1 << kind for kind, card in enumerate(cards) if not card.character),
    )
    players = range(box.MIN_PLAYERS, box.MAX_PLAYERS + 1)
    dealt = {number: (box.HAND_SIZES[number], box.DECK_SIZES[number]) for number in players}
    traits = (box.FEMALES, box.RAMPART_KINDS, 1 << box.SIEGE_ENGINE)
    expected = (dealt, box.PAWN_COUNTS, box.COPIES, _ZONE_KINDS, *traits)
    names = tuple(name.upper().replace("KING'S ", "").replace(" ", "_") for name in (card.name for card in cards))
    if found != expected or any(getattr(box, name, None) != kind for kind, name in enumerate(names)):
        raise RuntimeError(f"{FILE} does not fit zamek_env/castle_cards/components/box.py")


_CONTENTS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
CARDS = tuple(Card(**entry) for entry in _CONTENTS["cards"])  # by kind
DEALS = {
    deal.players: deal
    for deal in (Deal(**{**entry, "left_out": tuple(entry["left_out"])}) for entry in _CONTENTS["deals"])
}
PAWNS = tuple(entry["count"] for entry in _CONTENTS["pawns"])  # of players 0 to 4
_check(CARDS, DEALS, PAWNS)
NAMES = tuple(card.name for card in CARDS)
KIND_OF = {name: kind for kind, name in enumerate(NAMES)}
ZONE_OF = {card.name: card.zone for card in CARDS}


def describe_rules(cards: Iterable[str]) -> str:
    """Return what each of some cards does, one a line; repeated cards are described once."""
    return "\n".join(f"{card}: {CARDS[KIND_OF[card]].rule}" for card in dict.fromkeys(cards))
