"""The learner: masked PPO whose training can be cut short anywhere and goes on as if it had not been.

Training is cut into legs. Every leg begins with new games and with generators that follow from the seed and the number
of the leg; all else that the future depends on stands in a checkpoint: network and optimiser in `NAME.zip`, as
Stable-Baselines3 writes it, past selves and counters beside it in `NAME.past`.
"""

import time
from dataclasses import asdict, dataclass

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.save_util import load_from_zip_file

from .policy import BoardPolicy
from .ppo_weights import UNREADABLE
from .self_play import SignedRolloutBuffer

LEAST_RATE = 0.02  # of the learning rate, at the end


class SelfPlayPPO(MaskablePPO):
    """Masked PPO whose checkpoints leave out what belongs to one run: the games and the clock."""

    def _excluded_save_params(self):
        return [*super()._excluded_save_params(), "rollout_buffer_kwargs", "learning_rate", "lr_schedule"]


@dataclass
class Counters:
    """How far a training is."""

    legs: int = 0  # begun
    imitated: int = 0  # decisions learned from the teacher
    updates: int = 0  # of self-play
    seconds: float = 0.0  # spent


class Clock:
    """Seconds of training, those before it was resumed included, and what share of the time is left."""

    def __init__(self, counters, minutes):
        self._counters, self._minutes = counters, minutes
        self._last = time.monotonic()

    def tick(self):
        """Count the time since the last tick."""
        now = time.monotonic()
        self._counters.seconds += now - self._last
        self._last = now

    @property
    def left(self):
        """The share of the time that is left, from 1 to 0; always 1 where there is no limit."""
        return 1.0 if self._minutes is None else max(0.0, 1 - self._counters.seconds / (60 * self._minutes))


def seed_leg(seed, leg):
    """Return the seed of all that is random in a leg."""
    return int(np.random.SeedSequence([seed, leg]).generate_state(1)[0])


def make_model(args, games):
    """Return a new model for `args`, the arguments of `scripts/train.py`."""
    return SelfPlayPPO(
        BoardPolicy,
        games,
        n_steps=args.rollout,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        policy_kwargs={
            "features_extractor_kwargs": {"ruleset": args.ruleset, "width": args.width, "hidden": args.hidden}
        },
        seed=args.seed,
        **_find_settings(games, args),
    )


def load_model(args, games):
    """Return the model of the checkpoint to resume. Raises `ValueError` where it is none, or of another ruleset."""
    try:
        held = load_from_zip_file(args.resume, device="cpu")[0]
        spaces = held["observation_space"], held["action_space"]
    except UNREADABLE as error:
        raise ValueError(f"--resume: {args.resume} is no checkpoint") from error
    if spaces != (games.observation_space, games.action_space):
        raise ValueError(f"--resume: {args.resume} was trained for another ruleset than {args.ruleset!r}")
    try:
        return SelfPlayPPO.load(args.resume, env=games, **_find_settings(games, args))
    except UNREADABLE as error:
        raise ValueError(f"--resume: {args.resume} is no checkpoint of this script") from error


def _find_settings(games, args):
    """Return what a model is told anew in each run."""
    return {
        "learning_rate": args.learning_rate,
        "rollout_buffer_class": SignedRolloutBuffer,
        "rollout_buffer_kwargs": {"read_movers": lambda: games.movers},
        "device": "cpu",
    }


def save_checkpoint(model, past_selves, counters, path):
    """Write the model to `path`, a `.zip`, and beside it what else resuming needs."""
    model.save(path)
    torch.save({"weights": past_selves.weights, "counters": asdict(counters)}, path.with_suffix(".past"))


def load_progress(path, model, past_selves):
    """Return the `Counters` of the checkpoint `path`, and give `past_selves` those that belong to it.

    Raises `ValueError` where the file beside it is missing, or holds no past selves of the `model`.
    """
    path, checkpoint = path.with_suffix(".past"), path
    if not path.is_file():
        raise ValueError(f"--resume: there is no {path}, which belongs to {checkpoint}")
    try:
        held = torch.load(path, weights_only=True)
        counters, weights = Counters(**held["counters"]), list(held["weights"])
        shapes = [_find_shapes(each) for each in weights]
    except UNREADABLE as error:
        raise ValueError(f"--resume: {path} holds no past selves") from error
    if any(each != _find_shapes(model.policy.state_dict()) for each in shapes):
        raise ValueError(f"--resume: {path} holds past selves of another network than {checkpoint}")
    past_selves.weights = weights
    return counters


def _find_shapes(weights):
    """Return {name: shape} of the weights of a network."""
    return {name: value.shape for name, value in weights.items()}
