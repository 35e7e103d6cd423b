"""Measure how many points the decisions of agents lose, on positions where the worth of every choice is known.

Suites of positions come with the package. `--make` makes others. `--games` takes the positions of recorded games, and
measures those who played them too. docs/regret.md says what all numbers mean.
"""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from tqdm import tqdm

from zamek_agents.analysis.reading import count_lines, read_lines
from zamek_agents.atomic_dir import resolve_links
from zamek_agents.named_ruleset import name_table
from zamek_agents.plain_file import digest_files
from zamek_agents.registry import make_agent
from zamek_agents.search.base import can_solve
from zamek_agents.suites import measure
from zamek_agents.suites.making import Recipe, make_one_quickly, make_worths
from zamek_agents.suites.suite import (
    CHOICES,
    CHOOSE,
    ENDGAME_TILES,
    ENDGAMES,
    PLACE,
    SCORE,
    SEND,
    find_suites,
    new_suite,
    read_suite,
    write_suite,
)
from zamek_env import RULESETS, Game
from zamek_env.common.messages import show_count
from zamek_env.ruleset import Ruleset
from zamek_scripts import shared_args
from zamek_scripts.atomic_file import check_new_file, open_output, write_atomic
from zamek_scripts.provenance import format_command, list_versions
from zamek_scripts.terminal import make_console, reporting_errors

MAKING = {  # options that mean something only where a suite of that kind is made
    CHOICES: ("placements", "sends", "scorings", "hands"),
    ENDGAMES: ("endgames", "tiles"),
}
VALUING = ("deals", "turns")  # those of suites of choices and of games
RANGES = {  # what whole numbers among those may be
    "placements": (0, 10_000), "sends": (0, 10_000), "scorings": (0, 10_000), "hands": (0, 10_000),
    "endgames": (1, 10_000), "deals": (2, 10_000), "turns": (0, 1000),
}  # fmt: skip


@dataclass
class Args:
    agents: tyro.conf.Positional[tuple[str, ...]] = ()
    """agents to measure: random, greedy, value[:PATH], expectimax[:OPTIONS], mcts[:OPTIONS], ppo[:PATH],
    MODULE:CLASS, FILE.py:CLASS, and all others of docs/agents.md that play games of tiles"""
    more_agents: Annotated[tuple[str, ...], tyro.conf.arg(name="agents", aliases=["--agent"])] = ()
    """the same, or more of them, after other options"""
    games: Path | None = None
    """file of game records, one JSON record a line, all of one ruleset of tiles of the package, one number of players
    and the same house rules: measure those who played these games, and the agents in their place, instead of agents on
    suites; `zamek evaluate --records` writes such"""
    ruleset: Literal[RULESETS] = RULESETS[0]  # type: ignore[valid-type]  # the names are known when this runs
    """of the positions, one of the package: suites are not made of components of one's own; with --games that of the
    games"""
    players: int | None = None
    """how many play in the positions, of Carcassonne 1 to 5; not with --games, whose records say it"""
    rules: shared_args.HouseRulesText = ""
    suites: tuple[Path, ...] = ()
    """files of suites, by default those in the package for the ruleset"""
    seed: int = 0
    """from which all random decisions follow, with --make all positions, and with --games the deals"""
    workers: int | None = None
    """processes, by default one a core; the results do not depend on it unless agents are given seconds"""
    ray: shared_args.RayAddress = None
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
    hands: int = 100
    """how many times a tile is chosen out of a hand; none without hands of three"""
    endgames: int = 1000
    """how many --make endgames takes"""
    tiles: Literal[3, 4] = 3
    """left in an endgame, the one to be placed included"""
    deals: int = 200
    """deals that a choice meets unless it is surely worse than the best, with --make choices or --games"""
    turns: int = 8
    """turns that are played on before a position is valued; 0: to the end of the game"""


# --- the work ---


def main(args: Args) -> None:
    """Measure, or make a suite. Exits with code 2, having written nothing, for invalid `args`."""
    joined = replace(args, agents=(*args.agents, *args.more_agents), more_agents=())
    with reporting_errors("regret", joined.games):
        ruleset = check(joined)
        if joined.make:
            make(joined, ruleset)
        else:
            measure_and_print(joined, ruleset)


