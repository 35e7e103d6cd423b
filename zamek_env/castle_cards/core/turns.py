"""The turn: its actions, its end, and the turn of the next player (K3, K4, K9)."""

import numpy as np

from zamek_env.castle_cards.components.kinds import HERALD, KING, MERCHANT, WITHOUT_EFFECT
from zamek_env.castle_cards.components.sizes import ACTIONS_A_TURN, MAX_QUIET_TURNS
from zamek_env.castle_cards.core.ending import check_end, end_by_hands
from zamek_env.castle_cards.core.fitting import find_playable
from zamek_env.castle_cards.core.hands import add_to_exchange, add_to_hand, gain_seen, lose_seen, take_from_exchange
from zamek_env.castle_cards.core.log import DRAWN, EXCHANGE, PASS, TURN, VOID, write_event
from zamek_env.castle_cards.core.state import NONE, QUIET
from zamek_env.castle_cards.core.swapping import find_in_turn
from zamek_env.castle_cards.layout.actions import ACTION, BASIC, DRAW, FINISH, GIVES, PLACE, PLAYS, TAKE
from zamek_env.castle_cards.layout.board import COURT
from zamek_env.core.bits import as_index, count_word
from zamek_env.core.jit import kernel


@kernel
def begin_turn(s, log, player):
    """Begin a turn of `player`. Writes what describes the turn."""
    s.turn = player
    s.decider = player
    s.phase = ACTION
    s.actions_left = ACTIONS_A_TURN
    s.is_first = 1
    s.has_played = 0
    s.turns += 1
    write_event(log, TURN, player, NONE, NONE)


@kernel
def offer_actions(s):
    """Write the actions that are available into `options`, and how many they are into `legal` (K4)."""
    player = as_index(s.turn)
    hand = np.int64(s.hand_kinds[player])
    if s.is_first and s.where[HERALD] != NONE and hand >> KING & 1 and COURT & ~s.occupied:
        s.options[PLAYS], s.legal = find_playable(s, 1 << KING)  # the Herald's duty
        return
    s.options[PLAYS], placements = find_playable(s, hand)
    s.legal = placements
    if s.deck_size[player] > 0:
        s.options[BASIC] = 1 << DRAW
        s.legal += 1
    if s.exchange_size > 0:
        s.options[GIVES] = hand
        s.legal += count_word(hand) * count_word(s.exchange_kinds)


@kernel
def draw_card(s, log):
    """Draw the top card of the own deck. Writes `deck`, `deck_size`, the hand."""
    player = np.int64(s.turn)
    top = np.int64(s.deck_size[as_index(player)]) - 1
    kind = np.int64(s.deck[as_index(player), as_index(top)])
    s.deck[as_index(player), as_index(top)] = 0
    s.deck_size[as_index(player)] = top
    add_to_hand(s, player, kind)
    write_event(log, DRAWN, kind, np.int64(s.legal), NONE)
    end_action(s, log, 0)


@kernel
def choose_given(s, kind):
    """Take note of the card to be given to the exchange. Writes `card`, `phase`."""
    s.card = kind
    s.phase = TAKE


@kernel
def choose_played(s, kind):
    """Take note of the card to be played. Writes `card`, `phase`."""
    s.card = kind
    s.phase = PLACE


@kernel
def exchange_card(s, log, kind):
    """Take a card of that kind from the exchange for the card noted before. Writes the hand, the exchange."""
    player, given = np.int64(s.turn), np.int64(s.card)
    take_from_exchange(s, kind)
    lose_seen(s, player, given)
    add_to_exchange(s, given)
    gain_seen(s, player, kind)
    s.card = NONE
    write_event(log, EXCHANGE, given, kind, np.int64(s.legal))
    end_action(s, log, 0)


@kernel
def finish_effect(s, log):
    """Conclude the play of a card; the game may be over, or the Merchant's further action begin."""
    effect = np.int64(s.effect)
    s.effect = NONE
    s.decider = s.turn
    if not s.is_carried and not WITHOUT_EFFECT >> effect & 1:
        write_event(log, VOID, effect, NONE, NONE)
    check_end(s)
    if s.phase == FINISH:
        end_action(s, log, 1 if effect == MERCHANT else 0)


@kernel
def end_action(s, log, more):
    """Go on to the next action, of which there are `more` than there were, or end the turn."""
    s.is_first = 0
    s.legal = 0
    s.actions_left = np.int64(s.actions_left) - 1 + more
    if s.actions_left > 0:
        s.phase = ACTION
    else:
        end_turn(s, log)


@kernel
def end_turn(s, log):
    """Begin the turn of the left neighbour, unless too many turns were quiet (K9)."""
    s.quiet = 0 if s.has_played else np.int64(s.quiet) + 1
    if s.quiet == MAX_QUIET_TURNS:
        end_by_hands(s, QUIET)
    else:
        begin_turn(s, log, find_in_turn(s, 1))


@kernel
def lapse(s, log):
    """End a turn in which no action is available."""
    write_event(log, PASS, NONE, NONE, NONE)
    end_turn(s, log)
