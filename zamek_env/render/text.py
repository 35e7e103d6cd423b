"""Draws a position for a terminal.

A space is 7 x 3 characters inside its frame; a letter says what a place on the tile shows:

    █Z58→████   the tile's id, an arrow to where its printed north side lies, * on the tile of this turn
    █mhh║mmm│   h m p      the features' letters, ground shown side by side
    █══1◎═══│   ║ ═ ╝ ◎    roads and a fountain
    █mm+║ppm│   + # 0 1    a shrine, stocks, a follower of player 0, of player 1
    █████████   █          the wall; in front of a start space it is open and carries the first letter of its id

With the falcon's pieces: ^ a nest, ♔ ♚ the prince of player 0, of player 1, ♗ ♝ the falconers.
"""

import textwrap

from zamek_env.core.components import NUM_SIDES, PORTS_PER_SIDE, STEP, opposite_side, rotated_port
from zamek_env.render.labels import count_words, find_tile, phase_words, pool_words, tile_words, token_label

WIDTH, HEIGHT = 7, 3  # characters of a tile inside its frame
MIDDLE = WIDTH // 2
MARGIN_X, MARGIN_Y = 6, 3  # for numbers and start spaces round the castle
WORDS = 82  # characters of a line beside the tile to place
ARROWS = "↑→↓←"
MARKS = {"shrines": "+", "stocks": "#"}
OTHER_MARK = "*"
NEST = "^"
PIECES = {"follower": "01", "prince": "♔♚", "falconer": "♗♝"}  # of player 0 and 1
OTHER_PIECE = "☆★"
FOUNTAIN = "◎"
FOUNTAIN_ARMS = 3
TWO_BENDS = "╲╱"  # that do not touch: ╚ and ╗, ╔ and ╝
APART = "·"  # between ends that do not meet
ROADS = " ╨╞╚╥║╔╠╡╝═╩╗╣╦╬"  # by arms: north 1 + east 2 + south 4 + west 8
MIDDLES = tuple(PORTS_PER_SIDE * side + 1 for side in range(NUM_SIDES))


