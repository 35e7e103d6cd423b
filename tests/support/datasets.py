"""Small datasets for tests, and changes to their files by one who knows how to seal them."""

import json

import numpy as np
import pytest

from zamek_agents import RandomAgent
from zamek_agents.array_file import write_arrays
from zamek_agents.datasets import ExportOptions, export, play_games
from zamek_agents.datasets.folder import ABOUT, write_about
from zamek_agents.datasets.npz import SHARD_FORMAT

SMALL, CARDS = "zamek", "castle-cards"
KINDS = {"npz": (), "hf-parquet": ("pyarrow",), "minari": ("minari", "h5py")}  # and what each needs
PLAYERS = {SMALL: 2, CARDS: 3}
SHARD = "shard-00000.npz"


def play(ruleset, count=2):
    return play_games([RandomAgent()] * PLAYERS[ruleset], count, ruleset, seed=3)


def need(kind):
    for package in KINDS[kind]:
        pytest.importorskip(package)


@pytest.fixture
def folder(tmp_path):
    """A dataset of two games, of numpy's files."""
    export(play(SMALL), tmp_path / "games", ExportOptions(reward="delta"))
    return tmp_path / "games"


def rewrite(folder, **changed):
    """Change arrays of the first shard, as one who knows how to seal it."""
    with np.load(folder / SHARD, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if name != "about"}
    write_arrays(folder / SHARD, {"format": SHARD_FORMAT}, arrays | changed)
    seal(folder)
    return arrays


def seal(folder, **changed):
    """Write `dataset.json` anew, with the digests of the files that are there now."""
    about = json.loads((folder / ABOUT).read_text())
    (folder / ABOUT).unlink()
    write_about(folder, {name: value for name, value in about.items() if name not in ("files", "format")} | changed)
