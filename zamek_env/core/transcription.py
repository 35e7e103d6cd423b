"""Reads component files and checks them, so that a typing slip is found before a game is played.

A ruleset file (`zamek.json`) names its features, tokens and switches and the two kinds of files with what is printed:
the wall (`zamek_wall.json`) and the tiles (`zamek_tiles.json`). Where it tells of a table instead of a wall, the board
has no border (`carcassonne.json`). It may extend another one (`sokol.json`): its lists
continue the lists of that, all else that it says replaces what that says. The packaged files lie in `zamek_env/data/`.
"""

import os
from functools import partial
from pathlib import Path

from zamek_env.core.components import SPECIAL_PIECES, TOKEN_USES, Components, Feature, Token
from zamek_env.core.entry import ComponentError, Entry, read_entry
from zamek_env.core.faces import (
    APART_FIELD,
    NESTS_FIELD,
    START_FIELDS,
    TILE_FIELDS,
    name_of_face,
    read_tile,
    surrounded_fields,
)
from zamek_env.core.open_table import OpenTable
from zamek_env.core.walls import read_wall

DATA = Path(__file__).parent.parent / "data"
RULESETS = ("zamek", "sokol", "sokol-gates", "carcassonne-demo", "carcassonne", "carcassonne-no-farmers")
MAX_POINTS = 100
MAX_FOLLOWERS = 100
MAX_TOKENS = 100
MAX_TILES = 254  # 1 + the number of a tile fits a byte of an observation
MAX_MARKS = 255  # of one area, kept in a byte; so are its nests
MAX_NESTS = 255  # of a player, kept in a byte

_RULESET_FIELDS = (
    "name", "extends", "wall", "widened", "table", "tiles", "copies", "followers", "pieces", "nests", "edges",
    "features", "tokens", "halting_gates", "farmers", "ties_pay",
)  # fmt: skip
_FEATURE_FIELDS = tuple(Feature.__dataclass_fields__)
_TOKEN_FIELDS = tuple(Token.__dataclass_fields__)


def load_components(path=None, ruleset="zamek"):
    """Load and check the components of a ruleset.

    `path` is a folder with a transcription of a box: files called as in `zamek_env/data/`, of which at least one must
    be there; what is missing is taken from the packaged files. Without `path` all packaged files are used.

    Returns `Components`. Raises `ComponentError` (a `ValueError`) naming file, item and field.
    """
    if ruleset not in RULESETS:
        raise ValueError(f"ruleset must be one of {', '.join(RULESETS)}, not {ruleset!r}")
    folder = DATA if path is None else Path(path)
    if not os.path.isdir(folder):
        raise ComponentError(f"{folder}: is not a folder with component files")
    files = _read_ruleset_files(folder, f"{ruleset}.json")
    rules = files[-1]
    wall_path = None
    if "table" not in rules.values:
        wall_path = _find(folder, _check_file_name(rules, "wall", rules.get("wall", str)))
    rules.check_unique("tiles", rules.texts("tiles"))
    tile_paths = [_find(folder, _check_file_name(rules, "tiles", name)) for name in rules.texts("tiles")]
    paths = [*(file.file for file in files), *([wall_path] if wall_path else []), *tile_paths]
    if not any(found.parent == folder for found in paths):
        raise ComponentError(f"{folder}: holds none of {', '.join(found.name for found in paths)}")

    told = [_read_rules(file) for file in files][-1]  # each is checked, so that an error names the file it stands in
    tiles = {tile_path: _read_tiles(tile_path, told["features"], told["nests"] > 0) for tile_path in tile_paths}
    name = rules.choice("name", (ruleset,))
    if wall_path is None:
        return Components(name=name, **_read_table(rules, tiles), **told)
    widened = [file.get("widened", bool, False) for file in files][-1]
    wall = read_wall(wall_path, told["features"], sum(token.count for token in told["tokens"]), widened)
    _check_ids(tiles, wall_path, wall.starts)
    if told["halting_gates"] and not wall.gates:
        rules.fail("halting_gates", "there are no gates, because the wall is not widened")
    faces = tuple(start.tile for start in wall.starts)
    return Components(name=name, tiles=_join_tiles(rules, tiles, faces), board=wall, **told)


