"""Draws a position for a terminal, no wider than 80 columns unless asked.

A space is 5 x 3 characters inside its frame; a letter says what a place on the tile shows:

    █Z58→█████   the tile's id, an arrow to where its printed north side lies, * on the tile of this turn
    █mh║mm│      h m p      the features' letters, ground shown side by side
    █══◎══│      ║ ═ ╝ ◎    roads and a fountain
    █mm║+p│      + # 0 1    a shrine, stocks, a follower of player 0, of player 1
    ███████      █          the wall; in front of a start space it is open and carries the first letter of its id

With the falcon's pieces: ^ a nest, ♔ ♚ the prince of player 0, of player 1, ♗ ♝ the falconers. In the open country:
c f k letters as above, ▼ a shield, ◎ a village; rows and columns show their numbers, negative ones too, and an empty
cell is shown where a tile lies next to it. A legend follows the board.

A board with more columns than fit is drawn in parts, one below the other, from west to east.
"""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence

from zamek_env.common.checks import check_count
from zamek_env.common.printing import to_ascii
from zamek_env.components.model import (
    NUM_SIDES,
    PORTS_PER_SIDE,
    STEP,
    Components,
    Segment,
    Tile,
    opposite_side,
    rotated_port,
)
from zamek_env.components.token_text import name_token
from zamek_env.notation.position import Position
from zamek_env.render.labels import (
    check_table,
    count_words,
    find_tile,
    has_copies,
    has_family_houses,
    phase_words,
    pool_words,
    tile_words,
)
from zamek_env.render.open_table import find_beside, find_box

LINE = 80  # characters of a line
LEAST_LINE = 40
MARGIN_X, MARGIN_Y = 6, 3  # for numbers and start spaces round the castle
EDGE = 2  # characters of a start space west or east of the castle
WIDTH, HEIGHT = 5, 3  # characters of a tile inside its frame: each of its twelve ports has one of its own
MIDDLE = WIDTH // 2
MARKS = {"shrines": "+", "stocks": "#", "shields": "▼"}
OTHER_MARK = "*"
NEST = "^"
PIECES = {"follower": "01234", "prince": "♔♚♕♛♖", "falconer": "♗♝♘♞♙"}  # of each player
FOUNTAIN = "◎"
FOUNTAIN_ARMS = 3
TWO_BENDS = "╲╱"  # that do not touch: ╚ and ╗, ╔ and ╝
APART = "·"  # between ends that do not meet
ROADS = " ╨╞╚╥║╔╠╡╝═╩╗╣╦╬"  # by arms: north 1 + east 2 + south 4 + west 8
MIDDLES = tuple(PORTS_PER_SIDE * side + 1 for side in range(NUM_SIDES))
PITCH = WIDTH + 1  # from one column of the board to the next
GAP = "   "  # between words that stand for themselves
ARROWS = "↑→↓←"


def draw_text(components: Components, position: Position, ascii: bool = False, width: int = LINE) -> str:
    """Return `position` as lines of text, the board first, then all that lies next to it, then the legend.

    No line has more than `width` characters; with `ascii` all of them are ASCII. Raises `ValueError` for a `width`
    below 40, which has no room for what lies next to the board, and `TypeError` for arguments of other types.
    """
    return "\n".join(line for lines in draw_lines(components, position, ascii, width) for line in lines) + "\n"


def draw_lines(
    components: Components,
    position: Position,
    ascii: bool = False,
    width: int = LINE,
    has_places: bool = True,
    names: Sequence[str] = (),
) -> tuple[list[str], list[str], list[str]]:
    """Return `position` as three lists of lines: the board, what lies next to it, the legend.

    `has_places` says whether words too tell where followers stand and tokens lie; `names` are those of the players, if
    they have some. Otherwise as `draw_text`.
    """
    check_table(components, position)
    check_count("width", width, least=LEAST_LINE)
    block = _draw_next_tile(components, position)
    words = _Words(width - len(f"  {block[0]}{GAP}"), ascii)
    _describe(words, components, position, has_places, names)
    height = max(len(block), len(words.lines))
    beside = words.lines + [""] * (height - len(words.lines))
    block += [" " * len(block[0])] * (height - len(block))
    picture = _cut(_draw_board(components, position), width, bool(components.board.starts))
    picture += [f"  {left}{GAP}" for left in block]
    if ascii:
        picture = ["".join(to_ascii(sign)[:1] for sign in line) for line in picture]
    board, aside = picture[:-height], [left + right for left, right in zip(picture[-height:], beside, strict=True)]
    legend = _Words(width - 2, ascii)
    legend.add(_list_signs(components, names))
    signs = [f"  {line}" for line in legend.lines]
    return tuple([line.rstrip() for line in lines] for lines in (board, aside, signs))  # type: ignore[return-value]


