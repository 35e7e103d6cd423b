"""Make a report of game records: one page with tables and pictures, to be opened in any browser.

It describes margins, where points come from, how much there is to choose from, and, as an agent sees it, what decisions
cost. docs/analysis.md describes the page.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro
from tqdm import tqdm

from zamek_agents.analysis.judging import Judging, ask_once
from zamek_agents.analysis.reading import count_lines, read_lines
from zamek_agents.analysis.summary import Analysis, CastleCardsAnalysis, analyse_named
from zamek_agents.atomic_dir import resolve_links
from zamek_env.common.messages import show_count
from zamek_scripts.atomic_file import check_new_file, write_atomic
from zamek_scripts.shared_args import ComponentsFolder, RayAddress, check_seed, check_workers, open_workers
from zamek_scripts.terminal import reporting_errors


@dataclass
class Args:
    records: tyro.conf.Positional[Path]
    """file of game records, one JSON record a line, all of one ruleset, number of players and house rules;
    `zamek evaluate --records` writes such"""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("report.html")
    """the page to write"""
    agent: str | None = None
    """an agent that says what each decision cost: value, expectimax, mcts, ppo, for castle-cards ismcts or ppo, or
    one of your own that evaluates"""
    seed: int = 0
    """from which random decisions of --agent follow"""
    workers: int | None = None
    """processes that ask --agent, by default one a core; the results do not depend on it"""
    ray: RayAddress = None
    components: ComponentsFolder = None
    overwrite: bool = False
    """replace the page where it exists"""


def main(args: Args) -> None:
    """Read, count and write. Exits with code 2, having written nothing, for invalid `args`."""
    with reporting_errors("analyse", args.records):
        check(args)
        from zamek_agents.analysis.page import make_page  # before minutes of work, if matplotlib is missing

        with write_atomic(args.out, overwrite=args.overwrite) as file:
            analysis = read(args)
            file.write(make_page(analysis, args.records.name))
    left_out = f" ({show_count(analysis.unfinished, 'unfinished one')} left out)" if analysis.unfinished else ""
    print(f"{show_count(analysis.games, 'game')} of {analysis.played}{left_out}: {args.out}")


def check(args: Args) -> None:
    """Raise `ValueError` for invalid `args`."""
    if not args.records.is_file():
        raise ValueError(f"there is no file {str(args.records)!r} of records")
    if resolve_links(args.out) == resolve_links(args.records):
        raise ValueError("the records and --out must be two files")
    check_new_file("--out", args.out, args.overwrite)
    check_seed(args.seed)
    check_workers(args.workers, args.ray)
    if args.agent is None and (args.workers or args.ray is not None):
        raise ValueError("--workers and --ray must come with --agent, who is asked there")
    if args.agent is None and args.seed != Args.seed:
        raise ValueError("--seed must come with --agent, whose random decisions follow from it")


def read(args: Args) -> Analysis | CastleCardsAnalysis:
    """Return the analysis of the records, with a bar that counts games."""
    games = count_lines(args.records)
    with ExitStack() as open_till_the_end:
        judging = None
        if args.agent is not None:
            Judging(args.agent)  # what is no such agent says so before workers are started
            make_ready = partial(ask_once, args.agent, next(read_lines(args.records), ("", None))[1], args.components)
            workers = open_till_the_end.enter_context(open_workers(args, games, make_ready))
            judging = Judging(args.agent, args.seed, workers)
        lines = tqdm(read_lines(args.records), total=games, unit="game")
        return analyse_named(open_till_the_end.enter_context(lines), args.components, judging)
