"""The root of a tree of Castle: before the first card is dealt, or at a position that all know (K3, K10).

Cards are dealt one by one. A pile is dealt in ascending order. So there is one way to deal each hand, not one for each
order of its cards. The probabilities are those of hands from a shuffled pack.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import TypeAlias

import numpy as np

from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import NUM_KINDS
from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF, NAMES
from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.rules import offer_options
from zamek_env.castle_cards.core.state import new_states
from zamek_env.castle_cards.layout.actions import ACTION
from zamek_env.core.state import copy_records
from zamek_env.openspiel.castle_node import format_cards, go_on
from zamek_env.openspiel.node import ChanceNode, InitialInfoState, Node, Outcomes, States

_BLANK = new_states(1)
Pile: TypeAlias = tuple[int, ...]  # kinds in ascending order
Finish: TypeAlias = Callable[[Sequence[Pile], Pile], Node]  # (piles, what is left) -> the first node of a player


def make_root(players: int) -> Node:
    """Return the node before the first card is dealt to `players` players."""
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
    """Return a chance node that deals what not all players know of `game`; the game goes on from there.

    What only some of them know is forgotten. Raises `ValueError` unless its phase is `action`.
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
    """Return the first decision node, when all have looked at their hands."""
    hands, exchange = states["hand"][0], format_cards(states["exchange"][0].tolist())
    texts = [
        f"My hand: {format_cards(hands[player].tolist())}. Exchange: {exchange}."
        for player in range(states["players"][0])
    ]
    return go_on(states, InitialInfoState(texts))


class DealNode(ChanceNode):
    """A node at which chance deals the next card of the pile `piles[-1]`, from the cards that were left before it.

    `sizes` says how many cards each pile must have, by name.
    """

    before = None

    def __init__(
        self, num_players: int, sizes: dict[str, int], piles: Sequence[Pile], left: Pile, finish: Finish
    ) -> None:
        self.num_players = num_players
        self._sizes, self._piles, self._left, self._finish = sizes, piles, left, finish

    def chance_outcomes(self) -> Outcomes:
        missing = list(self._sizes.values())[len(self._piles) - 1] - len(self._piles[-1])
        return list_next(self._left, self._piles[-1], missing)

    def _draw_outcome(self, action: int) -> Node:
        piles = (*self._piles[:-1], (*self._piles[-1], action))
        return deal_on(self.num_players, self._sizes, piles, self._left, self._finish)

    def _format_outcome(self, action: int) -> str:
        return f"{NAMES[action]} to {list(self._sizes)[len(self._piles) - 1]}"

    def __str__(self) -> str:
        piles = (", ".join(NAMES[kind] for kind in pile) for pile in self._piles)
        return "; ".join(f"{name}: {cards}" for name, cards in zip(self._sizes, piles, strict=False))


def deal_on(num_players: int, sizes: dict[str, int], piles: Sequence[Pile], left: Pile, finish: Finish) -> Node:
    """Return the node after dealing `piles`: a chance node or, where all are complete, the one that `finish` returns.

    `left` are the cards that were left before the last of the piles.
    """
    wanted = list(sizes.values())
    if len(piles[-1]) < wanted[len(piles) - 1]:
        return DealNode(num_players, sizes, piles, left, finish)
    rest = list(left)
    for kind in piles[-1]:
        rest.remove(kind)
    if len(piles) == len(wanted):
        return finish(piles, tuple(rest))
    return deal_on(num_players, sizes, (*piles, ()), tuple(rest), finish)


def list_next(left: Pile, pile: Pile, missing: int) -> Outcomes:
    """Return the kinds of card that may come next in `pile`, of which `missing` cards are missing, with probabilities.

    `left` are the cards from which the whole pile comes.
    """
    counts = [left.count(kind) for kind in range(NUM_KINDS)]
    last = pile[-1] if pile else 0
    taken = pile.count(last)
    ways = {last: _count_more(counts, last, taken, missing)}
    for kind in range(last + 1, NUM_KINDS):
        above = sum(counts[kind + 1 :])
        others = comb(above + counts[kind], missing) - comb(above, missing)
        ways[kind] = comb(counts[last], taken) * others
    total = sum(ways.values())
    return [(kind, number / total) for kind, number in ways.items() if number]


def _count_more(counts, kind, taken, missing):
    """Return in how many ways a pile can have more than `taken` cards of `kind`, and beyond them only greater kinds."""
    above = sum(counts[kind + 1 :])
    most = min(counts[kind], taken + missing)
    return sum(
        comb(counts[kind], number) * comb(above, missing + taken - number) for number in range(taken + 1, most + 1)
    )
