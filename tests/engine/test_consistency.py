"""The rebuild of a state record: silent for every position of a game, loud for every field that is corrupted."""

import numpy as np
import pytest

from tests.support.box import load_box
from tests.support.checking.consistency import check_consistency
from tests.support.checking.disagreement import ConsistencyError
from tests.support.games import IS_COMPILED, TABLES, few, play_greedily, play_randomly
from tests.support.rulesets import skip_unless_played
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.components.box_folder import RULESETS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.state import find_tile, put_face
from zamek_env.ruleset import get_ruleset


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(
    ("play", "seed"),
    [*((play_randomly, seed) for seed in range(few(6, 1))), *((play_greedily, seed) for seed in range(few(4, 0)))],
)
def test_games_are_consistent_at_every_decision(play, seed, ruleset):
    for game in play(Game(ruleset, seed=seed), seed):
        check_consistency(game)


@pytest.mark.compiles
def test_games_on_a_small_box_are_consistent_at_every_decision(tmp_path):
    components = load_box(tmp_path)
    for seed in range(few(20, 10)):
        for game in play_randomly(Game(components=components, seed=seed), seed):
            check_consistency(game)


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", TABLES)
def test_games_of_any_table_are_consistent(players, rules):
    rng = np.random.default_rng(1)
    for number, game in enumerate(play_randomly(Game("carcassonne-demo", 3, None, players, rules), 3)):
        if number % few(1, 4) == 0 or game.phase == "choose" or game.is_terminal:
            check_consistency(game)
            if number % few(2, 8) == 0:
                check_consistency(game.concealed(rng, number % players))


@pytest.mark.compiles
@pytest.mark.parametrize(
    "field, value, rules",
    [
        ("held", 1, {"draw_ahead": True}),
        ("hand", NONE, {"draw_ahead": True}),
        ("hand", NONE, {"hand": "hidden"}),
        ("hides_hands", 1, {"hand": "hidden"}),
        ("bag", 0, {"back_into_bag": True}),
        ("deck", 47, {"start_in_bag": True}),
        ("player", 3, {"table": [5, 5]}),
        ("to_score", 0, None),
    ],
)
def test_what_house_rules_add_to_a_record_is_checked(field, value, rules):
    game = Game("carcassonne-demo", 3, None, 3, rules)
    check_consistency(game)
    game.raw_states[0][field] = value
    named = "drawn|deck|tile_location" if field == "deck" else f"{field}|held"
    with pytest.raises(ConsistencyError, match=f"^{named}"):
        check_consistency(game)


# --- corrupted records ---


def find_position(condition, play=play_randomly, ruleset="zamek"):
    """Return a copy of the first position, in game after game, that meets `condition(state)`."""
    for seed in range(1000):
        for game in play(Game(ruleset, seed=seed), seed):
            if condition(game.state[0]):
                return game.copy()
    raise AssertionError("no such position was found")


@pytest.fixture(scope="module")
def to_place():
    """A position of the middle of a game: a tile is to be placed, followers stand, a house and a token are owned."""

    def condition(s):
        standing = (s.follower_node != NONE).sum(axis=1).min() >= 2
        return s.phase == 0 and 20 < s.drawn < 50 and standing and s.family_house.any() and s.tokens.any()

    return find_position(condition)


@pytest.fixture(scope="module")
def to_send():
    """A position in which the tile just placed completed an area, and a follower may be sent."""
    return find_position(lambda s: s.phase == 1 and s.completed[0] != NONE)


@pytest.fixture(scope="module")
def to_score():
    """A position in which the active player chooses between two areas to score."""
    return find_position(lambda s: s.phase == 2 and (s.to_score[s.scorer] != NONE).sum() > 1)


@pytest.fixture(scope="module")
def over():
    """The end of a game."""
    return find_position(lambda s: s.phase == 4)


@pytest.fixture(scope="module")
def at_gate():
    """A position in which a marker stands on a gate, special pieces stand in the castle, and nests were taken."""

    def condition(s):
        return s.phase == 0 and s.at_gate.any() and s.nests.any() and (s.follower_node[:, 6:] != NONE).all()

    skip_unless_played("sokol-gates")
    return find_position(condition, play_greedily if IS_COMPILED else play_randomly, "sokol-gates")


