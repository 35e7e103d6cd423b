"""Pictures of an open table: true numbers of rows and columns, cities, roads, fields, monasteries, who stands where."""

import dataclasses
from collections import Counter

import numpy as np
import pytest

from tests.pictures import test_render as render
from tests.pictures.test_render import check_that_it_shows, check_tiles, read_block, read_groups
from zamek_env.components.house_rules import vary
from zamek_env.components.model import Segment, Tile
from zamek_env.load import load_components
from zamek_env.render import draw_rgb, draw_svg, draw_text
from zamek_env.render.faces import anchors_of, face_of
from zamek_env.render.open_table import LEAST
from zamek_env.render.palette import LOOKS
from zamek_env.render.panel import WIDTH as PANEL_WIDTH
from zamek_env.render.panel import panel_groups
from zamek_env.render.scene import compose
from zamek_env.render.shapes import Text
from zamek_env.render.tiles import find_gates, find_walls

BASE, DEMO = load_components(ruleset="carcassonne"), load_components(ruleset="carcassonne-demo")
TILES = {tile.id: tile for components in (BASE, DEMO) for tile in components.kinds}
COMPONENTS = dataclasses.replace(BASE, tiles=(*BASE.tiles, TILES["Y"], TILES["Z"]))  # all kinds of tiles there are
START = {(0, 0): ("D", 0)}


def make_position(board=None, **changes):
    """Return a position at the start of a game, but for `board` and `changes`."""
    start = {"tile": "V", "supplies": (7, 7), "towers": frozenset()}
    remaining = Counter(tile.id for tile in COMPONENTS.tiles)
    return render.make_position(START | (board or {}), **start | {"remaining": remaining} | changes)


FULL = make_position(
    {(-1, 0): ("H", 2), (0, -1): ("A", 1), (0, 1): ("L", 1), (1, 0): ("B", 3)},
    phase="send",
    tile="A",
    cell=(0, -1),
    followers=((0, (-1, 0), "c1", "follower"), (0, (0, 0), "f1", "follower"), (1, (1, 0), "k1", "follower")),
    scores=(4, 18),
)


# --- text ---


def test_text_shows_true_numbers_of_rows_and_columns():
    lines = draw_text(COMPONENTS, FULL).splitlines()
    assert lines[0].split() == ["-2", "-1", "0", "1", "2"]
    rows = [line.split()[0] for line in lines[:22] if line[:4].strip()]
    assert rows == ["-2", "-1", "0", "1", "2"]
    column = {number: lines[0].index(f" {number} ") for number in (0, 1)}
    (start,) = [line for line in lines if "D↑" in line]
    assert abs(start.index("D↑") - column[0]) < 4 and abs(start.index("L→") - column[1]) < 4


def test_text_shows_the_empty_cells_beside_tiles_and_no_others():
    for position, beside in ((make_position(), 4), (FULL, 8)):
        board = [line for line in draw_text(COMPONENTS, position).splitlines() if not line.startswith("  ┌")]
        assert sum(line.count("·") for line in board) == beside


@pytest.mark.parametrize(
    ("name", "rotation", "block"),
    [
        ("A", 0, ["fffff", "fkkkf", "ff║ff"]),
        ("A", 1, ["fffff", "══kff", "fffff"]),
        ("B", 2, ["fffff", "fkkkf", "fffff"]),
        ("E", 0, ["fcccf", "fffff", "fffff"]),
        ("F", 0, ["cfffc", "c▼ccc", "cfffc"]),
        ("W", 0, ["fffff", "══◎══", "ff║ff"]),
        ("Y", 0, ["fcccf", "ff╥ff", "ff║ff"]),
        ("Z", 0, ["fffff", "══k══", "fffff"]),
        ("Z", 1, ["ff║ff", "fkkkf", "ff║ff"]),
    ],
)
def test_text_shows_what_is_on_a_tile(name, rotation, block):
    text = draw_text(COMPONENTS, make_position({(1, 0): (name, rotation)}, tile=None))
    assert read_block(text, name + "↑→↓←"[rotation]) == block


@pytest.mark.parametrize("name", TILES)
@pytest.mark.parametrize("rotation", range(4))
def test_text_has_room_for_a_follower_on_every_segment(name, rotation):
    for segment in TILES[name].segments:
        board = {(0, -1): (name, rotation)}
        empty = draw_text(COMPONENTS, make_position(board, tile=None))
        standing = ((1, (0, -1), segment.name, "follower"),)
        taken = draw_text(COMPONENTS, make_position(board, tile=None, followers=standing))
        pairs = zip(empty.splitlines(), taken.splitlines(), strict=False)
        changed = [(old, new) for before, after in pairs for old, new in zip(before, after, strict=False) if old != new]
        assert "1" in [new for _, new in changed]
        assert f"followers {segment.name} at 0,-1" in taken


