"""Writes what one player knows of a game: the vector that `layout/observation.py` describes.

`ENTRIES` holds the first entry of each group, by the names of that layout. Within a group the items come in the order
of what they name: kinds; players, counted from the observer on; numbers. These kernels never change the state.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
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
    PILE_COLUMNS,
    QUIET_SCALE,
    SINGLE_KINDS,
    find_layout,
    list_kinds,
    zone_kinds,
)
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

_GROUPS = (
    "hand", "phase", "decider", "turn", "actions_left", "is_first", "quiet", "has_played", "effect", "part",
    "is_counseled", "hand_size", "deck_size", "pawns", "exchange", "removed", "unseen", "card", "other", "stolen",
    "passed", "progress", "swapped", "arranging", "spying",
)  # fmt: skip
_DTYPE = record_dtype(
    [
        *((name, np.int64) for name in _GROUPS),
        ("known", np.int64, box.MAX_PLAYERS),  # by the player who holds the cards, counted from the observer on
        ("shown", np.int64, box.MAX_PLAYERS),  # by the player who knows them
        ("arranged", np.int64, MAX_ARRANGED),
        ("spied", np.int64, box.MAX_PICKED),
        ("space", np.int64, box.NUM_GRID),  # the kinds at the bottom, one-hot; then the columns of the pile
        ("siege", np.int64, box.NUM_SLOTS),  # the columns of the pile
        ("outside", np.int64, box.NUM_KINDS),  # the rank, then the columns of the pile; NONE where there are copies
        ("soldier", np.int64, box.COPIES[box.SOLDIER]),  # the same, in the order of age
    ]
)
HEIGHT, LAST, CHOSEN = range(len(PILE_COLUMNS))
FIRST_PAWN = len(PILE_COLUMNS)
_FIRST_COURT = box.MERCHANT  # the first kind of the court; the others follow
_NUM_COURT = len(list_kinds(box.COURT_KINDS))
_COPIES = np.array(box.COPIES, np.int64)
_SHARES = np.array([1 / copies for copies in box.COPIES], np.float32)  # of a kind's cards, one card
_ZONE_FIRST = np.array([zone_kinds(space)[0] for space in range(box.NUM_GRID)], np.int64)  # the other kinds follow
_ZONE_SIZE = np.array([len(zone_kinds(space)) for space in range(box.NUM_GRID)], np.int64)


def _find_entries(players: int) -> npt.NDArray[np.record]:
    """Return the first entry of each group in games of `players` players, shape `(1,)`; NONE for groups without one."""
    layout = find_layout(players)
    found: Any = np.full(_DTYPE.itemsize // 8, NONE, np.int64).view(_DTYPE)  # all fields are int64
    for name in _GROUPS:
        found[name] = layout[name].start
    for name in ("known", "shown"):
        found[name][0, 1:players] = [layout[f"{name}_{other}"].start for other in range(1, players)]
    for name, count in (("arranged", MAX_ARRANGED), ("spied", box.MAX_PICKED)):
        found[name] = [layout[f"{name}_{number}"].start for number in range(count)]
    found["space"] = [layout["space_{}_{}".format(*divmod(space, WIDTH))].start for space in range(box.NUM_GRID)]
    found["siege"] = [layout[f"siege_{side}"].start for side in SIDES]
    for kind in SINGLE_KINDS:
        found["outside"][0, kind] = layout[f"outside_{NAMES[kind].replace(' ', '_')}"].start
    soldiers = range(box.COPIES[box.SOLDIER])
    found["soldier"] = [layout[f"outside_{NAMES[box.SOLDIER]}_{number}"].start for number in soldiers]
    return found


ENTRIES = np.zeros(box.MAX_PLAYERS + 1, _DTYPE)  # by the number of players
for _players in range(box.MIN_PLAYERS, box.MAX_PLAYERS + 1):
    ENTRIES[_players] = _find_entries(_players)[0]


@kernel
def observe(states, game, observer, out):
    """Write what `observer` knows of `states[game]` into `out`, float32 `(entries,)`."""
    write_observation(states[game], observer, out)


@kernel
def write_observation(s, observer, out):
    """Write what `observer` knows into `out`, float32 `(entries,)`."""
    out.fill(0)
    at = ENTRIES[s.players]
    _write_counts(s.hand[observer], out, at.hand)
    _write_counts(s.exchange, out, at.exchange)
    _write_counts(s.removed, out, at.removed)
    _write_unseen(s, observer, out, at.unseen)
    _write_decision(s, observer, out, at)
    _write_players(s, observer, out, at)
    _write_choices(s, observer, out, at)
    _write_spaces(s, observer, out, at)


@kernel
def _write_counts(counts, out, first):
    """Write numbers of cards by kind from the entry `first` on, each as a share of the cards of that kind."""
    for kind in range(box.NUM_KINDS):
        out[as_index(first + kind)] = np.float32(counts[as_index(kind)]) * _SHARES[as_index(kind)]


@kernel
def _seen_from(s, observer, player):
    """Return `player` as the observer counts players: 0 is the observer, 1 the left neighbour."""
    count = np.int64(s.players)
    return (np.int64(player) - np.int64(observer) + count) % count


@kernel
def _write_decision(s, observer, out, at):
    """Write the phase, who decides, whose turn it is, and how far it has come."""
    phase = np.int64(s.phase)
    out[as_index(at.phase + (phase if phase < actions.FINISH else phase - 1))] = 1
    if phase != actions.OVER:
        out[as_index(at.decider + _seen_from(s, observer, s.decider))] = 1
    out[as_index(at.turn + _seen_from(s, observer, s.turn))] = 1
    out[as_index(at.actions_left)] = np.float32(ACTIONS_SCALE * s.actions_left)
    out[as_index(at.is_first)] = s.is_first
    out[as_index(at.quiet)] = np.float32(QUIET_SCALE * s.quiet)
    out[as_index(at.has_played)] = s.has_played
    if s.effect != NONE:
        out[as_index(at.effect + np.int64(s.effect))] = 1
        out[as_index(at.part)] = np.float32(PART_SCALE * s.part)
    out[as_index(at.is_counseled)] = s.is_counseled


@kernel
def _write_players(s, observer, out, at):
    """Write each player's cards and pawns, and who knows which cards of whom."""
    players = np.int64(s.players)
    for other in range(players):
        player = as_index((observer + other) % players)
        out[as_index(at.hand_size + other)] = np.float32(CARDS_SCALE * s.hand_size[player])
        out[as_index(at.deck_size + other)] = np.float32(DECK_SCALE * s.deck_size[player])
        out[as_index(at.pawns + other)] = np.float32(PAWN_SCALE * s.pawns[player])
        if other > 0:
            _write_counts(s.known[observer, player], out, at.known[other])
            _write_counts(s.known[player, observer], out, at.shown[other])


