"""Compares a dataset with the rules: replays each of its games and recomputes every array."""

from collections import deque
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.analysis.reading import is_castle_record, replay
from zamek_agents.datasets.columns import Layout
from zamek_agents.datasets.export import check_reward
from zamek_agents.datasets.folder import ABOUT, GAMES, MODULES, check_file, read_about
from zamek_agents.datasets.rows import Arrays, find_rows
from zamek_agents.datasets.sources import FinishedGame, Judge, find_values, read_games
from zamek_env.common.messages import show
from zamek_env.game_protocol import GameProtocol
from zamek_env.load import AnyComponents


class Verified(NamedTuple):
    """The amounts of data compared."""

    games: int
    decisions: int
    with_values: bool  # whether the values were, too


def verify(folder: PathLike[str] | str, components: AnyComponents = None, judge: Judge | None = None) -> Verified:
    """Replay all games of a dataset, compare every array with what the rules say, and return how many there were.

    `components` are those of all games. The values of an agent are compared where the same agent with the same seed is
    given as `judge`. It also compares how Minari or Hugging Face would read the folder. Nothing that the dataset names
    is imported or run.

    Raises `ValueError`, naming file, game and array, at the first difference, and `RecordError` where a game breaks a
    rule.
    """
    (compared,) = deque(verify_games(folder, components, judge), maxlen=1)
    return compared


def verify_games(
    folder: PathLike[str] | str, components: AnyComponents = None, judge: Judge | None = None
) -> Iterator[Verified]:
    """Do as `verify` does, and yield after each game what was compared so far."""
    path = Path(folder)
    about = read_about(path)
    layout, kind = Layout.read(about), about["kind"]
    if kind not in MODULES:
        raise ValueError(f"{path / ABOUT}: kind must be one of {', '.join(MODULES)}, not {show(kind)}")
    reader = import_module(f"zamek_agents.datasets.{MODULES[kind]}")
    if judge is not None and not about["values"]:
        raise ValueError(f"{path / ABOUT}: values: there are none to compare with those of {judge.agent.name}")
    records = check_file(path, GAMES, about)
    number, decisions = 0, 0
    for played, stored in zip_longest(read_games(records, components), reader.read_games_stored(path)):
        if not isinstance(played, FinishedGame) or stored is None:
            raise ValueError(f"{path}: {GAMES} and the arrays must have the same finished games: game {number}")
        try:
            found = Layout.of(played.game, layout.parts)
            if number == 0:  # all others are of the same kind
                check_reward(about["reward"], played.game)
        except ValueError as error:
            raise ValueError(f"{path / ABOUT}: game {number}: {error}") from error
        if found != layout:
            raise ValueError(f"{path / ABOUT}: ruleset: game {number} is of another ruleset, or on other components")
        game = _follow(played, reader.list_actions(stored), f"{path}: game {number}")
        values = None if judge is None else find_values(game, number, judge)
        rows = find_rows(game, number, about["reward"], values, layout)
        _compare(reader.list_stored(rows, layout), stored, f"{path}: game {number}")
        number, decisions = number + 1, decisions + len(rows.columns["action"])
        yield Verified(number, decisions, judge is not None)
    if (number, decisions) != (about["games"], about["decisions"]):
        raise ValueError(f"{path / ABOUT}: games and decisions must be {number} and {decisions}")
    reader.check_description(path, about, game)


def _follow(played: FinishedGame, actions: list[int], where: str) -> GameProtocol:
    """Return the game with these actions, among those that have the same record as the game `played`.

    A record of cards without actions does not say in which order the cards of one effect were chosen, so several may
    have it.
    """
    game: Any = played.game
    if not is_castle_record(played.record) or "actions" in played.record or list(game.history) == actions:
        return game
    try:
        found = type(game).from_history(game.dealt_state, actions, game.seed, game.draws)
    except ValueError as error:
        raise ValueError(f"{where}: action: {error}") from error
    turns = {key: value for key, value in found.record().items() if key != "actions"}
    if not found.is_terminal or replay(turns).history != game.history:
        raise ValueError(f"{where}: action: the actions lead to another game than the record")
    return found


def _compare(due: Arrays, stored: Arrays, where: str) -> None:
    """Raise `ValueError`, naming the array, unless the stored arrays equal those that are due, bit for bit."""
    values = {name for name in stored if name.endswith("values")}
    for name in due.keys() | (stored.keys() - values):
        if name not in due or name not in stored:
            raise ValueError(f"{where}: {name}: it is {'missing' if name in due else 'not what a dataset has'}")
        wanted, found = due[name], stored[name]
        same_kind = wanted.dtype.kind == found.dtype.kind and wanted.shape == found.shape
        is_exact = wanted.dtype.kind == "U" or wanted.dtype == found.dtype
        if not same_kind or not is_exact:
            form = f"{found.dtype} of {found.shape}"
            raise ValueError(f"{where}: {name}: it must be {wanted.dtype} of {wanted.shape}, not {form}")
        differ = wanted != found
        if wanted.dtype.kind == "f":
            differ &= ~(np.isnan(wanted) & np.isnan(found))
        if differ.any():
            row = int(np.argwhere(differ)[0][0])
            source = "the agent says" if name in values else "the rules say"
            raise ValueError(f"{where}: {name}: entry {row} is not what {source}")
