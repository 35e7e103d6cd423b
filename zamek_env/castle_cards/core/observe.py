"""Writes what one player knows of a game: the vector that `layout/observation.py` describes, in the same order.

Each kernel writes some groups from the entry `at` on and returns where the next ones begin. Writing is all they do: the
state stays as it is.
"""

import numpy as np

from zamek_env.castle_cards.components.kinds import (
    CONSPIRATOR,
    COPIES,
    COURT_KINDS,
    KNIGHT,
    MERCHANT,
    NUM_KINDS,
    NUM_KNIGHTS,
    SOLDIER,
)
from zamek_env.castle_cards.components.sizes import (
    FIRST_OUTSIDE,
    FIRST_SLOT,
    MAX_PICKED,
    NUM_GRID,
    NUM_LEVELS,
    NUM_SLOTS,
    NUM_SPACES,
)
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import (
    ARRANGE,
    AWARD,
    FINISH,
    LEVEL,
    MOVE_TO,
    OVER,
    PASS_ON,
    PAWN,
    PILE,
    PLACE,
    STEAL_GIVE,
    SWAP_GIVE,
    SWAP_TAKE,
    TAKE,
)
from zamek_env.castle_cards.layout.observation import (
    ACTIONS_SCALE,
    CARDS_SCALE,
    DECK_SCALE,
    LEVEL_SCALE,
    MAX_ARRANGED,
    OUTSIDE_SCALE,
    PART_SCALE,
    PAWN_SCALE,
    PICKED_SCALE,
    QUIET_SCALE,
    SINGLE_KINDS,
    STAGES_SHOWN,
    zone_kinds,
)
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel

_FIRST_COURT = MERCHANT  # the first kind of the court; the others follow
_NUM_COURT = len([kind for kind in range(NUM_KINDS) if COURT_KINDS >> kind & 1])
_NUM_STAGES = len(STAGES_SHOWN)
_COPIES = np.array(COPIES, np.int64)
_SHARES = np.array([1 / copies for copies in COPIES], np.float32)  # of a kind's cards, one card
_ZONE_FIRST = np.array([zone_kinds(space)[0] for space in range(NUM_GRID)], np.int64)
_ZONE_SIZE = np.array([len(zone_kinds(space)) for space in range(NUM_GRID)], np.int64)
_SINGLE_RANK = np.array(  # of a kind among those with one card
    [SINGLE_KINDS.index(kind) if kind in SINGLE_KINDS else NONE for kind in range(NUM_KINDS)], np.int64
)
_NUM_SINGLE = len(SINGLE_KINDS)
_PILE_ENTRIES = 3  # of a pile, before its pawns: height, last, chosen


@kernel
def observe(states, game, observer, out):
    """Write what `observer` knows of `states[game]` into `out`, float32 `(entries,)`."""
    write_observation(states[game], observer, out)


@kernel
def write_observation(s, observer, out):
    """Write what `observer` knows into `out`, float32 `(entries,)`."""
    out.fill(0)
    at = _write_counts(s.hand[observer], out, 0)
    at = _write_decision(s, observer, out, at)
    at = _write_players(s, observer, out, at)
    at = _write_counts(s.exchange, out, at)
    at = _write_counts(s.removed, out, at)
    at = _write_unseen(s, observer, out, at)
    at = _write_choices(s, observer, out, at)
    _write_spaces(s, observer, out, at)


@kernel
def _write_counts(counts, out, at):
    """Write numbers of cards by kind, each as a share of the cards of that kind."""
    for kind in range(NUM_KINDS):
        out[as_index(at + kind)] = np.float32(counts[as_index(kind)]) * _SHARES[as_index(kind)]
    return at + NUM_KINDS


@kernel
def _seen_from(s, observer, player):
    """Return `player` as the observer counts players: 0 is the observer, 1 the left neighbour."""
    count = np.int64(s.players)
    return (np.int64(player) - np.int64(observer) + count) % count


