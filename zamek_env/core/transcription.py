"""Reads component files and checks them, so that a typing slip is found before a game is played.

A ruleset file (`zamek.json`) names its features, tokens and switches and the two kinds of files with what is printed:
the wall (`zamek_wall.json`) and the tiles (`zamek_tiles.json`). The packaged files lie in `zamek_env/data/`.
"""

from itertools import pairwise
from pathlib import Path

from zamek_env.core.components import (
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    SIDES,
    STEP,
    TOKEN_USES,
    Components,
    Feature,
    Field,
    Segment,
    Start,
    Tile,
    Token,
    Wall,
    opposite_side,
)
from zamek_env.core.entry import ComponentError, read_entry

DATA = Path(__file__).parent.parent / "data"
RULESETS = ("zamek",)
MAX_POINTS = 100
MAX_FOLLOWERS = 100
MAX_TOKENS = 100

_TILE_FIELDS = ("id", "n", "e", "s", "w")
_START_FIELDS = ("id", "cell", "side", "face")
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
    if not folder.is_dir():
        raise ComponentError(f"{folder}: is not a folder with component files")
    rules_path = _find(folder, f"{ruleset}.json")
    rules = read_entry(rules_path, _RULESET_FIELDS)
    wall_path = _find(folder, rules.get("wall", str))
    tile_paths = [_find(folder, name) for name in rules.texts("tiles")]
    if not any(found.parent == folder for found in (rules_path, wall_path, *tile_paths)):
        names = ", ".join(found.name for found in (rules_path, wall_path, *tile_paths))
        raise ComponentError(f"{folder}: holds none of {names}")

    edges = rules.texts("edges")
    features = _read_features(rules, edges)
    tokens = _read_tokens(rules, features)
    tiles = tuple(tile for tile_path in tile_paths for tile in _read_tiles(tile_path, features))
    wall = _read_wall(wall_path, features, sum(token.count for token in tokens))
    _check_ids(tile_paths[-1], tiles, wall.starts)
    return Components(
        name=rules.choice("name", (ruleset,)),
        followers=rules.whole("followers", 1, MAX_FOLLOWERS),
        edges=edges,
        features=features,
        tokens=tokens,
        tiles=tiles,
        wall=wall,
    )


def _find(folder, name):
    found = folder / name
    return found if found.exists() else DATA / name


# --- the ruleset file ---


def _read_features(rules, edges):
    entries = rules.entries("features", lambda number, values: f"feature {number}", _FEATURE_FIELDS)
    features = tuple(
        Feature(
            name=entry.get("name", str),
            letter=entry.get("letter", str),
            role=entry.get("role", str),
            edge=entry.choice("edge", edges),
            middle=entry.get("middle", bool, False),
            completes=entry.get("completes", bool),
            points=entry.whole("points", 0, MAX_POINTS, 0),
            mark=entry.get("mark", str, None),
            marked_points=entry.whole("marked_points", 0, MAX_POINTS, 0),
            mark_points=entry.whole("mark_points", 0, MAX_POINTS, 0),
            family_house=entry.get("family_house", bool, False),
        )
        for entry in entries
    )
    for field in ("name", "letter"):
        _check_unique(rules, "features", [getattr(feature, field) for feature in features])
    return features


def _read_tokens(rules, features):
    names = [feature.name for feature in features]
    entries = rules.entries("tokens", lambda number, values: f"token {number}", _TOKEN_FIELDS)
    tokens = tuple(
        Token(
            kind=entry.whole("kind", 1, MAX_TOKENS),
            count=entry.whole("count", 1, MAX_TOKENS),
            use=entry.choice("use", TOKEN_USES),
            feature=entry.choice("feature", names, None),
            points=entry.whole("points", 0, MAX_POINTS, 0),
        )
        for entry in entries
    )
    if [token.kind for token in tokens] != list(range(1, len(tokens) + 1)):
        rules.fail("tokens", f"kinds must be 1 to {len(tokens)} in order")
    _check_unique(rules, "tokens", [token.feature for token in tokens if token.use == "completed area"])
    return tokens


