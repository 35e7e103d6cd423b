"""The packaged box: what is printed, and the tables made of it."""

from collections import Counter

import pytest

from zamek_env import load_components
from zamek_env.base.records import NONE
from zamek_env.compiler.bits import has_bit
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, STEP, facing_port, rotated_port
from zamek_env.ruleset import get_ruleset

# --- what is printed (rules Z1 to Z6) ---


@pytest.fixture(scope="module")
def components():
    return load_components()


@pytest.fixture(scope="module", params=[False, True], ids=["free", "halting"])
def expansion(request):
    """The expansion without or with halting gates; not named by a parameter, for nothing is played or compiled."""
    return load_components(ruleset="sokol-gates" if request.param else "sokol")


def faces_of(tile):
    """Return what the four rotations of a tile show: for each port the feature, which segment, and its marks."""
    faces = []
    for turns in range(NUM_ROTATIONS):
        segments = [tile.segment_at((port - 3 * turns) % NUM_PORTS) for port in range(NUM_PORTS)]
        seen = list(dict.fromkeys(segment.name for segment in segments if segment))
        faces.append(tuple(s and (s.feature, seen.index(s.name), s.marks) for s in segments))
    return faces


def test_the_sixty_tiles_differ_however_they_are_turned(components):
    assert len(components.tiles) == 60
    assert len({min(map(str, faces_of(tile))) for tile in components.tiles}) == 60
    assert len({tile.id for tile in components.tiles}) == 60


def test_the_wall_has_the_published_numbers(components):
    wall = components.board
    assert len(wall.cells) == 76
    assert len(wall.starts) == 7
    assert len(wall.track) == 100
    assert len(wall.towers) == 14
    assert len(wall.token_towers) == 13
    assert (56, 57) in wall.token_towers
    assert (0, 1) in wall.towers and (0, 1) not in wall.token_towers
    assert len(wall.cells) - len(components.tiles) == 16  # spaces that stay empty at least


def test_there_are_two_tokens_of_each_of_nine_kinds(components):
    assert [(token.kind, token.count) for token in components.tokens] == [(kind, 2) for kind in range(1, 10)]


def test_the_expansion_adds_eighteen_other_tiles(components, expansion):
    assert expansion.tiles[:60] == components.tiles
    assert len(expansion.tiles) == 78
    assert len({min(map(str, faces_of(tile))) for tile in expansion.tiles}) == 78
    nested = [segment.feature for tile in expansion.tiles for segment in tile.segments if segment.nests]
    assert Counter(nested) == {"chapel": 9, "pigsty": 1, "road": 1}


def test_the_expansion_widens_the_wall_at_its_gates(components, expansion):
    wall = expansion.board
    assert len(wall.cells) == 94
    assert wall.gates == ((27, 28), (47, 48), (69, 70), (91, 92))
    assert (wall.towers, wall.towerless, len(wall.track)) == (components.board.towers, components.board.towerless, 100)
    assert components.board.gates == ()
    starts = {start.id: start for start in wall.starts}
    assert [start.id for start in wall.starts[:7]] == [start.id for start in components.board.starts]
    assert {name: (starts[name].cell, starts[name].side) for name in ("gate 27", "gate 69")} == {
        "gate 27": ((1, 6), 0),
        "gate 69": ((10, 6), 2),
    }
    towards = {"gate 27": "m1 r1 m2", "gate 69": "h1 r1 p1"}
    for name, shown in towards.items():
        first = 3 * ((starts[name].side + 2) % 4)
        assert " ".join(starts[name].tile.segment_at(first + place).name for place in range(3)) == shown
    for before, after in wall.gates:  # the inserted line is as wide as one space, the gate in its middle
        (x1, y1), (x2, y2) = ((field.x, field.y) for field in (wall.track[before], wall.track[after]))
        assert abs(x1 - x2) + abs(y1 - y2) == 1.5


def test_start_spaces_and_track_lie_as_before_on_the_widened_wall(components, expansion):
    """Each start space and each field keeps its distance to the space beside it."""
    moved = [(old.cell, new.cell) for old, new in zip(components.board.starts, expansion.board.starts, strict=False)]
    for (row, column), new in moved:
        assert new == (row + (row >= 5), column + (column >= 6))
    for old, new in zip(components.board.track, expansion.board.track, strict=True):
        assert (new.x, new.y) == (old.x + (old.x >= 6), old.y + (old.y >= 5))


