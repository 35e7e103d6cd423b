"""Limits of a box of one's own: what arrays could not hold is refused as it is read, what they can is played."""

import copy
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest

from tests.support.box import FILES, RULES, WALL, packaged_files, write_box
from tests.support.checking.consistency import check_consistency
from zamek_env import ComponentError, Game, load_components
from zamek_env.base.records import NONE
from zamek_env.components.box_folder import MAX_FILE, RULESETS
from zamek_env.components.highest_score import bound_area, bound_score
from zamek_env.core.pieces import find_free_piece
from zamek_env.ruleset import get_ruleset


def load(tmp_path, ruleset="zamek", **changed):
    """Load the small box, or the packaged files of another ruleset, with these files changed, named without `.json`."""
    files = FILES if ruleset == "zamek" else packaged_files()
    files = files | {f"{name}.json": values for name, values in changed.items()}
    return load_components(write_box(tmp_path / "box", files), ruleset)


def with_feature(number, rules=RULES, /, **fields):
    """Return `rules` with `fields` of one feature changed."""
    changed = copy.deepcopy(rules)
    changed["features"][number] |= fields
    return changed


# --- points ---


def test_points_that_could_come_to_more_than_a_score_holds_are_refused(tmp_path):
    """With 100 points for it and 100 by a token, each of 100 marks that the prince doubles comes to 400."""
    files = packaged_files()
    rules = with_feature(3, files["zamek.json"], mark_points=100)
    rules["tokens"][3]["points"] = 100
    for tile in files["zamek_tiles.json"]["tiles"]:
        sides = " ".join(tile[side].replace("|", " ") for side in "nesw").split()
        tile["shrines"] = sorted({name for name in sides if name[0] == "m"})
    with pytest.raises(ComponentError, match=r"sokol\.json: features: .* a player could score \d{5}, more than 32767$"):
        load(tmp_path, "sokol", zamek=rules, zamek_tiles=files["zamek_tiles.json"])


@pytest.mark.parametrize(
    "tokens",
    [
        [{"kind": 1, "count": 100, "use": "points", "points": 100}] * 4,
        [{"kind": 1, "count": 1, "use": "unfinished area", "feature": "house", "points": 100}] * 60,
        [{"kind": 1, "count": 1, "use": "marks", "feature": "meadow", "points": 100}] * 70,
    ],
)
def test_tokens_count_for_the_highest_score(tokens, tmp_path):
    tokens = [token | {"kind": number} for number, token in enumerate(tokens, start=1)]
    with pytest.raises(ComponentError, match=r"features: .* a player could score \d+, more than 32767$"):
        load(tmp_path, zamek=RULES | {"tokens": tokens})


def test_scores_of_ones_own_box_fit_the_observation(tmp_path):
    rules = with_feature(0, packaged_files()["carcassonne.json"], points=100)
    components = load(tmp_path, "carcassonne", carcassonne=rules)
    highest = bound_score(components)
    assert 1000 < highest <= 32767
    layout = get_ruleset("carcassonne", components).vector
    assert (layout.high[layout["scores"]] / layout.scale[layout["scores"]] > highest).all()
    worth = layout["segment_0"].start + 1
    assert layout.high[worth] / layout.scale[worth] > bound_area(components) > 1000


@pytest.mark.parametrize("name", RULESETS)
def test_the_bounds_of_observations_of_packaged_rulesets_are_those_they_had(name):
    ruleset = get_ruleset(name)
    layout = ruleset.vector
    assert layout.high[layout["scores"]].tolist() == [10, 10]
    assert set(layout.high[layout["segment_0"]][1:3]) == {100}
    assert bound_area(ruleset.components) < 1000


def test_a_family_house_on_a_table_is_refused(tmp_path):
    rules = with_feature(0, packaged_files()["carcassonne.json"], family_house=True)
    with pytest.raises(ComponentError, match=r"carcassonne\.json: feature 0, family_house: goes with a wall"):
        load(tmp_path, "carcassonne", carcassonne=rules)


# --- pieces ---


