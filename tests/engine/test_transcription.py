"""Slips in component files: each is found, and named with file, item and field."""

import json

import pytest

from tests.support.box import FILES, RULES, packaged_files, write_box
from zamek_env import ComponentError, Game, load_components
from zamek_env.components.box_folder import DATA


def find(entries, **sought):
    """Return the first of the entries that has a field as sought."""
    return next(entry for entry in entries if sought.items() <= entry.items())


def tile(files, name):
    return find(files["zamek_tiles.json"]["tiles"], id=name)


def slips_in(name, find_item):
    """Return what makes a slip in that packaged file: a value for a field of an item, or None to take it away."""

    def slip(*given):
        *which, field, value = given

        def apply(files):
            item = find_item(files[name], *which)
            if value is None:
                del item[field]
            else:
                item[field] = value

        return name, apply

    return slip


of_tile = slips_in("zamek_tiles.json", lambda file, name="Z13": find(file["tiles"], id=name))
of_tiles = slips_in("zamek_tiles.json", lambda file: file)
of_start = slips_in("zamek_wall.json", lambda file: find(file["starts"], id="A"))
of_wall = slips_in("zamek_wall.json", lambda file: file)
of_interior = slips_in("zamek_wall.json", lambda file: file["interior"])
of_track = slips_in("zamek_wall.json", lambda file: file["track"][3])
of_rules = slips_in("zamek.json", lambda file: file)
of_item = slips_in("zamek.json", lambda file, group, number: file[group][number])


