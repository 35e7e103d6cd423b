"""Translates the numbers of locations: spaces to (row, column), start spaces to their ids.

Inside a wall that never changes. On an open table several cells share a number (`zamek_env.components.open_table`), and
which of them is meant follows from what lies there: tiles lie side by side, all the way back to the start tile.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS, STEP, Wall
from zamek_env.core.tables import NONE
from zamek_env.ruleset import Ruleset


def find_faces(state: np.record) -> dict[int, int]:
    """Return {number of a location: face} of all tiles on the board."""
    places = zip(state.tile_location.tolist(), state.tile_rotation.tolist(), strict=True)
    return {
        location: tile * NUM_ROTATIONS + rotation
        for tile, (location, rotation) in enumerate(places)
        if location != NONE
    }


def find_locations(ruleset: Ruleset, state: np.record) -> dict[int, tuple[int, int] | str]:
    """Return {number: location} of all spaces and start spaces.

    On an open table these are the cells on which tiles lie, the start tile's first, and the empty ones next to them.
    """
    board = ruleset.components.board
    if isinstance(board, Wall):
        starts = {len(board.cells) + number: start.id for number, start in enumerate(board.starts)}
        return dict(enumerate(board.cells)) | starts
    faces = find_faces(state)
    start = board.find_number((0, 0))
    assert start is not None, "the middle of a table"
    locations: dict[int, tuple[int, int] | str] = {start: (0, 0)}
    waiting = [start]
    for number in waiting:  # grows on the way
        waiting += [beside for beside in add_beside(ruleset, locations, number) if beside in faces]
    return locations


def add_beside(ruleset: Ruleset, locations: dict[int, Any], number: int) -> list[int]:
    """Add to `locations`, which `find_locations` found, what a tile laid on `number` brings; return the new numbers.

    On an open table these are the cells next to it; within a wall nothing is new.
    """
    board = ruleset.components.board
    if isinstance(board, Wall):
        return []
    row, column = locations[number]
    new = []
    for beside, (down, right) in zip(_number_beside(board)[number], STEP, strict=True):
        if beside is not None and beside not in locations:
            locations[beside] = row + down, column + right
            new.append(beside)
    return new


@lru_cache(maxsize=16)
def _number_beside(board):
    """Return, for each number on a table, those of its neighbours, by side; None beyond the edge."""
    return [
        [board.find_number((cell[0] + down, cell[1] + right)) for down, right in STEP] if cell else []
        for cell in board.cells
    ]


def find_tiles(ruleset: Ruleset, state: np.record) -> dict[int, tuple[int, int] | str]:
    """Return {tile number: location} of every tile on the board, and of every start space."""
    faces = find_faces(state)
    return {
        faces[number] // NUM_ROTATIONS: location
        for number, location in find_locations(ruleset, state).items()
        if number in faces
    }


def name_location(ruleset: Ruleset, state: np.record, number: int) -> tuple[int, int] | str:
    """Return the location of that `number`; where nothing lies near it, the cell nearest to the start tile."""
    cells: tuple[Any, ...] = ruleset.components.board.cells
    return find_locations(ruleset, state).get(number) or cells[number]


def find_number(ruleset: Ruleset, state: np.record, location: tuple[int, int]) -> int | None:
    """Return the number of a (row, column), None where there is no space, or no tile next to it on an open table."""
    return next((number for number, other in find_locations(ruleset, state).items() if other == location), None)
