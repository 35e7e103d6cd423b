"""Let agents play each other and say who is how much better, and how.

Every two of the agents play every deal twice, with seats swapped; a shared victory counts as half a win. The two games
of a deal are one pair, which is one observation to all intervals; they hold with 95 % confidence. What all numbers
mean stands in docs/arena.md. In games for more players each agent plays every deal once from each seat.
"""

import json
import math
import os
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import IO, Any

# Before an agent loads torch: one position at a time is too little work to share among threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from tqdm import tqdm

from zamek_agents.arena import reports
from zamek_agents.arena.comparison import GAMES_PER_PAIR, compare, compare_first_player
from zamek_agents.arena.ratings import elo_from_rate, rate_from_elo
from zamek_agents.arena.round_robin import RoundRobin, compile_all, count_lacking, play, prepare
from zamek_agents.arena.sets import SetResult
from zamek_agents.arena.sprt import Sprt
from zamek_agents.arena.standings import find_milliseconds, rank
from zamek_agents.arena.store import KeptResults
from zamek_agents.registry import does_search, list_untrained
from zamek_agents.whole_folder import resolve_links
from zamek_agents.workers import Workers
from zamek_env import RULESETS
from zamek_env.make_game import FAMILIES
from zamek_scripts.config_file import run_script
from zamek_scripts.evaluate_files import OUT_FILES, PAIRS_FILE, check_outputs, describe_left
from zamek_scripts.evaluate_sets import SetFindings, check_sets, print_sets
from zamek_scripts.processes import RayAddress, check_workers, count_cores, open_workers
from zamek_scripts.provenance import format_command, list_arguments, list_versions
from zamek_scripts.replaying.replay_folder import FirstRecords, write_replays
from zamek_scripts.terminal import check_printable, make_console, reporting_failures, reporting_refusals
from zamek_scripts.which_ruleset import AnyRulesetName, ComponentsFolder, find_ruleset, name_folder
from zamek_scripts.whole_file import write_whole

GAMES, LADDER_GAMES, LADDER_SEARCH_GAMES = 100, 2000, 100  # of each pairing, where nothing is said
COMPANIONS = {  # options that mean nothing without another one, and what that is
    "out": (("plots",), "the folder to draw into"),
    "sprt": (("elo0", "elo1", "rate0", "rate1", "alpha", "beta"), "the test that it is about"),
    "html": (("replays",), "the folder of the pages"),
}


@dataclass
class Args:
    agents: tuple[str, ...] = ("greedy", "random")
    """two or more of: random, greedy, value[:PATH], expectimax[:OPTIONS], mcts[:OPTIONS], ppo[:PATH], for castle-cards
    ismcts[:OPTIONS], MODULE:CLASS, FILE.py:CLASS, such as my_agent.py:MyAgent(depth=2), and all others of
    docs/agents.md; also one twice"""
    ladder: bool = False
    """random, greedy, value, ppo, expectimax and mcts (of castle-cards random, greedy, ppo and ismcts), as far as there
    are weights for the ruleset, and those of --agents"""
    games: int | None = None
    """games of each pairing, a multiple of the players, by default 100 or a bit less, with --ladder 2000; with --sprt
    at most so many"""
    search_games: int | None = None
    """games of each pairing in which an agent of the package searches, by default as many as --games says, with
    --ladder alone 100"""
    seed: int = 0
    """from which all deals and all random decisions follow"""
    ruleset: AnyRulesetName = RULESETS[0]
    players: int | None = None
    """how many play a game of castle-cards, 2 to 5; every so many of the agents meet, each in each seat"""
    components: ComponentsFolder = None
    workers: int | None = None
    """processes that play, by default one a core; the results depend on it only where agents are given seconds"""
    ray: RayAddress = None

    sprt: bool = False
    """end each pairing once it is settled whether its first agent is better by elo0 (or less) or by elo1 (or more)"""
    elo0: float = 0.0
    """hypothesis 0 of --sprt: so many Elo points better"""
    elo1: float = 50.0
    """hypothesis 1 of --sprt, more than elo0"""
    rate0: float | None = None
    """instead of --elo0: the win rate, between 0 and 1, of hypothesis 0"""
    rate1: float | None = None
    """instead of --elo1: the win rate of hypothesis 1"""
    alpha: float = 0.05
    """how often --sprt may accept hypothesis 1 where hypothesis 0 holds"""
    beta: float = 0.05
    """how often --sprt may accept hypothesis 0 where hypothesis 1 holds"""

    out: Path | None = None
    """folder that keeps results as they come, so that a run goes on where it stopped; at the end, JSON and CSV"""
    plots: bool = False
    """draw ratings, win rates and points by source into --out; needs matplotlib"""
    records: Path | None = None
    """write all games to this file, one record in JSON a line"""
    json: Path | None = None
    """write the results to this file, with the command and the versions that led to them"""
    html: Path | None = None
    """folder for pages that replay games in the browser"""
    replays: int = 2
    """how many games of each pairing --html writes, the first ones"""
    overwrite: bool = False
    """replace the files of --records and --json, and the pages in --html, where they exist"""