SLIPS = {  # what is wrong: ((file, change), what the error says after naming the file)
    # tiles
    "too few ports": (of_tile("n", "m1 r1"), "tile Z13, n: 'm1 r1' does not fill the 3 ports"),
    "too many ports": (of_tile("n", "m1 r1 p1 p2"), "tile Z13, n: 'm1 r1 p1 p2' does not fill the 3 ports"),
    "no ports": (of_tile("n", ""), "tile Z13, n: '' does not fill the 3 ports"),
    "a road alone": (of_tile("n", "r1"), "tile Z13, n: 'r1' does not fill the 3 ports: write it like one of "
                                         '"m1", "m1|m2", "m1 r1 m2"'),
    "a road on the half-sides": (of_tile("n", "r1|m1"), "tile Z13, n: 'r1|m1' does not fill the 3 ports"),
    "a house in the middle": (of_tile("n", "m1 h1 p1"), "tile Z13, n: 'm1 h1 p1' does not fill the 3 ports"),
    "three half-sides": (of_tile("n", "m1|h1|p1"), "tile Z13, n: 'm1|h1|p1' does not fill the 3 ports"),
    "an empty half-side": (of_tile("n", "m1|"), "tile Z13, n: unknown segment '' in 'm1|'"),
    "an unknown letter": (of_tile("n", "x1"), "tile Z13, n: unknown segment 'x1' in 'x1'"),
    "a letter without number": (of_tile("n", "m"), "tile Z13, n: unknown segment 'm' in 'm'"),
    "a segment torn apart": (
        ("zamek_tiles.json", lambda files: tile(files, "Z13").update(n="h1", e="m1", s="h1", w="m1")),
        "tile Z13: segment h1 is torn apart by m1",
    ),
    "two roads that cross": (
        ("zamek_tiles.json", lambda files: tile(files, "Z13").update(
            n="m1 r1 m2", e="m2 r2 m3", s="m3 r1 m4", w="m4 r2 m1")),
        "tile Z13: segment r1 is torn apart by r2",
    ),
    "shrines on a missing segment": (of_tile("shrines", ["m7"]), "tile Z13, shrines: 'm7' is no meadow on this face"),
    "stocks on a meadow": (of_tile("stocks", ["m1"]), "tile Z13, stocks: 'm1' is no road on this face"),
    "two shrines on one segment": (of_tile("shrines", ["m1", "m1"]), "tile Z13, shrines: 'm1' is given 2 times"),
    "shrines that are no list": (of_tile("shrines", "m1"), "tile Z13, shrines: must be a list, not 'm1'"),
    "shrines that are no texts": (of_tile("shrines", [1]), "tile Z13, shrines: must hold texts, not 1"),
    "a tile id twice": (of_tile("Z02", "id", "Z01"), "tile Z01, id: is given more than once"),
    "no tile id": (of_tile("Z02", "id", None), "tile number 2, id: is missing"),
    "an empty tile id": (of_tile("Z02", "id", " "), "tile  , id: must not be empty"),
    "a tile id that is a number": (of_tile("Z02", "id", 2), "tile number 2, id: must be a text, not 2"),
    "a missing side": (of_tile("w", None), "tile Z13, w: is missing"),
    "a side that is a number": (of_tile("w", 1), "tile Z13, w: must be a text, not 1"),
    "an unknown field of a tile": (of_tile("north", "m1"), "tile Z13, north: is not a field here; the fields are"),
    "a tile that is no object": (of_tiles("tiles", ["Z01"]), "tile number 1 must be an object, not 'Z01'"),
    "tiles that are no list": (of_tiles("tiles", {}), "tiles: must be a list, not {}"),
    "an unknown field of the file": (
        ("zamek_tiles.json", lambda files: files["zamek_tiles.json"].update(tile=[])), "tile: is not a field here"),
    # start spaces
    "a start space outside": (of_start("cell", [0, 0]), "start A, cell: [0, 0] is not a space inside the wall"),
    "a start space far off": (of_start("cell", [-1, 3]), "start A, cell: [-1, 3] is not a space inside the wall"),
    "a start space not on the wall": (of_start("side", "E"), "start A, side: the E side of [2, 0] does not lie on the"),
    "an unknown side": (of_start("side", "w"), "start A, side: must be one of N, E, S, W, not 'w'"),
    "a cell of three numbers": (of_start("cell", [1, 2, 3]), "start A, cell: must be two whole numbers, not [1, 2, 3]"),
    "a cell of halves": (of_start("cell", [1.0, 2]), "start A, cell: must be two whole numbers, not [1.0, 2]"),
    "a cell of bools": (of_start("cell", [True, 2]), "start A, cell: must be two whole numbers, not [True, 2]"),
    "a face with two roads": (of_start("face", "r1 r2 r3"), "start A, face: 'r1 r2 r3' does not fill the 3 ports"),
    "a shrine beside a start space": (of_start("shrines", ["m3"]), "start A, shrines: 'm3' is no meadow on this face"),
    "a start id twice": (of_start("id", "B"), "start B, id: is given more than once"),
    "a start id of a tile": (of_start("id", "Z09"), "start Z09, id: is given more than once"),
    "two start spaces in one place": (
        ("zamek_wall.json", lambda files: files["zamek_wall.json"]["starts"][0].update(cell=[0, 3], side="N")),
        "starts: 'the N side of [0, 3]' is given 2 times",
    ),
    "no start space": (of_wall("starts", []), "starts: there must be one at least"),
    # the wall
    "no interior": (of_wall("interior", None), "interior: is missing"),
    "an empty interior": (of_wall("interior", []), "interior: must have 1 to 1000 spaces, each written #, not 0"),
    "an interior without spaces": (of_wall("interior", ["..", ".."]), "interior: must have 1 to 1000 spaces"),
    "an interior too large": (of_wall("interior", ["#" * 100] * 11), "interior: must have 1 to 1000 spaces"),
    "a ragged row": (of_interior(2, "#"), "interior: row 2 must be 10 characters # or ., not '#'"),
    "an unknown mark": (of_interior(2, "####x####."), "interior: row 2 must be 10 characters # or ., not '####x####.'"),
    "a row that is a number": (of_interior(2, 7), "interior: must hold texts, not 7"),
    "an unknown field of the wall": (of_wall("gate", []), "gate: is not a field here; the fields are note, interior"),
    "a tower off the track": (of_wall("towers", [[99, 100]]), "towers: [99, 100] lies off the track"),
    "a tower before the track": (of_wall("towers", [[-1, 0]]), "towers: [-1, 0] lies off the track"),
    "fields that do not touch": (of_wall("towers", [[3, 5]]), "towers: [3, 5] are not two neighbouring fields"),
    "fields the wrong way round": (of_wall("towers", [[4, 3]]), "towers: [4, 3] are not two neighbouring fields"),
    "a tower of one field": (of_wall("towers", [[4]]), "towers: must be two whole numbers, not [4]"),
    "a tower of texts": (of_wall("towers", [["4", "5"]]), "towers: must be two whole numbers, not ['4', '5']"),
    "overlapping towers": (of_wall("towers", [[0, 1], [3, 4], [4, 5]]), "towers: 4 is given 2 times"),
    "too few tokens": (of_wall("towers", [[f, f + 1] for f in range(0, 40, 2)]), "towers: 19 towers want a token"),
    "a towerless field": (of_wall("towerless", [5]), "towerless: 5 is not the first field of a tower"),
    "a towerless bool": (of_wall("towerless", [False]), "towerless: False is not the first field of a tower"),
    "a towerless list": (of_wall("towerless", [[0, 1]]), "towerless: [0, 1] is not the first field of a tower"),
    "a towerless field twice": (of_wall("towerless", [0, 0]), "towerless: 0 is given 2 times"),
    "a short track": (of_wall("track", []), "track: has only 0 fields"),
    "a track out of order": (of_track("field", 4), "track field 3, field: must lie in 3 to 3, not 4"),
    "a field without a place": (of_track("x", None), "track field 3, x: is missing"),
    "a place that is a text": (of_track("x", "1"), "track field 3, x: must be a number, not '1'"),
    "a place that is a bool": (of_track("y", True), "track field 3, y: must be a number, not True"),
    "a place that is not a number": (of_track("x", float("nan")), "track field 3, x: must lie in -1000.0 to 1000.0"),
    "a place at infinity": (of_track("y", float("-inf")), "track field 3, y: must lie in -1000.0 to 1000.0, not -inf"),
    "a place far off": (of_track("y", 10**400), "track field 3, y: must lie in -1000.0 to 1000.0, not 10000"),
    # the ruleset
    "another ruleset": (of_rules("name", "sokol"), "name: must be one of zamek, not 'sokol'"),
    "no follower": (of_rules("followers", 0), "followers: must lie in 1 to 100, not 0"),
    "half a follower": (of_rules("followers", 2.5), "followers: must be a whole number, not 2.5"),
    "followers that are a bool": (of_rules("followers", True), "followers: must be a whole number, not True"),
    "no tile file": (of_rules("tiles", []), "tiles: the files must hold 1 to 254 tiles, not 0"),
    "a tile file twice": (of_rules("tiles", ["zamek_tiles.json"] * 2), "tiles: 'zamek_tiles.json' is given 2 times"),
    "an edge twice": (of_rules("edges", ["road", "plain", "road"]), "edges: 'road' is given 2 times"),
    "an unknown edge": (of_item("features", 1, "edge", "river"), "feature 1, edge: must be one of plain, road, not"),
    "a letter twice": (of_item("features", 1, "letter", "r"), "features: 'r' is given 2 times"),
    "a letter of two": (of_item("features", 1, "letter", "ho"), "feature 1, letter: must be one letter, not 'ho'"),
    "a feature twice": (of_item("features", 1, "name", "road"), "features: 'road' is given 2 times"),
    "marks called as a side": (of_item("features", 3, "mark", "n"), "feature 3, mark: 'n' means something else"),
    "marks called alike": (of_item("features", 3, "mark", "stocks"), "features: 'stocks' is given 2 times"),
    "a family house of meadows": (of_item("features", 3, "family_house", True), "feature 3, family_house: only an"),
    "a feature that may complete": (of_item("features", 1, "completes", 1), "feature 1, completes: must be true or"),
    "points below zero": (of_item("features", 1, "points", -1), "feature 1, points: must lie in 0 to 100, not -1"),
    "a token out of order": (of_item("tokens", 2, "kind", 5), "tokens: kinds must be 1 to 9 in order"),
    "an unknown use": (of_item("tokens", 2, "use", "magic"), "token 2, use: must be one of extra turn, completed area"),
    "a token for an unknown feature": (of_item("tokens", 1, "feature", "moat"), "token 1, feature: must be one of r"),
    "a token for completed meadows": (of_item("tokens", 1, "feature", "meadow"), "token 1, feature: must be one of r"),
    "a token for unfinished meadows": (of_item("tokens", 6, "feature", "meadow"), "token 6, feature: must be one of r"),
    "a token for marks of houses": (of_item("tokens", 3, "feature", "house"), "token 3, feature: must be one of r"),
    "a token without its feature": (of_item("tokens", 1, "feature", None), "token 1, feature: is missing"),
    "a token with a feature": (of_item("tokens", 5, "feature", "house"), "token 5, feature: a token for 'points'"),
    "two tokens for one feature": (of_item("tokens", 2, "feature", "house"), "tokens: 'house' is given 2 times"),
    "two kinds of extra turn": (of_item("tokens", 5, "use", "extra turn"), "tokens: 'extra turn' is given 2 times"),
    "no tokens of a kind": (of_item("tokens", 1, "count", 0), "token 1, count: must lie in 1 to 100, not 0"),
}  # fmt: skip


