"""Let agents play each other and say who is how much better, and how.

Every two of the agents play every deal twice, with seats swapped; a shared victory counts as half a win. The two games
of a deal are one pair, which is one observation to all intervals; they hold with 95 % confidence. What all numbers
mean is in docs/arena.md. In games of more players each agent plays every deal once from each seat.
"""

import json
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from itertools import combinations, product
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from zamek_agents.arena import reports, standings
from zamek_agents.arena.comparison import GAMES_PER_PAIR, Sprt, compare, compare_first_player
from zamek_agents.arena.round_robin import RoundRobin, compile_all, count_lacking, find_ruleset, play, prepare
from zamek_agents.arena.sets import SetResult
from zamek_agents.arena.store import KeptResults
from zamek_agents.atomic_dir import resolve_links
from zamek_agents.ray_cluster import join_cluster
from zamek_agents.registry import does_search, list_untrained
from zamek_env import RULESETS
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.make_game import find_family, make_game
from zamek_env.records.step_text import name_reason
from zamek_env.ruleset import Ruleset
from zamek_scripts import shared_args
from zamek_scripts.atomic_file import check_new_file, check_place, open_output, write_atomic, write_figure
from zamek_scripts.provenance import describe_run
from zamek_scripts.replaying import replay_page
from zamek_scripts.shared_args import open_workers
from zamek_scripts.terminal import check_printable, make_console, naming, reporting_failures, reporting_refusals

