"""Measures random games of Castle, the card game, on one core, and prints a table.

Usage: python benchmarks/castle_cards.py [--games N] [--repeats N]

Random games of Zamek are measured in the same run, in turns with the others: the last column says how many decisions
are made while Zamek makes one. A decision is a choice between several options. The median of the repeats is printed.
"""

import platform
import shlex
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median

import numpy as np
import tyro
from rich.table import Table
from tqdm import tqdm

from zamek_env.castle_cards.components.cards import DEALS
from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import new_states
from zamek_env.core import chance, engine
from zamek_env.ruleset import get_ruleset
from zamek_scripts.terminal import make_console

PACKAGES = ("zamek-env", "numpy", "numba")


@dataclass
class Args:
    games: int = 2000
    """games a measurement"""
    repeats: int = 7
    """rounds of all measurements"""


def play_castle(players, games):
    """Return (decisions, games, seconds) of random games of Castle."""
    blank, states, logs = new_states(1), new_states(1), np.zeros(1, LOG)
    generator = np.zeros(1, np.uint64)
    chance.seed_generator(generator, 1)
    start, decisions = time.perf_counter(), 0
    for game in range(games):
        calls.start_deal(blank, states, logs, 0, players, game)
        decisions += calls.play_randomly(states, logs, 0, generator)
    return decisions, games, time.perf_counter() - start


def play_zamek(games):
    """Return (decisions, games, seconds) of random games of Zamek."""
    ruleset = get_ruleset("zamek")
    states, log, generator = ruleset.new_states(1), ruleset.new_log(), np.zeros(1, np.uint64)
    chance.seed_generator(generator, 1)
    start, decisions = time.perf_counter(), 0
    for game in range(games):
        engine.start_deal(ruleset.tables, states, log, 0, game)
        decisions += engine.play_randomly(ruleset.tables, states, log, 0, generator)
    return decisions, games, time.perf_counter() - start


def measure(runs, args):
    """Return {name: [(decisions, games, seconds)]} of measurements that take turns, after one to warm up."""
    found = {name: [] for name in runs}
    with tqdm(total=(args.repeats + 1) * len(runs), unit="measurement") as progress:
        for repeat in range(args.repeats + 1):
            for name, (run, arguments) in runs.items():
                result = run(*arguments, args.games if repeat else 1)
                found[name] += [result] if repeat else []
                progress.update()
    return found


def main(args):
    """Measure, and print a table."""
    runs = {"zamek": (play_zamek, ())} | {f"castle-cards, {n} players": (play_castle, (n,)) for n in DEALS}
    found = measure(runs, args)
    speed = {name: median(decisions / seconds for decisions, _, seconds in rows) for name, rows in found.items()}
    console = make_console()
    console.print(f"{shlex.join(sys.argv)}, Python {platform.python_version()}", highlight=False)
    console.print(", ".join(f"{package} {version(package)}" for package in PACKAGES), highlight=False)
    table = Table("random games", "decisions/s", "games/s", "decisions/game", "to zamek")
    for name, rows in found.items():
        games = median(games / seconds for _, games, seconds in rows)
        length = rows[0][0] / rows[0][1]
        table.add_row(
            name, f"{speed[name]:,.0f}", f"{games:,.0f}", f"{length:.0f}", f"{speed[name] / speed['zamek']:.2f}"
        )
    console.print(table)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__.splitlines()[0]))
