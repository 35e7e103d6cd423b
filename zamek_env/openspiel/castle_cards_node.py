"""Decision nodes of Castle, chance nodes that draw a card from a deck or from a hand, and the root.

`CastleCards` deals all cards at the beginning, and draws from hands by its own generator. Here neither the order of the
cards in decks nor the deck in which a card lies means anything. A decision is tried out on a copy. If the engine draws
a card there that chance has not drawn yet, the result is a chance node; its outcome is passed to the engine, and the
decision is tried again. Steps without a decision are carried out in the same way.

At the root cards are dealt one by one. A pile is dealt in ascending order. So there is one way to deal each hand, not
one for each order of its cards. The probabilities are those of hands from a shuffled pack.
"""

from collections.abc import Callable, Mapping, Sequence
from math import comb
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zamek_env.base.chance import draw_deal
from zamek_env.base.records import copy_records
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import NUM_KINDS
from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF, NAMES
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core.log import GIVE, LOG
from zamek_env.castle_cards.core.rules import offer_options
from zamek_env.castle_cards.core.state import NONE, new_states
from zamek_env.castle_cards.layout.actions import ACTION, NUM_ACTIONS, OVER, PLACE, STEAL_GIVE
from zamek_env.castle_cards.layout.observation import PARTS, find_layout
from zamek_env.castle_cards.notation.action_line import format_option, name_option
from zamek_env.castle_cards.records.step_text import describe_step
from zamek_env.castle_cards.records.write import Turn, append_steps, list_cards
from zamek_env.openspiel.node import (
    TERMINAL,
    ChanceNode,
    InfoState,
    InitialInfoState,
    NextInfoState,
    Node,
    Outcomes,
    States,
    Tensors,
)


class CastleCardsInfoState(NextInfoState):
    """A decision, what it brought, and what was `before`.

    Args:
        before: the information state until then.
        states: the game before the decision.
        action: what was decided; None where there was nothing to decide.
        later: the game after it.
        log: what it brought, of which a copy is taken.
    """

    def __init__(
        self, before: InfoState, states: States, action: int | None, later: States, log: npt.NDArray[Any]
    ) -> None:
        self.before = before
        self._states, self._action = states, action
        self._rows = log["rows"][0, : log["count"][0]].copy()
        has_drawn = later["phase"][0] == STEAL_GIVE and states["phase"][0] != STEAL_GIVE
        self._stolen = (int(later["other"][0]), int(later["stolen"][0])) if has_drawn else None
        self._news: dict[int, list[str]] = {}

    def describe_news(self, player: int) -> list[str]:
        if player not in self._news:
            self._news[player] = self._describe_news(player)
        return self._news[player]

    def _describe_news(self, player):
        state, lines = self._states[0], []
        if self._action is not None and state.decider == player:
            lines.append(f"> {format_option(name_option(state, self._action))}")
        turns: list[Turn] = [{"player": int(state.turn), "steps": []}]
        append_steps(turns, SimpleNamespace(rows=self._rows, count=len(self._rows)))
        for turn in turns:
            lines += [describe_step(turn["player"], step).words_for(player) for step in turn["steps"]]
        if self._stolen is not None and player in (state.turn, self._stolen[0]):
            lines.append(f"{NAMES[self._stolen[1]]} is drawn from the hand of player {self._stolen[0]}.")
        return lines


class Draw(NamedTuple):
    """A card that chance draws."""

    player: int
    is_from_deck: bool  # else from the player's hand

    def __str__(self) -> str:
        return f"{'deck' if self.is_from_deck else 'hand'} {self.player}"


class CastleCardsNode(Node):
    """A decision node or a terminal node, with the game in `states` after `info_state`."""

    def __init__(self, states: States, info_state: InfoState) -> None:
        self.states, self.info_state = states, info_state
        self.num_players = int(states["players"][0])
        self.player = TERMINAL if states["phase"][0] == OVER else int(states["decider"][0])

    @property
    def game(self) -> CastleCards:
        """A game at this node, without history."""
        return CastleCards.from_history(self.states, ())

    def legal_actions(self) -> list[int]:
        mask = np.empty(NUM_ACTIONS, np.bool_)
        engine.write_mask(self.states, 0, mask)
        return np.flatnonzero(mask).tolist()

    def _go_to(self, action: int) -> Node:
        return find_node(self.states, self.info_state, action, True)

    def format_action(self, action: int) -> str:
        return self.game.format_action(action)

    def returns(self) -> Sequence[float]:
        return self.game.returns()

    def observe(self, player: int, out: Tensors) -> None:
        parts = tuple(part for part in PARTS if part in out)  # none where an observation is the vector alone
        seen: Any = self.game.observe(player, observation=parts or None)
        for name, part in out.items():
            part[:] = seen[name] if parts else seen

    def describe_seen(self, player: int) -> str:
        return describe_seen(self.game, player)

    def describe_known(self, player: int, history: Sequence[int]) -> str:
        return self.info_state.describe(player)

    def play_out(self, rng: np.random.Generator) -> Sequence[float]:
        states, generator = copy_records(self.states), np.array([draw_deal(rng) | 1], np.uint64)
        states["generator"] = draw_deal(rng) | 1
        decks = states["deck"][0]
        is_card = np.arange(decks.shape[1]) < states["deck_size"][0][:, np.newaxis]
        decks[is_card] = rng.permutation(decks[is_card])
        if self.player != TERMINAL:
            engine.play_randomly(states, np.zeros(1, LOG), 0, generator)
        return CastleCards.from_history(states, ()).returns()

    def redealt(self, player: int, rng: np.random.Generator) -> Node:
        return make_node(self.game.concealed(rng, player), {player: self.info_state.describe(player)})

    def __str__(self) -> str:
        players = range(self.num_players)
        hands = (f"hand {player} {format_cards(self.states['hand'][0, player].tolist())}" for player in players)
        return "; ".join([self.game.format_position(), *hands])


