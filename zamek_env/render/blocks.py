"""Draws one tile in characters, which `text.py` explains."""

from collections import Counter
from collections.abc import Iterable

from zamek_env.components.model import NUM_SIDES, PORTS_PER_SIDE, STEP, Components, Segment, Tile, rotated_port

WIDTH, HEIGHT = 5, 3  # characters of a tile inside its frame: each of its twelve ports has one of its own
MIDDLE = WIDTH // 2
MARKS = {"shrines": "+", "stocks": "#", "shields": "▼"}
OTHER_MARK = "*"
NEST = "^"
PIECES = {"follower": "01234", "prince": "♔♚", "falconer": "♗♝"}  # of each player
OTHER_PIECE = "☆★"
FOUNTAIN = "◎"
FOUNTAIN_ARMS = 3
TWO_BENDS = "╲╱"  # that do not touch: ╚ and ╗, ╔ and ╝
APART = "·"  # between ends that do not meet
ROADS = " ╨╞╚╥║╔╠╡╝═╩╗╣╦╬"  # by arms: north 1 + east 2 + south 4 + west 8
MIDDLES = tuple(PORTS_PER_SIDE * side + 1 for side in range(NUM_SIDES))


def draw_block(
    components: Components, tile: Tile, rotation: int, followers: Iterable[tuple[int, str, str]] = ()
) -> list[str]:
    """Return `HEIGHT` rows of a turned tile; `followers` are (player, segment name, piece)."""
    at_port = {rotated_port(port, rotation): segment for segment in tile.segments for port in segment.ports}
    middle = _lay_middle(tile, at_port)
    places = _lay_places(at_port) | middle
    roads = {place: glyph for place, glyph in _draw_roads(at_port).items() if place not in middle}
    for segment in tile.segments:
        _borrow_places(places, segment, roads)
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    letters = {feature.name: feature.letter for feature in components.features}
    for (row, column), segment in places.items():
        rows[row][column] = letters[segment.feature] if segment else " "
    for (row, column), glyph in roads.items():
        rows[row][column] = glyph
    marks = {feature.name: MARKS.get(feature.mark or "", OTHER_MARK) for feature in components.features}
    for segment in tile.segments:
        signs = [PIECES.get(piece, OTHER_PIECE)[player] for player, name, piece in followers if name == segment.name]
        signs += [marks[segment.feature]] * segment.marks + [NEST] * segment.nests
        own = [place for place, other in places.items() if other is segment]
        for (row, column), sign in zip(sorted(own, key=_standing_order), signs, strict=False):
            rows[row][column] = sign
    return ["".join(row) for row in rows]


def _lay_places(at_port):
    """Return (row, column) -> segment for every place of the block."""
    places: dict[tuple[int, int], Segment | None] = {}
    for row, (west, left, road, right, east) in ((0, (11, 0, 1, 2, 3)), (HEIGHT - 1, (9, 8, 7, 6, 5))):
        ground = [at_port.get(left)] * (MIDDLE - 1) + [at_port.get(road) or at_port.get(left)]
        ground += [at_port.get(right)] * (MIDDLE - 1)
        ends = at_port.get(west) or ground[0], at_port.get(east) or ground[-1]
        places |= {(row, column): segment for column, segment in enumerate((ends[0], *ground, ends[1]))}
    trunk, centre = _find_trunk(at_port), _find_centre(at_port)
    has_road = any(port in at_port for port in MIDDLES)
    for road, half, columns in ((10, 11, range(MIDDLE)), (4, 3, range(WIDTH - 1, MIDDLE, -1))):
        edge, *_, inmost = columns
        inside = at_port.get(road) or trunk or at_port.get(half)
        places |= {(1, column): inside for column in columns}
        places[1, edge] = at_port.get(road) or at_port.get(half)
        if not has_road:
            places[1, inmost] = centre
    places[1, MIDDLE] = centre
    return places


def _borrow_places(places, segment, roads):
    """Give `segment` enough places for all its possible signs, taken from neighbours with more; writes `places`."""
    owned = Counter(id(owner) for owner in places.values())
    while owned[id(segment)] < _count_signs(segment):
        beside = [
            (row + down, column + right)
            for (row, column), owner in places.items()
            if owner is segment
            for down, right in STEP
        ]
        spare = {
            place: owned[id(places[place])] - _count_signs(places[place])
            for place in beside
            if place in places and place not in roads and places[place] is not segment
        }
        place = max(spare, key=spare.__getitem__, default=None)
        if place is None or spare[place] < 1:
            return
        owned[id(places[place])] -= 1
        owned[id(segment)] += 1
        places[place] = segment


def _count_signs(segment):
    """Return the most signs on `segment` at once: a piece, marks and nests."""
    return 0 if segment is None else 1 + segment.marks + segment.nests


def _lay_middle(tile, at_port):
    """Return (row, column) -> the segment without ports that shows in the centre, where the tile has one."""
    beside = () if any(MIDDLES[side] in at_port for side in (1, 3)) else (MIDDLE - 1, MIDDLE + 1)
    return {(1, column): s for s in tile.segments if not s.ports for column in (*beside, MIDDLE)}


def _find_trunk(at_port):
    """Return the segment that shows on two opposite sides and hence across the middle, or None."""
    ground = [at_port.get(PORTS_PER_SIDE * side + place) for side in range(NUM_SIDES) for place in (0, 2)]
    runs = [segment for number, segment in enumerate(ground) if segment is not ground[number - 1]]
    return next((segment for segment in runs if segment and sum(other is segment for other in runs) > 1), None)


def _find_centre(at_port):
    """Return the road that runs through the centre, else the segment that covers most of the tile."""
    roads = [at_port[port] for port in MIDDLES if port in at_port]
    ground = [segment for port, segment in at_port.items() if port not in MIDDLES]
    largest = max(ground, key=lambda segment: sum(other is segment for other in ground), default=None)
    return roads[0] if roads else _find_trunk(at_port) or largest


def _draw_roads(at_port):
    """Return (row, column) -> glyph of the roads."""
    arms = {side: at_port[port] for side, port in enumerate(MIDDLES) if port in at_port}
    glyphs: dict[tuple[int, int], str] = {}
    for side in arms:
        if side % 2:
            columns = range(MIDDLE + 1, WIDTH) if side == 1 else range(MIDDLE)
            glyphs |= {(1, column): "═" for column in columns}
        else:
            glyphs[side // 2 * (HEIGHT - 1), MIDDLE] = "║"
    if arms:
        glyphs[1, MIDDLE] = _join_arms(list(arms.items()))
    return glyphs


def _join_arms(arms):
    """Return the glyph in the centre: which of the (side, segment) arms meet there."""
    masks: dict[str, int] = {}
    for side, segment in arms:
        masks[segment.name] = masks.get(segment.name, 0) + (1 << side)
    ends = [mask for mask in masks.values() if mask in (1, 2, 4, 8)]
    joined = [mask for mask in masks.values() if mask not in ends]
    if len(ends) >= FOUNTAIN_ARMS:
        return FOUNTAIN
    if len(joined) > 1:
        return TWO_BENDS[ROADS[joined[0]] in "╔╝"]
    if joined:
        return ROADS[joined[0]]
    return ROADS[ends[0]] if len(ends) == 1 else APART


def _standing_order(place):
    """Sort places so that pieces avoid the centre and the border where possible."""
    row, column = place
    return place == (1, MIDDLE), row != 1, column in (0, WIDTH - 1), abs(column - MIDDLE), row, column