def _read_ruleset_files(folder, name):
    """Return the entries of a ruleset file and of those it extends, it last; each holds what it extends as well."""
    files, following = [], name
    while following is not None:
        path = _find(folder, following)
        if path in [file.file for file in files]:
            files[-1].fail("extends", f"{following!r} extends this file")
        files.append(read_entry(path, _RULESET_FIELDS))
        following = files[-1].get("extends", str, None)
        if following is not None:
            _check_file_name(files[-1], "extends", following)
    extended = [files[-1]]
    for file in files[-2::-1]:
        extended.append(extended[-1].extended_by(file))
    return extended


def _check_file_name(file, field, name):
    """Return `name`, which stands at `field` of a file. Raises `ComponentError` where it is absolute."""
    if os.path.isabs(name):
        file.fail(field, f"{name!r} is no name of a file in the same folder")
    return name


def _find(folder, name):
    found, packaged = folder / name, DATA / name
    return packaged if os.path.exists(packaged) and not os.path.exists(found) else found


# --- the ruleset file ---


def _read_rules(file):
    """Return what a ruleset file tells, but for wall and tiles, by the fields of `Components`."""
    edges = file.texts("edges")
    features = _read_features(file, edges)
    return {
        "followers": file.whole("followers", 1, MAX_FOLLOWERS),
        "edges": edges,
        "features": features,
        "tokens": _read_tokens(file, features),
        "special_pieces": _read_special_pieces(file),
        "nests": file.whole("nests", 0, MAX_NESTS, 0),
        "halting_gates": file.get("halting_gates", bool, False),
        "farmers": file.get("farmers", bool, True),
        "ties_pay": file.get("ties_pay", bool, False),
    }


