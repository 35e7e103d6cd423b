"""Rebuilds every derived field of a state record from the piles, hands and decks, and reports where the two disagree.

No kernel is called.
"""

from collections import Counter
from typing import Any

import numpy as np

from tests.support.checking.disagreement import require
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.components.cards import CARDS
from zamek_env.castle_cards.core.state import NONE, QUIET
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import COURT, RAMPARTS, SLOTS, TOWERS

_ZONES = {"tower": TOWERS, "rampart": RAMPARTS, "court": COURT, "outside": 0}
_SPACES = frozenset((actions.BOARD, actions.OUTSIDE))
_GROUPS = {  # groups of options by phase, where it is not CARDS
    actions.ACTION: frozenset((actions.BASIC, actions.GIVES, actions.PLAYS)),
    actions.MOVE_FROM: _SPACES | {actions.BASIC},
    **dict.fromkeys((actions.PLACE, actions.TARGET, actions.MOVE_TO, actions.PILE), _SPACES),
    **dict.fromkeys((actions.LEVEL, actions.PLAYER, actions.PAWN), frozenset((actions.OTHERS,))),
    actions.OVER: frozenset(),
}


def check_consistency(state: Any) -> None:
    """Check the fields of a record of `STATE` against each other.

    Raises `ConsistencyError`, which names the field that disagrees, its value and the right one.
    """
    piles = _rebuild_piles(state)
    _check_board(state, piles)
    _check_outside(state)
    _check_holdings(state)
    _check_cards(state, piles)
    _check_pawns(state, piles)
    _check_known(state)
    _check_turn(state, piles)
    _check_pending(state)
    _check_options(state)


def _compare(field: str, stored: object, rebuilt: object) -> None:
    require(stored == rebuilt, field, stored, f"rebuilt it is {rebuilt}")


def _rebuild_piles(state: Any) -> dict[int, list[tuple[int, int]]]:
    """Return {space: (kind, pawn) from the bottom up}."""
    cards = zip(state.bottom.tolist(), state.bottom_pawn.tolist(), strict=True)
    piles = {space: [(kind, pawn)] for space, (kind, pawn) in enumerate(cards) if kind != NONE}
    knights = zip(state.knight_level.tolist(), state.knight_space.tolist(), state.knight_pawn.tolist(), strict=True)
    for level, space, pawn in sorted(knights):
        if space == NONE:
            require(level == 0 and pawn == NONE, "knight_level", level, "that Knight is not in play")
            continue
        require(space in piles, "knight_space", space, "nothing lies there")
        _compare(f"knight_level on {space}", level, len(piles[space]))
        piles[space].append((box.KNIGHT, pawn))
    return piles


def _check_board(state: Any, piles: dict[int, list[tuple[int, int]]]) -> None:
    _compare("height", state.height.tolist(), [len(piles.get(space, [])) for space in range(box.NUM_SPACES)])
    owners = [piles[space][0][1] if space in piles else NONE for space in range(box.NUM_SPACES)]
    _compare("bottom_pawn", state.bottom_pawn.tolist(), owners)
    where = [NONE] * box.NUM_KINDS
    for space, pile in piles.items():
        kind = pile[0][0]
        zone = SLOTS if kind == box.SIEGE_ENGINE else _ZONES[CARDS[kind].zone]
        fits = zone >> space & 1 if space < box.FIRST_OUTSIDE else kind != box.SIEGE_ENGINE
        require(bool(fits) and kind != box.KNIGHT, f"bottom[{space}]", kind, "that card cannot lie there")
        if box.COPIES[kind] == 1:
            where[kind] = space
    _compare("where", state.where.tolist(), where)
    _compare("occupied", int(state.occupied), sum(1 << space for space in piles if space < box.FIRST_OUTSIDE))
    knighted = [space for space, pile in piles.items() if len(pile) > 1]
    _compare("knighted", int(state.knighted), sum(1 << space for space in knighted if space < box.FIRST_OUTSIDE))
    outside = sum(1 << space - box.FIRST_OUTSIDE for space in knighted if space >= box.FIRST_OUTSIDE)
    _compare("knighted_outside", int(state.knighted_outside), outside)


def _check_outside(state: Any) -> None:
    count = int(state.outside_count)
    _compare("height outside", [bool(height) for height in state.height[box.FIRST_OUTSIDE :]].count(True), count)
    require(all(state.height[box.FIRST_OUTSIDE : box.FIRST_OUTSIDE + count]), "outside_count", count, "there is a gap")
    numbers = [*state.outside_number[:count].tolist(), int(state.next_number)]
    require(numbers == sorted({*numbers} - {NONE}), "outside_number", numbers, "numbers from 0 on must ascend")
    _compare("outside_number beyond", sum(state.outside_number[count:].tolist()), 0)


