"""Results kept in a file as they come, so that a run that was cut short goes on where it stopped.

The file is JSON Lines. The first line says what was played, the others are one pair each. Pairs depend on nothing
but that first line and their number, so a file may be continued with more pairs, but not with anything else.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from os import PathLike
from pathlib import Path
from typing import IO, Any, Self, TypeAlias

from zamek_agents.agent_files import list_modules, list_named_files
from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.arena.pair_lines import PairReader, parse_line, rebuild, take_digest, to_line
from zamek_agents.arena.round_robin import RoundRobin, find_ruleset
from zamek_agents.arena.sets import SetResult
from zamek_agents.frozen import list_frozen_weights
from zamek_agents.plain_file import digest_files, digest_module, lock
from zamek_agents.shipped import list_weights
from zamek_env import __version__
from zamek_env.common.messages import show
from zamek_env.components.box_folder import DATA
from zamek_env.make_game import find_family, make_game

Key: TypeAlias = tuple[tuple[str, ...], int]  # (names, number) of a result

FORMAT = "zamek-pairs/1"
MAX_LINE = 2**24  # bytes; a pair with its records takes some thousands
_SOURCES = (Path(__file__).parents[1], DATA.parent)  # of all agents and rules
_FOREIGN = f"{{path}} holds no results of pairs: its first line must have the format {FORMAT!r}"


def describe(round_robin: RoundRobin) -> dict[str, Any]:
    """Return what the results of a `RoundRobin` depend on, as it stands in the first line."""
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
    """Return the spec, and where it names files or an agent of others, of which contents."""
    files = list_named_files(spec)
    digests = [*([digest_files(*files)] if files else []), *map(digest_module, list_modules(spec))]
    return " ".join([spec, *digests])


class StoredResults(Mapping[Key, SetResult]):
    """The results in an open file, by names and number, each read when it is asked for: records take much memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lines: dict[Key, tuple[int, int]] = {}  # where each begins, and of how many bytes

    def note(self, key: Key, start: int, length: int) -> None:
        """Note where in the file the result of that `key` stands."""
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
    last line that was cut is forgotten. Raises `ValueError`, having changed nothing, where the file is of another
    round robin or of none, where a line is not what was written there, or where more than two play. Raises `OSError`
    where it cannot be written, or is by another process.
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
        """Write a `SetResult` down, unless it is there. Raises `OSError` where it cannot, and leaves no half line."""
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
            return  # it was cut, or nothing stands there
        found = self._parse(1, first)
        is_ours = take_digest(found)
        _check_settings(self._path, found, settings)
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
        """Give the whole lines after the first one, with their numbers."""
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


def _check_settings(path, found, asked):
    if found.get("format") != FORMAT:
        raise ValueError(_FOREIGN.format(path=path))
    for name in asked | found:
        given, due = found.get(name), asked.get(name)
        if json.dumps(given) != json.dumps(due):
            held = f"its {name}: {show(given)}, but {show(due)} is asked for"
            raise ValueError(f"{path} holds results of other settings: {held}; name another folder, or remove this one")