def test_what_the_expansion_brings_besides(components, expansion):
    assert expansion.tokens == components.tokens and expansion.features[:4] == components.features
    chapel = expansion.features[4]
    assert (chapel.name, chapel.letter, chapel.role) == ("chapel", "c", "preacher")
    assert chapel.size_points == (1, 3, 6, 10, 15, 21, 28, 36)
    assert (expansion.followers, expansion.nests, components.nests) == (6, 12, 0)
    assert [(piece.name, piece.factor, piece.nests) for piece in expansion.pieces] == [
        ("follower", 1, 0),
        ("prince", 2, 0),
        ("falconer", 1, 1),
    ]
    assert [piece.name for piece in components.pieces] == ["follower"]
    assert expansion.halting_gates == (expansion.name == "sokol-gates") and not components.halting_gates


def test_every_port_of_a_tile_shows_something_but_a_middle_without_road(expansion):
    for tile in expansion.tiles:
        for port in range(NUM_PORTS):
            segment = tile.segment_at(port)
            is_middle = port % 3 == 1
            assert (segment is not None) or is_middle
            assert segment is None or (segment.feature == "road") == is_middle


def test_only_the_inner_side_of_a_start_space_shows_something(expansion):
    for start in expansion.board.starts:
        ports = {port for segment in start.tile.segments for port in segment.ports}
        assert ports <= {facing_port(3 * start.side + place) for place in range(3)}
        assert len(ports) in (2, 3)


def test_facing_ports_face_each_other():
    for port in range(NUM_PORTS):
        assert facing_port(facing_port(port)) == port
        assert facing_port(port) // 3 == (port // 3 + 2) % 4
    assert facing_port(0) == 8  # a neighbour's ports run the other way round
    assert [rotated_port(11, turns) for turns in range(4)] == [11, 2, 5, 8]


# --- the tables ---


@pytest.fixture(scope="module")
def ruleset():
    return get_ruleset()


def turn_by_hand(sides):
    """Return four sides of three ports each, a quarter turn clockwise further: what was west is north."""
    return [sides[3], sides[0], sides[1], sides[2]]


def test_the_table_of_faces_is_every_tile_turned_by_hand(ruleset):
    table = ruleset.tables[0]
    for number, tile in enumerate(ruleset.components.tiles):
        sides = [[tile.segment_at(3 * side + place) for place in range(3)] for side in range(NUM_SIDES)]
        for rotation in range(NUM_ROTATIONS):
            face = number * NUM_ROTATIONS + rotation
            shown = [None if node == NONE else ruleset.segment_of_node(node) for node in table.face_node[face]]
            assert shown == [segment for side in sides for segment in side]
            assert [ruleset.components.edges[edge] for edge in table.face_edge[face]] == [
                "road" if side[1] else "plain" for side in sides
            ]
            assert {int(table.node_tile[node]) for node in table.face_node[face] if node != NONE} == {number}
            sides = turn_by_hand(sides)


def test_the_table_of_start_spaces_shows_them_as_they_lie(ruleset):
    table, sizes = ruleset.tables[0], ruleset.sizes
    for number, start in enumerate(ruleset.components.board.starts):
        nodes = table.face_node[(sizes.tiles + number) * NUM_ROTATIONS]
        shown = [None if node == NONE else ruleset.segment_of_node(node) for node in nodes]
        assert shown == [start.tile.segment_at(port) for port in range(NUM_PORTS)]
        assert ruleset.components.board.cells[table.start_cell[number]] == start.cell
        assert table.start_side[number] == start.side


def test_neighbours_are_mutual_and_lie_one_step_away(ruleset):
    table, cells = ruleset.tables[0], ruleset.components.board.cells
    for cell, (row, column) in enumerate(cells):
        assert table.cell_square[cell] == row * 10 + column
        for side, (down, right) in enumerate(STEP):
            beside = int(table.neighbor[cell, side])
            if 0 <= beside < len(cells):
                assert cells[beside] == (row + down, column + right)
                assert table.neighbor[beside, (side + 2) % 4] == cell
            else:
                assert (row + down, column + right) not in cells
    starts = table.neighbor[table.neighbor >= len(cells)]
    assert sorted(starts) == [len(cells) + number for number in range(7)]


def test_bit_sets_of_cells_hold_all_cells_and_those_at_start_spaces(ruleset):
    table, cells = ruleset.tables[0], ruleset.components.board.cells
    starts = {start.cell for start in ruleset.components.board.starts}
    bits = range(32 * ruleset.sizes.cell_words)
    assert [bit for bit in bits if has_bit(table.all_cells, bit)] == list(range(len(cells)))
    assert {cells[bit] for bit in bits if has_bit(table.start_bits, bit)} == starts


