"""PPO for Castle, the card game: from games against itself and `greedy`, with the network that plays them.

J. Schulman et al., Proximal Policy Optimization Algorithms, 2017. Decisions are credited by generalized advantage
estimation. The steps are those of Adam (D. Kingma and J. Ba, 2015), up the gradient.

A checkpoint is one file of `array_file.py` with the whole state of a training, in these arrays:

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
from zamek_agents.base import DivergedError
from zamek_agents.castle_cards.network import (
    HIDDEN,
    LEAST_CHANCE,
    MOST,
    SHAPES,
    Weights,
    add_policy_gradient,
    add_value_gradient,
    check_shown,
    describe,
    find_value,
    judge_rows,
    make_chances,
    write_growth,
)
from zamek_agents.castle_cards.self_play import Games, make_decisions, make_games, play_games
from zamek_env.castle_cards.core.dealing import shuffle
from zamek_env.castle_cards.layout.rows import NUM_ROWS
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.jit import kernel

EPOCHS = 3  # how often each decision is learned from
BATCH = 1024  # decisions a step
ENTROPY = 0.001  # how much a wide choice is worth
_KEEP_MEAN, _KEEP_SQUARE = 0.9, 0.999  # of Adam's running means, at each step
_LEAST_ROOT = 1e-7
_MOST_NORM = 1.0  # of a gradient
_LEAST_SPREAD = 1e-6  # of advantages
FORMAT = "zamek-cards-ppo-checkpoint/2"
MAX_COUNT = 10**12
MAX_SQUARE = 1.0  # of a gradient, which is no longer than 1


class Learner(WritableArrays):
    """A network that learns in place from its `games`. Adam keeps means of the gradient, and of its `square`."""

    def __init__(self, weights: Weights, games: Games) -> None:
        self.weights = weights
        self.steps = 0
        self.batches = 0  # of games
        self.games = games
        self.mean, self.square = _make_noughts(), _make_noughts()

    def learn(self, count: int, against: int, rate: float, gae_lambda: float) -> tuple[float, int]:
        """Play `count` games, the first `against` of them against `greedy`, and learn.

        Returns the wins against it, and how many decisions were learned from. Raises `DivergedError` where a weight of
        the network is too large or not a number.
        """
        decisions = make_decisions(count)
        wins, noted = play_games(self.games, decisions, self.weights, count, against, gae_lambda)
        self.batches += 1
        spread = max(float(decisions.advantages[:noted].std()), _LEAST_SPREAD)
        scale = float(decisions.advantages[:noted].mean()), spread
        for _ in range(EPOCHS):
            order = np.arange(noted)
            shuffle(order, noted, self.games.generators)
            for part in np.array_split(order, max(1, noted // BATCH)):
                gradient = _make_noughts()
                add_gradient(self.weights, gradient, decisions, part, *scale)
                self.step(Weights(*(array / np.float32(len(part)) for array in gradient)), rate)
        return wins, noted

    def step(self, gradient: Weights, rate: float) -> None:
        """Go up the `gradient`. Raises `DivergedError` as `learn` does."""
        self.steps += 1
        norm = sum(float((array.astype(np.float64) ** 2).sum()) for array in gradient) ** 0.5
        shrunk = min(1.0, _MOST_NORM / norm) if norm > 0 else 1.0
        for weights, slope, mean, square in zip(self.weights, gradient, self.mean, self.square, strict=True):
            mean += (1 - _KEEP_MEAN) * (slope * shrunk - mean)
            square += (1 - _KEEP_SQUARE) * ((slope * shrunk) ** 2 - square)
            root = np.sqrt(square / (1 - _KEEP_SQUARE**self.steps)) + _LEAST_ROOT
            weights += (rate / (1 - _KEEP_MEAN**self.steps) * mean / root).astype(np.float32)
        if not all(np.abs(array).max() <= MOST for array in self.weights):  # false for NaN too
            raise DivergedError(f"learning diverged: weights are above {MOST:g}; the learning rate is too large")


def _make_noughts() -> Weights:
    return Weights(**{name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()})


@kernel
def add_gradient(weights, gradient, decisions, chosen, mean, spread):
    """Add to `gradient` that of the decisions `chosen`, `(n,)`; advantages count less `mean`, divided by `spread`."""
    hidden, logits = np.zeros((NUM_ROWS, HIDDEN), np.float32), np.zeros(NUM_ROWS, np.float32)
    growth = np.zeros(NUM_ROWS, np.float32)
    for number in chosen:
        first = decisions.first_row[number]
        count = decisions.first_row[number + 1] - first
        context, starts = decisions.contexts[number], decisions.starts[first : first + count + 1]
        for row in range(count):
            logits[row] = decisions.liked[first + row]
        judge_rows(weights, context, starts, decisions.columns, decisions.entries, count, hidden, logits)
        make_chances(logits, count)
        before = max(decisions.chances[number], np.float32(LEAST_CHANCE))
        advantage = (decisions.advantages[number] - mean) / spread
        write_growth(logits, count, decisions.chosen[number], before, advantage, np.float32(ENTROPY), growth)
        add_policy_gradient(
            weights, gradient, context, starts, decisions.columns, decisions.entries, hidden, growth, count
        )
        due = decisions.values[number] + decisions.advantages[number]
        error = due - find_value(weights, context, hidden[0])
        add_value_gradient(weights, gradient, context, hidden[0], error)


# --- checkpoints ---


@dataclass
class Counters:
    """The progress of a training run."""

    decisions: int = 0  # learned from
    wins: float = 0.5  # of late, against `greedy`
    seconds: float = 0.0  # spent


def write_checkpoint(
    file: PathLike[str] | str | IO[bytes], learner: Learner, counters: Counters, seed: int, about: Mapping[str, Any]
) -> None:
    """Write a learner, its progress and its seed to a path or an open binary file, with what is noted `about` it."""
    noted = {**about, **describe(FORMAT), **asdict(counters), "seed": seed}
    noted |= {"steps": learner.steps, "batches": learner.batches}
    kept = {f"mean_{name}": array for name, array in learner.mean._asdict().items()}
    kept |= {f"square_{name}": array for name, array in learner.square._asdict().items()}
    write_arrays(file, noted, learner.weights._asdict() | kept | {"generator": learner.games.generators})


def load_checkpoint(path: PathLike[str] | str) -> tuple[Learner, Counters, int]:
    """Return the learner in a file, its progress, and its seed. Raises `ValueError` where it holds none."""
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
