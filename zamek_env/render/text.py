"""Draws a position for a terminal.

A space is 7 x 3 characters inside its frame; a letter says what a place on the tile shows:

    █Z58→████   the tile's id, an arrow to where its printed north side lies, * on the tile of this turn
    █mhh║mmm│   h m p      the features' letters, ground shown side by side
    █══1◎═══│   ║ ═ ╝ ◎    roads and a fountain
    █mm+║ppm│   + # 0 1    a shrine, stocks, a follower of player 0, of player 1
    █████████   █          the wall; in front of a start space it is open and carries the first letter of its id

With the falcon's pieces: ^ a nest, ♔ ♚ the prince of player 0, of player 1, ♗ ♝ the falconers. In the open country:
c f k letters as above, ▼ a shield, ◎ a village; rows and columns bear their numbers, negative ones too, and an empty
cell is shown where a tile lies beside it.
"""

import textwrap

from zamek_env.components.model import NUM_SIDES, STEP, opposite_side
from zamek_env.render.blocks import HEIGHT, MIDDLE, WIDTH, draw_block
from zamek_env.render.labels import (
    count_words,
    find_tile,
    has_copies,
    has_family_houses,
    phase_words,
    pool_words,
    tile_words,
    token_label,
)
from zamek_env.render.open_table import find_beside, find_box

MARGIN_X, MARGIN_Y = 6, 3  # for numbers and start spaces round the castle
WORDS = 82  # characters of a line beside the tile to place
ARROWS = "↑→↓←"


def draw_text(components, position):
    """Return `position` as lines of text, the board first, then all that lies beside it."""
    lines = _draw_board(components, position)
    block = _draw_next_tile(components, position)
    words = _describe(components, position)
    height = max(len(block), len(words))
    block += [" " * len(block[0])] * (height - len(block))
    words += [""] * (height - len(words))
    lines += [f"  {left}   {right}" for left, right in zip(block, words, strict=True)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


# --- the board ---


def _draw_board(components, position):
    """Return the lines of the castle, or of the part of an open table on which something lies or may be laid."""
    has_table = components.start_tile is not None
    first_row, first_column, rows, columns = find_box(position.board) if has_table else (0, 0, *components.board.shape)
    cells = {*position.board, *find_beside(position.board)} if has_table else set(components.board.cells)
    width = columns * (WIDTH + 1) + 1 + 2 * MARGIN_X
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


class _Canvas:
    """Characters to be drawn on; `first` is the (row, column) of the cell in the north-west corner."""

    def __init__(self, width, height, first):
        self.rows = [[" "] * width for _ in range(height)]
        self.first = first

    def top(self, row):
        return MARGIN_Y + (row - self.first[0]) * (HEIGHT + 1)

    def left(self, column):
        return MARGIN_X + (column - self.first[1]) * (WIDTH + 1)

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
            canvas.write(top + down * (HEIGHT + 1), left + right * (WIDTH + 1), corner)


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


# --- beside the board ---


def _draw_next_tile(components, position):
    edge = "─" * WIDTH
    block = ["." * WIDTH] * HEIGHT
    if position.tile is not None:
        _, rotation = position.board.get(position.cell, (None, 0))
        block = draw_block(components, find_tile(components, position.tile), rotation)
    return [f"┌{edge}┐", *(f"│{row}│" for row in block), f"└{edge}┘"]


def _describe(components, position):
    words = [f"{phase_words(position)}   {tile_words(position)}   {count_words(position)}"]
    for player in range(len(position.scores)):
        at_gate = " at the gate" if position.at_gate[player] and position.phase != "over" else ""
        supply = " + ".join((str(position.supplies[player]), *position.pieces[player]))
        nests = f"   nests {position.nests[player]}" if components.nests else ""
        house = f"   family house {position.family_houses[player]}" if has_family_houses(components) else ""
        words.append(f"player {player}   score {position.scores[player]}{at_gate}   supply {supply}{house}{nests}")
        words += _list("  followers", _describe_followers(position, player))
        if components.tokens:
            words += _list("  tokens", _describe_tokens(components, position, player))
    if components.board.towers:
        towers = [f"{first}/{second}" for first, second in components.board.towers if first in position.towers]
        words += _list("towers with token", towers)
    if has_copies(components):
        words += _list("left", [f"{count}x {name}" for name, count in sorted(position.remaining.items()) if count])
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