def _check_holdings(state: Any) -> None:
    for player in range(box.MAX_PLAYERS):
        _compare(f"hand_size[{player}]", int(state.hand_size[player]), sum(state.hand[player].tolist()))
        _compare(f"hand_kinds[{player}]", int(state.hand_kinds[player]), _find_kinds(state.hand[player].tolist()))
        unused = state.deck[player, int(state.deck_size[player]) :].tolist()
        _compare(f"deck[{player}] beyond", sum(unused), 0)
        if player >= state.players:
            _compare(f"cards of {player}", int(state.hand_size[player]) + int(state.deck_size[player]), 0)
    _compare("exchange_size", int(state.exchange_size), sum(state.exchange.tolist()))
    _compare("exchange_kinds", int(state.exchange_kinds), _find_kinds(state.exchange.tolist()))


def _find_kinds(counts: list[int]) -> int:
    return sum(1 << kind for kind, count in enumerate(counts) if count)


def _check_cards(state: Any, piles: dict[int, list[tuple[int, int]]]) -> None:
    """Check that no card was lost or doubled."""
    cards = Counter(kind for pile in piles.values() for kind, _ in pile)
    for counts in (*state.hand, state.exchange, state.removed):
        cards.update(dict(enumerate(counts.tolist())))
    for player in range(box.MAX_PLAYERS):
        cards.update(state.deck[player, : int(state.deck_size[player])].tolist())
    for kind, copies in enumerate(box.COPIES):
        require(cards[kind] == copies, f"cards {CARDS[kind].name}", cards[kind], f"there are {copies}")


def _check_pawns(state: Any, piles: dict[int, list[tuple[int, int]]]) -> None:
    laid = Counter(pawn for pile in piles.values() for _, pawn in pile)
    for player, count in enumerate(box.PAWN_COUNTS):
        total = count if player < state.players else 0
        _compare(f"pawns[{player}]", int(state.pawns[player]), total - laid[player])


def _check_known(state: Any) -> None:
    most = np.repeat(state.hand[np.newaxis], box.MAX_PLAYERS, axis=0)
    for observer, holder, kind in np.argwhere(state.known > most).tolist():
        field = f"known[{observer}, {holder}, {kind}]"
        require(False, field, state.known[observer, holder, kind], f"it is at most {most[observer, holder, kind]}")


def _check_turn(state: Any, piles: dict[int, list[tuple[int, int]]]) -> None:
    for field in ("turn", "decider"):
        require(getattr(state, field) < state.players, field, getattr(state, field), f"{state.players} play")
    is_over = bool(state.phase == actions.OVER)
    _compare("end", bool(state.end), is_over)
    _compare("winners", bool(state.winners), is_over)
    most = box.MAX_QUIET_TURNS - (state.end != QUIET)
    require(state.quiet <= most, "quiet", state.quiet, f"it is at most {most}")
    if state.last_space != NONE:
        height = len(piles.get(int(state.last_space), []))
        require(0 < state.last_height <= height, "last_height", state.last_height, f"the pile has {height} cards")


def _check_pending(state: Any) -> None:
    """Check that cards that were chosen are where they were."""
    is_chosen = state.phase in (actions.TAKE, actions.PLACE)
    _compare("card", state.card != NONE, is_chosen)
    if is_chosen:
        counts = state.exchange if state.is_counseled else state.hand[state.turn]
        require(counts[state.card] > 0, "card", state.card, "it is not where it is played or given from")
    _compare("stolen", state.stolen != NONE, state.phase == actions.STEAL_GIVE)
    if state.stolen != NONE:
        require(state.hand[state.other, state.stolen] > 0, "stolen", state.stolen, f"{state.other} has no such card")


def _check_options(state: Any) -> None:
    options = state.options.tolist()
    _compare("num_options", int(state.num_options), sum(word.bit_count() for word in options))
    if state.phase not in (actions.ACTION, actions.OVER):
        require(state.num_options > 0, "num_options", state.num_options, "something must be decided")
    groups = {group for group, word in enumerate(options) if word}
    allowed = _GROUPS.get(int(state.phase), {actions.CARDS})
    require(groups <= allowed, "options", sorted(groups), f"the phase has {sorted(allowed)}")
    for group, size in enumerate(actions.GROUP_SIZES):
        require(options[group] >> size == 0, f"options[{group}]", options[group], f"it has {size} bits")
