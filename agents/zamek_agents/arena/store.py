"""Keeps results in a file as they come, so that an interrupted run goes on where it stopped.

The file is JSON Lines. The first line says what was played, the others are one pair each. Pairs depend on nothing
but that first line and their number, so a file may be continued with more pairs, but not with anything else.
Every line is checked against the round robin that it is of: a `ValueError` names the field, what it holds and what is
allowed there, all in one line.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from itertools import count
from os import PathLike
from pathlib import Path
from typing import IO, Any, NoReturn, Self, TypeAlias

import numpy as np

from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.arena.round_robin import RoundRobin, find_ruleset, prepare
from zamek_agents.arena.sets import GameResult, SetResult, Side, list_positions, tally
from zamek_agents.frozen import list_frozen_weights
from zamek_agents.plain_file import digest_files, digest_module, lock
from zamek_agents.pretrained import list_weights
from zamek_agents.registry import list_modules, list_named_files
from zamek_env import Game, RecordError, __version__
from zamek_env.common.messages import show
from zamek_env.components.box_folder import DATA
from zamek_env.components.json_entry import read_object
from zamek_env.make_game import find_family, make_game
from zamek_env.records.write import list_sources

MAX_NUMBER = 10**9  # of a pair
MAX_COUNT = int(np.iinfo(np.int16).max)  # points of a player, as in states, and all other counts
MAX_SECONDS = 10**9  # of one agent in one game: thirty years
NUM_SIDES = 2  # of a game
DIGEST = "digest"  # the field of a line that shows whether the line was changed by hand
_COUNTS = ("points", "tokens_taken", "discards", "decisions")
Key: TypeAlias = tuple[tuple[str, ...], int]  # (names, number) of a result
FORMAT = "zamek-pairs/1"
MAX_LINE = 2**24  # bytes; a pair with its records takes some thousands
_SOURCES = (Path(__file__).parents[1], DATA.parent)  # of all agents and rules
_WITH_RECORDS = "records (with_records, on the command line --records or --html)"
_FOREIGN = f"{{path}} holds no results of pairs: its first line must have the format {FORMAT!r}"


def to_line(value: dict[str, Any]) -> bytes:
    """Return a JSON object as a line, in bytes, with a digest of all that it holds as its last field."""
    return json.dumps(value | {DIGEST: _digest(value)}).encode() + b"\n"


def take_digest(value: dict[str, Any]) -> bool:
    """Remove the digest from a JSON object that `parse_line` returned; return whether it is that of all the rest."""
    return value.pop(DIGEST, None) == _digest(value)


def _digest(value):
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def parse_line(line: bytes) -> dict[str, Any]:
    """Return the JSON object in a line of bytes. Raises `ValueError` where it holds no object, or a key twice."""
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
        are_texts = isinstance(agents, list) and all(isinstance(name, str) for name in agents)
        pairing = self._pairings.get(tuple(agents)) if are_texts else None
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
    """Return the values of a JSON object that has exactly the fields of the dataclass `kind`, in their order."""
    names = [field.name for field in fields(kind)]
    if not isinstance(value, dict) or value.keys() != set(names):
        _refuse(where, f"an object with the fields {', '.join(names)}", list(value) if type(value) is dict else value)
    return [value[name] for name in names]


def _check_count(where, value, most):
    if type(value) is not int or not 0 <= value <= most:
        _refuse(where, f"a whole number from 0 to {most}", value)


def _check_list(where, value, count):
    if not isinstance(value, list) or len(value) != count:
        _refuse(where, f"a list of {count}", value)


def _refuse(where: str, allowed: str, given: object) -> NoReturn:
    raise ValueError(f"{where} must be {allowed}, not {show(given)}")


def describe(round_robin: RoundRobin) -> dict[str, Any]:
    """Return what the results of a `RoundRobin` depend on, as the first line holds it."""
    ruleset = find_ruleset(round_robin)
    packaged = list_weights(ruleset) | list_frozen_weights(ruleset)
    return {
        "format": FORMAT,
        "zamek_env": __version__,
        "sources": digest_files(*sorted(path for folder in _SOURCES for path in folder.rglob("*.py"))),
        "ruleset": ruleset.name,  # before its components: the first difference is the one that is named
        "components": ruleset.components.digest,
        "seed": round_robin.seed,
        "agents": [_describe_agent(spec) for spec in round_robin.specs],
        "weights": {agent: digest_files(path) for agent, path in packaged.items()},
        "records": round_robin.with_records,
    }


def _describe_agent(spec):
    """Return the spec, with digests of the files and of the third-party modules that it names."""
    files = list_named_files(spec)
    digests = [*([digest_files(*files)] if files else []), *map(digest_module, list_modules(spec))]
    return " ".join([spec, *digests])


class StoredResults(Mapping[Key, SetResult]):
    """The results in an open file, by names and number, each read when it is asked for: records take much memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lines: dict[Key, tuple[int, int]] = {}  # where each begins, and of how many bytes

    def note(self, key: Key, start: int, length: int) -> None:
        """Note where in the file the result of that `key` is."""
        self._lines[key] = start, length

    def __getitem__(self, key: Key) -> SetResult:
        start, length = self._lines[key]
        self._file.seek(start)
        value = parse_line(self._file.read(length))
        if not take_digest(value):
            raise ValueError(f"{self._file.name}: the line of number {key[1]} of {' and '.join(key[0])} was changed")
        return rebuild(value)

    def __contains__(self, key: object) -> bool:
        return key in self._lines

    def __iter__(self) -> Iterator[Key]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class KeptResults:
    """The file at `path`, made if it is not there, to be closed or used in a `with` statement.

    `results` is what it held when it was opened, {(names, number): `SetResult`}, and can be read until it is closed. A
    truncated last line is dropped. Raises `ValueError`, having changed nothing, where the file is of another round
    robin or of none, where a line was changed, or where more than two play. Raises `OSError` where it cannot be
    written, or is by another process.
    """

    def __init__(self, path: PathLike[str] | str, round_robin: RoundRobin) -> None:
        if find_family(round_robin.ruleset):
            raise ValueError(f"results are kept only of games of tiles, not of {round_robin.ruleset!r}")
        players = make_game(round_robin.ruleset, seed=0, components=round_robin.components).num_players
        if players != GAMES_PER_PAIR:
            raise ValueError(f"results are kept only of two players, and {round_robin.ruleset!r} has {players}")
        self._path, self._length, settings = Path(path), 0, describe(round_robin)
        if self._path.exists() and not self._path.is_file():
            raise ValueError(f"{path} is not a file")  # a pipe or a device may have no end
        self._file = self._path.open("a+b", buffering=0)
        self.results = StoredResults(self._file)
        try:
            lock(self._file.fileno(), self._path)
            self._file.seek(0)
            with open(self._file.fileno(), "rb", closefd=False) as file:
                self._read(file, settings, round_robin)
            self._file.truncate(self._length)
            if not self._length:
                self._write(settings)
        except BaseException:
            self._file.close()
            raise
        self._written = set(self.results)

    def add(self, result: SetResult) -> None:
        """Write a `SetResult`, unless it is there. Raises `OSError` where it cannot, and leaves no partial line."""
        key = result.agents, result.number
        if key not in self._written:
            self._write(asdict(result))
            self._written.add(key)

    def close(self) -> None:
        """Close the file. After that `results` cannot be read."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, value):
        line = rest = to_line(value)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._length)
            raise OSError(error.errno, error.strerror, str(self._path)) from error
        self._length += len(line)

    def _read(self, file, settings, round_robin):
        """Take the results from an open file, line by line. Writes `results`, and `_length` of all whole lines."""
        first = file.readline(MAX_LINE)
        if not first.endswith(b"\n"):
            if not to_line(settings).startswith(first):
                raise ValueError(_FOREIGN.format(path=self._path))
            return  # it was cut, or is empty
        found = self._parse(1, first)
        is_ours = take_digest(found)
        if found.get("format") != FORMAT:
            raise ValueError(_FOREIGN.format(path=self._path))
        for name in settings | found:
            given, due = found.get(name), settings.get(name)
            if json.dumps(given) != json.dumps(due):
                field = _WITH_RECORDS if name == "records" else name
                held = f"its {field}: {show(given)}, but {show(due)} is asked for"
                raise ValueError(
                    f"{self._path} holds results of other settings: {held}; name another folder, or remove this one"
                )
        self._check_digest(1, is_ours)
        self._length = len(first)
        reader: Any = None
        for number, line in self._list_others(file):
            reader = reader or PairReader(round_robin)
            value = self._parse(number, line)
            is_ours = take_digest(value)
            try:
                result = reader.read(value)
            except ValueError as error:
                raise ValueError(f"{self._path}: line {number}: {error}") from error
            self._check_digest(number, is_ours)
            key = result.agents, result.number
            if key in self.results:
                names = " and ".join(result.agents)
                raise ValueError(f"{self._path}: line {number}: number {result.number} of {names} stands there before")
            self.results.note(key, self._length, len(line))
            self._length += len(line)

    def _list_others(self, file):
        """Yield the whole lines after the first one, with their numbers."""
        for number in count(2):
            line = file.readline(MAX_LINE)
            if line.endswith(b"\n"):
                yield number, line
            elif len(line) == MAX_LINE:
                raise ValueError(f"{self._path}: line {number} is longer than {MAX_LINE} bytes")
            else:
                return

    def _check_digest(self, number, is_ours):
        if not is_ours:
            raise ValueError(f"{self._path}: line {number} was changed after it was written: its digest is another one")

    def _parse(self, number, line):
        try:
            return parse_line(line.removesuffix(b"\n"))
        except ValueError as error:
            raise ValueError(f"{self._path}: line {number} {error}") from error
