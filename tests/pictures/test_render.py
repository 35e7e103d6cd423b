"""Pictures of positions laid by hand: what lies on the table must be where it lies, in text, SVG and pixels."""

import dataclasses
import gc
import tracemalloc
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.components.model import Feature, Field, Segment, Tile, Wall
from zamek_env.load import load_components
from zamek_env.notation.position import Position
from zamek_env.render import draw_rgb, draw_svg, draw_text
from zamek_env.render.faces import face_of, owners_of, turned
from zamek_env.render.scene import compose

COMPONENTS = load_components()
TILES = {tile.id: tile for tile in COMPONENTS.tiles}
CELLS = COMPONENTS.board.cells
TILE_LINES, TILE_COLUMNS = 4, 6  # of the text from one space to the next


def make_position(board=None, **changes):
    """Return a position at the start of a game, but for `board` and `changes`."""
    start = Position(
        player=0,
        phase="place",
        tile="Z23",
        cell=None,
        board=board or {},
        followers=(),
        scores=(0, 0),
        supplies=(6, 6),
        family_houses=(0, 0),
        tokens=({}, {}),
        fresh_tokens=({}, {}),
        towers=frozenset(first for first, _ in COMPONENTS.board.token_towers),
        remaining=Counter(list(TILES)),
        discarded=Counter(),
    )
    return dataclasses.replace(start, **changes)


def fill_castle(turn=0):
    """Return a board with every tile, in order, each turned differently."""
    return {cell: (name, (number + turn) % 4) for number, (cell, name) in enumerate(zip(CELLS, TILES, strict=False))}


FULL = make_position(
    fill_castle(),
    phase="send",
    tile="Z01",
    cell=(0, 1),
    followers=((0, (0, 2), "m1", "follower"), (1, (0, 1), "h1", "follower")),
    scores=(17, 117),
    tokens=({1: 2}, {}),
    fresh_tokens=({}, {6: 1}),
)


def find_label(text, label):
    """Return (line, column) of a label that stands once in the castle."""
    found = [(number, line.index(label)) for number, line in enumerate(text.splitlines()) if label in line]
    assert len(found) == 1, f"{label} found at {found}"
    return found[0]


def read_block(text, label):
    """Return the 3 x 5 characters under a tile's label."""
    line, column = find_label(text, label)
    return [row[column : column + 5].ljust(5) for row in text.splitlines()[line + 1 : line + 4]]


def read_groups(components, position):
    """Return (class, data attributes) of every group of the SVG."""
    root = ET.fromstring(draw_svg(components, position))
    return [(element.get("class"), element.attrib) for element in root.iter("{http://www.w3.org/2000/svg}g")]


def check_tiles(groups, position):
    """Check that all tiles of a position lie where they lie in it, and turned so."""
    tiles = {data["data-cell"]: (data["data-tile"], data["data-rotation"]) for kind, data in groups if kind == "tile"}
    assert tiles == {f"{row},{column}": (name, str(turn)) for (row, column), (name, turn) in position.board.items()}


# --- text ---


def test_text_shows_every_tile_in_its_space_and_turned_as_it_lies():
    text = draw_text(COMPONENTS, FULL)
    origin = find_label(text, "Z01↑")
    for (row, column), (name, rotation) in FULL.board.items():
        line, start = find_label(text, name + "↑→↓←"[rotation])
        assert line - origin[0] == TILE_LINES * row
        assert start - origin[1] == TILE_COLUMNS * (column - 1)


@pytest.mark.parametrize(
    ("rotation", "block"),
    [
        (0, ["hh║mm", "hh║mm", "hm║hm"]),
        (1, ["mhhhh", "═════", "hmmmm"]),
        (2, ["mh║mh", "mm║hh", "mm║hh"]),
        (3, ["mmmmh", "═════", "hhhhm"]),
    ],
)
def test_text_turns_a_tile_clockwise(rotation, block):
    """Z23: house and meadow beside a road from north to south, at its south a second meadow and a second house."""
    text = draw_text(COMPONENTS, make_position({(4, 4): ("Z23", rotation)}))
    assert read_block(text, "Z23" + "↑→↓←"[rotation]) == block


