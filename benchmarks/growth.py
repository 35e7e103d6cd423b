"""Measures how cost grows in the course of a game and with the number of games, and draws it.

Usage: python benchmarks/growth.py [--out docs/pictures/growth.svg] [--repeats N]
"""

import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import tyro
from matplotlib import pyplot as plt
from matplotlib.ticker import ScalarFormatter
from measurements import BATCHES, OTHERS, Vector
from tqdm import tqdm

from zamek_agents.analysis.plots import style
from zamek_env.base import chance
from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel
from zamek_env.core import engine, observation, rules
from zamek_env.core.playout import draw_action
from zamek_env.core.state import copy_state
from zamek_env.ruleset import get_ruleset

GAMES = 256  # positions of a size
EVERY = 6  # tiles between two sizes


@dataclass
class Args:
    out: Path = Path("docs/pictures/growth.svg")
    """the picture"""
    repeats: int = 9
    """rounds of all measurements; the median is drawn"""


@kernel
def play_to(tables, states, logs, generator, placed):
    """Play every game at random until so many tiles lie in it, or it is over."""
    t = tables[0]
    for game in range(states.size):
        s = states[game]
        while not rules.is_terminal(s) and count_tiles(s) < placed:
            rules.step(t, s, logs[0], draw_action(t, s, generator))


@kernel
def count_tiles(s):
    """Return how many tiles lie on the board."""
    count = 0
    for tile in range(s.tile_location.size):
        count += s.tile_location[tile] > NONE
    return count


@kernel
def play_turns(tables, states, room, shows):
    """Play two random decisions from a copy of every game; return how many there were. Shows them if asked to."""
    trials, logs, generator, frames, canvases = room
    t, s, decisions = tables[0], trials[0], 0
    for game in range(states.size):
        copy_state(states, game, trials, 0)
        for _ in range(2):
            if not rules.is_terminal(s):
                rules.step(t, s, logs[0], draw_action(t, s, generator))
                decisions += 1
                if shows:
                    observation.write_frame(t, s, s.player, canvases[0], frames[0], False)
    return decisions


def measure_stages(name, repeats):
    """Return ({tiles placed: ns a decision}, the same with mask and observation written from nothing)."""
    ruleset, generator = get_ruleset(name), np.zeros(1, np.uint64)
    chance.seed_generator(generator, 1)
    states, log = ruleset.new_states(GAMES), ruleset.new_log()
    room = (ruleset.new_states(1), log, generator, ruleset.new_frames(1), ruleset.new_canvases(1))
    for game in range(GAMES):
        engine.start_deal(ruleset.tables, states, log, game, game)
    stages = {}
    for placed in range(0, ruleset.sizes.tiles - 1, EVERY):
        play_to(ruleset.tables, states, log, generator, placed + ruleset.sizes.starts)
        stages[placed] = states.copy()
    times = (defaultdict(list), defaultdict(list))
    for _ in tqdm(range(repeats), unit="round", desc=name):
        for placed, positions in stages.items():
            for shows in (False, True):
                started = time.perf_counter()
                decisions = play_turns(ruleset.tables, positions, room, shows)
                times[shows][placed].append((time.perf_counter() - started) / decisions * 1e9)
    return tuple({placed: median(values) for placed, values in part.items()} for part in times)


def measure_batches(repeats):
    """Return {threads: {games: steps a second}} of the vector environment."""
    rates = {threads: defaultdict(list) for threads in (1, 2)}
    for batch in tqdm(BATCHES, unit="batch size"):
        runs = {threads: Vector(batch, threads).steps for threads in (1, 2) if batch >= threads}
        for _ in range(repeats):
            for threads, run in runs.items():
                count, seconds = run()
                rates[threads][batch].append(count / seconds)
    return {threads: {batch: median(values) for batch, values in part.items()} for threads, part in rates.items()}


@style()
def draw(stages, batches, path):
    """Draw both, side by side."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for name, (bare, shown) in stages.items():
        (line,) = left.plot(bare.keys(), bare.values(), label=name)
        left.plot(
            shown.keys(), shown.values(), "--", color=line.get_color(), label=f"{name}, with mask and observation"
        )
    left.set(xlabel="tiles placed", ylabel="ns a decision", ylim=(0, None))
    for threads, rates in batches.items():
        right.plot(
            rates.keys(), [rate / 1e6 for rate in rates.values()], "o-", label=f"{threads} thread{'s' * (threads > 1)}"
        )
    right.set(xscale="log", xlabel="games", ylabel="million steps a second, zamek", ylim=(0, None))
    right.xaxis.set_major_formatter(ScalarFormatter())
    for axes in (left, right):
        axes.legend(fontsize="small", loc="lower left", bbox_to_anchor=(0, 1))  # above the curves
    figure.savefig(path, metadata={"Date": None})


def main(args):
    """Measure and draw."""
    stages = {name: measure_stages(name, args.repeats) for name in ("zamek", *OTHERS)}
    draw(stages, measure_batches(args.repeats), args.out)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
