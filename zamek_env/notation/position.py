"""The public state of a game in plain Python, for drawing, printing and comparing; and the names of locations.

Numbers of locations become (row, column), or the ids of start spaces. Inside a wall that never changes. On an open
table several cells share a number (`zamek_env.components.open_table`), and which of them is meant follows from what
lies there: tiles lie side by side, all the way back to the start tile.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import NONE
from zamek_env.components.model import NUM_ROTATIONS, STEP, Wall
from zamek_env.core.end_scoring import write_worths
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PHASE_NAMES, PLACE
from zamek_env.ruleset import Ruleset


def find_faces(state: np.record) -> dict[int, int]:
    """Return {number of a location: face} of all tiles on the board."""
    places = zip(state.tile_location.tolist(), state.tile_rotation.tolist(), strict=True)
    return {
        location: tile * NUM_ROTATIONS + rotation
        for tile, (location, rotation) in enumerate(places)
        if location != NONE
    }


def find_locations(ruleset: Ruleset, state: np.record) -> dict[int, tuple[int, int] | str]:
    """Return {number: location} of all spaces and start spaces.

    On an open table these are the cells on which tiles lie, the start tile's first, and the empty ones next to them.
    """
    board = ruleset.components.board
    if isinstance(board, Wall):
        starts = {len(board.cells) + number: start.id for number, start in enumerate(board.starts)}
        return dict(enumerate(board.cells)) | starts
    faces = find_faces(state)
    start = board.find_number((0, 0))
    assert start is not None, "the middle of a table"
    locations: dict[int, tuple[int, int] | str] = {start: (0, 0)}
    waiting = [start]
    for number in waiting:  # grows on the way
        waiting += [beside for beside in add_beside(ruleset, locations, number) if beside in faces]
    return locations


def add_beside(ruleset: Ruleset, locations: dict[int, Any], number: int) -> list[int]:
    """Add to `locations`, which `find_locations` found, what a tile laid on `number` brings; return the new numbers.

    On an open table these are the cells next to it; within a wall nothing is new.
    """
    board = ruleset.components.board
    if isinstance(board, Wall):
        return []
    row, column = locations[number]
    new = []
    for beside, (down, right) in zip(_number_beside(board)[number], STEP, strict=True):
        if beside is not None and beside not in locations:
            locations[beside] = row + down, column + right
            new.append(beside)
    return new


@lru_cache(maxsize=16)
def _number_beside(board):
    """Return, for each number on a table, those of its neighbours, by side; None beyond the edge."""
    return [
        [board.find_number((cell[0] + down, cell[1] + right)) for down, right in STEP] if cell else []
        for cell in board.cells
    ]


def find_tiles(ruleset: Ruleset, state: np.record) -> dict[int, tuple[int, int] | str]:
    """Return {tile number: location} of every tile on the board, and of every start space."""
    faces = find_faces(state)
    return {
        faces[number] // NUM_ROTATIONS: location
        for number, location in find_locations(ruleset, state).items()
        if number in faces
    }


def name_location(ruleset: Ruleset, state: np.record, number: int) -> tuple[int, int] | str:
    """Return the location of that `number`; where nothing lies near it, the cell nearest to the start tile."""
    cells: tuple[Any, ...] = ruleset.components.board.cells
    return find_locations(ruleset, state).get(number) or cells[number]


def find_number(ruleset: Ruleset, state: np.record, location: tuple[int, int]) -> int | None:
    """Return the number of a (row, column), None where there is no space, or no tile next to it on an open table."""
    return next((number for number, other in find_locations(ruleset, state).items() if other == location), None)


@dataclass(frozen=True)
class Position:
    """Everything all players know (rule Z31), in the words of the rules. Fields per player have an entry for each."""

    player: int  # whose turn it is; at the end, whose turn was the last
    phase: str  # one of `zamek_env.layout.actions.PHASE_NAMES`
    tile: str | None  # id of the tile to place, or of the one just placed; None in the phases `extra turn` and `over`
    cell: tuple[int, int] | None  # where `tile` lies; None before it is placed, and where there is none
    board: dict[tuple[int, int], tuple[str, int]]  # (row, column) -> (tile id, rotation)
    followers: tuple[tuple[int, tuple[int, int], str, str], ...]  # (player, (row, column), segment, piece), sorted
    scores: tuple[int, ...]
    supplies: tuple[int, ...]  # of plain followers
    family_houses: tuple[int, ...]  # tiles; 0 for none
    tokens: tuple[dict[int, int], ...]  # kind -> how many in hand that may be used, per player
    fresh_tokens: tuple[dict[int, int], ...]  # the same, taken this turn and not usable yet
    towers: frozenset[int]  # first fields of the towers on which a token still lies
    remaining: Counter[str]  # id -> how many such tiles are in the bag or in hands, in the order of the components
    discarded: Counter[str]  # id -> how many such tiles left the game unplaced
    pieces: tuple[tuple[str, ...], ...] = ((), ())  # special pieces in supply, per player (rule S2)
    nests: tuple[int, ...] = (0, 0)  # (rule S9)
    nest_pool: int = 0
    at_gate: tuple[bool, ...] = (False, False)  # the marker stands on the gate after its field (rule S12)
    hands: tuple[tuple[str | None, ...], ...] = ()  # what lies in each slot, of each player; None: nothing, or hidden


@dataclass(frozen=True)
class Area:
    """An area on the board (rule Z7)."""

    feature: str
    segments: frozenset[
        tuple[tuple[int, int] | str, str]
    ]  # (location, segment name); a location is (row, column), or the id of a start space
    tiles: int  # tiles and start spaces, each once (rule Z18); of a monastery its own and those around it (rule C4)
    open_ports: int  # ports that face an empty space (rule Z16); of a monastery the empty cells around it
    followers: tuple[int, ...]  # of each player, special pieces among them (rule S5)
    marks: int  # stocks, shrines or shields
    nests: int  # falcon nests
    pieces: tuple[tuple[str, ...], ...]  # the special pieces among the followers
    complete: bool  # (rule Z16); never of a feature that is paid at the end only, such as a field
    owners: tuple[int, ...]  # the players whom it would pay: most followers, or as many where ties pay (rules Z17, C5)
    points: tuple[int, ...]  # for each player, if it were scored now, princes included, tokens not (Z18, S7)
    end_points: tuple[int, ...]  # the same at the end of the game, as it lies (rules Z27, C6, C8); 0 where complete


def read_position(ruleset: Ruleset, state: np.record, viewer: int | None = None) -> Position:
    """Return the `Position` of a state record, with the hand that only the player `viewer` sees, if there is one."""
    faces = find_faces(state)
    lying: dict[Any, tuple[int, int]] = {
        cell: divmod(faces[number], NUM_ROTATIONS)
        for number, cell in find_locations(ruleset, state).items()
        if number < ruleset.sizes.cells and number in faces
    }
    tiles = ruleset.components.tiles
    deck = [tiles[tile].id for tile in state.deck.tolist()]
    left = Counter(deck[state.drawn :])
    drawn = deck[: state.drawn]
    placed = [tiles[tile].id for tile, _ in lying.values() if tile < ruleset.sizes.tiles]
    tile = drawn[-1] if state.phase not in (EXTRA, OVER, CHOOSE) else None
    to_place = drawn[-1:] if state.phase == PLACE else []
    token_towers = ruleset.components.board.token_towers
    cell: Any = None if tile is None or state.cell == NONE else name_location(ruleset, state, int(state.cell))
    return Position(
        player=int(state.player),
        phase=PHASE_NAMES[state.phase],
        tile=tile,
        cell=cell,
        board={cell: (ruleset.tile(tile).id, rotation) for cell, (tile, rotation) in lying.items()},
        followers=_read_followers(ruleset, state),
        scores=tuple(state.score.tolist()),
        supplies=tuple(int((row[: ruleset.sizes.followers] == NONE).sum()) for row in state.follower_node),
        family_houses=tuple(state.family_house.tolist()) or (0,) * ruleset.players,
        tokens=_read_tokens(state.tokens),
        fresh_tokens=_read_tokens(state.fresh_tokens),
        towers=frozenset(tower[0] for tower, taken in zip(token_towers, state.tower_taken, strict=True) if not taken),
        # in an order of its own: that of the deck would show which tile comes next
        remaining=Counter({tile.id: left[tile.id] for tile in ruleset.components.kinds if left[tile.id]}),
        discarded=Counter(drawn) - Counter(placed) - Counter(to_place),
        pieces=tuple(_find_special(ruleset, row, NONE) for row in state.follower_node),
        nests=tuple(state.nests.tolist()) or (0,) * ruleset.players,
        nest_pool=ruleset.sizes.nests - int(state.nests.sum()),
        at_gate=tuple(state.at_gate.astype(bool).tolist()) or (False,) * ruleset.players,
        hands=_read_hands(ruleset, state, viewer),
    )


def read_areas(ruleset: Ruleset, state: np.record) -> tuple[Area, ...]:
    """Return the areas on the board of a state record, those of completing features first."""
    names = _name_segments(ruleset, state)
    members: dict[int, set[tuple[tuple[int, int] | str, str]]] = {}
    for node, area in enumerate(state.area.tolist()):
        if area != NONE:
            members.setdefault(area, set()).add(names[node])
    followers = [Counter(row[row != NONE].tolist()) for row in state.follower_area]
    counted_tiles = np.bitwise_count(state.area_tiles).sum(axis=1).tolist()
    open_ports, marks = state.open_ports.tolist(), state.area_marks.tolist()
    nests = state.area_nests.tolist() or [0] * len(marks)
    worths: npt.NDArray[np.int16] = np.empty((state.open_ports.size, ruleset.players, 3), np.int16)
    write_worths(ruleset.tables[0], state, worths)
    pays, points, end_points = worths.transpose(2, 0, 1).tolist()
    never_complete = {feature.name for feature in ruleset.components.features if not feature.completes}
    return tuple(
        Area(
            feature=ruleset.segment_of_node(area).feature,
            segments=frozenset(segments),
            tiles=counted_tiles[area] if area < len(counted_tiles) else len({location for location, _ in segments}),
            open_ports=open_ports[area],
            followers=tuple(standing[area] for standing in followers),
            marks=marks[area],
            nests=nests[area],
            pieces=tuple(_find_special(ruleset, row, area) for row in state.follower_area),
            complete=open_ports[area] == 0 and ruleset.segment_of_node(area).feature not in never_complete,
            owners=tuple(player for player in range(ruleset.players) if pays[area][player]),
            points=tuple(points[area]),
            end_points=tuple(end_points[area]),
        )
        for area, segments in sorted(members.items())
    )


def _read_hands(ruleset, state, viewer):
    """Return the tiles in hands that everybody sees, or `viewer` (rules H1, H2)."""
    return tuple(
        tuple(
            None if tile == NONE or (ruleset.sizes.hides_hands and player != viewer) else ruleset.tile(tile).id
            for tile in row
        )
        for player, row in enumerate(state.hand.tolist())
    )


def _name_segments(ruleset, state):
    """Return {node: (location, segment name)} of all segments on the board; locations as in `Area.segments`."""
    nodes = ruleset.tables[0].tile_node.tolist()
    return {
        node: (location, segment.name)
        for tile, location in find_tiles(ruleset, state).items()
        for node, segment in zip(nodes[tile], ruleset.tile(tile).segments, strict=False)
    }


def _read_followers(ruleset, state):
    names = _name_segments(ruleset, state)
    pieces = name_pieces(ruleset)
    standing = (
        (player, *names[node], piece)
        for player in range(ruleset.players)
        for piece, node in zip(pieces, state.follower_node[player].tolist(), strict=True)
        if node != NONE
    )
    return tuple(sorted(standing))


def name_pieces(ruleset: Ruleset) -> list[str]:
    """Return the name of each of a player's pieces."""
    plain, *special = ruleset.components.pieces
    return [plain.name] * ruleset.sizes.followers + [piece.name for piece in special]


def _find_special(ruleset, where, sought):
    """Return the names of a player's special pieces for which the row `where` says `sought`."""
    _, *special = ruleset.components.pieces
    places = where[ruleset.sizes.followers :].tolist()
    return tuple(piece.name for piece, at in zip(special, places, strict=True) if at == sought)


def _read_tokens(tokens):
    return tuple({kind: count for kind, count in enumerate(row) if count} for row in tokens.tolist())
