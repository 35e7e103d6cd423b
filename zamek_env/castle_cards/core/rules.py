"""The rules as a state machine. Start reading here.

    begin_turn ──▶ ACTION ──┬─ draw ──────────────────────────────────────────────────────▶ end_action
        ▲                   ├─ give ──▶ TAKE ─────────────────────────────────────────────▶ end_action
        │                   ├─ play ──▶ PLACE ──▶ phases of the effect ──▶ FINISH ──▶ over, or end_action
        │                   │             ▲            │
        │                   │             └─ COUNSEL ◀─┘ of the King's Counselor
        └── end_turn ◀──────┴─ nothing available: pass

`layout/actions.py` lists the phases. `offer_options` finds the options of each, `_choose` carries a choice out. A phase
of an effect without options is a part that cannot be carried out: it is skipped. `decide` carries one choice out and
goes on to the next phase that has options. `step` does the same, and then skips decisions with a single option, as long
as there are any. Where no action is available, `decide` gets LAPSE.

Kernels trust their arguments; `game.py` checks what comes from outside. Everywhere `s` is a record of `STATE` and
`log` one of `LOG`.
"""

import numpy as np

from zamek_env.base.chance import draw_below
from zamek_env.castle_cards.core import pawns, play, swapping, targets, turns
from zamek_env.castle_cards.core.fitting import find_playable, find_spaces
from zamek_env.castle_cards.layout import actions
from zamek_env.compiler.bits import as_index, count_word, nth_bit_of_word
from zamek_env.compiler.jit import kernel

LAPSE = -1  # no action
_BASES = np.array(actions.GROUP_BASES, np.int64)

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

    Overwrites `log`, with what the last decision that was passed over brought.
    """
    decide(s, log, action)
    while is_passed_over(s):
        decide(s, log, find_option(s, 0))


@kernel
def decide(s, log, action):
    """Carry out `action`, which must be legal, and go on to the next phase with options. Overwrites `log`.

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
    return s.num_options <= 1 and s.phase != actions.OVER


@kernel
def find_option(s, number):
    """Return the option of that number, counted from 0 in ascending order, as an action; LAPSE beyond the last."""
    left = np.int64(number)
    for group in range(actions.NUM_GROUPS):
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
        return s.num_options == 0 and s.phase != actions.OVER
    for group in range(actions.NUM_GROUPS - 1, -1, -1):
        bit = np.int64(action) - _BASES[group]
        if bit >= 0:
            return bit < 64 and (np.int64(s.options[group]) >> bit) & 1 == 1
    return False


@kernel
def write_mask(s, out):
    """Write which actions are legal into `out`, shape `(NUM_ACTIONS,)`."""
    out.fill(0)
    for group in range(actions.NUM_GROUPS):
        word = np.int64(s.options[group])
        while word != 0:
            out[as_index(_BASES[group] + nth_bit_of_word(word, 0))] = 1
            word &= word - 1


@kernel
def draw_action(s, generator):
    """Return a uniformly random legal action of a game that is not over. Writes `generator`."""
    return find_option(s, draw_below(generator, s.num_options))


@kernel
def play_randomly(s, log, generator):
    """Play a game to its end with uniformly random legal actions; return how many. Writes `generator`."""
    decisions = 0
    while not turns.is_terminal(s):
        step(s, log, draw_action(s, generator))
        decisions += 1
    return decisions


@kernel
def _go_on(s, log):
    """Go on to the next phase with options; only ACTION may have none. Writes `options`, `num_options`."""
    while s.phase != actions.OVER:
        if s.phase == actions.FINISH:
            turns.finish_effect(s, log)
        else:
            offer_options(s)
            if s.num_options > 0 or s.phase == actions.ACTION:
                return
            if s.phase in (actions.TARGET, actions.MOVE_FROM):  # skipped
                targets.begin_next_part(s)
            elif s.phase == actions.PILE:
                pawns.finish_pawns(s, log)
            else:
                s.phase = actions.FINISH


# --- options ---