# --- the work ---


def main(args: Args) -> None:
    """Play, write and print. Exits with code 2, having written nothing, where `args` cannot be followed."""
    with reporting_failures("evaluate", partial(describe_left, args)):
        play_and_report(args)


def play_and_report(args: Args) -> None:
    """Play, write all files and print the findings, also where a file cannot be written: or all were lost."""
    started = time.perf_counter()
    with ExitStack() as at_the_end, ExitStack() as files, ExitStack() as report_file:
        with reporting_refusals("evaluate"):
            round_robin, sprt = set_up(args)
            json_file = open_within(report_file, args.json, args.overwrite)
            records_file = open_within(files, args.records, args.overwrite)
            kept = at_the_end.enter_context(open_kept(args.out, round_robin)) if args.out else None
            workers = files.enter_context(choose_workers(args, round_robin, kept))
        replayed = FirstRecords(args.replays if args.html else 0)
        before = kept.results if kept else {}
        sets, players = count_sets(args, round_robin), count_players(args)
        played, total = play(round_robin, sets, workers, before, sprt), players * sum(sets)
        results = keep_all(played, total, kept, (records_file, replayed))
        findings = SetFindings(results) if args.ruleset in FAMILIES else Findings(results, sprt)
        report = make_report(args, findings, time.perf_counter() - started)
        try:
            if json_file:
                write_json(json_file, report)
            try:
                report_file.close()  # what is written is whole now: nothing that fails later costs it
            finally:
                files.close()
            if args.out and isinstance(findings, Findings):
                write_out(args, findings, report)
            if args.html:
                write_replays(args.html, replayed.records, round_robin.components)
        finally:
            print_tables(findings, sprt)  # once all is written: its reader may be gone


def open_within(stack: ExitStack, path: Path | None, overwrite: bool) -> IO[str] | None:
    """Return the file that is whole at `path` once `stack` is closed; None without a path."""
    return None if path is None else stack.enter_context(write_whole(path, overwrite=overwrite))


def choose_workers(args: Args, round_robin: RoundRobin, kept: KeptResults | None) -> AbstractContextManager[Workers]:
    """Return a context that gives those that play: no more than there are sets left to play."""
    lacking = count_lacking(prepare(round_robin), count_sets(args, round_robin), kept.results if kept else ())
    processes = min(args.workers or count_cores(), max(1, lacking))
    return open_workers(processes, args.ray, partial(compile_all, round_robin))


def keep_all(
    played: Generator[SetResult, None, None],
    total: int,
    kept: KeptResults | None,
    keepers: tuple[IO[str] | None, FirstRecords],
) -> list[SetResult]:
    """Return all results, of at most `total` games, without their records.

    The records go to `keepers`: the file of them, and those to show.
    """
    records_file, replayed = keepers
    results = []
    with closing(played), tqdm(total=total, unit="game") as progress:
        for result in played:
            if kept:
                kept.add(result)
            if records_file:
                records_file.writelines(json.dumps(game.record) + "\n" for game in result.games)
            replayed.add(result)
            results.append(result.without_records())
            progress.update(len(result.games))
        progress.total = progress.n  # fewer than planned where the test was settled
    return results


