"""Plays each number of players and each house rule of Carcassonne, and prints what it changes for play.

Usage: python benchmarks/variants.py [--games N] [--ruleset carcassonne]

Every player is `greedy`. The advantage of the first seat is by how many points its share of wins exceeds an equal one.
"""

import platform
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import tyro
from tqdm import tqdm

from zamek_env.base.chance import seed_generator
from zamek_env.compiler.jit import kernel
from zamek_env.core import greedy, rules
from zamek_env.core.log import DISCARDED, LOGGED_EVENT
from zamek_env.ruleset import get_ruleset
from zamek_env.version import __version__

AT_ONCE = 100  # games between two steps of the progress bar
VARIANTS: dict[str, dict[str, Any]] = {
    "two players": {},
    "alone": {"players": 1},
    "three players": {"players": 3},
    "four players": {"players": 4},
    "five players": {"players": 5},
    "`draw_ahead`": {"rules": {"draw_ahead": True}},
    '`hand`: `"open"`': {"rules": {"hand": "open"}},
    '`hand`: `"hidden"`': {"rules": {"hand": "hidden"}},
    "`back_into_bag`": {"rules": {"back_into_bag": True}},
    "`start_in_bag`": {"rules": {"start_in_bag": True}},
    "`hole_plays_again`": {"rules": {"hole_plays_again": True}},
    "`unfinished_pays_nothing`": {"rules": {"unfinished_pays_nothing": True}},
    "`table`: 9 × 9": {"rules": {"table": [9, 9]}},
    "`table`: 9 × 9, `edges_complete`": {"rules": {"table": [9, 9], "edges_complete": True}},
    "`small_city`": {"rules": {"small_city": True}},
}


@dataclass
class Args:
    games: int = 10_000
    """of each variant"""
    ruleset: str = "carcassonne"
    """on whose tiles they are played"""


@kernel
def play_games(tables, states, trials, logs, first, scores, decisions, discards):
    """Let `greedy` play all seats of as many deals, from number `first` on, as `scores` has rows; write what came."""
    t, s, log = tables[0], states[0], logs[0]
    generator = np.zeros(1, np.uint64)
    for game in range(scores.shape[0]):
        seed_generator(generator, first + game)
        rules.reset(t, s, log, generator)
        gone = count_discards(log)
        while not rules.is_terminal(s):
            rules.step(t, s, log, greedy.choose_greedily(t, states, 0, trials, log, generator))
            gone += count_discards(log)
            decisions[game] += 1
        discards[game] = gone
        for player in range(scores.shape[1]):
            scores[game, player] = s.score[player]


@kernel
def count_discards(log):
    """Return how many tiles left the game in the last step."""
    count = 0
    for number in range(log.count):
        count += log.rows[number, LOGGED_EVENT] == DISCARDED
    return count


def measure(ruleset: str, games: int, progress: "tqdm[Any]", variant: dict[str, Any]) -> list[str]:
    """Return what the table says of a `variant`: points, lead, decisions, discards, advantage of the first seat."""
    found = get_ruleset(ruleset, **variant)
    room = found.tables, found.new_states(1), found.new_states(2), found.new_log()
    scores = np.zeros((games, found.players), np.int64)
    decisions, discards = np.zeros((2, games), np.int64)
    for first in range(0, games, AT_ONCE):
        part = slice(first, first + AT_ONCE)
        play_games(*room, first, scores[part], decisions[part], discards[part])
        progress.update(len(scores[part]))
    wins = (scores == scores.max(axis=1, keepdims=True)).astype(float)
    share = (wins / wins.sum(axis=1, keepdims=True))[:, 0]
    advantage = f"{100 * (share.mean() - 1 / found.players):+.1f} ± {196 * share.std() / np.sqrt(games):.1f}"
    best = np.sort(scores, axis=1)
    lead = f"{(best[:, -1] - best[:, -2]).mean():.1f}" if found.players > 1 else ""
    return [
        f"{scores.mean():.1f}", lead, f"{decisions.mean():.1f}", f"{discards.mean():.2f}",
        advantage if found.players > 1 else "",
    ]  # fmt: skip


def main(args: Args) -> None:
    """Play and print."""
    print(f"zamek_env {__version__}, numba {numba.__version__}, Python {platform.python_version()}")
    head = ["variant", "points a player", "winner's lead", "decisions", "tiles discarded", "first seat, points of wins"]
    lines = [head, ["---"] * len(head)]
    with tqdm(total=args.games * len(VARIANTS), unit="game") as progress:
        for name, variant in VARIANTS.items():
            lines.append([name, *measure(args.ruleset, args.games, progress, variant)])
    print("\n".join(f"| {' | '.join(line)} |" for line in lines))


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
