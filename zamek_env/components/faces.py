"""Reads the face of a tile or a start space: its segments (rule Z7), and the marks on them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from zamek_env.common.messages import show
from zamek_env.components.json_entry import Entry
from zamek_env.components.model import NUM_SIDES, PORTS_PER_SIDE, SIDES, Feature, Segment, Tile, opposite_side

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
    entry.fail(field, f'{text!r} does not fill the {PORTS_PER_SIDE} ports: write "m1", "m1|h1" or "m1 r1 h1"')


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