def test_each_of_as_many_pieces_as_there_may_be_is_found_in_supply(tmp_path):
    """More than the bits of a number."""
    ruleset = get_ruleset("zamek", load(tmp_path, zamek=RULES | {"followers": 100, "pieces": ["prince", "falconer"]}))
    tables, states = ruleset.tables, ruleset.new_states(1)
    for out in (0, 1, 63, 64, 99, 100):
        states[0].follower_node[0] = [0] * out + [NONE] * (102 - out)
        assert find_free_piece(tables[0], states[0], 0, 0) == (out if out < 100 else NONE)
        assert [find_free_piece(tables[0], states[0], 0, kind) for kind in (1, 2)] == [100, 101]
    states[0].follower_node[0, 100:] = 0
    assert [find_free_piece(tables[0], states[0], 0, kind) for kind in (1, 2)] == [NONE, NONE]


# --- areas, segments, names ---


@pytest.mark.compiles
def test_a_tile_completes_all_areas_that_face_it_in_the_middle_too(tmp_path):
    """Where features share an edge, three of them may face each side: twelve, and the tile's own."""
    features = [
        {"name": "house", "letter": "h", "role": "squire", "edge": "plain", "completes": True, "points": 1},
        {"name": "river", "letter": "r", "role": "ferryman", "edge": "plain", "middle": True, "completes": True},
        {"name": "garden", "letter": "g", "role": "gardener", "edge": "plain", "completes": True, "points": 1},
    ]
    arm = {"n": "h1 r1 h2", "e": "h2", "s": "h2", "w": "h2"}
    tiles = [arm | {"id": name} for name in "NESW"] + [{"id": "middle", **dict.fromkeys("nesw", "g1")}]
    outer = {"N": [0, 1], "E": [1, 2], "S": [2, 1], "W": [1, 0]}
    starts = [{"id": f"start {side}", "cell": cell, "side": side, "face": "g1"} for side, cell in outer.items()]
    files = {
        "zamek.json": RULES | {"features": features, "tokens": [], "tiles": ["tiles.json"]},
        "tiles.json": {"tiles": tiles},
        "wall.json": WALL | {"interior": [".#.", "###", ".#."], "starts": starts, "towers": [], "towerless": []},
    }
    components = load_components(write_box(tmp_path / "box", files))
    tiles = [tile.id for tile in components.tiles]
    deck = [tiles.index(name) for name in ("N", "E", "S", "W", "middle")]
    game = Game.from_deal(Game(components=components).ruleset, deck, [])
    layout, cells = game.ruleset.actions, components.board.cells
    for cell, rotation in (((0, 1), 2), ((1, 2), 3), ((2, 1), 0), ((1, 0), 1), ((1, 1), 0)):
        game.step(layout.place(cells.index(cell), rotation))
        check_consistency(game)
        if cell != (1, 1):
            game.step(layout.send(None))
    assert (np.count_nonzero(game.state[0].completed != NONE), game.ruleset.sizes.completed) == (13, 15)


def test_packaged_tiles_complete_as_many_areas_as_before():
    assert [get_ruleset(name).sizes.completed for name in RULESETS] == [19, 19, 19, 23, 24, 24, 24, 24]


def test_a_wall_without_towers_has_no_entries_for_them(tmp_path):
    components = load(tmp_path, wall=WALL | {"towers": [], "towerless": []})
    assert "towers" not in get_ruleset("zamek", components).vector


def test_entries_of_tokens_are_exact_however_many_there_are(tmp_path):
    tokens = [{"kind": 1, "count": 7, "use": "points", "points": 1}, {"kind": 2, "count": 100, "use": "points"}]
    layout = get_ruleset("zamek", load(tmp_path, zamek=RULES | {"tokens": tokens})).vector
    total = np.float32(0)
    for _ in range(100):
        total += np.float32(layout.scale[layout["seen_tokens"]][0])
    assert total == 100 / 128 <= layout.high[layout["seen_tokens"]][0]