@kernel
def offer_options(s):
    """Write the options of the phase. Writes `options`, `num_options`, at ACTION also `legal`."""
    s.options.fill(0)
    phase = np.int64(s.phase)
    if phase == actions.ACTION:
        turns.offer_actions(s)
    elif phase in (actions.TAKE, actions.AWARD):
        s.options[actions.CARDS] = s.exchange_kinds
    elif phase == actions.PLACE:
        s.options[actions.BOARD], s.options[actions.OUTSIDE] = find_spaces(s, np.int64(s.card))
    elif phase == actions.TARGET:
        targets.offer_targets(s)
    elif phase == actions.MOVE_FROM:
        targets.offer_movable(s)
    elif phase == actions.MOVE_TO:
        targets.offer_destinations(s)
    elif phase == actions.PILE:
        pawns.offer_piles(s)
    elif phase == actions.LEVEL:
        s.options[actions.OTHERS] = pawns.find_levels(s, np.int64(s.source)) << actions.LEVEL_BIT
    elif phase in (actions.SWAP_GIVE, actions.SWAP_TAKE):
        swapping.offer_swapped(s)
    elif phase == actions.PLAYER:
        swapping.offer_players(s)
    elif phase == actions.STEAL_GIVE:  # the stolen card may be given back
        s.options[actions.CARDS] = s.hand_kinds[as_index(s.turn)] | 1 << np.int64(s.stolen)
    elif phase == actions.PASS_ON:
        s.options[actions.CARDS] = s.hand_kinds[as_index(s.decider)]
    elif phase == actions.COUNSEL:
        s.options[actions.CARDS], _ = find_playable(s, np.int64(s.exchange_kinds))
    elif phase == actions.ARRANGE:
        s.options[actions.CARDS] = s.arranging_kinds
    elif phase == actions.PAWN:
        pawns.offer_pawns(s)
    total = 0
    for group in range(actions.NUM_GROUPS):
        total += count_word(s.options[group])
    s.num_options = total


# --- choices ---


@kernel
def _choose(s, log, action):
    """Carry out `action` in the phase that it belongs to."""
    phase, space, kind = np.int64(s.phase), action - actions.SPACE_BASE, action - actions.CARD_BASE
    if phase == actions.ACTION and action == actions.DRAW:
        turns.draw_card(s, log)
    elif phase == actions.ACTION:  # notes the card that must be given or played
        is_given = action < actions.PLAY_BASE
        s.card = action - (actions.GIVE_BASE if is_given else actions.PLAY_BASE)
        s.phase = actions.TAKE if is_given else actions.PLACE
    elif phase == actions.PLACE:
        play.place_card(s, log, space)
    elif phase == actions.TAKE:
        turns.exchange_card(s, log, kind)
    elif phase == actions.TARGET:
        targets.meet_target(s, log, space)
    elif phase == actions.MOVE_FROM and action == actions.DECLINE:
        targets.decline(s, log)
    elif phase in (actions.MOVE_FROM, actions.PILE):
        s.source = space
        s.phase = actions.MOVE_TO if phase == actions.MOVE_FROM else actions.LEVEL
    elif phase == actions.MOVE_TO:
        targets.choose_destination(s, log, space)
    elif phase == actions.LEVEL:
        pawns.choose_level(s, action - actions.LEVEL_BASE)
    elif phase == actions.PLAYER:
        swapping.choose_player(s, action - actions.PLAYER_BASE)
    elif phase == actions.PAWN:
        pawns.choose_pawn(s, log, action - actions.PAWN_BASE)
    elif phase in (actions.SWAP_GIVE, actions.SWAP_TAKE):
        swapping.choose_swapped(s, log, kind)
    elif phase == actions.STEAL_GIVE:
        swapping.choose_gift(s, log, kind)
    elif phase == actions.AWARD:
        swapping.award(s, log, kind)
    elif phase == actions.PASS_ON:
        swapping.choose_passed(s, log, kind)
    elif phase == actions.COUNSEL:
        s.card = kind
        s.is_counseled = 1
        s.phase = actions.PLACE
    else:
        targets.choose_arranged(s, log, kind)
