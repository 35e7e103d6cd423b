"""The rules as a state machine. Start reading here.

    begin_turn ──▶ ACTION ──┬─ draw ──────────────────────────────────────────────────────▶ end_action
        ▲                   ├─ give ──▶ TAKE ─────────────────────────────────────────────▶ end_action
        │                   ├─ play ──▶ PLACE ──▶ phases of the effect ──▶ FINISH ──▶ over, or end_action
        │                   │             ▲            │
        │                   │             └─ COUNSEL ◀─┘ of the King's Counselor
        └── end_turn ◀──────┴─ nothing available: pass

`layout/actions.py` lists the phases. For each there is a function here that finds its options, and one that carries a
choice out. A phase of an effect without options is a part that cannot be carried out: it is skipped. `decide` carries
one choice out and goes on to the next phase that has options. `step` does the same, and then passes over decisions
with a single option, as long as there are any. Where no action is available, `decide` is given LAPSE.

Kernels trust their arguments; `game.py` checks what comes from outside. Everywhere `s` is a record of `STATE` and
`log` one of `LOG`.
"""

import numpy as np

from zamek_env.castle_cards.core import arranging, pawns, play, swapping, targets, turns
from zamek_env.castle_cards.core.fitting import find_spaces
from zamek_env.castle_cards.layout.actions import (
    ACTION,
    ARRANGE,
    AWARD,
    BOARD,
    CARD_BASE,
    CARDS,
    COUNSEL,
    DECLINE,
    DRAW,
    FINISH,
    GIVE_BASE,
    GROUP_BASES,
    LEVEL,
    LEVEL_BASE,
    MOVE_FROM,
    MOVE_TO,
    NUM_GROUPS,
    OUTSIDE,
    OVER,
    PASS_ON,
    PAWN,
    PAWN_BASE,
    PILE,
    PLACE,
    PLAY_BASE,
    PLAYER,
    PLAYER_BASE,
    SPACE_BASE,
    STEAL_GIVE,
    SWAP_GIVE,
    SWAP_TAKE,
    TAKE,
    TARGET,
)
from zamek_env.core.bits import as_index, count_word, nth_bit_of_word
from zamek_env.core.jit import kernel

LAPSE = -1  # no action
_BASES = np.array(GROUP_BASES, np.int64)

# --- a game, decision by decision ---


@kernel
def begin_game(s, log):
    """Begin the first turn of a game that has been dealt."""
    log.count = 0
    turns.begin_turn(s, log, 0)
    offer_options(s)


@kernel
def step(s, log, action):
    """Carry out `action`, which must be legal, and go on to the next decision with several options.

    Writes `log` anew, with what the last decision that was passed over brought.
    """
    decide(s, log, action)
    while is_passed_over(s):
        decide(s, log, find_option(s, 0))


@kernel
def decide(s, log, action):
    """Carry out `action`, which must be legal, and go on to the next phase with options. Writes `log` anew.

    LAPSE ends a turn in which no action is available.
    """
    log.count = 0
    if action == LAPSE:
        turns.lapse(s, log)
    else:
        _choose(s, log, action)
    _go_on(s, log)


@kernel
def is_passed_over(s):
    """Return whether nothing is left to decide: a single option, or no action available."""
    return s.num_options <= 1 and s.phase != OVER


@kernel
def find_option(s, number):
    """Return the option of that number, counted from 0 in ascending order, as an action; LAPSE beyond the last."""
    left = np.int64(number)
    for group in range(NUM_GROUPS):
        word = np.int64(s.options[group])
        count = count_word(word)
        if left < count:
            return _BASES[group] + nth_bit_of_word(word, left)
        left -= count
    return LAPSE


@kernel
def is_legal(s, action):
    """Return whether `action`, any int, is legal; LAPSE is where no action is available."""
    if action == LAPSE:
        return s.num_options == 0 and s.phase != OVER
    for group in range(NUM_GROUPS - 1, -1, -1):
        bit = np.int64(action) - _BASES[group]
        if bit >= 0:
            return bit < 64 and (np.int64(s.options[group]) >> bit) & 1 == 1
    return False


@kernel
def write_mask(s, out):
    """Write which actions are legal into `out`, shape `(NUM_ACTIONS,)`."""
    out.fill(0)
    for group in range(NUM_GROUPS):
        word = np.int64(s.options[group])
        while word != 0:
            out[as_index(_BASES[group] + nth_bit_of_word(word, 0))] = 1
            word &= word - 1