def test_text_shows_fountains_stocks_shrines_and_dead_ends():
    board = {(4, 4): ("Z58", 0), (4, 6): ("Z57", 0), (6, 4): ("Z28", 0), (6, 6): ("Z14", 0)}
    text = draw_text(COMPONENTS, make_position(board, tile=None))
    assert [read_block(text, name)[1] for name in ("Z58↑", "Z57↑", "Z28↑", "Z14↑")] == [
        "══◎══",
        "══╬══",
        "mm╚#═",
        "hh╨hh",
    ]
    assert "+" in "".join(read_block(text, "Z58↑"))


@pytest.mark.parametrize("name", TILES)
@pytest.mark.parametrize("rotation", range(4))
@pytest.mark.long
def test_text_has_room_for_a_follower_of_either_player_on_every_segment(name, rotation):
    for segment in TILES[name].segments:
        for player in (0, 1):
            board = {(4, 4): (name, rotation)}
            empty = draw_text(COMPONENTS, make_position(board, tile=None))
            taken = draw_text(
                COMPONENTS, make_position(board, tile=None, followers=((player, (4, 4), segment.name, "follower"),))
            )
            before, after = ("".join(read_block(text, name)) for text in (empty, taken))
            changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
            assert str(player) in [new for _, new in changed]
            assert f"followers {segment.name} at 4,4" in taken


def test_text_tells_what_lies_beside_the_castle():
    text = draw_text(COMPONENTS, FULL)
    assert "player 0: send   just placed: Z01   60 tiles left" in text
    assert "player 1   score 117   supply 6   family house 0" in text
    assert "2x extra turn" in text
    assert "1x +5 points (new)" in text
    assert "towers with token 12/13, 22/23" in text
    assert "0/1" not in text


def test_text_fits_a_terminal():
    for components, position in ((COMPONENTS, FULL), (SOKOL, SOKOL_FULL)):
        lines = draw_text(components, position).splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 66


# --- SVG ---


def test_svg_names_every_tile_follower_marker_and_token():
    groups = read_groups(COMPONENTS, FULL)
    check_tiles(groups, FULL)
    followers = [
        (data["data-player"], data["data-cell"], data["data-segment"], data["data-piece"])
        for kind, data in groups
        if kind == "follower"
    ]
    assert followers == [("0", "0,2", "m1", "follower"), ("1", "0,1", "h1", "follower")]
    markers = [(data["data-player"], data["data-field"]) for kind, data in groups if kind == "marker"]
    assert markers == [("0", "17"), ("1", "17")]
    towers = {int(data["data-tower"]) for kind, data in groups if kind == "token"}
    assert towers == FULL.towers


def test_svg_drops_a_token_that_was_taken():
    taken = dataclasses.replace(FULL, towers=FULL.towers - {12})
    towers = [data["data-tower"] for kind, data in read_groups(COMPONENTS, taken) if kind == "token"]
    assert "12" not in towers
    assert len(towers) == 12


def test_svg_puts_a_tile_on_its_space():
    groups = read_groups(COMPONENTS, make_position({(4, 7): ("Z23", 1)}))
    assert [data["transform"] for kind, data in groups if kind == "tile"] == ["translate(700,400)"]


def test_svg_writes_row_and_column_into_every_space_and_lays_tiles_over_them():
    root = ET.fromstring(draw_svg(COMPONENTS, make_position({(4, 7): ("Z23", 1)})))
    groups = [group for group in root.iter() if group.get("class") in ("space", "tile")]
    written = {group.get("data-cell"): "".join(group.itertext()) for group in groups if group.get("class") == "space"}
    assert written == {f"{row},{column}": f"{row},{column}" for row, column in CELLS}
    assert [group.get("class") for group in groups] == ["space"] * len(CELLS) + ["tile"]