def test_the_start_tile_of_a_table_may_have_most_marks(tmp_path):
    files = packaged_files()
    rules = files["carcassonne.json"] | {"copies": {"F": 1, "E": 3}, "table": {"start": "F", "window": 1}}
    layout = get_ruleset("carcassonne", load(tmp_path, "carcassonne", carcassonne=rules)).planes
    assert layout.high[layout["marks"]] == 1
    rules |= {"copies": {"E": 3, "C": 1}, "table": {"start": "C", "window": 1}}
    tiles = files["carcassonne_tiles.json"]
    next(tile for tile in tiles["tiles"] if tile["id"] == "C").update(n="c1|c2", shields=["c1", "c2"])
    again = load_components(write_box(tmp_path / "2", {"carcassonne.json": rules, "carcassonne_tiles.json": tiles}))
    layout = get_ruleset("carcassonne", again).planes
    assert layout.high[layout["marks"]] == 2


@pytest.mark.parametrize("name", ["tile", "space", "current", "my_area", "worth", "present", "nests"])
def test_a_feature_called_as_something_else_in_observations_is_refused(name, tmp_path):
    rules = with_feature(0, name=name) | {"tokens": [{"kind": 1, "count": 9, "use": "points"}], "nests": 3}
    with pytest.raises(ComponentError, match=rf"zamek\.json: features: '.*{name}.*' would mean two things"):
        load(tmp_path, zamek=rules)


@pytest.mark.parametrize("name", ["n", "id", "apart", "shields"])
def test_a_feature_without_ports_called_as_a_field_of_tiles_is_refused(name, tmp_path):
    rules = with_feature(2, packaged_files()["carcassonne.json"], name=name)
    with pytest.raises(ComponentError, match=rf"feature 2, name: '{name}' means something else in the file of tiles"):
        load(tmp_path, "carcassonne", carcassonne=rules)


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "\ud800", "a\0"])
@pytest.mark.parametrize("field", ["name", "role", "mark"])
def test_names_can_be_printed_on_one_line(name, field, tmp_path):
    rules = with_feature(2, **{field: name})
    problem = "must (not be empty|be printable on one line, not)"
    with pytest.raises(ComponentError, match=rf"feature 2, {field}: {problem}") as raised:
        load(tmp_path, zamek=rules)
    assert "\n" not in str(raised.value) and str(raised.value).isprintable()


# --- how much there may be ---

TOO_MUCH = {  # what there is too much of: (the file, how it is changed, what the error says)
    "columns": ("wall", {"interior": ["#" + "." * 1_000_000]}, "interior: must hold texts of at most 100 characters"),
    "rows": ("wall", {"interior": ["#"] + ["."] * 30_000}, "interior: must have at most 1000 entries, not 30001"),
    "some rows": ("wall", {"interior": ["#"] + ["."] * 100}, "interior: must have at most 100 rows and columns, not 1"),
    "edges": ("zamek", {"edges": [f"edge {number}" for number in range(40_000)]}, "edges: must have at most 1000"),
    "some edges": ("zamek", {"edges": ["plain", "road", *map(str, range(31))]}, "edges: must be 32 at most, not 33"),
    "features": ("zamek", {"features": [RULES["features"][0]] * 33}, "features: must be 1 to 32, not 33"),
    "no features": ("zamek", {"features": []}, "features: must be 1 to 32, not 0"),
    "sizes": ("zamek", with_feature(0, points=0, size_points=[1] * 1001), "feature 0, size_points: must have at most"),
    "text": ("zamek", with_feature(0, role="x" * 101), "feature 0, role: must have at most 100 characters, not 101"),
    "field": ("zamek", {"x" * 10_000: 1}, "is not a field here"),
    "number": ("zamek", {"followers": 10**4000}, "followers: must lie in 1 to 100, not 1000"),
    "value": ("zamek", {"followers": [1] * 10_000}, "followers: must be a whole number, not"),
    "track": ("wall", {"track": [{}] * 1001}, "track: must have at most 1000 entries"),
    "tile files": ("zamek", {"tiles": [f"tiles {number}.json" for number in range(17)]}, "tiles: must name 16 files"),
}  # fmt: skip


