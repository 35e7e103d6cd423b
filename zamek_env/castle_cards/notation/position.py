"""The public state of a game of castle-cards as dataclasses, and what one player knows of hands (rule K10)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from zamek_env.castle_cards.components.cards import NAMES, PAWNS
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.core.turns import find_result
from zamek_env.castle_cards.layout.actions import OVER, PHASE_NAMES
from zamek_env.castle_cards.layout.board import RAMPARTS, TOWERS, WIDTH
from zamek_env.castle_cards.notation.action_line import Space, list_piles, name_space

PHASE_WORDS = tuple(name.replace(": ", "-").replace(" ", "-") for name in PHASE_NAMES)  # by number
SECRET_PHASES = ("steal-give", "pass-on")  # others do not see which card is chosen (rule K10)


@dataclass(frozen=True)
class Pile:
    """A card that lies on a space, and the Knights on it."""

    cards: tuple[str, ...]  # the lowest first
    pawns: tuple[int | None, ...]  # the player whose pawn stands on each card, None for nobody

    @property
    def top(self) -> str:
        """The uncovered card."""
        return self.cards[-1]


@dataclass(frozen=True)
class Seat:
    """The viewer's knowledge of a player: the numbers are known to all."""

    hand: int  # cards in hand
    deck: int  # cards in the own deck
    known: Counter[str]  # cards that the viewer knows to be in the hand of this other player


@dataclass(frozen=True)
class CastleCardsPosition:
    """Everything public in a game of castle-cards, and what a viewer knows of hands."""

    seats: tuple[Seat, ...]  # by player
    turn_player: int  # whose turn it is
    current_player: int  # the player to decide; -1 once the game is over
    phase: str  # the decision to make, one of `PHASE_WORDS`; `over` once the game is over
    card: str | None  # whose effect is being carried out
    actions_left: int  # of the turn, the one in progress included
    quiet_turns: int  # in a row without a card played (rule K9)
    last_played: Space | None  # where the card lies that an Enchanter would take back
    piles: Mapping[Space, Pile]  # the grid row by row, then siege slots N, E, S, W, then outside by number
    exchange: Counter[str]
    removed: Counter[str]  # out of the game
    winners: tuple[int, ...] = ()  # once the game is over

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.seats)

    @property
    def pawns_left(self) -> tuple[int, ...]:
        """Number of pawns that each player has yet to place (rule K3)."""
        placed = Counter(pawn for pile in self.piles.values() for pawn in pile.pawns)
        return tuple(PAWNS[player] - placed[player] for player in range(self.num_players))


def find_zone(space: Space) -> str:
    """Return the zone of a space: `tower`, `rampart`, `court`, `siege` or `outside`."""
    row, column = space
    if isinstance(row, str):
        return row
    bit = 1 << row * WIDTH + int(column)
    return "tower" if TOWERS & bit else "rampart" if RAMPARTS & bit else "court"


def count_cards(numbers: Iterable[int]) -> Counter[str]:
    """Return {name: number} of the cards, given their `numbers` by kind."""
    return Counter({NAMES[kind]: int(number) for kind, number in enumerate(numbers) if number})


def read_position(state: np.record, viewer: int | None = None) -> CastleCardsPosition:
    """Return everything public in a game with this `state`, a record of `zamek_env.castle_cards.core.state`.

    `viewer` is a player whose knowledge of the other players' hands is shown too; None shows nothing of hands.
    """
    players = range(int(state.players))
    is_over, last = int(state.phase) == OVER, int(state.last_space)
    is_there = last != NONE and state.height[last] == state.last_height  # and not covered
    known = [Counter() if viewer in (None, player) else count_cards(state.known[viewer, player]) for player in players]
    return CastleCardsPosition(
        seats=tuple(
            Seat(int(state.hand_size[player]), int(state.deck_size[player]), known[player]) for player in players
        ),
        turn_player=int(state.turn),
        current_player=NONE if is_over else int(state.decider),
        phase=PHASE_WORDS[state.phase],
        card=None if is_over or state.effect == NONE else NAMES[state.effect],
        actions_left=0 if is_over else int(state.actions_left),
        quiet_turns=int(state.quiet),
        last_played=name_space(state, last) if is_there else None,
        piles={space: Pile(*zip(*pile, strict=True)) for space, pile in list_piles(state).items()},
        exchange=count_cards(state.exchange.tolist()),
        removed=count_cards(state.removed.tolist()),
        winners=list_winners(state),
    )


def list_winners(state: np.record) -> tuple[int, ...]:
    """Return the players who have won, in ascending order; nobody before the end."""
    return tuple(player for player in range(state.players) if state.winners >> player & 1)


def list_results(state: np.record) -> tuple[float, ...]:
    """Return each player's result, as `CastleCards.returns` describes."""
    winners, players = int(state.winners), int(state.players)
    return tuple(find_result(winners, players, player) for player in range(players))


def find_seen_by_all(state: np.record, holder: int) -> Counter[str]:
    """Return the cards that every onlooker knows to be in the hand of `holder` (rule K10)."""
    return count_cards(state.known[holder, holder].tolist())
