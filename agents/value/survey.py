"""What the learned evaluation looks at on the board: where open areas can grow, how hard that is, and who is near.

NOTES DESCRIPTION  (N nodes)
    An `int32` array of shape `(ROWS, N + SPARE)`, scratch space of one evaluation:

    row       at               what
    CELLS     area             how many different empty cells it opens to
    FITS      area             how many of the tiles left fit on the hardest of them
    LAST      area             the last such cell, while they are being counted
    OWNER     area             who leads in it, NOBODY, or EVEN where both have as many pieces there
    RISK      area             bit `player` set where one tile may join it with an area that the player leads in
    SEEN      number           the areas that open to any cell
    LINKS     number           an area …
    LINKED    number           … and another one of the same feature open to the same cell: one tile can join them
    NUMBERS   number           features that are not 0: their numbers …
    AMOUNTS   number           … and their values
    LEFT      word             bit set of the tiles left, in words of `FIT_BITS`
    SIZES     0, 1, 2          how many areas are seen, how many links and how many features there are

    Which tiles fit on a cell follows from what its neighbours show: its pattern, a number with one digit a side, 0 for
    nothing there and 1 + edge else. The tiles that fit to each pattern in some rotation stand behind the weights, as
    words of `FIT_BITS` bits, which a `float32` holds exactly: so one array is all that an evaluation needs.

The tile that is drawn for the turn to begin is counted among those left, so that nobody can know more than before the
draw; no order of tiles is read.
"""

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.components.words import WORD_BITS
from zamek_env.core.areas import count_followers
from zamek_env.core.bits import as_index, count_word, lowest_bit
from zamek_env.core.jit import kernel
from zamek_env.core.placement import find_reach
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE, NUM_PLAYERS
from zamek_env.layout.actions import PLACE

CELLS, FITS, LAST, OWNER, RISK, SEEN, LINKS, LINKED, NUMBERS, AMOUNTS, LEFT, SIZES = range(12)
ROWS = 12
EVEN, NOBODY = 2, 3  # owners beside the players
RISKY = (1, 2, 0, 0)  # by owner: the bit in RISK of areas that one tile may join with his
SPARE = 256  # entries beyond one for each node, for the features of a position and the links between areas
FIT_BITS = 24  # whole numbers up to 2**24 are exact in float32
MANY = 255  # fits of a cell, where nothing is known to be in the way


@kernel
def new_notes(t):
    """Return scratch space for the evaluation of a position."""
    return np.empty((ROWS, t.node_tile.size + SPARE), np.int32)


@kernel
def count_left(s):
    """Return how many tiles will be drawn after this turn; the one that begins the next turn is still one of them."""
    return s.deck.size - int(s.drawn) + (s.phase == PLACE)


@kernel
def is_mover(s, player):
    """Return whether `player` has the turn that comes after the one that ends, or begins now."""
    return (s.player == player) == (s.phase == PLACE)


@kernel
def count_fit_words(t):
    """Return how many words of `FIT_BITS` bits hold a set of tiles of the deck."""
    deck = t.tile_node.shape[0] - t.start_cell.size
    return (deck + FIT_BITS - 1) // FIT_BITS


@kernel
def count_patterns(s):
    """Return how many patterns the four sides of a cell can have."""
    return (1 + s.forbidden.shape[1]) ** NUM_SIDES


@kernel
def write_fits(t, s, out):
    """Write the set of tiles that fit each pattern into `out`, float32 of shape `(patterns * words,)`."""
    digits, words = 1 + s.forbidden.shape[1], count_fit_words(t)
    out[:] = 0
    for pattern in range(count_patterns(s)):
        for face in range(s.deck.size * NUM_ROTATIONS):
            tile, shown, fits = face // NUM_ROTATIONS, pattern, True
            for side in range(NUM_SIDES):
                fits = fits and shown % digits in (0, 1 + t.face_edge[face, side])
                shown //= digits
            word = pattern * words + tile // FIT_BITS
            bit = 1 << (tile % FIT_BITS)
            if fits and not int(out[word]) & bit:
                out[word] += bit


