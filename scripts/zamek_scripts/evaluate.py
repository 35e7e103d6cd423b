"""Let agents play each other and say who is how much better, and how.

Every two of the agents play every deal twice, with seats swapped; a shared victory counts as half a win. The two games
of a deal are one pair, which is one observation to all intervals; they hold with 95 % confidence. What all numbers
mean stands in docs/arena.md. In games of more players each agent plays every deal once from each seat.
"""

import json
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from zamek_agents.arena import reports
from zamek_agents.arena.comparison import GAMES_PER_PAIR, Sprt, compare, compare_first_player
from zamek_agents.arena.round_robin import RoundRobin, compile_all, count_lacking, find_ruleset, play, prepare
from zamek_agents.arena.sets import SetResult
from zamek_agents.arena.standings import elo_from_rate, find_length, find_milliseconds, find_seats, find_shares, rank
from zamek_agents.arena.store import KeptResults
from zamek_agents.atomic_dir import resolve_links
from zamek_agents.ray_cluster import join_cluster
from zamek_env.make_game import find_family
from zamek_env.records.step_text import name_reason
from zamek_scripts.atomic_file import open_output, write_atomic, write_figure
from zamek_scripts.evaluate_args import OUT_FILES, PAIRS_FILE, Args, count_sets, describe_left, set_up
from zamek_scripts.provenance import describe_run
from zamek_scripts.replaying.replay_folder import FirstRecords, write_replays
from zamek_scripts.shared_args import open_workers
from zamek_scripts.terminal import make_console, reporting_failures, reporting_refusals


def main(args: Args) -> None:
    """Play, write all files and print the findings, also where a file cannot be written: or all were lost.

    Exits with code 2, having written nothing, where `args` cannot be followed.
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
        replayed = FirstRecords(args.replays if args.html else 0)
        played, total = play(round_robin, sets, workers, before, sprt), players * sum(sets)
        results = keep_all(played, total, kept, records_file, replayed)
        by_pairing = find_family(args.ruleset) is None and players == GAMES_PER_PAIR
        findings = Findings(results, sprt) if by_pairing else SetFindings(results)
        report = make_report(args, findings, time.perf_counter() - started)
        try:
            if json_file:
                write_report(json_file, report)
            try:
                report_file.close()  # what is written is whole now: nothing that fails later costs it
            finally:
                files.close()
            if args.out and isinstance(findings, Findings):
                write_out(args, findings, report)
            if args.html:
                write_replays(args.html, replayed.records, round_robin.components)
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
    replayed: FirstRecords,
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


class SetFindings:
    """What `results` say of games that any number of players play: of each agent, and of each seat."""

    def __init__(self, results: Sequence[SetResult]) -> None:
        self.shares, self.seats = find_shares(results), find_seats(results)
        self.decisions, self.milliseconds = find_length(results), find_milliseconds(results)

    def make_entries(self) -> dict[str, Any]:
        """Return them as JSON holds them."""
        return {
            "agents": [asdict(share) for share in self.shares],
            "seats": [asdict(seat) for seat in self.seats],
            "decisions_a_game": self.decisions,
        }


# --- output ---


def make_report(args: Args, findings: Findings | SetFindings, seconds: float) -> dict[str, Any]:
    """Return what `--json` writes. All but `command`, `arguments` and what took how long comes out the same again."""
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
    """Write everything into `--out` that is known at the end."""
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
    rates = [f"{rate:.1%} (Elo {elo_from_rate(rate):+.0f})" for rate in (sprt.rate0, sprt.rate1)]
    return (
        f"Test: the upper agent wins {rates[0]}, H0, or {rates[1]}, H1; wrongly accepted at most "
        f"{sprt.beta:.3g} and {sprt.alpha:.3g} of the time. Rates after a test exaggerate."
    )
