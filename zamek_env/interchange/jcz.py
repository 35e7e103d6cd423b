"""Saved games of JCloisterZone, version 5: files `.jcz`, which are JSON.

Its tiles lie as ours do before they are turned. It names a segment by the sides of the placed tile that it reaches:
`NS` a road or a city, `_N` a city on all sides but the north, `NL.WR` a field, by the left and right halves of sides as
one looks outward, `I` a monastery. Tiles that fit nowhere are not recorded; they follow from `drawOrder`, if there is
one.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zamek_env.common.messages import show_json
from zamek_env.components.house_rules import format_rules
from zamek_env.components.json_entry import name_kind
from zamek_env.components.model import MAX_PLAYERS, NUM_ROTATIONS, PORTS_PER_SIDE, SIDES, Tile, rotated_port
from zamek_env.game import Game
from zamek_env.interchange.foreign_game import Cell, ImportedGameError, ToldGame, Turn, list_names
from zamek_env.layout.actions import PHASE_NAMES, PLACE, SEND
from zamek_env.notation.action_line import NOTHING, TILE_AT
from zamek_env.ruleset import get_ruleset

TILES = {  # theirs: ours
    "BA/L": "B", "BA/LR": "A", "BA/RCr": "D", "BA/Cccc+": "C", "BA/CccR+": "S", "BA/CccR": "T", "BA/CFc+": "F",
    "BA/CFc.1": "G", "BA/Cc.1": "N", "BA/Cc+": "M", "BA/CcRr": "P", "BA/CcRr+": "O", "BA/Ccc": "R", "BA/Ccc+": "Q",
    "BA/CRr": "J", "BA/CRRR": "L", "BA/RrC": "K", "BA/C": "E", "BA/CFC.2": "H", "BA/CC.2": "I", "BA/RRRR": "X",
    "BA/RRR": "W", "BA/Rr": "V", "BA/RFr": "U",
}  # fmt: skip
_IDS = {ours: theirs for theirs, ours in TILES.items()}
_WITH_FARMERS, _WITHOUT = "carcassonne", "carcassonne-no-farmers"
_SETUP = {"sets": {"basic:1": 1}, "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}]}
_ELEMENTS = {"small-follower": 7, "farmers": True}
_TINY_CITY = "tiny-city-scoring"  # all other rules are about expansions
_SMALL_CITY = {"4": False, "2": True}  # what it may be, and whether that is the house rule (H9)
_FEATURES = {"city": "City", "road": "Road", "field": "Field", "monastery": "Monastery"}
_MONASTERY = "I"
_HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
_LEFT_AND_RIGHT = {0: "L", 2: "R"}  # of the three ports of a side
_ORDERED = ("NW", "SW", "SE", "NE", "WE", "NS", "NWSE", "_N", "_W", "_S", "_E", *SIDES)  # sides, as they name them
_VERSION = "5.7.0"  # whose files these are
_ROTATIONS = tuple(f"R{90 * quarters}" for quarters in range(NUM_ROTATIONS))
_SCORE = re.compile(r"(.+) has (-?[0-9]{1,9}) points?")


def is_saved_game(value: object) -> bool:
    """Return whether parsed JSON looks like a saved game."""
    return isinstance(value, dict) and "setup" in value and "replay" in value


# --- reading ---


def read_saved_game(value: Mapping[str, Any]) -> ToldGame:
    """Return the game of parsed JSON. Raises `ImportedGameError` for what is malformed or not supported."""
    told = _read_setup(value.get("setup"))
    names = [_of(player, "name", str, "players") for player in _of(value, "players", list, "the file")]
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise ImportedGameError(f"{len(names)} play; only games of 1 to {MAX_PLAYERS} are supported")
    told.names, told.players = tuple(names), len(names)
    notes = _of(value, "gameAnnotations", dict, "the file", {})
    order = [_find_tile(tile) for tile in _of(notes, "drawOrder", list, "gameAnnotations", [])]
    for message in _of(value, "replay", list, "the file"):
        try:
            _read_message(message, told, order)
        except ImportedGameError as error:
            told.problem = f"after turn {len(told.turns)}: {error}"
            break
    if not told.turns:
        raise ImportedGameError(told.problem or "the file tells of no placement")
    told.rest = tuple(order)
    told.settled = notes.get("endTurn") == len(told.turns)
    claims = _of(_of(value, "test", dict, "the file", {}), "assertions", list, "test", [])
    read = [_SCORE.fullmatch(claim) for claim in claims if isinstance(claim, str)]
    told.results = {names.index(found[1]): int(found[2]) for found in read if found and names.count(found[1]) == 1}
    return told


def _read_message(message, told, order):
    """Process one message; the tiles drawn for it are taken from `order`."""
    kind, payload = _of(message, "type", str, "replay"), message.get("payload", {})
    if kind == "PLACE_TILE":
        told.turns.append(_read_placement(payload, len(told.turns) % told.players, order))
    elif kind == "DEPLOY_MEEPLE" and told.turns:
        turn = told.turns.pop()  # it is left out where nobody can be sent so
        told.turns.append(replace(turn, follower=_read_follower(payload, turn, told.ruleset)))
    elif kind not in ("PASS", "COMMIT", "GAME_OVER"):
        raise ImportedGameError(f"the message {show_json(kind)} is not supported")


def _of(value, name, kind, where, default=None):
    """Return the value of that name in an object, or else the `default`.

    Raises `ImportedGameError` for a value of another kind, or a missing one without default.
    """
    is_there = isinstance(value, dict) and name in value
    if not is_there and default is None:
        raise ImportedGameError(f"{where}, {name}: is missing")
    found = value[name] if is_there else default
    if not isinstance(found, kind) or isinstance(found, bool):
        raise ImportedGameError(f"{where}, {name}: must be {name_kind(kind)}, not {show_json(found)}")
    return found


def _read_setup(setup):
    """Return a game without turns, with ruleset and house rules.

    Raises `ImportedGameError` for expansions, other elements and other rules.
    """
    for name, due in _SETUP.items():
        given = _of(setup, name, type(due), "setup")
        if given != due:
            raise ImportedGameError(f"setup, {name}: only {show_json(due)} is supported, not {show_json(given)}")
    elements = _of(setup, "elements", dict, "setup")
    for name, given in elements.items():
        if given and given != _ELEMENTS.get(name):
            raise ImportedGameError(f"setup, elements: {show_json(name)}: {show_json(given)} is not supported")
    tiny = _of(setup, "rules", dict, "setup", {}).get(_TINY_CITY, "4")
    if not isinstance(tiny, str) or tiny not in _SMALL_CITY:
        raise ImportedGameError(f"setup, rules: {show_json(_TINY_CITY)}: {show_json(tiny)} is not supported")
    if elements.get("small-follower") != _ELEMENTS["small-follower"]:
        raise ImportedGameError(f"setup, elements: there must be {_ELEMENTS['small-follower']} small followers each")
    rules = {"small_city": True} if _SMALL_CITY[tiny] else {}
    return ToldGame(_WITH_FARMERS if elements.get("farmers") else _WITHOUT, rules=rules)


def _find_tile(tile):
    if not isinstance(tile, str) or tile not in TILES:
        raise ImportedGameError(f"tile {show_json(tile)} is none of the 72 tiles; expansions are not supported")
    return TILES[tile]


def _read_placement(payload, player, order):
    """Return the turn that begins with a placement; the tiles drawn for it are taken from `order`."""
    tile = _find_tile(_of(payload, "tileId", str, "PLACE_TILE"))
    rotation = _of(payload, "rotation", str, "PLACE_TILE")
    if rotation not in _ROTATIONS:
        raise ImportedGameError(f"rotation must be one of {', '.join(_ROTATIONS)}, not {show_json(rotation)}")
    discarded = order[: order.index(tile)] if tile in order else []
    del order[: len(discarded) + 1]
    cell = _read_cell(payload)
    return Turn(player, tile, cell, _ROTATIONS.index(rotation), tuple(discarded))


def _read_cell(value):
    position = _of(value, "position", list, "replay")
    if len(position) != 2 or not all(type(number) is int for number in position):
        raise ImportedGameError(f"position must be two whole numbers, not {show_json(position)}")
    return position[1], position[0]


def _read_follower(payload, turn, ruleset):
    """Return the segment to which a follower is sent."""
    pointer, meeple = _of(payload, "pointer", dict, "replay"), _of(payload, "meepleId", str, "replay")
    if ".small." not in meeple:
        raise ImportedGameError(f"{show_json(meeple)} on {show_json(pointer)} is not supported")
    if _read_cell(pointer) != turn.cell:
        row, column = turn.cell
        where = f"must be {show_json([column, row])}, where PLACE_TILE lays the tile"
        raise ImportedGameError(f"DEPLOY_MEEPLE, position: {where}, not {show_json(pointer['position'])}")
    location = _of(pointer, "location", str, "replay")
    names = name_segments(_find(get_ruleset(ruleset), turn.tile), turn.rotation)
    found = next((name for name, reached in names.items() if _find_reach(reached) == _find_reach(location)), None)
    if found is None:
        raise ImportedGameError(f"tile {turn.tile} has {', '.join(names.values())}, not {show_json(location)}")
    return found


def _find_reach(location):
    """Return the border parts in a location: sides of roads and cities, halves of sides of fields."""
    if "." in location or location in _HALVES:
        return frozenset(location.split("."))
    if location.startswith("_"):
        return frozenset(SIDES) - set(location)
    return frozenset(location)


def name_segments(tile: Tile, rotation: int) -> dict[str, str]:
    """Return {segment name: location} of a tile at that rotation, in clockwise quarter turns."""
    names = {}
    for segment in tile.segments:
        ports = [divmod(rotated_port(port, rotation), PORTS_PER_SIDE) for port in segment.ports]
        if segment.feature == "monastery":
            names[segment.name] = _MONASTERY
        elif segment.feature == "field":
            reached = {f"{SIDES[side]}{_LEFT_AND_RIGHT[place]}" for side, place in ports if place in _LEFT_AND_RIGHT}
            names[segment.name] = ".".join(half for half in _HALVES if half in reached)
        else:
            sides = frozenset(SIDES[side] for side, _ in ports)
            names[segment.name] = next(name for name in _ORDERED if _find_reach(name) == sides)
    return names


# --- writing ---


def to_jcz(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the game of a record of Carcassonne as a saved game of JCloisterZone, a dict for `json.dump`.

    Raises `RecordError` as `Game.replay` does, and `ValueError` for a record of another ruleset or other house rules
    than `small_city`.
    """
    game = Game.replay(record)
    ruleset = game.ruleset
    if ruleset.name not in (_WITH_FARMERS, _WITHOUT) or ruleset.base is None:
        raise ValueError(f"JCloisterZone has the rules of {_WITH_FARMERS} and {_WITHOUT}, not of {ruleset.name}")
    if not ruleset.rules.keys() <= {"small_city"}:
        raise ValueError(f"JCloisterZone has no house rules but small_city, not {format_rules(ruleset.rules)}")
    names = list_names(record) or tuple(f"player {player}" for player in range(game.num_players))
    state = game.state[0]
    drawn = [_IDS[game.ruleset.tile(tile).id] for tile in state.deck[: state.drawn].tolist()]
    rules = {_TINY_CITY: "2"} if ruleset.rules else {}
    elements = _ELEMENTS if game.ruleset.name == _WITH_FARMERS else {"small-follower": _ELEMENTS["small-follower"]}
    return {
        "appVersion": _VERSION,
        "gameId": "1",
        "name": "",
        "initialRandom": 0.0,
        "created": "1970-01-01T00:00:00.000Z",
        "clock": 0,
        "setup": {"options": {}, **_SETUP, "elements": elements, "rules": rules, "timer": None},
        "players": [{"name": name, "slot": slot} for slot, name in enumerate(names)],
        "replay": _write_messages(game),
        "gameAnnotations": {"drawOrder": drawn if game.is_terminal else drawn[:-1]},
    }