def _read_features(rules, edges):
    rules.check_unique("edges", edges)
    entries = rules.entries("features", lambda number, values: f"feature {number}", _FEATURE_FIELDS)
    features = tuple(
        Feature(
            name=entry.get("name", str),
            letter=_read_letter(entry),
            role=entry.get("role", str),
            edge=None if entry.get("surrounded", bool, False) else entry.choice("edge", edges),
            middle=entry.get("middle", bool, False),
            completes=entry.get("completes", bool),
            points=entry.whole("points", 0, MAX_POINTS, 0),
            mark=_read_mark(entry),
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
        for entry in entries
    )
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
        _check_beyond_ports(entry, feature, features)
    return features


def _check_beyond_ports(entry, feature, features):
    """Surrounded areas are completed, and what is touched is completed by others."""
    if feature.surrounded and (not feature.completes or feature.middle or "edge" in entry.values):
        entry.fail("surrounded", "a surrounded area is completed and lies on no side: it has neither edge nor middle")
    if sum(other.surrounded for other in features) > 1:
        entry.fail("surrounded", "there can be one surrounded feature at most")
    if feature.touches is None:
        return
    touched = [other.name for other in features if other.completes and not other.surrounded]
    if feature.completes or feature.touches not in touched:
        entry.fail("touches", f"an area that is not completed touches one of {', '.join(touched)}")
    if sum(other.touches is not None for other in features) > 1:
        entry.fail("touches", "there can be one feature at most that touches another")


def _read_letter(entry):
    letter = entry.get("letter", str)
    if len(letter) != 1 or not letter.isalpha():
        entry.fail("letter", f"must be one letter, not {letter!r}")
    return letter


def _read_mark(entry):
    mark = entry.get("mark", str, None)
    if mark in (*TILE_FIELDS, *START_FIELDS, NESTS_FIELD):
        entry.fail("mark", f"{mark!r} means something else in the file of tiles or of the wall")
    return mark


def _read_tokens(rules, features):
    if "tokens" not in rules.values:
        return ()
    entries = rules.entries("tokens", lambda number, values: f"token {number}", _TOKEN_FIELDS)
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


def _read_special_pieces(rules):
    names = rules.texts("pieces", [])
    known = [piece.name for piece in SPECIAL_PIECES]
    rules.check_unique("pieces", names)
    for name in names:
        if name not in known:
            rules.fail("pieces", f"must be of {', '.join(known)}, not {name!r}")
    return tuple(SPECIAL_PIECES[known.index(name)] for name in names)


# --- tiles ---


def _read_tiles(path, features, with_nests):
    marks = [feature.mark for feature in features if feature.mark]
    fields = (*TILE_FIELDS, *marks, *([NESTS_FIELD] if with_nests else []), *surrounded_fields(features))
    if any(feature.touches for feature in features):
        fields += (APART_FIELD,)
    entries = read_entry(path, ("note", "tiles")).entries("tiles", partial(name_of_face, "tile"), fields)
    return tuple(read_tile(entry, features) for entry in entries)


def _join_tiles(rules, tiles, laid):
    """Return the tiles of all files, copies and all. Fails where there are more than numbers can tell apart.

    `laid` are the faces that lie on the board from the beginning.
    """
    joined = _copy_tiles(rules, [tile for path in tiles for tile in tiles[path]])
    segments = [segment for tile in (*joined, *laid) for segment in tile.segments]
    marks, nests = sum(segment.marks for segment in segments), sum(segment.nests for segment in segments)
    for what, count, low, high in (
        ("tiles", len(joined), 1, MAX_TILES),
        ("marks", marks, 0, MAX_MARKS),
        ("nests", nests, 0, MAX_MARKS),
    ):
        if not low <= count <= high:
            rules.fail("tiles", f"the files must hold {low} to {high} {what}, not {count}")
    return joined


def _copy_tiles(rules, faces):
    """Return each face as often as `copies` says, which without it is once."""
    if "copies" not in rules.values:
        return tuple(faces)
    copies = Entry(rules.file, "copies", rules.values["copies"], [face.id for face in faces])
    return tuple(face for face in faces for _ in range(copies.whole(face.id, 0, MAX_TILES, 0)))


def _read_table(rules, tiles):
    """Return the board, the tiles of the deck and the start tile of a game without wall (rule C1)."""
    for field in ("wall", "widened", "halting_gates", "tokens"):
        if rules.values.get(field):
            rules.fail(field, "there is no wall where there is a table")
    _check_ids(tiles, rules.file, ())
    table = Entry(rules.file, "table", rules.values["table"], ("start", "window"))
    all_tiles = _join_tiles(rules, tiles, ())
    name = table.choice("start", sorted({tile.id for tile in all_tiles}))
    first = next(number for number, tile in enumerate(all_tiles) if tile.id == name)
    board = OpenTable(len(all_tiles), table.whole("window", 1, len(all_tiles)))
    if len(all_tiles) < 2 or board.window > board.period or board.window % 2 == 0:
        largest = board.period - 1 + board.period % 2
        table.fail("window", f"must be an odd number, for {len(all_tiles)} tiles at most {largest}, not {board.window}")
    return {"board": board, "tiles": all_tiles[:first] + all_tiles[first + 1 :], "start_tile": all_tiles[first]}


def _check_ids(tiles, wall_path, starts):
    """Fail where two tiles, of whichever file, or start spaces have one id."""
    items = [(path, "tile", tile.id) for path in tiles for tile in tiles[path]]
    items += [(wall_path, "start", start.id) for start in starts]
    seen = set()
    for path, kind, name in items:
        if name in seen:
            raise ComponentError(f"{path}: {kind} {name}, id: is given more than once")
        seen.add(name)
