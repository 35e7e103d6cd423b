"""Measure how many points the decisions of agents lose, on positions where the worth of every choice is known.

Suites of positions come with the package. `--make` makes others. What all numbers mean stands in docs/regret.md.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

# Before an agent loads torch: one position at a time is too little work to share among threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import tyro
from tqdm import tqdm

from zamek_agents.registry import make_agent
from zamek_agents.source_digests import digest_files
from zamek_agents.suites.kinds import ENDGAME_TILES, PLACE, SCORE, SEND
from zamek_agents.suites.making import Recipe, make_one_quickly, make_worths
from zamek_agents.suites.measure import (
    PORTION,
    Decision,
    Loss,
    check_suites,
    decide_once,
    find_excess,
    find_losses,
    measure,
)
from zamek_agents.suites.suite import CHOICES, ENDGAMES, find_suites, new_suite, read_suite, write_suite
from zamek_agents.suites.tables import make_table
from zamek_agents.whole_folder import resolve_links
from zamek_env import RULESETS
from zamek_env.messages import show_count
from zamek_env.ruleset import get_ruleset
from zamek_scripts.command_line import run_script
from zamek_scripts.number_ranges import check_ranges, check_seed
from zamek_scripts.processes import RayAddress, check_workers, count_cores, open_workers
from zamek_scripts.provenance import format_command, list_versions
from zamek_scripts.terminal import make_console, reporting_errors
from zamek_scripts.whole_file import check_new_file, open_output, write_whole

MAKING = {  # options that mean something only where a suite of that kind is made
    CHOICES: ("placements", "sends", "scorings", "deals", "turns"),
    ENDGAMES: ("endgames", "tiles"),
}
RANGES = {  # what whole numbers among those may be
    "placements": (0, 10_000), "sends": (0, 10_000), "scorings": (0, 10_000), "endgames": (1, 10_000),
    "deals": (2, 10_000), "turns": (0, 1000),
}  # fmt: skip


@dataclass
class Args:
    agents: tyro.conf.Positional[tuple[str, ...]] = ()
    """agents to measure: random, greedy, value[:PATH], expectimax[:OPTIONS], mcts[:OPTIONS], ppo[:PATH],
    MODULE:CLASS, FILE.py:CLASS, and all others of docs/agents.md that play games of tiles"""
    ruleset: Literal[RULESETS] = RULESETS[0]  # type: ignore[valid-type]  # the names are known when this runs
    """of the positions, one of the package: suites are not made of components of one's own"""
    suites: tuple[Path, ...] = ()
    """files of suites, by default those in the package for the ruleset"""
    seed: int = 0
    """from which all random decisions follow, and with --make all positions"""
    workers: int | None = None
    """processes, by default one a core; the results do not depend on it unless agents are given seconds"""
    ray: RayAddress = None
    json: Path | None = None
    """write the results to this file, with the command and the versions that led to them"""
    overwrite: bool = False
    """replace the file of --json or --out where it exists"""

    make: Literal["choices", "endgames"] | None = None
    """make a suite instead: of choices played on from, or of endgames solved"""
    out: Path | None = None
    """the file that --make writes"""
    placements: int = 500
    """how many placements --make choices takes"""
    sends: int = 100
    """how many times somebody may be sent"""
    scorings: int = 100
    """how many scorings; none in Carcassonne, which does not ask for an order"""
    endgames: int = 1000
    """how many --make endgames takes"""
    tiles: Literal[3, 4] = 3
    """left in an endgame, the one to be placed included"""
    deals: int = 200
    """deals that a choice meets unless it is surely worse than the best"""
    turns: int = 8
    """turns that are played on before a position is valued; 0: to the end of the game"""


# --- the work ---


def main(args: Args) -> None:
    """Measure, or make a suite. Exits with code 2, having written nothing, where `args` cannot be followed."""
    with reporting_errors("regret"):
        check(args)
        if args.make:
            make(args)
        else:
            measure_and_print(args)


def measure_and_print(args: Args) -> None:
    """Let the agents decide, write the results and print them, also where they cannot be written: or all were lost."""
    paths = [str(path) for path in args.suites or find_suites(args.ruleset)]
    check_suites(paths, args.ruleset)  # before workers are started
    with ExitStack() as open_till_the_end:
        file = open_till_the_end.enter_context(open_output(args.json, args.overwrite))
        losses, excess, decisions = decide(args, paths)
        try:
            if file:
                suites = [{"file": Path(path).name, "digest": digest_files(Path(path))} for path in paths]
                report = {"losses": [asdict(loss) for loss in losses], "excess": excess, "decisions": decisions}
                json.dump({**describe(args), "suites": suites, **report}, file, indent=2)
                file.write("\n")
            open_till_the_end.close()
        finally:
            make_console().print(make_table(losses, excess))  # once all is written: its reader may be gone


