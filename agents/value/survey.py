"""What the learned evaluation looks at on the board: where open areas can grow, how hard that is, and who is near.

The tile that is drawn for the turn to begin is counted among those left, so that nobody can know more than before the
draw; no order of tiles is read.
"""

import numpy as np

from zamek_agents.value.completing import forget_counts
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.components.words import WORD_BITS
from zamek_env.core.areas import count_followers, has_followers
from zamek_env.core.bits import as_index, count_word, lowest_bit, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.placement import find_first_word, find_reach
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE, NUM_PLAYERS
from zamek_env.layout.actions import PLACE

EVEN, NOBODY = 2, 3  # owners beside the players: both have as many pieces there, or none
RISKY = (1, 2, 0, 0)  # by owner: the bit in `risk` of areas that one tile may join with his
MANY = 255  # fits of a cell, where nothing is known to be in the way


@kernel
def count_left(s):
    """Return how many tiles will be drawn after this turn; the one that begins the next turn is still one of them."""
    return s.deck.size - int(s.drawn) + (s.phase == PLACE)


@kernel
def is_mover(s, player):
    """Return whether `player` has the turn that comes after the one that ends, or begins now."""
    return (s.player == player) == (s.phase == PLACE)


@kernel
def survey(t, s, evaluator):
    """Note which cells each area opens to, and what fits there. Who stands where decides about `links` alone.

    Writes what `note_cells` writes, the fields by area but `owner` and `risk`, `seen`, `near`, `links` and their
    counters.
    """
    note_cells(t, s, evaluator, count_left(s))
    _survey_areas(t, s, evaluator)


@kernel
def survey_after(t, s, evaluator, cell):
    """Do the same where `s` has the board of which cells were noted last, with one tile more, on `cell`.

    With NONE for `cell` the boards are the same. The cells beside the tile alone are noted anew, until the next survey.
    """
    if evaluator.noted_left != count_left(s):  # a tile that fits nowhere was drawn
        survey(t, s, evaluator)
        evaluator.noted_left = NONE
        return
    _restore_cells(evaluator)
    for side in range(NUM_SIDES if cell > NONE else 0):
        beside = t.neighbor[as_index(cell), side]
        if beside > NONE and s.face[beside] <= EMPTY:
            _keep_cell(evaluator, beside)
            _note_cell(t, s, evaluator, beside)
    _survey_areas(t, s, evaluator)


# --- cells ---


@kernel
def note_cells(t, s, evaluator, left):
    """Note of each cell beside a tile what surrounds it, and how many of the last `left` tiles of the deck fit there.

    Writes `left`, `noted_left`, `entries` and its counter, and the fields by cell.
    """
    evaluator.left.fill(0)
    for deck_index in range(s.deck.size - left, s.deck.size):
        set_bit(evaluator.left, s.deck[deck_index])
    evaluator.noted_left = left
    forget_counts(evaluator)
    evaluator.num_entries = 0
    evaluator.num_kept = 0
    for number in range(find_first_word(s), find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            _note_cell(t, s, evaluator, number * WORD_BITS + lowest_bit(cells))
            cells &= cells - 1


@kernel
def _note_cell(t, s, evaluator, cell):
    """Note what surrounds `cell`, and append the ports at which areas come in to `entries`."""
    digits, place = 1 + s.forbidden.shape[1], 1
    pattern, closed, entries = 0, 0, int(evaluator.num_entries)
    evaluator.first_entry[as_index(cell)] = entries
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(cell), side]
        if beside <= NONE:
            closed |= 1 << side
        elif s.face[beside] > EMPTY:
            closed |= 1 << side
            face, opposite = as_index(s.face[beside]), (side + 2) % NUM_SIDES
            pattern += place * (1 + int(t.face_edge[face, opposite]))
            for offset in range(PORTS_PER_SIDE):
                node = t.face_node[face, PORTS_PER_SIDE * opposite + PORTS_PER_SIDE - 1 - offset]  # rule Z6
                if node > NONE:
                    evaluator.entries[as_index(entries), 0] = PORTS_PER_SIDE * side + offset
                    evaluator.entries[as_index(entries), 1] = node
                    entries += 1
        place *= digits
    evaluator.num_entries = entries
    evaluator.end_entry[as_index(cell)] = entries
    evaluator.pattern[as_index(cell)] = pattern
    evaluator.closed[as_index(cell)] = closed
    evaluator.cell_fits[as_index(cell)] = count_fits(evaluator, pattern)


@kernel
def _keep_cell(evaluator, cell):
    """Remember what is noted of `cell`, to restore it."""
    kept, cell_index = evaluator.kept[as_index(evaluator.num_kept)], as_index(cell)
    kept[0] = cell
    kept[1] = evaluator.first_entry[cell_index]
    kept[2] = evaluator.end_entry[cell_index]
    kept[3] = evaluator.pattern[cell_index]
    kept[4] = evaluator.closed[cell_index]
    kept[5] = evaluator.cell_fits[cell_index]
    evaluator.num_kept += 1


