"""Let agents play each other and say who wins how often.

Every two of the agents play every deal twice, with seats swapped; a shared victory counts as half a win. Intervals hold
with 95 % confidence and take the two games of a deal as one observation.
"""

import json
import os
import platform
import shlex
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

# Before an agent loads torch: one position at a time is too little work to share among threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import tyro
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from zamek_agents.arena import GAMES_PER_DEAL, pair_up
from zamek_agents.comparison import compare
from zamek_agents.extras import MissingExtraError
from zamek_agents.registry import make_agent
from zamek_env import Game, __version__
from zamek_scripts.whole_file import write_whole

BAD_INPUT = 2  # exit code
PLAIN_WIDTH = 1000  # columns, where the output goes to a file or a pipe: no row is broken there


@dataclass
class Args:
    agents: tuple[str, ...] = ("greedy", "random")
    """two or more of: random, greedy, expectimax[:OPTIONS], mcts[:OPTIONS], ppo:PATH; the same one twice is allowed"""
    games: int = 100
    """games of each pairing, an even number"""
    seed: int = 0
    """from which all deals and all random decisions follow"""
    ruleset: str = "zamek"
    """name of the ruleset: zamek, sokol or sokol-gates"""
    records: Path | None = None
    """write all games to this file, one record in JSON a line"""
    json: Path | None = None
    """write the results to this file, with the command and the versions that led to them"""


def main(args):
    """Play, write and print. Exits with code 2, having written nothing, where `args` cannot be followed."""
    started = time.perf_counter()
    with ExitStack() as files:
        try:
            pairings = set_up(args)
            records_file = args.records and files.enter_context(write_whole(args.records))
            json_file = args.json and files.enter_context(write_whole(args.json))
        except (ValueError, OSError, MissingExtraError) as error:
            print(f"evaluate: {error}", file=sys.stderr)
            sys.exit(BAD_INPUT)

        comparisons = []
        with tqdm(total=len(pairings) * args.games, unit="game") as progress:
            for pairing in pairings:
                results = []
                for result in pairing.play(args.games // GAMES_PER_DEAL):
                    results.append(result)
                    progress.update()
                    if records_file:
                        records_file.write(json.dumps(result.record) + "\n")
                comparisons.append(compare(results))

        if json_file:
            json.dump(make_report(args, comparisons, time.perf_counter() - started), json_file, indent=2)
            json_file.write("\n")
    print_table(comparisons)


def set_up(args):
    """Return the pairings to play. Raises an error, one line long, where `args` cannot be followed."""
    if len(args.agents) < 2:
        raise ValueError(f"--agents must be two or more, not {len(args.agents)}")
    if args.games < GAMES_PER_DEAL or args.games % GAMES_PER_DEAL:
        raise ValueError(f"--games must be an even number from {GAMES_PER_DEAL} on, not {args.games}")
    if args.seed < 0:
        raise ValueError(f"--seed must be 0 or more, not {args.seed}")
    outputs = [path.resolve() for path in (args.records, args.json) if path]
    if any(first == second for first, second in combinations(outputs, 2)):
        raise ValueError("--records and --json must be two files")
    agents = [make_agent(spec) for spec in args.agents]
    for agent in agents:  # one that was trained for another ruleset says so now, not in the middle of a game
        agent.act(Game(args.ruleset, seed=0), np.random.default_rng(0))
    return pair_up(agents, args.seed, args.ruleset, with_records=args.records is not None)


def make_report(args, comparisons, seconds):
    """Return what `--json` writes."""
    return {
        "command": shlex.join(sys.argv),
        "arguments": asdict(args) | {"records": args.records and str(args.records), "json": str(args.json)},
        "versions": {
            "zamek_env": __version__,
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
        },
        "seconds": round(seconds, 3),
        "pairings": [asdict(comparison) for comparison in comparisons],
    }


def print_table(comparisons):
    """Print two lines a pairing, one for each agent."""
    caption = "Win rate and margin are those of the upper agent, with 95 % intervals below."
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, caption=caption, caption_justify="left")
    table.add_column("agents", overflow="fold")
    for heading in ("games", "win rate", "shared", "won", "points", "margin"):
        table.add_column(heading, justify="right", overflow="fold")
    for row in comparisons:
        low, high = row.win_rate_interval
        margins = row.mean_margin_interval
        margin_range = f"{margins[0]:+.1f} … {margins[1]:+.1f}" if margins else "unknown"
        points = [f"{score:.1f}" for score in row.mean_scores]
        rate, margin = f"{row.win_rate:.1%}", f"{row.mean_margin:+.1f}"
        table.add_row(row.agents[0], str(row.games), rate, str(row.shared), str(row.wins), points[0], margin)
        rate_range = f"{low:.1%} … {high:.1%}"
        table.add_row(row.agents[1], "", rate_range, "", str(row.losses), points[1], margin_range, end_section=True)
    console = Console()
    Console(width=None if console.is_terminal else PLAIN_WIDTH).print(table)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
