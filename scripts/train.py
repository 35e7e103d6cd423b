"""Train a player by masked PPO against itself and past selves.

Reads top to bottom: the arguments, the model, the callbacks that watch it, the work. Everything is written below
`--out`: `final.zip` (the agent `ppo:OUT/final.zip`), checkpoints, `config.json`, and TensorBoard logs.
"""

import copy
import json
import math
import os
import pickle
import platform
import sys
import time
import zipfile
from collections import deque
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

# Before torch is loaded: threads that wait must sleep, or training all but stops once the processors are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.save_util import load_from_zip_file
from tqdm import tqdm

import zamek_env
from zamek_agents.policy import BoardPolicy, find_squares
from zamek_agents.self_play import SelfPlayVecEnv, SignedRolloutBuffer
from zamek_env.core.transcription import RULESETS

BAD_INPUT = 2  # exit code
UNREADABLE = (  # what loading a file raises that was not written by training
    AssertionError, AttributeError, EOFError, KeyError, RuntimeError, TypeError, ValueError, pickle.UnpicklingError,
    zipfile.BadZipFile,
)  # fmt: skip
RECENT_GAMES = 200  # over which progress is averaged


@dataclass
class Args:
    """What to train, how long, and where to write it."""

    out: Path = Path("runs/zamek")
    """folder for everything that is written"""
    ruleset: str = "zamek"
    """the rules to play by: zamek, sokol, sokol-gates, carcassonne-demo, carcassonne or carcassonne-no-farmers"""
    steps: int = 2_000_000
    """decisions to train for, over all games together"""
    minutes: float | None = None
    """stop after this many minutes, even if steps are left"""
    resume: Path | None = None
    """a checkpoint to go on from; its past selves lie beside it"""
    seed: int = 1
    """of the network, the deals and the actions"""
    threads: int = 2
    """processor threads for torch and the games"""

    games: int = 64
    """games played at once"""
    past_games: int = 16
    """of these, against past selves; the others are mirror games"""
    past_every: int = 20
    """updates between two past selves"""
    past_kept: int = 20
    """past selves kept, the oldest are forgotten"""
    reward: Literal["win", "score", "delta"] = "delta"
    """result, final score difference, or every change of it"""

    rollout: int = 64
    """decisions a game between two updates"""
    batch: int = 1024
    """decisions in a gradient step"""
    epochs: int = 3
    """passes over the decisions of an update"""
    learning_rate: float = 1e-3
    """of Adam, falling to a tenth over the training"""
    gae_lambda: float = 0.9
    """how far advantages look ahead"""
    entropy: float = 0.005
    """weight of the entropy bonus"""
    channels: int = 48
    """of the convolutions"""
    blocks: int = 2
    """residual blocks"""
    checkpoint_every: int = 250_000
    """decisions between two checkpoints"""


# --- the model ---


class SelfPlayPPO(MaskablePPO):
    """Masked PPO whose checkpoints leave out what belongs to one run: the games and the clock."""

    def _excluded_save_params(self):
        return [*super()._excluded_save_params(), "rollout_buffer_kwargs", "learning_rate", "lr_schedule"]


class LearningRate:
    """Falls linearly to a tenth, over the steps or the minutes, whichever end first."""

    def __init__(self, args):
        self.first, self.minutes, self.started = args.learning_rate, args.minutes, time.monotonic()

    def __call__(self, steps_left):
        left = steps_left
        if self.minutes is not None:
            left = min(left, 1 - (time.monotonic() - self.started) / (60 * self.minutes))
        return self.first * max(0.1, left)


def make_model(args, games):
    """Return a new model, or the one of the checkpoint to resume."""
    changes = {
        "learning_rate": LearningRate(args),
        "rollout_buffer_class": SignedRolloutBuffer,
        "rollout_buffer_kwargs": {"read_movers": lambda: games.movers},
        "tensorboard_log": str(args.out),
        "device": "cpu",
    }
    if args.resume is not None:
        return load_model(args, games, changes)
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
            "squares": find_squares(games.games.ruleset),
            "features_extractor_kwargs": {"channels": args.channels, "blocks": args.blocks},
        },
        seed=args.seed,
        **changes,
    )


def load_model(args, games, changes):
    """Return the model of the checkpoint to resume. Raises `ValueError` where it is none, or of another ruleset."""
    try:
        held = load_from_zip_file(args.resume, device="cpu")[0]
        spaces = held["observation_space"], held["action_space"]
    except UNREADABLE as error:
        raise ValueError(f"--resume: {args.resume} is no checkpoint") from error
    if spaces != (games.observation_space, games.action_space):
        raise ValueError(f"--resume: {args.resume} was trained for another ruleset than {args.ruleset!r}")
    try:
        return SelfPlayPPO.load(args.resume, env=games, **changes)
    except UNREADABLE as error:
        raise ValueError(f"--resume: {args.resume} is no checkpoint of this script") from error


# --- what happens beside learning ---


class PastSelves(BaseCallback):
    """Keeps copies of the policy and lets a random one of them play in the games against past selves."""

    def __init__(self, args, games, kept):
        super().__init__()
        self.args, self.games, self.kept = args, games, kept
        self.updates = 0
        self.rng = np.random.default_rng(args.seed)

    def _on_rollout_start(self):
        if self.updates % self.args.past_every == 0:
            weights = {name: value.clone() for name, value in self.model.policy.state_dict().items()}
            self.kept.append(weights)
        self.updates += 1
        if self.games.past_self is None:
            self.player = copy.deepcopy(self.model.policy)
            self.player.set_training_mode(False)
            self.games.past_self = lambda seen, masks: self.player.predict(seen, action_masks=masks)[0]
        self.player.load_state_dict(self.kept[self.rng.integers(len(self.kept))])

    def _on_step(self):
        return True