@kernel
def _restore_cells(evaluator):
    """Restore what was noted of the cells kept, and forget the entries of what was noted of them since."""
    for number in range(evaluator.num_kept):
        kept = evaluator.kept[as_index(number)]
        cell = as_index(kept[0])
        if number == 0:
            evaluator.num_entries = evaluator.first_entry[cell]
        evaluator.first_entry[cell] = kept[1]
        evaluator.end_entry[cell] = kept[2]
        evaluator.pattern[cell] = kept[3]
        evaluator.closed[cell] = kept[4]
        evaluator.cell_fits[cell] = kept[5]
    evaluator.num_kept = 0


# --- areas ---


@kernel
def _survey_areas(t, s, evaluator):
    """Note of each area where it opens to the cells that were noted. Writes what `survey` writes beside these."""
    evaluator.cells.fill(0)
    evaluator.fits.fill(MANY)
    evaluator.last.fill(NONE)
    evaluator.num_seen = 0
    evaluator.num_links = 0
    for number in range(find_first_word(s), find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            _survey_cell(t, s, evaluator, number * WORD_BITS + lowest_bit(cells))
            cells &= cells - 1


@kernel
def _survey_cell(t, s, evaluator, cell):
    """Note which areas open to `cell`."""
    found = 0
    for number in range(evaluator.first_entry[as_index(cell)], evaluator.end_entry[as_index(cell)]):
        port, node = evaluator.entries[as_index(number), 0], evaluator.entries[as_index(number), 1]
        found = _note_entry(t, s, evaluator, cell, port, as_index(node), found)
    fits = evaluator.cell_fits[as_index(cell)]
    for number in range(found):
        area = as_index(evaluator.near[number, 0])
        evaluator.fits[area] = min(evaluator.fits[area], fits)


@kernel
def _note_entry(t, s, evaluator, cell, port, node, found):
    """Note that the area of `node` comes in at a `port` of `cell`; return how many areas were `found` there so far."""
    area = as_index(s.area[node])
    last = int(evaluator.last[area])
    if last >> NUM_PORTS == cell:
        evaluator.last[area] = last | 1 << port
        return found
    if last == NONE:
        evaluator.seen[as_index(evaluator.num_seen)] = area
        evaluator.num_seen += 1
        evaluator.is_linked[area] = 0
    evaluator.before[area] = last
    evaluator.last[area] = cell << NUM_PORTS | 1 << port
    evaluator.cells[area] += 1
    evaluator.near[found, 0] = area
    evaluator.near[found, 1] = port
    _link(t, s, evaluator, cell, found)
    return found + 1


@kernel
def _link(t, s, evaluator, cell, found):
    """Link the area `found` in `near` with those of its feature before it, where anybody stands in one of the two.

    That is as far as there is room for links.
    """
    area = as_index(evaluator.near[found, 0])
    for number in range(found):
        other = as_index(evaluator.near[number, 0])
        if t.node_feature[other] != t.node_feature[area]:
            continue
        evaluator.is_linked[other] = 1
        evaluator.is_linked[area] = 1
        end = as_index(evaluator.num_links)
        if end < evaluator.links.shape[0] and (has_followers(s, area) or has_followers(s, other)):
            evaluator.links[end, 0] = other
            evaluator.links[end, 1] = area
            evaluator.links[end, 2] = cell
            evaluator.links[end, 3] = evaluator.near[number, 1]
            evaluator.links[end, 4] = evaluator.near[found, 1]
            evaluator.num_links += 1


@kernel
def note_owners(t, s, evaluator):
    """Note who leads in each area, and which areas may be joined with the opponent's. Writes `owner` and `risk`."""
    evaluator.owner.fill(NOBODY)
    evaluator.risk.fill(0)
    for player in range(NUM_PLAYERS):
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            if area > NONE:
                ahead = count_followers(s, area, 0) - count_followers(s, area, 1)
                evaluator.owner[area] = EVEN if ahead == 0 else 0 if ahead > 0 else 1
    for number in range(evaluator.num_links):
        first, second = as_index(evaluator.links[number, 0]), as_index(evaluator.links[number, 1])
        evaluator.risk[first] |= RISKY[evaluator.owner[second]]
        evaluator.risk[second] |= RISKY[evaluator.owner[first]]


@kernel
def count_fits_on(t, s, evaluator, cell):
    """Return how many of the tiles left fit on the empty `cell`."""
    digits = 1 + s.forbidden.shape[1]
    pattern = 0
    for side in range(NUM_SIDES - 1, -1, -1):
        beside = t.neighbor[as_index(cell), side]
        shown = 0
        if beside > NONE and s.face[beside] > EMPTY:
            shown = 1 + int(t.face_edge[as_index(s.face[beside]), (side + 2) % NUM_SIDES])
        pattern = pattern * digits + shown
    return count_fits(evaluator, pattern)


@kernel
def count_fits(evaluator, pattern):
    """Return how many of the tiles left fit where the neighbours show that `pattern`."""
    fits = 0
    for word in range(evaluator.left.size):
        fits += count_word(np.int64(evaluator.left[word] & evaluator.fitting[as_index(pattern), word]))
    return fits
