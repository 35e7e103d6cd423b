"""The learner: masked PPO whose training can be cut short anywhere and goes on as if it had not been.

Training is cut into legs. Every leg begins with new games and with generators that follow from the seed and the number
of the leg; all else that the future depends on stands in a checkpoint (`checkpoint.py`).
"""

import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sb3_contrib import MaskablePPO

from zamek_agents.ppo.policy import BoardPolicy
from zamek_agents.ppo.self_play import SelfPlayVecEnv, SignedRolloutBuffer

LEAST_RATE = 0.02  # of the learning rate, at the end


@dataclass
class Counters:
    """How far a training is."""

    legs: int = 0  # begun
    imitated: int = 0  # decisions learned from the teacher
    updates: int = 0  # of self-play
    seconds: float = 0.0  # spent


class Settings(Protocol):
    """What `make_model` takes of the arguments of `scripts/train.py`, which say what each is."""

    rollout: int
    batch: int
    epochs: int
    gae_lambda: float
    entropy: float
    width: int
    hidden: int
    seed: int
    learning_rate: float


class Clock:
    """Seconds of training, those before it was resumed included, and what share of the time is left."""

    def __init__(self, counters: Counters, minutes: float | None) -> None:
        self._counters, self._minutes = counters, minutes
        self._last = time.monotonic()

    def tick(self) -> None:
        """Count the time since the last tick."""
        now = time.monotonic()
        self._counters.seconds += now - self._last
        self._last = now

    @property
    def left(self) -> float:
        """The share of the time that is left, from 1 to 0; always 1 where there is no limit."""
        return 1.0 if self._minutes is None else max(0.0, 1 - self._counters.seconds / (60 * self._minutes))


def seed_leg(seed: int, leg: int) -> int:
    """Return the seed of all that is random in a leg."""
    return int(np.random.SeedSequence([seed, leg]).generate_state(1)[0])


def make_model(args: Settings, games: SelfPlayVecEnv) -> MaskablePPO:
    """Return a new model for `args`, the arguments of `scripts/train.py`."""
    return MaskablePPO(
        BoardPolicy,
        games,
        n_steps=args.rollout,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        policy_kwargs={
            "features_extractor_kwargs": {"ruleset": games.ruleset, "width": args.width, "hidden": args.hidden}
        },
        seed=args.seed,
        learning_rate=args.learning_rate,
        rollout_buffer_class=SignedRolloutBuffer,
        rollout_buffer_kwargs={"read_movers": lambda: games.movers},
        device="cpu",
    )
