"""The rows of an observation: what each legal action does, and what changes by it (see `layout/rows.py`)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.fitting import count_spaces, find_playable
from zamek_env.castle_cards.core.leaving import find_free_to_leave
from zamek_env.castle_cards.core.pawns import find_levels
from zamek_env.castle_cards.core.piles import find_adjacent, find_kind, find_pawn, find_top_pawn
from zamek_env.castle_cards.core.rules import decide, find_option
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import COURT, RAMPARTS, SLOTS, TOWERS
from zamek_env.castle_cards.layout.rows import CARD_GROUP_OF, CARD_GROUPS, DOES, find_row_layout
from zamek_env.compiler.bits import as_index, count_word, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import copy_aside, new_scratch

_GROUPS = tuple(group.name for group in find_row_layout(box.MIN_PLAYERS).groups)
_DTYPE = record_dtype([(name, np.int64) for name in _GROUPS])
_GIVE, _PLAY = DOES.index("give"), DOES.index("play")  # of other phases than ACTION the number follows that of `play`
_DECLINED = DOES.index("decline")
_CARD_GROUP = np.array(  # of what is done: the number of the group of its card
    [[*CARD_GROUPS].index(CARD_GROUP_OF[does]) if does in CARD_GROUP_OF else NONE for does in DOES], np.int64
)
_SPARES = 1 << box.ASSASSIN | 1 << box.MAGICIAN | 1 << box.FAIRY  # whose targets come to no hand


def _find_columns() -> npt.NDArray[np.record]:
    """Return where each group begins, by the number of players."""
    found: Any = np.zeros(box.MAX_PLAYERS + 1, _DTYPE)
    for players in range(box.MIN_PLAYERS, box.MAX_PLAYERS + 1):
        for name in _GROUPS:
            found[name][players] = find_row_layout(players)[name].start
    return found


COLUMNS = _find_columns()


@kernel
def write_game_rows(states, logs, game, player, rows, row_actions):
    """Do as `write_rows` does for `states[game]`. Writes `logs[0]` too."""
    write_rows(states[game], logs[0], player, rows, row_actions)


@kernel
def write_rows(s, log, player, rows, row_actions):
    """Write what each legal action does into `rows`, and its number into `row_actions`, NONE beyond the last.

    There are no rows where it is not `player` who decides. Both must come from an earlier call or hold `NONE`s. Writes
    `log` too, which is empty afterwards.
    """
    count = 0
    if s.phase != actions.OVER and s.decider == player:
        at = COLUMNS[s.players]
        count = int(s.num_options)
        for number in range(count):
            action, row = find_option(s, number), rows[number]
            row.fill(0)
            _write_option(s, action, row, at)
            _write_change(s, log, action, row, at)
            row_actions[number] = action
    while count < row_actions.size and row_actions[count] > NONE:
        rows[count].fill(0)
        row_actions[count] = NONE
        count += 1


@kernel
def _find_seat(s, player, other):
    """Return the seat of `other` counted from `player`, or the number of players where `other` is nobody."""
    count = int(s.players)
    return (int(other) - int(player) + count) % count if 0 <= other < count else count


# --- what it is ---


@kernel
def _write_option(s, action, row, at):
    """Write the kind of option, its card, and the owner of the pawn concerned."""
    phase, player = int(s.phase), int(s.decider)
    if phase == actions.ACTION:
        if action == actions.DRAW:
            row[at.does] = 1
        elif action < actions.PLAY_BASE:
            _write_held(s, _GIVE, action - actions.GIVE_BASE, row, at)
        else:
            _write_held(s, _PLAY, action - actions.PLAY_BASE, row, at)
        return
    does = _PLAY + phase
    if action == actions.DECLINE:
        row[at.does + _DECLINED] = 1
    elif phase == actions.PLAYER:
        row[at.does + does] = 1
        row[at.whose + _find_seat(s, player, action - actions.PLAYER_BASE)] = 1
    elif phase == actions.PAWN:
        pawn = action - actions.PAWN_BASE
        _write_card(does, _find_spied(s), row, at)
        row[at.whose + _find_seat(s, player, NONE if pawn == actions.NO_PAWN else pawn)] = 1
    elif phase == actions.LEVEL:
        level = action - actions.LEVEL_BASE
        _write_card(does, find_kind(s, int(s.source), level), row, at)
        row[at.whose + _find_seat(s, player, find_pawn(s, int(s.source), level))] = 1
    elif action >= actions.SPACE_BASE:
        _write_space(s, does, action - actions.SPACE_BASE, row, at)
    elif phase == actions.ARRANGE:
        _write_card(does, action - actions.CARD_BASE, row, at)
    else:
        _write_held(s, does, action - actions.CARD_BASE, row, at)
        if phase in (actions.AWARD, actions.STEAL_GIVE):
            row[at.whose + _find_seat(s, player, s.other)] = 1


@kernel
def _write_card(does, kind, row, at):
    """Write the kind of option, and its card."""
    row[at.does + does] = 1
    row[at.play + box.NUM_KINDS * _CARD_GROUP[as_index(does)] + kind] = 1


@kernel
def _write_held(s, does, kind, row, at):
    """Write the option for a card of a hand or the exchange."""
    _write_card(does, kind, row, at)
    row[at.fits] = count_spaces(s, kind)


@kernel
def _write_space(s, does, space, row, at):
    """Write the card that is placed or moved there, or the uncovered one, and the owners of the pawns there."""
    phase, player, height = int(s.phase), int(s.decider), int(s.height[as_index(space)])
    if phase == actions.PLACE:
        _write_held(s, does, int(s.card), row, at)
    elif phase == actions.MOVE_TO:
        source = int(s.source)
        _write_card(does, find_kind(s, source, int(s.height[as_index(source)]) - 1), row, at)
    else:
        _write_card(does, find_kind(s, space, height - 1), row, at)
    if phase != actions.PILE:
        if height > 0:
            row[at.whose + _find_seat(s, player, find_top_pawn(s, space))] = 1
        return
    levels = find_levels(s, space)
    while levels != 0:
        row[at.whose + _find_seat(s, player, find_pawn(s, space, lowest_bit(levels)))] += 1
        levels &= levels - 1


@kernel
def _find_spied(s):
    """Return the kind of the card next to the Spy that gets the next pawn."""
    left, before = find_adjacent(s, box.SPY) & s.occupied, int(s.progress)
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        height = int(s.height[as_index(space)])
        if before < height:
            return find_kind(s, space, before)
        before -= height
    return 0  # not reached: there is one


# --- what changes ---


@kernel
def _write_change(s, log, action, row, at):
    """Write the changes by the action, from signed numbers: a row that is flat has room for what bytes would drop."""
    player, players = int(s.decider), int(s.players)
    then = copy_aside(s)
    decide(then, log, action)
    _write_bare(then, player, row, at)
    for number in range(players):
        other = as_index((player + number) % players)
        row[at.board + number] = np.int64(s.pawns[other]) - np.int64(then.pawns[other])
    row[at.exchange] = np.int64(then.exchange_size) - np.int64(s.exchange_size)
    for kind in range(box.NUM_KINDS):
        row[at.removed] += np.int64(then.removed[kind]) - np.int64(s.removed[kind])
    near = ~int(then.occupied)
    row[at.free] = count_word(TOWERS & near)
    row[at.free + 1] = count_word(RAMPARTS & near)
    row[at.free + 2] = count_word(COURT & near)
    row[at.free + 3] = count_word(SLOTS & near)
    kinds = find_playable(then, int(s.hand_kinds[player]))[0]
    while kinds != 0:
        row[at.fitting] += s.hand[player, as_index(lowest_bit(kinds))]
        kinds &= kinds - 1
    _write_hands(s, then, log, row, at)


@kernel
def _write_bare(s, player, row, at):
    """Write how many cards of each player could be taken back, by zone."""
    left = find_free_to_leave(s)
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        bit = 1 << space
        if TOWERS & bit:
            _write_pawn(s, player, space, row, at.bare_towers)
        elif RAMPARTS & bit:
            _write_pawn(s, player, space, row, at.bare_ramparts)
        elif COURT & bit:
            _write_pawn(s, player, space, row, at.bare_court)
        else:
            _write_pawn(s, player, space, row, at.bare_outside)
    for rank in range(int(s.outside_count)):
        _write_pawn(s, player, box.FIRST_OUTSIDE + rank, row, at.bare_outside)


@kernel
def _write_pawn(s, player, space, row, first):
    """Count the uncovered card of a pile for the owner of its pawn, if there is one."""
    seat = _find_seat(s, player, find_top_pawn(s, space))
    if seat < s.players:
        row[first + seat] += 1


@kernel
def _write_hands(s, then, log, row, at):
    """Write the cards that come to hands `then` and by choices that follow at once, and who may be out of cards."""
    player, players = int(s.decider), int(s.players)
    most, least = new_scratch(s.options), new_scratch(s.options)
    most.fill(-box.NUM_KINDS)
    least.fill(box.NUM_KINDS)
    if then.phase == actions.PLACE:
        for number in range(int(then.num_options)):
            placed = copy_aside(then)
            decide(placed, log, find_option(then, number))
            _weigh(s, placed, most, least)
            if not box.BY_SPACE >> int(then.card) & 1:
                break
    else:
        _weigh(s, then, most, least)
    for number in range(players):
        other = as_index((player + number) % players)
        row[at.most + number] = most[other]
        row[at.least + number] = least[other]
        left = int(s.hand_size[other]) + int(then.deck_size[other]) + least[other]
        row[at.left + number] = left
        row[at.out + number] = left == 0


@kernel
def _weigh(s, then, most, least):
    """Widen the bounds of cards gained by those gained `then`, and by one that the player may take back next."""
    takes = then.phase == actions.TARGET and then.decider == s.decider and not _SPARES >> int(then.effect) & 1
    if not takes:
        _widen(s, then, NONE, most, least)
        return
    left = int(then.options[actions.BOARD])
    while left != 0:
        _widen(s, then, find_top_pawn(then, lowest_bit(left)), most, least)
        left &= left - 1
    left = int(then.options[actions.OUTSIDE])
    while left != 0:
        _widen(s, then, find_top_pawn(then, box.FIRST_OUTSIDE + lowest_bit(left)), most, least)
        left &= left - 1


@kernel
def _widen(s, then, owner, most, least):
    """Widen the bounds by what has come to hands, and one card more for the `owner` of a pawn."""
    for player in range(int(s.players)):
        gained = int(then.hand_size[player]) - int(s.hand_size[player]) + (1 if owner == player else 0)
        most[player] = max(int(most[player]), gained)
        least[player] = min(int(least[player]), gained)
