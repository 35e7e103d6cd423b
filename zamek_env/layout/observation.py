"""The name table of an observation: which plane and which vector entry holds what, on which scale.

OBSERVATION DESCRIPTION
    An observation holds everything public and nothing hidden (rule Z31), seen by one player: `my` is the observer's,
    `their` the opponent's; among more players `their_1` is that of who plays next, and so on. Two of its parts are
    described here, `codes` say the same as planes, and `rows` are described in `layout/rows.py`:

    planes   uint8, shape (rows, columns, planes): one row of planes a cell, channels last
    codes    uint8 or uint16, shape (rows, columns, codes): a few numbers a cell, of which planes are a sum over tables
    vector   float32, shape (entries,): each entry is `value * scale`, so `value = round(entry / scale)`

    Planes and entries are named `group` or `group.item`, e.g. `house.3` (a house at port 3) or `my_tokens.2`.
    `worth` of an area: points if it were completed as it is; for a meadow, points if it stays as it is. What a prince
    doubles is not doubled in it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from zamek_env.common.messages import show
from zamek_env.components.highest_score import bound_area, bound_score
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, PORTS_PER_SIDE, Components, Feature
from zamek_env.layout.actions import PHASE_NAMES
from zamek_env.layout.sizes import Sizes

PARTS = ("planes", "codes", "vector", "rows")  # of an observation
PLANE_PARTS = ("planes", "vector")  # those of version 0 of the environments
ROW_PARTS = ("vector", "rows")  # those of version 1
POINT_SCALE = 0.01  # points
SIZE_SCALE = 0.1  # points, tiles or ports of one area
POINT_LIMIT = 10.0  # of a scaled entry: no score in a packaged ruleset comes near 1000 points
SIZE_LIMIT = 100.0  # no area of one has 1000 points, tiles or ports (`highest_score.bound_area`)
COPY_SCALE = 0.125  # tiles of a kind where there are copies; a power of two, so that sums are exact
TILE, FOLLOWER, OPEN = range(3)  # among the codes of a cell; areas of each player follow
CODE_BITS = 8  # features of one such code
SPACE, FIRST_TILE = 1, 2  # a code of a space without a tile, and the first of one with a tile
CURRENT = 1 << (1 + NUM_ROTATIONS)  # in the code OPEN, after the frontier and the rotations
AREA_COLUMNS = ("present", "worth", "open_ports")  # then followers by player, the feature, one-hot, and
# `special_columns`; they, and all groups of what a ruleset does not have, are missing where it has none


def list_owners(players: int) -> tuple[str, ...]:
    """Return the prefixes of names, by player, from the observer on, in the order in which they play."""
    if players <= 2:
        return ("my", "their")[:players]
    return ("my", *(f"their_{number}" for number in range(1, players)))


def check_parts(observation: Sequence[str], parts: tuple[str, ...] = PARTS) -> tuple[str, ...]:
    """Return the `parts` of a game that the argument `observation` names, each once, in their order.

    Raises `TypeError` where it is no sequence of names, `ValueError` where it is empty or a name is unknown.
    """
    if isinstance(observation, str) or not isinstance(observation, Sequence):
        raise TypeError(f"observation must be a sequence of names such as ('vector', 'rows'), not {show(observation)}")
    unknown = [name for name in observation if name not in parts]
    if unknown or not observation:
        given = show(unknown[0]) if unknown else "empty"
        raise ValueError(f"observation must name some of {', '.join(map(repr, parts))}, not {given}")
    return tuple(name for name in parts if name in observation)


@dataclass(frozen=True)
class Group:
    """Neighbouring planes or entries of one meaning."""

    name: str
    items: tuple[object, ...]  # a label each; empty for a single one
    scale: float | tuple[float, ...]  # one for all, or one an item
    high: float | tuple[float, ...]  # the largest entry, scaled
    meaning: str

    @property
    def size(self) -> int:
        return max(1, len(self.items))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{item}" for item in self.items) or (self.name,)


class Layout:
    """Groups one after another: names, bounds and where each begins."""

    def __init__(self, groups: Iterable[Group]) -> None:
        self.groups = tuple(groups)
        self.names = tuple(name for group in self.groups for name in group.names)
        self.high = np.concatenate([np.broadcast_to(group.high, group.size) for group in self.groups])
        self.scale = np.concatenate([np.broadcast_to(group.scale, group.size) for group in self.groups])
        starts = np.cumsum([0] + [group.size for group in self.groups])
        self._slices = {
            group.name: slice(int(start), int(start) + group.size)
            for group, start in zip(self.groups, starts[:-1], strict=True)
        }

    def __len__(self) -> int:
        return len(self.names)

    __iter__ = None  # neither over names, which `len` counts, nor over groups, which `in` finds

    def __getitem__(self, name: str) -> slice:
        """Return the slice of the group called `name`. Raises `KeyError`, naming some like it, where there is none."""
        try:
            return self._slices[name]
        except (KeyError, TypeError):
            problem = f"there is no group {show(name)}, {_suggest(name, self._slices)}"
            if isinstance(name, str) and name in self.names:
                problem += f"; find({name!r}) returns the number of that entry"
            raise KeyError(problem) from None

    def __contains__(self, name: object) -> bool:
        return name in self._slices

    def find(self, name: str) -> int:
        """Return the number of the plane or entry of that name, such as `phase.send`.

        Raises `ValueError`, naming some like it, where there is none.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise ValueError(f"there is no entry {show(name)}, {_suggest(name, self.names)}") from None

    def table(self) -> str:
        """Return the name table as text, a group a line."""
        rows = []
        for group in self.groups:
            where = self[group.name]
            span = f"{where.start}" if group.size == 1 else f"{where.start}–{where.stop - 1}"
            items = f" ({', '.join(map(str, group.items))})" if 0 < group.size <= 12 and group.items else ""
            rows.append(f"{span:>9}  {group.name}: {group.meaning}{items}")
        return "\n".join(rows)


