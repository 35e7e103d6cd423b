"""The wall widened at its gates: a column and a row more, and start spaces in some of the gates (rule S1).

A column is inserted between the two columns at whose border the northern and the southern gate stand, and a row
likewise at the eastern and the western one. A space of it lies inside the wall where both its neighbours do.
All that lies beyond moves by one.

    . . # #          . . . # #        gates N and S before column 3,
    # # # #    ─▶    # # # # #        a start space in the gate N touches (1, 3)
    # # # #          # # # # #
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zamek_env.common.messages import show
from zamek_env.components.faces import read_start_face
from zamek_env.components.json_entry import Entry
from zamek_env.components.model import SIDES, Feature, Start, Tile, Wall

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
    """Return `wall` with a column and a row more, the start spaces in the `gates`, and the gates on its track."""
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
    starts = tuple(replace(start, cell=_moved_cell(start.cell, axis, line)) for start in wall.starts)
    name = ("y", "x")[axis]
    track = tuple(
        replace(field, **{name: getattr(field, name) + (getattr(field, name) >= line)}) for field in wall.track
    )
    return replace(wall, interior=interior, starts=starts, track=track)


def _moved_cell(cell, axis, line):
    return tuple(along + (number == axis and along >= line) for number, along in enumerate(cell))


def _find_start(wall, gate, inserted):
    """Return the start space in a gate: it touches the outermost space of the inserted line on the gate's side."""
    on_line = [cell for cell in wall.cells if cell[gate.axis] == inserted[gate.axis]]
    across = 1 - gate.axis
    outermost = min if SIDES[gate.side] in "NW" else max
    return Start(outermost(on_line, key=lambda cell: cell[across]), gate.side, gate.start)
