"""`zamek train` for games of tiles: imitation, then masked PPO in two-player games, against itself and opponents.

`train.py` says which files it writes below `--out`. During training, past selves are kept, and progress is shown.
"""

import math
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure
from tqdm import tqdm

from zamek_agents.base import Agent
from zamek_agents.ppo import learner
from zamek_agents.ppo.imitation import AgentTeacher, Lessons, ValueTeacher
from zamek_agents.ppo.opponents import PastSelves, VecOpponent
from zamek_agents.ppo.policy import check_network, load_policy, make_policy, shape_network, write_weights
from zamek_agents.ppo.self_play import SelfPlayVecEnv
from zamek_agents.registry import make_agent
from zamek_agents.value.agent import ValueAgent
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import Ruleset
from zamek_scripts.atomic_file import write_atomic, write_json
from zamek_scripts.run_folder import write_config
from zamek_scripts.terminal import naming
from zamek_scripts.train_args import Args

RECENT_GAMES = 200  # over which progress is averaged
RECENT_LESSONS = 50


class Progress(BaseCallback):
    """Shows a bar and the results of the last games, writes both to TensorBoard, and stops when the time is up."""

    def __init__(self, args: Args, model: MaskablePPO, games: SelfPlayVecEnv, counters: learner.Counters) -> None:
        super().__init__()
        self.args, self.model, self.games, self.counters = args, model, games, counters
        self.clock = learner.Clock(counters, args.minutes)
        self.points: deque[int] = deque(maxlen=2 * RECENT_GAMES)
        self.wins: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=RECENT_GAMES))  # by opponent
        self.lessons: deque[tuple[float, float]] = deque(maxlen=RECENT_LESSONS)
        seconds = None if args.minutes is None else round(60 * args.minutes)
        self.bar = tqdm(
            total=seconds or args.imitate + args.steps,
            initial=round(counters.seconds) if seconds else counters.imitated + model.num_timesteps,
            unit="s" if seconds else "decision",
            unit_scale=not seconds,
        )

    @property
    def rate(self) -> float:
        """The present learning rate."""
        first = self.args.learning_rate
        return first * max(learner.LEAST_RATE, min(self.clock.left, 1 - self.model.num_timesteps / self.args.steps))

    @property
    def imitation_rate(self) -> float:
        left = min(self.clock.left, 1 - self.counters.imitated / self.args.imitate)
        return self.args.imitation_rate * max(learner.LEAST_RATE, left)

    def advance(self, decisions: int) -> bool:
        """Advance the bar; return whether there is time left."""
        self.clock.tick()
        self.bar.update(round(self.counters.seconds) - self.bar.n if self.args.minutes else decisions)
        return self.clock.left > 0

    def show_lesson(self, lessons: Lessons) -> None:
        """Show the progress of the imitation."""
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
        kept: dict[str, deque[Any]] = {f"wins against {name}": wins for name, wins in self.wins.items()}
        kept = {"points": self.points} | kept
        shown = {name: float(np.mean(values)) for name, values in kept.items() if values}
        for name, value in shown.items():
            self.logger.record(f"play/{name}", value)
        texts = {name: f"{value:.2f}" for name, value in shown.items()}
        self.bar.set_postfix({"decisions": self.num_timesteps, **texts})


