"""Plays Carcassonne of one to five players and by house rules in lockstep with the reference engine.

    python -m tests.support.variants [--players 1000] [--switches 200] [--combinations 200] [--processes 2]

Games are random, equal at every decision, and so are their records. `make proof` plays them
too. A table is compiled, which takes a minute of a core, where at least `COMPILED_FROM` games are played on it. All
others are played as plain Python, where a game takes ten times as long.
"""

import argparse
import json
import multiprocessing
import random
from collections import Counter

from tqdm import tqdm

from tests.support.lockstep import OPEN_TABLES, play_in_lockstep
from tests.support.record_checker import check_record
from tools.run_tests import set_variables
from zamek_env import Game

SWITCHES = ("back_into_bag", "start_in_bag", "hole_plays_again", "unfinished_pays_nothing", "small_city")
HELD = ({}, {"draw_ahead": True}, {"hand": "open"}, {"hand": "hidden"})
TABLES = ({}, {"table": (1, 11)}, {"table": (7, 9)}, {"table": (5, 5), "edges_complete": True})


def draw_house(rng: random.Random) -> dict:
    """Some of the house rules."""
    return {name: True for name in SWITCHES if rng.random() < 0.5} | rng.choice(HELD) | rng.choice(TABLES)


RULESET = "carcassonne"
NUMBERS = (1, 3, 4, 5)  # of players; other games of the proof are for two
RULES = (*({name: True} for name in SWITCHES), *HELD[1:], *TABLES[2:])  # each switch; H8 with a table
COMPILED_FROM = 10  # games of a table
OPTIONS = {  # how many of each, and what that takes on two cores
    "players": (1000, "games of 1, of 3, of 4 and of 5 players; a thousand of each take an hour or two"),
    "switches": (200, f"games by each of {len(RULES)} switches, of two; two hundred of each take forty minutes"),
    "combinations": (200, "games by switches drawn at random, of 1 to 5 players; two hundred take twenty minutes"),
}


def list_tasks(players, switches, combinations):
    """Return the tasks of `prove_variant`: so many games of each number of players, of each switch, and of others."""
    tasks = [(RULESET, number, {}, deal) for number in NUMBERS for deal in range(players)]
    tasks += [(RULESET, 2, rules, deal) for rules in RULES for deal in range(switches)]
    for deal in range(combinations):
        rng = random.Random(deal)
        tasks.append((rng.choice(OPEN_TABLES[:3]), deal % 5 + 1, draw_house(rng), deal))
    return tasks


def prove_variant(task):
    """Play a random game, (ruleset, players, house rules, deal), in lockstep, check its record; count decisions."""
    ruleset, players, rules, deal = task
    rng = random.Random(deal)
    game = Game(ruleset, deal, None, players, rules)
    try:
        check_records(game, play_in_lockstep(game, lambda game, legal: rng.choice(legal)))
    except AssertionError as error:
        raise AssertionError(f"{task}: {error}") from error
    return len(game.history)


def check_records(game, twin):
    """Compare the record of a finished `game` with the reference game `twin`, and replay those of both."""
    check_record(json.loads(json.dumps(game.record())), twin)
    for record in (game.record(), twin.record(seed=game.seed)):
        if Game.replay(record).state.tobytes() != game.state.tobytes():
            raise AssertionError(f"deal {game.seed}: a record is replayed to another state")


def prove_variants(tasks, processes):
    """Play all `tasks` in so many processes; return how many decisions. Raises where one differs."""
    counts = Counter(map(_name, tasks))
    compiled = [task for task in tasks if counts[_name(task)] >= COMPILED_FROM]
    plain = [task for task in tasks if counts[_name(task)] < COMPILED_FROM]
    for task in tqdm({_name(task): task for task in compiled}.values(), desc="tables compiled"):
        prove_variant(task)  # by one process, for all
    decisions = 0
    for some, variables in ((compiled, {}), (plain, {"NUMBA_DISABLE_JIT": "1"})):
        random.Random(0).shuffle(some)  # so that the bar shows the time left
        what = "games as plain Python" if variables else "compiled games of other tables"
        with set_variables(variables), multiprocessing.get_context("spawn").Pool(processes) as pool:
            decisions += sum(tqdm(pool.imap_unordered(prove_variant, some), desc=what, total=len(some)))
    return decisions


def _name(task):
    return json.dumps(task[:3], sort_keys=True)


def add_options(parser):
    """Let a `parser` read how many games of each kind there shall be."""
    for name, (usual, what) in OPTIONS.items():
        parser.add_argument(f"--{name}", type=int, default=usual, help=what)


def main():
    """Play all, or raise at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    arguments = parser.parse_args()
    tasks = list_tasks(*(getattr(arguments, name) for name in OPTIONS))
    print(f"{len(tasks)} games and {prove_variants(tasks, arguments.processes)} decisions equal")


if __name__ == "__main__":
    main()
