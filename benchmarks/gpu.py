"""Measures games on a GPU: random games by themselves, and steps with mask and observation, of more and more games.

Usage: python benchmarks/gpu.py [--rulesets zamek carcassonne] [--sizes 16384 65536 262144] [--rounds N] [--no-peers]

Beside them, in the same run: `ZamekVectorEnv` on one core, and games of pgx on the GPU where pgx is installed. All
measurements of a ruleset take turns, and medians are printed.
"""

import platform
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from statistics import median

import numpy as np
import torch
import tyro
from legal_actions import draw_legal
from peers import make_pgx
from rich.table import Table
from tqdm import tqdm

from zamek_env.compiler.jit import kernel
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import is_terminal, reset, step
from zamek_env.cuda.bodies import Own, link_bodies
from zamek_env.cuda.games import make_rows, upload, view_field
from zamek_env.cuda.lanes import ACTOR
from zamek_env.cuda.program import CudaProgram
from zamek_env.layout.actions import OVER
from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.ruleset import get_ruleset
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts.terminal import make_console

DEVICE = torch.device("cuda", 0)
DECISIONS = 32  # of a random game, in each call of a kernel
STEPS = 128  # of an environment, in a measurement: a whole game and more
CALLS = 8  # of a kernel, in a measurement
CODES = ("codes", "vector")
BASELINE_GAMES, BASELINE_STEPS = 1024, 40  # of the environment on the processor
PEERS = ("connect_four", "backgammon", "go_9x9")  # of pgx
PACKAGES = ("zamek-env", "numpy", "numba", "llvmlite", "torch", "cuda-bindings", "pgx", "jax")


@dataclass
class Args:
    rulesets: tuple[str, ...] = ("zamek", "carcassonne")
    """what is played"""
    sizes: tuple[int, ...] = (2**14, 2**16, 2**18)
    """numbers of games"""
    rounds: int = 5
    """in which all measurements take turns"""
    peers: bool = True
    """measure pgx where it is installed, with all numbers of games but the first; each takes ten seconds to compile"""


@kernel
def play_lane(tables, logs, states, actors, ended, lane):
    """Play so many random decisions; games that are over are dealt anew, and counted in `ended`."""
    t, s = tables[0], states[lane]
    generator = actors[lane].generator
    for _ in range(DECISIONS):
        if is_terminal(s):
            reset(t, s, logs[0], generator)
            ended[lane] += 1
        step(t, s, logs[0], draw_action(t, s, generator))


class RandomGames:
    """Games that nobody looks at."""

    def __init__(self, name, count):
        ruleset, pair = get_ruleset(name), 2
        examples = (
            ruleset.tables,
            Own(ruleset.new_log().dtype),
            ruleset.new_states(pair),
            np.zeros(pair, ACTOR),
            np.zeros(pair, np.int64),
        )
        self.program = CudaProgram(link_bodies({"play": (play_lane, examples)}), ("play",), DEVICE)
        self.states = make_rows(count, ruleset.state_dtype, DEVICE)
        view_field(self.states, ruleset.state_dtype, "phase").fill_(OVER)
        actors = torch.randint(1, 2**63 - 1, (count, 1), device=DEVICE)
        self.ended = torch.zeros(count, dtype=torch.int64, device=DEVICE)
        self.tensors = (upload(ruleset.tables, DEVICE), self.states, actors, self.ended)
        self.count = count
        self.run()

    def run(self):
        """Return (decisions, seconds)."""
        seconds = timed(lambda: [self.program.run("play", self.count, self.tensors) for _ in range(CALLS)])
        return self.count * DECISIONS * CALLS, seconds

    def count_decisions(self):
        """Return how many decisions a game takes, of all that have been played."""
        before = int(self.ended.sum())
        decisions = sum(self.run()[0] for _ in range(2))
        return decisions / (int(self.ended.sum()) - before)


class Environment:
    """Games with mask and observation, as a learner steps them."""

    def __init__(self, name, count, copy, observation=PLANE_PARTS):
        self.env = ZamekVectorEnv(count, name, copy=copy, observation=observation, device=DEVICE)
        self.env.reset(seed=0)
        self.run()

    def run(self):
        """Return (steps, seconds)."""

        def play():
            for _ in range(STEPS):
                self.env.step(self.env.draw_actions())

        return self.env.num_envs * STEPS, timed(play)