@kernel
def _write_decision(s, observer, out, at):
    """Write what is to be decided and by whom, whose turn it is, and how far it has come; return where that ends."""
    stage, players = np.int64(s.stage), np.int64(s.players)
    out[as_index(at + (stage if stage < FINISH else stage - 1))] = 1
    at += _NUM_STAGES
    if stage != OVER:
        out[as_index(at + _seen_from(s, observer, s.decider))] = 1
    at += players
    out[as_index(at + _seen_from(s, observer, s.turn))] = 1
    at += players
    out[as_index(at)] = np.float32(ACTIONS_SCALE * s.actions_left)
    out[as_index(at + 1)] = s.is_first
    out[as_index(at + 2)] = np.float32(QUIET_SCALE * s.quiet)
    out[as_index(at + 3)] = s.has_played
    at += 4
    if s.effect != NONE:
        out[as_index(at + np.int64(s.effect))] = 1
        out[as_index(at + NUM_KINDS)] = np.float32(PART_SCALE * s.part)
    at += NUM_KINDS
    out[as_index(at + 1)] = s.is_counseled
    return at + 2


@kernel
def _write_players(s, observer, out, at):
    """Write each player's cards and pawns, and who knows which cards of whom; return where that ends."""
    players = np.int64(s.players)
    for other in range(players):
        player = as_index((observer + other) % players)
        out[as_index(at + other)] = np.float32(CARDS_SCALE * s.hand_size[player])
        out[as_index(at + players + other)] = np.float32(DECK_SCALE * s.deck_size[player])
        out[as_index(at + 2 * players + other)] = np.float32(PAWN_SCALE * s.pawns[player])
    at += 3 * players
    for other in range(1, players):
        at = _write_counts(s.known[observer, as_index((observer + other) % players)], out, at)
    for other in range(1, players):
        at = _write_counts(s.known[as_index((observer + other) % players), observer], out, at)
    return at


@kernel
def _write_unseen(s, observer, out, at):
    """Write how many cards of each kind lie where the observer does not know: in decks and in hands of others."""
    in_play = np.zeros(NUM_KINDS, np.int64)
    for space in range(NUM_SPACES):
        if s.height[space]:
            in_play[as_index(s.bottom[space])] += 1
            in_play[KNIGHT] += np.int64(s.height[space]) - 1
    for kind in range(NUM_KINDS):
        seen = in_play[kind] + np.int64(s.exchange[kind]) + np.int64(s.removed[kind]) + np.int64(s.hand[observer, kind])
        for player in range(np.int64(s.players)):
            if player != observer:
                seen += np.int64(s.known[observer, player, kind])
        out[as_index(at + kind)] = np.float32(_COPIES[kind] - seen) * _SHARES[kind]
    return at + NUM_KINDS


# --- the decision in progress ---


@kernel
def _write_choices(s, observer, out, at):
    """Write what the observer has chosen so far, where that player is to decide, and what is left of it."""
    stage, players = np.int64(s.stage), np.int64(s.players)
    is_mine = stage != OVER and s.decider == observer
    if is_mine and stage in (TAKE, PLACE):
        out[as_index(at + np.int64(s.card))] = 1
    if is_mine and stage == SWAP_TAKE and s.progress > s.part:  # `swapped` does not tell it from those given
        out[as_index(at + np.int64(s.picked[as_index(s.part)]))] = 1
    at += NUM_KINDS
    if is_mine and stage in (STEAL_GIVE, AWARD):
        out[as_index(at + _seen_from(s, observer, s.other))] = 1
    if stage == STEAL_GIVE and (is_mine or s.other == observer):  # who is drawn from sees the card
        out[as_index(at + players + np.int64(s.stolen))] = 1
    at += players + NUM_KINDS
    if stage == PASS_ON and s.picked[observer] != NONE and not is_mine:
        out[as_index(at + np.int64(s.picked[observer]))] = 1
    at += NUM_KINDS
    if is_mine and stage != PASS_ON:
        out[as_index(at)] = np.float32(PICKED_SCALE * s.progress)
    at += 1
    if is_mine and stage in (SWAP_GIVE, SWAP_TAKE):
        for number in range(np.int64(s.progress)):
            kind = as_index(s.picked[number])
            out[as_index(at + kind)] += _SHARES[kind]
    at += NUM_KINDS
    at = _write_arranging(s, is_mine and stage == ARRANGE, out, at)
    return _write_spying(s, observer, is_mine and stage == PAWN, out, at)