GAMES, LADDER_GAMES, LADDER_SEARCH_GAMES = 100, 2000, 100  # of each pairing, where nothing is said
COMPANIONS = {  # options that mean nothing without another one, and what that is
    "out": (("plots",), "the folder to draw into"),
    "sprt": (("elo0", "elo1", "rate0", "rate1", "alpha", "beta"), "the test that it is about"),
    "html": (("replays",), "the folder of the pages"),
}
MAX_ELO = 6000  # beyond it win rates are rounded to 1
PAIRS_FILE, OUT_FILES = "pairs.jsonl", ("results.json", "pairings.csv", "agents.csv")  # in --out
PLOT_FILES = ("ratings.svg", "wins.svg", "points.svg")  # there too, with --plots
FOR_TWO = ("sprt", "out", "plots")  # arguments that games of tiles for two players have


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
    at most this many"""
    search_games: int | None = None
    """games of each pairing in which an agent of the package searches, by default as many as --games says, with
    --ladder alone 100"""
    seed: int = 0
    """from which all deals and all random decisions follow"""
    ruleset: shared_args.GameName = RULESETS[0]
    players: int | None = None
    """how many play a game of castle-cards or Carcassonne, 2 to 5; every combination of that many agents meets, each in
    each seat"""
    rules: shared_args.HouseRulesText = ""
    components: shared_args.ComponentsFolder = None
    workers: int | None = None
    """processes that play, by default one a core; the results depend on it only where agents are given seconds"""
    ray: shared_args.RayAddress = None

    sprt: bool = False
    """end each pairing once it is settled whether its first agent is better by elo0 (or less) or by elo1 (or more)"""
    elo0: float = 0.0
    """hypothesis 0 of --sprt: the first agent is this many Elo points better"""
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
    """write all games to this file, one JSON record a line"""
    json: Path | None = None
    """write the results to this file, with the command and the versions that led to them"""
    html: Path | None = None
    """folder for pages that replay games in the browser"""
    replays: int = 2
    """how many games of each pairing --html writes, the first ones"""
    overwrite: bool = False
    """replace the files of --records and --json, and the pages in --html, where they exist"""


def main(args: Args) -> None:
    """Play, write all files and print the findings, even if a file cannot be written, so that nothing is lost.

    Exits with code 2, having written nothing, for invalid `args`.
    """
    started, left = time.perf_counter(), partial(describe_left, args)
    with (
        reporting_failures("evaluate", left),
        ExitStack() as at_the_end, ExitStack() as files, ExitStack() as report_file,
    ):  # fmt: skip
        with reporting_refusals("evaluate"):
            round_robin, sprt = set_up(args)
            make_ready = partial(compile_all, round_robin)
            cluster = None  # refused, if at all, with nothing written
            if args.ray is not None:
                cluster = files.enter_context(join_cluster(args.ray, make_ready))
            kept = at_the_end.enter_context(open_kept(args.out, round_robin)) if args.out else None
            json_file = report_file.enter_context(open_output(args.json, args.overwrite))
            records_file = files.enter_context(open_output(args.records, args.overwrite))
            before, lineups = kept.results if kept else {}, prepare(round_robin)
            players = len(lineups[0].agents)
            sets = count_sets(args, round_robin.specs, players)
            lacking = count_lacking(lineups, sets, before)
            workers = cluster or files.enter_context(open_workers(args, lacking, make_ready))
        replayed = replay_page.FirstRecords(args.replays if args.html else 0)
        played, total = play(round_robin, sets, workers, before, sprt), players * sum(sets)
        results = keep_all(played, total, kept, records_file, replayed)
        by_pairing = find_family(args.ruleset) is None and players == GAMES_PER_PAIR
        findings = Findings(results, sprt) if by_pairing else SetFindings(results)
        report = make_report(args, findings, time.perf_counter() - started)
        try:
            if json_file:
                write_report(json_file, report)
            try:
                report_file.close()  # the results are written completely now, whatever fails later
            finally:
                files.close()
            if args.out and isinstance(findings, Findings):
                write_out(args, findings, report)
            if args.html:
                replay_page.write_replays(args.html, replayed.records, round_robin.components)
        finally:
            print_tables(round_robin, findings, sprt)  # once all is written: its reader may be gone


def open_kept(folder: Path, round_robin: RoundRobin) -> KeptResults:
    """Return the results kept in `folder`, which is made if it is not there."""
    try:
        resolve_links(folder).mkdir(parents=True, exist_ok=True)
        return KeptResults(folder / PAIRS_FILE, round_robin)
    except OSError as error:
        raise OSError(f"--out: {folder} cannot be written: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"--out: {error}") from error


def keep_all(
    played: Generator[SetResult, None, None],
    total: int,
    kept: KeptResults | None,
    records_file: IO[str] | None,
    replayed: replay_page.FirstRecords,
) -> list[SetResult]:
    """Return all results, of at most `total` games, without their records: these go to the file and to `replayed`."""
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
    """The findings of `results` on each pairing, each agent, and the first player."""

    def __init__(self, results: Sequence[SetResult], sprt: Sprt | None) -> None:
        by_pairing = defaultdict(list)
        for result in results:
            by_pairing[result.agents].append(result)
        self.comparisons = [compare(pairs, sprt) for pairs in by_pairing.values()]
        self.standings = standings.rank(results)
        self.first_player = compare_first_player(results)
        self.milliseconds = standings.find_milliseconds(results)

    def make_entries(self) -> dict[str, Any]:
        """Return them as a dict for JSON."""
        return {
            "agents": [asdict(standing) for standing in self.standings],
            "first_player": asdict(self.first_player),
            "pairings": [asdict(comparison) for comparison in self.comparisons],
        }


class SetFindings:
    """The findings of `results` of games for any number of players, on each agent and each seat."""

    def __init__(self, results: Sequence[SetResult]) -> None:
        self.shares, self.seats = standings.find_shares(results), standings.find_seats(results)
        self.decisions, self.milliseconds = standings.find_length(results), standings.find_milliseconds(results)

    def make_entries(self) -> dict[str, Any]:
        """Return them as a dict for JSON."""
        return {
            "agents": [asdict(share) for share in self.shares],
            "seats": [asdict(seat) for seat in self.seats],
            "decisions_a_game": self.decisions,
        }


# --- arguments ---


def set_up(args: Args) -> tuple[RoundRobin, Sprt | None]:
    """Return the `RoundRobin`, and the `Sprt` or None. Raises an error of one line for invalid `args`."""
    tiles = shared_args.find_tiles(args.ruleset, args.components, args.players, args.rules)
    players = check_tiles(args, tiles.players) if tiles else check_others(args)
    specs = choose_agents(args, tiles, players)
    for option, searching in (("--games", False), ("--search-games", True)):
        games = count_games(args, searching, players)
        if games < players or games % players:
            what = "an even number" if players == GAMES_PER_PAIR else f"a multiple of {players}"
            raise ValueError(f"{option} must be {what} from {players} on, not {games}")
    shared_args.check_seed(args.seed)
    if args.search_games is not None and not any(map(does_search, specs)):
        raise ValueError("--search-games must come with an agent of the package that searches, such as mcts")
    shared_args.check_workers(args.workers, args.ray)
    check_companions(args)
    if args.plots:
        import_module("zamek_agents.arena.plots")  # before hours of play, if matplotlib is missing
    if args.replays < 1:
        raise ValueError(f"--replays must be 1 or more, not {args.replays}")
    check_outputs(args)
    sprt = make_sprt(args) if args.sprt else None
    folder = shared_args.name_folder(args.components)
    with_records = args.records is not None or args.html is not None
    round_robin = RoundRobin(specs, args.ruleset, args.seed, with_records, folder, args.players, args.rules)
    prepare(round_robin)  # an agent trained for another ruleset says so now, not in the middle of a game
    return round_robin, sprt


def check_tiles(args: Args, players: int) -> int:
    """Return how many `players` a game of tiles has. Raises `ValueError` where the arguments do not fit it."""
    if players == 1:
        raise ValueError("--players must be 2 or more: who plays alone meets nobody")
    for name in FOR_TWO if players != GAMES_PER_PAIR else ():
        if getattr(args, name):
            raise ValueError(f"--{name} is for games of two players only, not of {players}")
    return players


def check_others(args: Args) -> int:
    """Return the number of players of a game without tiles. Raises `ValueError` where the arguments do not fit it."""
    for name in FOR_TWO:
        if getattr(args, name):
            raise ValueError(f"--{name} is for games of tiles only, not for {args.ruleset}")
    if args.html and args.ruleset != CASTLE_CARDS:
        raise ValueError(f"--html is for games of tiles and {CASTLE_CARDS} only, not for {args.ruleset}")
    with naming():
        return make_game(args.ruleset, 0, None, args.players).num_players


def check_companions(args: Args) -> None:
    """Raise `ValueError` where an option is given, other than by default, without the one that it belongs to."""
    for needed, (names, meaning) in COMPANIONS.items():
        if not getattr(args, needed):
            shared_args.refuse_given(args, names, f"must come with --{needed}, {meaning}")


def choose_agents(args: Args, tiles: Ruleset | None, players: int) -> tuple[str, ...]:
    """Return the specs of all agents that play, as many as `players` or more."""
    check_printable("--agents", args.agents)
    untrained: tuple[str, ...] = ()
    if args.ladder:
        untrained = list_untrained(args.ruleset, tiles.components if tiles else None, args.players)
    specs = (*untrained, *(spec for spec in args.agents if spec not in untrained))
    if len(specs) < players:
        ladder = ", those of --ladder included" if args.ladder else ""
        raise ValueError(f"--agents must name {players} or more{ladder}, not {len(specs)}")
    return specs


def count_sets(args: Args, specs: Sequence[str], players: int) -> list[int]:
    """Return how many sets each lineup of `players` players must play."""
    return [
        count_games(args, any(map(does_search, chosen)), players) // players for chosen in combinations(specs, players)
    ]


def count_games(args: Args, searching: bool, players: int) -> int:
    """Return how many games each pairing plays, of those in which an agent is `searching` or of the others."""
    if searching and args.search_games is not None:
        return args.search_games
    if args.games is not None:
        return args.games
    on_ladder = LADDER_SEARCH_GAMES if searching else LADDER_GAMES
    games = on_ladder if args.ladder else GAMES
    return games - games % players


def make_sprt(args: Args) -> Sprt:
    """Return the test that `args` ask for."""
    (rate0, asked0), (rate1, asked1) = read_hypothesis(args, 0), read_hypothesis(args, 1)
    if not rate0 < rate1:
        raise ValueError(f"{asked1} must ask for a higher win rate than {asked0}")
    with naming():
        return Sprt(rate0, rate1, args.alpha, args.beta)


def read_hypothesis(args: Args, number: int) -> tuple[float, str]:
    """Return the win rate of hypothesis 0 or 1, and the argument that gave it."""
    rate, elo = getattr(args, f"rate{number}"), getattr(args, f"elo{number}")
    if rate is None:
        shared_args.check_range(f"--elo{number}", elo, -MAX_ELO, MAX_ELO)
        return standings.rate_from_elo(elo), f"--elo{number} {elo:g}"
    if elo != getattr(Args, f"elo{number}"):
        raise ValueError(f"--elo{number} must be left out with --rate{number}, which is the same hypothesis")
    if not 0 < rate < 1:
        raise ValueError(f"--rate{number} must lie between 0 and 1, not {rate:g}")
    return rate, f"--rate{number} {rate:g}"


# --- files ---


def check_outputs(args: Args) -> None:
    """Raise `ValueError` where two outputs conflict, or one would replace a file that must stay."""
    for name, path in (("--records", args.records), ("--json", args.json)):
        if path:
            check_new_file(name, path, args.overwrite)
    check_apart(args)
    if args.out:
        if args.out.exists() and not args.out.is_dir():
            raise ValueError(f"--out: {args.out} is not a folder")
        check_place("--out", args.out)
    if args.out and not (args.out / PAIRS_FILE).exists():  # by which the folder is known as one of results
        for name in (*OUT_FILES, *PLOT_FILES):
            check_new_file("--out", args.out / name, args.overwrite)
    if args.html:
        replay_page.check_replay_folder(args.html, args.overwrite)


def check_apart(args: Args) -> None:
    """Raise `ValueError` where an output would be another one, or lie below a file, or be replaced by a page."""
    given = {"--records": args.records, "--json": args.json}
    if args.out:
        names = (PAIRS_FILE, *OUT_FILES, *(PLOT_FILES if args.plots else ()))
        given |= {f"{name} of --out": args.out / name for name in names}
    files = {name: _resolve(name, path) for name, path in given.items() if path}
    folders = {name: _resolve(name, path) for name, path in (("--out", args.out), ("--html", args.html)) if path}
    for (first, first_path), (second, second_path) in combinations(files.items(), 2):
        if first_path == second_path:
            raise ValueError(f"{first} and {second} must be two files")
    for (file, path), (folder, place) in product(files.items(), folders.items()):
        if path == place:
            raise ValueError(f"{file} and {folder} must be two places, a file and a folder, not both {path}")
    for (file, path), (other, place) in product(files.items(), (files | folders).items()):
        if path in place.parents:
            raise ValueError(f"{other} must lie elsewhere than below {file}, which is a file: {path}")
    for name, path in (files | folders).items():
        if args.html and path.parent == folders["--html"] and replay_page.is_page(path.name):
            raise ValueError(f"{name} must not be {path.name} in the folder of --html, where a page is called so")


def _resolve(name, path):
    with naming(name):
        return resolve_links(path)


def describe_left(args: Args) -> str:
    """Return how to go on with a run that has ended early, as the end of a line; "" where nothing was kept.

    The same command would have to replace what it has written by then.
    """
    if not args.out:
        return ""
    written = [name for name, path in (("--records", args.records), ("--json", args.json)) if path and path.exists()]
    written += ["--html"] if args.html and replay_page.list_written(args.html) else []
    if args.overwrite or not written:
        return "; the same command goes on from here"
    return f"; the same command with --overwrite goes on from here, and replaces {' and '.join(written)}"


# --- output ---


def make_report(args: Args, findings: Findings | SetFindings, seconds: float) -> dict[str, Any]:
    """Return what `--json` writes. All but `command`, `arguments` and the timings is reproducible."""
    return {
        **describe_run("evaluate", args, ("numpy", "numba", "scipy")),
        "seconds": round(seconds, 3),
        "milliseconds_a_decision": findings.milliseconds,
        **findings.make_entries(),
    }


def write_report(file: IO[str], report: dict[str, Any]) -> None:
    json.dump(report, file, indent=2)
    file.write("\n")


def write_out(args: Args, findings: Findings, report: dict[str, Any]) -> None:
    """Write all final results into `--out`."""
    assert args.out is not None
    writers = (
        lambda file: write_report(file, report),
        lambda file: reports.write_pairings_csv(file, findings.comparisons),
        lambda file: reports.write_standings_csv(file, findings.standings, findings.milliseconds),
    )
    for name, write in zip(OUT_FILES, writers, strict=True):
        with write_atomic(args.out / name) as file:
            write(file)
    if args.plots:
        figures = import_module("zamek_agents.arena.plots").draw_all(findings.comparisons, findings.standings)
        for name, figure in figures.items():
            write_figure(args.out / name, figure)


def print_tables(round_robin: RoundRobin, findings: Findings | SetFindings, sprt: Sprt | None) -> None:
    """Print everything, pairings first."""
    console = make_console()
    if isinstance(findings, SetFindings):
        console.print(reports.make_shares_table(findings.shares, findings.milliseconds))
        console.print(reports.describe_seats(findings.seats, findings.decisions), highlight=False)
        return
    console.print(reports.make_pairings_table(findings.comparisons))
    if sprt:
        console.print(describe_sprt(sprt), highlight=False)
    if len(findings.standings) > 2:
        console.print(reports.make_cross_table(findings.comparisons, findings.standings))
    console.print(reports.make_standings_table(findings.standings, findings.milliseconds))
    name = partial(name_reason, find_ruleset(round_robin).components)
    console.print(reports.make_play_table(findings.standings, name))
    console.print(reports.describe_first_player(findings.first_player), highlight=False)


def describe_sprt(sprt: Sprt) -> str:
    """Return a sentence on the hypotheses of a test."""
    rates = [f"{rate:.1%} (Elo {standings.elo_from_rate(rate):+.0f})" for rate in (sprt.rate0, sprt.rate1)]
    return (
        f"Test: the upper agent wins {rates[0]}, H0, or {rates[1]}, H1; wrongly accepted at most "
        f"{sprt.beta:.3g} and {sprt.alpha:.3g} of the time. Rates after a test exaggerate."
    )
