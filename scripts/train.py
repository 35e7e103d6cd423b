"""Train a player: first by imitating the agent `value`, then by masked PPO against itself and opponents.

Reads top to bottom: the arguments, the callbacks that watch, the work. Everything is written below `--out`: `final.zip`
(the agent `ppo:OUT/final.zip`), `weights.npz` (the same, a tenth as large), checkpoints, `config.json`, and TensorBoard
logs.
"""

import json
import math
import os
import platform
import shlex
import sys
from collections import defaultdict, deque
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

# Before torch is loaded: threads that wait must sleep, or training all but stops once the processors are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch
import tyro
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure
from tqdm import tqdm

import zamek_env
from zamek_agents.imitation import Lessons
from zamek_agents.learner import (
    LEAST_RATE,
    Clock,
    Counters,
    load_model,
    load_progress,
    make_model,
    save_checkpoint,
    seed_leg,
)
from zamek_agents.opponents import AgentOpponent, PastSelves
from zamek_agents.ppo_weights import write_weights
from zamek_agents.self_play import SelfPlayVecEnv
from zamek_agents.shipped import list_shipped
from zamek_env.core.transcription import RULESETS

BAD_INPUT = 2  # exit code
RECENT_GAMES = 200  # over which progress is averaged
RECENT_LESSONS = 50


@dataclass
class Args:
    """What to train, how long, and where to write it."""

    out: Path = Path("runs/zamek")
    """folder for everything that is written"""
    ruleset: str = "zamek"
    """the rules to play by: zamek, sokol, sokol-gates, carcassonne-demo, carcassonne or carcassonne-no-farmers"""
    imitate: int = 0
    """decisions of the agent `value` to learn from first"""
    steps: int = 2_000_000
    """decisions of self-play to train for, over all games together"""
    minutes: float | None = None
    """stop after this many minutes, even if decisions are left"""
    resume: Path | None = None
    """a checkpoint to go on from, with the same arguments; its past selves lie beside it"""
    seed: int = 1
    """of the network, the deals and the actions"""
    threads: int = 2
    """processor threads for torch, the games and the teacher"""

    games: int = 64
    """games of self-play at once; but for the following, mirror games in which the learner plays both seats"""
    past_games: int = 16
    """of these, against past selves"""
    opponents: tuple[str, ...] = ("greedy",)
    """agents to play against"""
    opponent_games: int = 8
    """of the games, against each of them"""
    past_every: int = 20
    """updates between two past selves"""
    past_kept: int = 20
    """past selves kept, the oldest are forgotten"""
    reward: Literal["win", "score", "delta"] = "delta"
    """result, final score difference, or every change of it"""

    imitation_games: int = 512
    """games played at once while imitating; one decision of each makes a gradient step"""
    imitation_rate: float = 3e-3
    """learning rate of the imitation, falling to a fiftieth"""
    rollout: int = 64
    """decisions a game between two updates"""
    batch: int = 1024
    """decisions in a gradient step"""
    epochs: int = 3
    """passes over the decisions of an update"""
    learning_rate: float = 3e-4
    """of self-play, falling to a fiftieth"""
    gae_lambda: float = 0.9
    """how far advantages look ahead"""
    entropy: float = 0.005
    """weight of the entropy bonus"""
    width: int = 256
    """of the summary of a position"""
    hidden: int = 128
    """of what is made of each placement and segment"""
    checkpoint_every: int = 250_000
    """decisions between two checkpoints"""


# --- what happens beside learning ---


class Pool(BaseCallback):
    """Keeps past selves and draws the one to play."""

    def __init__(self, args, past_selves, counters):
        super().__init__()
        self.args, self.past_selves, self.counters = args, past_selves, counters

    def _on_rollout_start(self):
        self.counters.updates += 1
        if self.counters.updates % self.args.past_every == 0:
            self.past_selves.add(self.model.policy)
        self.past_selves.draw(self.model.policy)

    def _on_step(self):
        return True


