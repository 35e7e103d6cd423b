"""The measurements: objects set up once, whose functions each return (how many, seconds)."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy as np
from ceilings import Room
from legal_actions import draw_legal
from pettingzoo.utils import wrappers

from zamek_env import RULESETS, castle_cards_v0, zamek_v0
from zamek_env.base import chance
from zamek_env.base.records import NONE
from zamek_env.base.rewards import ILLEGAL_REWARD
from zamek_env.compiler.jit import kernel
from zamek_env.core import dealing, engine
from zamek_env.core.state import copy_state
from zamek_env.layout.observation import PLANE_PARTS, ROW_PARTS
from zamek_env.ruleset import get_ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

BATCHES = (1, 8, 64, 512, 1024, 8192)
OTHERS = ("sokol", "carcassonne")  # beside zamek, in a vector environment
OTHERS_BATCH = 1024
VECTOR_DECISIONS = 40_000  # a measurement
PLAYOUT_GAMES = 500
REPEATS = 100_000  # of a copy, and of the work of a ceiling
REDEALS = 20_000
SINGLE_STEPS = 2_000
AEC_STEPS = 1_000


@dataclass(frozen=True)
class Measurement:
    """A row of the table."""

    run: object  # a function that returns (how many, seconds)
    ceiling: str | None = None  # the measurement that it can at best be as fast as


def make_measurements():
    """Return {name: Measurement} of everything of ours, the ceilings first."""
    room = Room(get_ruleset())
    found = {
        "ceiling: decisions": Measurement(timed(room.decisions, REPEATS)),
        "ceiling: steps": Measurement(timed(room.steps, REPEATS)),
        "ceiling: copies": Measurement(timed(room.copies, REPEATS)),
    }
    for ruleset in RULESETS:
        ceiling = "ceiling: decisions" if ruleset == "zamek" else None
        found[f"random playouts, decisions, {ruleset}"] = Measurement(Engine(ruleset).playouts, ceiling)
    bare = Engine("zamek")
    found["copies of a state"] = Measurement(bare.copies, "ceiling: copies")
    found["redeals"] = Measurement(bare.redeals)
    found["single environment, steps"] = Measurement(Single().steps)
    found["single environment, steps, with rows"] = Measurement(Single(ROW_PARTS).steps)
    for name, env in list_aec().items():
        found[name] = Measurement(Aec(env).steps)
    for threads in (1, 2):
        for batch in BATCHES:
            if batch >= threads:
                name = f"vector environment, steps, {batch} games, {threads} thread{'s' * (threads > 1)}"
                found[name] = Measurement(Vector(batch, threads).steps, "ceiling: steps" if threads == 1 else None)
    for ruleset in ("zamek", *OTHERS):
        ceiling = "ceiling: steps" if ruleset == "zamek" else None
        for copy in (None, True, False):
            name = f"vector environment, steps, {OTHERS_BATCH} games, {ruleset}, copy={copy}"
            if ruleset != "zamek" or copy is not False:  # that stands above
                found[name] = Measurement(Vector(OTHERS_BATCH, 1, ruleset, copy).steps, ceiling)
        name = f"vector environment, steps, {OTHERS_BATCH} games, {ruleset}, with rows"
        found[name] = Measurement(Vector(OTHERS_BATCH, 1, ruleset, None, ROW_PARTS).steps)
    return found


def timed(work, count):
    """Return a function that measures `work(count)`."""

    def run():
        started = time.perf_counter()
        work(count)
        return count, time.perf_counter() - started

    return run


@kernel
def copy_often(source, target, count):
    """Copy a state `count` times, each time another, so that no copy can be left out."""
    for number in range(count):
        source[0].drawn = number & 7
        copy_state(source, 0, target, 0)


@kernel
def redeal_often(states, generator, count):
    """Reshuffle what is hidden `count` times."""
    for _ in range(count):
        dealing.redeal(states[0], generator, NONE)


class Engine:
    """Bare kernels on one game."""

    def __init__(self, ruleset):
        self.ruleset = get_ruleset(ruleset)
        self.states, self.other = self.ruleset.new_states(1), self.ruleset.new_states(1)
        self.log = self.ruleset.new_log()
        self.generator = np.zeros(1, np.uint64)
        chance.seed_generator(self.generator, 1)

    def playouts(self, games=PLAYOUT_GAMES):
        """Whole random games, legality computed at every decision."""
        started, decisions = time.perf_counter(), 0
        for deal in range(games):
            engine.start_deal(self.ruleset.tables, self.states, self.log, 0, deal)
            decisions += engine.play_randomly(self.ruleset.tables, self.states, self.log, 0, self.generator)
        return decisions, time.perf_counter() - started

    def copies(self):
        """Copies of a state."""
        return timed(lambda count: copy_often(self.states, self.other, count), REPEATS)()

    def redeals(self):
        """Reshuffling of what is hidden at the beginning, when that is most."""
        engine.start_deal(self.ruleset.tables, self.states, self.log, 0, 1)
        return timed(lambda count: redeal_often(self.states, self.generator, count), REDEALS)()


class Single:
    """`ZamekEnv`, stepped from Python: action, mask and observation."""

    def __init__(self, observation=PLANE_PARTS):
        self.env, self.rng = ZamekEnv(observation=observation), np.random.default_rng(1)
        self.info = self.env.reset(seed=1)[1]

    def steps(self):
        seconds = 0.0
        for _ in range(SINGLE_STEPS):
            legal = np.flatnonzero(self.info["action_mask"])
            action = int(legal[self.rng.integers(len(legal))])
            started = time.perf_counter()
            _, _, over, _, self.info = self.env.step(action)
            seconds += time.perf_counter() - started
            if over:
                self.info = self.env.reset()[1]
        return SINGLE_STEPS, seconds


def list_aec():
    """Return {name: environment}: `env()`, which guards itself, `raw_env()`, and that in PettingZoo's own wrappers."""
    return {
        "PettingZoo environment, steps": zamek_v0.env(),
        "PettingZoo environment, planes and vector apart, steps": zamek_v0.env(flat=False),
        "PettingZoo raw environment, steps": zamek_v0.raw_env(),
        "PettingZoo raw environment in PettingZoo's wrappers, steps": wrap_as_usual(zamek_v0.raw_env()),
        "PettingZoo environment, steps, castle-cards, 3 players": castle_cards_v0.env(players=3),
    }


