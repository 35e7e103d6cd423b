"""Reads game records, and replays them to check them against the rules."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from os import PathLike
from typing import Any, BinaryIO, NamedTuple

from zamek_agents.named_ruleset import name_table
from zamek_agents.plain_file import open_plain
from zamek_env import Game, RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.records.shape import FORMAT as CASTLE_FORMAT
from zamek_env.common.messages import escape, shorten, show, show_count
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.components.json_entry import read_object
from zamek_env.load import AnyComponents
from zamek_env.make_game import FAMILIES
from zamek_env.plain_game import FORMAT as PLAIN_FORMAT
from zamek_env.plain_game import PlainGame
from zamek_env.records.write import FORMAT

LONGEST_RECORD = 16_000_000  # bytes of a line; what is longer is read in parts, which are no records


class ReplayedGame(NamedTuple):
    """A game that obeys the rules: its record, its end, and who played."""

    record: Mapping[str, Any]
    game: Any  # `Game` or `CastleCards`
    names: tuple[str, ...]  # of the players, each printable on one line


def open_records(path: PathLike[str] | str) -> BinaryIO:
    """Open a file of records for reading, in binary, after a UTF-8 byte order mark if there is one.

    Raises as `open_plain` does.
    """
    file = open_plain(path)
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    return file


def count_lines(path: PathLike[str] | str) -> int:
    """Return how many lines of a file are not empty. Raises `OSError` where it cannot be read."""
    with open_records(path) as file:
        return sum(not line.isspace() for line in _cut(file))


def read_lines(path: PathLike[str] | str) -> Iterator[tuple[str, Any]]:
    """Yield (where, record) for each line of a file that is not empty, such as `("line 3", {…})`.

    Raises `RecordError`, naming the line, for what is not JSON, and `OSError` where the file cannot be read.
    """
    with open_records(path) as file:
        for number, line in enumerate(_cut(file), 1):
            if not line.isspace():
                yield f"line {number}", _parse(line, f"line {number}")


def replay_all(records: Iterable[tuple[str, Any]], components: AnyComponents = None) -> Iterator[ReplayedGame]:
    """Yield each of `records`, pairs (where, record), as a `ReplayedGame`.

    `components` are those of all games; None: the packaged ones. Raises `RecordError`, naming the place, where a record
    is malformed or breaks a rule, and where it is of another ruleset than the first.
    """
    box, first = components, None
    for where, record in records:
        if is_castle_record(record):
            raise RecordError(
                f"{where}: record, format: must be {FORMAT!r} as before, not {CASTLE_FORMAT!r}; all games of an "
                f"analysis must be of one ruleset"
            )
        try:
            game = Game.replay(record, box)
            names = _read_names(record, game.num_players)
        except RecordError as error:
            raise RecordError(f"{where}: {error}") from error
        first = first or game.ruleset
        if game.ruleset.components != first.components:
            raise RecordError(
                f"{where}: record, ruleset: the games before are of {name_table(first)}, and this one is of "
                f"{name_table(game.ruleset)}; all games of an analysis must be of one ruleset"
            )
        box = None if components is None else first.components  # a folder is read once
        yield ReplayedGame(record, game, names)


def replay_castle(records: Iterable[tuple[str, Any]]) -> Iterator[ReplayedGame]:
    """Yield each of `records` of Castle, the card game, as `replay_all` does of games of tiles.

    Raises `RecordError`, naming the place, where a record is malformed or breaks a rule, and where it is of another
    number of players than the first.
    """
    players = 0
    for where, record in records:
        try:
            game = CastleCards.replay(record)
        except RecordError as error:
            raise RecordError(f"{where}: {error}") from error
        if players not in (0, game.num_players):
            raise RecordError(f"{where}: record, players: must be {players} as before, not {game.num_players}")
        players = game.num_players
        names = record.get("agents") or [f"player {player}" for player in range(players)]
        yield ReplayedGame(record, game, tuple(map(make_printable, names)))


def is_castle_record(record: object) -> bool:
    """Return whether `record` claims to be of Castle, the card game."""
    return isinstance(record, Mapping) and record.get("format") == CASTLE_FORMAT


def replay(record: Any, components: AnyComponents = None) -> Any:
    """Return the game in `record`, of tiles, of cards, or one of your own that `register_game` knows by its class.

    Raises `RecordError` where the rules say otherwise.
    """
    if is_castle_record(record):
        game, field, name = CastleCards, "ruleset", CASTLE_CARDS
    elif isinstance(record, Mapping) and record.get("format") == PLAIN_FORMAT:
        game, field, name = _find_class(record.get("game")), "game", record["game"]
    else:
        return Game.replay(record, components)
    if components is not None:
        raise RecordError(f"record, {field}: {name} has no components")
    return game.replay(record)


def _find_class(name):
    """Return the class of that name of a user's own game."""
    for make in FAMILIES.values():
        if isinstance(make, type) and issubclass(make, PlainGame) and make.__name__ == name:
            return make
    raise RecordError(
        f"record, game: must be a class that register_game was given, not {show(name)}; import its module before, "
        f"which `zamek export --ruleset MODULE:NAME` does"
    )


def make_printable(name: str) -> str:
    """Return `name` on one line and of limited length; characters that cannot be printed are escaped as by Python."""
    return shorten(escape(name))


def _cut(file):
    """Return an iterator over the lines of a file, each limited in length."""
    return iter(partial(file.readline, LONGEST_RECORD), b"")


def _parse(line, where):
    try:
        return json.loads(line.decode(), object_pairs_hook=read_object)
    except UnicodeDecodeError as error:
        raise RecordError(f"{where}: record: must be text in UTF-8, not packed: {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            f"{where}: record: is not JSON: {shorten(str(error))}; each line must hold a whole record"
        ) from error


def _read_names(record, players):
    names = record.get("players", [f"player {player}" for player in range(players)])
    if not isinstance(names, list | tuple) or len(names) != players:
        raise RecordError(f"record, players: must be {show_count(players, 'name')}, not {show(names)}")
    for name in names:
        if not isinstance(name, str):
            raise RecordError(f"record, players: must be names, not {show(name)}")
    return tuple(map(make_printable, names))