class Findings:
    """What `results` say: of each pairing, of each agent, and of the first player."""

    def __init__(self, results: Sequence[SetResult], sprt: Sprt | None) -> None:
        by_pairing = defaultdict(list)
        for result in results:
            by_pairing[result.agents].append(result)
        self.comparisons = [compare(pairs, sprt) for pairs in by_pairing.values()]
        self.standings = rank(results)
        self.first_player = compare_first_player(results)
        self.milliseconds = find_milliseconds(results)

    def make_entries(self) -> dict[str, Any]:
        """Return them as JSON holds them."""
        return {
            "agents": [asdict(standing) for standing in self.standings],
            "first_player": asdict(self.first_player),
            "pairings": [asdict(comparison) for comparison in self.comparisons],
        }


# --- arguments ---


def set_up(args: Args) -> tuple[RoundRobin, Sprt | None]:
    """Return the `RoundRobin`, and the `Sprt` or None. Raises an error of one line where `args` cannot be followed."""
    if args.ruleset in FAMILIES:
        check_sets(args)
    else:
        find_ruleset(args.ruleset, args.components, FAMILIES)
        if args.players not in (None, GAMES_PER_PAIR):
            raise ValueError(f"--players must be {GAMES_PER_PAIR} for {args.ruleset}, not {args.players}")
    specs = choose_agents(args)
    players = count_players(args)
    for option, searching in (("--games", False), ("--search-games", True)):
        games = count_games(args, searching)
        if games < players or games % players:
            what = "an even number" if players == GAMES_PER_PAIR else f"a multiple of {players}"
            raise ValueError(f"{option} must be {what} from {players} on, not {games}")
    if args.seed < 0:
        raise ValueError(f"--seed must be 0 or more, not {args.seed}")
    if args.search_games is not None and not any(map(does_search, specs)):
        raise ValueError("--search-games must come with an agent of the package that searches, such as mcts")
    check_workers(args.workers, args.ray)
    check_companions(args)
    if args.plots:
        import_module("zamek_agents.arena.plots")  # before hours of play, if matplotlib is missing
    if args.replays < 1:
        raise ValueError(f"--replays must be 1 or more, not {args.replays}")
    check_outputs(args)
    sprt = make_sprt(args) if args.sprt else None
    folder = name_folder(args.components)
    with_records = args.records is not None or args.html is not None
    round_robin = RoundRobin(specs, args.ruleset, args.seed, with_records, folder, args.players)
    prepare(round_robin)  # an agent trained for another ruleset says so now, not in the middle of a game
    return round_robin, sprt


def check_companions(args: Args) -> None:
    """Raise `ValueError` where an option is given, other than by default, without the one that it belongs to."""
    for needed, (names, meaning) in COMPANIONS.items():
        for name in names:
            if not getattr(args, needed) and getattr(args, name) != getattr(Args, name):
                raise ValueError(f"--{name} must come with --{needed}, {meaning}")


def choose_agents(args: Args) -> tuple[str, ...]:
    """Return the specs of all agents that are to play."""
    check_printable("--agents", args.agents)
    untrained = list_untrained(args.ruleset, args.components, args.players) if args.ladder else ()
    specs, least = (*untrained, *(spec for spec in args.agents if spec not in untrained)), count_players(args)
    if len(specs) < least:
        ladder = ", those of --ladder included" if args.ladder else ""
        raise ValueError(f"--agents must name {least} or more{ladder}, not {len(specs)}")
    return specs


def count_sets(args: Args, round_robin: RoundRobin) -> list[int]:
    """Return how many sets each lineup is to play."""
    players = count_players(args)
    return [
        count_games(args, any(map(does_search, specs))) // players for specs in combinations(round_robin.specs, players)
    ]


def count_games(args: Args, searching: bool) -> int:
    """Return how many games each pairing is to play, of those in which an agent is `searching` or of the others."""
    if searching and args.search_games is not None:
        return args.search_games
    if args.games is not None:
        return args.games
    on_ladder = LADDER_SEARCH_GAMES if searching else LADDER_GAMES
    games = on_ladder if args.ladder else GAMES
    return games - games % count_players(args)


def count_players(args: Args) -> int:
    """Return how many play a game, which is how many games are played on one deal."""
    return args.players or GAMES_PER_PAIR


