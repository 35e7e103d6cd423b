"""Numbers of cells and true cells: a game may reach far over the open table, where several cells share a number."""

import re
from contextlib import suppress

import numpy as np
import pytest

from tests.support.checking.board import Board
from tests.support.checking.consistency import check_consistency
from tests.support.games import few, play_randomly
from zamek_env import Game, IllegalActionError, RecordError
from zamek_env.components.model import NUM_ROTATIONS, STEP, opposite_side
from zamek_env.core.placement import find_cell_code
from zamek_env.core.tabulation import edge_of_side
from zamek_env.notation.position import find_locations, find_number, find_tiles, name_location
from zamek_env.render import draw_svg, draw_text
from zamek_env.ruleset import get_ruleset

pytestmark = pytest.mark.compiles

NORTH, EAST, SOUTH, WEST = range(4)


# --- inside a wall ---


def test_locations_inside_a_wall_are_its_spaces_and_start_spaces():
    game = Game(seed=1)
    board = game.ruleset.components.board
    locations = find_locations(game.ruleset, game.state[0])
    assert list(locations.values()) == [*board.cells, *(start.id for start in board.starts)]
    assert find_number(game.ruleset, game.state[0], board.cells[5]) == 5
    assert find_number(game.ruleset, game.state[0], (0, 0)) is None
    assert set(find_tiles(game.ruleset, game.state[0]).values()) == {start.id for start in board.starts}


# --- on an open table ---


@pytest.mark.parametrize("seed", range(few(5, 1)))
def test_locations_on_a_table_are_its_tiles_and_the_cells_beside_them(seed):
    for game in play_randomly(Game("carcassonne", seed=seed), seed):
        state, ruleset = game.state[0], game.ruleset
        locations = find_locations(ruleset, state)
        tiles = set(game.position().board)
        assert set(locations.values()) == tiles | {(r + down, c + right) for r, c in tiles for down, right in STEP}
        assert all(ruleset.components.board.find_number(cell) == number for number, cell in locations.items())
        assert set(locations) == {*Board(ruleset, state).locations, *Board(ruleset, state).frontier}
        assert set(find_tiles(ruleset, state).values()) == tiles


def find_line(ruleset, side):
    """Return [(tile number, rotation)] of a long straight line of tiles from the start tile towards `side`."""
    components, steps = ruleset.components, []
    left = list(range(len(components.tiles)))
    shown = edge_of_side(components, components.start_tile, side)

    def edge(tile, rotation, at):
        return edge_of_side(components, components.tiles[tile], (at - rotation) % 4)

    while True:
        fitting = [
            (tile, rotation)
            for tile in left
            for rotation in range(NUM_ROTATIONS)
            if edge(tile, rotation, opposite_side(side)) == shown
        ]
        if not fitting:
            return steps
        exits = {choice: edge(*choice, side) for choice in fitting}
        supply = [edge(tile, 0, at) for tile in left for at in range(4)]
        steps.append(max(fitting, key=lambda choice: supply.count(exits[choice])))
        shown = exits[steps[-1]]
        left.remove(steps[-1][0])


def lay(game, cell, rotation):
    """Lay the drawn tile on a cell, and send nobody."""
    number = find_number(game.ruleset, game.state[0], cell)
    cell_code = int(find_cell_code(game.ruleset.tables[0], game.state[0], number))
    action = game.ruleset.actions.place(cell_code, rotation)
    described = game.describe(action)
    assert described.startswith(f"place {game.position().tile} on {cell}, ")
    game.step(action)
    if game.phase == "send":
        assert game.position().cell == cell
        game.step(game.ruleset.actions.send(None))


@pytest.fixture(scope="module", params=[NORTH, EAST, SOUTH, WEST][: few(4, 1)])
def line(request):
    """A game in which more than forty tiles lie in one line, the cells in their order, and the direction."""
    ruleset, side = get_ruleset("carcassonne"), request.param
    steps = find_line(ruleset, side)
    deck = [tile for tile, _ in steps]
    game = Game.from_deal(ruleset, deck + [tile for tile in range(ruleset.sizes.tiles) if tile not in deck], [])
    cells = [tuple(part * (number + 1) for part in STEP[side]) for number in range(len(steps))]
    for number, ((_, rotation), cell) in enumerate(zip(steps, cells, strict=True)):
        lay(game, cell, rotation)
        if number % few(5, 20) == 0:
            check_consistency(game)
    assert len(cells) > 40
    return game, cells, steps