def measure_and_print(args: Args, ruleset: Ruleset) -> None:
    """Let the agents decide, write the results and print them, even if writing fails, so that nothing is lost."""
    positions = read_positions(args) if args.games else []
    paths = [] if args.games else list_paths(args, ruleset)
    measure.check_suites(paths, ruleset)  # before workers are started
    about: dict[str, Any] = {"suites": list(map(describe_file, paths))}
    if args.games:
        games = {**describe_file(args.games), "games": count_lines(args.games)}
        about = {"games": games, "deals": args.deals, "turns": args.turns}
    with ExitStack() as open_till_the_end:
        file = open_till_the_end.enter_context(open_output(args.json, args.overwrite))
        decisions = decide_in_games(args, positions) if args.games else decide(args, paths, ruleset)
        losses = measure.find_losses(decisions)
        excess = {kind: measure.find_excess(decisions, kind) for kind in dict.fromkeys(one.kind for one in decisions)}
        try:
            if file:
                report = {"losses": [asdict(loss) for loss in losses], "excess": excess, "decisions": len(decisions)}
                json.dump({**describe(args), **about, **report}, file, indent=2)
                file.write("\n")
            open_till_the_end.close()
        finally:
            make_console().print(measure.make_table(losses, excess))  # once all is written: its reader may be gone


