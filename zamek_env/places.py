"""What the numbers of places stand for: spaces as (row, column), start spaces by their ids.

Inside a wall that never changes. On an open table several cells share a number (`zamek_env.core.open_table`), and which
of them is meant follows from what lies there: tiles lie side by side, all the way back to the start tile.
"""

from zamek_env.core.components import NUM_ROTATIONS, STEP
from zamek_env.core.state import EMPTY


def find_places(ruleset, state):
    """Return {number: place} of all spaces and start spaces.

    On an open table these are the cells on which tiles lie, the start tile's first, and the empty ones beside them.
    """
    board = ruleset.components.board
    if ruleset.components.start_tile is None:
        starts = {len(board.cells) + number: start.id for number, start in enumerate(board.starts)}
        return dict(enumerate(board.cells)) | starts
    faces = state.face.tolist()
    places = {board.find_number((0, 0)): (0, 0)}
    waiting = [(0, 0)]
    for row, column in waiting:  # grows on the way
        for down, right in STEP:
            cell = (row + down, column + right)
            number = board.find_number(cell)
            if number not in places:
                places[number] = cell
                if faces[number] != EMPTY:
                    waiting.append(cell)
    return places


def find_tiles(ruleset, state):
    """Return {tile number: place} of every tile on the board, and of every start space."""
    cells, faces = ruleset.sizes.cells, state.face.tolist()
    return {
        (faces[number] // NUM_ROTATIONS if number < cells else ruleset.sizes.tiles + number - cells): place
        for number, place in find_places(ruleset, state).items()
        if faces[number] != EMPTY
    }


def name_place(ruleset, state, number):
    """Return the place that `number` stands for; the nearest cell to the start tile where there is nothing near it."""
    return find_places(ruleset, state).get(number) or ruleset.components.board.cells[number]


def find_number(ruleset, state, place):
    """Return the number of a (row, column), None where there is no space, or no tile beside it on an open table."""
    return next((number for number, other in find_places(ruleset, state).items() if other == place), None)
