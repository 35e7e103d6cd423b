"""Results kept in a file as they come, so that a run that was cut short goes on where it stopped.

The file is JSON Lines. The first line tells what was played, the others are one pair each. Pairs depend on nothing
but that first line and their number, so a file may be continued with more pairs, but not with anything else.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from zamek_env import __version__
from zamek_env.core.jit import fingerprint
from zamek_env.core.transcription import DATA

from .arena import PairResult, PlayedGame, Side
from .shipped import list_weights

FORMAT = "zamek-pairs/1"
_FOREIGN = f"{{path}} holds no results of pairs: its first line must have the format {FORMAT!r}"


def describe(round_robin):
    """Return what the results of a `RoundRobin` depend on, as it stands in the first line."""
    return {
        "format": FORMAT,
        "zamek_env": __version__,
        "sources": fingerprint(Path(__file__).parent, DATA.parent),
        "components": _digest(*sorted(DATA.iterdir())),
        "ruleset": round_robin.ruleset,
        "seed": round_robin.seed,
        "agents": [_describe_agent(spec) for spec in round_robin.specs],
        "weights": {agent: _digest(path) for agent, path in list_weights(round_robin.ruleset).items()},
        "records": round_robin.with_records,
    }


def _describe_agent(spec):
    """Return the spec, and where it names a file, as all of it or as an option, of which contents."""
    rest = spec.partition(":")[2]
    named = (Path(text.removeprefix("weights=")) for text in (rest, *rest.split(",")))
    files = {path for path in named if path.is_file()}
    return f"{spec} {_digest(*sorted(files))}" if files else spec


def _digest(*paths):
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


class KeptResults:
    """The file at `path`, made if it is not there, to be closed or used in a `with` statement.

    `results` holds what it told when it was opened: {(names, number): `PairResult`}. A last line that was cut is
    forgotten. Raises `ValueError`, having changed nothing, where the file tells of another round robin or of none.
    """

    def __init__(self, path, round_robin):
        self.results = {}
        settings, path = describe(round_robin), Path(path)
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if whole:
            self._read(path, whole, settings)
        elif not _to_line(settings).encode().startswith(content):
            raise ValueError(_FOREIGN.format(path=path))
        self._file = path.open("a", encoding="utf-8")
        self._file.truncate(len(whole))
        if not whole:
            self._write(settings)

    def add(self, result):
        """Write a `PairResult` down, unless it is there."""
        if (result.agents, result.number) not in self.results:
            self._write(asdict(result))

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _write(self, value):
        self._file.write(_to_line(value))
        self._file.flush()

    def _read(self, path, whole, settings):
        first, *lines = whole.decode("utf-8", "replace").splitlines()
        _check_settings(path, _read_object(path, 1, first), settings)
        for number, line in enumerate(lines, start=2):
            value = _read_object(path, number, line)
            try:
                result = _to_result(value)
            except (KeyError, TypeError) as error:
                raise ValueError(f"{path}: line {number} is no result of a pair") from error
            self.results[result.agents, result.number] = result


def _to_line(value):
    return json.dumps(value) + "\n"


def _read_object(path, number, line):
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{path}: line {number} is not JSON") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path}: line {number} is not a JSON object")
    return value


def _check_settings(path, found, asked):
    if found.get("format") != FORMAT:
        raise ValueError(_FOREIGN.format(path=path))
    for name, value in asked.items():
        if found.get(name) != value:
            held = f"its {name} is {found.get(name)!r}, and {value!r} is asked for"
            raise ValueError(f"{path} holds results of other settings: {held}; name another folder, or remove this one")


def _to_result(value):
    games = [PlayedGame(tuple(Side(**side) for side in game["sides"]), game["record"]) for game in value["games"]]
    return PairResult(tuple(value["agents"]), value["number"], value["deal"], tuple(games))
