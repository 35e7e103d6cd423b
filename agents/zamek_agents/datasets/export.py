"""Writes games as a dataset, one after the other, so that memory holds no more than a shard; checks a dataset.

A check replays each game by the rules, and computes every array again.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.analysis.reading import is_castle_record, replay
from zamek_agents.atomic_dir import write_atomic_dir
from zamek_agents.base import name_ruleset
from zamek_agents.datasets.columns import Layout
from zamek_agents.datasets.folder import ABOUT, DATASET, GAMES, MODULES, check_file, read_about, write_about
from zamek_agents.datasets.rows import Arrays, GameRows, find_rows
from zamek_agents.datasets.sources import FinishedGame, Judge, Values, find_values, read_games
from zamek_agents.plain_file import check_path
from zamek_env.base.rewards import REWARDS
from zamek_env.common.checks import check_choice, check_count
from zamek_env.common.messages import show
from zamek_env.game_protocol import GameProtocol, find_encoding
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.version import __version__

SHARD_BYTES = 2**26  # in memory: 10,000 decisions of Zamek, 2,600 of Carcassonne
_MAX_AGENTS = 100  # names listed


@dataclass(frozen=True)
class ExportOptions:
    """The options of an export.

    Raises `TypeError` or `ValueError`, naming the field, for a bad value.
    """

    kind: str = "npz"  # one of `MODULES` of `folder.py`
    reward: str = "win"  # one of `zamek_env.base.rewards.REWARDS`
    judge: Judge | None = None  # whom to ask for values
    command: str | None = None  # what is noted of how the dataset was made
    overwrite: bool = False  # whether to replace a dataset
    shard_bytes: int = SHARD_BYTES
    observation: Sequence[str] = PLANE_PARTS  # parts to store: some of `PARTS`, if the game has them

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, MODULES)
        check_choice("reward", self.reward, REWARDS)
        check_choice("overwrite", self.overwrite, (True, False))
        check_count("shard_bytes", self.shard_bytes)
        object.__setattr__(self, "observation", check_parts(self.observation))
        if not isinstance(self.command, str | None):
            raise TypeError(f"command must be a text or None, not {show(self.command)}")
        if not isinstance(self.judge, Judge | None):
            raise TypeError(f"judge must be a Judge, such as Judge(make_agent('value')), not {show(self.judge)}")


def export(
    games: Iterable[FinishedGame | None], folder: PathLike[str] | str, options: ExportOptions | None = None
) -> dict[str, Any]:
    """Write `games` into `folder` as a dataset; return what `dataset.json` says of the games.

    To that it adds `left_out`: how many games were None, which are left out. Games that `judge_games` judged
    already are not judged again.

    Raises `ValueError` where there are none, where they are not all of one ruleset and number of players, where they
    were judged by another judge than that of the `options`, where the `options` have a reward or parts of an
    observation that such games do not have, for games of your own that a dataset cannot hold, or where `folder` holds
    anything that may not be replaced; `TypeError` for `games` or `options` of another kind; `MissingExtraError` where
    the format needs a package that is not installed; `OSError` where it cannot be written; and whatever `games` raises.
    The folder is then unchanged.
    """
    how = ExportOptions() if options is None else options
    if not isinstance(how, ExportOptions):
        raise TypeError(f"options must be ExportOptions, not {show(options)}")
    if isinstance(games, str | Path) or not isinstance(games, Iterable):
        raise TypeError(f"games must come from play_games or read_games, not {show(games)}")
    path = Path(check_path(folder, "folder"))
    open_writer = find_opener(how, path)
    with ExitStack() as stack:
        part = stack.enter_context(write_atomic_dir(path, DATASET, how.overwrite))
        records = stack.enter_context((part / GAMES).open("w", encoding="utf-8"))
        exported = _Exported(how)
        for played in games:
            if played is None:
                exported.left_out += 1
                continue
            if not isinstance(played, FinishedGame):
                raise TypeError(f"games must be those of play_games or read_games, not {show(played)}")
            rows = exported.take(played, lambda game, layout: open_writer(part, layout, game), stack)
            exported.writer.add(rows)
            records.write(json.dumps(played.record) + "\n")
        if exported.layout is None:
            raise ValueError("there is no finished game to export")
        records.close()
        about = exported.make_entries()
        write_about(part, about | exported.writer.finish(about))
    return about | {"left_out": exported.left_out}


class _Exported:
    """The data exported so far."""

    def __init__(self, options: ExportOptions) -> None:
        self.layout: Layout | None = None
        self.writer: Any = None
        self.left_out = 0  # games that are not over
        self._options = options
        self._games, self._decisions = 0, 0
        self._unit: str | None = None
        self._agents: dict[str, None] = {}  # in order

    def take(
        self, played: FinishedGame, open_writer: Callable[[GameProtocol, Layout], Any], stack: ExitStack
    ) -> GameRows:
        """Return the rows of a game; with the first one, open the writer."""
        options, number = self._options, self._games
        layout = Layout.of(played.game, tuple(options.observation))
        if self.layout is None:
            check_reward(options.reward, played.game)
            self.layout, self.writer = layout, open_writer(played.game, layout)
            if hasattr(self.writer, "close"):
                stack.callback(self.writer.close)
        if layout != self.layout:
            raise ValueError(
                f"all games must be of one ruleset and number of players: {played.where or f'game {number}'} is of "
                f"{layout.trained_for.ruleset} with {layout.players}, those before of "
                f"{self.layout.trained_for.ruleset} with {self.layout.players}"
            )
        values = self._find_values(played, number)
        if values is not None and values.unit != (self._unit or values.unit):
            raise ValueError(f"values must be of one unit, not {self._unit} and {values.unit}")
        self._unit = values and values.unit
        rows = find_rows(played.game, number, options.reward, values, layout)
        self._games += 1
        self._decisions += len(rows.columns["action"])
        if len(self._agents) < _MAX_AGENTS:
            names = played.record.get("agents", played.record.get("players"))
            if isinstance(names, list | tuple):
                self._agents |= dict.fromkeys(name for name in names if isinstance(name, str))
        return rows

    def _find_values(self, played: FinishedGame, number: int) -> Values | None:
        """Return what the judge thinks of a game, which may have been found already."""
        judge, found = self._options.judge, played.values
        if found is None:
            return None if judge is None else find_values(played.game, number, judge)
        due = None if judge is None else (judge.agent.name, judge.seed, number)
        if (found.agent, found.seed, found.number) != due:
            raise ValueError(f"values must be those of {due}, agent, seed and game, not of {found[:3]}")
        return found

    def make_entries(self) -> dict[str, Any]:
        """Return the metadata of the dataset."""
        assert self.layout is not None  # there is a game
        options, judge = self._options, self._options.judge
        return {
            "kind": options.kind,
            "engine": f"zamek_env {__version__}",
            "command": options.command,
            **self.layout.make_entries(),
            "reward": options.reward,
            "values": judge and {"agent": judge.agent.name, "unit": self._unit, "seed": judge.seed},
            "games": self._games,
            "decisions": self._decisions,
            "agents": [*self._agents],
        }


def check_reward(reward: str, game: Any) -> None:
    """Raise `ValueError` unless games like this one have that reward."""
    if reward not in (allowed := find_encoding(game).rewards):
        name = name_ruleset(game)
        raise ValueError(f"reward must be {' or '.join(allowed)} for {name}, whose rewards are results, not {reward}")


def find_opener(options: ExportOptions, folder: Path) -> Callable[[Path, Layout, GameProtocol], Any]:
    """Return the function that opens the writer, of the folder, the layout and a game; its packages are imported now.

    Raises `MissingExtraError` where that is not installed, `ValueError` where `folder` has no name for the format.
    """
    if options.kind == "minari":
        from zamek_agents.datasets.minari_data import MinariWriter, check_name

        name = check_name(folder)
        return lambda part, layout, game: MinariWriter(part, layout, name, game, options.reward)
    if options.kind == "npz":
        from zamek_agents.datasets.npz import NpzWriter as Writer
    else:
        from zamek_agents.datasets.parquet import ParquetWriter as Writer  # type: ignore[assignment]
    return lambda part, layout, game: Writer(part, layout, options.shard_bytes)


# --- a dataset compared with the rules ---


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
    path = Path(check_path(folder, "folder"))
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