of_falcon = slips_in("sokol_tiles.json", lambda file: find(file["tiles"], id="S01"))
of_sokol = slips_in("sokol.json", lambda file: file)
of_chapel = slips_in("sokol.json", lambda file: file["features"][0])
of_gate = slips_in("zamek_wall.json", lambda file: file["gates"][0])


EXTENSION_SLIPS = {  # the same for a ruleset that extends others
    "nests on a missing segment": (of_falcon("nests", ["c7"]), "tile S01, nests: 'c7' is on this face no segment of"),
    "a nest on a meadow": (of_falcon("nests", ["m1"]), "tile S01, nests: 'm1' is on this face no segment of an area "
                           "that is completed; it has c1"),
    "two nests on one segment": (of_falcon("nests", ["c1", "c1"]), "tile S01, nests: 'c1' is given 2 times"),
    "nests that are no list": (of_falcon("nests", "c1"), "tile S01, nests: must be a list, not 'c1'"),
    "a tile id of the extended box": (of_falcon("id", "Z01"), "tile Z01, id: is given more than once"),
    "too many nests": (of_sokol("nests", 256), "nests: must lie in 0 to 255, not 256"),
    "an unknown piece": (of_sokol("pieces", ["king"]), "pieces: must be of prince, falconer, not 'king'"),
    "a piece twice": (of_sokol("pieces", ["prince", "prince"]), "pieces: 'prince' is given 2 times"),
    "a switch that is a number": (of_sokol("widened", 1), "widened: must be true or false, not 1"),
    "a feature of the extended ruleset": (of_chapel("name", "road"), "features: 'road' is given 2 times"),
    "a letter of the extended ruleset": (of_chapel("letter", "h"), "features: 'h' is given 2 times"),
    "points that are no numbers": (of_chapel("size_points", [1, "3"]), "feature 4, size_points: must hold whole"),
    "points too high": (of_chapel("size_points", [1, 101]), "feature 4, size_points: must hold whole numbers in 0 to"),
    "points by size and by the tile": (of_chapel("points", 2), "feature 4, size_points: an area is paid by"),
    "points by size at the end": (of_chapel("completes", False), "feature 4, size_points: only an area that is"),
    "marks called nests": (of_chapel("mark", "nests"), "feature 4, mark: 'nests' means something else"),
    "a slip in what is extended": (of_item("features", 1, "points", -1), "feature 1, points: must lie in 0 to 100"),
    "a ruleset that extends itself": (of_sokol("extends", "sokol-gates.json"), "extends: 'sokol-gates.json' extends"),
    "a ruleset that extends a number": (of_sokol("extends", 3), "extends: must be a text, not 3"),
    "gates that stop in a narrow wall": (
        ("sokol-gates.json", lambda files: files["sokol-gates.json"].update(widened=False)),
        "halting_gates: there are no gates",
    ),
    "no gates": (of_wall("gates", None), "gates: is missing"),
    "three gates": (("zamek_wall.json", lambda files: files["zamek_wall.json"]["gates"].pop()), "gates: there must be"),
    "two gates on one side": (of_gate("side", "S"), "gates: there must be one on each of the sides N, E, S, W"),
    "a gate off the track": (of_gate("between", [99, 100]), "gate 0, between: [99, 100] are not two neighbouring"),
    "a gate between distant fields": (of_gate("between", [27, 29]), "gate 0, between: [27, 29] are not two"),
    "two gates on one field": (of_gate("between", [48, 49]), "gates: 48 is given 2 times"),
    "gates that do not face": (of_gate("column", 5), "gates: facing gates must stand at the same col"),
    "a gate at the corner": (of_gate("column", 0), "gate 0, column: must lie in 1 to 9, not 0"),
    "a gate without a line": (of_gate("column", None), "gate 0, column: is missing"),
    "an unknown face in a gate": (of_gate("start", "x1"), "gate 0, start: unknown segment 'x1' in 'x1'"),
}  # fmt: skip


