"""Turns one game into rows: it is replayed, and each player observes it before deciding.

The formats `npz` and `hf-parquet` keep rows in shards, files of about equal size, each of whole games.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_agents.array_file import check_numbers
from zamek_agents.datasets.columns import MAX_NOTATION, Layout, count_legal, name_shown, pack_masks, unpack_masks
from zamek_agents.datasets.sources import Values
from zamek_env.base.rewards import REWARD_WIN, REWARDS, find_lead, find_reward
from zamek_env.game_protocol import find_encoding

Arrays = dict[str, npt.NDArray[Any]]  # columns by name
MAX_SHARD = 2**31  # bytes of a shard in memory


class GameRows(NamedTuple):
    """The rows of one game."""

    columns: Arrays  # as `columns.py` says
    last: list[Arrays]  # of `Layout.seen`: what each player sees at the end
    is_dict: bool  # whether players see a dict of arrays, or one array


def find_rows(
    game: Any, number: int, reward: str = "win", values: Values | None = None, layout: Layout | None = None
) -> GameRows:
    """Return the rows of a finished game, which has that `number` in its dataset.

    `reward` is one of `zamek_env.base.rewards.REWARDS`; other games than those of tiles are rewarded with their
    results. `values` are those that `find_values` found. `layout` is that of the dataset; None: the default of such
    games. Raises `ValueError` where notation takes more than `MAX_NOTATION` characters, or observations do not match
    their space.
    """
    held = layout or Layout.of(game)
    history, encoding = game.history, find_encoding(game, held.parts)

    def look(position: Any, player: int) -> Arrays:
        return name_shown(encoding.look(position, player), encoding.parts)

    lists: dict[str, list[Any]] = {name: [] for name in (*held.columns, "notation")}
    for position, action in game.retrace():
        player = position.current_player
        for name, array in look(position, player).items():
            lists[name].append(array)
        lists["mask"].append(position.legal_action_mask())
        lists["scores"].append(position.scores)
        lists["player"].append(player)
        text = position.format_action(action)
        if len(text) > MAX_NOTATION:
            raise ValueError(f"an action takes more than {MAX_NOTATION} characters to write: {text[:MAX_NOTATION]}…")
        lists["notation"].append(text)
    lists |= {"game": [number] * len(history), "decision": [*range(len(history))], "action": [*history]}
    players = np.array(lists["player"])
    kind = REWARDS.index(reward) if reward in encoding.rewards else REWARD_WIN
    lists |= _find_results(game, players, np.array(lists["scores"]), kind)
    lists["mask"] = [*pack_masks(np.array(lists["mask"]))]
    columns = {name: np.array(lists[name], column.dtype) for name, column in held.columns.items()}
    for name, column in held.columns.items():
        if columns[name].shape[1:] != column.shape:
            raise ValueError(f"{name} must be of shape {column.shape}, not {columns[name].shape[1:]}")
    columns["notation"] = np.array(lists["notation"])
    if values is not None:
        columns["values"] = values.values
    last = [look(game, player) for player in range(held.players)]
    return GameRows(columns, last, isinstance(encoding.space, spaces.Dict))


def _find_results(game, players, scores, kind):
    """Return {column: rows} of reward, of that `kind`, outcome and lead."""
    returns = game.returns()
    final = np.array([find_lead(game.scores, player) for player in range(game.num_players)])
    rewards = np.zeros(len(players))
    for player in range(game.num_players):
        rows = np.flatnonzero(players == player).tolist()  # none where the game was over before the player's first turn
        before = 0  # ahead as far as rewarded, as in the environments
        for row, following in zip_longest(rows, rows[1:]):
            is_over = following is None
            if kind == REWARD_WIN:
                rewards[row] = returns[player] if is_over else 0
            else:
                lead = find_lead(game.scores if is_over else scores[following], player)
                rewards[row] = find_reward(kind, lead, before, is_over)
                before = lead
    return {"reward": rewards, "outcome": np.array(returns)[players], "lead": final[players]}


# --- shards ---


class ShardWriter:
    """Collects games of a `layout`, and writes them into `folder` once they take `shard_bytes` in memory."""

    def __init__(self, folder: Path, layout: Layout, shard_bytes: int) -> None:
        self.folder, self.layout = folder, layout
        self._shard_bytes = shard_bytes
        self._shards: list[int] = []  # decisions in each that is written
        self._games: list[Arrays] = []
        self._rows = 0

    def add(self, rows: GameRows) -> None:
        """Take a game in."""
        self._games.append(rows.columns)
        self._rows += len(rows.columns["action"])
        if self._rows * self.layout.row_bytes >= self._shard_bytes:
            self._write_games()

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Write what is left; return what goes into `dataset.json` besides `about`."""
        if self._games:
            self._write_games()
        return {"shards": self._shards}

    def write(self, number: int, arrays: Arrays) -> None:
        """Write the file of the shard of that number."""
        raise NotImplementedError

    def _write_games(self):
        names = self._games[0]
        self.write(len(self._shards), {name: np.concatenate([game[name] for game in self._games]) for name in names})
        self._shards.append(self._rows)
        self._games, self._rows = [], 0


def check_size(layout: Layout, rows: int) -> None:
    """Raise `ValueError` where `rows` rows would take more memory than `MAX_SHARD`."""
    if rows * layout.row_bytes > MAX_SHARD:
        raise ValueError(f"{rows} decisions of {layout.row_bytes} bytes are more than {MAX_SHARD} bytes")


def check_arrays(arrays: Mapping[str, npt.NDArray[Any]], layout: Layout, first_game: int) -> None:
    """Raise `ValueError`, naming the array, where arrays of the right shapes cannot be rows of games.

    `first_game` is the number of the game with which they must begin.
    """
    for name, column in layout.columns.items():
        check_numbers(name, arrays[name], column.least, column.most)
    game, decision = arrays["game"], arrays["decision"]
    begins = np.diff(game, prepend=first_game - 1)
    if game[0] != first_game or not np.isin(begins, (0, 1)).all():
        raise ValueError(f"game must ascend in steps of one from {first_game} on")
    starts = np.maximum.accumulate(np.where(begins == 1, np.arange(len(game)), 0))
    if not np.array_equal(decision, np.arange(len(game)) - starts):
        raise ValueError("decision must count from 0 in each game")
    masks = unpack_masks(arrays["mask"], 8 * arrays["mask"].shape[1])
    if masks[:, layout.num_actions :].any():
        raise ValueError(f"mask must be of {layout.num_actions} actions, and more are legal")
    if not masks[np.arange(len(game)), arrays["action"]].all():
        raise ValueError("action must be legal by its mask")
    if "values" in arrays and len(arrays["values"]) != masks.sum():
        raise ValueError(f"values must be {masks.sum()}, one a legal action, not {len(arrays['values'])}")


def split_games(arrays: Arrays) -> Iterator[Arrays]:
    """Yield the arrays of each game of a shard."""
    bounds = [*np.flatnonzero(arrays["decision"] == 0), len(arrays["decision"])]
    legal = np.concatenate([[0], np.cumsum(count_legal(arrays["mask"]))])
    for start, end in pairwise(bounds):
        yield {
            name: array[legal[start] : legal[end]] if name == "values" else array[start:end]
            for name, array in arrays.items()
        }
