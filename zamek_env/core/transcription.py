"""Reads component files and checks them, so that a typing slip is found before a game is played.

A ruleset file (`zamek.json`) names its features, tokens and switches and the two kinds of files with what is printed:
the wall (`zamek_wall.json`) and the tiles (`zamek_tiles.json`). The packaged files lie in `zamek_env/data/`.
"""

import os
from functools import partial
from pathlib import Path

from zamek_env.core.components import (
    NUM_ROTATIONS,
    SIDES,
    STEP,
    TOKEN_USES,
    Components,
    Feature,
    Field,
    Start,
    Token,
    Wall,
)
from zamek_env.core.entry import ComponentError, read_entry
from zamek_env.core.faces import START_FIELDS, TILE_FIELDS, name_of_face, read_start_face, read_tile

DATA = Path(__file__).parent.parent / "data"
RULESETS = ("zamek",)
MAX_POINTS = 100
MAX_FOLLOWERS = 100
MAX_TOKENS = 100
MAX_TILES = 254  # 1 + the number of a tile fits a byte of an observation
MAX_MARKS = 255  # of one area, kept in a byte
MAX_SPACES = 1000  # actions are kept in 16 bits, four of them a space
MAX_DISTANCE = 1000.0  # of a track field from the north-west corner, in tile sides

_WALL_FIELDS = ("note", "interior", "towers", "towerless", "gates", "starts", "track")
_TRACK_FIELDS = ("field", "x", "y", "on", "cell", "side", "vertex", "bend", "tower")
_RULESET_FIELDS = ("name", "wall", "tiles", "followers", "edges", "features", "tokens")
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
    rules_path = _find(folder, f"{ruleset}.json")
    rules = read_entry(rules_path, _RULESET_FIELDS)
    wall_path = _find(folder, rules.get("wall", str))
    rules.check_unique("tiles", rules.texts("tiles"))
    tile_paths = [_find(folder, name) for name in rules.texts("tiles")]
    if not any(found.parent == folder for found in (rules_path, wall_path, *tile_paths)):
        names = ", ".join(found.name for found in (rules_path, wall_path, *tile_paths))
        raise ComponentError(f"{folder}: holds none of {names}")

    edges = rules.texts("edges")
    features = _read_features(rules, edges)
    tokens = _read_tokens(rules, features)
    tiles = {tile_path: _read_tiles(tile_path, features) for tile_path in tile_paths}
    wall = _read_wall(wall_path, features, sum(token.count for token in tokens))
    _check_ids(tiles, wall_path, wall.starts)
    return Components(
        name=rules.choice("name", (ruleset,)),
        followers=rules.whole("followers", 1, MAX_FOLLOWERS),
        edges=edges,
        features=features,
        tokens=tokens,
        tiles=_join_tiles(rules, tiles, wall.starts),
        wall=wall,
    )


def _find(folder, name):
    found, packaged = folder / name, DATA / name
    return packaged if os.path.exists(packaged) and not os.path.exists(found) else found


# --- the ruleset file ---


def _read_features(rules, edges):
    rules.check_unique("edges", edges)
    entries = rules.entries("features", lambda number, values: f"feature {number}", _FEATURE_FIELDS)
    features = tuple(
        Feature(
            name=entry.get("name", str),
            letter=_read_letter(entry),
            role=entry.get("role", str),
            edge=entry.choice("edge", edges),
            middle=entry.get("middle", bool, False),
            completes=entry.get("completes", bool),
            points=entry.whole("points", 0, MAX_POINTS, 0),
            mark=_read_mark(entry),
            marked_points=entry.whole("marked_points", 0, MAX_POINTS, 0),
            mark_points=entry.whole("mark_points", 0, MAX_POINTS, 0),
            family_house=entry.get("family_house", bool, False),
        )
        for entry in entries
    )
    for field in ("name", "letter", "mark"):
        given = [getattr(feature, field) for feature in features]
        rules.check_unique("features", [value for value in given if value is not None])
    for entry, feature in zip(entries, features, strict=True):
        if feature.family_house and not feature.completes:
            entry.fail("family_house", "only an area that is completed can become the family house")
    return features


def _read_letter(entry):
    letter = entry.get("letter", str)
    if len(letter) != 1 or not letter.isalpha():
        entry.fail("letter", f"must be one letter, not {letter!r}")
    return letter


def _read_mark(entry):
    mark = entry.get("mark", str, None)
    if mark in (*TILE_FIELDS, *START_FIELDS):
        entry.fail("mark", f"{mark!r} means something else in the file of tiles or of the wall")
    return mark


def _read_tokens(rules, features):
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


# --- tiles and start spaces ---