def test_nests_are_no_field_where_the_ruleset_has_none(tmp_path):
    files = packaged_files()
    tile(files, "Z01")["nests"] = ["h1"]
    folder = write_box(tmp_path / "box", files)
    with pytest.raises(ComponentError, match="tile Z01, nests: is not a field here"):
        load_components(folder, "zamek")
    assert load_components(folder, "sokol").tiles[0].segments[0].nests == 1


BASE = json.loads((DATA / "zamek.json").read_text(encoding="utf-8"))


def test_lists_continue_and_all_else_replaces_what_is_extended(tmp_path):
    mine = {"name": "sokol", "extends": "zamek.json", "followers": 4,
            "tokens": [{"kind": 10, "count": 1, "use": "points", "points": 9}]}  # fmt: skip
    mine_again = {"name": "sokol-gates", "extends": "sokol.json", "nests": 2, "followers": 5}
    folder = write_box(tmp_path / "box", {"sokol.json": mine, "sokol-gates.json": mine_again, "zamek.json": BASE})
    base, first, second = (load_components(folder, name) for name in ("zamek", "sokol", "sokol-gates"))
    assert (base.followers, first.followers, second.followers) == (6, 4, 5)
    assert first.tokens == second.tokens == (*base.tokens, first.tokens[-1])
    assert (first.tiles, first.features, first.board) == (base.tiles, base.features, base.board)
    assert (base.nests, first.nests, second.nests) == (0, 0, 2)


