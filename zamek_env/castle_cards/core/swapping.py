"""Effects on hands and the exchange: Alchemist, Witch, Courtesan, Fool and Village Idiot.

Choices are noted first and carried out together when the last has been made: until then all cards are where they were.
"""

import numpy as np

from zamek_env.castle_cards.components.box import COURTESAN, MAX_PLAYERS
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.hands import (
    add_to_exchange,
    draw_any,
    gain_seen,
    gain_unseen,
    lose_seen,
    lose_unseen,
    take_from_exchange,
)
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

_MOST_SWAPPED = 2

# --- Alchemist ---


@kernel
def begin_swapping(s):
    """Ask for cards to give: as many as hand and exchange have, at most two. Writes `part`, their number, `phase`."""
    s.part = min(_MOST_SWAPPED, np.int64(s.hand_size[as_index(s.turn)]), np.int64(s.exchange_size))
    s.phase = actions.SWAP_GIVE if s.part > 0 else actions.FINISH


@kernel
def offer_swapped(s):
    """Write the kinds left in the hand, or in the exchange as it was, into `options`."""
    number, count = np.int64(s.progress), np.int64(s.part)
    is_giving = number < count
    s.options[actions.CARDS] = s.hand_kinds[as_index(s.turn)] if is_giving else s.exchange_kinds
    first = 0 if is_giving else count
    if number > first:
        kind = np.int64(s.picked[as_index(first)])
        copies = s.hand[as_index(s.turn), as_index(kind)] if is_giving else s.exchange[as_index(kind)]
        if copies == 1:
            s.options[actions.CARDS] &= ~(1 << kind)


@kernel
def choose_swapped(s, log, kind):
    """Note a card to give or to take; after the last, swap them."""
    count = np.int64(s.part)
    s.picked[as_index(s.progress)] = kind
    s.progress += 1
    if s.progress < count:
        return
    s.phase = actions.SWAP_TAKE
    if s.progress < 2 * count:
        return
    player = np.int64(s.turn)
    row = events.write_event(log, events.SWAP, np.int64(s.picked[0]), NONE, np.int64(s.picked[as_index(count)]))
    if count > 1:
        row[events.SECOND_GIVEN] = s.picked[1]
        row[events.SECOND_TAKEN] = s.picked[3]
    for number in range(count):
        lose_seen(s, player, np.int64(s.picked[as_index(number)]))
        add_to_exchange(s, np.int64(s.picked[as_index(number)]))
    for number in range(count, 2 * count):
        take_from_exchange(s, np.int64(s.picked[as_index(number)]))
        gain_seen(s, player, np.int64(s.picked[as_index(number)]))
    s.is_carried = 1
    s.phase = actions.FINISH


# --- Courtesan, Witch ---


@kernel
def offer_players(s):
    """Write the players that the Courtesan or the Witch may choose into `options`; perhaps none."""
    is_stealing = s.effect == COURTESAN
    num_given = s.hand_size[as_index(s.turn)] if is_stealing else s.exchange_size
    if num_given == 0:
        return
    for player in range(np.int64(s.players)):
        if not is_stealing or (player != s.turn and s.hand_size[as_index(player)] > 0):
            s.options[actions.OTHERS] |= 1 << (actions.PLAYER_BIT + player)


@kernel
def choose_player(s, player):
    """Note the player; the Courtesan draws from that hand. Writes `other`, `stolen`, `generator`, `phase`."""
    s.other = player
    s.phase = actions.AWARD
    if s.effect == COURTESAN:
        s.stolen = draw_from_hand(s, player)
        s.phase = actions.STEAL_GIVE


@kernel
def draw_from_hand(s, player):
    """Return the kind of a random card of a hand, which stays there (K11). Writes `generator`, `forced`.

    Where `forced` names a kind for that player, it is that one.
    """
    forced = np.int64(s.forced[as_index(player)])
    if forced != NONE:
        s.forced[as_index(player)] = NONE
        return forced
    return draw_any(s, player, s.generator)


@kernel
def choose_gift(s, log, kind):
    """Exchange the stolen card for one of that kind."""
    thief, victim, stolen = np.int64(s.turn), np.int64(s.other), np.int64(s.stolen)
    lose_unseen(s, victim, thief, stolen)
    gain_unseen(s, victim, thief, stolen)
    lose_unseen(s, thief, victim, kind)
    gain_unseen(s, thief, victim, kind)
    events.write_event(log, events.STEAL, victim, stolen, kind)
    s.stolen = NONE
    s.is_carried = 1
    s.phase = actions.FINISH


@kernel
def award(s, log, kind):
    """Give the chosen player that card of the exchange."""
    player = np.int64(s.other)
    take_from_exchange(s, kind)
    gain_seen(s, player, kind)
    events.write_event(log, events.AWARDED, player, kind, NONE)
    s.is_carried = 1
    s.phase = actions.FINISH


# --- Fool, Village Idiot ---


@kernel
def ask_next(s):
    """Let the next player with a hand choose a card to pass on, clockwise; `progress` counts players passed by.

    Writes `decider`, `progress`, `phase`: FINISH where nobody is left, or nobody has a card.
    """
    while s.progress < s.players:
        player = find_in_turn(s, np.int64(s.progress))
        s.progress += 1
        if s.hand_size[as_index(player)] > 0:
            s.decider = player
            s.phase = actions.PASS_ON
            return
    s.phase = actions.FINISH


@kernel
def find_in_turn(s, number):
    """Return the player who sits `number` places to the left of the player of the turn."""
    return (np.int64(s.turn) + number) % np.int64(s.players)


@kernel
def choose_passed(s, log, kind):
    """Note a card to pass on; when all have chosen, pass them on."""
    s.picked[as_index(s.decider)] = kind
    ask_next(s)
    if s.phase == actions.FINISH:
        _pass_all(s, log, 0)


@kernel
def pass_random(s, log):
    """Draw a card from each hand, and pass them on."""
    s.phase = actions.FINISH
    for number in range(np.int64(s.players)):
        player = find_in_turn(s, number)
        if s.hand_size[as_index(player)] > 0:
            s.picked[as_index(player)] = draw_from_hand(s, player)
    _pass_all(s, log, 1)


@kernel
def _pass_all(s, log, is_chance):
    """Pass the cards that are noted by player in `picked` to the left, all at once."""
    count = np.int64(s.players)
    for player in range(count):
        if s.picked[as_index(player)] != NONE:
            lose_unseen(s, player, (player + 1) % count, np.int64(s.picked[as_index(player)]))
    for number in range(count):
        player = find_in_turn(s, number)
        kind = np.int64(s.picked[as_index(player)])
        if kind != NONE:
            receiver = (player + 1) % count
            gain_unseen(s, player, receiver, kind)
            row = events.write_event(log, events.GIVE, player, receiver, kind)
            row[events.BY_CHANCE] = is_chance
            s.is_carried = 1
    for player in range(MAX_PLAYERS):
        s.picked[as_index(player)] = NONE