def set_to(field, value, spot=None):
    """Return a corruption that writes `value`, or what it returns for the state, into `field`, at the index `spot`."""

    def corrupt(state):
        written = value(state) if callable(value) else value
        assert np.any((state[field] if spot is None else state[field][spot]) != written)
        if spot is None:
            state[field] = written
        else:
            state[field][spot] = written

    return corrupt


def flip_bit(field, spot):
    """Return a corruption that flips the lowest bit of the word at `spot`."""

    def corrupt(state):
        state[field][spot] ^= 1

    return corrupt


def first_cell(state, filled, after=NONE):
    """Return the first cell, after another, that is `filled`, or empty."""
    return next(cell for cell, tile in enumerate(state.tile_at) if (tile != 0) == filled and cell > after)


def lay_the_tile_to_place(state):
    put_face(state, first_cell(state, filled=False), int(state.deck[state.drawn - 1]) * NUM_ROTATIONS)


def lay_a_tile_twice(state):
    state.tile_at[first_cell(state, filled=False)] = state.tile_at[first_cell(state, filled=True)]


def lay_two_tiles_on_one_cell(state):
    lying = np.flatnonzero(state.tile_location != NONE)
    state.tile_location[lying[0]] = state.tile_location[lying[1]]


def lay_an_undrawn_tile(state):
    put_face(state, first_cell(state, filled=False), int(state.deck[-1]) * NUM_ROTATIONS)


def turn_an_undrawn_tile(state):
    state.tile_rotation[state.deck[-1]] = 1


def swap_supporters(state):
    """Give each player's followers to the other, so that completed areas would be scored by the other."""
    state.follower_node[:] = state.follower_node[::-1].copy()
    state.follower_area[:] = state.follower_area[::-1].copy()
    state.area_followers[:] = state.area_followers[:, ::-1].copy()


def send_to(state, player, node):
    """Put the first follower of `player` on a segment."""
    state.follower_node[player, 0] = node
    state.follower_area[player, 0] = state.area[node]


def send_to_the_same_segment(state):
    send_to(state, 1, state.follower_node[0][state.follower_node[0] != NONE][0])


def stand_in_a_complete_area(state):
    complete = np.flatnonzero((state.open_ports == 0) & (state.area == np.arange(state.area.size)))
    send_to(state, 0, next(node for node in complete if node < len(state.area_tiles)))


def stand_on_a_start_space(state):
    assert state.tile_at[-1] != 0
    nodes = [node for node in range(state.area.size) if state.area[node] != NONE]
    send_to(state, 0, nodes[-1])  # the nodes of start spaces stand last among those of meadows


def mark_the_last_area(state):
    state.area_marks[state.area.max()] = 99


def open_the_last_area(state):
    state.open_ports[state.area.max()] = 99


def rename_the_last_area(state):
    state.area[state.area == state.area.max()] += 1


