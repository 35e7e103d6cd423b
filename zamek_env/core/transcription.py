"""Reads component files and checks them, so that a typing slip is found before a game is played.

A ruleset file (`zamek.json`) names its features, tokens and switches and the two kinds of files with what is printed:
the wall (`zamek_wall.json`) and the tiles (`zamek_tiles.json`). Where it tells of a table instead of a wall, the board
has no border (`carcassonne.json`). It may extend another one (`sokol.json`): its lists continue the lists of that, all
else that it says replaces what that says. The packaged files lie in `zamek_env/data/`.
"""

import os
from functools import partial
from pathlib import Path

from zamek_env.core.components import Components
from zamek_env.core.entry import ComponentError, Entry, read_entry
from zamek_env.core.faces import (
    APART_FIELD,
    NESTS_FIELD,
    TILE_FIELDS,
    name_of_face,
    read_tile,
    surrounded_fields,
)
from zamek_env.core.open_table import OpenTable
from zamek_env.core.ruleset_file import RULESET_FIELDS, read_rules
from zamek_env.core.walls import read_wall

DATA = Path(__file__).parent.parent / "data"
RULESETS = ("zamek", "sokol", "sokol-gates", "carcassonne-demo", "carcassonne", "carcassonne-no-farmers")
MAX_TILES = 254  # 1 + the number of a tile fits a byte of an observation
MAX_MARKS = 255  # of one area, kept in a byte; so are its nests


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

    told = [read_rules(file) for file in files][-1]  # each is checked, so that an error names the file it stands in
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
        files.append(read_entry(path, RULESET_FIELDS))
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
    for field in ("wall", "widened", "halting_gates", "tokens", "nests"):
        if rules.values.get(field):
            rules.fail(field, "goes with a wall, not with a table")
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
