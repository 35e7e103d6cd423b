"""The long proof that the rules are right, in one command: `make proof`.

    python -m tools.proof [--random 2000] [--greedy 200] [--sokol 100] [--carcassonne 112] [--castle 100]
                          [--players 1000] [--switches 200] [--combinations 200] [--calls 1000000] [--boxes 40]
                          [--processes 2]

1. Games in lockstep with the reference engine, equal at every decision, and so are their records.
   Those of Sokół are played again with tokens and nests in hand from the first turn on, and of Carcassonne there are
   as many in which tiles are laid as far out as they go. Those of Castle are random, and so are those of Carcassonne
   for one to five players and by house rules (`tests/support/variants.py`), which can be played by themselves.
2. Sequences of decisions from fixed positions, counted by both engines to the full depth.
3. Random and malformed calls, refused as documented.
4. The core tests compiled, as plain Python, and with every index checked.
5. Component files changed at random: each box is refused in one line, or 100 games are played with it.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from tqdm import tqdm

from tests.support import perft
from tests.support.castle_cards.lockstep import play_at_random
from tests.support.castle_cards.reference.board import DEALT
from tests.support.hostile import fuzz_boxes
from tests.support.hostile.attack import attack
from tests.support.lockstep import OPEN_TABLES, RULESETS, WALLED, ask, make_rich, play_in_lockstep, strive_outward
from tests.support.variants import OPTIONS, add_options, check_records, list_tasks, prove_variants
from tools import run_tests
from zamek_agents import make_agent
from zamek_env import Game

PLAYERS = ("random", "greedy")
OUTWARD = "outward"  # who lays tiles as far out as they go, on an open table


def prove_game(task):
    """Play a game, (ruleset, name of both players, deal), in lockstep, check its record; return how many decisions."""
    ruleset, name, deal = task
    rng = np.random.default_rng(deal)
    game = Game(ruleset, seed=deal)
    twin = play_in_lockstep(game, strive_outward(rng) if name == OUTWARD else ask(make_agent(name), rng))
    check_records(game, twin)
    return len(game.history)


def prove_rich_game(task):
    """Play one game in lockstep that begins with riches; return how many decisions."""
    ruleset, name, deal = task
    agent, rng = make_agent(name), np.random.default_rng(deal)
    game = Game(ruleset, seed=deal)
    play_in_lockstep(game, ask(agent, rng), lambda game, twin: make_rich(game, twin, rng))
    return len(game.history)


def prove_castle_game(task):
    """Play a game of Castle, (players, deal), in lockstep, check its record; return how many turns."""
    return len(play_at_random(*task)["turns"])


def prove_position(entry):
    """Count the sequences of an entry of the stored positions by both engines. Raises where one differs."""
    depth = len(entry["counts"])
    if problem := perft.compare(entry, depth, depth):
        raise AssertionError(problem)
    return sum(entry["counts"])


def prove_calls(task):
    """Make hostile calls, (how many, seed of their generator)."""
    calls, seed = task
    return sum(attack(calls, seed).values())


def prove_boxes(boxes, processes):
    """Change so many boxes at random and play 100 games with each that is accepted; return whether all pass."""
    with ThreadPoolExecutor(processes) as pool:
        return all(pool.map(lambda seed: fuzz_boxes.is_passed(1, 100, seed), range(boxes)))


def prove_all(pool, prove, tasks, what):
    """Run `prove` for all `tasks` in parallel; return the sum of the results."""
    return sum(tqdm(pool.imap_unordered(prove, tasks), desc=what, total=len(tasks)))


def main():
    """Run all parts; exit with 1 at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=2000, help="games in lockstep between random players")
    parser.add_argument("--greedy", type=int, default=200, help="games in lockstep between greedy players")
    parser.add_argument("--sokol", type=int, default=100, help="games of Sokół, of each ruleset by each player")
    parser.add_argument(
        "--carcassonne", type=int, default=112, help="games of Carcassonne, of each ruleset by each player"
    )
    parser.add_argument("--castle", type=int, default=100, help="games of Castle, of each number of players")
    add_options(parser)
    parser.add_argument("--calls", type=int, default=1_000_000, help="hostile calls")
    parser.add_argument("--boxes", type=int, default=40, help="boxes changed at random")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    arguments = parser.parse_args()
    start = time.perf_counter()
    base, *others = WALLED
    games = [(base, name, deal) for name in PLAYERS for deal in range(getattr(arguments, name))]
    of_sokol = [(ruleset, name, deal) for ruleset in others for name in PLAYERS for deal in range(arguments.sokol)]
    games += of_sokol
    games += [
        (ruleset, name, deal)
        for ruleset in OPEN_TABLES
        for name in (*PLAYERS, OUTWARD)
        for deal in range(arguments.carcassonne)
    ]
    random.Random(0).shuffle(games)  # so that the bar shows the time left
    of_castle = [(players, deal) for deal in range(arguments.castle) for players in DEALT]
    positions = sorted(perft.load(), key=lambda entry: -sum(entry["counts"][:-1]))  # the longest first
    of_tables = list_tasks(*(getattr(arguments, name) for name in OPTIONS))
    calls = [(arguments.calls // 100, seed) for seed in range(100)]
    for ruleset in RULESETS:
        prove_game((ruleset, "greedy", 0))  # compiles what the processes then share
    prove_castle_game((2, 0))
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        decisions = prove_all(pool, prove_game, games, "games in lockstep")
        decisions += prove_all(pool, prove_rich_game, of_sokol, "games of Sokół that begin with riches")
        turns = prove_all(pool, prove_castle_game, of_castle, "games of Castle in lockstep")
        sequences = prove_all(pool, prove_position, positions, "positions counted")
        refused = prove_all(pool, prove_calls, calls, "hundredths of the hostile calls")
    decisions += prove_variants(of_tables, arguments.processes)
    played = len(games) + len(of_sokol) + len(of_tables)
    print(f"{played} games and {decisions} decisions equal, {sequences} sequences counted, {refused} calls made")
    print(f"{len(of_castle)} games of Castle and {turns} turns equal")
    everything = os.environ | {"ZAMEK_TESTS": "all"}
    tested = subprocess.run([sys.executable, "-m", "tools.run_tests"], cwd=run_tests.ROOT, env=everything)
    failed = ["tests"] if tested.returncode else []
    failed += [] if prove_boxes(arguments.boxes, arguments.processes) else ["boxes changed at random"]
    print(f"{time.perf_counter() - start:.0f} s;", f"failed: {', '.join(failed)}" if failed else "all proved")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