def _suggest(name, names):
    """Return the part of a message about `names` similar to an unknown one."""
    return f"names like it are {', '.join(get_close_matches(str(name), names, 3, cutoff=0))}"


def feature_ports(feature: Feature) -> tuple[int, ...]:
    """Return the ports (at any rotation) that can show `feature`: the middles, or the half-sides, or none."""
    if feature.surrounded:
        return ()
    return tuple(port for port in range(NUM_PORTS) if (port % PORTS_PER_SIDE == 1) == feature.middle)


def _at_port(feature):
    """Return the suffix of the name of a feature whose planes have ports."""
    return " at that port" if feature_ports(feature) else ""


def find_token_scale(components: Components) -> float:
    """Return the scale of token counts: 1 for the most of a kind, or for the next power of two; so sums are exact."""
    most = max((token.count for token in components.tokens), default=1)
    return 1 / 2 ** (most - 1).bit_length()


def find_size_limit(components: Components) -> float:
    """Return the largest scaled entry of points, tiles or ports of one area."""
    return max(SIZE_LIMIT, (bound_area(components) + 1) * SIZE_SCALE)  # a point more than there can be, for rounding


def find_point_limit(components: Components) -> float:
    """Return the largest scaled entry of a score with components that are not packaged."""
    return max(POINT_LIMIT, (bound_score(components) + 1) * POINT_SCALE)


def count_copies(components: Components) -> int:
    """Return the largest number of copies of a tile in the deck."""
    return max(Counter(tile.id for tile in components.tiles).values())


def find_remaining_scale(components: Components) -> float:
    """Return the scale of the numbers of tiles of a kind that are left."""
    return 1 if count_copies(components) == 1 else COPY_SCALE


def special_columns(components: Components) -> tuple[str, ...]:
    """Return the names of the columns of an area that only some rulesets have."""
    pieces = tuple(
        f"{owner}_{piece.name}" for piece in components.special_pieces for owner in list_owners(components.players)
    )
    return (*(("nests",) if components.nests else ()), *pieces)


def list_face_planes(components: Components, planes: Layout) -> list[int]:
    """Return the numbers of the planes that show a face."""
    groups = ("space", "tile", "rotation", "marks", "nests", *(feature.name for feature in components.features))
    return [number for name in groups if name in planes for number in range(planes[name].start, planes[name].stop)]