def _write_messages(game):
    """Return the messages that lead to the present position of a game, turn by turn."""
    messages: list[tuple[str, dict[str, Any]]] = []
    standing: dict[tuple[Cell, str], str] = {}  # (cell, segment) -> follower
    played = Game.from_deal(game.ruleset, game.state[0].deck.tolist())
    for action in game.history:
        player, text, before = played.current_player, played.format_action(action), played.phase
        played.step(action)
        if before == PHASE_NAMES[PLACE]:
            placed = TILE_AT.fullmatch(text)
            assert placed, "it is a placement"
            tile, rotation = _find(game.ruleset, placed[1]), SIDES.index(placed[4])
            cell = int(placed[2]), int(placed[3])
            position = [cell[1], cell[0]]
            payload: dict[str, Any] = {"tileId": _IDS[tile.id], "rotation": _ROTATIONS[rotation], "position": position}
            messages.append(("PLACE_TILE", payload))
        elif text == NOTHING:
            messages.append(("PASS", {}))
        else:
            segment = next(each for each in tile.segments if each.name == text.split()[-1])
            location = name_segments(tile, rotation)[segment.name]
            pointer = {"position": position, "feature": _FEATURES[segment.feature], "location": location}
            meeples = (f"{player}.small.{number + 1}" for number in range(game.ruleset.sizes.followers))
            standing[cell, segment.name] = next(meeple for meeple in meeples if meeple not in standing.values())
            payload = {"pointer": pointer, "meepleId": standing[cell, segment.name]}
            messages.append(("DEPLOY_MEEPLE", payload))
        there = {(at, name) for _, at, name, _ in played.position().followers}
        standing = {spot: meeple for spot, meeple in standing.items() if spot in there}
        if played.phase != PHASE_NAMES[SEND]:
            messages.append(("COMMIT", {"random": 0.0}))
    return [{"type": kind, "payload": payload} for kind, payload in messages]


def _find(ruleset, name):
    """Return the tile of that id."""
    return next(tile for tile in ruleset.components.tiles if tile.id == name)
