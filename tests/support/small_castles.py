"""Small castles for the reference engine, drawn as rows of `#`, with tiles that are named by what they show.

Tiles are numbered, so that `bend1` and `bend2` are two tiles with one face; `bend+nest1` is a bend with a falcon nest
on each segment that is no meadow.
"""

from tests.support.reference import ZAMEK, ReferenceGame, Rules, end_scoring

FACES = {  # n / e / s / w
    "field": "m1 / m1 / m1 / m1",
    "shrine": "m1 / m1 / m1 / m1",
    "house": "h1 / m1 / m1 / m1",
    "hall": "m1 / h1 / m1 / h1",
    "corner": "h1 / h1 / m1 / m1",
    "neighbours": "h1 / h2 / m1 / m1",
    "pigsty": "p1 / m1 / m1 / m1",
    "road": "m1 r1 m1 / m1 / m1 / m1",
    "straight": "m1 r1 m2 / m2 / m2 r1 m1 / m1",
    "stocks": "m1 r1 m1 / m1 / m1 / m1",
    "bend": "m1 r1 m2 / m2 r1 m1 / m1 / m1",
    "crossing": "m1 r1 m2 / m2 r1 m3 / m3 r1 m4 / m4 r1 m1",
    "fountain": "m1 r1 m2 / m2 r2 m3 / m3 r3 m4 / m4 r4 m1",
    "meadows": "m1 / h1 / m2 / h1",
    "chapel": "c1 / m1 / m1 / m1",
    "nave": "m1 / c1 / m1 / c1",
    "close": "h1 / c1 / p1 / m1",
}
SOKOL = Rules("sokol", special_pieces=("prince", "falconer"), nests=12)
GATES = Rules("sokol-gates", special_pieces=("prince", "falconer"), nests=12, halting_gates=True)
NORTH, EAST, SOUTH, WEST = range(4)  # as rotations: where the north side of the face comes to lie


def tile_named(tile_id: str) -> dict:
    """The tile of a small castle: its name, and the number that tells it from others with the same face."""
    name, _, nests = tile_id.rstrip("0123456789").partition("+")
    sides = [side.strip() for side in FACES[name].split("/")]
    segments = {segment for side in sides for segment in side.split()}
    return {
        "id": tile_id,
        **dict(zip("nesw", sides, strict=False)),
        "shrines": ["m1"] * (name == "shrine"),
        "stocks": ["r1"] * (name == "stocks"),
        "nests": [segment for segment in sorted(segments) if nests and segment[0] != "m"],
    }


def start(start_id: str, cell: tuple, side: str, face: str, shrines=()) -> dict:
    """A start space beside a space of a small castle."""
    return {"id": start_id, "cell": list(cell), "side": side, "face": face, "shrines": list(shrines)}


def components(rows: str, deck: str, starts=None, towers=(), gates=()) -> tuple[dict, dict]:
    """Wall and tiles of a small castle; without `starts` a meadow lies west of its north-western space.

    `gates` are the fields after which one lies.
    """
    wall = {
        "interior": rows.split(),
        "starts": starts or [start("A", (0, 0), "W", "m1")],
        "towers": [list(fields) for fields in towers],
        "towerless": [],
        "gates": [{"between": [field, field + 1]} for field in gates],
    }
    return wall, {"tiles": [tile_named(tile_id) for tile_id in deck.split()]}


def small_game(rows: str, deck: str, starts=None, tokens=None, rules: Rules = ZAMEK, gates=()) -> ReferenceGame:
    """A game in a small castle; `tokens` maps each tower's two fields to the kind on it."""
    tokens = tokens or {}
    wall, tiles = components(rows, deck, starts, tokens, gates)
    return ReferenceGame(wall, tiles, deck.split(), {fields[0]: kind for fields, kind in tokens.items()}, rules)


def turn(game: ReferenceGame, cell: tuple, rotation: int = NORTH, send: str | None = None, piece="follower") -> None:
    """Place the tile and send a piece, or none; what is scored without a choice is scored."""
    game.play(("place", cell, rotation))
    if game.phase == "send" or send is not None:
        game.play(("send", None) if send is None else ("send", send, piece))


def area_of(game: ReferenceGame, location, name: str):
    """The area of one segment, from the list of all areas."""
    return next(area for area in game.areas() if (location, name) in area.segments)


def scored(game: ReferenceGame, *keys: str) -> list[tuple]:
    """Some fields of all areas scored so far, in order."""
    turns = game.turns if game.phase in ("over", "place") else [*game.turns, game.turn]
    return [tuple(entry[key] for key in keys) for played in turns for entry in played["scored"]]


def end_of(game: ReferenceGame, tokens=({}, {}), family_houses=(0, 0), nests=(0, 0)) -> dict:
    """The end scoring of a position as (player, reason) -> points."""
    entries = end_scoring(game.castle, list(family_houses), list(tokens), list(nests))
    return {(entry["player"], entry["reason"]): entry["points"] for entry in entries}


BOTH_ENDS = [start("A", (0, 0), "W", "m1"), start("B", (0, 2), "E", "m1")]


def two_halves(middle: str, pieces: tuple, deck: str = "house1 house2", rules=SOKOL, **more):
    """Three spaces in a row; `pieces` stand in the west (player, piece) and east, and `middle` joins both areas.

    The feature is that of the `deck`'s first two tiles; player 0 is about to place the middle tile.
    """
    game = small_game("###", f"{deck} {middle}", BOTH_ENDS, rules=rules, **more)
    turn(game, (0, 0), EAST)
    turn(game, (0, 2), WEST)
    names = {"h": "h1", "p": "p1", "c": "c1", "s": "r1", "r": "r1"}
    for (player, piece), column in zip(pieces, (0, 2), strict=True):
        game.followers.append((player, (0, column), names[deck[0]], piece))
    return game