class Progress(BaseCallback):
    """Shows a bar and how the last games went, writes both to TensorBoard, and stops when the time is up."""

    def __init__(self, args, model, games, counters):
        super().__init__()
        self.args, self.model, self.games, self.counters = args, model, games, counters
        self.clock = Clock(counters, args.minutes)
        self.points = deque(maxlen=2 * RECENT_GAMES)
        self.wins = defaultdict(lambda: deque(maxlen=RECENT_GAMES))  # by opponent
        self.lessons = deque(maxlen=RECENT_LESSONS)
        seconds = None if args.minutes is None else round(60 * args.minutes)
        self.bar = tqdm(
            total=seconds or args.imitate + args.steps,
            initial=round(counters.seconds) if seconds else counters.imitated + model.num_timesteps,
            unit="s" if seconds else "decision",
            unit_scale=not seconds,
        )

    @property
    def rate(self):
        """The learning rate of now."""
        first = self.args.learning_rate
        return first * max(LEAST_RATE, min(self.clock.left, 1 - self.model.num_timesteps / self.args.steps))

    @property
    def imitation_rate(self):
        left = 1 - self.counters.imitated / self.args.imitate
        return self.args.imitation_rate * max(LEAST_RATE, left)

    def advance(self, decisions):
        """Move the bar to now; return whether there is time left."""
        self.clock.tick()
        self.bar.update(round(self.counters.seconds) - self.bar.n if self.args.minutes else decisions)
        return self.clock.left > 0

    def show_lesson(self, lessons):
        """Show how the imitation goes."""
        self.lessons.append((lessons.agreement, lessons.loss))
        agreement, loss = np.mean(self.lessons, axis=0)
        self.bar.set_postfix(
            {"imitated": self.counters.imitated, "agreement": f"{agreement:.2f}", "loss": f"{loss:.2f}"}
        )
        if self.counters.imitated // self.args.imitation_games % RECENT_LESSONS == 0:
            self.model.logger.record("imitation/agreement", agreement)
            self.model.logger.record("imitation/loss", loss)
            self.model.logger.dump(self.counters.imitated)

    def _on_step(self):
        for opponent, mine, theirs in self.games.results:
            self.points.extend((mine, theirs))
            if opponent is not None:
                self.wins[opponent].append(np.sign(mine - theirs) / 2 + 0.5)
        self.games.results.clear()
        return self.advance(self.games.num_envs)

    def _on_rollout_end(self):
        shown = {"points": self.points} | {f"wins against {name}": wins for name, wins in self.wins.items()}
        shown = {name: float(np.mean(values)) for name, values in shown.items() if values}
        for name, value in shown.items():
            self.logger.record(f"play/{name}", value)
        shown = {name: f"{value:.2f}" for name, value in shown.items()}
        self.bar.set_postfix({"decisions": self.num_timesteps} | shown)


# --- the work ---


def imitate(args, model, counters, progress, seed):
    """Let the network learn from the agent `value` for one leg."""
    lessons = Lessons(model.policy, args.ruleset, args.imitation_games, args.reward, args.threads, seed)
    end = min(args.imitate, counters.imitated + args.checkpoint_every)
    while counters.imitated < end:
        lessons.learn(progress.imitation_rate)
        counters.imitated += args.imitation_games
        progress.show_lesson(lessons)
        if not progress.advance(args.imitation_games):
            break
    lessons.close()


def play(args, model, past_selves, callbacks, seed):
    """Let the network learn from its own games for one leg."""
    model._last_obs = None  # so that the games begin anew
    past_selves.seed(seed)
    past_selves.draw(model.policy)
    leg = min(args.checkpoint_every, args.steps - model.num_timesteps)
    model.learn(leg, callbacks, reset_num_timesteps=False)


