"""Learn the evaluation of the agent `value` by self-play.

Everything is written below `--out`: `weights.npz` (the agent `value:OUT/weights.npz`), `curve.json` (how it fared
against the greedy player on the way), `config.yaml` (which `--config` takes back), and `learner.npz`, from which
`--resume` goes on as if it had never stopped.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

import zamek_env
from zamek_agents.pretrained import find_weights
from zamek_agents.value import learner
from zamek_agents.value.training import PERMILLE
from zamek_agents.value.weights import MAX_GAMES, load_weights, write_file
from zamek_agents.workers import Workers
from zamek_env.base.chance import MAX_DEAL
from zamek_env.common.messages import show_count
from zamek_env.ruleset import Ruleset
from zamek_scripts import run_folder, shared_args
from zamek_scripts.atomic_file import write_atomic, write_json
from zamek_scripts.provenance import check_tracking, format_command, list_arguments, track
from zamek_scripts.terminal import naming, reporting_failures, reporting_refusals

MAX_MATCH = 1_000_000  # deals
RANGES = {  # what numbers among the arguments may be
    "games": (1, MAX_GAMES), "memory": (1, MAX_GAMES), "report_every": (1, MAX_GAMES), "match_deals": (0, MAX_MATCH),
    "trace": (0, 1), "exploration": (0, PERMILLE), "seed": (0, MAX_DEAL),
}  # fmt: skip
SETTINGS = ("rate", "trace", "exploration", "memory")  # of the learner


@dataclass
class Args(run_folder.RunArgs):
    """The evaluation to learn, the time for it, and the folder to write to."""

    out: Path = Path("runs/value")
    """folder for everything that is written"""
    resume: Path | None = None
    """a `learner.npz` to go on from, with the seed and the settings of learning it was begun with"""
    ruleset: shared_args.RulesetName = zamek_env.RULESETS[0]
    components: shared_args.ComponentsFolder = None
    players: int | None = None
    """how many play: in Carcassonne 1 to 5, by default 2"""
    rules: shared_args.HouseRulesText = ""
    weights: Path | None = None
    """weights to begin with, a file or a folder with a model, by default none; such as those for other players"""
    games: int = 100_000
    """games to have played against itself in the end, those before `--resume` among them"""
    minutes: float | None = None
    """stop after this many minutes, those before `--resume` among them, even if games are left; then the last report
    comes early"""
    seed: int = 1
    """of the deals and the random moves"""
    seeds: tuple[int, ...] = ()
    """instead of --seed: train a player from each of these, side by side, each into a folder `seed-N` below --out"""
    workers: int | None = None
    """processes that learn, one a seed, by default as many as there are cores"""
    ray: shared_args.RayAddress = None

    rate: float = 0.3
    """how far a weight moves at first, in points a point of error, shared by the features of a position"""
    trace: float = 0.8
    """λ: how much of what happened later counts for the positions before"""
    exploration: int = 20
    """decisions in a thousand that are drawn at random"""
    memory: int = 5_000
    """games over which weights are averaged for `weights.npz`"""

    report_every: int = 2_000
    """games between two reports, at which everything is written"""
    match_deals: int = 100
    """deals played against the greedy player at each report, from both seats; 0 for none"""


# --- files ---


def save(
    args: Args, ruleset: Ruleset, learners: npt.NDArray[np.record], curve: list[dict[str, Any]], seconds: float
) -> None:
    """Write learner, weights, curve and arguments below `args.out`."""
    about = {
        "command": format_command("train-value"),
        "arguments": list_arguments(args),
        "games": int(learners["games"][0]),
        "seconds": round(seconds, 1),
        "version": zamek_env.__version__,
    }
    with write_atomic(args.out / "learner.npz", binary=True) as file:
        learner.write_learner(file, learners, ruleset, about | {"curve": curve, "seconds": seconds})
    with write_atomic(args.out / "weights.npz", binary=True) as file:
        write_file(file, learners["means"][0], ruleset, about)
    write_json(args.out / "curve.json", curve)
    run_folder.write_config(args, "train-value")


def check(args: Args) -> None:
    """Raise `ValueError` for invalid arguments."""
    shared_args.check_ranges(args, RANGES)
    for seed in args.seeds:
        shared_args.check_range("--seeds", seed, 0, MAX_DEAL)
    if len(set(args.seeds)) < len(args.seeds):
        raise ValueError("--seeds must differ from each other")
    if args.seeds and (args.seed != Args.seed or args.resume is not None or args.track is not None):
        raise ValueError("--seed, --resume and --track must be left out with --seeds: each is of one run")
    shared_args.check_workers(args.workers, args.ray)
    if args.workers is not None and not args.seeds:
        raise ValueError("--workers must come with --seeds: one player is trained in one process")
    check_tracking(args)
    if not 0 < args.rate <= learner.MAX_RATE:
        raise ValueError(f"--rate must be a positive number up to {learner.MAX_RATE:g}, not {args.rate}")
    shared_args.check_minutes(args.minutes)
    if args.resume is not None and args.weights is not None:
        raise ValueError("--weights must be left out with --resume, which goes on from weights of its own")
    if args.resume is not None and not args.resume.is_file():
        raise ValueError(f"--resume: there is no learner {args.resume}")


# --- the work ---


class Run:
    """A run of one learner, and its folder `args.out`."""

    def __init__(self, args: Args) -> None:
        """Begin or resume a run. Raises `ValueError` where its folder or the learner to resume cannot be used."""
        begun: dict[str, Any] = {}
        if args.resume is not None:
            with naming("--resume"):
                begun = run_folder.read_begun(args.resume, "learner", learner.FORMAT)
        self.args = run_folder.take_held(args, begun)
        players, rules = self.args.players, self.args.rules
        self.ruleset = ruleset = shared_args.find_ruleset(args.ruleset, args.components, players=players, rules=rules)
        run_folder.check_folder(args)
        self.curve: list[dict[str, Any]] = []
        self.seconds = 0.0  # of learning
        if args.resume is None:
            settings = {name: getattr(args, name) for name in SETTINGS}
            weights = None if args.weights is None else load_weights(find_weights(args.weights, "value"), ruleset)
            self.learners = learner.new_learner(ruleset, args.seed, settings, weights)
            return
        with naming("--resume"):
            self.learners, self.curve, self.seconds = learner.load_learner(args.resume, ruleset)
        self.args = run_folder.take_held(self.args, {name: self.learners[name][0].item() for name in SETTINGS})

    @property
    def games(self) -> int:
        return int(self.learners["games"][0])

    def begin(self) -> None:
        """Write the arguments. A resumed run is written completely: it may be over, with files missing or older."""
        run_folder.mark_run(self.args, "train-value")
        if self.args.resume is not None:
            save(self.args, self.ruleset, self.learners, self.curve, self.seconds)

    def submit_next(self, workers: Workers) -> Callable[[], Any] | None:
        """Submit the next chunk of learning, and return the function that gives its result; None where the run is over.

        However short the time, a new run learns from a few games, so that there is something to write.
        """
        args = self.args
        left = 60 * (args.minutes or math.inf) - self.seconds
        if self.games >= args.games or (left <= 0 and self.games):
            return None
        games = min(args.report_every - self.games % args.report_every, args.games - self.games)
        return workers.submit(
            learner.learn_chunk, shared_args.name_ruleset(args), self.learners, games, args.match_deals, left
        )

    def take(self, result: tuple[npt.NDArray[np.record], dict[str, Any], float]) -> None:
        """Go on from the result of a chunk, and write all files. Raises `OSError` where one cannot be written."""
        self.learners, row, seconds = result
        self.curve.append(row)
        self.seconds += seconds
        save(self.args, self.ruleset, self.learners, self.curve, self.seconds)


def main(args: Args) -> None:
    """Learn, and write everything below `args.out`.

    Exits with code 2, having written nothing, for invalid `args`, and with 1 where learning diverges or the disk is
    full; then all files are those of the last report.
    """
    with ExitStack() as open_till_the_end:
        with reporting_refusals("train-value"):
            check(args)
            runs = [Run(each) for each in list_runs(args)]
            make_ready = partial(learner.compile_named, shared_args.name_ruleset(runs[0].args))
            workers = open_till_the_end.enter_context(shared_args.open_workers(args, len(runs), make_ready))
            if args.ray is None:
                learner.compile_all(runs[0].ruleset)  # before the clock starts
            tracked = track(runs[0].args, {"version": zamek_env.__version__})  # the only run, where one is tracked
            log = open_till_the_end.enter_context(tracked)
            for run in runs:
                open_till_the_end.enter_context(run_folder.begin_run(run.args))
        before = runs[0].games
        with reporting_failures(
            "train-value", lambda: "".join(run_folder.describe_left("train-value", run.args) for run in runs)
        ):
            for run in runs:
                run.begin()
            for row in learn(runs, workers):
                log(row, row["games"])
    if runs[0].games == before:
        print(run_folder.describe_over(args, show_count(before, "game"), "games", "minutes"))
    for run in runs:
        print(f"{show_count(run.games, 'game')}; the agent is value:{run.args.out / 'weights.npz'}")


def list_runs(args: Args) -> list[Args]:
    """Return the arguments of each run: one for each of `--seeds`, if there are any."""
    alone = replace(args, seeds=(), workers=None, ray=None)
    return [replace(alone, seed=seed, out=args.out / f"seed-{seed}") for seed in args.seeds] or [alone]


def learn(runs: Sequence[Run], workers: Workers) -> Iterator[dict[str, Any]]:
    """Go on with all runs, side by side; yield each report, once its files are written.

    Raises `DivergedError` in place of a useless report, `OSError` where a file cannot be written, and
    `WorkerLostError`.
    """
    total, done = (sum(numbers) for numbers in zip(*((run.args.games, run.games) for run in runs), strict=True))
    waiting = deque((run, run.submit_next(workers)) for run in runs)
    with tqdm(total=total, initial=done, unit="game") as progress:
        while waiting:
            run, get_result = waiting.popleft()
            if get_result is None:
                continue
            before = run.games
            run.take(get_result())
            waiting.append((run, run.submit_next(workers)))
            progress.update(run.games - before)
            progress.set_postfix({name: f"{value:.3g}" for name, value in run.curve[-1].items()})
            yield run.curve[-1]