def draw_text(components, position):
    """Return `position` as lines of text, the castle first, then all that lies beside it."""
    lines = _draw_castle(components, position)
    block = _draw_next_tile(components, position)
    words = _describe(components, position)
    height = max(len(block), len(words))
    block += [" " * len(block[0])] * (height - len(block))
    words += [""] * (height - len(words))
    lines += [f"  {left}   {right}" for left, right in zip(block, words, strict=True)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


# --- one tile ---


def _draw_tile(components, tile, rotation, followers=()):
    """Return `HEIGHT` rows of a turned tile; `followers` are (player, segment name, piece)."""
    at_port = {rotated_port(port, rotation): segment for segment in tile.segments for port in segment.ports}
    places = _lay_places(at_port)
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    letters = {feature.name: feature.letter for feature in components.features}
    for (row, column), segment in places.items():
        rows[row][column] = letters[segment.feature] if segment else " "
    for (row, column), glyph in _draw_roads(at_port).items():
        rows[row][column] = glyph
    marks = {feature.name: MARKS.get(feature.mark, OTHER_MARK) for feature in components.features}
    for segment in tile.segments:
        signs = [PIECES.get(piece, OTHER_PIECE)[player] for player, name, piece in followers if name == segment.name]
        signs += [marks[segment.feature]] * segment.marks + [NEST] * segment.nests
        own = [place for place, other in places.items() if other is segment]
        for (row, column), sign in zip(sorted(own, key=_standing_order), signs, strict=False):
            rows[row][column] = sign
    return ["".join(row) for row in rows]


def _lay_places(at_port):
    """Return (row, column) -> segment for every place of the block."""
    places = {}
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
    glyphs = {}
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
    masks = {}
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
    """Sort places so that pieces stand neither in the centre nor at the border where that can be helped."""
    row, column = place
    return place == (1, MIDDLE), row != 1, column in (0, WIDTH - 1), abs(column - MIDDLE), row, column


# --- the castle ---


def _draw_castle(components, position):
    rows, columns = components.board.shape
    width = columns * (WIDTH + 1) + 1 + 2 * MARGIN_X
    canvas = [[" "] * width for _ in range(rows * (HEIGHT + 1) + 1 + 2 * MARGIN_Y)]
    cells = set(components.board.cells)
    for cell in sorted(cells):
        _draw_frame(canvas, cell, cells)
    for start in components.board.starts:
        _draw_start(canvas, components, start)
    for cell in sorted(cells):
        _draw_cell(canvas, components, position, cell)
    for column in range(columns):
        _write(canvas, 0, MARGIN_X + column * (WIDTH + 1) + MIDDLE + 1, str(column))
    for row in range(rows):
        _write(canvas, _top(row) + 2, 0, f"{row:>2}")
    return [line for line in ("".join(row).rstrip() for row in canvas) if line]


def _top(row):
    return MARGIN_Y + row * (HEIGHT + 1)


def _left(column):
    return MARGIN_X + column * (WIDTH + 1)


def _write(canvas, row, column, text):
    canvas[row][column : column + len(text)] = text


def _draw_frame(canvas, cell, cells):
    """Draw the lines round a space: wall where no space lies beyond."""
    top, left = _top(cell[0]), _left(cell[1])
    for side, (down, right) in enumerate(STEP):
        wall = (cell[0] + down, cell[1] + right) not in cells
        if side % 2 == 0:
            row = top + (side // 2) * (HEIGHT + 1)
            _write(canvas, row, left + 1, ("█" if wall else "─") * WIDTH)
        else:
            column = left + (WIDTH + 1 if side == 1 else 0)
            for row in range(top + 1, top + 1 + HEIGHT):
                canvas[row][column] = "█" if wall else "│"
    for down in (0, 1):
        for right in (0, 1):
            around = [(cell[0] + down - a, cell[1] + right - b) in cells for a in (0, 1) for b in (0, 1)]
            canvas[top + down * (HEIGHT + 1)][left + right * (WIDTH + 1)] = "┼" if all(around) else "█"


def _draw_cell(canvas, components, position, cell):
    top, left = _top(cell[0]), _left(cell[1])
    if cell not in position.board:
        canvas[top + 2][left + 1 + MIDDLE] = "·"
        return
    name, rotation = position.board[cell]
    followers = [(player, name, piece) for player, where, name, piece in position.followers if where == cell]
    block = _draw_tile(components, find_tile(components, name), rotation, followers)
    for number, row in enumerate(block):
        _write(canvas, top + 1 + number, left + 1, row)
    sign = "*" if cell == position.cell else ""
    _write(canvas, top, left + 1, f"{name[: WIDTH - 2]}{ARROWS[rotation % NUM_SIDES]}{sign}")


def _draw_start(canvas, components, start):
    """Open the wall towards a start space and show its side there."""
    top, left = _top(start.cell[0]), _left(start.cell[1])
    block = _draw_tile(components, start.tile, 0)
    inner = opposite_side(start.side)
    name = start.id[:1]
    if start.side % 2 == 0:
        wall = top + (HEIGHT + 1 if start.side == 2 else 0)
        _write(canvas, wall + (1 if start.side == 2 else -1), left + 1, block[0 if inner == 0 else HEIGHT - 1])
        _write(canvas, wall, left + 1, "─" * WIDTH)
        canvas[wall][left + WIDTH] = name
        return
    column = left + (WIDTH + 1 if start.side == 1 else 0)
    for number, row in enumerate(block):
        edge = row[:2] if inner == 3 else row[-2:]
        _write(canvas, top + 1 + number, column + (1 if start.side == 1 else -2), edge)
        canvas[top + 1 + number][column] = "│"
    canvas[top + 2][column] = name


# --- beside the castle ---


def _draw_next_tile(components, position):
    edge = "─" * WIDTH
    block = ["." * WIDTH] * HEIGHT
    if position.tile is not None:
        _, rotation = position.board.get(position.cell, (None, 0))
        block = _draw_tile(components, find_tile(components, position.tile), rotation)
    return [f"┌{edge}┐", *(f"│{row}│" for row in block), f"└{edge}┘"]


def _describe(components, position):
    words = [f"{phase_words(position)}   {tile_words(position)}   {count_words(position)}"]
    for player in range(len(position.scores)):
        at_gate = " at the gate" if position.at_gate[player] and position.phase != "over" else ""
        supply = " + ".join((str(position.supplies[player]), *position.pieces[player]))
        nests = f"   nests {position.nests[player]}" if components.nests else ""
        words.append(
            f"player {player}   score {position.scores[player]}{at_gate}   supply {supply}"
            f"   family house {position.family_houses[player]}{nests}"
        )
        words += _list("  followers", _describe_followers(position, player))
        words += _list("  tokens", _describe_tokens(components, position, player))
    towers = [f"{first}/{second}" for first, second in components.board.towers if first in position.towers]
    words += _list("towers with token", towers)
    return [*words, pool_words(position)] if components.nests else words


def _describe_followers(position, player):
    for owner, (row, column), name, piece in position.followers:
        if owner == player:
            yield f"{name} at {row},{column}" if piece == "follower" else f"{piece} {name} at {row},{column}"


def _describe_tokens(components, position, player):
    for hand, note in ((position.tokens[player], ""), (position.fresh_tokens[player], " (new)")):
        for kind in sorted(hand):
            if hand[kind]:
                yield f"{hand[kind]}x {token_label(components, kind)}{note}"


def _list(heading, items):
    """Return `items` after `heading`, broken into lines."""
    lines = textwrap.wrap(", ".join(item.replace(" ", "\0") for item in items) or "-", WORDS - len(heading))
    titles = [heading] + [" " * len(heading)] * (len(lines) - 1)
    return [f"{title} {line}".replace("\0", " ") for title, line in zip(titles, lines, strict=True)]