def decide(args: Args, paths: Sequence[str]) -> tuple[list[Loss], dict[str, float], int]:
    """Let the agents decide; return what they lose, {kind: excess}, and how many decisions that are."""
    total = len(args.agents) * sum(len(read_suite(path).worths) for path in paths)
    processes = min(args.workers or count_cores(), -(-total // PORTION))
    make_ready = partial(decide_once, args.agents, paths[0])
    if processes == 1 or args.ray is not None:  # else `open_workers` calls it here
        make_ready()  # who does not play the ruleset says so now
    decisions: list[Decision] = []
    with open_workers(processes, args.ray, make_ready) as workers, tqdm(total=total, unit="decision") as progress:
        for some in measure(args.agents, paths, args.ruleset, args.seed, workers):
            decisions.extend(some)
            progress.update(len(some))
    excess = {kind: find_excess(decisions, kind) for kind in dict.fromkeys(one.kind for one in decisions)}
    return find_losses(decisions), excess, len(decisions)


def make(args: Args) -> None:
    """Make a suite and write it."""
    assert args.out is not None
    kinds = count_choices(args) if args.make == CHOICES else count_endgames(args)
    recipe = Recipe(args.ruleset, kinds, args.seed, args.deals, args.turns)
    total = sum(count for _, count in kinds)
    processes = min(args.workers or count_cores(), total)
    with write_whole(args.out, binary=True, overwrite=args.overwrite) as file:
        with open_workers(processes, args.ray, partial(make_one_quickly, recipe)) as workers:
            found = list(tqdm(make_worths(recipe, workers), total=total, unit="position"))
        write_suite(file, new_suite(args.make or CHOICES, args.ruleset, {**describe(args), **asdict(recipe)}, found))
    print(f"{show_count(len(found), 'position')}: {args.out}")


def count_choices(args: Args) -> tuple[tuple[str, int], ...]:
    """Return (kind of decision, how many) of a suite of choices."""
    scorings = args.scorings if has_scorings(args.ruleset) else 0
    return (PLACE, args.placements), (SEND, args.sends), (SCORE, scorings)


def count_endgames(args: Args) -> tuple[tuple[str, int], ...]:
    """Return (kind of decision, how many) of a suite of endgames."""
    return tuple((kind, args.endgames) for kind, tiles in ENDGAME_TILES.items() if tiles == args.tiles)


# --- arguments ---


def check(args: Args) -> None:
    """Raise `ValueError` where `args` cannot be followed."""
    check_seed(args.seed)
    check_workers(args.workers, args.ray)
    if args.make and (args.json or args.suites):
        raise ValueError("--json and --suites must be left out with --make, which writes a suite and measures nobody")
    if args.out and not args.make:
        raise ValueError("--out must come with --make, whose suite it is; results are written by --json")
    check_companions(args)
    name, path = ("--out", args.out) if args.make else ("--json", args.json)
    if path:
        check_new_file(name, path, args.overwrite)
    if path and path.exists() and any(path.samefile(suite) for suite in args.suites if suite.exists()):
        raise ValueError(f"{name}: {path} is a suite; name another file")
    if args.make:
        check_making(args)
        return
    if not args.agents:
        raise ValueError("name one agent or more to be measured, or --make a suite")
    if not args.suites and not find_suites(args.ruleset):
        raise ValueError(f"no suites of {args.ruleset!r} come with the package: --make some, and name their --suites")
    suites = [resolve_links(suite) for suite in args.suites]
    for name, given in (("an agent", args.agents), ("--suites", suites)):
        for each, count in Counter(given).items():
            if count > 1:
                raise ValueError(f"{name} must be named once, not {count} times: {each}")
    for spec in args.agents:
        make_agent(spec)


def check_companions(args: Args) -> None:
    """Raise `ValueError` where an option is given, other than by default, without the --make that it belongs to."""
    for kind, names in MAKING.items():
        for name in names:
            if args.make != kind and getattr(args, name) != getattr(Args, name):
                raise ValueError(f"--{name} must come with --make {kind}, whose suite it is about")


def check_making(args: Args) -> None:
    """Raise `ValueError` where a suite cannot be made as `args` ask for."""
    if args.agents or args.out is None:
        raise ValueError("--make takes no agents, and needs --out, the file to write")
    check_ranges(args, RANGES)
    if args.make == CHOICES and not any(count for _, count in count_choices(args)):
        asked = "--placements, --sends and --scorings" if has_scorings(args.ruleset) else "--placements and --sends"
        raise ValueError(f"{asked} must not all be 0 in {args.ruleset!r}")


def has_scorings(ruleset: str) -> bool:
    """Return whether players decide in which order areas are scored."""
    return bool(get_ruleset(ruleset).actions.has_track)


def describe(args: Args) -> dict[str, Any]:
    """Return the command and the versions."""
    return {
        "command": format_command("regret"),
        "seed": args.seed,
        "versions": list_versions(("numpy", "numba")),
    }


if __name__ == "__main__":
    run_script("regret", Args, main, __doc__)