def plane_layout(components: Components, sizes: Sizes) -> Layout:
    """Return the `Layout` of the planes."""
    completing = tuple(feature.name for feature in components.features if feature.completes)
    marks = max(sum(segment.marks for segment in tile.segments) for tile in components.kinds)
    nests = max(sum(segment.nests for segment in tile.segments) for tile in components.kinds)
    special = tuple(piece.name for piece in components.special_pieces)
    owners = list_owners(components.players)
    return Layout(
        [
            Group("space", (), 1, 1, "a space of the board"),
            Group("tile", (), 1, sizes.tile_kinds, "1 + number of the kind of tile that lies here"),
            Group("rotation", (), 1, NUM_ROTATIONS - 1, "its rotation in clockwise quarter turns"),
            Group("marks", (), 1, max(1, marks), "stocks, shrines or shields on it"),
            *([Group("nests", (), 1, max(1, nests), "falcon nests on it")] if components.nests else []),
            *(
                Group(feature.name, feature_ports(feature), 1, 1, f"a {feature.name}{_at_port(feature)}")
                for feature in components.features
            ),
            Group("current", (), 1, 1, "the tile placed this turn lies here"),
            *(Group(f"{owner}_follower", (), 1, sizes.segments, _standing(owner)) for owner in owners),
            *(Group(f"{owner}_special", special, 1, 1, "that follower is this piece") for owner in owners if special),
            *(Group(f"{owner}_area", completing, 1, 1, _holding(owner)) for owner in owners),
            Group("frontier", (), 1, 1, "an empty cell next to a tile or start space"),
            Group("fits", tuple(range(NUM_ROTATIONS)), 1, 1, "the tile to place fits here in that rotation"),
        ]
    )


def code_layout(components: Components, sizes: Sizes) -> Layout:
    """Return the `Layout` of the codes."""
    completing = [feature.name for feature in components.features if feature.completes]
    special = [piece.name for piece in components.special_pieces]
    owners = list_owners(components.players)
    standing, holders = sizes.segments * len(owners), f"{sizes.segments} × seats after mine"
    if special:
        holders += f" + {standing} × special piece ({', '.join(special)}, from 1 on)"
    fits = ", ".join(f"{2 << rotation} in rotation {rotation}" for rotation in range(NUM_ROTATIONS))
    return Layout(
        [
            Group("tile", (), 1, FIRST_TILE - 1 + NUM_ROTATIONS * sizes.tile_kinds, _TILE_CODE),
            Group("follower", (), 1, standing * (1 + len(special)), f"{_FOLLOWER_CODE} + {holders}"),
            Group("open", (), 1, 2 * CURRENT - 1, f"a sum: 1 frontier; fits {fits}; {CURRENT} current"),
            *(group for owner in owners for group in _area_codes(owner, completing)),
        ]
    )


def _area_codes(owner, completing):
    """Yield the groups of the codes that name a player's areas on the tile, by features that complete."""
    for first in range(0, len(completing), CODE_BITS):
        features = completing[first : first + CODE_BITS]
        bits = ", ".join(f"{1 << number} {name}" for number, name in enumerate(features))
        name = f"{owner}_areas_{first // CODE_BITS}" if first else f"{owner}_areas"
        yield Group(name, (), 1, (1 << len(features)) - 1, f"a sum: {bits}")


_TILE_CODE = f"{SPACE} a space without a tile; with one {FIRST_TILE} + 4 × number of its kind + rotation"
_FOLLOWER_CODE = "1 + number of the segment on which a follower stands"


def _standing(owner):
    return f"1 + number of the segment on which {_whose(owner)} follower stands"


def _holding(owner):
    return f"the tile is in an area of that feature with {_whose(owner)} follower"


def _whose(owner):
    """Return how a meaning names a player."""
    return owner if owner in ("my", "their") else f"{owner.replace('_', ' ')}'s"


