"""Finds legal actions: tests one, or returns all as a bit set, a list or a mask.

The state holds legal placements as bit sets, found when the tile was drawn; all else is found when it is asked for.
Everywhere `t` is a record of `tables_dtype`, `s` of `state_dtype`.
"""

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.areas import has_followers
from zamek_env.core.hands import find_layable
from zamek_env.core.pieces import can_stand, find_free_piece
from zamek_env.core.placement import find_first_word, find_reach, is_in_window, tile_fits
from zamek_env.core.scoring import find_usable_token
from zamek_env.layout.actions import CHOOSE, EXTRA, NOBODY, PLACE, SCORE, SEND, TOKEN_CHOICES

ACTIONS_A_TILE = 32  # that are legal at once


@kernel
def find_phase_range(t, s):
    """Return (first, end): the actions that belong to the phase the game is in; empty once it is over."""
    phase = s.phase
    if phase == PLACE:
        return 0, int(t.send_base)
    if phase == SEND:
        return int(t.send_base), int(t.score_base)
    if phase == SCORE:
        return int(t.score_base), int(t.extra_base)
    if phase == EXTRA:
        return int(t.extra_base), int(t.choose_base)
    if s.hand.size > 0 and phase == CHOOSE:
        return int(t.choose_base), t.choose_base + s.hand.shape[1]
    return 0, 0


@kernel
def find_choices(t, s):
    """Return what is legal in any phase but PLACE as a bit set: bit `i` is the `i`-th action of the phase."""
    if s.phase == SEND:
        return find_sendings(t, s)
    if s.phase == SCORE:
        return _find_scorings(t, s)
    if s.hand.size > 0 and s.phase == CHOOSE:
        return find_layable(t, s, s.player)
    return (1 << TOKEN_CHOICES) - 1 if s.phase == EXTRA else 0


@kernel
def find_sendings(t, s):
    """Return the segments of this turn's tile to which each piece may be sent, and nobody (rules Z12, S4)."""
    segments = t.tile_node.shape[1]
    choices = 1 << NOBODY
    for kind in range(t.kind_factor.size):
        if find_free_piece(t, s, s.player, kind) != NONE:
            choices |= find_free_segments(t, s, kind) << (1 + kind * segments)
    return choices


@kernel
def find_free_segments(t, s, kind):
    """Return the segments of this turn's tile to which a piece of `kind` may be sent, as a bit set."""
    tile = as_index(s.deck[as_index(s.drawn - 1)])
    free = 0
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[tile, segment]
        if node <= NONE:
            break
        area = as_index(s.area[node])
        free |= (not has_followers(s, area) and can_stand(t, s, kind, area)) << segment
    return free & int(t.tile_holds[tile])


@kernel
def _find_scorings(t, s):
    """Return the areas that may be scored next, each without and with a token (rules Z19, Z23)."""
    choices = 0
    for slot in range(s.to_score.shape[1]):
        area = s.to_score[s.scorer, slot]
        if area > NONE:
            choices |= (1 + 2 * (find_usable_token(t, s, area) != 0)) << (slot * TOKEN_CHOICES)
    return choices


@kernel
def is_legal(t, s, action):
    """Return whether `action`, any int, is legal now."""
    first, end = find_phase_range(t, s)
    if action < first or action >= end:
        return False
    if s.phase == PLACE:
        return tile_fits(s, action // NUM_ROTATIONS, action % NUM_ROTATIONS)
    return (find_choices(t, s) >> (action - first)) & 1 == 1


@kernel
def write_mask(t, s, out):
    """Write into `out`, shape `(num_actions,)`, whether each action is legal; all 0 once the game is over."""
    out.fill(0)
    if s.phase == PLACE:
        _write_placements(s, find_first_word(s), out)
    else:
        _write_choices(t, s, out)


@kernel
def write_rest_of_mask(t, s, out):
    """Write all of the mask `out` but the placements in the window.

    Until a game leaves the window, its actions beyond the window are 0.
    """
    first = t.send_base if is_in_window(s) else t.cell_square.size * NUM_ROTATIONS
    for action in range(as_index(first), out.size):
        out[action] = 0
    if s.phase != PLACE:
        _write_choices(t, s, out)
    elif not is_in_window(s):
        _write_placements(s, t.cell_square.size // WORD_BITS, out)


@kernel
def _write_choices(t, s, out):
    first, _ = find_phase_range(t, s)
    choices = find_choices(t, s)
    while choices != 0:
        out[as_index(first + lowest_bit(choices))] = 1
        choices &= choices - 1


@kernel
def _write_placements(s, first, out):
    """Write which placements are legal, from word `first` of the sets of cells on."""
    for rotation in range(NUM_ROTATIONS):
        for number in range(first, find_reach(s)):
            cells = np.int64(s.placements[number, rotation])
            while cells != 0:
                out[as_index((number * WORD_BITS + lowest_bit(cells)) * NUM_ROTATIONS + rotation)] = 1
                cells &= cells - 1


@kernel
def list_actions(t, s, actions):
    """Write the legal actions into `actions`, in ascending order; return how many there are.

    `ACTIONS_A_TILE` entries for each tile or start space are enough. The start tile opens four cells, a start space
    one, and any other tile takes one and opens three at most; in each the next may lie in four rotations. In the other
    phases there are fewer actions than a number has bits, and there are two tiles or more.
    """
    if s.phase == PLACE:
        return _list_placements(s, actions)
    count = 0
    first, _ = find_phase_range(t, s)
    choices = find_choices(t, s)
    while choices != 0:
        actions[as_index(count)] = first + lowest_bit(choices)
        count += 1
        choices &= choices - 1
    return count


@kernel
def _list_placements(s, actions):
    count = 0
    for number in range(find_first_word(s), find_reach(s)):
        cells = 0
        for rotation in range(NUM_ROTATIONS):
            cells |= np.int64(s.placements[number, rotation])
        while cells != 0:
            count = _list_rotations(s, number * WORD_BITS + lowest_bit(cells), actions, count)
            cells &= cells - 1
    return count


@kernel
def _list_rotations(s, cell_code, actions, count):
    """Append the placements of the drawn tile on a cell to the `count` actions listed; return the new count."""
    listed = count
    for rotation in range(NUM_ROTATIONS):
        if tile_fits(s, cell_code, rotation):
            actions[as_index(listed)] = cell_code * NUM_ROTATIONS + rotation
            listed += 1
    return listed
