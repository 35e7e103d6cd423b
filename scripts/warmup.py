"""Compile the rules of some rulesets, and all that plays and learns by them, so that no later command has to."""

import sys
from dataclasses import dataclass

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
from zamek_scripts.terminal import any_output

BAD_INPUT = 2  # exit code


@dataclass
class Args:
    rulesets: tyro.conf.Positional[tuple[str, ...]] = RULESETS
    """which ones; by default all"""


def play_game(ruleset):
    """Play a game as `Game`, look at it, redeal it, and replay its record."""
    game, rng = Game(ruleset, seed=0), np.random.default_rng(0)
    game.concealed(rng).redeal(rng)
    while not game.is_terminal:
        action = game.legal_actions()[0]
        game.describe(action)
        game.step(action)
    Game.replay(game.record())


def step_environments(ruleset):
    """Take a step in each kind of environment."""
    env, pair = ZamekEnv(ruleset), raw_env(ruleset)
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))
    pair.reset(seed=0)
    pair.step(int(pair.observe(pair.agent_selection)["action_mask"].argmax()))
    for opponent in ("greedy", lambda game, rng: game.legal_actions()[0]):
        games = ZamekVectorEnv(2, ruleset, opponent=opponent, on_illegal="raise")
        _, info = games.reset(seed=0)
        games.step(info["action_mask"].argmax(axis=1))


def ask_agents(ruleset):
    """Let each agent that plays the ruleset untrained decide once; those whose packages are missing are left out."""
    for name in list_untrained(ruleset):
        try:
            agent = make_agent(name)
        except MissingExtraError:
            continue
        agent.act(Game(ruleset, seed=0), np.random.default_rng(0))


def learn_nothing(ruleset):
    """Set up both trainings, that of a network only where its packages are installed."""
    train_value.compile_all(get_ruleset(ruleset))
    try:
        with needs_train_extra("training"):
            from zamek_scripts import train  # here, because it imports torch
    except MissingExtraError:
        return
    train.compile_all(train.Args(ruleset=ruleset, imitate=ruleset in list_shipped("value")), [])


STEPS = {
    "games": play_game,
    "environments": step_environments,
    "agents": ask_agents,
    "trainings": learn_nothing,
}


def main(args):
    """Compile all that is asked for. Exits with code 2 where there is no such ruleset."""
    for ruleset in args.rulesets:
        if ruleset not in RULESETS:
            print(f"warmup: RULESET must be one of {', '.join(RULESETS)}, not {ruleset!r}", file=sys.stderr)
            sys.exit(BAD_INPUT)
    with tqdm(total=len(args.rulesets) * len(STEPS), unit="step") as progress:
        for ruleset in args.rulesets:
            for name, compile_by in STEPS.items():
                progress.set_description(f"{ruleset}, {name}")
                compile_by(ruleset)
                progress.update()
    print(f"compiled: {', '.join(args.rulesets)}")


if __name__ == "__main__":
    with any_output():
        main(tyro.cli(Args, description=__doc__))