def test_svg_escapes_what_a_file_may_hold():
    odd = dataclasses.replace(TILES["Z23"], id='<"&">')
    components = dataclasses.replace(COMPONENTS, tiles=(odd,), name="a<b")
    position = make_position({(4, 4): (odd.id, 0)}, tile=odd.id, remaining=Counter())
    assert [data["data-tile"] for kind, data in read_groups(components, position) if kind == "tile"] == [odd.id]


# --- pixels ---


@pytest.mark.parametrize("size", [1, 64, 333])
def test_pixels_have_the_height_asked_for(size):
    pixels = draw_rgb(COMPONENTS, FULL, size)
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert pixels.shape[0] == size
    assert pixels.shape[2] == 3


@pytest.mark.parametrize(
    ("sizes", "error", "said"),
    [((2.5, "640", None, True), TypeError, "be a whole number"), ((0, -3, 10_001), ValueError, "lie in 1 to 10000")],
)
def test_another_size_is_refused(sizes, error, said):
    for size in sizes:
        with pytest.raises(error, match=f"^size must {said}, not {size!r}$"):
            draw_rgb(COMPONENTS, FULL, size)


@pytest.mark.parametrize(
    "changes",
    [
        {"board": fill_castle(1)},
        {"followers": ()},
        {"followers": ((0, (0, 2), "m1", "follower"), (0, (0, 1), "h1", "follower"))},
        {"followers": ((0, (0, 2), "m1", "prince"), (1, (0, 1), "h1", "follower"))},
        {"followers": ((0, (0, 2), "m1", "falconer"), (1, (0, 1), "h1", "follower"))},
        {"scores": (18, 117)},
        {"towers": frozenset()},
        {"supplies": (5, 6)},
        {"pieces": (("prince",), ())},
        {"family_houses": (3, 0)},
        {"tokens": ({1: 1}, {})},
        {"fresh_tokens": ({}, {})},
        {"tile": None, "cell": None},
        {"player": 1},
        {"remaining": Counter()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_visible_difference_shows(changes):
    check_that_it_shows(COMPONENTS, FULL, changes)


def check_that_it_shows(components, position, changes):
    """Check that all pictures of a position are others after `changes` of it."""
    other = dataclasses.replace(position, **changes)
    assert not np.array_equal(draw_rgb(components, position, 400), draw_rgb(components, other, 400))
    assert draw_svg(components, position) != draw_svg(components, other)
    assert draw_text(components, position) != draw_text(components, other)


@pytest.mark.parametrize("draw", [draw_text, draw_svg, lambda *args: draw_rgb(*args, 320).tobytes()])
def test_drawing_is_repeatable_and_four_turns_change_nothing(draw):
    turned = {cell: (name, rotation + 4) for cell, (name, rotation) in FULL.board.items()}
    again = draw(COMPONENTS, dataclasses.replace(FULL, board=turned))
    if draw is draw_svg:
        for rotation in range(4):
            again = again.replace(f'data-rotation="{rotation + 4}"', f'data-rotation="{rotation}"')
    assert again == draw(COMPONENTS, FULL)
    assert draw(COMPONENTS, FULL) == draw(COMPONENTS, FULL)


def test_every_half_side_shows_its_segment():
    """A point just inside the tile, in the middle of a half-side, lies on the ground of the segment there."""
    inside = {0: (0.25, 0.03), 2: (0.75, 0.03)}
    for tile in COMPONENTS.tiles:
        face = face_of(tile)
        for side in range(4):
            for offset, point in inside.items():
                owner = owners_of(np.array([turned(point, side)]), face, 0.0)[0]
                assert face.patches[owner].name == tile.segment_at(3 * side + offset).name, (tile.id, side, offset)


@pytest.mark.parametrize(("rotation", "house"), [(0, "NE"), (1, "ES"), (2, "SW"), (3, "WN")])
def test_pixels_turn_a_tile_clockwise(rotation, house):
    """Z07: house on the north and east, pigsty on the south and west."""
    position = make_position({(4, 4): ("Z07", rotation)})
    scene, pixels = compose(COMPONENTS, position), draw_rgb(COMPONENTS, position, 800)
    unit = 800 / scene.height
    middles = {"N": (4.5, 4.15), "E": (4.85, 4.5), "S": (4.5, 4.85), "W": (4.15, 4.5)}
    for side, (x, y) in middles.items():
        column, row = round((x - scene.corner[0]) * unit), round((y - scene.corner[1]) * unit)
        red, green, _ = np.median(pixels[row - 4 : row + 5, column - 4 : column + 5].reshape(-1, 3), axis=0)
        assert (red - green > 70) == (side in house), side


# --- other boxes ---


def test_a_game_in_place_of_its_position_is_told_apart():
    game = Game(seed=1)
    with pytest.raises(TypeError, match=r"position must be a Position, such as game\.position\(\), not "):
        draw_svg(game.ruleset.components, game)
    for components, position, wrong in (
        (None, game.position(), "components"),
        (game.ruleset.components, game, "position"),
    ):
        with pytest.raises(TypeError, match=f"^{wrong} must be "):
            draw_text(components, position)


def test_an_empty_castle_draws():
    position = make_position(tile=None, phase="over", towers=frozenset())
    kinds = [kind for kind, _ in read_groups(COMPONENTS, position)]
    assert "tile" not in kinds
    assert kinds.count("start") == len(COMPONENTS.board.starts)
    assert kinds.count("field") == len(COMPONENTS.board.track)
    assert "game over" in draw_text(COMPONENTS, position)
    assert draw_rgb(COMPONENTS, position, 200).shape[0] == 200


@pytest.mark.parametrize("interior", [("#",), ("#" * 14,), ("#",) * 12, ("###", "#.#", "###")])
def test_other_castles_and_unknown_features_draw(interior):
    orchard = Feature("orchard", "o", "gardener", "plain", False, True, 1, "trees", 2, 0, False)
    tile = Tile(
        "T",
        (
            Segment("h1", "house", (0, 2, 6, 8), 0),
            Segment("o1", "orchard", (3, 5), 1),
            Segment("m1", "meadow", (9,), 0),
            Segment("o2", "orchard", (11,), 0),
        ),
    )
    columns = len(interior[0])
    track = tuple(Field(x, -0.25) for x in range(columns + 1)) + (Field(-0.25, len(interior) + 0.25),) * 2
    wall = Wall(interior, (), track, ((0, 1),), frozenset())
    features = (*COMPONENTS.features, orchard)
    components = dataclasses.replace(COMPONENTS, features=features, tiles=(tile,), board=wall)
    position = make_position(
        {cell: ("T", number) for number, cell in enumerate(wall.cells)},
        tile="T",
        followers=((0, wall.cells[0], "o1", "follower"), (1, wall.cells[0], "o1", "follower")),
        scores=(3, 1000),
        tokens=({99: 1}, {}),
        towers=frozenset({0}),
    )
    kinds = [kind for kind, _ in read_groups(components, position)]
    assert kinds.count("tile") == len(wall.cells)
    assert kinds.count("follower") == 2
    assert "kind 99" in draw_text(components, position)
    assert draw_rgb(components, position, 90).shape[0] == 90


def test_a_tile_from_another_box_is_named():
    with pytest.raises(ValueError, match="position shows tile 'X9', which is not one of the 60 tiles of zamek"):
        draw_text(COMPONENTS, make_position({(4, 4): ("X9", 0)}))


# --- Sokół ---

SOKOL = load_components(ruleset="sokol-gates")
SOKOL_TILES = {tile.id: tile for tile in SOKOL.tiles}
SOKOL_FULL = make_position(
    {cell: (name, number % 4) for number, (cell, name) in enumerate(zip(SOKOL.board.cells, SOKOL_TILES, strict=False))},
    tile=None,
    phase="extra turn",
    followers=((0, (0, 2), "m1", "prince"), (1, (0, 1), "h1", "falconer")),
    scores=(27, 127),
    pieces=(("falconer",), ("prince",)),
    nests=(3, 4),
    nest_pool=5,
    at_gate=(True, False),
)


@pytest.mark.parametrize(
    "changes",
    [
        {"followers": ((0, (0, 2), "m1", "follower"), (1, (0, 1), "h1", "falconer"))},
        {"followers": ((0, (0, 2), "m1", "falconer"), (1, (0, 1), "h1", "falconer"))},
        {"pieces": ((), ("prince",))},
        {"pieces": (("prince",), ("prince",))},
        {"nests": (3, 5)},
        {"nest_pool": 6},
        {"at_gate": (False, False)},
    ],
    ids=str,
)
def test_every_visible_difference_of_the_expansion_shows(changes):
    check_that_it_shows(SOKOL, SOKOL_FULL, changes)


def test_svg_shows_the_gates_and_who_stands_on_one():
    groups = read_groups(SOKOL, SOKOL_FULL)
    assert [data["data-fields"] for kind, data in groups if kind == "gate"] == ["27,28", "47,48", "69,70", "91,92"]
    markers = {data["data-player"]: (data["data-field"], data.get("data-gate")) for kind, data in groups
               if kind == "marker"}  # fmt: skip
    assert markers == {"0": ("27", "27"), "1": ("27", None)}
    assert not [kind for kind, _ in read_groups(COMPONENTS, FULL) if kind == "gate"]


def test_after_the_end_scoring_nobody_stands_on_a_gate():
    over = dataclasses.replace(SOKOL_FULL, phase="over", scores=(60, 127))
    markers = [data for kind, data in read_groups(SOKOL, over) if kind == "marker"]
    assert [(data["data-field"], "data-gate" in data) for data in markers] == [("60", False), ("27", False)]
    assert "at the gate" not in draw_text(SOKOL, over)


def test_text_tells_of_nests_gates_and_special_pieces():
    text = draw_text(SOKOL, SOKOL_FULL)
    assert "player 0   score 27 at the gate   supply 6 + falconer\n" in text
    assert "   family house 0   nests 3\n" in text
    assert "player 1   score 127   supply 6 + prince   family house 0   nests 4\n" in text
    assert "followers prince m1 at 0,2" in text
    assert "5 nests in pool" in text
    assert not [word for word in ("nest", "gate", "prince", "falconer") if word in draw_text(COMPONENTS, FULL)]


@pytest.mark.parametrize("name", [tile.id for tile in SOKOL.tiles if tile.id.startswith("S")])
def test_text_shows_every_nest_with_a_piece_beside_it(name):
    """S04 and S15 carry two nests."""
    (nested, *_), nests = zip(*[(segment.name, segment.nests) for segment in SOKOL_TILES[name].segments], strict=True)
    text = draw_text(SOKOL, make_position({(5, 5): (name, 0)}, tile=None, followers=((1, (5, 5), nested, "prince"),)))
    block = "".join(read_block(text, name))
    assert block.count("^") == sum(nests)
    assert block.count("♚") == 1


# --- memory ---


@pytest.mark.parametrize("name", ["zamek", "sokol", "carcassonne"])
def test_a_picture_that_is_drawn_again_keeps_no_more_memory(name):
    components, position = load_components(ruleset=name), Game(name, seed=1).position()
    draw_svg(components, position)
    tracemalloc.start()
    try:
        for _ in range(5):
            draw_svg(components, position)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 2_000
    finally:
        tracemalloc.stop()
