"""Write games as data to learn from: what players saw, what was legal, what they played, and how it ended.

The games are those of a file of records, or are played for it by `--play`. The formats stand in docs/datasets.md.
"""

import os
import shlex
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

# Before an agent loads torch: one position at a time is too little work to share among threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import tyro
from tqdm import tqdm

from zamek_agents.analysis.reading import count_lines
from zamek_agents.arena.round_robin import check_plays
from zamek_agents.datasets.export import ExportOptions, export, find_opener
from zamek_agents.datasets.folder import DATASET, read_about
from zamek_agents.datasets.sources import Judge, PlayedGame, play_games, read_games
from zamek_agents.datasets.verify import verify_games
from zamek_agents.extras import MissingExtraError
from zamek_agents.registry import make_agent
from zamek_agents.whole_folder import check_target
from zamek_env import ComponentError, RecordError
from zamek_env.make_game import FAMILIES, make_game
from zamek_env.shown import show_name
from zamek_scripts.terminal import any_output, fail
from zamek_scripts.which_ruleset import AnyRulesetName, ComponentsFolder, find_ruleset

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130  # exit codes


@dataclass
class Args:
    records: Annotated[tyro.conf.Positional[Path | None], tyro.conf.arg(metavar="[GAMES.jsonl]")] = None
    """file of game records, one in JSON a line; `zamek evaluate --records` writes such"""
    to: Literal["npz", "minari", "hf-parquet"] = "npz"
    """the format"""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """folder to write; for minari it must be called NAME-v0"""
    play: int | None = None
    """instead of reading records, play so many games"""
    agents: tuple[str, ...] = ("value", "value")
    """who plays with --play, named as for `zamek evaluate`; as many as play the game, changing seats"""
    ruleset: AnyRulesetName = "zamek"
    components: ComponentsFolder = None
    seed: int = 0
    """from which deals and all random decisions follow"""
    values: str | None = None
    """an agent that says what each legal action is worth: value, expectimax, mcts, ppo, ismcts or one of your own"""
    reward: Literal["win", "score", "delta"] = "win"
    """what `reward` holds, as in the environments"""
    overwrite: bool = False
    """replace the dataset that --out holds"""
    check: Path | None = None
    """instead of writing, replay the games of this dataset and compare all arrays; with --values its values, too"""


def main(args: Args) -> None:
    """Write a dataset or check one. Exits with code 2, having written nothing, where `args` cannot be followed."""
    try:
        print(write(args) if args.check is None else compare(args, args.check))
    except ComponentError as error:
        fail("export", f"--{error}", BAD_INPUT)
    except RecordError as error:
        fail("export", f"{show_name(str(args.records or args.check))}: {error}", BAD_INPUT)
    except (ValueError, MissingExtraError) as error:
        fail("export", error, BAD_INPUT)
    except BrokenPipeError:
        raise  # of the output, whose reader is gone
    except OSError as error:
        fail("export", error, FAILED)
    except KeyboardInterrupt:
        fail("export", "interrupted; nothing was written", INTERRUPTED)


def write(args: Args) -> str:
    """Write the dataset; return what to say of it."""
    if (args.records is None) == (args.play is None):
        raise ValueError("name either a file of records or --play and a number of games, and --out")
    if args.out is None:
        raise ValueError("--out must name the folder to write")
    check_target(args.out, DATASET, args.overwrite)
    judge = None if args.values is None else Judge(make_agent(args.values), check_seed(args.seed))
    options = ExportOptions(args.to, args.reward, judge, shlex.join(["zamek", *sys.argv[1:]]), args.overwrite)
    find_opener(options, args.out)  # what is missing is said before anything is played
    games, total = find_games(args)
    with tqdm(games, total=total, unit="game") as bar:
        about = export(bar, args.out, options)
    size = sum(path.stat().st_size for path in args.out.rglob("*") if path.is_file())
    left_out = f", {about['left_out']:,} unfinished ones left out" if about["left_out"] else ""
    told = f"{about['games']:,} games of {about['ruleset']}{left_out}, {about['decisions']:,} decisions"
    return f"{told}, {size / about['decisions']:.0f} bytes a decision: {args.out}"


def find_games(args: Args) -> tuple[Iterable[PlayedGame | None], int]:
    """Return the games to write, and how many there are, counting those that are not over."""
    if args.records is not None:
        if not args.records.is_file():
            raise ValueError(f"there is no file {str(args.records)!r} of records")
        return read_games(args.records, args.components), count_lines(args.records)
    return play(args), args.play or 0


def play(args: Args) -> Iterator[PlayedGame]:
    """Return the games that are played now. Raises `ValueError` where `args` cannot be followed."""
    if args.play is None or args.play < 1:
        raise ValueError(f"--play must be 1 or more, not {args.play}")
    check_seed(args.seed)
    components = None
    if args.ruleset not in FAMILIES:
        components = find_ruleset(args.ruleset, args.components).components
    elif args.components is not None:
        raise ValueError(f"--components is for games of tiles only, not for {args.ruleset}")
    agents = [make_agent(spec) for spec in args.agents]
    players = len(agents) if args.ruleset in FAMILIES else None
    game = make_game(args.ruleset, 0, components, players)
    if len(agents) != game.num_players:
        raise ValueError(f"--agents must be {game.num_players} for {args.ruleset}, not {len(agents)}")
    for agent in agents:
        check_plays(agent, game)
    return play_games(agents, args.play, args.ruleset, args.seed, components)


def compare(args: Args, folder: Path) -> str:
    """Compare a dataset with the rules; return what to say of it."""
    if args.records is not None or args.play is not None or args.out is not None:
        raise ValueError("--check comes without records, --play and --out")
    judge = None if args.values is None else Judge(make_agent(args.values), check_seed(args.seed))
    about = read_about(folder)
    with tqdm(verify_games(folder, args.components, judge), total=about["games"], unit="game") as bar:
        (compared,) = deque(bar, maxlen=1)
    values = "; the values were compared, too" if judge else "; the values were not compared" * bool(about["values"])
    return f"{compared.games:,} games, {compared.decisions:,} decisions: all arrays are what the rules say{values}"


def check_seed(seed: int) -> int:
    """Return `--seed`. Raises `ValueError` where it is none."""
    if seed < 0:
        raise ValueError(f"--seed must be 0 or more, not {seed}")
    return seed


if __name__ == "__main__":
    with any_output():
        main(tyro.cli(Args, description=__doc__))