def test_a_wall_of_ones_own_is_widened_at_its_gates(tmp_path):
    wall = {
        "interior": [".##.", "####", "####"],
        "starts": [{"id": "A", "cell": [2, 3], "side": "E", "face": "m1"},
                   {"id": "B", "cell": [1, 0], "side": "N", "face": "h1"}],
        "gates": [
            {"between": [0, 1], "side": "N", "column": 2, "start": "m1 r1 h1"},
            {"between": [2, 3], "side": "E", "row": 1},
            {"between": [4, 5], "side": "S", "column": 2},
            {"between": [6, 7], "side": "W", "row": 1, "start": "p1"},
        ],
        "track": [{"field": number, "x": x, "y": y} for number, (x, y) in enumerate(
            [(1.75, 0), (2.25, 0), (4, 0.75), (4, 1.25), (2.25, 3), (1.75, 3), (0, 1.25), (0, 0.75)])],
        "towers": [],
    }  # fmt: skip
    widened = load_components(write_box(tmp_path / "box", {"zamek_wall.json": wall}), "sokol").board
    assert widened.interior == (".###.", ".###.", "#####", "#####")
    starts = {start.id: (start.cell, start.side) for start in widened.starts}
    assert starts == {"A": ((3, 4), 1), "B": ((2, 0), 0), "gate 0": ((0, 2), 0), "gate 6": ((1, 1), 3)}
    assert [(field.x, field.y) for field in widened.track] == [
        (1.75, 0), (3.25, 0), (5, 0.75), (5, 2.25), (3.25, 4), (1.75, 4), (0, 2.25), (0, 0.75),
    ]  # fmt: skip
    assert widened.gates == ((0, 1), (2, 3), (4, 5), (6, 7))


