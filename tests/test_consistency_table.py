"""The rebuild of a state record on an open table: loud for every field that is corrupted."""

import numpy as np
import pytest

from tests.support.checking.consistency import check_consistency
from tests.support.checking.disagreement import ConsistencyError
from tests.support.games import IS_COMPILED, play_greedily, play_randomly
from tests.test_consistency import (
    find_position,
    first_cell,
    flip_bit,
    lay_a_tile_twice,
    lay_an_undrawn_tile,
    mark_the_last_area,
    send_to,
    send_to_the_same_segment,
    set_to,
)
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.state import find_tile, put_face, take_tile
from zamek_env.core.tables import NONE
from zamek_env.ruleset import get_ruleset

pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def on_table():
    """A position on an open table: farmers lie, a monk waits, a city is complete, and a field touches it."""

    def condition(s):
        ruleset = get_ruleset("carcassonne")
        standing = {ruleset.segment_of_node(node).feature for node in s.follower_node.ravel() if node != NONE}
        return s.phase == 0 and {"field", "monastery"} <= standing and s.score.any() and s.area_touched.any()

    return find_position(condition, ruleset="carcassonne")


@pytest.fixture(scope="module")
def monk_home():
    """A position on an open table without farmers, in which a monastery has just been completed.

    Uncompiled any area will do, for that is found sooner.
    """

    def condition(s):
        middle = get_ruleset("carcassonne-demo").tables[0].tile_middle
        completed = s.completed[s.completed != NONE]
        return s.phase == 1 and completed.size and (np.isin(completed, middle).any() or not IS_COMPILED)

    return find_position(condition, play_greedily if IS_COMPILED else play_randomly, "carcassonne-demo")


def lay_far_away(state):
    """Move a tile to where nothing is beside it."""
    tile = find_tile(state, first_cell(state, filled=True))
    take_tile(state, tile)
    put_face(state, 0, tile * NUM_ROTATIONS)


def turn_the_start_tile(state):
    state.tile_rotation[-1] = 1


def send_a_farmer(state):
    """Put a follower on a field of a game without farmers."""
    nodes = [node for node in range(state.area_tiles.shape[0], state.area.size) if state.area[node] != NONE]
    placed = get_ruleset("carcassonne-demo").tables[0].node_tile
    send_to(state, 0, next(node for node in nodes if placed[node] < state.deck.size))


def forget_a_neighbor(state):
    """Take a tile out of what a monastery counts, and leave it as open as it was."""
    middle = get_ruleset("carcassonne").tables[0].tile_middle
    node = next(node for node in middle if node != NONE and state.area[node] != NONE and state.open_ports[node] < 8)
    word = next(word for word in range(state.area_tiles.shape[1]) if state.area_tiles[node, word])
    state.area_tiles[node, word] &= state.area_tiles[node, word] - 1


def miscount_around_a_monastery(state):
    middle = get_ruleset("carcassonne").tables[0].tile_middle
    state.open_ports[next(node for node in middle if node != NONE and state.area[node] != NONE)] -= 1


def let_a_field_touch_another_city(state):
    row = next(row for row in range(len(state.area_touched)) if state.area_touched[row].any())
    state.area_touched[row, -1] ^= 1


def forget_what_fields_touch(state):
    state.area_touched[:] = 0


CORRUPTIONS = [  # position, field that the error names, corruption
    ("on_table", "area_touched", let_a_field_touch_another_city),
    ("on_table", "area_touched", forget_what_fields_touch),
    ("on_table", "area_tiles", forget_a_neighbor),
    ("on_table", "open_ports", miscount_around_a_monastery),
    ("on_table", "tile_location", lay_far_away),
    ("on_table", "tile_location", set_to("tile_location", NONE, -1)),  # the start tile
    ("on_table", "tile_rotation", turn_the_start_tile),
    ("on_table", "tile_at", set_to("tile_at", 0, 312)),  # the start tile, in the middle of a window of 25
    ("on_table", "tile_at", lay_a_tile_twice),
    ("on_table", "drawn", lay_an_undrawn_tile),
    ("on_table", "empty", flip_bit("empty", 0)),
    ("on_table", "empty", flip_bit("empty", -1)),
    ("on_table", "empty", set_to("empty", 0xFFFFFFFF, 19)),  # numbers between the window and the rest
    ("on_table", "frontier", flip_bit("frontier", 0)),
    ("on_table", "frontier", flip_bit("frontier", -1)),
    ("on_table", "spot_cell", set_to("spot_cell", 700, 0)),
    ("on_table", "forbidden", flip_bit("forbidden", (20, 2, 1))),
    ("on_table", "placements", flip_bit("placements", (-1, 3))),
    ("on_table", "reach", set_to("reach", 5)),
    ("on_table", "reach", set_to("reach", lambda s: s.frontier.size)),
    ("on_table", "phase", set_to("phase", 2)),
    ("on_table", "phase", set_to("phase", 3)),
    ("on_table", "score", set_to("score", 999, 0)),
    ("on_table", "cell", set_to("cell", 0)),
    ("on_table", "area_marks", mark_the_last_area),
    ("on_table", "follower_node", send_to_the_same_segment),
    ("on_table", "deck", set_to("deck", lambda s: s.deck[1], 0)),
    ("monk_home", "follower_node", send_a_farmer),
    ("monk_home", "completed", set_to("completed", lambda s: s.completed[0], -1)),
    ("monk_home", "area_touched", set_to("area_touched", 0)),
    ("on_table", "closed", set_to("closed", 0)),
]
SAME_EVERYWHERE = {  # checked there as with a wall
    "area", "follower_area", "area_followers", "to_score", "player", "scorer", "tokens", "fresh_tokens", "padding",
}  # fmt: skip


@pytest.mark.parametrize(
    "position, field, corrupt", CORRUPTIONS, ids=[f"{at}-{field}-{n}" for n, (at, field, _) in enumerate(CORRUPTIONS)]
)
def test_a_corrupted_field_is_named(position, field, corrupt, request):
    game = request.getfixturevalue(position).copy()
    check_consistency(game)
    corrupt(game.raw_states[0])
    with pytest.raises(ConsistencyError, match=rf"^{field}\b"):
        check_consistency(game)


def test_every_field_of_the_record_of_an_open_table_that_is_not_empty_is_corrupted_there(on_table):
    state = on_table.state[0]
    corrupted = {field for _, field, _ in CORRUPTIONS}
    assert {name for name in state.dtype.names if state[name].size} - corrupted <= SAME_EVERYWHERE
