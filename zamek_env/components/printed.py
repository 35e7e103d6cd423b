"""Reads what is printed: the faces of tiles and start spaces (rule Z7), and the wall with its track, towers and gates.

A wall is widened at its gates by a column and a row, and by start spaces in some of the gates (rule S1). A column is
inserted between the two columns at whose border the northern and the southern gate stand, and a row likewise at the
eastern and the western one. A space of it lies inside the wall where both its neighbours do. All that lies beyond moves
by one.

    . . # #          . . . # #        gates N and S before column 3,
    # # # #    ─▶    # # # # #        a start space in the gate N touches (1, 3)
    # # # #          # # # # #
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from zamek_env.common.messages import show
from zamek_env.components.json_entry import Entry, read_entry
from zamek_env.components.model import (
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    SIDES,
    STEP,
    Feature,
    Field,
    Segment,
    Start,
    Tile,
    Wall,
    opposite_side,
)

TILE_FIELDS = ("id", "n", "e", "s", "w")
START_FIELDS = ("id", "cell", "side", "face")
NESTS_FIELD = "nests"
APART_FIELD = "apart"  # segments that do not touch what they otherwise would (rule C8)


def name_of_face(kind: str, number: int, values: Any) -> str:
    """Return the name of the item at `number` of its list, for errors: its id where it has one."""
    name = values.get("id") if isinstance(values, dict) else None
    return f"{kind} {name}" if isinstance(name, str) else f"{kind} number {number + 1}"


def read_tile(entry: Entry, features: Sequence[Feature]) -> Tile:
    """Return the tile that `entry` describes."""
    ports = []
    for side in SIDES.lower():
        ports += _read_side(entry, side, features)
    return _make_tile(entry, ports, features)


def surrounded_fields(features: Iterable[Feature]) -> tuple[str, ...]:
    """Return the fields that list segments without ports: those named after a surrounded feature."""
    return tuple(feature.name for feature in features if feature.surrounded)


def read_start_face(entry: Entry, side: int, features: Sequence[Feature], field: str = "face") -> Tile:
    """Return the face of a start space that lies on `side` of its space: only the side towards it carries ports."""
    towards = opposite_side(side)
    ports = [None] * PORTS_PER_SIDE * towards
    ports += _read_side(entry, field, features)
    ports += [None] * PORTS_PER_SIDE * (NUM_SIDES - 1 - towards)
    return _make_tile(entry, ports, features)


def _read_side(entry, field, features):
    """Return the segment names at the three ports of a side, None for a middle without road (rule Z6)."""
    text = entry.get(field, str)
    names = text.split("|") if "|" in text else text.split()
    names = [name.strip() for name in names]
    by_letter = {feature.letter: feature for feature in features if not feature.surrounded}
    for name in names:
        if name[:1] not in by_letter or not name[1:].isdecimal():
            allowed = ", ".join(f"{letter} ({feature.name})" for letter, feature in by_letter.items())
            problem = f"unknown segment {name!r} in {text!r}"
            entry.fail(field, f"{problem}; a name is a letter and a number, the letters: {allowed}")
    middles = [by_letter[name[0]].middle for name in names]
    if middles == [False]:
        return [names[0], None, names[0]]
    if middles == [False, False] and "|" in text:
        edges = [by_letter[name[0]].edge for name in names]
        if edges[0] != edges[1]:
            counted = f"one half counts as {show(edges[0])}, the other as {show(edges[1])}"
            entry.fail(field, f"{text!r} has no edge to match: {counted}")
        return [names[0], None, names[1]]
    if middles == [False, True, False] and "|" not in text:
        return names
    side = next((letter for letter, feature in reversed(by_letter.items()) if not feature.middle), "")
    across = (f'"{side}1 {letter}1 {side}2"' for letter, feature in by_letter.items() if feature.middle)
    ways = ", ".join((f'"{side}1"', f'"{side}1|{side}2"', *across))
    entry.fail(field, f"{text!r} does not fill the {PORTS_PER_SIDE} ports: write it like one of {ways}")


def _check_untorn(entry, ports):
    """Pieces of one name are connected, so no two segments may cross on the face (rule Z7)."""
    names = [name for name in ports if name is not None]
    for first in dict.fromkeys(names):
        for second in dict.fromkeys(names):
            turns = [name for name in names if name in (first, second)]
            changes = sum(a != b for a, b in pairwise([*turns, turns[0]]))
            if first != second and changes > 2:
                entry.fail("", f"segment {first} is torn apart by {second}: one of them cannot be connected")


def _make_tile(entry, ports, features):
    _check_untorn(entry, ports)
    names = {name: None for name in ports if name is not None} | dict.fromkeys(_read_surrounded(entry, features))
    marks = {feature.name: entry.texts(feature.mark, []) for feature in features if feature.mark in entry.values}
    nests = entry.texts(NESTS_FIELD, [])
    by_letter = {feature.letter: feature for feature in features}
    segments = []
    for name in names:
        feature = by_letter[name[0]]
        where = tuple(port for port, other in enumerate(ports) if other == name)
        touched = _find_touched(entry, name, names, features)
        marked = marks.get(feature.name, ()).count(name)
        segments.append(Segment(name, feature.name, where, marked, nests.count(name), touched))
    for feature in features:
        known = [segment.name for segment in segments if segment.feature == feature.name]
        _check_named(entry, feature.mark, marks.get(feature.name, ()), known, f"is no {feature.name} on this face")
    completing = [name for name in names if by_letter[name[0]].completes]  # where nests lie, one on a segment (rule S9)
    _check_named(entry, NESTS_FIELD, nests, completing, "is on this face no segment of an area that is completed")
    touching = [name for name in names if by_letter[name[0]].touches]
    problem = "is on this face no segment that touches another"
    _check_named(entry, APART_FIELD, entry.texts(APART_FIELD, []), touching, problem)
    return Tile(entry.name("id"), tuple(segments))


def _read_surrounded(entry, features):
    """Return the names of the segments without ports."""
    names = []
    for feature in features:
        for name in entry.texts(feature.name, []) if feature.surrounded else ():
            if name[:1] != feature.letter or not name[1:].isdecimal():
                entry.fail(feature.name, f"must hold names of the letter {feature.letter} and a number, not {name!r}")
            names.append(name)
    if len(names) > 1:
        entry.fail("", f"has {len(names)} segments without ports ({', '.join(names)}); it can have one at most")
    return names


def _find_touched(entry, name, names, features):
    """Return the segments on this face that `name` touches: all of the feature it touches, unless it is set apart."""
    touches = {feature.letter: feature.touches for feature in features}
    letters = [feature.letter for feature in features if feature.name == touches[name[0]]]
    apart = entry.texts(APART_FIELD, [])
    return tuple(other for other in names if other[0] in letters and name not in apart)


def _check_named(entry, field, names, known, problem):
    """Fail unless the `names` that a field lists are of those `known`, and each of them is listed once."""
    for name in names:
        if name not in known:
            entry.fail(field, f"{name!r} {problem}; it has {', '.join(known) or 'none'}")
    entry.check_unique(field, names)


# --- the wall ---

MAX_SPACES = 1000  # with four actions each and at most 100 others, the numbers of actions stay far within 16 bits
MAX_LINES = 100  # rows, and columns: with a line more at the gates 101 * 101 squares, numbered in 16 bits
MAX_DISTANCE = 1000.0  # of a track field from the north-west corner, in tile sides

WALL_FIELDS = ("note", "interior", "towers", "towerless", "gates", "starts", "track")
TRACK_FIELDS = ("field", "x", "y", "on", "cell", "side", "vertex", "bend", "tower")


def read_wall(path: Path, features: Sequence[Feature], num_tokens: int, widened: bool) -> Wall:
    """Return the `Wall` in the file at `path`, `widened` at its gates or not; `num_tokens` are there for its towers."""
    entry = read_entry(path, WALL_FIELDS)
    interior = _read_interior(entry)
    fields = entry.entries("track", lambda number, values: f"track field {number}", TRACK_FIELDS)
    for number, field in enumerate(fields):
        field.whole("field", number, number)
    if len(fields) < NUM_ROTATIONS:
        entry.fail("track", f"has only {len(fields)} fields")
    track = tuple(Field(field.number("x", MAX_DISTANCE), field.number("y", MAX_DISTANCE)) for field in fields)
    towers = _read_towers(entry, len(track))
    towerless = _read_towerless(entry, towers)
    if len(towers) - len(towerless) > num_tokens:
        entry.fail("towers", f"{len(towers) - len(towerless)} towers want a token, but there are only {num_tokens}")
    marks = tuple(feature.mark for feature in features if feature.mark)
    entries = entry.entries("starts", partial(name_of_face, "start"), (*START_FIELDS, *marks))
    starts = tuple(_read_start(start, features, interior) for start in entries)
    entry.check_unique("starts", [f"the {SIDES[start.side]} side of {list(start.cell)}" for start in starts])
    if not starts:
        entry.fail("starts", "there must be one at least, for the first tile to touch")
    wall = Wall(interior, starts, track, towers, frozenset(towerless))
    if widened:
        wall = widen(wall, read_gates(entry, features, wall))
        if len(wall.cells) > MAX_SPACES:
            entry.fail("gates", f"widened at them the wall has {len(wall.cells)} spaces, more than {MAX_SPACES}")
    return wall


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


GATE_FIELDS = ("between", "side", "row", "column", "start")
_AXIS_NAMES = ("row", "column")


@dataclass(frozen=True)
class Gate:
    """A gate as the wall file describes it."""

    fields: tuple[int, int]  # of the track, before and after it
    side: int  # of the castle on which it stands
    line: int  # of the columns (N, S) or rows (E, W) the one before which it stands
    start: Tile | None  # the face of the start space in it

    @property
    def axis(self) -> int:
        """0 where the gate adds a row, 1 where it adds a column."""
        return 1 - self.side % 2


def read_gates(entry: Entry, features: Sequence[Feature], wall: Wall) -> tuple[Gate, ...]:
    """Return the four gates of a wall file, one on each side."""
    entries = entry.entries("gates", lambda number, values: f"gate {number}", GATE_FIELDS)
    gates = tuple(_read_gate(gate, features, wall) for gate in entries)
    if sorted(gate.side for gate in gates) != list(range(len(SIDES))):
        entry.fail("gates", f"there must be one on each of the sides {', '.join(SIDES)}")
    entry.check_unique("gates", [field for gate in gates for field in gate.fields])
    for axis, name in enumerate(_AXIS_NAMES):
        lines = [gate.line for gate in gates if gate.axis == axis]
        if len(set(lines)) > 1:
            entry.fail("gates", f"facing gates must stand at the same {name}, not at {lines}")
        if not any(_is_crossed(wall.interior, axis, lines[0])):
            entry.fail("gates", f"at {name} {lines[0]} no space inside the wall lies between two others")
    return gates


def _read_gate(entry, features, wall):
    fields, side = entry.whole_pair("between"), SIDES.index(entry.choice("side", tuple(SIDES)))
    length, axis = len(wall.track), 1 - side % 2
    if not 0 <= fields[0] < length or fields[1] != (fields[0] + 1) % length:
        entry.fail("between", f"{show(list(fields))} are not two neighbouring fields of the track")
    line = entry.whole(_AXIS_NAMES[axis], 1, wall.shape[axis] - 1)
    face = entry.get("start", str, None)
    if face is None:
        return Gate(fields, side, line, None)
    named = Entry(entry.file, entry.item, {"id": f"gate {fields[0]}", "start": face}, ("id", "start"))
    return Gate(fields, side, line, read_start_face(named, side, features, "start"))


def widen(wall: Wall, gates: Sequence[Gate]) -> Wall:
    """Return `wall` with one more column and row, the start spaces in the `gates`, and the gates on its track."""
    column, row = (next(gate.line for gate in gates if gate.axis == axis) for axis in (1, 0))
    wider = _insert(_insert(wall, 1, column), 0, row)
    starts = tuple(_find_start(wider, gate, (row, column)) for gate in gates if gate.start is not None)
    order = sorted(gate.fields for gate in gates)
    return replace(wider, starts=wider.starts + starts, gates=tuple(order))


def _is_crossed(interior, axis, line):
    """Return for each space of a line inserted before `line` whether it lies inside: both its neighbours do."""
    if axis == 0:
        return [before == after == "#" for before, after in zip(interior[line - 1], interior[line], strict=True)]
    return [row[line - 1] == row[line] == "#" for row in interior]


def _insert(wall, axis, line):
    """Return `wall` with a row (`axis` 0) or a column (1) inserted before `line`."""
    inside = ["#" if crossed else "." for crossed in _is_crossed(wall.interior, axis, line)]
    if axis == 0:
        interior = (*wall.interior[:line], "".join(inside), *wall.interior[line:])
    else:
        interior = tuple(row[:line] + space + row[line:] for row, space in zip(wall.interior, inside, strict=True))
    starts = tuple(
        replace(
            start, cell=tuple(along + (number == axis and along >= line) for number, along in enumerate(start.cell))
        )
        for start in wall.starts
    )
    name = ("y", "x")[axis]
    track = tuple(
        replace(field, **{name: getattr(field, name) + (getattr(field, name) >= line)}) for field in wall.track
    )
    return replace(wall, interior=interior, starts=starts, track=track)


def _find_start(wall, gate, inserted):
    """Return the start space in a gate: it touches the outermost space of the inserted line on the gate's side."""
    on_line = [cell for cell in wall.cells if cell[gate.axis] == inserted[gate.axis]]
    across = 1 - gate.axis
    outermost = min if SIDES[gate.side] in "NW" else max
    return Start(outermost(on_line, key=lambda cell: cell[across]), gate.side, gate.start)