@kernel
def _go_on(s, log):
    """Go on to the next phase with options; only ACTION may be left without. Writes `options`, `num_options`."""
    while s.phase != OVER:
        if s.phase == FINISH:
            turns.finish_effect(s, log)
        else:
            offer_options(s)
            if s.num_options > 0 or s.phase == ACTION:
                return
            _skip(s, log)


@kernel
def _skip(s, log):
    """Skip a phase without options."""
    phase = np.int64(s.phase)
    if phase in (TARGET, MOVE_FROM):
        targets.begin_next_part(s)
    elif phase == PILE:
        pawns.finish_pawns(s, log)
    else:
        s.phase = FINISH


# --- options ---


@kernel
def offer_options(s):
    """Write the options of the phase. Writes `options`, `num_options`, at ACTION also `legal`."""
    s.options.fill(0)
    phase = np.int64(s.phase)
    if phase == ACTION:
        turns.offer_actions(s)
    elif phase in (TAKE, AWARD):
        s.options[CARDS] = s.exchange_kinds if s.exchange_size > 0 else 0
    elif phase == PLACE:
        s.options[BOARD], s.options[OUTSIDE] = find_spaces(s, np.int64(s.card))
    elif phase in (TARGET, MOVE_FROM, MOVE_TO):
        _offer_target_options(s, phase)
    elif phase == PILE:
        pawns.offer_piles(s)
    elif phase == LEVEL:
        pawns.offer_levels(s)
    else:
        _offer_hand_options(s, phase)
    total = 0
    for group in range(NUM_GROUPS):
        total += count_word(s.options[group])
    s.num_options = total


@kernel
def _offer_target_options(s, phase):
    if phase == TARGET:
        targets.offer_targets(s)
    elif phase == MOVE_FROM:
        targets.offer_movable(s)
    else:
        targets.offer_destinations(s)


@kernel
def _offer_hand_options(s, phase):
    if phase in (SWAP_GIVE, SWAP_TAKE):
        swapping.offer_swapped(s)
    elif phase == PLAYER:
        swapping.offer_players(s)
    elif phase == STEAL_GIVE:
        swapping.offer_gifts(s)
    elif phase == PASS_ON:
        swapping.offer_hand(s)
    elif phase == COUNSEL:
        play.offer_counseled(s)
    elif phase == ARRANGE:
        arranging.offer_arranged(s)
    elif phase == PAWN:
        pawns.offer_pawns(s)


# --- choices ---


@kernel
def _choose(s, log, action):
    """Carry out `action` in the phase that it belongs to."""
    phase = np.int64(s.phase)
    if phase == ACTION:
        _choose_action(s, log, action)
    elif phase == PLACE:
        play.place_card(s, log, action - SPACE_BASE)
    elif phase == TAKE:
        turns.exchange_card(s, log, action - CARD_BASE)
    elif phase in (TARGET, MOVE_FROM, MOVE_TO, PILE, LEVEL):
        _choose_on_board(s, log, action)
    elif phase == PLAYER:
        swapping.choose_player(s, action - PLAYER_BASE)
    elif phase == PAWN:
        pawns.choose_pawn(s, log, action - PAWN_BASE)
    else:
        _choose_card(s, log, action - CARD_BASE)


@kernel
def _choose_action(s, log, action):
    if action == DRAW:
        turns.draw_card(s, log)
    elif action < PLAY_BASE:
        turns.choose_given(s, action - GIVE_BASE)
    else:
        turns.choose_played(s, action - PLAY_BASE)


@kernel
def _choose_on_board(s, log, action):
    phase, space = np.int64(s.phase), action - SPACE_BASE
    if phase == TARGET:
        targets.meet_target(s, log, space)
    elif phase == MOVE_FROM and action == DECLINE:
        targets.decline(s, log)
    elif phase == MOVE_FROM:
        targets.choose_source(s, space)
    elif phase == MOVE_TO:
        targets.choose_destination(s, log, space)
    elif phase == PILE:
        pawns.choose_pile(s, space)
    else:
        pawns.choose_level(s, action - LEVEL_BASE)


@kernel
def _choose_card(s, log, kind):
    phase = np.int64(s.phase)
    if phase in (SWAP_GIVE, SWAP_TAKE):
        swapping.choose_swapped(s, log, kind)
    elif phase == STEAL_GIVE:
        swapping.choose_gift(s, log, kind)
    elif phase == AWARD:
        swapping.award(s, log, kind)
    elif phase == PASS_ON:
        swapping.choose_passed(s, log, kind)
    elif phase == COUNSEL:
        play.choose_counseled(s, kind)
    else:
        arranging.choose_arranged(s, log, kind)