def test_text_tells_what_there_is_and_nothing_else():
    text = draw_text(COMPONENTS, FULL)
    assert "player 0: send   just placed: A   73 tiles left" in text
    assert "player 1   score 18   supply 7\n" in text
    assert "followers c1 at -1,0, f1 at 0,0" in text
    assert "left 2x A, 4x B, 1x C, 3x D" in text
    assert not [word for word in ("family", "token", "tower", "nest", "gate") if word in text]
    assert "2 out" in draw_text(COMPONENTS, make_position(discarded=Counter(C=1, X=1)))


# --- SVG ---


def test_svg_names_tiles_and_followers_by_their_true_cells():
    groups = read_groups(COMPONENTS, FULL)
    check_tiles(groups, FULL)
    followers = [(data["data-cell"], data["data-segment"]) for kind, data in groups if kind == "follower"]
    assert followers == [("-1,0", "c1"), ("0,0", "f1"), ("1,0", "k1")]


@pytest.mark.parametrize(
    ("board", "beside"),
    [({}, ["0,-1", "0,1"]), ({(0, 1): ("L", 1)}, ["0,-1"]), ({(0, 1): ("L", 1), (0, -1): ("A", 1)}, [])],
)
def test_no_cells_beyond_the_edge_of_the_table_are_shown(board, beside):
    narrow, position = vary(COMPONENTS, rules={"table": (1, 3)}), make_position(board)
    assert [data["data-cell"] for kind, data in read_groups(narrow, position) if kind == "space"] == beside
    assert draw_text(narrow, position).count("·") == len(beside)


def test_svg_shows_nothing_of_a_castle():
    kinds = {kind for kind, _ in read_groups(COMPONENTS, FULL)}
    panel = {"title", "player", "supply", "words", "next", "left"}
    assert kinds == {"space", "labels", "tile", "latest", "follower"} | panel


def test_svg_tells_how_many_of_each_tile_are_left():
    groups = read_groups(BASE, make_position(remaining=Counter(A=2, V=9)))
    left = {data["data-tile"]: int(data["data-count"]) for kind, data in groups if kind == "left"}
    assert left == {tile.id: {"A": 2, "V": 9}.get(tile.id, 0) for tile in BASE.kinds}


# --- pixels ---


@pytest.mark.parametrize(
    "changes",
    [
        {"board": FULL.board | {(-1, 0): ("H", 0), (1, 0): ("B", 1), (0, 1): ("L", 3)}},
        {"board": FULL.board | {(0, 2): ("C", 0)}},
        {"board": {cell: tile for cell, tile in FULL.board.items() if cell != (0, 1)}},
        {"followers": FULL.followers[:2]},
        {"followers": (*FULL.followers[:2], (0, (1, 0), "k1", "follower"))},
        {"followers": (*FULL.followers[:2], (1, (1, 0), "f1", "follower"))},
        {"scores": (5, 18)},
        {"supplies": (6, 7)},
        {"tile": None, "cell": None},
        {"player": 1},
        {"remaining": FULL.remaining - Counter(V=1)},
        {"discarded": Counter(C=1)},
    ],
    ids=str,
)
def test_every_visible_difference_shows(changes):
    check_that_it_shows(COMPONENTS, FULL, changes)


@pytest.mark.parametrize("reach", [(0, 0), (0, 3), (9, 0), (-40, 25), (71, 0)])
def test_all_pictures_of_a_table_have_one_shape(reach):
    """However far it reaches: frames of one game can be shown one after another."""
    board = {(row, 0): ("U", 1) for row in range(1, abs(reach[0]) + 1)} | {reach: ("D", 0)}
    pixels = draw_rgb(COMPONENTS, make_position(board), 200)
    assert pixels.shape == draw_rgb(COMPONENTS, make_position(), 200).shape
    scene = compose(COMPONENTS, make_position(board))
    assert scene.corner[0] < reach[1] and reach[0] + 1 < scene.corner[1] + scene.height


def test_there_is_room_for_some_cells_from_the_beginning():
    assert compose(COMPONENTS, make_position()).height > LEAST


