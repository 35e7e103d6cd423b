"""Where a game of Castle may begin, and what a decision is."""

from dataclasses import dataclass, field

from tests.support.castle.board import Space

ACTIONS = 2  # K4


@dataclass(frozen=True)
class Decision:
    """Who decides on what. `phase` is "action", "take", "place" or "effect"."""

    player: int
    phase: str
    options: frozenset[tuple]


@dataclass(frozen=True)
class Position:
    """Where a game begins. `piles` holds (card, pawn) from the bottom up, `decks` cards from the top down.

    `last_played` is the space of the card that was played last. `is_first` says whether the action due is the first of
    its turn.
    """

    hands: list[list[str]]
    decks: list[list[str]]
    exchange: list[str]
    piles: dict[Space, list[tuple[str, int | None]]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    turn_player: int = 0
    actions_left: int = ACTIONS
    is_first: bool = True
    last_played: Space | None = None
    quiet_turns: int = 0
