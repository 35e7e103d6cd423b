"""Measures how fast the engine and the environments are, and prints a table.

Usage: python benchmarks/speed.py [--json NEW.json] [--before OLD.json] [--repeats N]

All measurements take turns, so that a change of the machine's speed meets all of them alike; the median of the repeats
is printed. Actions are drawn outside the time that is measured, except in bare playouts, which draw their own.
"""

import json
import platform
import shlex
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from zamek_env.core import chance, engine
from zamek_env.core.jit import kernel
from zamek_env.core.ruleset import get_ruleset
from zamek_env.core.state import copy_state
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

BATCHES = (1, 8, 64, 512, 1024, 8192)
VECTOR_DECISIONS = 40_000  # a measurement
PLAYOUT_GAMES = 500
COPIES = 100_000
SINGLE_STEPS = 2_000


@dataclass
class Args:
    json: Path | None = None
    """write the figures to this file"""
    before: Path | None = None
    """compare with the figures of this file"""
    repeats: int = 7
    """rounds of all measurements"""


# --- what is measured: each returns (how many, seconds) ---


@kernel
def copy_often(source, target, count):
    """Copy a state `count` times, each time another, so that no copy can be left out."""
    for number in range(count):
        source[0].drawn = number & 7
        copy_state(source, 0, target, 0)


class Engine:
    """Bare kernels on one game."""

    def __init__(self):
        self.ruleset = get_ruleset()
        self.states, self.other = self.ruleset.new_states(1), self.ruleset.new_states(1)
        self.log = self.ruleset.new_log()
        self.generator = np.zeros(1, np.uint64)
        chance.seed_generator(self.generator, 1)

    def playouts(self):
        """Whole random games, legality computed at every decision."""
        started, decisions = time.perf_counter(), 0
        for deal in range(PLAYOUT_GAMES):
            engine.start_deal(self.ruleset.tables, self.states, self.log, 0, deal)
            decisions += engine.play_randomly(self.ruleset.tables, self.states, self.log, 0, self.generator)
        return decisions, time.perf_counter() - started

    def copies(self):
        """Copies of a state."""
        started = time.perf_counter()
        copy_often(self.states, self.other, COPIES)
        return COPIES, time.perf_counter() - started


class Single:
    """`ZamekEnv`, stepped from Python: action, mask and observation."""

    def __init__(self):
        self.env, self.rng = ZamekEnv(), np.random.default_rng(1)
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


class Vector:
    """`ZamekVectorEnv` with its own arrays handed out: action, mask and observation of every game."""

    def __init__(self, num_envs, threads):
        self.env, self.rng = ZamekVectorEnv(num_envs, threads=threads, copy=False), np.random.default_rng(1)
        self.masks = self.env.reset(seed=1)[1]["action_mask"]

    def steps(self):
        rounds, seconds = max(3, VECTOR_DECISIONS // self.env.num_envs), 0.0
        for _ in range(rounds):
            actions = (self.rng.random(self.masks.shape, np.float32) * self.masks).argmax(axis=1)
            started = time.perf_counter()
            self.env.step(actions)
            seconds += time.perf_counter() - started
        return rounds * self.env.num_envs, seconds


def make_measurements():
    """Return {name: function} of everything that is measured."""
    bare = Engine()
    found = {"random playouts, decisions": bare.playouts, "copies of a state": bare.copies}
    found["single environment, steps"] = Single().steps
    for threads in (1, 2):
        for batch in BATCHES:
            if batch >= threads:
                name = f"vector environment, steps, {batch} games, {threads} thread{'s' * (threads > 1)}"
                found[name] = Vector(batch, threads).steps
    return found


# --- the work ---


def measure(repeats):
    """Return {name: how many a second}, each the median of `repeats` interleaved measurements after one to warm up."""
    measurements, rates = make_measurements(), defaultdict(list)
    with tqdm(total=(repeats + 1) * len(measurements), unit="measurement") as progress:
        for repeat in range(repeats + 1):
            for name, run in measurements.items():
                count, seconds = run()
                if repeat > 0:
                    rates[name].append(count / seconds)
                progress.update()
    return {name: median(values) for name, values in rates.items()}


def describe_machine():
    """Return what the figures depend on."""
    versions = {name: version(name) for name in ("zamek-env", "numpy", "numba", "gymnasium")}
    machine = {"command": shlex.join(sys.argv), "processor": find_processor(), "python": platform.python_version()}
    return machine | versions


def find_processor():
    """Return the processor's name, as far as the system tells."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def print_table(rates, before):
    """Print a row a measurement, beside the earlier figure where there is one."""
    table = Table("", "a second", "each", *(["÷ before"] if before else []))
    for name, rate in rates.items():
        ratio = [f"{rate / before[name]:.2f}"] if name in before else []
        table.add_row(name, f"{rate:,.0f}", f"{1e9 / rate:,.0f} ns", *ratio)
    Console().print(table)


def main(args):
    """Measure, print, and write what is asked for."""
    before = json.loads(args.before.read_text())["rates"] if args.before else {}
    machine = describe_machine()
    rates = measure(args.repeats)
    for name, value in machine.items():
        print(f"{name}: {value}")
    ruleset = get_ruleset()
    print(f"a state: {ruleset.state_dtype.itemsize} bytes")
    print(f"an observation: {len(ruleset.planes)} planes, {len(ruleset.vector)} entries")
    print_table(rates, before)
    if args.json:
        args.json.write_text(json.dumps({"machine": machine, "rates": rates}, indent=1) + "\n")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
