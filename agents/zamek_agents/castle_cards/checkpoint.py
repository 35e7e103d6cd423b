"""Checkpoints of a training: one file with all that its future depends on.

A file is one of `array_file.py` with these arrays:

    context, rows …             float32, the network, as in `network.py`
    mean_context …, square_…    float32, of the same shapes: what Adam keeps
    generator                   uint64 (1,), from which all chance follows

The file also notes the `steps` of Adam, the `batches` of games, the `seed` of the training and the `Counters`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import IO, Any

import numpy as np

from zamek_agents.array_file import Arrays, open_arrays, read_number, write_arrays
from zamek_agents.castle_cards.learner import Learner
from zamek_agents.castle_cards.network import MOST, SHAPES, Weights, check_shown, describe
from zamek_agents.castle_cards.self_play import make_games

FORMAT = "zamek-cards-ppo-checkpoint/2"
MAX_COUNT = 10**12
MAX_SQUARE = 1.0  # of a gradient, which is no longer than 1


@dataclass
class Counters:
    """How far a training is."""

    decisions: int = 0  # learned from
    wins: float = 0.5  # of late, against `greedy`
    seconds: float = 0.0  # spent


def write_checkpoint(
    file: PathLike[str] | str | IO[bytes], learner: Learner, counters: Counters, seed: int, about: Mapping[str, Any]
) -> None:
    """Write a learner, how far it is and its seed to a path or an open binary file, with what is noted `about` it."""
    noted = {**about, **describe(FORMAT), **asdict(counters), "seed": seed}
    noted |= {"steps": learner.steps, "batches": learner.batches}
    kept = {f"mean_{name}": array for name, array in learner.mean._asdict().items()}
    kept |= {f"square_{name}": array for name, array in learner.square._asdict().items()}
    write_arrays(file, noted, learner.weights._asdict() | kept | {"generator": learner.games.generators})


def load_checkpoint(path: PathLike[str] | str) -> tuple[Learner, Counters, int]:
    """Return the learner that a file holds, how far it is, and its seed. Raises `ValueError` where it holds none."""
    with open_arrays(path, "checkpoint for castle-cards", FORMAT) as file:
        check_shown(file.about)
        learner = Learner(_read(file, "", -MOST, MOST), make_games(0))
        learner.steps, learner.batches, seed, decisions = (
            read_number(file.about, name, 0, MAX_COUNT, whole=True)
            for name in ("steps", "batches", "seed", "decisions")
        )
        wins, seconds = read_number(file.about, "wins", 0, 1), read_number(file.about, "seconds", 0, MAX_COUNT)
        learner.mean = _read(file, "mean_", -MAX_SQUARE, MAX_SQUARE)
        learner.square = _read(file, "square_", 0, MAX_SQUARE)
        learner.games.generators[:] = file.read("generator", np.uint64, learner.games.generators.shape)
    return learner, Counters(decisions, wins, seconds), seed


def _read(file: Arrays, prefix: str, least: float, most: float) -> Weights:
    """Return arrays of the shapes of a network, whose names begin with `prefix`."""
    found = {name: file.read(prefix + name, np.float32, shape, least, most) for name, shape in SHAPES.items()}
    return Weights(**found)