def _read_tiles(path, features):
    fields = ("note", "tiles")
    marks = tuple(feature.mark for feature in features if feature.mark)
    entries = read_entry(path, fields).entries("tiles", partial(name_of_face, "tile"), (*TILE_FIELDS, *marks))
    return tuple(read_tile(entry, features) for entry in entries)


def _join_tiles(rules, tiles, starts):
    """Return the tiles of all files. Fails where there are none, or more than the engine's numbers can tell apart."""
    joined = tuple(tile for path in tiles for tile in tiles[path])
    marks = sum(segment.marks for tile in (*joined, *(start.tile for start in starts)) for segment in tile.segments)
    for what, count, low, high in (("tiles", len(joined), 1, MAX_TILES), ("marks", marks, 0, MAX_MARKS)):
        if not low <= count <= high:
            rules.fail("tiles", f"the files must hold {low} to {high} {what}, not {count}")
    return joined


def _read_start(entry, features, interior):
    cell, side = entry.whole_pair("cell"), SIDES.index(entry.choice("side", tuple(SIDES)))
    beyond = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
    if not _is_interior(interior, cell):
        entry.fail("cell", f"{list(cell)} is not a space inside the wall")
    if _is_interior(interior, beyond):
        entry.fail("side", f"the {SIDES[side]} side of {list(cell)} does not lie on the wall")
    return Start(cell, side, read_start_face(entry, side, features))


def _check_ids(tiles, wall_path, starts):
    """Fail where two tiles, of whichever file, or start spaces have one id."""
    items = [(path, "tile", tile.id) for path in tiles for tile in tiles[path]]
    items += [(wall_path, "start", start.id) for start in starts]
    seen = set()
    for path, kind, name in items:
        if name in seen:
            raise ComponentError(f"{path}: {kind} {name}, id: is given more than once")
        seen.add(name)


# --- the wall ---


def _read_wall(path, features, num_tokens):
    entry = read_entry(path, _WALL_FIELDS)
    interior = _read_interior(entry)
    track = _read_track(entry)
    towers = _read_towers(entry, len(track))
    towerless = _read_towerless(entry, towers)
    if len(towers) - len(towerless) > num_tokens:
        entry.fail("towers", f"{len(towers) - len(towerless)} towers want a token, but there are only {num_tokens}")
    return Wall(interior, _read_starts(entry, features, interior), track, towers, frozenset(towerless))


def _read_starts(entry, features, interior):
    marks = tuple(feature.mark for feature in features if feature.mark)
    entries = entry.entries("starts", partial(name_of_face, "start"), (*START_FIELDS, *marks))
    starts = tuple(_read_start(start, features, interior) for start in entries)
    entry.check_unique("starts", [f"the {SIDES[start.side]} side of {list(start.cell)}" for start in starts])
    if not starts:
        entry.fail("starts", "there must be one at least, for the first tile to touch")
    return starts


def _read_interior(entry):
    rows = entry.texts("interior")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or set(row) - set("#."):
            entry.fail("interior", f"row {number} must be {len(rows[0])} characters # or ., not {row!r}")
    spaces = sum(row.count("#") for row in rows)
    if not 1 <= spaces <= MAX_SPACES:
        entry.fail("interior", f"must have 1 to {MAX_SPACES} spaces, each written #, not {spaces}")
    return rows


def _is_interior(interior, cell):
    row, column = cell
    return 0 <= row < len(interior) and 0 <= column < len(interior[0]) and interior[row][column] == "#"


def _read_track(entry):
    fields = entry.entries("track", lambda number, values: f"track field {number}", _TRACK_FIELDS)
    for number, field in enumerate(fields):
        field.whole("field", number, number)
    if len(fields) < NUM_ROTATIONS:
        entry.fail("track", f"has only {len(fields)} fields")
    return tuple(Field(field.number("x", MAX_DISTANCE), field.number("y", MAX_DISTANCE)) for field in fields)


def _read_towers(entry, length):
    towers = tuple(entry.pair("towers", fields) for fields in entry.get("towers", list))
    for first, second in towers:
        if not 0 <= first < length or not 0 <= second < length:
            entry.fail("towers", f"{[first, second]} lies off the track, whose fields are 0 to {length - 1}")
        if second != (first + 1) % length:
            entry.fail("towers", f"{[first, second]} are not two neighbouring fields")
    covered = [field for tower in towers for field in tower]
    entry.check_unique("towers", covered)
    return towers


def _read_towerless(entry, towers):
    towerless = entry.get("towerless", list, [])
    for field in towerless:
        if type(field) is not int or field not in [first for first, _ in towers]:
            entry.fail("towerless", f"{field!r} is not the first field of a tower")
    entry.check_unique("towerless", towerless)
    return towerless