class Progress(BaseCallback):
    """Shows a bar and how the last games went, writes both to TensorBoard, and stops when the time is up."""

    def __init__(self, args, games):
        super().__init__()
        self.args, self.games = args, games
        self.started = time.monotonic()
        self.recent = deque(maxlen=RECENT_GAMES)
        seconds = None if args.minutes is None else round(60 * args.minutes)
        self.bar = tqdm(total=seconds or args.steps, unit="s" if seconds else "decision", unit_scale=not seconds)

    def _on_step(self):
        self.recent.extend(self.games.results)
        self.games.results.clear()
        elapsed = time.monotonic() - self.started
        self.bar.update(round(elapsed) - self.bar.n if self.args.minutes else self.games.num_envs)
        return self.args.minutes is None or elapsed < 60 * self.args.minutes

    def _on_rollout_end(self):
        against_past = [np.sign(mine - theirs) / 2 + 0.5 for mine, theirs, past in self.recent if past]
        points = [points for mine, theirs, _ in self.recent for points in (mine, theirs)]
        shown = {"points": points, "wins_against_past": against_past}
        shown = {name: float(np.mean(values)) for name, values in shown.items() if values}
        for name, value in shown.items():
            self.logger.record(f"play/{name}", value)
        shown = {name: f"{value:.2f}" for name, value in shown.items()}
        self.bar.set_postfix({"decisions": self.num_timesteps} | shown)

    def _on_training_end(self):
        self.bar.close()


class Checkpoints(BaseCallback):
    """Saves model and past selves every so many decisions."""

    def __init__(self, args, kept):
        super().__init__()
        self.args, self.kept, self.saved_at = args, kept, 0

    def _on_rollout_start(self):
        if self.num_timesteps - self.saved_at >= self.args.checkpoint_every:
            self.saved_at = self.num_timesteps
            save(self.model, self.kept, self.args.out / f"checkpoint-{self.num_timesteps}.zip")

    def _on_step(self):
        return True


def save(model, kept, path):
    """Write the model, and beside it the past selves that resuming needs."""
    model.save(path)
    torch.save(list(kept), path.with_suffix(".past"))


def load_past_selves(args, model):
    """Return the past selves that belong to the checkpoint to resume, none for a new run.

    Raises `ValueError` where their file holds no past selves of the `model`.
    """
    kept = deque(maxlen=args.past_kept)
    if args.resume is None or not args.resume.with_suffix(".past").exists():
        return kept
    path, fitting = args.resume.with_suffix(".past"), find_shapes(model.policy.state_dict())
    try:
        kept.extend(torch.load(path, weights_only=True))
        fits = all(find_shapes(weights) == fitting for weights in kept)
    except UNREADABLE as error:
        raise ValueError(f"--resume: {path} holds no past selves") from error
    if not fits:
        raise ValueError(f"--resume: {path} holds past selves of another network than {args.resume}")
    return kept


def find_shapes(weights):
    """Return {name: shape} of the weights of a network."""
    return {name: value.shape for name, value in weights.items()}


def write_config(args, model):
    """Write arguments and versions beside the model."""
    versions = {name: version(name) for name in ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")}
    config = {
        "arguments": {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()},
        "decisions": model.num_timesteps,
        "versions": {"zamek_env": zamek_env.__version__, "python": platform.python_version()} | versions,
    }
    (args.out / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def check(args):
    """Raise `ValueError` for arguments that cannot be."""
    for name in ("steps", "games", "rollout", "batch", "epochs", "threads", "past_every", "past_kept", "channels"):
        if getattr(args, name) < 1:
            raise ValueError(f"--{name.replace('_', '-')} must be at least 1, not {getattr(args, name)}")
    if not 0 <= args.past_games <= args.games:
        raise ValueError(f"--past-games must lie in 0 to --games ({args.games}), not {args.past_games}")
    if args.minutes is not None and not 0 < args.minutes < math.inf:
        raise ValueError(f"--minutes must be a positive number, not {args.minutes}")
    if args.resume is not None and not args.resume.is_file():
        raise ValueError(f"--resume: there is no checkpoint {args.resume}")
    if args.ruleset not in RULESETS:
        raise ValueError(f"--ruleset must be one of {', '.join(RULESETS)}, not {args.ruleset!r}")


# --- the work ---


def main(args):
    """Train, and write everything below `args.out`."""
    try:
        check(args)
        torch.set_num_threads(args.threads)
        games = SelfPlayVecEnv(args.games, args.past_games, args.reward, args.ruleset, args.seed, args.threads)
        model = make_model(args, games)
        kept = load_past_selves(args, model)
    except ValueError as error:
        print(f"train: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    args.out.mkdir(parents=True, exist_ok=True)
    write_config(args, model)
    callbacks = CallbackList([PastSelves(args, games, kept), Progress(args, games), Checkpoints(args, kept)])
    model.learn(args.steps, callbacks, reset_num_timesteps=args.resume is None, tb_log_name="tensorboard")
    save(model, kept, args.out / "final.zip")
    write_config(args, model)
    print(f"{model.num_timesteps} decisions; the agent is ppo:{args.out / 'final.zip'}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