def make_sprt(args: Args) -> Sprt:
    """Return the test that `args` ask for."""
    (rate0, asked0), (rate1, asked1) = read_hypothesis(args, 0), read_hypothesis(args, 1)
    if not 0 < rate0 < rate1 < 1:
        raise ValueError(f"{asked1} must ask for more than {asked0}, and both for what can be")
    for name in ("alpha", "beta"):
        if not 0 < getattr(args, name) < 0.5:
            raise ValueError(f"--{name} must lie between 0 and 0.5, not {getattr(args, name):g}")
    return Sprt(rate0, rate1, args.alpha, args.beta)


def read_hypothesis(args: Args, number: int) -> tuple[float, str]:
    """Return the win rate of hypothesis 0 or 1, and how it was asked for."""
    rate, elo = getattr(args, f"rate{number}"), getattr(args, f"elo{number}")
    if rate is None:
        if not math.isfinite(elo):
            raise ValueError(f"--elo{number} must be a finite number, not {elo}")
        return rate_from_elo(elo), f"--elo{number} {elo:g}"
    if elo != getattr(Args, f"elo{number}"):
        raise ValueError(f"--elo{number} must be left out with --rate{number}, which is the same hypothesis")
    if not 0 < rate < 1:
        raise ValueError(f"--rate{number} must lie between 0 and 1, not {rate:g}")
    return rate, f"--rate{number} {rate:g}"


def open_kept(folder: Path, round_robin: RoundRobin) -> KeptResults:
    """Return the results kept in `folder`, which is made if it is not there."""
    try:
        resolve_links(folder).mkdir(parents=True, exist_ok=True)
        return KeptResults(folder / PAIRS_FILE, round_robin)
    except OSError as error:
        raise OSError(f"--out: {folder} cannot be written: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"--out: {error}") from error


# --- output ---


def make_report(args: Args, findings: "Findings | SetFindings", seconds: float) -> dict[str, Any]:
    """Return what `--json` writes. All but `command`, `arguments` and what took how long comes out the same again."""
    return {
        "command": format_command("evaluate"),
        "arguments": list_arguments(args),
        "versions": list_versions(("numpy", "numba", "scipy")),
        "seconds": round(seconds, 3),
        "milliseconds_a_decision": findings.milliseconds,
        **findings.make_entries(),
    }


def write_json(file: IO[str], report: dict[str, Any]) -> None:
    json.dump(report, file, indent=2)
    file.write("\n")


def write_out(args: Args, findings: Findings, report: dict[str, Any]) -> None:
    """Write everything into `--out` that is known at the end."""
    assert args.out is not None
    writers = (
        lambda file: write_json(file, report),
        lambda file: reports.write_pairings_csv(file, findings.comparisons),
        lambda file: reports.write_standings_csv(file, findings.standings, findings.milliseconds),
    )
    for name, write in zip(OUT_FILES, writers, strict=True):
        with write_whole(args.out / name) as file:
            write(file)
    if args.plots:
        import_module("zamek_agents.arena.plots").draw_all(args.out, findings.comparisons, findings.standings)


def print_tables(findings: "Findings | SetFindings", sprt: Sprt | None) -> None:
    """Print everything, pairings first."""
    console = make_console()
    if isinstance(findings, SetFindings):
        print_sets(console, findings)
        return
    console.print(reports.make_pairings_table(findings.comparisons))
    if sprt:
        console.print(describe_sprt(sprt), highlight=False)
    if len(findings.standings) > 2:
        console.print(reports.make_cross_table(findings.comparisons, findings.standings))
    console.print(reports.make_standings_table(findings.standings, findings.milliseconds))
    console.print(reports.make_play_table(findings.standings))
    console.print(reports.describe_first_player(findings.first_player), highlight=False)


def describe_sprt(sprt: Sprt) -> str:
    """Return a sentence on the hypotheses of a test."""
    rates = [f"{rate:.1%} (Elo {elo_from_rate(rate):+.0f})" for rate in (sprt.rate0, sprt.rate1)]
    return (
        f"Test: the upper agent wins {rates[0]}, H0, or {rates[1]}, H1; wrongly accepted at most "
        f"{sprt.beta:.3g} and {sprt.alpha:.3g} of the time. Rates after a test exaggerate."
    )


if __name__ == "__main__":
    run_script("evaluate", Args, main, __doc__)
