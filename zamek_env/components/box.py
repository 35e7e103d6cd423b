"""Reads component files and checks them, so that typos are found before a game is played.

A ruleset file (`zamek.json`, or one of your own) names its features, tokens and switches and the two kinds of files
with what is printed: the wall (`zamek_wall.json`) and the tiles (`zamek_tiles.json`). Where it names a table instead
of a wall, the board has no border (`carcassonne.json`). A ruleset file may extend another one (`sokol.json`): its lists
are appended to those of the other, and all its other fields replace them. The packaged files lie in `zamek_env/data/`.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any

from zamek_env.common.messages import show
from zamek_env.components.box_folder import DATA, find_file, is_plain_name
from zamek_env.components.house_rules import HOUSE_RULES, apply_rules
from zamek_env.components.json_entry import ComponentError, Entry, read_entry
from zamek_env.components.model import MAX_FEATURES, SPECIAL_PIECES, TOKEN_USES, Components, Feature, Token
from zamek_env.components.open_table import OpenTable
from zamek_env.components.printed import (
    APART_FIELD,
    NESTS_FIELD,
    START_FIELDS,
    TILE_FIELDS,
    name_of_face,
    read_tile,
    read_wall,
    surrounded_fields,
)
from zamek_env.components.which_ruleset import describe_held, find_ruleset_name

MAX_TILES = 254  # 1 + the number of a tile fits a byte of an observation
MAX_TABLE_TILES = 252  # 2 * 127**2 numbers of cells and up to 31 unused: 16 bits. For 253 tiles there are 2 * 128**2
MAX_MARKS = 255  # of one area, kept in a byte; so are its nests
TABLE_FIELDS = ("start", "window")
TILE_FILE_FIELDS = ("note", "tiles")
MAX_FILES = 16  # of rulesets that extend one another, and of tiles


def _describe_own(folder):
    """Return which ruleset a folder is for, as the end of a line; "" where that is not clear."""
    try:
        return f"; that is the ruleset {find_ruleset_name(folder)!r}"
    except ComponentError:
        return ""


def read_box(folder: Path, ruleset_name: str) -> tuple[Entry, Components]:
    """Return the entry of the ruleset file of that name, and the `Components` that it and its files describe.

    What is not in `folder` is taken from the packaged files. Raises `ComponentError` naming file, item and field.
    """
    files = _read_ruleset_files(folder, f"{ruleset_name}.json")
    rules = files[-1]
    wall_path, tile_paths = _find_printed(folder, rules)
    paths = [*(file.file for file in files), *([wall_path] if wall_path else []), *tile_paths]
    if not any(found.parent == folder for found in paths):
        none_of = ", ".join(found.name for found in paths)
        raise ComponentError(f"{folder}: holds none of {none_of}{describe_held(folder)}{_describe_own(folder)}")

    fields = [read_rules(file) for file in files][-1]  # each is checked, so that an error names its file
    tiles = {tile_path: _read_tiles(tile_path, fields["features"], fields["nests"] > 0) for tile_path in tile_paths}
    fields["name"] = rules.choice("name", (ruleset_name,))
    if wall_path is None:
        fields |= _read_table(rules, tiles)
    else:
        widened = [file.get("widened", bool, False) for file in files][-1]
        wall = read_wall(wall_path, fields["features"], sum(token.count for token in fields["tokens"]), widened)
        _check_ids(tiles, wall_path, wall.starts)
        if fields["halting_gates"] and not wall.gates:
            rules.fail("halting_gates", "there are no gates, because the wall is not widened")
        faces = tuple(start.tile for start in wall.starts)
        fields |= {"tiles": _join_tiles(rules, tiles, faces), "board": wall}
    components = Components(**fields)
    given = rules.get("rules", dict, {})
    return rules, apply_rules(components, Entry(rules.file, "rules", given, HOUSE_RULES))


def _read_ruleset_files(folder, name):
    """Return the entries of a ruleset file and of those it extends, its own last; each includes what it extends."""
    files: list[Entry] = []
    following = name
    while following is not None:
        path = _find_named(folder, files[-1], "extends", following) if files else find_file(folder, following)
        if path in [file.file for file in files]:
            files[-1].fail("extends", f"{following!r} extends this file")
        if len(files) == MAX_FILES:
            files[-1].fail("extends", f"more than {MAX_FILES} files extend one another")
        files.append(read_entry(path, RULESET_FIELDS))
        following = files[-1].get("extends", str, None)
    extended = [files[-1]]
    for file in files[-2::-1]:
        extended.append(extended[-1].extended_by(file))
    return extended


def _find_printed(folder, rules):
    """Return the paths of the file of the wall, None where there is a table, and of those of the tiles."""
    names = rules.texts("tiles")
    rules.check_unique("tiles", names)
    if len(names) > MAX_FILES:
        rules.fail("tiles", f"must name {MAX_FILES} files at most, not {len(names)}")
    tile_paths = [_find_named(folder, rules, "tiles", name) for name in names]
    if "table" in rules.values:
        return None, tile_paths
    return _find_named(folder, rules, "wall", rules.get("wall", str)), tile_paths


def _find_named(folder, file, field, name):
    """Return the path of the file named at `field`. Raises `ComponentError` where there is no such file."""
    if not is_plain_name(name):
        file.fail(field, f"{show(name)} is no name of a file in the same folder")
    path = find_file(folder, name)
    if not os.path.lexists(path):
        packaged = ", ".join(sorted(entry.name for entry in DATA.iterdir()))
        file.fail(field, f"{show(name)} is neither in the same folder nor packaged; packaged are {packaged}")
    return path


def _read_tiles(path, features, with_nests):
    marks = [feature.mark for feature in features if feature.mark]
    fields = (*TILE_FIELDS, *marks, *([NESTS_FIELD] if with_nests else []), *surrounded_fields(features))
    if any(feature.touches for feature in features):
        fields += (APART_FIELD,)
    entries = read_entry(path, TILE_FILE_FIELDS).entries("tiles", partial(name_of_face, "tile"), fields)
    return tuple(read_tile(entry, features) for entry in entries)


def _join_tiles(rules, tiles, laid):
    """Return the tiles of all files, with their copies. Fails where there are more than there are numbers for.

    `laid` are the faces that lie on the board from the beginning.
    """
    joined = tuple(tile for path in tiles for tile in tiles[path])
    if "copies" in rules.values:
        copies = Entry(rules.file, "copies", rules.values["copies"], [face.id for face in joined])
        joined = tuple(face for face in joined for _ in range(copies.whole(face.id, 0, MAX_TILES, 0)))
    _check_count(rules, "tiles", len(joined), 1, MAX_TILES)
    segments = [segment for tile in (*joined, *laid) for segment in tile.segments]
    _check_count(rules, "marks", sum(segment.marks for segment in segments), 0, MAX_MARKS)
    _check_count(rules, "nests", sum(segment.nests for segment in segments), 0, MAX_MARKS)
    return joined


def _check_count(rules, what, count, low, high):
    if not low <= count <= high:
        rules.fail("tiles", f"the files must hold {low} to {high} {what}, not {count}")


def _read_table(rules, tiles):
    """Return the board, the tiles of the deck and the start tile of a game without wall (rule C1)."""
    for field in ("wall", "widened", "halting_gates", "tokens", "nests"):
        if given := rules.values.get(field):
            rules.fail(field, f"must be left out where there is a table in place of a wall, not be {show(given)}")
    _check_ids(tiles, rules.file, ())
    table = Entry(rules.file, "table", rules.values["table"], TABLE_FIELDS)
    all_tiles = _join_tiles(rules, tiles, ())
    if len(all_tiles) > MAX_TABLE_TILES:
        rules.fail("tiles", f"on a table there must be {MAX_TABLE_TILES} at most, not {len(all_tiles)}")
    if len(all_tiles) < 2:
        rules.fail("tiles", "on a table there must be 2 at least, one to draw beside the start tile, not 1")
    name = table.choice("start", sorted({tile.id for tile in all_tiles}))
    first = next(number for number, tile in enumerate(all_tiles) if tile.id == name)
    board = OpenTable(len(all_tiles), table.get("window", int))
    if not 1 <= board.window <= board.period or board.window % 2 == 0:
        allowed = f"an odd number, for {len(all_tiles)} tiles 1 to {board.period - 1 + board.period % 2}"
        table.fail("window", f"must be {allowed}, not {show(board.window)}")
    return {"board": board, "tiles": all_tiles[:first] + all_tiles[first + 1 :], "start_tile": all_tiles[first]}


def _check_ids(tiles, wall_path, starts):
    """Fail where two tiles, in the same file or not, or two start spaces have one id."""
    items = [(path, "tile", tile.id) for path in tiles for tile in tiles[path]]
    items += [(wall_path, "start", start.id) for start in starts]
    seen = set()
    for path, kind, name in items:
        if name in seen:
            raise ComponentError(f"{path}: {kind} {name}, id: is given more than once")
        seen.add(name)


# --- what a ruleset file says besides board and tiles ---


RULESET_FIELDS = (
    "name", "extends", "wall", "widened", "table", "tiles", "copies", "followers", "pieces", "nests", "edges",
    "features", "tokens", "halting_gates", "farmers", "ties_pay", "rules",
)  # fmt: skip
MAX_POINTS = 100  # what can come together is bounded by `load.MAX_SCORE`
MAX_FOLLOWERS = 100
MAX_TOKENS = 100  # of a kind, and kinds: both are kept in bytes
MAX_NESTS = 255  # of a player, kept in a byte
MAX_EDGES = MAX_FEATURES  # each feature has one

FEATURE_FIELDS = tuple(Feature.__dataclass_fields__)
TOKEN_FIELDS = tuple(Token.__dataclass_fields__)


def read_rules(file: Entry) -> dict[str, Any]:
    """Return the contents of a ruleset file, without board and tiles, by the fields of `Components`."""
    if file.get("ties_pay", bool, False) and "table" not in file.values:
        file.fail("ties_pay", "only on a table can ties pay, not within a wall, where the order of scoring matters")
    edges = file.texts("edges")
    features = _read_features(file, edges)
    names = file.texts("pieces", [])
    known = [piece.name for piece in SPECIAL_PIECES]
    file.check_unique("pieces", names)
    for name in names:
        if name not in known:
            file.fail("pieces", f"must be of {', '.join(known)}, not {show(name)}")
    return {
        "followers": file.whole("followers", 1, MAX_FOLLOWERS),
        "edges": edges,
        "features": features,
        "tokens": _read_tokens(file, features),
        "special_pieces": tuple(SPECIAL_PIECES[known.index(name)] for name in names),
        "nests": file.whole("nests", 0, MAX_NESTS, 0),
        "halting_gates": file.get("halting_gates", bool, False),
        "farmers": file.get("farmers", bool, True),
        "ties_pay": file.get("ties_pay", bool, False),
    }


def _read_features(rules, edges):
    rules.check_unique("edges", edges)
    for edge in edges:
        if not edge.isprintable():
            rules.fail("edges", f"must be printable on one line, not {show(edge)}")
    if len(edges) > MAX_EDGES:
        rules.fail("edges", f"must be {MAX_EDGES} at most, not {len(edges)}")
    entries = rules.entries("features", lambda number, values: f"feature {number}", FEATURE_FIELDS)
    if not 1 <= len(entries) <= MAX_FEATURES:
        rules.fail("features", f"must be 1 to {MAX_FEATURES}, not {len(entries)}")
    features = tuple(_read_feature(entry, edges) for entry in entries)
    for field in ("name", "letter", "mark"):
        given = [getattr(feature, field) for feature in features]
        rules.check_unique("features", [value for value in given if value is not None])
    for entry, feature in zip(entries, features, strict=True):
        if feature.family_house and not feature.completes:
            entry.fail("family_house", "only an area that is completed can become the family house")
        if feature.size_points and not feature.completes:
            entry.fail("size_points", "only an area that is completed is paid by its size")
        if feature.size_points and (feature.points or feature.marked_points):
            entry.fail("size_points", "an area is paid by its size or by the tile, not both")
        if feature.family_house and ("table" in rules.values):
            entry.fail("family_house", "goes with a wall: the spaces that a table leaves empty have no end")
        _check_surrounded(entry, feature, features, "table" in rules.values)
        _check_touches(entry, feature, features)
    return features


def _read_feature(entry, edges):
    letter = entry.get("letter", str)
    if len(letter) != 1 or not letter.isalpha():
        entry.fail("letter", f"must be one letter, not {show(letter)}")
    mark = None if entry.get("mark", str, None) is None else entry.name("mark")
    if mark in (*TILE_FIELDS, *START_FIELDS, NESTS_FIELD, APART_FIELD):
        entry.fail("mark", f"{mark!r} means something else in the file of tiles or of the wall")
    return Feature(
        name=entry.name("name"),
        letter=letter,
        role=entry.name("role"),
        edge=None if entry.get("surrounded", bool, False) else entry.choice("edge", edges),
        middle=entry.get("middle", bool, False),
        completes=entry.get("completes", bool),
        points=entry.whole("points", 0, MAX_POINTS, 0),
        mark=mark,
        marked_points=entry.whole("marked_points", 0, MAX_POINTS, 0),
        mark_points=entry.whole("mark_points", 0, MAX_POINTS, 0),
        family_house=entry.get("family_house", bool, False),
        size_points=entry.wholes("size_points", 0, MAX_POINTS, []),
        completed_mark_points=entry.whole("completed_mark_points", 0, MAX_POINTS, 0),
        unfinished_points=entry.whole("unfinished_points", 0, MAX_POINTS, 0),
        surrounded=entry.get("surrounded", bool, False),
        touches=entry.get("touches", str, None),
        touch_points=entry.whole("touch_points", 0, MAX_POINTS, 0),
    )


def _check_surrounded(entry, feature, features, is_open):
    if feature.unfinished_points and not feature.completes:
        entry.fail("unfinished_points", "an area that is never completed is paid by its marks or what it touches")
    if not feature.surrounded:
        return
    if not feature.completes or feature.middle or "edge" in entry.values:
        entry.fail("surrounded", "a surrounded area is completed and lies on no side: it has neither edge nor middle")
    if not is_open:
        entry.fail("surrounded", "only on a table can an area be surrounded, not within a wall")
    if feature.name in (*TILE_FIELDS, NESTS_FIELD, APART_FIELD, *(other.mark for other in features)):
        entry.fail("name", f"{feature.name!r} means something else in the file of tiles")
    if sum(other.surrounded for other in features) > 1:
        entry.fail("surrounded", "there can be one surrounded feature at most")


def _check_touches(entry, feature, features):
    if feature.touches is None:
        if feature.touch_points:
            entry.fail("touch_points", "this feature touches no other")
        return
    touched = [other.name for other in features if other.completes and not other.surrounded]
    if feature.completes or feature.touches not in touched:
        entry.fail("touches", f"only a feature that is never completed can touch one of {', '.join(touched)}")
    if sum(other.touches is not None for other in features) > 1:
        entry.fail("touches", "there can be one feature at most that touches another")


def _read_tokens(rules, features):
    if "tokens" not in rules.values:
        return ()
    entries = rules.entries("tokens", lambda number, values: f"token {number}", TOKEN_FIELDS)
    tokens = tuple(
        Token(
            kind=entry.whole("kind", 1, MAX_TOKENS),
            count=entry.whole("count", 1, MAX_TOKENS),
            use=entry.choice("use", TOKEN_USES),
            feature=_read_token_feature(entry, features),
            points=entry.whole("points", 0, MAX_POINTS, 0),
        )
        for entry in entries
    )
    if [token.kind for token in tokens] != list(range(1, len(tokens) + 1)):
        rules.fail("tokens", f"kinds must be 1 to {len(tokens)} in order")
    rules.check_unique("tokens", [token.feature for token in tokens if token.use == "completed area"])
    rules.check_unique("tokens", [token.use for token in tokens if token.use == "extra turn"])
    return tokens


def _read_token_feature(entry, features):
    use = entry.get("use", str)
    if use == "marks":
        return entry.choice("feature", [feature.name for feature in features if feature.mark])
    if use in ("completed area", "unfinished area"):
        return entry.choice("feature", [feature.name for feature in features if feature.completes])
    if "feature" in entry.values:
        entry.fail("feature", f"a token for {use!r} is used on no feature")
    return None
