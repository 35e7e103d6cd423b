"""Datasets of Parquet files as Hugging Face lays them out: `data/train-00000.parquet` and so on, and a `README.md`.

Arrays with more than one number a row are lists of a fixed length; planes, codes and rows are one list each. Masks
are lists of bool, which Parquet packs as bits. `values` are a list as long as there are legal actions.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zamek_agents.datasets.columns import MAX_NOTATION, Layout, count_legal, pack_masks, unpack_masks
from zamek_agents.datasets.folder import check_file, read_about
from zamek_agents.datasets.rows import Arrays, GameRows, ShardWriter, check_arrays, check_size, split_games
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show
from zamek_env.game_protocol import GameProtocol

with needs_extra("parquet", "the format hf-parquet"):
    import pyarrow as pa
    import pyarrow.parquet as pq

KIND = "hf-parquet"
DATA, CARD = "data", "README.md"
_MAX_BYTES, _OVERHEAD = 4 * MAX_NOTATION + 8, 2**20  # of the notation in a row, and of a file besides that
_RULE = b"---\n"  # above and below the head of the card
_CARD = """---
configs:
- config_name: default
  data_files: {data}/*.parquet
task_categories:
- reinforcement-learning
tags:
- board-games
- {ruleset}
---
# {games} games of {ruleset}

A row is one decision of a game: {decisions} of {players} players. Made by `{command}`.

```python
from datasets import load_dataset

rows = load_dataset("parquet", data_files="{data}/*.parquet", split="train").with_format("numpy")
```

| column | |
| --- | --- |
| `game`, `decision` | number of the game, which is its line in `games.jsonl`, and of the decision in it, from 0 |
| `player` | who decides |
{seen}| `mask` | which of the {num_actions} actions are legal |
| `action`, `notation` | what was played, as a number and as people write it |
| `scores` | points of all players before it |
| `reward` | reward `{reward}` up to the next decision of the same player |
| `outcome` | the result of the game for that player, from -1 to +1 |
| `lead` | points by which that player was ahead at the end |
{values}
`games.jsonl` holds the records of all games, from which everything else follows.
"""


class ParquetWriter(ShardWriter):
    """Writes the shards and the card of a dataset into a folder."""

    def __init__(self, folder: Path, layout: Layout, shard_bytes: int) -> None:
        super().__init__(folder, layout, shard_bytes)
        (folder / DATA).mkdir()

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Write what is left, and the card; return what goes into `dataset.json` besides `about`."""
        (self.folder / CARD).write_bytes(_make_card(about, self.layout).encode(errors="backslashreplace"))
        return super().finish(about)

    def write(self, number: int, arrays: Arrays) -> None:
        """Write the file of the shard of that number."""
        table = pa.table({name: _to_arrow(name, arrays, self.layout) for name in arrays})
        pq.write_table(table, self.folder / _name_shard(number), compression="zstd")


def read_games_stored(folder: Path) -> Iterator[Arrays]:
    """Yield the arrays of each game of a dataset, in the form of `columns.py`.

    Raises `ValueError`, naming the file, where one was changed or cannot be right.
    """
    about = read_about(folder, KIND)
    layout, first_game = Layout.read(about), 0
    for number, rows in enumerate(about["shards"]):
        path = check_file(folder, _name_shard(number), about)
        try:
            arrays = _read_shard(path, layout, rows, bool(about["values"]))
            check_arrays(arrays, layout, first_game)
        except (ValueError, KeyError, OSError, pa.ArrowException) as error:
            raise ValueError(f"{path} holds no shard of a dataset: {' '.join(str(error).split())}") from error
        first_game = int(arrays["game"][-1]) + 1
        yield from split_games(arrays)


def check_description(folder: Path, about: dict[str, Any], game: GameProtocol) -> None:
    """Raise `ValueError`, naming the file, unless loading the dataset by its card gives what was compared."""
    card = check_file(folder, CARD, about)
    due = _make_card(about, Layout.read(about)).encode(errors="backslashreplace")
    if card.read_bytes().split(_RULE)[:2] != due.split(_RULE)[:2]:  # what is above the text for people
        raise ValueError(f"{card}: its head, which says what is loaded, must be {show(due.split(_RULE)[1].decode())}")
    named = {_name_shard(number) for number in range(len(about["shards"]))}
    others = {path.relative_to(folder).as_posix() for path in (folder / DATA).glob("*.parquet")} - named
    if others:
        raise ValueError(f"{folder / min(others)} is no file of the dataset, and would be loaded with it")


def list_actions(stored: Arrays) -> list[int]:
    """Return the stored actions of a game, in order."""
    return stored["action"].tolist()


def list_stored(rows: GameRows, layout: Layout) -> Arrays:
    """Return the arrays that a dataset must store of a game."""
    return rows.columns


def _name_shard(number):
    return f"{DATA}/train-{number:05d}.parquet"


def _to_arrow(name, arrays, layout):
    """Return the arrow array of a column."""
    array = arrays[name]
    if name == "notation":
        return pa.array(array.tolist(), pa.string())
    if name == "mask":
        array = unpack_masks(array, layout.num_actions)
    if name == "values":
        ends = np.cumsum(count_legal(arrays["mask"]), dtype=np.int32)
        return pa.ListArray.from_arrays(np.concatenate([[0], ends]).astype(np.int32), pa.array(array))
    if array.ndim == 1:
        return pa.array(array)
    flat = array.reshape(len(array), -1)
    return pa.FixedSizeListArray.from_arrays(pa.array(flat.reshape(-1)), flat.shape[1])


def _read_shard(path, layout, rows, has_values):
    """Return the arrays of a file. Raises `ValueError` where its columns are not those of the `layout`.

    Types and numbers of values are checked before anything is read: a small file may decompress to very much.
    """
    check_size(layout, rows)
    file = pq.ParquetFile(path, read_dictionary=["notation"])  # a text that many rows hold is read once
    names = [*layout.columns, "notation", *(["values"] if has_values else [])]
    if sorted(file.schema_arrow.names) != sorted(names) or file.metadata.num_rows != rows:
        raise ValueError(f"it must have {rows} rows of {', '.join(names)}")
    for name in names:
        _check_column(name, file, layout, rows)
    table = file.read()
    arrays = {name: _to_numpy(name, table.column(name).combine_chunks(), layout) for name in layout.columns}
    for chunk in table.column("notation").chunks:
        if chunk.null_count or any(len(text) > MAX_NOTATION for text in chunk.dictionary.to_pylist()):
            raise ValueError(f"notation must be texts of at most {MAX_NOTATION} characters")
    arrays["notation"] = np.array(table.column("notation").to_pylist())
    if has_values:
        arrays["values"] = table.column("values").combine_chunks().flatten().to_numpy().astype(np.float32)
    return arrays


def _check_column(name, file, layout, rows):
    """Raise `ValueError` where a column of a file is of another type, or holds more than `rows` rows can."""
    kind, most = _find_kind(name, layout)
    found = file.schema_arrow.field(name).type
    if (found.value_type if name == "notation" and pa.types.is_dictionary(found) else found) != kind:
        raise ValueError(f"{name} must be {kind}, not {found}")
    [column] = [number for number, column in enumerate(file.schema) if column.path.split(".")[0] == name]
    groups = range(file.metadata.num_row_groups)
    count = sum(file.metadata.row_group(group).column(column).num_values for group in groups)
    if count > rows * most:
        raise ValueError(f"{name} must hold at most {rows * most} values, not {count}")
    unpacked = sum(file.metadata.row_group(group).column(column).total_uncompressed_size for group in groups)
    if name == "notation" and unpacked > (room := _MAX_BYTES * rows + _OVERHEAD):
        raise ValueError(f"{name} must take at most {room} bytes, not {unpacked}")


def _find_kind(name, layout):
    """Return the type of a column, and how many values a row may have."""
    if name == "notation":
        return pa.string(), 1
    if name == "values":
        return pa.list_(pa.float32()), layout.num_actions
    dtype, shape = _find_item(name, layout)
    item, count = pa.from_numpy_dtype(dtype), int(np.prod(shape))
    return (pa.list_(item, count) if shape else item), count


def _find_item(name, layout):
    """Return the dtype and the shape of an entry in a column of numbers."""
    if name == "mask":
        return np.dtype(bool), (layout.num_actions,)
    return np.dtype(layout.columns[name].dtype), layout.columns[name].shape


def _to_numpy(name, column, layout):
    """Return the numpy array of a column of numbers. Raises `ValueError` where one is missing."""
    if column.null_count:
        raise ValueError(f"{name} must hold no nulls, not {column.null_count}")
    _, shape = _find_item(name, layout)
    flat = (column.flatten() if shape else column).to_numpy(zero_copy_only=False)
    array = flat.reshape(len(column), *shape)
    return pack_masks(array) if name == "mask" else array


def _make_card(about, layout):
    """Return the text of the dataset card."""
    fields = {"data": DATA, "seen": "".join(_list_seen(layout)), "values": ""}
    fields |= {name: about[name] for name in ("games", "decisions", "players", "num_actions", "reward", "ruleset")}
    if about["values"]:
        agent, unit = about["values"]["agent"], about["values"]["unit"]
        fields["values"] = f"| `values` | what `{agent}` thinks of each legal action, in their order; {unit} |\n"
    return _CARD.format(command=about["command"] or "zamek export", **fields)


def _list_seen(layout):
    """Yield the card's lines about the columns of observations."""
    if layout.planes is not None:
        shape = " × ".join(map(str, layout.planes))
        yield f"| `planes` | what that player sees on the board: rows × columns × planes, {shape} |\n"
    if layout.codes is not None:
        shape = " × ".join(map(str, layout.codes.shape))
        what = "the same" if layout.planes else "what that player sees on the board"
        yield f"| `codes` | {what} in a few numbers a cell: rows × columns × codes, {shape} |\n"
    if layout.vector is not None:
        beside = " beside it" if layout.planes or layout.codes else ""
        yield f"| `vector` | what that player sees{beside}, {layout.vector} numbers |\n"
    if layout.rows is not None:
        shape = " × ".join(map(str, layout.rows))
        yield f"| `rows` | what each legal action changes: rows × columns, {shape}, 0 beyond the last |\n"
        yield f"| `row_actions` | the actions of the rows, {layout.rows[0]} numbers, -1 beyond the last |\n"
    for name, column in layout.own:
        yield f"| `{name}` | what that player sees: {' × '.join(map(str, column.shape)) or 1} numbers |\n"
