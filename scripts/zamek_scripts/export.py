"""Write games as data to learn from: what players saw, what was legal, what they played, and how it ended.

The games are those of a file of records, or are played for it by `--play`. The formats stand in docs/datasets.md.
"""

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from tqdm import tqdm

from zamek_agents.analysis.judging import ask_once
from zamek_agents.analysis.reading import count_lines, read_lines
from zamek_agents.datasets import sources
from zamek_agents.datasets.export import ExportOptions, check_reward, export, find_opener, verify_games
from zamek_agents.datasets.folder import DATASET, read_about
from zamek_agents.registry import make_agent
from zamek_agents.workers import Workers
from zamek_env.common.messages import show_count
from zamek_env.game_protocol import find_encoding
from zamek_env.layout.observation import check_parts
from zamek_env.make_game import ask_for_players, make_game
from zamek_scripts import shared_args
from zamek_scripts.atomic_file import check_new_folder
from zamek_scripts.provenance import format_command
from zamek_scripts.terminal import naming, reporting_errors

WITH_TILES, WITH_CARDS = ("value", "value"), ("greedy", "greedy")  # who plays where nobody is named
Games = Iterable[sources.FinishedGame | None]
Source = tuple[Callable[[Workers | None], Games], Callable[[], object], int]  # games, what compiles, how many there are


@dataclass
class Args:
    records: Annotated[tyro.conf.Positional[Path | None], tyro.conf.arg(metavar="[GAMES.jsonl]")] = None
    """file of game records, one JSON record a line; `zamek evaluate --records` writes such"""
    to: Literal["npz", "minari", "hf-parquet"] = "npz"
    """the format"""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """folder to write; for minari it must be called NAME-v0, or with another number"""
    play: int | None = None
    """instead of reading records, play this many games"""
    agents: tuple[str, ...] = ()
    """who plays with --play, named as for `zamek evaluate`; as many as play the game, changing seats; by default value
    and value, of castle-cards and on components of your own greedy and greedy, in a game of your own random"""
    ruleset: shared_args.GameName = "zamek"
    components: shared_args.ComponentsFolder = None
    seed: int = 0
    """from which deals and all random decisions follow"""
    values: str | None = None
    """an agent that says what each legal action is worth: value, expectimax, mcts, ppo, ismcts or one of your own"""
    workers: int | None = None
    """processes that play, and ask the agent of --values, by default one a core; the dataset does not depend on it
    unless agents are given seconds"""
    ray: shared_args.RayAddress = None
    reward: Literal["win", "score", "delta"] = "win"
    """what `reward` holds, as in the environments; of castle-cards win only"""
    observation: tuple[Literal["planes", "codes", "vector", "rows"], ...] = ("planes", "vector")
    """what is stored of what players see, as in the environments; castle-cards has neither planes nor codes"""
    overwrite: bool = False
    """replace the dataset that --out holds"""
    check: Path | None = None
    """instead of writing, replay the games of this dataset and compare all arrays; with --values its values, too"""


def main(args: Args) -> None:
    """Write a dataset or check one. Exits with code 2, having written nothing, for invalid `args`."""
    with reporting_errors("export", args.records or args.check, "; nothing was written"):
        check_companions(args)
        print(write(args) if args.check is None else compare(args, args.check))


def check_companions(args: Args) -> None:
    """Raise `ValueError` for an invalid seed or workers, and for options without effect."""
    if args.play is None:
        shared_args.refuse_given(
            args, ("agents",), "must come with --play, whose games they play: a record says who played"
        )
        if ":" in args.ruleset:
            shared_args.find_tiles(args.ruleset, None)  # imports the module that registers the class which records name
        else:
            shared_args.refuse_given(
                args, ("ruleset",), "must come with --play, whose games are of it: a record names its ruleset"
            )
        if args.values is None:
            shared_args.refuse_given(
                args, ("seed",), "must come with --play or --values, whose random decisions follow from it"
            )
    if args.check is not None:
        shared_args.refuse_given(
            args, ("to", "reward", "observation", "overwrite"), "must be left out with --check, which writes nothing"
        )
    shared_args.check_seed(args.seed)
    shared_args.check_workers(args.workers, args.ray)


