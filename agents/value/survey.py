"""What the learned evaluation looks at on the board: where open areas can grow, how hard that is, and who is near.

The tile that is drawn for the turn to begin is counted among those left, so that nobody can know more than before the
draw; no order of tiles is read.
"""

import numpy as np

from zamek_env.components.model import NUM_SIDES, PORTS_PER_SIDE
from zamek_env.components.words import WORD_BITS
from zamek_env.core.areas import count_followers
from zamek_env.core.bits import as_index, count_word, lowest_bit, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.placement import find_reach
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
    """Note which cells each area opens to, and what fits there, whoever stands where.

    Writes `left`, `cells`, `fits`, `last_cell`, `seen`, `near`, `links` and their counters.
    """
    evaluator.left.fill(0)
    for deck_index in range(s.deck.size - count_left(s), s.deck.size):
        set_bit(evaluator.left, s.deck[deck_index])
    evaluator.cells.fill(0)
    evaluator.fits.fill(MANY)
    evaluator.last_cell.fill(NONE)
    evaluator.num_seen = 0
    evaluator.num_links = 0
    for number in range(find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            _survey_cell(t, s, evaluator, number * WORD_BITS + lowest_bit(cells))
            cells &= cells - 1


@kernel
def _survey_cell(t, s, evaluator, cell):
    """Note the areas that open to `cell`."""
    fits = count_fits(t, s, evaluator, cell)
    found = 0
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(cell), side]
        if beside <= NONE or s.face[beside] <= EMPTY:
            continue
        face, first = as_index(s.face[beside]), PORTS_PER_SIDE * ((side + 2) % NUM_SIDES)
        for port in range(first, first + PORTS_PER_SIDE):
            node = t.face_node[face, port]
            if node <= NONE or evaluator.last_cell[as_index(s.area[node])] == cell:
                continue
            area = as_index(s.area[node])
            if evaluator.last_cell[area] == NONE:
                evaluator.seen[as_index(evaluator.num_seen)] = area
                evaluator.num_seen += 1
            evaluator.last_cell[area] = cell
            evaluator.cells[area] += 1
            evaluator.fits[area] = min(evaluator.fits[area], fits)
            _link(t, evaluator, area, found)
            evaluator.near[found] = area
            found += 1


@kernel
def _link(t, evaluator, area, found):
    """Link `area` with those of its feature among the first `found` in `near`, as far as there is room for links."""
    for number in range(found):
        other = as_index(evaluator.near[number])
        end = as_index(evaluator.num_links)
        if t.node_feature[other] == t.node_feature[area] and end < evaluator.links.shape[0]:
            evaluator.links[end, 0] = other
            evaluator.links[end, 1] = area
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
def count_fits(t, s, evaluator, cell):
    """Return how many of the tiles left fit on the empty `cell`."""
    digits = 1 + s.forbidden.shape[1]
    pattern = 0
    for side in range(NUM_SIDES - 1, -1, -1):
        beside = t.neighbor[as_index(cell), side]
        shown = 0
        if beside > NONE and s.face[beside] > EMPTY:
            shown = 1 + int(t.face_edge[as_index(s.face[beside]), (side + 2) % NUM_SIDES])
        pattern = pattern * digits + shown
    fits = 0
    for word in range(evaluator.left.size):
        fits += count_word(np.int64(evaluator.left[word] & evaluator.fitting[as_index(pattern), word]))
    return fits
