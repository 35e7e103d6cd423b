"""Refine the evaluation of the agent `value`: fit its weights to many games at once, and to the worths of choices.

A round collects games by the weights so far, and decisions whose choices are valued by games played on from each. Then
all weights are fitted to both. Everything is written below `--out`: `weights.npz` (the agent `value:OUT/weights.npz`),
`curve.json` (how the weights of each round fared against those at the start), `config.yaml` (which `--config` takes
back), and `refined.npz`, from which `--resume` goes on as if it had never stopped.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

import zamek_env
from zamek_agents.pretrained import find_shipped
from zamek_agents.value import refining
from zamek_agents.value.collect import Recipe
from zamek_agents.value.training import PERMILLE
from zamek_agents.value.weights import (
    MAX_ROUNDS,
    REFINED,
    REFINED_FORMAT,
    Refined,
    load_refined,
    load_weights,
    write_file,
    write_refined,
)
from zamek_agents.workers import Workers
from zamek_env.base.chance import MAX_DEAL
from zamek_env.common.messages import show_count
from zamek_env.ruleset import Ruleset
from zamek_scripts import run_folder, shared_args
from zamek_scripts.atomic_file import write_atomic, write_json
from zamek_scripts.provenance import check_tracking, format_command, list_arguments, track
from zamek_scripts.terminal import naming, reporting_failures, reporting_refusals

COMMAND = "refine-value"
RANGES = {  # what numbers among the arguments may be
    "seed": (0, MAX_DEAL), "rounds": (1, MAX_ROUNDS), "games": (0, 10**6), "decisions": (0, 10**6),
    "match_deals": (0, 10**6), "exploration": (0, PERMILLE), "passes": (1, 1000), "top": (1, 1000),
    "other": (0, 1000), "deals": (1, 10_000), "turns": (1, 1000), "trace": (0.0, 1.0), "share": (1e-6, 1e6),
    "spread": (1e-6, 1e3),
}  # fmt: skip


@dataclass
class Args(run_folder.RunArgs):
    """The weights to refine, the time for it, and the folder to write to."""

    out: Path = Path("runs/refined")
    """folder for everything that is written"""
    resume: Path | None = None
    """a `refined.npz` to go on from, with the seed it was begun with"""
    ruleset: shared_args.RulesetName = zamek_env.RULESETS[0]
    components: shared_args.ComponentsFolder = None
    players: int | None = None
    """how many play: in Carcassonne 1 to 5, by default 2"""
    rules: shared_args.HouseRulesText = ""
    weights: Path | None = None
    """file of weights to begin with, such as those for other players, by default those that come with the package; with
    --resume it is not read"""
    rounds: int = 2
    """rounds to have made in the end, those before `--resume` among them"""
    seed: int = 1
    """of all deals and random moves"""
    workers: int | None = None
    """processes that play, by default as many as there are cores; the weights do not depend on it"""
    ray: shared_args.RayAddress = None

    games: int = 12_000
    """games of a round; 0: none"""
    exploration: int = 20
    """decisions in a thousand that are drawn at random in these games"""
    decisions: int = 20_000
    """decisions of a round whose choices are valued; 0: none"""
    top: int = 6
    """choices of such a decision: those that promise most"""
    other: int = 2
    """choices beside these, drawn at random"""
    deals: int = 2
    """deals that all choices of a decision meet"""
    turns: int = 6
    """turns that are played on from a choice before the position is valued"""

    trace: float = 0.8
    """λ: how much of what happened later in a game counts for the positions before"""
    share: float = 1.0
    """what a position of the games counts, beside a choice"""
    spread: float = 0.5
    """points by which what a feature adds may be off: the larger, the farther weights move"""
    passes: int = 4
    """how often the returns of the games are computed again in a round"""
    match_deals: int = 200
    """deals played against the weights at the start after each round, from all seats; 0 for none"""


def check(args: Args) -> None:
    """Raise `ValueError` for invalid arguments."""
    shared_args.check_ranges(args, RANGES)
    if args.games + args.decisions == 0:
        raise ValueError("--games and --decisions must not both be 0")
    if args.decisions and args.top + args.other < 2:
        raise ValueError("--top and --other must be 2 choices or more together, not 1")
    read = "weights" if args.resume is None else "resume"  # which holds the weights of the start too
    path = getattr(args, read)
    if path is not None and not path.is_file():
        raise ValueError(f"--{read}: there is no file {path}")
    shared_args.check_workers(args.workers, args.ray)
    check_tracking(args)


def begin(asked: Args) -> tuple[Args, Ruleset, Refined]:
    """Return the arguments, with those of a resumed run, the ruleset, and the state from which the refinement goes on.

    Raises `ValueError` where a file cannot be used.
    """
    args = asked
    if asked.resume is not None:
        with naming("--resume"):
            args = run_folder.take_held(asked, run_folder.read_begun(asked.resume, REFINED, REFINED_FORMAT))
    ruleset = shared_args.find_ruleset(args.ruleset, args.components, players=args.players, rules=args.rules)
    run_folder.check_folder(args)
    if asked.resume is not None:
        with naming("--resume"):
            refined = load_refined(asked.resume, ruleset)
        return run_folder.take_held(args, {"seed": refined.seed}), ruleset, refined
    with naming("--weights"):
        start = load_weights(asked.weights or find_shipped("value", ruleset), ruleset)
    return args, ruleset, Refined(start, start, args.seed, [], 0.0)


# --- the work ---


def main(asked: Args) -> None:
    """Refine, and write everything below `asked.out`.

    A resumed run is written at once, so that no file is missing or older than the rest, even if no round is left. Exits
    with code 2, having written nothing, for invalid `asked`, and with 1 where the fit diverges or the disk is full;
    then all files are those of the last round.
    """
    with ExitStack() as open_till_the_end:
        with reporting_refusals(COMMAND):
            check(asked)
            args, ruleset, refined = begin(asked)
            named = shared_args.name_ruleset(args)
            make_ready = partial(refining.compile_named, named, refined.start)
            tasks = args.games + args.decisions + args.match_deals
            workers = open_till_the_end.enter_context(shared_args.open_workers(args, tasks, make_ready))
            log = open_till_the_end.enter_context(track(args, {"version": zamek_env.__version__}))
            open_till_the_end.enter_context(run_folder.begin_run(args))
        with reporting_failures(COMMAND, partial(run_folder.describe_left, COMMAND, args)):
            run_folder.mark_run(args, COMMAND)
            if args.resume is not None:
                save(args, ruleset, refined)  # the run may be over, and files missing
            rounds = len(refined.curve)
            for row in refine(args, ruleset, named, refined, workers):
                rounds = row["round"]
                log(row, rounds)
    if rounds == len(refined.curve):
        print(run_folder.describe_over(args, show_count(rounds, "round"), "rounds"))
    print(f"{show_count(rounds, 'round')}; the agent is value:{args.out / 'weights.npz'}")


def refine(
    args: Args, ruleset: Ruleset, named: refining.NamedRuleset, refined: Refined, workers: Workers
) -> Iterator[dict[str, Any]]:
    """Make the rounds that are left; yield the row of each, once its files are written.

    Raises `DivergedError` in place of a useless round, `OSError` where a file cannot be written, and `WorkerLostError`.
    """
    steps = args.games + args.decisions + args.passes + args.match_deals  # of a round
    began = time.monotonic() - refined.seconds
    state = refined
    with tqdm(total=args.rounds * steps, initial=len(state.curve) * steps) as progress:
        while len(state.curve) < args.rounds:
            weights, row = make_round(args, named, state, workers, progress)
            seconds = round(time.monotonic() - began, 1)
            state = state._replace(weights=weights, curve=[*state.curve, row], seconds=seconds)
            save(args, ruleset, state)
            progress.set_postfix({name: f"{value:.3g}" for name, value in row.items()})
            yield row


def make_round(args: Args, named: refining.NamedRuleset, state: Refined, workers: Workers, progress: Any) -> Any:
    """Return (weights after one more round, its row of the curve)."""
    settings = refining.Settings(
        args.games, args.exploration, args.decisions, Recipe(args.top, args.other, args.deals, args.turns),
        args.trace, args.share, args.spread, args.passes,
    )  # fmt: skip
    row: dict[str, Any] = {"round": len(state.curve) + 1}
    tasks = refining.list_tasks(named, state.weights, settings, (state.seed, row["round"]))
    collected = refining.Collected([], [])
    progress.set_description("playing")
    for count in refining.collect(workers, tasks, collected):
        progress.update(count)
    progress.set_description("fitting")
    weights = state.weights
    for fitted, errors in refining.fit_collected(collected, state.weights, settings):
        weights = fitted
        row |= errors
        progress.update()
    progress.set_description("match")
    for count, standing in refining.play_match(workers, named, weights, state.start, args.match_deals):
        row |= standing
        progress.update(count)
    return weights, row


def save(args: Args, ruleset: Ruleset, state: Refined) -> None:
    """Write weights, the state for `--resume`, curve and arguments below `args.out`."""
    about = {
        "command": format_command(COMMAND),
        "arguments": list_arguments(args),
        "seconds": state.seconds,
        "version": zamek_env.__version__,
    }
    with write_atomic(args.out / "refined.npz", binary=True) as file:
        write_refined(file, state, ruleset, about)
    with write_atomic(args.out / "weights.npz", binary=True) as file:
        write_file(file, state.weights, ruleset, about | {"rounds": len(state.curve)})
    write_json(args.out / "curve.json", state.curve)
    run_folder.write_config(args, COMMAND)
