"""Rows in files of about equal size, each of whole games: what the formats `npz` and `hf-parquet` share."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import check_numbers
from zamek_agents.datasets.columns import Layout, count_legal, unpack_masks
from zamek_agents.datasets.rows import GameRows

Arrays = dict[str, npt.NDArray[Any]]  # columns by name

MAX_SHARD = 2**31  # bytes in memory


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