def test_tiles_of_a_long_line_lie_where_they_were_laid(line):
    game, cells, steps = line
    tiles = game.ruleset.components.tiles
    laid = {cell: (tiles[tile].id, rotation) for cell, (tile, rotation) in zip(cells, steps, strict=True)}
    assert game.position().board == {(0, 0): ("D", 0)} | laid
    assert len(set(find_locations(game.ruleset, game.state[0]).values())) == 3 * len(cells) + 5


def test_numbers_fold_in_a_long_line(line):
    """The test of the others: the line leaves the cells that are the nearest with their numbers."""
    game, cells, _ = line
    board = game.ruleset.components.board
    nearest = [board.cells[board.find_number(cell)] for cell in cells]
    assert nearest[:30] == cells[:30] and nearest[-1] != cells[-1]
    assert name_location(game.ruleset, game.state[0], board.find_number(cells[-1])) == cells[-1]


def test_a_long_line_is_recorded_and_replayed(line):
    game, cells, _ = line
    record = game.record()
    assert [tuple(turn["cell"]) for turn in record["turns"]][: len(cells)] == cells
    twin = Game.replay(record)
    assert twin.position() == game.position() and twin.areas() == game.areas()


def test_a_record_names_the_true_cell_and_not_another_with_its_number(line):
    game, cells, _ = line
    record, board = game.record(), game.ruleset.components.board
    del record["actions"]  # the cells alone tell what was played
    far = record["turns"][len(cells) - 1]
    far["cell"] = list(board.cells[board.find_number(cells[-1])])
    with pytest.raises(RecordError, match=rf"^turns\[{len(cells) - 1}\], cell: .* is no cell beside a tile"):
        Game.replay(record)


def test_what_lies_far_out_is_drawn(line):
    game, cells, _ = line
    svg, text = draw_svg(game.ruleset.components, game.position()), draw_text(game.ruleset.components, game.position())
    assert f'data-cell="{cells[-1][0]},{cells[-1][1]}"' in svg
    assert re.search(rf"(^|\s){cells[-1][0] or cells[-1][1]}(\s|$)", text)


def test_every_placement_far_out_is_legal_or_refused_with_a_true_cell(line):
    """Also beyond the window every action is described by the cell that it means, each by another."""
    game, _, _ = line
    if game.is_terminal:
        return
    actions, seen = game.ruleset.actions, {}
    mask = game.legal_action_mask()
    locations = set(find_locations(game.ruleset, game.state[0]).values())
    beyond = game.ruleset.sizes.window_cells
    for action in range(beyond * NUM_ROTATIONS, actions.send_base):
        if mask[action]:
            words = game.describe(action)
        else:
            with pytest.raises(IllegalActionError) as raised:
                game.step(action)
            words = str(raised.value)
        cell = re.search(r" on \((-?\d+), (-?\d+)\)", words)
        assert cell or re.search(
            r"it names spot \d+ beyond the window, where \d+ empty cells touch a tile \(C1\)", words
        )
        if cell:
            seen.setdefault(actions.parse_place(action)[0], set()).add(tuple(map(int, cell.groups())))
    assert seen and all(len(cells) == 1 and cells <= locations for cells in seen.values())
    assert len({cell for cells in seen.values() for cell in cells}) == len(seen)


@pytest.mark.long
def test_what_lies_far_out_is_written_and_read_back_in_notation(line):
    game, cells, _ = line
    place = f"@{cells[-1][0]},{cells[-1][1]}"
    assert place in game.format_position()
    twin = Game.parse_position(game.format_position(), game.ruleset.components, seed=1)
    assert twin.format_position() == game.format_position() and twin.legal_actions() == game.legal_actions()
    meant = {}
    for action in range(0, game.ruleset.actions.send_base, 3):
        with suppress(ValueError):
            meant[action] = game.format_action(action)
    assert [game.parse_action(text) for text in meant.values()] == list(meant)
    assert len(set(meant.values())) == len(meant) > game.ruleset.sizes.window_cells


def test_a_number_that_no_tile_is_near_is_named_by_the_nearest_cell():
    game = Game("carcassonne-demo", seed=1)
    board = game.ruleset.components.board
    for number in np.flatnonzero([cell is not None for cell in board.cells])[::37]:
        assert name_location(game.ruleset, game.state[0], int(number)) == board.cells[number]
    assert find_number(game.ruleset, game.state[0], (5, 5)) is None
    assert find_number(game.ruleset, game.state[0], (10**12, -(10**12))) is None