class Training:
    """A network that learns, its opponents, and its progress."""

    def __init__(self, args: Args, ruleset: Ruleset, opponents: Sequence[Agent]) -> None:
        """Begin or resume a training run. Raises `ValueError`, having written nothing, where `args` do not fit."""
        self.args, self.ruleset, self.past_selves = args, ruleset, PastSelves(args.past_kept)
        torch.set_num_threads(args.threads)
        met: list[tuple[VecOpponent | Agent, int]] = [(self.past_selves, args.past_games)]
        met += [(agent, args.opponent_games) for agent in opponents]
        self.games = SelfPlayVecEnv(args.games, met, args.reward, ruleset, args.threads, ROW_PARTS, states=True)
        shape = shape_network(ruleset, args.width, args.hidden)
        self.model, self.counters = learner.make_model(args, self.games, shape), learner.Counters()
        if args.resume is not None:
            with naming("--resume"):
                self.counters = learner.load_checkpoint(args.resume, self.model, self.past_selves)
            made = self.model.num_timesteps
            if made >= args.steps + args.rollout * args.games:  # no run of that many steps makes such a checkpoint
                raise ValueError(f"--steps must be as in the run of {args.resume}, which made {made}, not {args.steps}")
        elif args.weights is not None:
            begin_with(args.weights, self.model.policy)
        compile_all(args, ruleset, [(agent, 1) for agent in opponents])

    def run(self, about: dict[str, Any]) -> None:
        """Learn, and write everything below `args.out`, with what is noted `about` it.

        Raises `DivergedError` where learning diverges, and `OSError` where something cannot be written. Earlier files
        are kept then.
        """
        write_config(self.args, "train")  # before anything else: it marks the folder as that of a run
        self._write_about(about)
        self._learn(about)
        self._save("final.npz", about)
        with write_atomic(self.args.out / "weights.npz", binary=True) as file:
            write_weights(file, self.model.policy, self._describe(about))
        self._write_about(about)

    def describe_learned(self) -> str:
        """Return in words from how many decisions it has learned."""
        return f"{self.counters.imitated} decisions imitated, {self.model.num_timesteps} of self-play"

    def _learn(self, about):
        """Learn leg by leg, and write a checkpoint after each. Raises `DivergedError` in place of a useless one."""
        args, model, counters = self.args, self.model, self.counters
        progress = Progress(args, model, self.games, counters)
        model.lr_schedule = lambda _: progress.rate
        model.set_logger(configure(str(args.out), ["tensorboard"]))
        callbacks = CallbackList([learner.KeepSelves(self.past_selves, args.past_every, counters), progress])
        with progress.bar:
            while progress.clock.left > 0 and (counters.imitated < args.imitate or model.num_timesteps < args.steps):
                seed = int(np.random.SeedSequence([args.seed, counters.legs]).generate_state(1)[0])
                counters.legs += 1
                model.set_random_seed(seed)
                if counters.imitated < args.imitate:
                    self._imitate(progress, seed)
                else:
                    self._play(callbacks, seed)
                check_network(model.policy)
                self._save(f"checkpoint-{counters.imitated + model.num_timesteps}.npz", about)

    def _imitate(self, progress, seed):
        """Let the network learn from the teacher for one leg."""
        args, counters, threads = self.args, self.counters, self.args.threads
        teacher = make_teacher(args, self.ruleset, threads, seed)
        kept = math.ceil(args.imitation_kept / args.imitation_games)
        settings = (args.imitation_games, args.reward, threads, seed, teacher, args.imitation_repeats, kept)
        end = min(args.imitate, counters.imitated + args.checkpoint_every)
        with closing(Lessons(self.model.policy, self.ruleset, *settings)) as lessons:
            while counters.imitated < end:
                lessons.learn(progress.imitation_rate)
                counters.imitated += args.imitation_games
                progress.show_lesson(lessons)
                if not progress.advance(args.imitation_games):
                    break

    def _play(self, callbacks, seed):
        """Let the network learn from its own games for one leg."""
        args, model = self.args, self.model
        model._last_obs = None  # so that the games are reset
        self.past_selves.seed(seed)
        self.past_selves.draw(model.policy)
        leg = min(args.checkpoint_every, args.steps - model.num_timesteps)
        try:
            model.learn(leg, callbacks, reset_num_timesteps=False)
        except ValueError:  # torch knows no probabilities that are no numbers
            check_network(model.policy)
            raise

    # --- files ---

    def _describe(self, about):
        """Return what is noted `about` the training, and the progress of the model."""
        return about | {"decisions": self.model.num_timesteps, **asdict(self.counters)}

    def _save(self, name, about):
        with write_atomic(self.args.out / name, binary=True) as file:
            learner.write_checkpoint(file, self.model, self.past_selves, self.counters, self._describe(about))

    def _write_about(self, about):
        """Write what is noted about the model next to it."""
        write_json(self.args.out / "config.json", self._describe(about))


def begin_with(path: Path, policy: Any) -> None:
    """Give `policy` the weights of the network in a file. Raises `ValueError` where they do not fit it."""
    with naming("--weights"):
        found: Any = load_policy(path, policy.features_extractor.ruleset)[0]
    sizes, expected = ((each.features_extractor.width, each.features_extractor.hidden) for each in (found, policy))
    if sizes != expected:
        given = "width {} and hidden {}".format(*sizes)
        raise ValueError(f"--weights: {path} has a network of {given}, not {expected[0]} and {expected[1]}")
    policy.load_state_dict(found.state_dict())


def make_teacher(args: Args, ruleset: Ruleset, threads: int, seed: int) -> ValueTeacher:
    """Return the teacher asked for. Raises `ValueError` where there is none of that name."""
    if args.teacher == ValueAgent.kind:  # it needs no agent
        return ValueTeacher(ruleset, threads, seed)
    return AgentTeacher([make_agent(args.teacher) for _ in range(threads)], ruleset, seed)


def compile_all(args: Args, ruleset: Ruleset, opponents: Sequence[tuple[Agent, int]]) -> None:
    """Imitate and play a little with another network, so that all is compiled before the clock starts."""
    policy = make_policy(ruleset, 1, 1)
    if args.imitate:
        lessons = Lessons(policy, ruleset, 1, args.reward, 1, args.seed, make_teacher(args, ruleset, 1, args.seed))
        lessons.learn(0.0)
        lessons.close()
    games = SelfPlayVecEnv(1 + len(opponents), opponents, args.reward, ruleset, 1, ROW_PARTS, states=True)
    seen: Any = games.reset()
    for _ in range(2):
        masks = np.stack(games.env_method("action_masks"))
        seen = games.step(policy.predict(seen, action_masks=masks)[0])[0]
    games.close()