def wrap_as_usual(raw):
    """Return `raw` in the wrappers that PettingZoo's own environments wear."""
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class Aec:
    """An AEC environment: a step, and what `last` returns to the next agent."""

    def __init__(self, env):
        self.env = env

    def steps(self):
        return step_aec(self.env, AEC_STEPS)


def step_aec(env, count):
    """Return (`count`, seconds) of that many random steps of a PettingZoo environment."""
    env.reset(seed=1)
    seconds, rng = 0.0, np.random.default_rng(1)
    for _ in range(count):
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            observation = env.last()[0]
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        started = time.perf_counter()
        env.step(action)
        env.last()
        seconds += time.perf_counter() - started
    return count, seconds


class Vector:
    """`ZamekVectorEnv`: action, mask and observation of every game."""

    def __init__(self, num_envs, threads, ruleset="zamek", copy=False, observation=PLANE_PARTS):
        options = {"threads": threads, "copy": copy, "autoreset_mode": "SameStep", "observation": observation}
        self.env = ZamekVectorEnv(num_envs, ruleset=ruleset, **options)  # no step is spent on dealing
        self.seen, self.info = self.env.reset(seed=1)
        self.played = 0

    def steps(self):
        rounds, seconds = max(3, VECTOR_DECISIONS // self.env.num_envs), 0.0
        warm_up = 1 + rounds // 4  # until the games are in the cache again
        for number in range(warm_up + rounds):
            actions = draw_legal(self.info["action_mask"], self.played)
            started = time.perf_counter()
            self.seen, _, _, _, self.info = self.env.step(actions)
            seconds += (time.perf_counter() - started) * (number >= warm_up)
            self.played += 1
        return rounds * self.env.num_envs, seconds


# --- the first step of a new process ---

FIRST_STEP = """
from zamek_env.single import ZamekEnv
env = ZamekEnv()
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
"""
EVERYTHING = (
    FIRST_STEP
    + """
from zamek_env.core import engine
from zamek_env.vector import ZamekVectorEnv
many = ZamekVectorEnv(2, opponent="greedy")
_, info = many.reset(seed=1)
many.step(info["action_mask"].argmax(axis=1))
"""
)


def measure_starts(repeats):
    """Return {name: seconds}: importing and stepping for the first time, with nothing compiled yet and with all."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _run_process(EVERYTHING, cache)
        warm = sorted(_run_process(FIRST_STEP, cache) for _ in range(repeats))
    return {
        "everything compiled for the first time": cold,
        "import and first step, compiled before": warm[repeats // 2],
    }


def _run_process(program, cache):
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | {"NUMBA_CACHE_DIR": cache})
    return time.perf_counter() - started
