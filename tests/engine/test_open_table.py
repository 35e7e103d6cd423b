"""The open table: numbers of cells that fold, and why no game mixes two of them up."""

from itertools import product

import numpy as np
import pytest

from tests.support.box import packaged_files, write_box
from tests.support.checking.consistency import check_consistency
from tests.support.games import few, play_randomly
from zamek_env import Game, load_components
from zamek_env.components.model import STEP
from zamek_env.components.open_table import OpenTable
from zamek_env.core.placement import find_cell, find_cell_code
from zamek_env.notation.position import find_faces, find_locations
from zamek_env.ruleset import get_ruleset

TABLES = [OpenTable(2, 1), OpenTable(5, 3), OpenTable(6, 3), OpenTable(48, 21), OpenTable(72, 25)]


def distance(first, second):
    """Return how many steps from side to side lead from one cell to another."""
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def cells_around(reach):
    return product(range(-reach, reach + 1), repeat=2)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_cells_with_one_number_are_farther_apart_than_any_game_reaches(table):
    twins = [cell for cell in cells_around(2 * table.tiles + 6) if table.find_number(cell) == table.find_number((0, 0))]
    assert len(twins) > 8  # it does fold
    nearest = min(distance((0, 0), cell) for cell in twins if cell != (0, 0))
    ends = table.tiles + 1  # from the empty cell before a line of all tiles to the empty cell after it
    assert nearest >= ends + 1
    assert nearest <= ends + 2  # and there is no more room than is needed


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_all_cells_fold_like_those_at_the_start_tile(table):
    for row, column in [(1, 0), (-3, 8), (40, -55)]:
        for cell in cells_around(6):
            same = table.find_number(cell) == table.find_number((0, 0))
            moved = (cell[0] + row, cell[1] + column)
            assert (table.find_number(moved) == table.find_number((row, column))) == same


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_number_names_the_cell_nearest_to_the_start_tile(table):
    borne = {number: cell for number, cell in enumerate(table.cells) if cell is not None}
    assert len(borne) == 2 * table.period**2
    for number, cell in borne.items():
        assert table.find_number(cell) == number
    for cell in cells_around(table.period + 3):
        assert distance((0, 0), borne[table.find_number(cell)]) <= distance((0, 0), cell)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_window_lies_around_the_start_tile_row_by_row(table):
    half = table.window // 2
    window = [(row, column) for row in range(-half, half + 1) for column in range(-half, half + 1)]
    assert list(table.cells[: table.window**2]) == window
    assert table.cells[table.window**2 : table.first_beyond] == (None,) * (table.first_beyond - table.window**2)
    assert None not in table.cells[table.first_beyond :] and table.first_beyond % 32 == 0


def test_neighbours_are_the_numbers_of_the_cells_beside():
    for ruleset in map(get_ruleset, ("carcassonne-demo", "carcassonne")):
        board, table = ruleset.components.board, ruleset.tables[0]
        for number, cell in enumerate(board.cells):
            if cell is None:
                assert (table.neighbor[number] == -1).all()
                continue
            beside = [(cell[0] + down, cell[1] + right) for down, right in STEP]
            assert table.neighbor[number].tolist() == [board.find_number(other) for other in beside]


def play_away(game, direction):
    """Play on, laying each tile as far in `direction` as it can be; yield the game before each decision."""
    cells = game.ruleset.components.board.cells
    table = game.ruleset.tables[0]
    while not game.is_terminal:
        yield game
        actions = game.legal_actions()
        if game.phase == "place":
            state = game.state[0]
            reached = {action: cells[find_cell(table, state, action // 4)] for action in actions}
            actions.sort(key=lambda action: np.dot(reached[action], direction))
        game.step(actions[-1])


@pytest.mark.parametrize("name", ["carcassonne-demo", "carcassonne"])
@pytest.mark.parametrize("direction", [(0, 1), (-1, -1), (2, -1)], ids=str)
def test_cells_beyond_the_window_have_spots_one_each(name, direction):
    beyond = 0
    for number, game in enumerate(play_away(Game(name, seed=3), direction)):
        state, table, board = game.state[0], game.ruleset.tables[0], game.ruleset.components.board
        empty = find_locations(game.ruleset, state).keys() - find_faces(state).keys()
        far = sorted(cell for cell in empty if cell >= board.first_beyond)
        codes = [find_cell_code(table, state, cell) for cell in far]
        assert codes == [board.window**2 + spot for spot in range(len(far))]
        assert [find_cell(table, state, code) for code in codes] == far
        assert find_cell(table, state, board.window**2 + len(far)) == -1
        assert len(far) <= board.num_spots and 4 * len(codes) <= game.ruleset.actions.send_base
        beyond = max(beyond, len(far))
        if number % few(4, 12) == 0:
            check_consistency(game)
    assert beyond > 10


@pytest.mark.compiles
def test_the_frontier_grows_by_two_cells_a_tile_at_most():
    """So there are spots enough even where all of it lies beyond the window."""
    for seed in range(5):
        for game in play_randomly(Game("carcassonne", seed=seed), seed):
            state = game.state[0]
            assert np.bitwise_count(state.frontier).sum() <= 4 + 2 * (np.count_nonzero(state.tile_location != -1) - 1)
    assert game.ruleset.components.board.num_spots == 4 + 2 * (71 - 1)


@pytest.mark.compiles
def test_a_window_of_one_cell_has_room_for_all_empty_cells_beyond_it(tmp_path):
    """After the last tile there are two more than actions can name."""
    rules = packaged_files()["carcassonne.json"] | {"copies": {"X": 4}, "table": {"start": "X", "window": 1}}
    components = load_components(write_box(tmp_path / "box", {"carcassonne.json": rules}))
    game = Game("carcassonne", 1, components)
    while not game.is_terminal:
        state, table, actions = game.state[0], game.ruleset.tables[0], game.legal_actions()
        if game.phase == "place":  # in a line eastward
            cells = find_locations(game.ruleset, state)
            reached = {action: cells[find_cell(table, state, action // 4)][1] for action in actions}
            actions.sort(key=reached.get)
        game.step(actions[-1])
        check_consistency(game)
    assert (game.state[0].spot_cell != -1).sum() == game.ruleset.sizes.spots + 2
