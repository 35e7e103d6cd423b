"""Checkpoints of a training: one file with all that its future depends on.

A file is one of `array_file.py` with these arrays:

    policy, trust   float64, the network, as in `network.py`
    mean, square    float64, of the shape of `policy`: what Adam keeps
    generator       uint64 (1,), from which all chance follows

The file also notes the `steps` of Adam, the `seed` of the training and the `Counters`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import IO, Any

import numpy as np

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.castle_cards.learner import Learner
from zamek_agents.castle_cards.network import MOST, SHAPES, Weights, check_features, describe
from zamek_agents.castle_cards.self_play import make_games

FORMAT = "zamek-cards-ppo-checkpoint/1"
MAX_COUNT = 10**12
MAX_SQUARE = 1e300  # of a gradient


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
    noted = {**about, **describe(FORMAT), **asdict(counters), "seed": seed, "steps": learner.steps}
    kept = {"mean": learner.mean, "square": learner.square, "generator": learner.games.generators}
    write_arrays(file, noted, learner.weights._asdict() | kept)


def load_checkpoint(path: PathLike[str] | str) -> tuple[Learner, Counters, int]:
    """Return the learner that a file holds, how far it is, and its seed. Raises `ValueError` where it holds none."""
    with open_arrays(path, "checkpoint for castle-cards", FORMAT) as file:
        check_features(file.about)
        weights = Weights(**{name: file.read(name, np.float64, shape, -MOST, MOST) for name, shape in SHAPES.items()})
        learner = Learner(weights, make_games(0))
        learner.steps, seed, decisions = (
            read_number(file.about, name, 0, MAX_COUNT, whole=True) for name in ("steps", "seed", "decisions")
        )
        wins, seconds = read_number(file.about, "wins", 0, 1), read_number(file.about, "seconds", 0, MAX_COUNT)
        learner.mean[:] = file.read("mean", np.float64, learner.mean.shape, -MAX_SQUARE, MAX_SQUARE)
        learner.square[:] = file.read("square", np.float64, learner.square.shape, 0, MAX_SQUARE)
        learner.games.generators[:] = file.read("generator", np.uint64, learner.games.generators.shape)
    return learner, Counters(decisions, wins, seconds), seed