@pytest.mark.parametrize("case", TOO_MUCH)
def test_more_than_a_box_may_hold_is_refused_in_one_line_and_at_once(case, tmp_path):
    name, change, problem = TOO_MUCH[case]
    folder = write_box(tmp_path / "box", FILES | {f"{name}.json": FILES[f"{name}.json"] | change})
    begun = time.perf_counter()
    with pytest.raises(ComponentError) as raised:
        load_components(folder)
    assert time.perf_counter() - begun < 5
    message = str(raised.value)
    assert message.startswith(f"{folder / name}.json: ") and problem in message
    assert "\n" not in message and len(message) < 1500


def make_table(tiles, window):
    return packaged_files()["carcassonne.json"] | {
        "copies": {"U": tiles - 3, "D": 3},
        "table": {"start": "D", "window": window},
    }


def test_a_table_is_as_large_as_its_numbers_allow(tmp_path):
    ruleset = get_ruleset("carcassonne", load(tmp_path, "carcassonne", carcassonne=make_table(252, 87)))
    assert ruleset.sizes.cells <= 2**15 - 1 and ruleset.num_actions <= 2**15 - 1
    assert ruleset.tables[0].neighbor.max() < ruleset.sizes.cells and ruleset.tables[0].extra_base > 0


@pytest.mark.parametrize(
    "tiles, window, problem",
    [
        (253, 25, "tiles: on a table there must be 252 at most, not 253"),
        (252, 89, "table, window: a window of 7921 cells gives 33"),
        (252, 127, "table, window: a window of 16129 cells gives 6"),
    ],
)
def test_a_larger_table_is_refused(tiles, window, problem, tmp_path):
    with pytest.raises(ComponentError, match=rf"carcassonne\.json: {problem}"):
        load(tmp_path, "carcassonne", carcassonne=make_table(tiles, window))


def test_a_wall_too_large_once_widened_is_refused(tmp_path):
    gates = [
        {"between": [0, 1], "side": "N", "column": 5},
        {"between": [3, 4], "side": "E", "row": 50},
        {"between": [6, 7], "side": "S", "column": 5},
        {"between": [9, 10], "side": "W", "row": 50},
    ]
    starts = [{"id": "north", "cell": [0, 0], "side": "N", "face": "m1"}]
    wall = WALL | {"interior": ["#" * 10] * 100, "gates": gates, "starts": starts}
    assert len(load(tmp_path, wall=wall).board.cells) == 1000
    rules = RULES | {"widened": True}
    folder = write_box(tmp_path / "wide", FILES | {"wall.json": wall, "zamek.json": rules})
    with pytest.raises(ComponentError, match=r"wall\.json: gates: widened at them the wall has 1111 spaces, more than"):
        load_components(folder)


# --- files ---


def test_rulesets_extend_one_another_only_so_far(tmp_path):
    files = {f"{number}.json": {"name": "zamek", "extends": f"{number + 1}.json"} for number in range(40)}
    folder = write_box(tmp_path / "box", files | {"zamek.json": {"name": "zamek", "extends": "0.json"}})
    with pytest.raises(ComponentError, match=r"14\.json: extends: more than 16 files extend one another"):
        load_components(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("wall.json", os.mkfifo, "it is not a regular file"),
        ("zamek.json", lambda path: path.symlink_to("/dev/zero"), "it is not a regular file"),
        ("wall.json", Path.mkdir, "it is not a regular file"),
        ("roads.json", lambda path: path.symlink_to("nowhere"), "No such file"),
        ("wall.json", lambda path: path.write_bytes(bytes(MAX_FILE + 1)), "it has more than 4194304 bytes"),
    ],
    ids=["pipe", "device", "folder", "link to nothing", "large"],
)
def test_what_is_no_file_of_sensible_size_is_refused_at_once(name, make, why, tmp_path):
    path = write_box(tmp_path / "box", FILES) / name
    path.unlink()
    make(path)
    with pytest.raises(ComponentError, match=f"{re.escape(str(path))}: cannot be read: .*{why}"):
        load_components(path.parent, "zamek")


def test_a_link_to_a_file_is_followed(tmp_path):
    folder = write_box(tmp_path / "box", FILES)
    (folder / "wall.json").rename(tmp_path / "printed.json")
    (folder / "wall.json").symlink_to(tmp_path / "printed.json")
    assert load_components(folder).board.shape == (3, 4)
