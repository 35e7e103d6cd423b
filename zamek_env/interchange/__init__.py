"""Imports games of other programs, and exports ours for them (`docs/interchange.md`).

The format of a file is told by its contents.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from zamek_env.common.messages import shorten, show
from zamek_env.components.json_entry import read_object
from zamek_env.errors import RecordError
from zamek_env.game import Game
from zamek_env.interchange.bga import is_archive, read_archive
from zamek_env.interchange.foreign_game import Compared, Import, ImportedGameError, list_names, play_told
from zamek_env.interchange.jcz import is_saved_game, read_saved_game, to_jcz
from zamek_env.records.replay import replay_right_turns
from zamek_env.records.write import FORMAT, make_record

__all__ = ["Compared", "Import", "ImportedGameError", "import_games", "to_jcz"]

LARGEST = 64_000_000  # bytes of a file; an archive of Board Game Arena has about one million


def import_games(content: bytes, partial: bool = False) -> list[Import]:
    """Return the games in the `content` of a file, each checked move by move.

    It is an archive of Board Game Arena, as downloaded or as a flat list of moves, a saved game of JCloisterZone of
    version 5, or one of our records of tile games or several, one a line. With `partial` a game that cannot be imported
    to its end is imported as far as possible.

    Raises `ValueError`, with what is not supported or missing, or with the turn, what the file says and what the rules
    say, `TypeError` where it is not bytes.
    """
    if not isinstance(content, bytes):
        raise TypeError(f"content must be bytes, as pathlib.Path.read_bytes returns them, not {show(content)}")
    if len(content) > LARGEST:
        raise ImportedGameError(f"it is larger than {LARGEST / 1e6:.0f} MB")
    found = []
    for where, value in _parse(content):
        try:
            taken = _import(value)
        except ImportedGameError as error:
            raise ImportedGameError(f"{where}{error}") from error
        if taken.problem:
            taken = replace(taken, problem=f"{where}{taken.problem}")
            if not (partial and taken.game.history):
                raise ImportedGameError(taken.problem)
        found.append(taken)
    return found


def _parse(content: bytes) -> Iterator[tuple[str, Any]]:
    """Yield (prefix of messages, parsed JSON) of each game in a file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportedGameError(f"it must be text in UTF-8, not packed: {error}") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ImportedGameError("it is empty")
    try:
        yield "", _load(text)
        return
    except (ValueError, RecursionError) as error:
        if len(lines) == 1 or not lines[0][1].strip().endswith("}"):
            raise ImportedGameError(f"it is no JSON: {shorten(str(error))}") from error
    for number, line in lines:
        try:
            yield f"line {number}: ", _load(line)
        except (ValueError, RecursionError) as error:
            raise ImportedGameError(f"line {number}: it is no JSON: {shorten(str(error))}") from error


def _load(text):
    return json.loads(text, object_pairs_hook=read_object)


def _import_record(value):
    """Return the `Import` of one of our records. Raises `RecordError` where it is malformed."""
    try:
        game, record = Game.replay(value), value
        problem = None if game.is_terminal else "the game is not over"
    except RecordError as error:
        record = make_record(replay_right_turns(value))
        game, problem = Game.replay(record), str(error)
    return Import(game, list_names(value), Compared(len(record["turns"])), problem)


def _import(value):
    """Return the `Import` of parsed JSON. Raises `ImportedGameError`."""
    if isinstance(value, dict) and "format" in value:
        try:
            return _import_record(value)
        except RecordError as error:
            raise ImportedGameError(str(error)) from error
    if is_saved_game(value):
        return play_told(read_saved_game(value))
    if is_archive(value):
        return play_told(read_archive(value))
    raise ImportedGameError(
        f"it is no archive of Board Game Arena, no saved game of JCloisterZone 5 and no record of the format {FORMAT}"
    )