class CastleCardsChanceNode(ChanceNode):
    """A node at which chance draws a card, as `draw` says, because of the action `pending`.

    `before` is the node seen last; `states` hold what chance has drawn since then. `is_chosen` says that a
    player chose the action among several.
    """

    def __init__(self, before: CastleCardsNode, states: States, pending: int, is_chosen: bool, draw: Draw) -> None:
        self.before: CastleCardsNode = before
        self.num_players = before.num_players
        self._states, self._pending, self._is_chosen, self._draw = states, pending, is_chosen, draw

    def chance_outcomes(self) -> Outcomes:
        counts = self._count_cards()
        return [(kind, counts[kind] / sum(counts)) for kind in range(NUM_KINDS) if counts[kind]]

    def _count_cards(self):
        """Return how many cards of each kind may be drawn."""
        player, is_from_deck = self._draw
        if is_from_deck:
            return np.bincount(self._states["deck"][0][_find_decks(self._states)], minlength=NUM_KINDS).tolist()
        state = self._states[0]
        hand = state.hand[player].tolist()
        if state.phase == PLACE and player == state.turn and not state.is_counseled:
            hand[state.card] -= 1  # has left the hand before the effect
        return hand

    def _go_to(self, action: int) -> Node:
        states = copy_records(self._states)
        player, is_from_deck = self._draw
        if not is_from_deck:
            states["forced"][0, player] = action
            return find_node(states, self.before.info_state, self._pending, self._is_chosen)
        decks, top = states["deck"][0], int(states["deck_size"][0, player]) - 1
        owner, index = np.argwhere((decks == action) & _find_decks(states))[0]
        decks[owner, index], decks[player, top] = decks[player, top], decks[owner, index]
        return find_node(states, self.before.info_state, self._pending, self._is_chosen, True)

    def _format_outcome(self, action: int) -> str:
        return f"{NAMES[action]} from {self._draw}"

    def __str__(self) -> str:
        return f"{self.before}; a card comes from {self._draw}"


def make_node(game: CastleCards, known: Mapping[int, str] | None = None) -> CastleCardsNode:
    """Return the node of the position of `game`, at which information states begin.

    They begin with what each player sees there, or with what is `known` to a player, as text.
    """
    texts = [describe_seen(game, player) for player in range(game.num_players)]
    return CastleCardsNode(
        game.state, InitialInfoState([(known or {}).get(player, text) for player, text in enumerate(texts)])
    )


def find_node(states: States, info_state: InfoState, action: int, is_chosen: bool, has_drawn: bool = False) -> Node:
    """Return the node after a legal `action` and all steps after it that need no decision.

    `has_drawn` says that chance has drawn the top card of the deck already. `forced` of `states` holds the cards that
    it has drawn from hands.
    """
    log = np.zeros(1, LOG)
    later = copy_records(states)
    engine.decide(later, log, 0, action)
    draw = _find_draw(states, later, log, has_drawn)
    if draw is not None:
        return CastleCardsChanceNode(CastleCardsNode(states, info_state), states, action, is_chosen, draw)
    return go_on(later, CastleCardsInfoState(info_state, states, action if is_chosen else None, later, log))


def go_on(states: States, info_state: InfoState) -> Node:
    """Return the node after all steps that need no decision."""
    is_passed_over, action = engine.find_passed_over(states, 0)
    return find_node(states, info_state, int(action), False) if is_passed_over else CastleCardsNode(states, info_state)


def _find_draw(states, later, log, has_drawn):
    """Return the `Draw` that led from `states` to `later` and that chance has not made yet; None where there is none.

    Where the engine's generator has changed, the engine drew from a hand by itself.
    """
    if not has_drawn and later["deck_size"].sum() < states["deck_size"].sum():
        return Draw(int(states["turn"][0]), True)
    if later["generator"][0] == states["generator"][0]:
        return None
    if later["phase"][0] == STEAL_GIVE:
        return Draw(int(later["other"][0]), False)
    rows = log["rows"][0, : log["count"][0]]
    givers = [int(row[1]) for row in rows if row[0] == GIVE and row[4]]
    return Draw(next(giver for giver in givers if states["forced"][0, giver] == NONE), False)


def _find_decks(states):
    """Return which entries of `deck` are cards, a bool array of its shape."""
    return np.arange(states["deck"].shape[2]) < states["deck_size"][0][:, np.newaxis]


def format_cards(counts: Sequence[int]) -> str:
    """Return cards as text; `counts` says how many there are of each kind."""
    return ", ".join(list_cards(counts))


def describe_seen(game: CastleCards, player: int) -> str:
    """Return the observation of `player` as text: each entry that is not 0, by name, with what it counts."""
    layout, seen = find_layout(game.num_players), game.observe(player)
    shown = np.flatnonzero(seen)
    values = np.round(seen[shown] / layout.scale[shown]).astype(int).tolist()
    names = (layout.names[entry] for entry in shown.tolist())
    return "; ".join(name if value == 1 else f"{name} {value}" for name, value in zip(names, values, strict=True))


# --- the root: before the first card is dealt, or at a position that all know (K3, K10) ---

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
        engine.start_dealt(_BLANK, states, np.zeros(1, LOG), 0, players, 0, np.array([*cards, *exchange], np.int64))
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

    def _go_to(self, action: int) -> Node:
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
