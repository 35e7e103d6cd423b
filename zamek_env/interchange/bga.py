"""Reads games of Carcassonne from Board Game Arena: archives as a player downloads them, and flat lists of moves.

BOARD GAME ARENA'S NUMBERS (seen in archives of 2023 and 2026)
    x, y     column and row, from the start tile, which is one of type 15
    ori      1 to 4: the tile as it is printed there, turned by ori - 1 quarters clockwise
    type     1 to 24, in the order of `TILES`
    id       1 to 72: the copies of type 1, then those of type 2, and so on
    pos      from 1 on: monastery, roads, cities, fields of a tile, in the order of `_POSITIONS`

Players hold their next tile while the others play. So where one was discarded, tiles are not used in the order in which
they are drawn. The order of use counts here.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from zamek_env.common.messages import show_json
from zamek_env.components.model import MAX_PLAYERS, NUM_ROTATIONS
from zamek_env.interchange.foreign_game import Cell, ImportedGameError, Payment, ToldGame, Turn
from zamek_env.ruleset import get_ruleset

RULESET = "carcassonne"
TILES = "TSNMPOGFIHEKJLDUVWXBACRQ"  # by type, from 1 on
TURNED = {"U": 1}  # quarters by which ours lies otherwise than the one printed there
_POSITIONS = {  # segments by `pos`, from 1 on; - where there is none. Tiles in one row have the same.
    "P O K J D": "r1 c1 f1 f2", "T S": "r1 c1 f2 f1", "N M E R Q": "c1 f1", "G F": "c1 f1 f2", "I H": "c1 c2 f1",
    "L": "r3 r1 r2 c1 f1 f3 f2", "U": "r1 - f2 f1", "V": "r1 f1 f2", "W": "r3 r1 r2 f1 f3 f2",
    "X": "r4 r2 r3 r1 f1 f2 f3 f4", "B": "k1 f1", "A": "k1 r1 f1", "C": "c1",
}  # fmt: skip
POSITIONS = {tile: segments.split() for tiles, segments in _POSITIONS.items() for tile in tiles.split()}
_START = "D"
_FEATURES = {"city": "city", "road": "road", "abbey": "monastery", "field": "field"}  # by `real_type`
_TO_PLACE, _TO_SEND = 2, 3
_NUMBER = re.compile("-?[0-9]{1,9}")


class Event(NamedTuple):
    """An event with its arguments; `owner` is the only player who saw it, None where all did."""

    kind: str
    args: dict[str, Any]
    owner: str | None = None


def is_archive(value: object) -> bool:
    """Return whether parsed JSON looks like a game from Board Game Arena."""
    return bool(_find_packets(value)) or _is_flat(value)


def read_archive(value: Any) -> ToldGame:
    """Return the game of parsed JSON. Raises `ImportedGameError` for what is malformed or not supported."""
    events = [*(_list_flat(value) if _is_flat(value) else _list_events(_find_packets(value)))]
    people = {str(event.args.get("player_id")) for event in events if event.kind == "playTile"}
    if len(people) > MAX_PLAYERS:
        raise ImportedGameError(f"{len(people)} play; only games of 2 to {MAX_PLAYERS} are supported")
    reader = _Reader(any(event.kind == "cantPlay" for event in events))
    reader.told.players = max(len(people), reader.told.players)
    for event in events:
        try:
            reader.read(event)
        except ImportedGameError as error:
            reader.stop(str(error), event.kind == "playTile")
            break
    return reader.finish()


# --- the forms ---


def _find_packets(value, levels=3):
    """Return the packets of an archive, under `data` or `logs`, a list or numbered; none in other JSON."""
    if isinstance(value, dict) and levels and not _are_packets(value.values()):
        return _find_packets(value.get("logs", value.get("data")), levels - 1)
    packets = _list_items(value)
    return packets if _are_packets(packets) else []


def _are_packets(values):
    """Return whether some are packets: objects with events under `data`."""
    events = [_list_items(value.get("data")) for value in values if _is_object(value)]
    return any(_is_object(event) and "args" in event for some in events for event in some)


def _is_flat(value):
    """Return whether it is a list of moves, each an object that names its kind."""
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "type" in e for e in value)


def _list_events(packets: Iterable[dict[str, Any]]) -> Iterator[Event]:
    for packet in filter(_is_object, packets):
        channel = str(packet.get("channel", ""))
        owner = channel.removeprefix("/player/p") if channel.startswith("/player/") else None
        for event in _list_items(packet.get("data")):
            if _is_object(event):
                given = event.get("args")  # one object, several in a list, or an empty list
                for args in filter(_is_object, given if isinstance(given, list) else [given]):
                    yield Event(str(event.get("type")), args, owner)


def _is_object(value):
    return isinstance(value, dict)


def _list_flat(moves: Iterable[dict[str, Any]]) -> Iterator[Event]:
    names = {"tile_type": "type", "tile_id": "id", "orientation": "ori", "position": "pos"}  # theirs: the archive's
    for move in moves:
        args = {names.get(name, name): value for name, value in move.items() if name != "type"}
        yield Event(str(move["type"]), args | {"tile_id": args.get("id")}, None)


def _list_items(value):
    """Return the items of a list, which may be written as an object."""
    return [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []


# --- the game ---


def _number(args, name, event):
    """Return a number, which may be written as text. Raises `ImportedGameError` for anything else."""
    value = args.get(name)
    if isinstance(value, bool | float) or not _NUMBER.fullmatch(str(value)):
        raise ImportedGameError(f"{event}, {name}: must be a whole number, not {show_json(value)}")
    return int(value)


def _find_tile(args, name, event):
    """Return the tile of a type."""
    kind = _number(args, name, event)
    if not 1 <= kind <= len(TILES):
        raise ImportedGameError(f"{event}, {name}: {kind} is none of the 72 tiles; expansions are not supported")
    return TILES[kind - 1]


def _find_tile_of_id(args, name, event):
    number, last = _number(args, name, event), 0
    copies = Counter(tile.id for tile in get_ruleset(RULESET).components.tiles) + Counter([_START])
    for tile in TILES:
        last += copies[tile]  # id of the tile
        if last - copies[tile] < number <= last:
            return tile
    raise ImportedGameError(f"{event}, {name}: {number} is none of the 72 tiles; expansions are not supported")


class _Reader:
    """Goes through the events of a game. Where it `tells_discards`, draws tell nothing more."""

    def __init__(self, tells_discards: bool) -> None:
        self._tells_discards = tells_discards
        self.told = ToldGame(RULESET)
        self._players: list[str] = []  # their ids, in the order in which they play
        self._names: dict[str, str] = {}
        self._cells: dict[int, Cell] = {}  # id of a tile -> where it lies
        self._discarded: list[str] = []  # since the last placement
        self._hands: defaultdict[str, list[str]] = defaultdict(list)  # player -> tiles drawn and not used, if seen
        self._announced: tuple[str, str] | None = None  # (player, tile) to be placed next

    def read(self, event: Event) -> None:
        """Process one event; many kinds of events tell nothing of the game."""
        read = {
            "gameStateChange": self._read_state, "playTile": self._read_placement, "playPartisan": self._read_follower,
            "cantPlay": self._read_discard, "pickTile": self._read_draw, "realizationAchieved": self._read_payment,
            "winPoints": self._read_score,
        }.get(event.kind)  # fmt: skip
        if read and (event.owner is None or event.kind == "pickTile"):
            read(event.args, event.kind, event.owner)

    def stop(self, problem: str, between_turns: bool) -> None:
        """Stop at a `problem`, and leave out the last turn unless the problem came after it."""
        self.told.problem = f"after turn {len(self.told.turns)}: {problem}"
        if not between_turns:
            del self.told.turns[-1:]

    def finish(self) -> ToldGame:
        """Return the game. Raises `ImportedGameError` where nothing was played."""
        told = self.told
        if not told.turns:
            raise ImportedGameError(told.problem or "the file tells of no placement")
        told.rest = tuple(self._discarded)
        told.results, told.turns[-1].scores = told.turns[-1].scores, {}
        told.names = tuple(self._names[player] for player in self._players) if all(self._names.values()) else ()
        return told

    def _read_state(self, args, kind, owner):
        state, more = args.get("id"), args.get("args")
        more = more if isinstance(more, dict) else {}
        if str(state) == str(_TO_PLACE) and "tile_type" in more:
            self._announced = str(args.get("active_player")), _find_tile(more, "tile_type", kind)
        if str(state) == str(_TO_SEND) and "spots" in more and self.told.turns:
            turn = self.told.turns[-1]
            turn.spots = frozenset(
                _find_segment(turn.tile, spot, f"{kind}, spots") for spot in _list_items(more["spots"])
            )

    def _read_placement(self, args, kind, owner):
        tile, player = _find_tile(args, "type", kind), str(args.get("player_id"))
        self._names.setdefault(player, str(args.get("player_name") or ""))
        if player not in self._players:
            self._players.append(player)
        if self._announced not in (None, (player, tile), ("None", tile)):
            who = "the player" if self._announced[0] == player else "another player"
            due = self._announced[1]
            raise ImportedGameError(f"the file says that {who} is to place {due}, and then that {tile} is placed")
        self._announced = None
        hand = self._hands[player]
        if tile in hand:  # what was drawn before it, and not told to be discarded, was
            self._discarded += hand[: hand.index(tile)]
            del hand[: hand.index(tile) + 1]
        cell, turned = (_number(args, "y", kind), _number(args, "x", kind)), _number(args, "ori", kind)
        if not 1 <= turned <= NUM_ROTATIONS:
            raise ImportedGameError(f"{kind}, ori: must lie in 1 to {NUM_ROTATIONS}, not {turned}")
        if args.get("id") is not None:
            self._cells[_number(args, "id", kind)] = cell
        rotation = (turned - 1 + TURNED.get(tile, 0)) % NUM_ROTATIONS
        seat = self._players.index(player)
        self.told.turns.append(Turn(seat, tile, cell, rotation, tuple(self._discarded)))
        self._discarded = []

    def _read_follower(self, args, kind, owner):
        if not self.told.turns or (
            args.get("id") is not None and self._cells.get(_number(args, "id", kind)) != self.told.turns[-1].cell
        ):
            raise ImportedGameError(f"{kind}: it goes to another tile than the one just placed, as expansions have it")
        turn = self.told.turns[-1]
        turn.follower = _find_segment(turn.tile, args, kind)

    def _read_discard(self, args, kind, owner):
        has_id = args.get("tile_id") is not None
        tile = _find_tile_of_id(args, "tile_id", kind) if has_id else _find_tile(args, "type", kind)
        self._discarded.append(tile)
        self._announced = None

    def _read_draw(self, args, kind, owner):
        player = str(args["player_id"]) if args.get("player_id") is not None else owner
        if player is not None and not self._tells_discards:
            self._hands[player].append(_find_tile(args, "type", kind))

    def _read_payment(self, args, kind, owner):
        values = args.get("tile_to_value")
        if not self.told.turns or not isinstance(values, dict):
            return
        feature = _FEATURES.get(str(args.get("real_type")))
        if feature is None:
            raise ImportedGameError(f"{kind}, real_type: {show_json(args.get('real_type'))} is not supported")
        cells = frozenset(self._find_paid(tile) for tile in values)
        points = sum(_number(values, tile, f"{kind}, tile_to_value") for tile in values)
        players = frozenset(self._find_seat(winner, kind) for winner in _list_items(args.get("winners")))
        self.told.tells_payments = True
        self.told.turns[-1].payments.append(Payment(feature, points, players, cells))

    def _find_paid(self, tile):
        """Return where the tile with that id lies; the start tile has one that nobody has placed."""
        number = _number({"tile": tile}, "tile", "tile_to_value")
        if number not in self._cells and _find_tile_of_id({"tile": number}, "tile", "tile_to_value") != _START:
            raise ImportedGameError(f"tile_to_value: {number} is paid, which was not placed")
        return self._cells.get(number, (0, 0))

    def _read_score(self, args, kind, owner):
        if self.told.turns and args.get("score") is not None:
            seat = self._find_seat(args.get("player_id"), kind)
            self.told.turns[-1].scores[seat] = _number(args, "score", kind)

    def _find_seat(self, player, kind):
        if str(player) not in self._players:
            raise ImportedGameError(f"{kind}: player {show_json(player)} has placed no tile")
        return self._players.index(str(player))


def _find_segment(tile, args, event):
    """Return the segment of a tile at `pos`."""
    number = _number(args if isinstance(args, dict) else {}, "pos", event)
    segments = POSITIONS[tile]
    if not 1 <= number <= len(segments) or segments[number - 1] == "-":
        raise ImportedGameError(f"{event}, pos: tile {tile} has no position {number}")
    return segments[number - 1]
