"""Draws a game of castle-cards for a terminal, no wider than 80 columns.

A space of the grid is 11 x 3 characters inside its frame. It shows the name of a card, and below it the pawns of its
pile from the lowest card up: a digit is a player's pawn, `-` none, and `K` a Knight on the card:

    │Lady in    │
    │Waiting    │
    │1K0K-      │    a pawn of player 1, on it a Knight with a pawn of player 0, on him a Knight without a pawn

A space without a card is named by its zone, in small letters.
"""

import textwrap
from collections.abc import Mapping, Sequence

from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.action_line import format_space
from zamek_env.castle_cards.notation.position import CastleCardsPosition, Pile, find_zone
from zamek_env.castle_cards.notation.position_line import write_cards
from zamek_env.common.messages import show_count
from zamek_env.common.player_names import conjugate, name_player, name_turn
from zamek_env.common.printing import to_ascii

LINE = 80  # characters of a line
CELL = 11  # characters of a space, without its frame
LINES = 3  # of a space
_FRAMES = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))  # above the first row, between two rows, below the last
_HINT = "digit: a player's pawn, -: none, K: a Knight on the card"


def draw_text(
    position: CastleCardsPosition, ascii: bool = False, hand: Mapping[str, int] | None = None, names: Sequence[str] = ()
) -> str:
    """Return `position` as lines of text, the castle first, then what lies next to it.

    No line has more than 80 characters; with `ascii` all of them are ASCII. `hand`, {card: number}, is shown as that of
    the player to decide; `names` are those of the players, if they have some.
    """
    lines = [*_draw_grid(position), *_list_beside(position, names)]
    if hand is not None:
        lines += _wrap("hand", write_cards(hand))
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return "\n".join(map(to_ascii, text.split("\n"))) if ascii else text


def draw_pile(pile: Pile) -> str:
    """Return the pawns of a pile in signs, the lowest card's first."""
    return "K".join("-" if pawn is None else str(pawn) for pawn in pile.pawns)


def _draw_grid(position):
    bar = "─" * CELL
    for row in range(WIDTH):
        left, middle, right = _FRAMES[min(row, 1)]
        yield left + middle.join([bar] * WIDTH) + right
        cells = [_draw_cell(position, (row, column)) for column in range(WIDTH)]
        for line in zip(*cells, strict=True):
            yield "│" + "│".join(part.ljust(CELL) for part in line) + "│"
    left, middle, right = _FRAMES[2]
    yield left + middle.join([bar] * WIDTH) + right


def _draw_cell(position, space):
    """Return the lines of a space of the grid."""
    pile = position.piles.get(space)
    if pile is None:
        return ["", find_zone(space).center(CELL), ""]
    words = textwrap.wrap(pile.cards[0], CELL)
    return [*words, *[""] * (LINES - 1 - len(words)), draw_pile(pile)]


def _list_beside(position, names):
    """Yield the lines below the castle."""
    piles = {space: f"{pile.cards[0]} {draw_pile(pile)}" for space, pile in position.piles.items()}
    engines = [f"{side} {piles.get(('siege', side), '-')}" for side in SIDES]
    outside = [f"{where[1]} {pile}" for where, pile in piles.items() if where[0] == "outside"]
    yield f"  {_HINT}"
    yield from _wrap("siege", "; ".join(engines))
    yield from _wrap("outside", "; ".join(outside) or "-")
    yield from _wrap("exchange", write_cards(position.exchange) or "-")
    if position.removed:
        yield from _wrap("removed", write_cards(position.removed))
    if position.last_played is not None:
        yield from _wrap("last played", format_space(position.last_played))
    for player, (seat, pawns) in enumerate(zip(position.seats, position.pawns_left, strict=True)):
        known = f"; known in hand: {write_cards(seat.known)}" if seat.known else ""
        yield from _wrap(
            name_player(player, names), f"{seat.hand} in hand, {seat.deck} in the deck, {pawns} pawns{known}"
        )
    yield from _wrap("now", describe_decision(position, names))


def describe_decision(position: CastleCardsPosition, names: Sequence[str] = ()) -> str:
    """Return in words who decides and what, or who has won; `names` are those of the players."""
    if position.current_player < 0:
        return f"{' and '.join(name_player(player, names) for player in position.winners) or 'nobody'} won"
    who, decides = name_player(position.current_player, names), conjugate("decides", position.current_player, names)
    of = f" for the {position.card}" if position.card else ""
    return f"{who} {decides}: {position.phase}{of}; {describe_turn(position, names)}"


def describe_turn(position: CastleCardsPosition, names: Sequence[str] = ()) -> str:
    """Return in words whose turn it is, or was the last one; `names` are those of the players."""
    if position.current_player < 0:
        return f"last turn: {name_player(position.turn_player, names)}"
    return f"{name_turn(position.turn_player, names)}, {show_count(position.actions_left, 'action')} left"


def _wrap(name, words):
    yield from textwrap.wrap(f"{name}: {words}", LINE - 2, initial_indent="  ", subsequent_indent="    ")