def write(args: Args) -> str:
    """Write the dataset; return a message about it."""
    if (args.records is None) == (args.play is None):
        raise ValueError("name either a file of records or --play and a number of games, and --out")
    if args.out is None:
        raise ValueError("--out must name the folder to write")
    check_new_folder("--out", args.out, DATASET, args.overwrite)
    judge = make_judge(args)
    command = format_command("export")
    with naming():
        options = ExportOptions(args.to, args.reward, judge, command, args.overwrite, observation=args.observation)
    find_opener(options, args.out)  # what is missing is said before anything is played
    find_games, make_ready, total = read(args, args.records) if args.records else play(args)
    with ExitStack() as open_till_the_end:
        workers = None
        if args.play is not None or args.values is not None:
            workers = open_till_the_end.enter_context(shared_args.open_workers(args, total, make_ready))
        games = find_games(workers)
        if args.values is not None:
            games = sources.judge_games(games, args.values, args.seed, workers)
        about = export(open_till_the_end.enter_context(tqdm(games, total=total, unit="game")), args.out, options)
    size = sum(path.stat().st_size for path in args.out.rglob("*") if path.is_file())
    left_out = f" ({show_count(about['left_out'], 'unfinished one')} left out)" if about["left_out"] else ""
    decisions = f"{show_count(about['decisions'], 'decision')}, {size / about['decisions']:.0f} bytes a decision"
    return f"{show_count(about['games'], 'game')} of {about['ruleset']}{left_out}, {decisions}: {args.out}"


def read(args: Args, records: Path) -> Source:
    """Return the games of a file. Raises `ValueError` where there is none."""
    if not records.is_file():
        raise ValueError(f"there is no file {str(records)!r} of records")
    if args.values is None and (args.workers or args.ray is not None):
        raise ValueError("--workers and --ray must come with --play or --values: there is nothing else to share out")
    _, first = next(read_lines(records), ("", None))
    make_ready = partial(ask_once, args.values or "", first, args.components)
    return lambda workers: sources.read_games(records, args.components), make_ready, count_lines(records)


def play(args: Args) -> Source:
    """Return the games that are played now. Raises `ValueError` for invalid `args`."""
    if args.play is None or args.play < 1:
        raise ValueError(f"--play must be 1 or more, not {args.play}")
    tiles = shared_args.find_tiles(args.ruleset, args.components)
    agents = args.agents or shared_args.name_usual(args.ruleset, tiles, WITH_TILES, WITH_CARDS)
    with naming("--agents"):
        game: Any = make_game(args.ruleset, 0, args.components, ask_for_players(args.ruleset, len(agents)))
    with naming("--reward"):
        check_reward(args.reward, game)
    with naming("--observation"):
        find_encoding(game, check_parts(args.observation))
    match = sources.Match(agents, args.ruleset, args.seed, shared_args.name_folder(args.components))
    sources.prepare(match)
    return partial(sources.play_match, match, args.play), partial(sources.get_ready, match, args.values), args.play


def compare(args: Args, folder: Path) -> str:
    """Compare a dataset with the rules; return a message about it."""
    if any(given is not None for given in (args.records, args.play, args.out, args.workers, args.ray)):
        raise ValueError("--check comes without records, --play, --out, --workers and --ray")
    judge = make_judge(args)
    about = read_about(folder)
    with tqdm(verify_games(folder, args.components, judge), total=about["games"], unit="game") as bar:
        (compared,) = deque(bar, maxlen=1)
    values = "; the values were compared, too" if judge else "; the values were not compared" * bool(about["values"])
    games, decisions = show_count(compared.games, "game"), show_count(compared.decisions, "decision")
    return f"{games}, {decisions}: all arrays are what the rules say{values}"


def make_judge(args: Args) -> sources.Judge | None:
    """Return the agent of `--values`, ready to be asked; None where none is named."""
    with naming("--values"):
        return None if args.values is None else sources.Judge(make_agent(args.values), args.seed)
