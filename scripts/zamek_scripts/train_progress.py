"""What happens beside training: past selves are kept, progress is shown, and the time is kept."""

from collections import defaultdict, deque
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from zamek_agents.ppo.imitation import Lessons
from zamek_agents.ppo.learner import LEAST_RATE, Clock, Counters
from zamek_agents.ppo.opponents import PastSelves
from zamek_agents.ppo.self_play import SelfPlayVecEnv
from zamek_agents.ppo.weights import check_network
from zamek_scripts.train_args import Args

RECENT_GAMES = 200  # over which progress is averaged
RECENT_LESSONS = 50


class Pool(BaseCallback):
    """Keeps past selves and draws the one to play.

    Raises `DivergedError`, through what calls it, where the network has gone astray.
    """

    def __init__(self, args: Args, past_selves: PastSelves, counters: Counters) -> None:
        super().__init__()
        self.args, self.past_selves, self.counters = args, past_selves, counters

    def _on_rollout_start(self):
        check_network(self.model.policy)
        self.counters.updates += 1
        if self.counters.updates % self.args.past_every == 0:
            self.past_selves.add(self.model.policy)
        self.past_selves.draw(self.model.policy)

    def _on_step(self):
        return True


class Progress(BaseCallback):
    """Shows a bar and how the last games went, writes both to TensorBoard, and stops when the time is up."""

    def __init__(self, args: Args, model: MaskablePPO, games: SelfPlayVecEnv, counters: Counters) -> None:
        super().__init__()
        self.args, self.model, self.games, self.counters = args, model, games, counters
        self.clock = Clock(counters, args.minutes)
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
        """The learning rate of now."""
        first = self.args.learning_rate
        return first * max(LEAST_RATE, min(self.clock.left, 1 - self.model.num_timesteps / self.args.steps))

    @property
    def imitation_rate(self) -> float:
        left = min(self.clock.left, 1 - self.counters.imitated / self.args.imitate)
        return self.args.imitation_rate * max(LEAST_RATE, left)

    def advance(self, decisions: int) -> bool:
        """Move the bar to now; return whether there is time left."""
        self.clock.tick()
        self.bar.update(round(self.counters.seconds) - self.bar.n if self.args.minutes else decisions)
        return self.clock.left > 0

    def show_lesson(self, lessons: Lessons) -> None:
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
        kept: dict[str, deque[Any]] = {f"wins against {name}": wins for name, wins in self.wins.items()}
        kept = {"points": self.points} | kept
        shown = {name: float(np.mean(values)) for name, values in kept.items() if values}
        for name, value in shown.items():
            self.logger.record(f"play/{name}", value)
        texts = {name: f"{value:.2f}" for name, value in shown.items()}
        self.bar.set_postfix({"decisions": self.num_timesteps, **texts})
