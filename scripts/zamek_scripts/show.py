"""Let agents play one game, and print its board and where their points came from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from zamek_agents.arena.reports import make_game_table
from zamek_agents.arena.sets import number_duplicates
from zamek_agents.base import Agent, check_plays, find_tile_ruleset
from zamek_agents.registry import make_agent
from zamek_env.base.chance import check_deal
from zamek_env.common.printing import print_text
from zamek_env.errors import noted
from zamek_env.fair_play import ask, play_answer
from zamek_env.game_protocol import take_turns
from zamek_env.make_game import make_game
from zamek_env.records.step_text import name_reason
from zamek_scripts.atomic_file import check_new_file, write_atomic
from zamek_scripts.shared_args import ComponentsFolder, GameName, HouseRulesText, find_tiles, name_usual
from zamek_scripts.terminal import FAILED, fail, make_console, naming, reporting_failures, reporting_refusals

WITH_TILES, WITH_CARDS = ("value", "greedy"), ("ismcts", "greedy")  # who plays where nobody is named


@dataclass
class Args:
    agents: tuple[str, ...] = ()
    """who plays, beginning with player 0, named as for `zamek evaluate`; as many as the game has players; by default
    value and greedy, of castle-cards ismcts and greedy, on components of your own greedy and greedy, in a game of your
    own random"""
    ruleset: GameName = "zamek"
    components: ComponentsFolder = None
    rules: HouseRulesText = ""
    seed: int = 0
    """from which the deal and all random decisions follow"""
    svg: Path | None = None
    """draw the finished board into this file"""
    overwrite: bool = False
    """replace the file of --svg where it exists"""


def main(args: Args) -> None:
    """Play, draw and print. Exits with code 2, having written nothing, for invalid `args`."""
    with reporting_failures("show"):
        with reporting_refusals("show"):
            game, agents = set_up(args)
        with noted(f"in the game of seed {args.seed}"):
            play(game, agents, args.seed)
        if args.svg:
            try:
                with write_atomic(args.svg, overwrite=args.overwrite) as file:
                    file.write(game.draw_svg())
            except OSError as error:
                fail("show", f"--svg: {error}", FAILED)
        print_game(game, number_duplicates([agent.name for agent in agents]))
        if args.svg:
            print(f"The same board as a picture: {args.svg}")


def set_up(args: Args) -> tuple[Any, list[Agent]]:
    """Return the game and its agents. Raises an error of one line for invalid `args`."""
    seed = check_deal("--seed", args.seed)
    tiles = find_tiles(args.ruleset, args.components, rules=args.rules)
    specs = args.agents or name_usual(args.ruleset, tiles, WITH_TILES, WITH_CARDS)
    with naming("--agents"):
        game = make_game(args.ruleset, seed, tiles.components if tiles else None, len(specs))
    if args.svg:
        if not hasattr(game, "draw_svg"):
            raise ValueError(f"--svg is for games that have a method draw_svg, not for {args.ruleset}")
        check_new_file("--svg", args.svg, args.overwrite)
    with naming("--agents"):
        agents = [make_agent(spec) for spec in specs]
    for agent in agents:  # one trained for another ruleset, or for other games, says so now
        check_plays(agent, game)
    return game, agents


def play(game: Any, agents: Sequence[Agent], seed: int) -> None:
    """Play `game` to its end, with a bar that counts tiles, or decisions where there are none."""
    rng = np.random.default_rng(seed)
    ruleset = find_tile_ruleset(game)
    tiles = len(ruleset.components.tiles) if ruleset else None
    with tqdm(total=tiles, unit="tile" if tiles else "decision") as progress:
        for player in take_turns(game):
            agent = agents[player]
            play_answer(game, ask(agent.act, game, rng), f"the answer of {agent.name}")
            progress.update(tiles - game.position().remaining.total() - progress.n if tiles else 1)


def print_game(game: Any, names: Sequence[str]) -> None:
    """Print the game and a table of the points."""
    print_text(game)
    ruleset = find_tile_ruleset(game)
    name = partial(name_reason, ruleset.components) if ruleset else str
    make_console().print(make_game_table(game.record(names), name))
