"""Compile the rules of some rulesets, and all that plays and learns by them, so that no later command has to."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import tyro
from tqdm import tqdm

from zamek_agents.extras import MissingExtraError, needs_train_extra
from zamek_agents.registry import list_untrained, make_agent
from zamek_agents.shipped import list_shipped
from zamek_env import Game
from zamek_env.aec import raw_env
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import get_ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts import train_value
from zamek_scripts.processes import count_cores
from zamek_scripts.terminal import any_output

BAD_INPUT, FAILED = 2, 1  # exit codes
SEARCHES = ("expectimax", "mcts")


def play_game(ruleset_name):
    """Play a game as `Game`, look at it, redeal it, and replay its record."""
    game, rng = Game(ruleset_name, seed=0), np.random.default_rng(0)
    game.concealed(rng).redeal(rng)
    while not game.is_terminal:
        action = game.legal_actions()[0]
        game.describe(action)
        game.step(action)
    Game.replay(game.record())


def step_environments(ruleset_name):
    """Take a step in each kind of environment."""
    env, pair = ZamekEnv(ruleset_name), raw_env(ruleset_name)
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))
    pair.reset(seed=0)
    pair.step(int(pair.observe(pair.agent_selection)["action_mask"].argmax()))
    games = ZamekVectorEnv(2, ruleset_name, opponent="greedy", on_illegal="raise")
    _, info = games.reset(seed=0)
    games.step(info["action_mask"].argmax(axis=1))


def ask_agents(ruleset_name):
    """Let each agent that does not search decide once, where it plays the ruleset untrained."""
    for name in list_untrained(ruleset_name):
        if name not in SEARCHES:
            ask_agent(name, ruleset_name)


def ask_agent(name, ruleset_name):
    """Let the agent of that name decide once, unless its packages are missing."""
    try:
        agent = make_agent(name)
    except MissingExtraError:
        return
    agent.act(Game(ruleset_name, seed=0), np.random.default_rng(0))


def search_replies(ruleset_name):
    """Let `expectimax` decide once."""
    ask_agent("expectimax", ruleset_name)


def search_tree(ruleset_name):
    """Let `mcts` decide once."""
    ask_agent("mcts", ruleset_name)


def learn_value(ruleset_name):
    """Set up the training of an evaluation."""
    train_value.compile_all(get_ruleset(ruleset_name))


def learn_network(ruleset_name):
    """Set up the training of a network, where its packages are installed."""
    try:
        with needs_train_extra("training"):
            from zamek_scripts import train  # here, because it imports torch
    except MissingExtraError:
        return
    train.compile_all(train.Args(ruleset=ruleset_name, imitate=ruleset_name in list_shipped("value")), [])


@dataclass(frozen=True)
class Part:
    """Something to compile; what a later stage takes from an earlier one is compiled by then."""

    stage: int
    seconds: int  # on one core, about, for the bar
    compile: Callable[[str], None]  # by the name of a ruleset


PARTS = {
    "games": Part(0, 34, play_game),
    "environments": Part(1, 32, step_environments),
    "agents": Part(1, 40, ask_agents),
    "expectimax": Part(2, 30, search_replies),
    "mcts": Part(2, 30, search_tree),
    "train-value": Part(2, 12, learn_value),
    "train": Part(2, 8, learn_network),
}


@dataclass
class Args:
    rulesets: tyro.conf.Positional[tuple[str, ...]] = RULESETS
    """which ones; by default all"""
    parts: tuple[str, ...] = tuple(PARTS)
    """what of them: games, environments, agents, expectimax, mcts, train-value, train; by default all"""
    workers: int | None = None
    """processes that compile, by default one a core"""


def main(args):
    """Compile all that is asked for. Exits with code 2 where `args` cannot be followed."""
    for name, given, allowed in (("RULESET", args.rulesets, RULESETS), ("--parts", args.parts, PARTS)):
        for value in given:
            if value not in allowed:
                fail(f"{name} must be one of {', '.join(allowed)}, not {value!r}", BAD_INPUT)
    if args.workers is not None and args.workers < 1:
        fail(f"--workers must be 1 or more, not {args.workers}", BAD_INPUT)
    tasks = [(ruleset, part) for part in PARTS if part in args.parts for ruleset in dict.fromkeys(args.rulesets)]
    try:
        compile_all(tasks, args.workers or count_cores())
    except BrokenProcessPool:
        fail("a process that compiled has ended, perhaps for lack of memory; try fewer --workers", FAILED)
    print(f"compiled: {', '.join(dict.fromkeys(args.rulesets))}")


def compile_all(tasks, workers):
    """Compile each (ruleset, part), stage by stage, in a process of its own: compiling fills its memory."""
    with tqdm(
        total=sum(PARTS[part].seconds for _, part in tasks), bar_format="{l_bar}{bar}| {elapsed}<{remaining}"
    ) as bar:
        for _, staged in groupby(tasks, lambda task: PARTS[task[1]].stage):
            context = multiprocessing.get_context("spawn")  # a fork would keep what was compiled before
            with ProcessPoolExecutor(workers, context, _say_nothing, max_tasks_per_child=1) as pool:
                running = {pool.submit(_compile, *task): task for task in staged}
                for done in as_completed(running):
                    done.result()
                    ruleset, part = running[done]
                    bar.set_description(f"{ruleset}, {part}")
                    bar.update(PARTS[part].seconds)


def _compile(ruleset, part):
    PARTS[part].compile(ruleset)


def _say_nothing():
    """Keep notes on compiling from breaking the bar: that it takes a while is what this command is for."""
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end


def fail(message, code):
    """Say why and exit."""
    print(f"warmup: {message}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    with any_output():
        main(tyro.cli(Args, description=__doc__))