@kernel
def _write_unseen(s, observer, out, first):
    """Write how many cards of each kind lie where the observer does not know: in decks and in other players' hands."""
    in_play = np.zeros(box.NUM_KINDS, np.int64)
    for space in range(box.NUM_SPACES):
        if s.height[space]:
            in_play[as_index(s.bottom[space])] += 1
            in_play[box.KNIGHT] += np.int64(s.height[space]) - 1
    for kind in range(box.NUM_KINDS):
        seen = in_play[kind] + np.int64(s.exchange[kind]) + np.int64(s.removed[kind]) + np.int64(s.hand[observer, kind])
        for player in range(np.int64(s.players)):
            if player != observer:
                seen += np.int64(s.known[observer, player, kind])
        out[as_index(first + kind)] = np.float32(_COPIES[kind] - seen) * _SHARES[kind]


# --- the decision in progress ---


@kernel
def _write_choices(s, observer, out, at):
    """Write what the observer has chosen so far, where that player decides, and what is left of it."""
    phase = np.int64(s.phase)
    is_mine = phase != actions.OVER and s.decider == observer
    if is_mine and phase in (actions.TAKE, actions.PLACE):
        out[as_index(at.card + np.int64(s.card))] = 1
    if is_mine and phase == actions.SWAP_TAKE and s.progress > s.part:  # `swapped` does not tell it from those given
        out[as_index(at.card + np.int64(s.picked[as_index(s.part)]))] = 1
    if is_mine and phase in (actions.STEAL_GIVE, actions.AWARD):
        out[as_index(at.other + _seen_from(s, observer, s.other))] = 1
    if phase == actions.STEAL_GIVE and (is_mine or s.other == observer):  # who is drawn from sees the card
        out[as_index(at.stolen + np.int64(s.stolen))] = 1
    if phase == actions.PASS_ON and s.picked[observer] != NONE and not is_mine:
        out[as_index(at.passed + np.int64(s.picked[observer]))] = 1
    if is_mine and phase != actions.PASS_ON:
        out[as_index(at.progress)] = np.float32(PICKED_SCALE * s.progress)
    if is_mine and phase in (actions.SWAP_GIVE, actions.SWAP_TAKE):
        for number in range(np.int64(s.progress)):
            kind = as_index(s.picked[number])
            out[as_index(at.swapped + kind)] += _SHARES[kind]
    if is_mine and phase == actions.ARRANGE:
        _write_arranging(s, out, at)
    if is_mine and phase == actions.PAWN:
        _write_spying(s, observer, out, at)