def vector_layout(components: Components, sizes: Sizes, point_limit: float = POINT_LIMIT) -> Layout:
    """Return the `Layout` of the vector; `point_limit` is the largest scaled entry of a score."""
    tiles = tuple(tile.id for tile in components.kinds)
    copies = count_copies(components)
    remaining = find_remaining_scale(components)
    kinds = tuple(token.kind for token in components.tokens)
    token_scale = find_token_scale(components)
    towers = tuple(tower[0] for tower in components.board.token_towers)
    fields, houses, area_limit = sizes.fields, sizes.has_family_house, find_size_limit(components)
    owners, phases = list_owners(components.players), PHASE_NAMES if sizes.hand_size > 1 else PHASE_NAMES[:-1]
    left = "in the bag or in hands" if sizes.hand_size else "not drawn yet"
    seen_hands = owners[: 1 if sizes.hides_hands else None] if sizes.hand_size else ()
    return Layout(
        [
            Group("my_decision", (), 1, 1, "1 if I am to decide"),
            Group("phase", phases, 1, 1, "the decision asked for"),
            Group("tile", tiles, 1, 1, "the tile to place, or just placed"),
            Group("remaining", tiles, remaining, copies * remaining, f"tiles of that kind that are {left}"),
            Group("tiles_left", (), 1 / sizes.tiles, 1, f"tiles that are {left}"),
            Group("scores", owners, POINT_SCALE, point_limit, "points"),
            *([Group("fields", owners, 1 / fields, 1, "the marker's field of the track")] if fields else ()),
            Group("supplies", owners, 1 / sizes.pieces, 1, "followers in supply"),
            *([Group("family_houses", owners, SIZE_SCALE, area_limit, "its tiles, 0 for none")] if houses else ()),
            *(_token_groups(kinds, towers, token_scale) if kinds else ()),
            *_area_groups("segment", sizes.segments, components, "that segment's area, if nobody stands in it"),
            *(_scoring_groups(sizes, components) if fields else ()),
            *(
                group
                for owner in owners
                for group in _area_groups(f"{owner}_area", sizes.pieces, components, _STANDS_IN[owner[:2]])
            ),
            *_special_groups(components, owners),
            *(
                Group(f"{owner}_hand_{slot}", tiles, 1, 1, "the tile in that slot of the hand")
                for owner in seen_hands
                for slot in range(sizes.hand_size)
            ),
        ]
    )


def _token_groups(kinds, towers, scale):
    yield Group("my_tokens", kinds, scale, 1, "tokens in hand and usable, by kind")
    yield Group("their_tokens", kinds, scale, 1, "tokens in hand and usable, by kind")
    yield Group("my_fresh_tokens", kinds, scale, 1, "tokens taken this turn, by kind")
    yield Group("their_fresh_tokens", kinds, scale, 1, "tokens taken this turn, by kind")
    yield Group("seen_tokens", kinds, scale, 1, "tokens taken from towers so far, by kind")
    if towers:
        yield Group("towers", towers, 1, 1, "a token lies on the tower at that field")


def _scoring_groups(sizes, components):
    """Yield the groups of the areas being scored, where their order is a decision."""
    yield Group("scoring_mine", (), 1, 1, "the areas being scored are mine")
    yield from _area_groups("slot", sizes.slots, components, "the area waiting in that slot to be scored")
    yield Group("slot_token", tuple(range(sizes.slots)), 1, 1, "a token may be used on that area")


_STANDS_IN = {
    "my": "the area in which that follower of mine stands",
    "th": "the area in which that follower of theirs stands",
}


def _special_groups(components, owners):
    """Yield the groups that only some rulesets have."""
    special = tuple(piece.name for piece in components.special_pieces)
    if special:
        yield Group("my_special", special, 1, 1, "that special piece is in supply")
        yield Group("their_special", special, 1, 1, "that special piece is in supply")
    if components.nests:
        yield Group("nests", ("my", "their", "pool"), 1 / components.nests, 1, "nest tokens")
    if components.halting_gates:
        yield Group("at_gate", owners, 1, 1, "the marker stands on the gate after its field")


def _area_groups(name, count, components, meaning):
    """Yield a group for each of `count` areas; one that is not there is all zeros."""
    features = tuple(feature.name for feature in components.features)
    share = 1 / (components.followers + len(components.special_pieces))
    special, most = special_columns(components), find_size_limit(components)
    owners = list_owners(components.players)
    scale = (1, SIZE_SCALE, SIZE_SCALE, *(share for _ in owners), *(1 for _ in features))
    scale += tuple(SIZE_SCALE if column == "nests" else 1 for column in special)
    high = (1, most, most, *(1 for _ in owners), *(1 for _ in features))
    high += tuple(most if column == "nests" else 1 for column in special)
    for number in range(count):
        followers = (f"{owner}_followers" for owner in owners)
        yield Group(f"{name}_{number}", (*AREA_COLUMNS, *followers, *features, *special), scale, high, meaning)
