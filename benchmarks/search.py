"""Measures the agents that search: simulations a second beside bare random playouts, and what a decision costs.

Usage: python benchmarks/search.py [--ruleset NAME] [--agents SPEC ...] [--repeats N]

Simulations and playouts take turns, so that a change of the machine's speed meets both alike; medians are printed. All
run on one core, from the opening to the end of the game by random actions.
"""

import shlex
import sys
import time
from dataclasses import dataclass
from statistics import median

import numpy as np
import tyro

from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel
from zamek_env.core import dealing, engine
from zamek_env.core.state import copy_state

SIMULATIONS = 20_000  # a measurement
PLAIN = f"mcts:simulations={SIMULATIONS},guided=0,tries=1,evaluation=score,width=1000"


@dataclass
class Args:
    ruleset: str = "zamek"
    """name of the ruleset"""
    agents: tuple[str, ...] = ("greedy", "expectimax", "mcts")
    """whose decisions are timed, in one game of the greedy player"""
    repeats: int = 5
    """rounds of measuring simulations and playouts"""


@kernel
def play_often(tables, states, logs, generator, count):
    """Reshuffle what is hidden in `states[0]` and play it randomly to its end, `count` times, in `states[1]`."""
    for _ in range(count):
        copy_state(states, 0, states, 1)
        dealing.redeal(states[1], generator, NONE)
        engine.play_randomly(tables, states, logs, 1, generator)


def measure_simulations(ruleset, repeats):
    """Return (simulations, bare playouts) a second."""
    game, agent, generator = Game(ruleset, seed=1), make_agent(PLAIN), np.ones(1, np.uint64)
    states = game.ruleset.new_states(2)
    states[:1] = game.raw_states
    runs = (
        lambda: agent.act(game, np.random.default_rng(0)),
        lambda: play_often(game.ruleset.tables, states, game.ruleset.new_log(), generator, SIMULATIONS),
    )
    return measure_in_turn(runs, SIMULATIONS, repeats)


def measure_in_turn(runs, count, repeats):
    """Return how often a second each of `runs` does what it does `count` times; the first round is not timed."""
    for run in runs:
        run()
    return [count / median(seconds) for seconds in zip(*(map(timed, runs) for _ in range(repeats)), strict=True)]


def timed(run):
    """Return how many seconds of the processor `run()` takes, however much else it does meanwhile."""
    started = time.process_time()
    run()
    return time.process_time() - started


def measure_decisions(spec, game):
    """Return (mean, longest) milliseconds of the agent's decisions in `game`, which the greedy player plays on."""
    agent, greedy, rng = make_agent(spec), make_agent("greedy"), np.random.default_rng(0)
    seconds = []
    agent.act(game, rng)  # compiles
    while not game.is_terminal:
        seconds.append(timed(lambda: agent.act(game, rng)))
        game.step(greedy.act(game, rng))
    return 1e3 * np.mean(seconds), 1e3 * max(seconds)


def main(args):
    """Measure and print."""
    print(f"command: {shlex.join(sys.argv)}")
    simulations, playouts = measure_simulations(args.ruleset, args.repeats)
    print(f"{args.ruleset}, random playouts to the end of the game, a second:")
    print(f"  in the tree {simulations:,.0f}, bare {playouts:,.0f}: {simulations / playouts:.0%}")
    for spec in args.agents:
        mean, longest = measure_decisions(spec, Game(args.ruleset, seed=1))
        print(f"{spec}: {mean:.1f} ms a decision, at most {longest:.1f}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