@pytest.mark.parametrize("position", [make_position(), make_position(tile=None, phase="over"), FULL])
def test_drawing_is_repeatable(position):
    assert np.array_equal(draw_rgb(COMPONENTS, position, 90), draw_rgb(COMPONENTS, position, 90))
    assert draw_svg(COMPONENTS, position) == draw_svg(COMPONENTS, position)


def test_a_table_on_which_nothing_lies_draws():
    """No game is like that, but a position can be written by hand."""
    position = dataclasses.replace(make_position(tile=None), board={})
    assert draw_rgb(COMPONENTS, position, 60).shape[0] == 60


# --- what tiles show ---


def looks_of(tile):
    return {None: LOOKS["road"]} | {segment.name: LOOKS.get(segment.feature) for segment in tile.segments}


@pytest.mark.parametrize("name", TILES)
def test_walls_run_where_a_city_ends_and_nowhere_else(name):
    face = face_of(TILES[name])
    cities = [segment for segment in TILES[name].segments if segment.feature == "city"]
    walls = find_walls(face, looks_of(TILES[name]))
    ends = {"C": 0, "F": 2, "G": 2, "Y": 2}.get(name, len(cities))  # Y's meet at the gate
    assert len(walls) == ends


def test_roads_end_at_gates_monasteries_and_villages():
    ends = {name: find_gates(face_of(tile), find_walls(face_of(tile), looks_of(tile))) for name, tile in TILES.items()}
    assert {name: list(gates) for name, gates in ends.items() if gates} == {"S": ["r1"], "T": ["r1"], "Y": ["r1"]}
    faces = {name: face_of(tile) for name, tile in TILES.items()}
    assert {name for name in TILES if faces[name].building} == {"A", "B", "Z"}
    assert {name for name in TILES if faces[name].fountain} == {"L", "W", "X"}


def test_a_field_lies_between_two_cities_that_are_not_one():
    """I: the cities on neighbouring sides are two, so their walls do not meet."""
    face = face_of(TILES["I"])
    assert face.patches[0].name == "f1"
    assert len(face.patches) == 3


@pytest.mark.parametrize("name", TILES)
def test_every_segment_has_an_anchor_of_its_own_inside_the_tile(name):
    anchors = anchors_of(TILES[name])
    points = [anchors[segment.name][-1] for segment in TILES[name].segments]
    assert len(set(points)) == len(points)
    assert all(0 < x < 1 and 0 < y < 1 for x, y in points)
    shields = [anchors[segment.name] for segment in TILES[name].segments if segment.marks]
    assert all(len(points) == 2 and points[0] != points[1] for points in shields)


def test_a_building_without_a_look_of_its_own_draws():
    inn = Tile("inn", (Segment("f1", "field", (0, 2, 3, 5, 6, 8, 9, 11), 0), Segment("k1", "monastery", (), 0)))
    position = make_position({(1, 1): ("inn", 2)}, tile="inn", remaining=Counter(inn=1))
    components = dataclasses.replace(COMPONENTS, tiles=(inn, *COMPONENTS.tiles))
    assert 'data-tile="inn"' in draw_svg(components, position)


@pytest.mark.parametrize("name", ["V", "a tile with a name of its own, and a long one"])
def test_the_name_of_the_tile_fits_into_the_panel(name):
    tiles = tuple(dataclasses.replace(tile, id=name) if tile.id == "V" else tile for tile in COMPONENTS.tiles)
    components, position = dataclasses.replace(COMPONENTS, tiles=tiles), make_position(tile=name)
    (text,) = [
        shape
        for group in panel_groups(components, position, (0.0, 0.0), 1.0)
        for shape in group.shapes
        if isinstance(shape, Text) and shape.text.startswith("to place: ")
    ]
    width = 0.52 * text.size * len(text.text)  # of letters that are about half as wide as high
    assert text.at[0] + width < PANEL_WIDTH and (text.size == 0.25) == (name == "V")


@pytest.mark.parametrize("out", [0, 1, 48])
def test_the_name_of_the_game_ends_before_the_number_of_tiles_left(out):
    position = make_position(discarded=Counter(V=out))
    title, count = panel_groups(COMPONENTS, position, (0.0, 0.0), 1.0)[0].shapes
    widths = [share * text.size * len(text.text) for share, text in ((0.57, title), (0.44, count))]  # as drawn
    assert title.at[0] + sum(widths) + 0.1 < count.at[0] and (count.size == 0.24) == (out == 0)