BROKEN_FILES = {  # what is wrong: (what the file holds, what the error says after naming the file)
    "not JSON": (b'{"tiles": [}', "is not JSON: Expecting value: line 1 column 12"),
    "nothing": (b"", "is not JSON: Expecting value"),
    "no text": (b"\xff\xfe\x00", "cannot be read: "),
    "no object": (b"[]", "the file must be an object, not []"),
    "a field twice": (b'{"tiles": [], "tiles": []}', "is not JSON: a field is given twice in tiles, tiles"),
    "deeply nested": (b"[" * 100_000, "is not JSON: "),
    "a number too long": (b'{"tiles": ' + b"1" * 5000 + b"}", "is not JSON: "),
}


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_file_that_is_not_a_json_object_is_named(case, tmp_path):
    folder = tmp_path / "box"
    folder.mkdir()
    content, message = BROKEN_FILES[case]
    (folder / "zamek_tiles.json").write_bytes(content)
    with pytest.raises(ComponentError) as raised:
        load_components(folder, "zamek")
    assert str(raised.value).startswith(f"{folder / 'zamek_tiles.json'}: {message}")


def test_a_file_that_is_named_but_missing_is_told(tmp_path):
    folder = write_box(tmp_path / "box", FILES)
    (folder / "roads.json").unlink()
    with pytest.raises(
        ComponentError, match=r"tiles: 'roads\.json' is neither in the same folder nor packaged; .*zamek"
    ):
        load_components(folder)


@pytest.mark.parametrize("field", ["extends", "wall"])
def test_a_misspelt_name_of_a_file_is_reported_where_it_stands(tmp_path, field):
    folder = write_box(tmp_path / "box", FILES)
    values = json.loads((folder / "zamek.json").read_text())
    (folder / "zamek.json").write_text(json.dumps(values | {field: "zmek.json"}))
    with pytest.raises(ComponentError, match=rf"zamek\.json: {field}: 'zmek\.json' is neither .* nor packaged"):
        load_components(folder)


@pytest.mark.parametrize("name", ["\0", "", ".", "..", "../wall.json", "/dev/zero", "C:w.json", "a\\b", "a/b", "a\n"])
@pytest.mark.parametrize("field", ["wall", "tiles", "extends"])
def test_a_name_of_no_file_in_the_folder_is_told(name, field, tmp_path):
    folder = write_box(tmp_path / "box", FILES | {"zamek.json": RULES | {field: [name] if field == "tiles" else name}})
    write_box(tmp_path / "b", {})
    with pytest.raises(ComponentError, match=rf"zamek\.json: {field}: .* is no name of a file in the same folder$"):
        load_components(folder)


def test_a_folder_without_any_component_file_is_refused(tmp_path):
    with pytest.raises(ComponentError, match=r"holds none of zamek\.json, zamek_wall\.json, zamek_tiles\.json"):
        load_components(tmp_path, "zamek")
    with pytest.raises(ComponentError, match=r"holds no component file, such as zamek\.json, and no NAME"):
        load_components(tmp_path)


@pytest.mark.parametrize("path", ["nowhere", "file"])
def test_what_is_no_folder_is_refused(path, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ComponentError, match=f"{path}: is not a folder"):
        load_components(tmp_path / path)


@pytest.mark.parametrize("ruleset", ["falcon", "", "zamek.json", ["zamek"], 3])
def test_an_unknown_ruleset_is_refused(ruleset):
    with pytest.raises(ValueError, match=r"ruleset must be one of zamek, sokol, sokol-gates, .*, not"):
        load_components(ruleset=ruleset)


