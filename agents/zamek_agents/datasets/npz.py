"""Datasets of `.npz` files, which numpy reads by itself: `shard-00000.npz` and so on."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from zamek_agents.array_file import open_arrays, write_arrays
from zamek_agents.datasets.columns import MAX_NOTATION, Layout
from zamek_agents.datasets.folder import check_file, read_about
from zamek_agents.datasets.rows import Arrays, GameRows, ShardWriter, check_arrays, check_size, split_games
from zamek_agents.plain_file import check_path
from zamek_env.game_protocol import GameProtocol

KIND = "npz"
SHARD_FORMAT = "zamek-dataset-shard/1"
_MAX_LEGAL = 2**28  # values in a shard


class NpzWriter(ShardWriter):
    """Writes the shards of a dataset into a folder."""

    def write(self, number: int, arrays: Arrays) -> None:
        """Write the file of the shard of that number."""
        write_arrays(self.folder / _name_shard(number), {"format": SHARD_FORMAT}, arrays)


class NpzDataset:
    """A dataset in a folder, read shard by shard; each file is checked before anything of it is yielded.

    Iterating yields {name: array}, the arrays of `columns.py`, of one shard after the other. `about` is what
    `dataset.json` holds, `layout` how large the arrays are. Raises `ValueError`, naming file and field, where a file
    was changed or cannot be right. No pickle is read.
    """

    def __init__(self, folder: PathLike[str] | str) -> None:
        self.folder = Path(check_path(folder, "folder"))
        self.about = read_about(self.folder, KIND)
        self.layout = Layout.read(self.about)
        self.games: int = self.about["games"]
        self.decisions: int = self.about["decisions"]

    def __iter__(self) -> Iterator[Arrays]:
        first_game = 0
        for number in range(len(self)):
            arrays = self.read_shard(number, first_game)
            first_game = int(arrays["game"][-1]) + 1
            yield arrays
        if first_game != self.games:
            raise ValueError(f"{self.folder}: games must be {self.games}, as dataset.json says, not {first_game}")

    def __len__(self) -> int:
        """Return the number of shards."""
        return len(self.about["shards"])

    def read_shard(self, number: int, first_game: int | None = None) -> Arrays:
        """Return the arrays of the shard of that number; its first game is any, or `first_game`."""
        rows, values = self.about["shards"][number], self.about["values"]
        path = check_file(self.folder, _name_shard(number), self.about)
        with open_arrays(path, "shard of a dataset", SHARD_FORMAT) as file:
            check_size(self.layout, rows)
            columns = self.layout.columns
            due = {*columns, "notation", *(["values"] if values else [])}
            if file.names != due:
                raise ValueError(f"its arrays must be {', '.join(sorted(due))}, not {', '.join(sorted(file.names))}")
            arrays = {
                name: file.read(name, column.dtype, (rows, *column.shape), column.least, column.most)
                for name, column in columns.items()
            }
            arrays["notation"] = file.read_texts("notation", rows, MAX_NOTATION)
            if values:
                shape = file.find_shape("values")
                if len(shape) != 1 or shape[0] > _MAX_LEGAL:
                    raise ValueError(f"values must be at most {_MAX_LEGAL}, not {shape}")
                arrays["values"] = file.read_with_gaps("values", np.float32, shape)
            check_arrays(arrays, self.layout, int(arrays["game"][0]) if first_game is None else first_game)
        return arrays

    def load(self) -> Arrays:
        """Return all arrays, one shard after the other. They must fit into memory."""
        shards = list(self)
        return {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]} if shards else {}


def read_npz(folder: PathLike[str] | str) -> NpzDataset:
    """Return the dataset that `zamek export --to npz` wrote into `folder`, with its description checked.

    Its arrays are checked as they are read. Raises `ValueError`, naming file and field, where it cannot be right.
    """
    return NpzDataset(folder)


def read_games_stored(folder: Path) -> Iterator[Arrays]:
    """Yield the arrays of each game of a dataset, as they are stored."""
    for shard in read_npz(folder):
        yield from split_games(shard)


def check_description(folder: Path, about: dict[str, Any], game: GameProtocol) -> None:
    """Do nothing: `dataset.json` alone describes the games."""


def list_actions(stored: Arrays) -> list[int]:
    """Return the stored actions of a game, in order."""
    return stored["action"].tolist()


def list_stored(rows: GameRows, layout: Layout) -> Arrays:
    """Return the arrays that a dataset must store of a game."""
    return rows.columns


def _name_shard(number):
    return f"shard-{number:05d}.npz"