ON_A_WALL = [  # position, field that the error names, corruption
    ("to_place", "area_tiles", flip_bit("area_tiles", (0, 0))),
    ("to_place", "area_tiles", flip_bit("area_tiles", (-1, -1))),
    ("to_place", "forbidden", flip_bit("forbidden", (0, 0, 0))),
    ("to_place", "forbidden", set_to("forbidden", lambda s: s.empty, (slice(None), 1, 1))),
    ("to_place", "placements", flip_bit("placements", (0, 0))),
    ("to_send", "placements", flip_bit("placements", (-1, 3))),
    ("to_place", "frontier", flip_bit("frontier", 0)),
    ("to_place", "empty", flip_bit("empty", 0)),
    ("to_place", "empty", set_to("empty", 0xFFFFFFFF, -1)),  # bits beyond the last cell
    ("to_place", "area", rename_the_last_area),
    ("to_place", "area", set_to("area", lambda s: s.area[::-1].copy())),
    ("to_place", "open_ports", open_the_last_area),
    ("to_place", "open_ports", set_to("open_ports", 1, -1)),
    ("over", "area_marks", mark_the_last_area),
    ("to_place", "tile_at", lay_a_tile_twice),
    ("to_place", "tile_at", set_to("tile_at", 0, -1)),  # a start space
    ("to_place", "tile_at", set_to("tile_at", 99, 0)),
    ("to_place", "tile_location", lay_two_tiles_on_one_cell),
    ("to_place", "tile_location", set_to("tile_location", NONE, -1)),  # a start space
    ("to_place", "tile_location", set_to("tile_location", 999, 0)),
    ("to_place", "tile_location", set_to("tile_location", -2, 0)),
    ("to_place", "tile_rotation", turn_an_undrawn_tile),
    ("to_place", "tile_rotation", set_to("tile_rotation", 1, -1)),  # a start space
    ("to_place", "tile_rotation", set_to("tile_rotation", NUM_ROTATIONS)),
    ("to_place", "drawn", lay_an_undrawn_tile),
    ("to_place", "phase", lay_the_tile_to_place),
    ("to_place", "follower_node", set_to("follower_node", -2, (0, 0))),
    ("to_place", "follower_node", set_to("follower_node", 999, (1, 2))),
    ("to_place", "follower_area", set_to("follower_area", 999, (1, 2))),
    ("to_place", "follower_area", set_to("follower_area", -1, (0, 0))),
    ("to_place", "area_followers", set_to("area_followers", 7, (0, 1))),
    ("to_place", "area_followers", set_to("area_followers", 0)),
    ("to_place", "follower_node", send_to_the_same_segment),
    ("to_place", "follower_node", stand_in_a_complete_area),
    ("to_place", "follower_node", stand_on_a_start_space),
    ("to_place", "completed", set_to("completed", 0, 0)),
    ("to_send", "completed", set_to("completed", NONE, 0)),
    ("to_send", "completed", set_to("completed", lambda s: s.completed[0], -1)),
    ("to_place", "to_score", set_to("to_score", 0, (0, 0))),
    ("to_score", "to_score", set_to("to_score", NONE)),
    ("to_score", "to_score", swap_supporters),
    ("to_score", "scorer", set_to("scorer", lambda s: 1 - s.scorer)),
    ("to_place", "score", set_to("score", -1, 0)),
    ("to_place", "score", set_to("score", 999, 1)),
    ("to_place", "family_house", set_to("family_house", 57, 0)),
    ("to_place", "family_house", set_to("family_house", -1, 1)),
    ("to_place", "deck", set_to("deck", lambda s: s.deck[1], 0)),
    ("to_place", "drawn", set_to("drawn", 0)),
    ("to_place", "drawn", set_to("drawn", 61)),
    ("to_place", "drawn", set_to("drawn", 5)),
    ("over", "drawn", set_to("drawn", 59)),
    ("to_place", "cell", set_to("cell", 0)),
    ("to_send", "cell", set_to("cell", NONE)),
    ("to_place", "tokens", set_to("tokens", 3, (0, 6))),
    ("to_place", "tokens", set_to("tokens", 1, (0, 0))),
    ("to_place", "fresh_tokens", set_to("fresh_tokens", lambda s: s.tokens)),
    ("to_score", "tokens", set_to("fresh_tokens", 9, (1, 4))),
    ("to_place", "token_deal", set_to("token_deal", lambda s: s.token_deal[0] % 9 + 1, 0)),
    ("to_place", "token_deal", set_to("token_deal", 0, -1)),
    ("to_place", "tower_taken", set_to("tower_taken", 2, 0)),
    ("to_place", "tokens", set_to("tower_taken", 0)),
    ("to_place", "phase", set_to("phase", 5)),
    ("to_place", "phase", set_to("phase", 1)),
    ("to_place", "drawn", set_to("phase", 4)),
    ("to_send", "phase", set_to("phase", 0)),
    ("to_send", "phase", set_to("phase", 2)),
    ("to_place", "player", set_to("player", 2)),
    ("to_place", "scorer", set_to("scorer", 2)),
    ("to_place", "scorer", set_to("player", lambda s: 1 - s.player)),
    ("to_place", "padding", set_to("padding", 1, 0)),
    ("at_gate", "area_nests", set_to("area_nests", lambda s: s.area_nests + 1)),
    ("at_gate", "area_nests", set_to("area_nests", lambda s: s.area_nests[np.argmax(s.area_nests)] + 1, 0)),
    ("at_gate", "nests", set_to("nests", 13, 1)),
    ("at_gate", "nests", set_to("nests", 7)),
    ("at_gate", "at_gate", set_to("at_gate", 2, 0)),
    ("at_gate", "at_gate", set_to("score", 1)),
    ("at_gate", "follower_area", set_to("follower_area", NONE, (0, 6))),
    ("at_gate", "follower_node", set_to("follower_node", 999, (1, 7))),
]