class Baseline:
    """The same on one core, with the actions drawn in compiled code between the steps and not counted."""

    def __init__(self, name):
        self.env, self.steps = ZamekVectorEnv(BASELINE_GAMES, name), 0
        _, self.info = self.env.reset(seed=0)
        self.run()

    def run(self):
        """Return (steps, seconds)."""
        seconds = 0.0
        for _ in range(BASELINE_STEPS):
            actions = draw_legal(self.info["action_mask"], self.steps)
            started = time.perf_counter()
            *_, self.info = self.env.step(actions)
            seconds += time.perf_counter() - started
            self.steps += 1
        return BASELINE_GAMES * BASELINE_STEPS, seconds


class Pgx:
    """Games of pgx with mask and observation, dealt anew where they end, with random legal actions drawn on the GPU."""

    def __init__(self, name, count):
        import jax

        advance, self.state = make_pgx(name, count)

        def go_on(carried, _):
            state, key, seen = carried
            key, drawing, stepping = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            state = advance(state, jax.random.categorical(drawing, logits), jax.random.split(stepping, count))
            return (state, key, seen + state.observation.sum()), None

        self.play = jax.jit(lambda state, key: jax.lax.scan(go_on, (state, key, 0.0), None, STEPS)[0])
        self.jax, self.count = jax, count
        self.key = jax.random.PRNGKey(0)
        self.run()

    def run(self):
        """Return (steps, seconds)."""
        started = time.perf_counter()
        self.state, self.key, seen = self.play(self.state, self.key)
        self.jax.block_until_ready(seen)
        return self.count * STEPS, time.perf_counter() - started


def timed(play):
    """Return how many seconds the GPU takes for what `play` starts."""
    torch.cuda.synchronize()
    started = time.perf_counter()
    play()
    torch.cuda.synchronize()
    return time.perf_counter() - started


def measure(measurements, rounds, title):
    """Return {name: how many a second}, medians of rounds in which all take turns."""
    rates = {name: [] for name in measurements}
    for _ in tqdm(range(rounds), desc=title, unit="round"):
        for name, run in measurements.items():
            count, seconds = run()
            rates[name].append(count / seconds)
    return {name: median(of) for name, of in rates.items()}


def measure_ruleset(name, sizes, rounds):
    """Return the rows of one ruleset: (what, how many a second, times that of one core or games a second)."""
    baseline = Baseline(name)
    measurements = {"one core, 1,024 games: steps": baseline.run}
    bare = {}
    for count in sizes:
        bare[count] = RandomGames(name, count)
        measurements[f"{count:,} games: random decisions"] = bare[count].run
        measurements[f"{count:,} games: steps"] = Environment(name, count, None).run
        measurements[f"{count:,} games: steps with `copy=False`"] = Environment(name, count, False).run
        measurements[f"{count:,} games: the same with codes"] = Environment(name, count, False, CODES).run
    rates = measure(measurements, rounds, name)
    decisions = bare[max(sizes)].count_decisions()
    core = rates["one core, 1,024 games: steps"]
    for what, rate in rates.items():
        is_bare = what.endswith("decisions")
        yield f"`{name}`, {what}", rate, f"{rate / decisions / 1e3:,.0f} k games" if is_bare else f"{rate / core:.1f} ×"


def measure_peers(sizes, rounds):
    """Return the rows of pgx: (what, how many a second, nothing)."""
    found = {f"pgx {name}, {count:,} games: steps": Pgx(name, count).run for name in PEERS for count in sizes}
    return [(what, rate, "") for what, rate in measure(found, rounds, "pgx").items()]


def find_versions():
    """Return the versions of all that is measured."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def main(args):
    """Measure and print."""
    table = Table("", "a second", "")
    rows = [row for name in args.rulesets for row in measure_ruleset(name, args.sizes, args.rounds)]
    torch.cuda.empty_cache()
    if args.peers and find_spec("pgx"):
        rows += measure_peers(args.sizes[1:], args.rounds)
    for what, rate, beside in rows:
        table.add_row(what, f"{rate / 1e6:,.2f} M", beside)
    console = make_console()
    console.print(
        f"python {' '.join(sys.argv)}\n{torch.cuda.get_device_name(DEVICE)}; {find_versions()}", soft_wrap=True
    )
    console.print(table)


if __name__ == "__main__":
    main(tyro.cli(Args))
