"""All that the planes of an observation say of a board, and what would change if a tile lay there, as one scene."""

from typing import TypeAlias

import numpy as np

from zamek_agents.ppo.farming import foresee_farms, new_farms, read_farms
from zamek_agents.ppo.foreseen_openings import foresee_openings
from zamek_agents.ppo.joining import new_touch, write_touch
from zamek_agents.ppo.openings import new_openings, read_openings
from zamek_agents.ppo.surroundings import new_board, read_board
from zamek_env.core.jit import kernel

Scene: TypeAlias = tuple[np.record, np.record, np.record, np.record]  # see `new_scene`


def new_scene(board_map: np.record) -> Scene:
    """Return room for a board, its fields, its openings, and what a tile would join."""
    return new_board(board_map), new_farms(board_map), new_openings(board_map), new_touch(board_map)


@kernel
def read_scene(board_map, planes, left, scene):
    """Find all that there is to be known about the board that the `planes` show."""
    board, farms, openings, _ = scene
    read_board(board_map, planes, board)
    read_openings(board_map, board, left, openings)
    if board_map.touches.size > 0:
        read_farms(board_map, board, farms)


@kernel
def foresee_scene(board_map, square, shown, scene):
    """Find what would change if a tile that shows the face `shown` lay on a `square`."""
    board, farms, openings, touch = scene
    write_touch(board_map, board, square, shown, touch)
    foresee_openings(board_map, board, square, shown, touch, openings)
    if board_map.touches.size > 0:
        foresee_farms(board_map, shown, touch, farms)
