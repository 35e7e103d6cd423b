"""A deal from outside, checked, as the kernels take it (K3)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF
from zamek_env.common.checks import check_choice
from zamek_env.common.messages import show, show_names

Cards = Sequence[str]


def list_deal(hands: Sequence[Cards], decks: Sequence[Cards], exchange: Cards) -> npt.NDArray[np.int64]:
    """Return the cards of a deal in the order of `dealing.hand_out`; `decks` are given from the top down.

    Raises `ValueError` unless it is a deal that K3 allows.
    """
    deal = DEALS[check_choice("players", len(hands), DEALS)]
    if len(decks) != len(hands):
        raise ValueError(f"decks must be {len(hands)}, one a player as hands, not {len(decks)}")
    sizes = {"hands": deal.hand, "decks": deal.deck, "exchange": deal.exchange}
    for name, piles in (("hands", hands), ("decks", decks), ("exchange", [exchange])):
        for cards in piles:
            if len(cards) != sizes[name]:
                raise ValueError(f"{name} of {len(hands)} players must have {sizes[name]} cards, not {len(cards)}")
    order = [name for hand, deck in zip(hands, decks, strict=True) for name in (*hand, *reversed(deck))]
    order += exchange
    for name in order:
        if name not in KIND_OF:
            raise ValueError(f"{show(name)} is no card; the cards are {show_names(KIND_OF)}")
    for card in CARDS:
        copies = 0 if card.name in deal.left_out else card.copies
        if order.count(card.name) != copies:
            found = order.count(card.name)
            raise ValueError(f"a deal for {len(hands)} players must have {copies} of {show(card.name)}, not {found}")
    return np.array([KIND_OF[name] for name in order], np.int64)