def test_every_field_of_the_record_is_corrupted_by_some_test(to_place):
    state = to_place.state[0]
    assert {field for _, field, _ in ON_A_WALL} >= {name for name in state.dtype.names if state[name].size}


def test_a_turned_tile_is_found_where_it_does_not_meet_its_neighbours(to_place):
    """Sometimes it meets them as well; then the areas differ."""
    named = set()
    for tile in np.flatnonzero(to_place.state[0].tile_location[: to_place.ruleset.sizes.tiles] != NONE):
        for turns in range(1, NUM_ROTATIONS):
            game = to_place.copy()
            rotations = game.raw_states[0].tile_rotation
            rotations[tile] = (rotations[tile] + turns) % NUM_ROTATIONS
            try:
                check_consistency(game)
            except ConsistencyError as error:
                named.add(str(error).split("[")[0])
    assert {"tile_rotation", "area", "open_ports"} <= named


def test_the_marker_rests_on_no_tower_with_a_token(to_place):
    game = to_place.copy()
    state, table = game.raw_states[0], game.ruleset.tables[0]
    full = [field for field, tower in enumerate(table.field_tower) if tower != NONE and not state.tower_taken[tower]]
    state.score[:] = full[0], 0
    with pytest.raises(ConsistencyError, match=r"^tower_taken\[\d+\] is 0, but player 0's marker rests there"):
        check_consistency(game)


def test_the_error_says_where_what_and_what_it_should_be(to_place):
    game = to_place.copy()
    game.raw_states[0].open_ports[3] += 5
    got = game.raw_states[0].open_ports[3]
    said = rf"^open_ports\[3\] is {got}, but rebuilt from the board it is {got - 5}$"
    with pytest.raises(ConsistencyError, match=said):
        check_consistency(game)


# --- records of an open table ---


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
    state.tile_at[state.tile_location[tile]] = 0
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


ON_A_TABLE = [  # position, field that the error names, corruption
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
CORRUPTIONS = [
    *(pytest.param(*each, id=f"{each[0]}-{each[1]}-{n}") for n, each in enumerate(ON_A_WALL)),
    *(
        pytest.param(*each, id=f"{each[0]}-{each[1]}-{n}", marks=pytest.mark.compiles)
        for n, each in enumerate(ON_A_TABLE)
    ),
]


@pytest.mark.parametrize(("position", "field", "corrupt"), CORRUPTIONS)
def test_a_corrupted_field_is_named(position, field, corrupt, request):
    game = request.getfixturevalue(position).copy()
    check_consistency(game)
    corrupt(game.raw_states[0])
    with pytest.raises(ConsistencyError, match=rf"^{field}\b"):
        check_consistency(game)


SAME_EVERYWHERE = {  # checked there as with a wall
    "area", "follower_area", "area_followers", "to_score", "player", "scorer", "tokens", "fresh_tokens", "padding",
}  # fmt: skip


@pytest.mark.compiles
def test_every_field_of_an_open_table_is_corrupted(on_table):
    state = on_table.state[0]
    corrupted = {field for _, field, _ in ON_A_TABLE}
    assert {name for name in state.dtype.names if state[name].size} - corrupted <= SAME_EVERYWHERE