@kernel
def survey(t, s, weights, notes):
    """Note which cells each area opens to, and what fits there, whoever stands where.

    Writes all rows of `notes` but OWNER, RISK and AMOUNTS; NUMBERS is spoilt.
    """
    for word in range(count_fit_words(t)):
        notes[LEFT, word] = 0
    for deck_index in range(s.deck.size - count_left(s), s.deck.size):
        tile = int(s.deck[deck_index])
        notes[LEFT, as_index(tile // FIT_BITS)] |= 1 << (tile % FIT_BITS)
    for node in range(t.node_tile.size):
        notes[CELLS, node] = 0
        notes[FITS, node] = MANY
        notes[LAST, node] = NONE
    notes[SIZES, 0] = 0
    notes[SIZES, 1] = 0
    for number in range(find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            _survey_cell(t, s, weights, notes, number * WORD_BITS + lowest_bit(cells))
            cells &= cells - 1


@kernel
def _survey_cell(t, s, weights, notes, cell):
    """Note the areas that open to `cell`."""
    fits = count_fits(t, s, weights, notes, cell)
    found = 0
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(cell), side]
        if beside <= NONE or s.face[beside] <= EMPTY:
            continue
        face, first = as_index(s.face[beside]), PORTS_PER_SIDE * ((side + 2) % NUM_SIDES)
        for port in range(first, first + PORTS_PER_SIDE):
            node = t.face_node[face, port]
            if node <= NONE or notes[LAST, as_index(s.area[node])] == cell:
                continue
            area = as_index(s.area[node])
            if notes[LAST, area] == NONE:
                notes[SEEN, as_index(notes[SIZES, 0])] = area
                notes[SIZES, 0] += 1
            notes[LAST, area] = cell
            notes[CELLS, area] += 1
            notes[FITS, area] = min(notes[FITS, area], fits)
            _link(t, notes, area, found)
            notes[NUMBERS, found] = area  # a row that is not needed yet
            found += 1


@kernel
def _link(t, notes, area, found):
    """Link `area` with those of its feature among the first `found` of its cell, as far as there is room for links."""
    for number in range(found):
        other = as_index(notes[NUMBERS, number])
        end = as_index(notes[SIZES, 1])
        if t.node_feature[other] == t.node_feature[area] and end < notes.shape[1]:
            notes[LINKS, end] = other
            notes[LINKED, end] = area
            notes[SIZES, 1] += 1


@kernel
def note_owners(t, s, notes):
    """Note who leads in each area, and which areas may be joined with the opponent's. Writes OWNER and RISK."""
    for node in range(t.node_tile.size):
        notes[OWNER, node] = NOBODY
        notes[RISK, node] = 0
    for player in range(NUM_PLAYERS):
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            if area > NONE:
                ahead = count_followers(s, area, 0) - count_followers(s, area, 1)
                notes[OWNER, area] = EVEN if ahead == 0 else 0 if ahead > 0 else 1
    for number in range(notes[SIZES, 1]):
        first, second = as_index(notes[LINKS, number]), as_index(notes[LINKED, number])
        notes[RISK, first] |= RISKY[notes[OWNER, second]]
        notes[RISK, second] |= RISKY[notes[OWNER, first]]


@kernel
def count_fits(t, s, weights, notes, cell):
    """Return how many of the tiles left fit on the empty `cell`."""
    digits, words = 1 + s.forbidden.shape[1], count_fit_words(t)
    pattern = 0
    for side in range(NUM_SIDES - 1, -1, -1):
        beside = t.neighbor[as_index(cell), side]
        shown = 0
        if beside > NONE and s.face[beside] > EMPTY:
            shown = 1 + int(t.face_edge[as_index(s.face[beside]), (side + 2) % NUM_SIDES])
        pattern = pattern * digits + shown
    base = weights.size - count_patterns(s) * words + pattern * words
    fits = 0
    for word in range(words):
        fits += count_word(np.int64(notes[LEFT, word]) & np.int64(weights[as_index(base + word)]))
    return fits
