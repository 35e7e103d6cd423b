"""Small castles for the reference engine, drawn as rows of `#`, with tiles that are named by what they show.

Tiles are numbered, so that `bend1` and `bend2` are two tiles with one face; `bend+nest1` is a bend with a falcon nest
on each segment that is no meadow.
"""

from tests.support.reference import ZAMEK, ReferenceGame, Rules

FACES = {  # n / e / s / w
    "field": "m1 / m1 / m1 / m1",
    "straight": "m1 r1 m2 / m2 / m2 r1 m1 / m1",
    "bend": "m1 r1 m2 / m2 r1 m1 / m1 / m1",
    "crossing": "m1 r1 m2 / m2 r1 m3 / m3 r1 m4 / m4 r1 m1",
    "chapel": "c1 / m1 / m1 / m1",
    "close": "h1 / c1 / p1 / m1",
}
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
        "shrines": [],
        "stocks": [],
        "nests": [segment for segment in sorted(segments) if nests and segment[0] != "m"],
    }


def start(start_id: str, cell: tuple, side: str, face: str) -> dict:
    """A start space beside a space of a small castle."""
    return {"id": start_id, "cell": list(cell), "side": side, "face": face, "shrines": []}


def components(rows: str, deck: str, starts=None, gates=()) -> tuple[dict, dict]:
    """Wall and tiles of a small castle; without `starts` a meadow lies west of its north-western space.

    `gates` are the fields after which one lies.
    """
    wall = {
        "interior": rows.split(),
        "starts": starts or [start("A", (0, 0), "W", "m1")],
        "towers": [],
        "towerless": [],
        "gates": [{"between": [field, field + 1]} for field in gates],
    }
    return wall, {"tiles": [tile_named(tile_id) for tile_id in deck.split()]}


def small_game(rows: str, deck: str, starts=None, rules: Rules = ZAMEK, gates=()) -> ReferenceGame:
    """A game in a small castle, without tokens."""
    wall, tiles = components(rows, deck, starts, gates)
    return ReferenceGame(wall, tiles, deck.split(), {}, rules)


def turn(game: ReferenceGame, cell: tuple, rotation: int = NORTH, send: str | None = None, piece="follower") -> None:
    """Place the tile and send a piece, or none; what is scored without a choice is scored."""
    game.play(("place", cell, rotation))
    if game.phase == "send" or send is not None:
        game.play(("send", None) if send is None else ("send", send, piece))


def area_of(game: ReferenceGame, location, name: str):
    """The area of one segment, from the list of all areas."""
    return next(area for area in game.areas() if (location, name) in area.segments)
