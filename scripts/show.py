"""Let two agents play one game, and print its board and where their points came from."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Before an agent loads torch: one position at a time is too little work to share among threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import tyro
from rich.console import Console
from tqdm import tqdm

from zamek_agents.arena.reports import make_game_table
from zamek_agents.arena.sets import tell_apart
from zamek_agents.base import Agent
from zamek_agents.extras import MissingExtraError
from zamek_agents.registry import make_agent
from zamek_env import Game
from zamek_env.checks import check_deal
from zamek_env.fair_play import ask
from zamek_env.printing import print_text
from zamek_env.render import draw_svg
from zamek_scripts.terminal import any_output, fail
from zamek_scripts.which_ruleset import ComponentsFolder, RulesetName, find_ruleset
from zamek_scripts.whole_file import write_whole

BAD_INPUT, FAILED = 2, 1  # exit codes


@dataclass
class Args:
    agents: tuple[str, str] = ("value", "greedy")
    """who begins and who answers, named as for `zamek evaluate`"""
    ruleset: RulesetName = "zamek"
    components: ComponentsFolder = None
    seed: int = 0
    """from which the deal and all random decisions follow"""
    svg: Path | None = None
    """draw the finished board into this file"""
    overwrite: bool = False
    """replace the file of --svg where it exists"""


def main(args: Args) -> None:
    """Play, draw and print. Exits with code 2, having written nothing, where `args` cannot be followed."""
    try:
        game, agents = set_up(args)
    except (ValueError, OSError, MissingExtraError) as error:
        fail("show", error, BAD_INPUT)
    play(game, agents, args.seed)
    if args.svg:
        try:
            write_picture(game, args.svg)
        except OSError as error:
            fail("show", f"--svg: {error}", FAILED)
    print_game(game, tell_apart([agent.name for agent in agents]))
    if args.svg:
        print(f"The same board as a picture: {args.svg}")


def set_up(args: Args) -> tuple[Game, list[Agent]]:
    """Return the game and its two agents. Raises an error of one line where `args` cannot be followed."""
    ruleset = find_ruleset(args.ruleset, args.components)
    game = Game(ruleset.name, check_deal("--seed", args.seed), ruleset.components)
    if args.svg and args.svg.exists() and not args.overwrite:
        raise ValueError(f"--svg: {args.svg} exists; name another file, or say --overwrite to replace it")
    agents = [make_agent(spec) for spec in args.agents]
    for agent in agents:  # one trained for another ruleset says so now
        ask(agent.act, game, np.random.default_rng(args.seed))
    return game, agents


def play(game: Game, agents: Sequence[Agent], seed: int) -> None:
    """Play `game` to its end, with a bar that counts tiles."""
    rng = np.random.default_rng(seed)
    tiles = len(game.ruleset.components.tiles)
    with tqdm(total=tiles, unit="tile") as progress:
        while not game.is_terminal:
            game.step(ask(agents[game.current_player].act, game, rng))
            progress.update(tiles - game.position().remaining.total() - progress.n)


def write_picture(game: Game, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(path) as file:
        file.write(draw_svg(game.ruleset.components, game.position()))


def print_game(game: Game, names: Sequence[str]) -> None:
    """Print the board and a table of the points."""
    print_text(game)
    console = Console()
    console.print(make_game_table(game.record(names)))


if __name__ == "__main__":
    with any_output():
        main(tyro.cli(Args, description=__doc__))
