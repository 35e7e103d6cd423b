"""Results of pairs as lines of JSON, and back again, where every line is checked against the round robin it is of.

A `ValueError` names the field, what it holds and what is allowed there, all in one line.
"""

import hashlib
import json
from dataclasses import fields
from typing import Any, NoReturn

import numpy as np

from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.arena.round_robin import RoundRobin, find_ruleset, prepare
from zamek_agents.arena.sets import GameResult, SetResult, Side, list_positions, tally
from zamek_env import Game, RecordError
from zamek_env.common.messages import show
from zamek_env.components.json_entry import read_object
from zamek_env.records.write import list_sources

MAX_NUMBER = 10**9  # of a pair
MAX_COUNT = int(np.iinfo(np.int16).max)  # points of a player, as states hold them, and all else that is counted
MAX_SECONDS = 10**9  # of one agent in one game: thirty years
NUM_SIDES = 2  # of a game
DIGEST = "digest"  # the field of a line that shows whether the line was changed by hand
_COUNTS = ("points", "tokens_taken", "discards", "decisions")


def to_line(value: dict[str, Any]) -> bytes:
    """Return a JSON object as a line, in bytes, with a digest of all that it holds as its last field."""
    return json.dumps(value | {DIGEST: _digest(value)}).encode() + b"\n"


def take_digest(value: dict[str, Any]) -> bool:
    """Remove the digest from a JSON object that `parse_line` returned; return whether it is that of all the rest."""
    return value.pop(DIGEST, None) == _digest(value)


def _digest(value):
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def parse_line(line: bytes) -> dict[str, Any]:
    """Return the JSON object in a line of bytes. Raises `ValueError` where it holds no object, or anything twice."""
    try:
        value = json.loads(line.decode(), parse_constant=_refuse_constant, object_pairs_hook=read_object)
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8: byte {error.start} is {show(line[error.start : error.start + 1])}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at character {error.pos}") from error
    except RecursionError as error:
        raise ValueError("is not JSON of ours: lists or objects lie too deep in each other") from error
    except ValueError as error:  # such as a number of thousands of digits
        raise ValueError(f"is not JSON of ours: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"is not a JSON object, but {show(value)}")
    return value


def rebuild(value: dict[str, Any]) -> SetResult:
    """Return the `SetResult` that a JSON object holds, which a `PairReader` has checked."""
    games = (
        GameResult(tuple(Side(**side) for side in game["sides"]), game["record"], game["wins"])
        for game in value["games"]
    )
    return SetResult(tuple(value["agents"]), value["number"], value["deal"], tuple(games))


def _refuse_constant(name):
    raise ValueError(f"it holds {name}")


class PairReader:
    """Reads the results of one `RoundRobin`, whose agents it makes."""

    def __init__(self, round_robin: RoundRobin) -> None:
        self._pairings = {pairing.names: pairing for pairing in prepare(round_robin)}
        self._with_records = round_robin.with_records
        self._sources = list_sources(find_ruleset(round_robin).components)

    def read(self, value: Any) -> SetResult:
        """Return the `SetResult` that a JSON object holds. Raises `ValueError` where it cannot be one of these.

        A game record is replayed, and must be the very one that the engine makes of that game.
        """
        agents, number, deal, games = _take("it", value, SetResult)
        pairing = self._pairings.get(tuple(agents)) if _are_texts(agents) else None
        if pairing is None:
            _refuse("agents", " or ".join(str(list(names)) for names in self._pairings), agents)
        _check_count("number", number, MAX_NUMBER)
        due = pairing.find_deal(number)
        if type(deal) is not int or deal != due:
            _refuse("deal", f"{due}, which is that of pair {number} by the seed {pairing.seed}", deal)
        _check_list("games", games, GAMES_PER_PAIR)
        for place, game in enumerate(games):
            self._check_game(f"games[{place}]", game)
        result = rebuild(value)
        for first_player, game in enumerate(result.games if self._with_records else ()):
            _check_record(f"games[{first_player}]", game, pairing, deal, first_player)
        return result

    def _check_game(self, where, value):
        sides, record, wins = _take(where, value, GameResult)
        _check_list(f"{where}.sides", sides, NUM_SIDES)
        if record is not None and not self._with_records:
            _refuse(f"{where}.record", "null, as no records are kept", record)
        if wins is not None:
            _refuse(f"{where}.wins", "null, as most points win", wins)
        for number, side in enumerate(sides):
            self._check_side(f"{where}.sides[{number}]", side)

    def _check_side(self, where, value):
        _take(where, value, Side)
        for name in _COUNTS:
            _check_count(f"{where}.{name}", value[name], MAX_COUNT)
        sources, seconds = value["sources"], value["seconds"]
        if not isinstance(sources, dict):
            _refuse(f"{where}.sources", "an object", sources)
        for source, points in sources.items():
            if source not in self._sources:
                _refuse(f"{where}.sources", f"of {', '.join(self._sources)}", source)
            _check_count(f"{where}.sources[{source!r}]", points, MAX_COUNT)
        if value["points"] != sum(sources.values()):
            _refuse(f"{where}.points", f"{sum(sources.values())}, the sum of its sources", value["points"])
        if type(seconds) not in (int, float) or not 0 <= seconds <= MAX_SECONDS:
            _refuse(f"{where}.seconds", f"a number from 0 to {MAX_SECONDS}", seconds)


def _check_record(where, game, pairing, deal, first_player):
    """Check that the record of a game is the one that the engine makes of it, and says what its sides say."""
    try:
        played = Game.replay(game.record, pairing.components)
    except RecordError as error:
        raise ValueError(f"{where}.record must be that of a game by the rules: {error}") from error
    found = (played.ruleset.name, played.seed, played.is_terminal)
    if found != (pairing.ruleset, deal, True):
        _refuse(f"{where}.record", f"of a whole game of {pairing.ruleset}, deal {deal}", game.record)
    seating = list_positions(first_player)
    due = played.record([pairing.names[position] for position in seating])
    for name in due | game.record:
        if json.dumps(due.get(name)) != json.dumps(game.record.get(name)):
            _refuse(f"{where}.record[{name!r}]", show(due.get(name)), game.record.get(name))
    for player, tallied in enumerate(tally(due)):
        side = game.sides[seating[player]]
        if (side.sources, side.tokens_taken, side.discards) != tallied:
            _refuse(f"{where}.sides[{seating[player]}]", f"what the record says, {tallied}", side)
    decisions = sum(side.decisions for side in game.sides)
    if decisions != len(played.history):
        _refuse(f"{where}.sides", f"of {len(played.history)} decisions, as in the record", decisions)


def _take(where, value, kind):
    """Return the values of a JSON object that has just the fields of the dataclass `kind`, in their order."""
    names = [field.name for field in fields(kind)]
    if not isinstance(value, dict) or value.keys() != set(names):
        _refuse(where, f"an object with the fields {', '.join(names)}", list(value) if type(value) is dict else value)
    return [value[name] for name in names]


def _are_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _check_count(where, value, most):
    if type(value) is not int or not 0 <= value <= most:
        _refuse(where, f"a whole number from 0 to {most}", value)


def _check_list(where, value, count):
    if not isinstance(value, list) or len(value) != count:
        _refuse(where, f"a list of {count}", value)


def _refuse(where: str, allowed: str, given: object) -> NoReturn:
    raise ValueError(f"{where} must be {allowed}, not {show(given)}")
