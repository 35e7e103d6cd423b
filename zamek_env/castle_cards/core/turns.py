"""The turn: its actions, its end, and the turn of the next player; how a game ends, and who has won (K3, K4, K9)."""

from typing import Any

import numpy as np

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.fitting import count_spaces, find_playable
from zamek_env.castle_cards.core.hands import add_to_exchange, add_to_hand, gain_seen, lose_seen, take_from_exchange
from zamek_env.castle_cards.core.log import DRAWN, EXCHANGE, PASS, TURN, VOID, write_event
from zamek_env.castle_cards.core.state import EMPTY_HANDED, NONE, QUIET, STALLED
from zamek_env.castle_cards.core.swapping import find_in_turn
from zamek_env.castle_cards.layout.actions import ACTION, BASIC, DRAW, FINISH, GIVES, OVER, PLAYS
from zamek_env.castle_cards.layout.board import COURT
from zamek_env.compiler.bits import as_index, count_word
from zamek_env.compiler.jit import kernel

_COPIES = np.array(box.COPIES, np.int64)
_MOST_LIKELY = (box.KNIGHT, box.FAIRY, box.HERALD)  # kinds that fit nearly always: asked for first


@kernel
def begin_turn(s, log, player):
    """Begin a turn of `player`. Writes the fields of the turn."""
    s.turn = player
    s.decider = player
    s.phase = ACTION
    s.actions_left = box.ACTIONS_A_TURN
    s.is_first = 1
    s.has_played = 0
    s.turns += 1
    write_event(log, TURN, player, NONE, NONE)


@kernel
def offer_actions(s):
    """Write the available actions into `options`, and their number into `legal` (K4)."""
    player = as_index(s.turn)
    hand = np.int64(s.hand_kinds[player])
    if s.is_first and s.where[box.HERALD] != NONE and hand >> box.KING & 1 and COURT & ~s.occupied:
        s.options[PLAYS], s.legal = find_playable(s, 1 << box.KING)  # the Herald's duty
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
    if not s.is_carried and not box.WITHOUT_EFFECT >> effect & 1:
        write_event(log, VOID, effect, NONE, NONE)
    check_end(s)
    if s.phase == FINISH:
        end_action(s, log, 1 if effect == box.MERCHANT else 0)


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
    if s.quiet == box.MAX_QUIET_TURNS:
        end_by_hands(s, QUIET)
    else:
        begin_turn(s, log, find_in_turn(s, 1))


@kernel
def lapse(s, log):
    """End a turn in which no action is available."""
    write_event(log, PASS, NONE, NONE, NONE)
    end_turn(s, log)


# --- the end of a game ---


@kernel
def is_terminal(s):
    """Return whether the game is over."""
    return s.phase == OVER


@kernel
def check_end(s):
    """End the game where a player is out of cards, or no card can be played. Writes `end`, `winners`, `phase`."""
    for number in range(np.int64(s.players)):
        player = find_in_turn(s, number)
        if s.hand_size[as_index(player)] == 0 and s.deck_size[as_index(player)] == 0:
            _end(s, EMPTY_HANDED, 1 << player)
            return
    if is_stalled(s):
        end_by_hands(s, STALLED)


@kernel
def is_stalled(s):
    """Return whether no card of hands, decks and exchange fits anywhere."""
    for kind in _MOST_LIKELY:
        if _is_left(s, kind) and count_spaces(s, kind) > 0:
            return False
    for kind in range(box.NUM_KINDS):
        if _is_left(s, kind) and count_spaces(s, kind) > 0:
            return False
    return True


@kernel
def _is_left(s, kind):
    """Return whether a card of that kind is in a hand, a deck or the exchange: neither in play nor removed."""
    if kind == box.KNIGHT:
        in_play = 0
        for knight in range(box.NUM_KNIGHTS):
            in_play += s.knight_space[knight] != NONE
    elif box.COPIED_KINDS >> kind & 1:
        in_play = 0
        for space in range(box.NUM_SPACES):
            in_play += s.bottom[space] == kind
    else:
        in_play = 1 if s.where[as_index(kind)] != NONE else 0
    return in_play + np.int64(s.removed[as_index(kind)]) < _COPIES[as_index(kind)]


@kernel
def end_by_hands(s, end):
    """End the game; those with the fewest hand cards have won."""
    fewest = np.int64(s.hand_size[0])
    for player in range(1, np.int64(s.players)):
        fewest = min(fewest, np.int64(s.hand_size[as_index(player)]))
    winners = 0
    for player in range(np.int64(s.players)):
        if s.hand_size[as_index(player)] == fewest:
            winners |= 1 << player
    _end(s, end, winners)


@kernel
def _end(s, end, winners):
    s.end = end
    s.winners = winners
    s.phase = OVER
    s.decider = s.turn
    s.options.fill(0)
    s.num_options = 0


def find_result(winners: int, players: int, player: int) -> float:
    """Return the result of `player` in a game of `players` players that the `winners`, a bit set, have won (rule K9).

    It is 0 where nobody or everybody has won.
    """
    count = count_word(winners)
    if count in (0, players):
        return 0.0
    return 1.0 / count if (winners >> player) & 1 else -1.0 / (players - count)


find_result_in_kernel: Any = kernel(find_result)  # the same for kernels


@kernel
def find_return(s, player):
    """Return the result of `player` in a finished game (rule K9)."""
    return find_result_in_kernel(np.int64(s.winners), np.int64(s.players), player)