@pytest.mark.parametrize(
    ("count", "sides", "said"),
    [
        (255, {"n": "m1", "e": "m1", "s": "m1", "w": "m1"}, "1 to 254 tiles, not 255"),
        (
            90,
            {"n": "m1", "e": "h1|m2", "s": "h2|m3", "w": "h3|p1", "shrines": ["m1", "m2", "m3"]},
            "0 to 255 marks, not 271",
        ),
    ],
)
def test_too_many_tiles_or_marks_are_refused(count, sides, said, tmp_path):
    tiles = [{"id": f"T{number}", **sides} for number in range(count)]
    folder = write_box(tmp_path / "box", {"zamek_tiles.json": {"tiles": tiles}})
    with pytest.raises(ComponentError, match=f"tiles: the files must hold {said}"):
        load_components(folder, "zamek")


def test_what_a_folder_does_not_hold_is_taken_from_the_packaged_files(tmp_path):
    wall = json.loads((DATA / "zamek_wall.json").read_text(encoding="utf-8"))
    wall["interior"][0] = ".####...#."
    components = load_components(write_box(tmp_path / "box", {"zamek_wall.json": wall}), "zamek")
    assert components.tiles == load_components().tiles
    assert (0, 8) in components.board.cells


def test_a_transcription_read_twice_is_the_same(tmp_path):
    assert load_components(write_box(tmp_path / "box", packaged_files()), "zamek") == load_components()


# --- a table without wall ---


RULES_FILE, TILES_FILE = "carcassonne.json", "carcassonne_tiles.json"


of_game = slips_in(RULES_FILE, lambda file: file)
of_feature = slips_in(RULES_FILE, lambda file, name: find(file["features"], name=name))
of_id = slips_in(TILES_FILE, lambda file, letter: find(file["tiles"], id=letter))
of_table = slips_in(RULES_FILE, lambda file: file["table"])


TABLE_SLIPS = {  # the same for a game without wall
    "a wall and a table": (of_game("wall", "zamek_wall.json"), "wall: must be left out where there is a table in "
                           "place of a wall, not be 'zamek_wall.json'"),
    "gates on a table": (of_game("halting_gates", True), "halting_gates: must be left out where there is a table in"),
    "nests on a table": (of_game("nests", 3), "nests: must be left out where there is a table in place of a wall"),
    "an unknown start tile": (of_table("start", "ZZ"), "table, start: must be one of A, B, C"),
    "an even window": (of_table("window", 24), "table, window: must be an odd number, for 72 tiles 1 to 37, not 24"),
    "a window wider than the table": (of_table("window", 39), "table, window: must be an odd number, for 72 tiles"),
    "a window wider than all tiles in a line": (of_table("window", 99), "table, window: must be an odd number, for 72"),
    "a window of nothing": (of_table("window", 0), "table, window: must be an odd number, for 72 tiles 1 to 37, not 0"),
    "something else about the table": (of_table("legs", 4), "table, legs: is not a field here"),
    "a table that is a word": (of_game("table", "oak"), "table must be an object, not 'oak'"),
    "copies of an unknown tile": (of_game("copies", {"A": 1, "AA": 2}), "copies, AA: is not a field here"),
    "half a copy": (of_game("copies", {"D": 1.5}), "copies, D: must be a whole number, not 1.5"),
    "copies below zero": (of_game("copies", {"D": -1}), "copies, D: must lie in 0 to 254, not -1"),
    "nothing but the start tile": (of_game("copies", {"D": 1}), "tiles: on a table there must be 2 at least, one to "
                                   "draw beside the start tile, not 1"),
    "a surrounded feature on sides": (of_feature("monastery", "edge", "field"), "feature 2, surrounded: a surrounded"),
    "a surrounded feature that stays": (of_feature("monastery", "completes", False), "feature 2, unfinished_points"),
    "two surrounded features": (of_feature("field", "surrounded", True), "feature 2, surrounded: there can be one"),
    "points of what stays unfinished": (of_feature("field", "unfinished_points", 1), "feature 3, unfinished_points"),
    "a city that touches": (of_feature("city", "touches", "road"), "feature 0, touches: only a feature that is never"),
    "fields that touch themselves": (of_feature("field", "touches", "field"), "feature 3, touches: only a"),
    "fields that touch monasteries": (of_feature("field", "touches", "monastery"), "feature 3, touches: only a"),
    "points for touching nothing": (of_feature("road", "touch_points", 1), "feature 1, touch_points: this feature"),
    "a mark called apart": (of_feature("city", "mark", "apart"), "feature 0, mark: 'apart' means something else"),
    "ties that are a number": (of_game("ties_pay", 1), "ties_pay: must be true or false, not 1"),
    "a monastery of another letter": (of_id("A", "monastery", ["f1"]), "tile A, monastery: must hold names of the"),
    "two monasteries on a tile": (of_id("A", "monastery", ["k1", "k2"]), "tile A: has 2 segments without ports"),
    "a monastery on a side": (of_id("A", "n", "k1"), "tile A, n: unknown segment 'k1' in 'k1'"),
    "halves of two edges": (of_id("E", "n", "c1|f1"), "tile E, n: 'c1|f1' has no edge to match: one half counts as "
                            "'city', the other as 'field'"),
    "a missing field set apart": (of_id("E", "apart", ["f2"]), "tile E, apart: 'f2' is on this face no segment that "
                                  "touches another; it has f1"),
    "a city set apart": (of_id("E", "apart", ["c1"]), "tile E, apart: 'c1' is on this face no segment that"),
    "a field set apart twice": (of_id("D", "apart", ["f2", "f2"]), "tile D, apart: 'f2' is given 2 times"),
    "a tile twice": (of_id("A", "id", "B"), "tile B, id: is given more than once"),
    "a road alone": (of_id("E", "n", "r1"), "tile E, n: 'r1' does not fill the 3 ports: write it like one of "
                                            '"f1", "f1|f2", "f1 r1 f2"'),
}  # fmt: skip