@kernel
def _write_arranging(s, is_asked, out, at):
    """Write the cards that the Minstrel has put somewhere, and those that he has not."""
    if is_asked:
        for number in range(np.int64(s.progress)):
            out[as_index(at + number * _NUM_COURT + np.int64(s.picked[number]) - _FIRST_COURT)] = 1
    at += MAX_ARRANGED * _NUM_COURT
    if is_asked:
        for kind in range(_NUM_COURT):
            out[as_index(at + kind)] = (s.arranging_kinds >> (kind + _FIRST_COURT)) & 1
    return at + _NUM_COURT


@kernel
def _write_spying(s, observer, is_asked, out, at):
    """Write the pawns that the Spy has put somewhere, and those that he has not; the last place is none."""
    players = np.int64(s.players)
    places = players + 1
    if is_asked:
        for number in range(np.int64(s.progress)):
            pawn = np.int64(s.picked[number])
            place = _seen_from(s, observer, pawn) if 0 <= pawn < players else players
            out[as_index(at + number * places + place)] = 1
    at += MAX_PICKED * places
    if is_asked:
        for player in range(players):
            left = PICKED_SCALE * s.pawns_left[player]
            out[as_index(at + _seen_from(s, observer, player))] = np.float32(left)
        out[as_index(at + players)] = np.float32(PICKED_SCALE * s.pawns_left[s.pawns_left.size - 1])
    return at + places


# --- the spaces ---


@kernel
def _write_spaces(s, observer, out, at):
    """Write the piles: those on the grid and the siege slots, and those outside, which are told by their kind."""
    entries = _PILE_ENTRIES + NUM_LEVELS * np.int64(s.players)
    for space in range(NUM_GRID):
        if s.height[space]:
            out[as_index(at + np.int64(s.bottom[space]) - _ZONE_FIRST[space])] = 1
            _write_pile(s, observer, space, out, at + _ZONE_SIZE[space])
        at += _ZONE_SIZE[space] + entries
    for space in range(FIRST_SLOT, FIRST_SLOT + NUM_SLOTS):
        if s.height[space]:
            _write_pile(s, observer, space, out, at)
        at += entries
    soldiers = 0
    for rank in range(np.int64(s.outside_count)):
        space = as_index(FIRST_OUTSIDE + rank)
        kind = as_index(s.bottom[space])
        slot = _SINGLE_RANK[kind]
        if kind == SOLDIER:
            slot = _NUM_SINGLE + soldiers
            soldiers += 1
        first = at + slot * (entries + 1)
        out[as_index(first)] = np.float32(OUTSIDE_SCALE * (rank + 1))
        _write_pile(s, observer, space, out, first + 1)


@kernel
def _write_pile(s, observer, space, out, at):
    """Write a pile: how high it is, the level of the card played last, of the card chosen, and all pawns."""
    players = np.int64(s.players)
    out[as_index(at)] = np.float32(LEVEL_SCALE * s.height[space])
    if s.last_space == space:
        out[as_index(at + 1)] = np.float32(LEVEL_SCALE * s.last_height)
    pawns = at + _PILE_ENTRIES
    if s.bottom_pawn[space] != NONE:
        out[as_index(pawns + _seen_from(s, observer, s.bottom_pawn[space]))] = 1
    for knight in range(NUM_KNIGHTS):
        if s.knight_space[knight] == space:
            level = np.int64(s.knight_level[knight])
            if s.knight_pawn[knight] != NONE:
                out[as_index(pawns + level * players + _seen_from(s, observer, s.knight_pawn[knight]))] = 1
    _write_chosen(s, observer, space, out, at + 2)


@kernel
def _write_chosen(s, observer, space, out, at):
    """Write that the pile on `space` was chosen: by the level of the card where that was chosen too, or else as 1."""
    stage = np.int64(s.stage)
    if stage == OVER or s.decider != observer:
        return
    if stage in (MOVE_TO, LEVEL) and s.source == space:
        out[as_index(at)] = 1
    if stage in (PILE, LEVEL) and s.effect == CONSPIRATOR and s.progress and s.picked[0] == space:
        out[as_index(at)] = np.float32(LEVEL_SCALE * (np.int64(s.picked[1]) + 1))
