"""The folder of a dataset: it is written atomically, and describes its contents.

dataset.json     what the dataset is, how large, and the digest of every other file
games.jsonl      the records of all games, one a line, from which everything else follows
…                the arrays, as the format has them
"""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zamek_agents.array_file import read_number
from zamek_agents.atomic_dir import FolderKind
from zamek_agents.datasets.columns import MAX_COUNT, Layout
from zamek_agents.plain_file import is_sha256, read_json
from zamek_env.base.rewards import REWARDS
from zamek_env.common.messages import show
from zamek_env.evaluation import UNITS

FORMAT = "zamek-dataset/1"
ABOUT, GAMES = "dataset.json", "games.jsonl"
DATASET = FolderKind("dataset", ABOUT, (GAMES, "shard-*.npz", "data", "README.md"))
MAX_ABOUT = 2**26  # bytes of dataset.json: one line for each shard
MODULES = {"npz": "npz", "minari": "minari_data", "hf-parquet": "parquet"}  # by kind, what writes and reads it
_SHARDED = ("npz", "hf-parquet")  # kinds whose arrays lie in shards


def write_about(folder: Path, about: Mapping[str, Any]) -> None:
    """Write `dataset.json` into the folder of a dataset of which all other files are there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    entries = {
        path.relative_to(folder).as_posix(): {"bytes": path.stat().st_size, "sha256": _hash(path)} for path in files
    }
    text = json.dumps({"format": FORMAT, **about, "files": entries}, indent=1, allow_nan=False)
    (folder / ABOUT).write_text(f"{text}\n", encoding="utf-8")


def read_about(folder: Path, kind: str | None = None) -> dict[str, Any]:
    """Return what `dataset.json` holds. Raises `ValueError`, naming file and field, where it cannot be right.

    `kind` is the format that the dataset must have, None for any.
    """
    path = folder / ABOUT
    try:
        if not path.is_file():
            raise ValueError(f"there is no {ABOUT}, as a dataset has")
        about = read_json(path, FORMAT, MAX_ABOUT)
        _check_about(about, kind)
    except (ValueError, OSError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from error
    return about


def check_file(folder: Path, name: str, about: Mapping[str, Any]) -> Path:
    """Return the path of a file of a dataset. Raises `ValueError` unless it is the one that was written."""
    path, entry = folder / name, about["files"].get(name)
    if entry is None:
        raise ValueError(f"{folder / ABOUT}: files: there is no {show(name)}")
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    if path.stat().st_size != entry["bytes"]:
        raise ValueError(f"{path}: it must have {show(entry['bytes'])} bytes, not {path.stat().st_size}")
    if _hash(path) != entry["sha256"]:
        raise ValueError(f"{path}: it is not the file that was written: its digest is another")
    return path


def _hash(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_about(about, kind):
    if not isinstance(about.get("kind"), str) or kind not in (None, about["kind"]):
        raise ValueError(f"kind must be {kind or 'a text'}, not {show(about.get('kind'))}")
    Layout.read(about)
    for name in ("command", "values", *(["shards"] if about["kind"] in _SHARDED else [])):
        if name not in about:
            raise ValueError(f"{name} is missing")
    for name in ("games", "decisions"):
        read_number(about, name, 1, MAX_COUNT, whole=True)
    if about.get("reward") not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {show(about.get('reward'))}")
    if not isinstance(about["command"], str | None):
        raise ValueError(f"command must be null or a text, not {show(about['command'])}")
    if about["values"] is not None:
        values = about["values"]
        if not isinstance(values, dict) or not isinstance(values.get("agent"), str) or values.get("unit") not in UNITS:
            raise ValueError(f"values must be null, or name agent, unit and seed, not {show(values)}")
        try:
            read_number(values, "seed", 0, math.inf, whole=True)
        except ValueError as error:
            raise ValueError(f"values: {error}") from error
    files, shards = about.get("files"), about.get("shards", [])
    is_listed = isinstance(files, dict) and all(
        isinstance(file, dict) and type(file.get("bytes")) is int and is_sha256(file.get("sha256"))
        for file in files.values()
    )
    if not is_listed:
        raise ValueError(f"files must be bytes and sha256 of each, not {show(files)}")
    is_row = isinstance(shards, list) and all(type(n) is int and 0 < n <= MAX_COUNT for n in shards)
    if not is_row or sum(shards) != (about["decisions"] if shards else 0):
        raise ValueError(f"shards must be the decisions in each, all {about['decisions']}, not {show(shards)}")
