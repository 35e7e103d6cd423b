"""Measures the version of the package that lies in a folder: reads names of measurements, prints figures as JSON.

Usage: PYTHONPATH=FOLDER python benchmarks/check_worker.py FOLDER

A figure is how many a second of CPU time, null where that version cannot do it. What is measured is called as users
call it, so that old versions can be measured too. Actions are drawn outside the time that is measured.
"""

import gc
import json
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import gymnasium
import numpy as np
from legal_actions import draw_legal

import zamek_env
from zamek_env import zamek_v0

STEPS = 1_500  # of one game
VECTOR_STEPS = {1: 1_500, 64: 400, 1024: 40, 8192: 8}  # by number of games
PLAYOUTS = 300


class Playouts:
    """Whole random games in compiled code, legality found at every decision."""

    def __init__(self, ruleset: str = "zamek") -> None:
        from zamek_env.core import engine
        from zamek_env.ruleset import get_ruleset

        self.engine, self.ruleset = engine, get_ruleset(ruleset)
        self.states, self.log = self.ruleset.new_states(1), self.ruleset.new_log()
        self.generator = np.ones(1, np.uint64)

    def run(self) -> tuple[int, float]:
        """Return (decisions, seconds)."""
        tables, decisions, started = self.ruleset.tables, 0, time.process_time()
        for deal in range(PLAYOUTS):
            self.engine.start_deal(tables, self.states, self.log, 0, deal)
            decisions += self.engine.play_randomly(tables, self.states, self.log, 0, self.generator)
        return decisions, time.process_time() - started


class Single:
    """One Gymnasium environment."""

    def __init__(self) -> None:
        self.env, self.rng = gymnasium.make("Zamek-v0").unwrapped, np.random.default_rng(1)
        _, self.info = self.env.reset(seed=1)

    def run(self) -> tuple[int, float]:
        """Return (steps, seconds)."""
        seconds = 0.0
        for _ in range(STEPS):
            legal = np.flatnonzero(self.info["action_mask"])
            action = int(legal[self.rng.integers(len(legal))])
            started = time.process_time()
            _, _, over, _, self.info = self.env.step(action)
            seconds += time.process_time() - started
            if over:
                _, self.info = self.env.reset()
        return STEPS, seconds


class Turns:
    """A PettingZoo environment, with what `last` returns to each agent."""

    def __init__(self) -> None:
        self.env, self.rng = zamek_v0.raw_env(), np.random.default_rng(1)
        self.env.reset(seed=1)

    def run(self) -> tuple[int, float]:
        """Return (steps, seconds)."""
        seconds = 0.0
        for _ in range(STEPS):
            observation, _, over, cut_off, info = self.env.last()
            if over or cut_off:
                self.env.reset()
                observation, _, _, _, info = self.env.last()
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            legal = np.flatnonzero(mask)
            action = int(legal[self.rng.integers(len(legal))])
            started = time.process_time()
            self.env.step(action)
            self.env.last()
            seconds += time.process_time() - started
        return STEPS, seconds


class Many:
    """A Gymnasium vector environment of so many games, stepped as in most training loops."""

    def __init__(self, count: int, env_id: str = "Zamek-v0", **arguments: object) -> None:
        self.env = gymnasium.make_vec(env_id, num_envs=count, autoreset_mode="SameStep", **arguments)
        self.seen, self.info = self.env.reset(seed=1)
        self.played = 0

    def run(self) -> tuple[int, float]:
        """Return (steps of all games together, seconds)."""
        count, seconds = self.env.num_envs, 0.0
        steps = VECTOR_STEPS[count]
        for number in range(steps + steps // 4):  # the first quarter is not measured: the games return to the cache
            actions = draw_legal(self.info["action_mask"], self.played)
            started = time.process_time()
            self.seen, _, _, _, self.info = self.env.step(actions)
            seconds += (time.process_time() - started) * (number >= steps // 4)
            self.played += 1
        return steps * count, seconds


MEASUREMENTS: dict[str, Callable[[], Playouts | Single | Turns | Many]] = {
    "random games, decisions": Playouts,
    "random games of Carcassonne, decisions": lambda: Playouts("carcassonne"),
    "one environment, steps": Single,
    "PettingZoo raw_env, steps": Turns,
    "vector environment, 1 game, steps": lambda: Many(1),
    "vector environment, 64 games, steps": lambda: Many(64),
    "vector environment, 1,024 games, steps": lambda: Many(1024),
    "vector environment, 1,024 games, copy=False, steps": lambda: Many(1024, copy=False),
    "vector environment, 8,192 games, steps": lambda: Many(8192),
    "vector environment, 1,024 games, flat, steps": lambda: Many(1024, flat=True),
    "vector environment of Carcassonne, 1,024 games, steps": lambda: Many(1024, "Carcassonne-v0"),
    "vector environment with rows, 1,024 games, steps": lambda: Many(1024, "Zamek-v1"),
    "vector environment of Carcassonne with rows, 1,024 games, steps": lambda: Many(1024, "Carcassonne-v1"),
}


@cache
def prepare(name: str) -> Playouts | Single | Turns | Many | None:
    """Return the measurement of that name, run once, or None where this version cannot do it."""
    try:
        measurement = MEASUREMENTS[name]()
        measurement.run()
    except (AttributeError, ImportError, KeyError, TypeError) as error:
        print(f"{name} cannot be measured here: {error}", file=sys.stderr)
        return None
    return measurement


def main(folder: Path) -> None:
    """Answer each line of stdin."""
    found = Path(zamek_env.__file__).parents[1]
    if found != folder:
        sys.exit(f"{found} was imported, not {folder}")
    for line in sys.stdin:
        measurement = prepare(line.strip())
        gc.collect()
        count, seconds = measurement.run() if measurement else (0, 0.0)
        print(json.dumps(count / seconds if measurement else None), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