# --- tiles and start spaces ---


def _read_tiles(path, features):
    fields = ("note", "tiles")
    marks = tuple(feature.mark for feature in features if feature.mark)
    entries = read_entry(path, fields).entries("tiles", _tile_name, (*_TILE_FIELDS, *marks))
    return tuple(_read_tile(entry, features) for entry in entries)


def _tile_name(number, values):
    name = values.get("id") if isinstance(values, dict) else None
    return f"tile {name}" if isinstance(name, str) else f"tile number {number + 1}"


def _read_start(entry, features, interior):
    cell, side = entry.whole_pair("cell"), SIDES.index(entry.choice("side", tuple(SIDES)))
    beyond = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
    if not _is_interior(interior, cell):
        entry.fail("cell", f"{list(cell)} is not a space inside the wall")
    if _is_interior(interior, beyond):
        entry.fail("side", f"the {SIDES[side]} side of {list(cell)} does not lie on the wall")
    towards = opposite_side(side)
    ports = [None] * PORTS_PER_SIDE * towards
    ports += _read_side(entry, "face", features)
    ports += [None] * PORTS_PER_SIDE * (NUM_SIDES - 1 - towards)
    _check_untorn(entry, ports)
    return Start(cell, side, _make_tile(entry, ports, features))


def _check_ids(path, tiles, starts):
    ids = [tile.id for tile in tiles] + [start.id for start in starts]
    for name in ids:
        if ids.count(name) > 1:
            raise ComponentError(f"{path}: tile {name}, id: is given {ids.count(name)} times")


def _check_unique(entry, field, values):
    for value in values:
        if values.count(value) > 1:
            entry.fail(field, f"{value!r} is given {values.count(value)} times")


# --- the wall ---


def _read_wall(path, features, num_tokens):
    entry = read_entry(path, _WALL_FIELDS)
    interior = _read_interior(entry)
    marks = tuple(feature.mark for feature in features if feature.mark)
    starts = entry.entries("starts", lambda number, values: _start_name(number, values), (*_START_FIELDS, *marks))
    track = _read_track(entry)
    towers = _read_towers(entry, len(track))
    towerless = entry.get("towerless", list, [])
    for field in towerless:
        if field not in [first for first, _ in towers]:
            entry.fail("towerless", f"{field!r} is not the first field of a tower")
    if len(towers) - len(towerless) > num_tokens:
        entry.fail("towers", f"{len(towers) - len(towerless)} towers want a token, but there are only {num_tokens}")
    return Wall(
        interior=interior,
        starts=tuple(_read_start(start, features, interior) for start in starts),
        track=track,
        towers=towers,
        towerless=frozenset(towerless),
    )


def _start_name(number, values):
    return _tile_name(number, values).replace("tile", "start", 1)


def _read_interior(entry):
    rows = entry.texts("interior")
    if not any("#" in row for row in rows):
        entry.fail("interior", "has no space: a space is written #")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or set(row) - set("#."):
            entry.fail("interior", f"row {number} must be {len(rows[0])} characters # or ., not {row!r}")
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
    return tuple(Field(field.get("x", float), field.get("y", float)) for field in fields)


def _read_towers(entry, length):
    towers = tuple(entry.pair("towers", fields) for fields in entry.get("towers", list))
    for first, second in towers:
        if not 0 <= first < length or not 0 <= second < length:
            entry.fail("towers", f"{[first, second]} lies off the track, whose fields are 0 to {length - 1}")
        if second != (first + 1) % length:
            entry.fail("towers", f"{[first, second]} are not two neighbouring fields")
    covered = [field for tower in towers for field in tower]
    _check_unique(entry, "towers", covered)
    return towers
