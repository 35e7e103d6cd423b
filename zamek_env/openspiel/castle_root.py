"""Where a tree of Castle begins: before the first card is dealt, or at a position that all know (K3, K10)."""

from collections.abc import Sequence

import numpy as np

from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF
from zamek_env.castle_cards.components.kinds import NUM_KINDS
from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.rules import offer_options
from zamek_env.castle_cards.core.state import new_states
from zamek_env.castle_cards.layout.actions import ACTION
from zamek_env.core.state import copy_records
from zamek_env.openspiel.castle_deal import Pile, deal_on
from zamek_env.openspiel.castle_infostate import States
from zamek_env.openspiel.castle_node import format_cards, go_on
from zamek_env.openspiel.infostate import InitialInfoState
from zamek_env.openspiel.node import Node

_BLANK = new_states(1)


def make_root(players: int) -> Node:
    """Return the node before the first card is dealt to so many players."""
    deal = DEALS[players]
    pack = [KIND_OF[card.name] for card in CARDS for _ in range(card.copies) if card.name not in deal.left_out]
    sizes = dict.fromkeys(_name_hands(players), deal.hand) | {"exchange": deal.exchange}

    def finish(piles: Sequence[Pile], left: Pile) -> Node:
        *hands, exchange = piles
        decks = [left[player * deal.deck : (player + 1) * deal.deck] for player in range(players)]
        cards = [kind for hand, deck in zip(hands, decks, strict=True) for kind in (*hand, *deck)]
        states = copy_records(_BLANK)
        calls.start_dealt(_BLANK, states, np.zeros(1, LOG), 0, players, 0, np.array([*cards, *exchange], np.int64))
        return _begin(states)

    return deal_on(players, sizes, ((),), tuple(sorted(pack)), finish)


def make_root_at(game: CastleCards) -> Node:
    """Return a node of chance that deals what all players together do not know of `game`, and then goes on from there.

    What only some of them know there is forgotten. Raises `ValueError` unless an action is to be chosen there.
    """
    states = game.state
    if states["phase"][0] != ACTION:
        raise ValueError(f"game must be in the phase 'action', not {game.phase!r}: others would be hidden choices")
    players = game.num_players
    state = states[0]
    sizes, hidden = {}, np.zeros(NUM_KINDS, np.int64)
    for player, name in enumerate(_name_hands(players)):
        known = state.known[player, player].copy()
        sizes[name] = int(state.hand_size[player]) - int(known.sum())
        hidden += state.hand[player].astype(np.int64) - known
        hidden += np.bincount(state.deck[player, : state.deck_size[player]], minlength=NUM_KINDS)
        state.known[:players, player] = known
        state.hand[player] = known

    def finish(piles: Sequence[Pile], left: Pile) -> Node:
        return _begin(_fill(copy_records(states), piles, left))

    return deal_on(players, sizes, ((),), tuple(np.repeat(np.arange(NUM_KINDS), hidden).tolist()), finish)


def _name_hands(players):
    return [f"hand {player}" for player in range(players)]


def _fill(states: States, piles: Sequence[Pile], left: Pile) -> States:
    """Return `states` with cards of `piles` put into hands, and those that are left into decks."""
    state, used = states[0], 0
    for player, pile in enumerate(piles):
        for kind in pile:
            state.hand[player, kind] += 1
        state.hand_kinds[player] = sum(1 << kind for kind in range(NUM_KINDS) if state.hand[player, kind])
        size = int(state.deck_size[player])
        state.deck[player, :size] = left[used : used + size]
        used += size
    offer_options(state)
    return states


def _begin(states: States) -> Node:
    """Return the first node at which a player is to decide, when all have looked at their hands."""
    hands, exchange = states["hand"][0], format_cards(states["exchange"][0].tolist())
    texts = [
        f"My hand: {format_cards(hands[player].tolist())}. Exchange: {exchange}."
        for player in range(states["players"][0])
    ]
    return go_on(states, InitialInfoState(texts))
