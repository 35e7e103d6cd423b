"""Measures `ismcts` on castle-cards: simulations a second, beside random games, and what a decision costs.

Usage: python benchmarks/castle_cards_search.py [--agents SPEC ...] [--repeats N]

Simulations and random games take turns, so that a change of the machine's speed meets both alike; medians are printed.
All run on one core. Decisions are those of one game of the greedy player.
"""

import shlex
import sys
from dataclasses import dataclass

import numpy as np
import tyro
from search import measure_decisions, measure_in_turn
from tqdm import tqdm

from zamek_agents import make_agent
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import DEALS
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core.log import LOG

SIMULATIONS = 5_000  # a measurement


@dataclass
class Args:
    agents: tuple[str, ...] = ("random", "greedy", "ppo", "ismcts")
    """whose decisions are timed"""
    repeats: int = 5
    """rounds of measuring simulations and random games"""


def play_often(game, generator):
    """Play `game` to its end by random actions, as often as there are simulations; the game stays as it is."""
    log = np.zeros(1, LOG)
    for _ in range(SIMULATIONS):
        engine.play_randomly(game.state, log, 0, generator)


def measure_simulations(players, repeats):
    """Return (simulations, random games) a second, from the deal on."""
    game, generator = CastleCards(players, seed=1), np.ones(1, np.uint64)
    agent = make_agent(f"ismcts:simulations={SIMULATIONS}")
    runs = (lambda: agent.act(game, np.random.default_rng(0)), lambda: play_often(game, generator))
    return measure_in_turn(runs, SIMULATIONS, repeats)


def main(args):
    """Measure and print."""
    print(shlex.join(sys.argv))
    for players in tqdm(DEALS, unit="measurement", leave=False):
        simulations, games = measure_simulations(players, args.repeats)
        speeds = f"{simulations:,.0f} simulations a second, {games:,.0f} random games"
        tqdm.write(f"{players} players: {speeds}", file=sys.stdout)
    for spec in args.agents:
        mean, longest = measure_decisions(spec, CastleCards(seed=1))
        print(f"{spec}: {mean:.3g} ms a decision, at most {longest:.3g}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__.splitlines()[0]))