def decide(args: Args, paths: Sequence[str], ruleset: Ruleset) -> list[measure.Decision]:
    """Let the agents decide on suites of positions of a `Ruleset`."""
    total = len(args.agents) * sum(len(read_suite(path).worths) for path in paths)
    make_ready = partial(measure.decide_once, args.agents, paths[0])
    make_ready()  # agents that do not play the ruleset are refused now
    decisions: list[measure.Decision] = []
    tasks = -(-total // measure.PORTION)
    with shared_args.open_workers(args, tasks, make_ready) as workers, tqdm(total=total, unit="decision") as progress:
        for some in measure.measure(args.agents, paths, ruleset, args.seed, workers):
            decisions.extend(some)
            progress.update(len(some))
    return decisions


def read_positions(args: Args) -> list[measure.Position]:
    """Return the positions of the recorded games. Raises `ValueError` where they are not of `--ruleset`."""
    assert args.games is not None
    with tqdm(read_lines(args.games), total=count_lines(args.games), unit="game") as records:
        positions = measure.find_positions(records)
    found = Game.parse_position(positions[0].line, seed=0).ruleset.name
    if args.ruleset not in (found, Args.ruleset):
        raise ValueError(f"--ruleset must be left out or {found!r}, that of the games, not {args.ruleset!r}")
    return positions


def decide_in_games(args: Args, positions: Sequence[measure.Position]) -> list[measure.Decision]:
    """Let the agents decide in all positions of recorded games, and value their choices and those of the players."""
    make_ready = partial(measure.prepare, args.agents, positions[0])
    make_ready()
    choices: list[int] = []
    with shared_args.open_workers(args, len(positions), make_ready) as workers:
        with tqdm(total=(1 + len(args.agents)) * len(positions), unit="decision") as progress:
            for some in measure.choose_all(args.agents, positions, args.seed, workers):
                choices.extend(some)
                progress.update(len(some))
        valuing = measure.Valuing(args.seed, args.deals, args.turns)
        worths = list(tqdm(measure.value_all(positions, valuing, workers), total=len(positions), unit="position"))
    return measure.find_decisions(args.agents, positions, choices, worths)


def make(args: Args, ruleset: Ruleset) -> None:
    """Make a suite and write it."""
    assert args.out is not None
    kinds = count_choices(args, ruleset)
    if args.make == ENDGAMES:
        kinds = tuple((kind, args.endgames) for kind, tiles in ENDGAME_TILES.items() if tiles == args.tiles)
    recipe = Recipe(args.ruleset, kinds, args.seed, args.deals, args.turns, args.players, args.rules)
    made = {name: value for name, value in asdict(recipe).items() if value not in (None, "")}
    total = sum(count for _, count in kinds)
    with write_atomic(args.out, binary=True, overwrite=args.overwrite) as file:
        with shared_args.open_workers(args, total, partial(make_one_quickly, recipe)) as workers:
            found = list(tqdm(make_worths(recipe, workers), total=total, unit="position"))
        write_suite(file, new_suite(args.make or CHOICES, args.ruleset, {**describe(args), **made}, found))
    print(f"{show_count(len(found), 'position')}: {args.out}")


def count_choices(args: Args, ruleset: Ruleset) -> tuple[tuple[str, int], ...]:
    """Return (kind of decision, how many) of a suite of choices."""
    scorings = args.scorings if ruleset.actions.has_track else 0
    chosen = ((CHOOSE, args.hands),) if ruleset.sizes.hand_size > 1 else ()
    return (PLACE, args.placements), (SEND, args.sends), (SCORE, scorings), *chosen


# --- arguments ---


def check(args: Args) -> Ruleset:
    """Return the `Ruleset` of the positions of suites. Raises `ValueError` for invalid `args`."""
    shared_args.check_seed(args.seed)
    shared_args.check_workers(args.workers, args.ray)
    if args.make and (args.json or args.suites):
        raise ValueError("--json and --suites must be left out with --make, which writes a suite and measures nobody")
    if args.out and not args.make:
        raise ValueError("--out must come with --make, whose suite it is; results are written by --json")
    if args.games and (args.make or args.suites):
        raise ValueError("--make and --suites must be left out with --games, whose positions are valued and measured")
    if args.games and not args.games.is_file():
        raise ValueError(f"there is no file {str(args.games)!r} of records")
    if args.games and (args.players is not None or args.rules):
        raise ValueError("--players and --rules must be left out with --games: the records say it")
    ruleset = shared_args.find_ruleset(args.ruleset, players=args.players, rules=args.rules)
    check_companions(args)
    name, path = ("--out", args.out) if args.make else ("--json", args.json)
    if path:
        check_new_file(name, path, args.overwrite)
    if path and path.exists() and any(path.samefile(suite) for suite in args.suites if suite.exists()):
        raise ValueError(f"{name}: {path} is a suite; name another file")
    if path and path.exists() and args.games and path.samefile(args.games):
        raise ValueError(f"{name}: {path} is the file of --games; name another file")
    if args.make:
        check_making(args, ruleset)
        return ruleset
    if args.games:
        shared_args.check_ranges(args, RANGES)
    elif not args.agents:
        raise ValueError("name one agent or more to be measured, or --games, or --make a suite")
    elif not list_paths(args, ruleset):
        raise ValueError(
            f"no suites of {name_table(ruleset)!r} come with the package: --make some, and name their --suites"
        )
    suites = [resolve_links(suite) for suite in args.suites]
    for name, given in (("an agent", args.agents), ("--suites", suites)):
        for each, count in Counter(given).items():
            if count > 1:
                raise ValueError(f"{name} must be named once, not {count} times: {each}")
    for spec in args.agents:
        make_agent(spec)
    return ruleset


def check_companions(args: Args) -> None:
    """Raise `ValueError` where an option is given, other than by default, without what it belongs to."""
    for kind, names in MAKING.items():
        if args.make != kind:
            shared_args.refuse_given(args, names, f"must come with --make {kind}, whose suite it is about")
    if args.make != CHOICES and not args.games:
        shared_args.refuse_given(args, VALUING, f"must come with --make {CHOICES} or --games, whose choices are valued")


def check_making(args: Args, ruleset: Ruleset) -> None:
    """Raise `ValueError` where `args` are invalid for making a suite."""
    if args.agents or args.out is None:
        raise ValueError("--make takes no agents, and needs --out, the file to write")
    shared_args.check_ranges(args, RANGES)
    if args.make == ENDGAMES and not can_solve(ruleset):
        raise ValueError(
            "--make endgames solves games of two, without hands and with no tiles back in the bag; "
            "--make choices values all others too"
        )
    if args.make == CHOICES and not any(count for _, count in count_choices(args, ruleset)):
        asked = ["--placements", "--sends"]
        asked += ["--scorings"] * ruleset.actions.has_track + ["--hands"] * (ruleset.sizes.hand_size > 1)
        raise ValueError(f"{', '.join(asked[:-1])} and {asked[-1]} must not all be 0 in {name_table(ruleset)!r}")


def list_paths(args: Args, ruleset: Ruleset) -> list[str]:
    """Return the files of --suites, by default those in the package, which are of unchanged packaged rulesets."""
    return [str(path) for path in args.suites or (find_suites(ruleset.name) if ruleset.is_packaged else ())]


def describe(args: Args) -> dict[str, Any]:
    """Return the command and the versions."""
    return {"command": format_command("regret"), "seed": args.seed, "versions": list_versions(("numpy", "numba"))}


def describe_file(path: Path | str) -> dict[str, Any]:
    """Return name and digest of a file."""
    return {"file": Path(path).name, "digest": digest_files(Path(path))}