def test_nodes_are_numbered_once_and_those_that_complete_come_first(ruleset):
    table, sizes = ruleset.tables[0], ruleset.sizes
    assert sorted(node for node in table.tile_node.ravel() if node != NONE) == list(range(sizes.nodes))
    for node in range(sizes.nodes):
        assert table.tile_node[table.node_tile[node], table.node_segment[node]] == node
        segment = ruleset.segment_of_node(node)
        assert ruleset.components.features[table.node_feature[node]].name == segment.feature
        assert table.node_marks[node] == segment.marks
        assert (segment.feature != "meadow") == (node < sizes.completing_nodes)


def test_features_tokens_and_towers_stand_in_the_tables(ruleset):
    table, components = ruleset.tables[0], ruleset.components
    names = [feature.name for feature in components.features]
    assert dict(zip(names, table.feature_points.tolist(), strict=True)) == {
        "road": 1, "house": 1, "pigsty": 2, "meadow": 0,
    }  # fmt: skip
    assert dict(zip(names, table.feature_marked_points.tolist(), strict=True))["road"] == 2
    assert dict(zip(names, table.feature_mark_points.tolist(), strict=True)) == {
        "road": 0, "house": 0, "pigsty": 0, "meadow": 3,
    }  # fmt: skip
    assert [name for name in names if table.feature_family_house[names.index(name)]] == ["house"]
    assert Counter(table.token_pool.tolist()) == dict.fromkeys(range(1, 10), 2)
    assert table.extra_turn_token == 1
    assert {name: int(table.feature_token[names.index(name)]) for name in names} == {
        "road": 0, "house": 2, "pigsty": 3, "meadow": 0,
    }  # fmt: skip
    covered = {field: tower for tower, fields in enumerate(components.board.token_towers) for field in fields}
    assert table.field_tower.tolist() == [covered.get(field, NONE) for field in range(100)]


def test_the_tables_describe_themselves(ruleset):
    """Every field is as large as the sizes say, and no byte of the record is nameless."""
    dtype, sizes = ruleset.tables.dtype, ruleset.sizes
    assert ruleset.tables.shape == (1,)
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
    assert dtype["neighbor"].shape == (sizes.cells, 4) == (76, 4)
    assert dtype["face_node"].shape == (sizes.faces, 12) == (67 * 4, 12)
    assert dtype["tile_node"].shape == (67, sizes.segments)
    assert sizes.segments == max(len(tile.segments) for tile in ruleset.components.tiles)
    assert (sizes.locations, sizes.tile_words, sizes.cell_words) == (83, 3, 3)
    assert (sizes.tokens, sizes.kinds, sizes.towers, sizes.fields, sizes.followers) == (18, 9, 13, 100, 6)
    assert (sizes.pieces, sizes.nests, sizes.halting_fields) == (6, 0, 0)


def test_rulesets_of_the_same_sizes_share_their_dtypes():
    """numba finds a dtype that it knows at once. One that is equal it compares field by field, in every call."""
    farmers, none = get_ruleset("carcassonne"), get_ruleset("carcassonne-no-farmers")
    assert farmers.state_dtype is none.state_dtype
    assert farmers.tables.dtype is none.tables.dtype


def test_what_the_base_game_does_not_have_takes_no_room():
    base, sokol, gates = (get_ruleset(name) for name in ("zamek", "sokol", "sokol-gates"))
    assert base.state_dtype.itemsize == 4736
    for ruleset, nodes, players, halting in ((base, 0, 0, 0), (sokol, 336, 2, 0), (gates, 336, 2, 2)):
        assert ruleset.state_dtype["area_nests"].shape == (nodes,)
        assert ruleset.state_dtype["nests"].shape == (players,)
        assert ruleset.state_dtype["at_gate"].shape == (halting,)
        assert ruleset.tables.dtype["field_halts"].shape == (50 * halting,)


def test_the_tables_of_the_expansion_say_what_its_pieces_and_chapels_do():
    ruleset = get_ruleset("sokol-gates")
    table, components = ruleset.tables[0], ruleset.components
    assert (table.kind_factor.tolist(), table.kind_nests.tolist(), int(table.nests)) == ([1, 2, 1], [0, 0, 1], 12)
    assert table.feature_size_points.tolist() == [*([[NONE] * 8] * 4), [1, 3, 6, 10, 15, 21, 28, 36]]
    assert table.field_halts.nonzero()[0].tolist() == [27, 47, 69, 91]
    for node in range(ruleset.sizes.nodes):
        assert table.node_nests[node] == ruleset.segment_of_node(node).nests
    assert [components.features[number].name for number in range(5) if table.feature_completes[number]] == [
        "road", "house", "pigsty", "chapel",
    ]  # fmt: skip
