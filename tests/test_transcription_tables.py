"""Slips in the files of a game without wall: each is found, and named with file, item and field."""

import pytest

from tests.support.box import packaged_files, write_box
from zamek_env import ComponentError, Game, load_components

RULES, TILES = "carcassonne.json", "carcassonne_tiles.json"


def of_rules(field, value):
    return lambda files: files[RULES].__setitem__(field, value)


def of_feature(name, field, value):
    def apply(files):
        next(feature for feature in files[RULES]["features"] if feature["name"] == name)[field] = value

    return apply


def of_tile(letter, field, value):
    def apply(files):
        next(tile for tile in files[TILES]["tiles"] if tile["id"] == letter)[field] = value

    return apply


def of_table(field, value):
    return lambda files: files[RULES]["table"].__setitem__(field, value)


SLIPS = {  # what is wrong: (the change, what the message says)
    "a wall and a table": (of_rules("wall", "zamek_wall.json"), "wall: must be left out where there is a table in "
                           "place of a wall, not be 'zamek_wall.json'"),
    "gates on a table": (of_rules("halting_gates", True), "halting_gates: must be left out where there is a table in"),
    "nests on a table": (of_rules("nests", 3), "nests: must be left out where there is a table in place of a wall"),
    "an unknown start tile": (of_table("start", "ZZ"), "table, start: must be one of A, B, C"),
    "an even window": (of_table("window", 24), "table, window: must be an odd number, for 72 tiles 1 to 37, not 24"),
    "a window wider than the table": (of_table("window", 39), "table, window: must be an odd number, for 72 tiles"),
    "a window wider than all tiles in a line": (of_table("window", 99), "table, window: must be an odd number, for 72"),
    "a window of nothing": (of_table("window", 0), "table, window: must be an odd number, for 72 tiles 1 to 37, not 0"),
    "something else about the table": (of_table("legs", 4), "table, legs: is not a field here"),
    "a table that is a word": (of_rules("table", "oak"), "table must be an object, not 'oak'"),
    "copies of an unknown tile": (of_rules("copies", {"A": 1, "AA": 2}), "copies, AA: is not a field here"),
    "half a copy": (of_rules("copies", {"D": 1.5}), "copies, D: must be a whole number, not 1.5"),
    "copies below zero": (of_rules("copies", {"D": -1}), "copies, D: must lie in 0 to 254, not -1"),
    "nothing but the start tile": (of_rules("copies", {"D": 1}), "tiles: on a table there must be 2 at least, one to "
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
    "ties that are a number": (of_rules("ties_pay", 1), "ties_pay: must be true or false, not 1"),
    "a monastery of another letter": (of_tile("A", "monastery", ["f1"]), "tile A, monastery: must hold names of the"),
    "two monasteries on a tile": (of_tile("A", "monastery", ["k1", "k2"]), "tile A: has 2 segments without ports"),
    "a monastery on a side": (of_tile("A", "n", "k1"), "tile A, n: unknown segment 'k1' in 'k1'"),
    "halves of two edges": (of_tile("E", "n", "c1|f1"), "tile E, n: 'c1|f1' has no edge to match: one half counts as "
                            "'city', the other as 'field'"),
    "a missing field set apart": (of_tile("E", "apart", ["f2"]), "tile E, apart: 'f2' is on this face no segment that "
                                  "touches another; it has f1"),
    "a city set apart": (of_tile("E", "apart", ["c1"]), "tile E, apart: 'c1' is on this face no segment that"),
    "a field set apart twice": (of_tile("D", "apart", ["f2", "f2"]), "tile D, apart: 'f2' is given 2 times"),
    "a tile twice": (of_tile("A", "id", "B"), "tile B, id: is given more than once"),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named_with_file_item_and_field(slip, tmp_path):
    apply, message = SLIPS[slip]
    files = packaged_files()
    apply(files)
    folder = write_box(tmp_path / "box", files)
    with pytest.raises(ComponentError) as raised:
        load_components(folder, "carcassonne")
    assert message in str(raised.value) and str(raised.value).startswith(f"{folder}/carcassonne")


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
    files[RULES] |= {"copies": {"D": 2, "U": 3, "B": 1}, "table": {"start": "U", "window": 3}}
    components = load_components(write_box(tmp_path / "box", files), "carcassonne")
    assert [tile.id for tile in components.tiles] == ["B", "D", "D", "U", "U"]
    assert components.start_tile.id == "U" and components.board.tiles == 6
    assert [tile.id for tile in components.kinds] == ["B", "D", "U"]