SLIPS_OF = {"zamek": SLIPS, "sokol-gates": EXTENSION_SLIPS, "carcassonne": TABLE_SLIPS}


@pytest.mark.parametrize(("ruleset", "slip"), [(ruleset, slip) for ruleset in SLIPS_OF for slip in SLIPS_OF[ruleset]])
def test_a_slip_is_named_with_file_item_and_field(ruleset, slip, tmp_path):
    (name, apply), message = SLIPS_OF[ruleset][slip]
    files = packaged_files()
    apply(files)
    folder = write_box(tmp_path / "box", files)
    with pytest.raises(ComponentError) as raised:
        load_components(folder, ruleset)
    assert str(raised.value).startswith(f"{folder / name}: {message}")


@pytest.mark.compiles
def test_a_folder_may_say_otherwise_whether_there_are_farmers(tmp_path):
    files = packaged_files()
    files["carcassonne-no-farmers.json"]["farmers"] = True
    folder = write_box(tmp_path / "box", files)
    record = Game("carcassonne-no-farmers", 1, folder).record()
    assert record["ruleset"] == "carcassonne-no-farmers" and "farmers" not in record
    assert record["components"] == load_components(folder, "carcassonne-no-farmers").digest
    assert Game.replay(record, folder).ruleset.components.farmers


def test_within_a_wall_nothing_is_surrounded_and_no_tie_pays(tmp_path):
    for number, (field, value) in enumerate([("ties_pay", True), ("features", None)]):
        files = packaged_files()
        if field == "ties_pay":
            files["zamek.json"][field] = value
        else:
            files["zamek.json"]["features"] += [
                {"name": "well", "letter": "w", "role": "guard", "completes": True, "surrounded": True}
            ]
        with pytest.raises(ComponentError, match="only on a table can"):
            load_components(write_box(tmp_path / f"box {number}", files), "zamek")


def test_a_game_can_be_made_of_other_copies(tmp_path):
    files = packaged_files()
    files[RULES_FILE] |= {"copies": {"D": 2, "U": 3, "B": 1}, "table": {"start": "U", "window": 3}}
    components = load_components(write_box(tmp_path / "box", files), "carcassonne")
    assert [tile.id for tile in components.tiles] == ["B", "D", "D", "U", "U"]
    assert components.start_tile.id == "U" and components.board.tiles == 6
    assert [tile.id for tile in components.kinds] == ["B", "D", "U"]