@kernel
def _write_arranging(s, out, at):
    """Write the cards that the Minstrel has placed, and those left."""
    for number in range(np.int64(s.progress)):
        out[as_index(at.arranged[number] + np.int64(s.picked[number]) - _FIRST_COURT)] = 1
    for kind in range(_NUM_COURT):
        out[as_index(at.arranging + kind)] = (s.arranging_kinds >> (kind + _FIRST_COURT)) & 1


@kernel
def _write_spying(s, observer, out, at):
    """Write the pawns that the Spy has placed, and those left; the last item is no pawn."""
    players = np.int64(s.players)
    for number in range(np.int64(s.progress)):
        pawn = np.int64(s.picked[number])
        owner = _seen_from(s, observer, pawn) if 0 <= pawn < players else players
        out[as_index(at.spied[number] + owner)] = 1
    for player in range(players):
        left = PICKED_SCALE * s.pawns_left[player]
        out[as_index(at.spying + _seen_from(s, observer, player))] = np.float32(left)
    out[as_index(at.spying + players)] = np.float32(PICKED_SCALE * s.pawns_left[s.pawns_left.size - 1])


# --- the spaces ---


@kernel
def _write_spaces(s, observer, out, at):
    """Write the piles: those on the grid and the siege slots, and those outside, which are described by their kind."""
    for space in range(box.NUM_GRID):
        if s.height[space]:
            out[as_index(at.space[space] + np.int64(s.bottom[space]) - _ZONE_FIRST[space])] = 1
            _write_pile(s, observer, space, out, at.space[space] + _ZONE_SIZE[space])
    for slot in range(box.NUM_SLOTS):
        if s.height[box.FIRST_SLOT + slot]:
            _write_pile(s, observer, box.FIRST_SLOT + slot, out, at.siege[slot])
    soldiers = 0
    for rank in range(np.int64(s.outside_count)):
        space = as_index(box.FIRST_OUTSIDE + rank)
        first = at.outside[as_index(s.bottom[space])]
        if s.bottom[space] == box.SOLDIER:
            first = at.soldier[soldiers]
            soldiers += 1
        out[as_index(first)] = np.float32(OUTSIDE_SCALE * (rank + 1))
        _write_pile(s, observer, space, out, first + 1)


@kernel
def _write_pile(s, observer, space, out, first):
    """Write the columns of a pile: its height, the levels of the card played last and of the card chosen, all pawns."""
    players = np.int64(s.players)
    out[as_index(first + HEIGHT)] = np.float32(LEVEL_SCALE * s.height[space])
    if s.last_space == space:
        out[as_index(first + LAST)] = np.float32(LEVEL_SCALE * s.last_height)
    pawns = first + FIRST_PAWN
    if s.bottom_pawn[space] != NONE:
        out[as_index(pawns + _seen_from(s, observer, s.bottom_pawn[space]))] = 1
    for knight in range(box.NUM_KNIGHTS):
        if s.knight_space[knight] == space:
            level = np.int64(s.knight_level[knight])
            if s.knight_pawn[knight] != NONE:
                out[as_index(pawns + level * players + _seen_from(s, observer, s.knight_pawn[knight]))] = 1
    _write_chosen(s, observer, space, out, first + CHOSEN)


@kernel
def _write_chosen(s, observer, space, out, entry):
    """Write that the pile on `space` was chosen: the level of the card if that was chosen too, else 1."""
    phase = np.int64(s.phase)
    if phase == actions.OVER or s.decider != observer:
        return
    if phase in (actions.MOVE_TO, actions.LEVEL) and s.source == space:
        out[as_index(entry)] = 1
    if phase in (actions.PILE, actions.LEVEL) and s.effect == box.CONSPIRATOR and s.progress and s.picked[0] == space:
        out[as_index(entry)] = np.float32(LEVEL_SCALE * (np.int64(s.picked[1]) + 1))