# --- the board ---


def _draw_board(components, position):
    """Return the lines of the castle, or of the part of an open table on which something lies or may be laid."""
    has_table = components.start_tile is not None
    board, edge = position.board, components.house.table
    first_row, first_column, rows, columns = find_box(board, edge) if has_table else (0, 0, *components.board.shape)
    cells = {*board, *find_beside(board, edge)} if has_table else set(components.board.cells)
    width = columns * PITCH + 1 + 2 * MARGIN_X
    canvas = _Canvas(width, rows * (HEIGHT + 1) + 1 + 2 * MARGIN_Y, (first_row, first_column))
    for cell in sorted(cells):
        _draw_frame(canvas, cell, cells, "─│┼" if has_table else "███")
    for start in components.board.starts:
        _draw_start(canvas, components, start)
    for cell in sorted(cells):
        _draw_cell(canvas, components, position, cell)
    for column in range(first_column, first_column + columns):
        canvas.write(0, canvas.left(column) + MIDDLE + 1, str(column))
    for row in range(first_row, first_row + rows):
        canvas.write(canvas.top(row) + 2, 0, f"{row:>2}")
    return [line for line in ("".join(row).rstrip() for row in canvas.rows) if line]


def _cut(lines, width, has_starts):
    """Return the `lines` of a board unchanged where they fit, else its columns in parts that do."""
    longest = max(map(len, lines))
    if longest <= width:
        return lines
    columns = (longest - MARGIN_X - 1) // PITCH
    room = (width - MARGIN_X - 1 - EDGE * has_starts) // PITCH
    share = -(-columns // -(-columns // room))  # as many columns in each part
    return [line for first in range(0, columns, share) for line in _cut_part(lines, first, share, columns)]


def _cut_part(lines, first, share, columns):
    """Return `share` columns of a board, from column `first` on, with the numbers of their rows."""
    west = MARGIN_X + first * PITCH - EDGE * (first == 0)
    east = MARGIN_X + (first + share) * PITCH + 1 + EDGE * (first + share >= columns)
    bodies = [line[west:east].rstrip() for line in lines]
    inside = slice(MARGIN_X + first * PITCH + 1, MARGIN_X + (first + share) * PITCH)  # not what its neighbours show
    drawn = [number for number, line in enumerate(lines) if number and line[inside].strip()]
    numbers = [line[: MARGIN_X - EDGE].ljust(MARGIN_X if first else MARGIN_X - EDGE) for line in lines]
    return [numbers[number] + bodies[number] for number in (0, *range(drawn[0], drawn[-1] + 1))]


class _Canvas:
    """Characters to be drawn on; `first` is the (row, column) of the cell in the north-west corner."""

    def __init__(self, width, height, first):
        self.rows = [[" "] * width for _ in range(height)]
        self.first = first

    def top(self, row):
        return MARGIN_Y + (row - self.first[0]) * (HEIGHT + 1)

    def left(self, column):
        return MARGIN_X + (column - self.first[1]) * PITCH

    def write(self, row, column, text):
        self.rows[row][column : column + len(text)] = text


def _draw_frame(canvas, cell, cells, border):
    """Draw the lines round a space: those of the `border`, across, down, corner, where no space lies beyond."""
    top, left = canvas.top(cell[0]), canvas.left(cell[1])
    for side, (down, right) in enumerate(STEP):
        is_border = (cell[0] + down, cell[1] + right) not in cells
        if side % 2 == 0:
            canvas.write(top + (side // 2) * (HEIGHT + 1), left + 1, (border[0] if is_border else "─") * WIDTH)
        else:
            column = left + (WIDTH + 1 if side == 1 else 0)
            for row in range(top + 1, top + 1 + HEIGHT):
                canvas.write(row, column, border[1] if is_border else "│")
    for down in (0, 1):
        for right in (0, 1):
            around = [(cell[0] + down - a, cell[1] + right - b) in cells for a in (0, 1) for b in (0, 1)]
            corner = "┼" if all(around) else border[2]
            canvas.write(top + down * (HEIGHT + 1), left + right * PITCH, corner)


def _draw_cell(canvas, components, position, cell):
    top, left = canvas.top(cell[0]), canvas.left(cell[1])
    if cell not in position.board:
        canvas.write(top + 2, left + 1 + MIDDLE, "·")
        return
    name, rotation = position.board[cell]
    followers = [(player, name, piece) for player, where, name, piece in position.followers if where == cell]
    block = draw_block(components, find_tile(components, name), rotation, followers)
    for number, row in enumerate(block):
        canvas.write(top + 1 + number, left + 1, row)
    sign = "*" if cell == position.cell else ""
    canvas.write(top, left + 1, f"{name[: WIDTH - 2]}{ARROWS[rotation % NUM_SIDES]}{sign}")


def _draw_start(canvas, components, start):
    """Open the wall towards a start space and show its side there."""
    top, left = canvas.top(start.cell[0]), canvas.left(start.cell[1])
    block = draw_block(components, start.tile, 0)
    inner = opposite_side(start.side)
    name = start.id[:1]
    if start.side % 2 == 0:
        wall = top + (HEIGHT + 1 if start.side == 2 else 0)
        canvas.write(wall + (1 if start.side == 2 else -1), left + 1, block[0 if inner == 0 else HEIGHT - 1])
        canvas.write(wall, left + 1, "─" * WIDTH)
        canvas.write(wall, left + WIDTH, name)
        return
    column = left + (WIDTH + 1 if start.side == 1 else 0)
    for number, row in enumerate(block):
        edge = row[:2] if inner == 3 else row[-2:]
        canvas.write(top + 1 + number, column + (1 if start.side == 1 else -2), edge)
        canvas.write(top + 1 + number, column, "│")
    canvas.write(top + 2, column, name)


# --- next to the board ---


def _draw_next_tile(components, position):
    edge = "─" * WIDTH
    block = ["." * WIDTH] * HEIGHT
    if position.tile is not None:
        _, rotation = position.board.get(position.cell, (None, 0))
        block = draw_block(components, find_tile(components, position.tile), rotation)
    return [f"┌{edge}┐", *(f"│{row}│" for row in block), f"└{edge}┘"]


class _Words:
    """Lines of words, none longer than `width`."""

    def __init__(self, width, ascii):
        self.width, self.ascii, self.lines = width, ascii, []

    def add(self, parts):
        """Append `parts`, each kept together where it fits, on as many lines as they take."""
        self._append(parts, GAP, "", GAP)

    def add_list(self, heading, items):
        """Append `items` after `heading`, separated by commas."""
        words = [*items] or ["-"]
        parts = [f"{word}," for word in words[:-1]] + words[-1:]
        self._append(parts, " ", f"{heading} ", " " * min(len(heading) + 1, self.width // 2))

    def _append(self, parts, between, first, later):
        """Append `parts` joined by `between`, after `first` on the first line and `later` on the others."""
        room = self.width - max(len(first), len(later))
        shown = [to_ascii(part) if self.ascii else part for part in parts]
        kept = [part.replace(" ", "\0") if len(part) <= room else part for part in shown]
        lines = textwrap.wrap(
            between.join(kept), self.width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
        )
        self.lines += [line.replace("\0", " ") for line in lines]


def _describe(words, components, position, has_places, names):
    """Append to `words` what to do, what the players have and what is left."""
    words.add([phase_words(position, names), tile_words(position), count_words(position)])
    for player in range(len(position.scores)):
        words.add(_describe_player(components, position, player, names))
        if has_places:
            words.add_list("  followers", _describe_followers(position, player))
        if components.tokens:
            words.add_list("  tokens", _describe_tokens(components, position, player))
    if components.board.towers and has_places:
        towers = [f"{first}/{second}" for first, second in components.board.towers if first in position.towers]
        words.add_list("towers with token", towers)
    if has_copies(components):
        words.add_list("left", [f"{count}x {name}" for name, count in sorted(position.remaining.items()) if count])
    if components.nests:
        words.add([pool_words(position)])


def _describe_player(components, position, player, names):
    at_gate = " at the gate" if position.at_gate[player] and position.phase != "over" else ""
    supply = " + ".join((str(position.supplies[player]), *position.pieces[player]))
    yield names[player] if names else f"player {player}"
    yield f"score {position.scores[player]}{at_gate}"
    yield f"supply {supply}"
    if has_family_houses(components):
        yield f"family house {position.family_houses[player]}"
    if components.nests:
        yield f"nests {position.nests[player]}"


def _describe_followers(position, player):
    for owner, (row, column), name, piece in position.followers:
        if owner == player:
            yield f"{name} at {row},{column}" if piece == "follower" else f"{piece} {name} at {row},{column}"


def _describe_tokens(components, position, player):
    for hand, note in ((position.tokens[player], ""), (position.fresh_tokens[player], " (new)")):
        for kind in sorted(hand):
            if hand[kind]:
                yield f"{hand[kind]}x {name_token(components, kind)}{note}"


def _list_signs(components, names):
    """Yield what each sign on a tile means."""
    for feature in components.features:
        yield f"{'═' if feature.middle else feature.letter} {feature.name}"
    yield f"{FOUNTAIN} end of roads"
    for mark in dict.fromkeys(feature.mark for feature in components.features if feature.mark):
        yield f"{MARKS.get(mark, OTHER_MARK)} {mark}"
    if components.nests:
        yield f"{NEST} nests"
    for piece in components.pieces:
        signs = PIECES[piece.name][: components.players]
        owners = names or [f"player {', '.join(map(str, range(components.players)))}"]
        yield f"{' '.join(signs)} {piece.name} of {', '.join(owners)}"
    yield f"{ARROWS[0]} printed north"
    yield "* tile of this turn"


# --- one tile ---


def draw_block(
    components: Components, tile: Tile, rotation: int, followers: Iterable[tuple[int, str, str]] = ()
) -> list[str]:
    """Return `HEIGHT` rows of a turned tile; `followers` are (player, segment name, piece)."""
    at_port = {rotated_port(port, rotation): segment for segment in tile.segments for port in segment.ports}
    middle = _lay_middle(tile, at_port)
    places = _lay_places(at_port) | middle
    roads = {place: glyph for place, glyph in _draw_roads(at_port).items() if place not in middle}
    for segment in tile.segments:
        _borrow_places(places, segment, roads)
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    letters = {feature.name: feature.letter for feature in components.features}
    for (row, column), segment in places.items():
        rows[row][column] = letters[segment.feature] if segment else " "
    for (row, column), glyph in roads.items():
        rows[row][column] = glyph
    marks = {feature.name: MARKS.get(feature.mark or "", OTHER_MARK) for feature in components.features}
    for segment in tile.segments:
        signs = [PIECES[piece][player] for player, name, piece in followers if name == segment.name]
        signs += [marks[segment.feature]] * segment.marks + [NEST] * segment.nests
        own = [place for place, other in places.items() if other is segment]
        for (row, column), sign in zip(sorted(own, key=_standing_order), signs, strict=False):
            rows[row][column] = sign
    return ["".join(row) for row in rows]


def _lay_places(at_port):
    """Return (row, column) -> segment for every place of the block."""
    places: dict[tuple[int, int], Segment | None] = {}
    for row, (west, left, road, right, east) in ((0, (11, 0, 1, 2, 3)), (HEIGHT - 1, (9, 8, 7, 6, 5))):
        ground = [at_port.get(left)] * (MIDDLE - 1) + [at_port.get(road) or at_port.get(left)]
        ground += [at_port.get(right)] * (MIDDLE - 1)
        ends = at_port.get(west) or ground[0], at_port.get(east) or ground[-1]
        places |= {(row, column): segment for column, segment in enumerate((ends[0], *ground, ends[1]))}
    trunk, centre = _find_trunk(at_port), _find_centre(at_port)
    has_road = any(port in at_port for port in MIDDLES)
    for road, half, columns in ((10, 11, range(MIDDLE)), (4, 3, range(WIDTH - 1, MIDDLE, -1))):
        edge, *_, inmost = columns
        inside = at_port.get(road) or trunk or at_port.get(half)
        places |= {(1, column): inside for column in columns}
        places[1, edge] = at_port.get(road) or at_port.get(half)
        if not has_road:
            places[1, inmost] = centre
    places[1, MIDDLE] = centre
    return places


def _borrow_places(places, segment, roads):
    """Give `segment` enough places for all its possible signs, taken from neighbours with more; writes `places`."""
    owned = Counter(id(owner) for owner in places.values())
    while owned[id(segment)] < _count_signs(segment):
        beside = [
            (row + down, column + right)
            for (row, column), owner in places.items()
            if owner is segment
            for down, right in STEP
        ]
        spare = {
            place: owned[id(places[place])] - _count_signs(places[place])
            for place in beside
            if place in places and place not in roads and places[place] is not segment
        }
        place = max(spare, key=spare.__getitem__, default=None)
        if place is None or spare[place] < 1:
            return
        owned[id(places[place])] -= 1
        owned[id(segment)] += 1
        places[place] = segment


def _count_signs(segment):
    """Return the most signs on `segment` at once: a piece, marks and nests."""
    return 0 if segment is None else 1 + segment.marks + segment.nests


def _lay_middle(tile, at_port):
    """Return (row, column) -> the segment without ports that shows in the centre, where the tile has one."""
    beside = () if any(MIDDLES[side] in at_port for side in (1, 3)) else (MIDDLE - 1, MIDDLE + 1)
    return {(1, column): s for s in tile.segments if not s.ports for column in (*beside, MIDDLE)}


def _find_trunk(at_port):
    """Return the segment that shows on two opposite sides and hence across the middle, or None."""
    ground = [at_port.get(PORTS_PER_SIDE * side + place) for side in range(NUM_SIDES) for place in (0, 2)]
    runs = [segment for number, segment in enumerate(ground) if segment is not ground[number - 1]]
    return next((segment for segment in runs if segment and sum(other is segment for other in runs) > 1), None)


def _find_centre(at_port):
    """Return the road that runs through the centre, else the segment that covers most of the tile."""
    roads = [at_port[port] for port in MIDDLES if port in at_port]
    ground = [segment for port, segment in at_port.items() if port not in MIDDLES]
    largest = max(ground, key=lambda segment: sum(other is segment for other in ground), default=None)
    return roads[0] if roads else _find_trunk(at_port) or largest


def _draw_roads(at_port):
    """Return (row, column) -> glyph of the roads."""
    arms = {side: at_port[port] for side, port in enumerate(MIDDLES) if port in at_port}
    glyphs: dict[tuple[int, int], str] = {}
    for side in arms:
        if side % 2:
            columns = range(MIDDLE + 1, WIDTH) if side == 1 else range(MIDDLE)
            glyphs |= {(1, column): "═" for column in columns}
        else:
            glyphs[side // 2 * (HEIGHT - 1), MIDDLE] = "║"
    if arms:
        glyphs[1, MIDDLE] = _join_arms(list(arms.items()))
    return glyphs


def _join_arms(arms):
    """Return the glyph in the centre: which of the (side, segment) arms meet there."""
    masks: dict[str, int] = {}
    for side, segment in arms:
        masks[segment.name] = masks.get(segment.name, 0) + (1 << side)
    ends = [mask for mask in masks.values() if mask in (1, 2, 4, 8)]
    joined = [mask for mask in masks.values() if mask not in ends]
    if len(ends) >= FOUNTAIN_ARMS:
        return FOUNTAIN
    if len(joined) > 1:
        return TWO_BENDS[ROADS[joined[0]] in "╔╝"]
    if joined:
        return ROADS[joined[0]]
    return ROADS[ends[0]] if len(ends) == 1 else APART


def _standing_order(place):
    """Sort places so that pieces avoid the centre and the border where possible."""
    row, column = place
    return place == (1, MIDDLE), row != 1, column in (0, WIDTH - 1), abs(column - MIDDLE), row, column
