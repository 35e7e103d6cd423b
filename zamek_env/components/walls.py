"""Reads a wall file: the spaces inside, the start spaces, the score track, its towers, the gates that widen it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from zamek_env.common.messages import show
from zamek_env.components.faces import START_FIELDS, name_of_face, read_start_face
from zamek_env.components.json_entry import read_entry
from zamek_env.components.model import NUM_ROTATIONS, SIDES, STEP, Feature, Field, Start, Wall
from zamek_env.components.widening import read_gates, widen

MAX_SPACES = 1000  # with four actions each and at most 100 others, the numbers of actions stay far within 16 bits
MAX_LINES = 100  # rows, and columns: with a line more at the gates 101 * 101 squares, numbered in 16 bits
MAX_DISTANCE = 1000.0  # of a track field from the north-west corner, in tile sides

WALL_FIELDS = ("note", "interior", "towers", "towerless", "gates", "starts", "track")
TRACK_FIELDS = ("field", "x", "y", "on", "cell", "side", "vertex", "bend", "tower")


def read_wall(path: Path, features: Sequence[Feature], num_tokens: int, widened: bool) -> Wall:
    """Return the `Wall` in the file at `path`, `widened` at its gates or not; `num_tokens` are there for its towers."""
    entry = read_entry(path, WALL_FIELDS)
    interior = _read_interior(entry)
    track = _read_track(entry)
    towers = _read_towers(entry, len(track))
    towerless = _read_towerless(entry, towers)
    if len(towers) - len(towerless) > num_tokens:
        entry.fail("towers", f"{len(towers) - len(towerless)} towers want a token, but there are only {num_tokens}")
    wall = Wall(interior, _read_starts(entry, features, interior), track, towers, frozenset(towerless))
    if widened:
        wall = widen(wall, read_gates(entry, features, wall))
        if len(wall.cells) > MAX_SPACES:
            entry.fail("gates", f"widened at them the wall has {len(wall.cells)} spaces, more than {MAX_SPACES}")
    return wall


def _read_starts(entry, features, interior):
    marks = tuple(feature.mark for feature in features if feature.mark)
    entries = entry.entries("starts", partial(name_of_face, "start"), (*START_FIELDS, *marks))
    starts = tuple(_read_start(start, features, interior) for start in entries)
    entry.check_unique("starts", [f"the {SIDES[start.side]} side of {list(start.cell)}" for start in starts])
    if not starts:
        entry.fail("starts", "there must be one at least, for the first tile to touch")
    return starts


def _read_start(entry, features, interior):
    cell, side = entry.whole_pair("cell"), SIDES.index(entry.choice("side", tuple(SIDES)))
    beyond = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
    if not _is_interior(interior, cell):
        entry.fail("cell", f"{show(list(cell))} is not a space inside the wall")
    if _is_interior(interior, beyond):
        entry.fail("side", f"the {SIDES[side]} side of {list(cell)} does not lie on the wall")
    return Start(cell, side, read_start_face(entry, side, features))


def _read_interior(entry):
    rows = entry.texts("interior")
    if len(rows) > MAX_LINES or (rows and len(rows[0]) > MAX_LINES):
        entry.fail("interior", f"must have at most {MAX_LINES} rows and columns, not {len(rows)} and {len(rows[0])}")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or set(row) - set("#."):
            entry.fail("interior", f"row {number} must be {len(rows[0])} characters # or ., not {show(row)}")
    spaces = sum(row.count("#") for row in rows)
    if not 1 <= spaces <= MAX_SPACES:
        entry.fail("interior", f"must have 1 to {MAX_SPACES} spaces, each written #, not {spaces}")
    return rows


def _is_interior(interior, cell):
    row, column = cell
    return 0 <= row < len(interior) and 0 <= column < len(interior[0]) and interior[row][column] == "#"


def _read_track(entry):
    fields = entry.entries("track", lambda number, values: f"track field {number}", TRACK_FIELDS)
    for number, field in enumerate(fields):
        field.whole("field", number, number)
    if len(fields) < NUM_ROTATIONS:
        entry.fail("track", f"has only {len(fields)} fields")
    return tuple(Field(field.number("x", MAX_DISTANCE), field.number("y", MAX_DISTANCE)) for field in fields)


def _read_towers(entry, length):
    towers = tuple(entry.pair("towers", fields) for fields in entry.get("towers", list))
    for first, second in towers:
        if not 0 <= first < length or not 0 <= second < length:
            entry.fail("towers", f"{show([first, second])} lies off the track, whose fields are 0 to {length - 1}")
        if second != (first + 1) % length:
            entry.fail("towers", f"{[first, second]} are not two neighbouring fields")
    covered = [field for tower in towers for field in tower]
    entry.check_unique("towers", covered)
    return towers


def _read_towerless(entry, towers):
    towerless = entry.get("towerless", list, [])
    for field in towerless:
        if type(field) is not int or field not in [first for first, _ in towers]:
            entry.fail("towerless", f"{show(field)} is not the first field of a tower")
    entry.check_unique("towerless", towerless)
    return towerless