def train(args, model, games, past_selves, counters):
    """Train leg by leg, and write a checkpoint after each."""
    progress = Progress(args, model, games, counters)
    model.lr_schedule = lambda _: progress.rate
    model.set_logger(configure(str(args.out), ["tensorboard"]))
    callbacks = CallbackList([Pool(args, past_selves, counters), progress])
    while progress.clock.left > 0 and (counters.imitated < args.imitate or model.num_timesteps < args.steps):
        seed = seed_leg(args.seed, counters.legs)
        counters.legs += 1
        model.set_random_seed(seed)
        if counters.imitated < args.imitate:
            imitate(args, model, counters, progress, seed)
        else:
            play(args, model, past_selves, callbacks, seed)
        decisions = counters.imitated + model.num_timesteps
        save_checkpoint(model, past_selves, counters, args.out / f"checkpoint-{decisions}.zip")
    progress.bar.close()


def set_up(args):
    """Return model, games, past selves and counters. Raises `ValueError` where `args` cannot be followed."""
    check(args)
    past_selves = PastSelves(args.past_kept)
    opponents = [(past_selves, args.past_games)]
    opponents += [(AgentOpponent(name, args.ruleset), args.opponent_games) for name in args.opponents]
    torch.set_num_threads(args.threads)  # after opponents were made, which may set it too
    games = SelfPlayVecEnv(args.games, opponents, args.reward, args.ruleset, args.threads)
    if args.resume is None:
        return make_model(args, games), games, past_selves, Counters()
    model = load_model(args, games)
    return model, games, past_selves, load_progress(args.resume, model, past_selves)


def describe(args, model, counters):
    """Return where a model comes from: command, arguments, how far it is, and versions."""
    versions = {name: version(name) for name in ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")}
    return {
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "arguments": {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()},
        "decisions": model.num_timesteps,
        **asdict(counters),
        "versions": {"zamek_env": zamek_env.__version__, "python": platform.python_version()} | versions,
    }


def write_config(args, about):
    """Write what is told `about` the model beside it."""
    (args.out / "config.json").write_text(json.dumps(about, indent=1) + "\n")


def check(args):
    """Raise `ValueError` for arguments that cannot be."""
    for name in (
        "steps", "games", "imitation_games", "rollout", "batch", "epochs", "threads", "past_every", "past_kept",
        "width", "hidden", "checkpoint_every",
    ):  # fmt: skip
        if getattr(args, name) < 1:
            raise ValueError(f"--{name.replace('_', '-')} must be at least 1, not {getattr(args, name)}")
    for name in ("imitate", "past_games", "opponent_games"):
        if getattr(args, name) < 0:
            raise ValueError(f"--{name.replace('_', '-')} must be at least 0, not {getattr(args, name)}")
    taken = args.past_games + len(args.opponents) * args.opponent_games
    if taken > args.games:
        raise ValueError(
            f"--past-games and --opponent-games must leave room in --games ({args.games}), not take {taken}"
        )
    if args.minutes is not None and not 0 < args.minutes < math.inf:
        raise ValueError(f"--minutes must be a positive number, not {args.minutes}")
    if args.resume is not None and not args.resume.is_file():
        raise ValueError(f"--resume: there is no checkpoint {args.resume}")
    if args.ruleset not in RULESETS:
        raise ValueError(f"--ruleset must be one of {', '.join(RULESETS)}, not {args.ruleset!r}")
    if args.imitate and args.ruleset not in list_shipped("value"):
        known = ", ".join(list_shipped("value"))
        raise ValueError(f"--imitate must be 0 for {args.ruleset!r}: there is a teacher only for {known}")


def main(args):
    """Train, and write everything below `args.out`."""
    try:
        model, games, past_selves, counters = set_up(args)
    except (ValueError, FileNotFoundError) as error:
        print(f"train: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    args.out.mkdir(parents=True, exist_ok=True)
    write_config(args, describe(args, model, counters))
    train(args, model, games, past_selves, counters)
    save_checkpoint(model, past_selves, counters, args.out / "final.zip")
    about = describe(args, model, counters)
    write_weights(args.out / "weights.npz", model.policy, args.ruleset, about)
    write_config(args, about)
    learned = f"{counters.imitated} decisions imitated, {model.num_timesteps} of self-play"
    print(f"{learned}; the agent is ppo:{args.out / 'final.zip'}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
