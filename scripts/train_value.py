"""Learn the evaluation of the agent `value` by self-play.

Reads top to bottom: the arguments, the learner, the work. Everything is written below `--out`: `weights.npz` (the
agent `value:OUT/weights.npz`), `curve.json` (how it fared against the greedy player on the way), `config.yaml`
(which `--config` takes back), and `learner.npz`, from which `--resume` goes on as if it had never stopped.
"""

import json
import math
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

import zamek_env
from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.divergence import DivergedError
from zamek_agents.extras import MissingExtraError
from zamek_agents.value.choice import count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.learner import MAX_RATE, check_progress, load_learner, new_learner, write_learner
from zamek_agents.value.training import PERMILLE, episode_dtype, play_match, train
from zamek_agents.value.weights import MAX_GAMES, write_file
from zamek_env.core.chance import MAX_DEAL
from zamek_env.ruleset import Ruleset
from zamek_scripts.config_file import parse, write_config
from zamek_scripts.run_folder import begin_run, check_folder
from zamek_scripts.terminal import any_output, fail
from zamek_scripts.tracking import Tracker, check_tracking, track
from zamek_scripts.which_ruleset import ComponentsFolder, RulesetName, find_ruleset
from zamek_scripts.whole_file import write_whole

BAD_INPUT, FAILED = 2, 1  # exit codes
MAX_MATCH = 1_000_000  # deals
FIRST_MATCH_DEAL = 1_000_000  # the deals of matches, the same every time
COUNTS = {  # what whole numbers among the arguments may be
    "games": (1, MAX_GAMES), "memory": (1, MAX_GAMES), "report_every": (1, MAX_GAMES), "match_deals": (0, MAX_MATCH),
}  # fmt: skip
SETTINGS = ("rate", "trace", "exploration", "memory")  # of the learner


@dataclass
class Args:
    """What to learn, how long, and where to write it."""

    out: Path = Path("runs/value")
    """folder for everything that is written"""
    ruleset: RulesetName = zamek_env.RULESETS[0]
    components: ComponentsFolder = None
    games: int = 100_000
    """games to have played against itself in the end, those before `--resume` among them"""
    minutes: float | None = None
    """stop after this many minutes, even if games are left"""
    resume: Path | None = None
    """a `learner.npz` to go on from, with the seed and the settings of learning it was begun with"""
    overwrite: bool = False
    """replace the run that `--out` holds"""
    config: Path | None = None
    """a `config.yaml` of a run, or one of your own: arguments for all that is not said here"""
    track: Tracker = None
    seed: int = 1
    """of the deals and the random moves"""

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
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "arguments": {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()},
        "games": int(learners["games"][0]),
        "seconds": round(seconds, 1),
        "version": zamek_env.__version__,
    }
    with write_whole(args.out / "learner.npz", binary=True) as file:
        write_learner(file, learners, ruleset, about | {"curve": curve, "seconds": seconds})
    with write_whole(args.out / "weights.npz", binary=True) as file:
        write_file(file, learners["means"][0], ruleset, about)
    with write_whole(args.out / "curve.json") as file:
        json.dump(curve, file, indent=1)
        file.write("\n")
    write_config(args, "train-value")


def check(args: Args) -> None:
    """Raise `ValueError` for arguments that cannot be."""
    for name, (least, most) in COUNTS.items():
        if not least <= getattr(args, name) <= most:
            allowed = f"at least {least}" if getattr(args, name) < least else f"at most {most}"
            raise ValueError(f"--{name.replace('_', '-')} must be {allowed}, not {getattr(args, name)}")
    if not 0 <= args.seed <= MAX_DEAL:
        raise ValueError(f"--seed must lie in 0 to {MAX_DEAL}, not {args.seed}")
    if not 0 <= args.trace <= 1:
        raise ValueError(f"--trace must lie in 0 to 1, not {args.trace}")
    if not 0 <= args.exploration <= PERMILLE:
        raise ValueError(f"--exploration must lie in 0 to {PERMILLE}, not {args.exploration}")
    if not 0 < args.rate <= MAX_RATE:
        raise ValueError(f"--rate must be a positive number up to {MAX_RATE:g}, not {args.rate}")
    if args.minutes is not None and not 0 < args.minutes < math.inf:
        raise ValueError(f"--minutes must be a positive number, not {args.minutes}")
    if args.resume is not None and not args.resume.is_file():
        raise ValueError(f"--resume: there is no learner {args.resume}")


# --- the work ---


def main(args: Args) -> None:
    """Learn, and write everything below `args.out`.

    Exits with code 2, having written nothing, where `args` cannot be followed, and with 1 where learning diverges or
    the disk is full; then all files are those of the last report.
    """
    try:
        check(args)
        check_tracking(args)
        ruleset = find_ruleset(args.ruleset, args.components)
        check_folder(args)
        learners, curve, seconds = set_up(args, ruleset)
        begin_run(args)
    except (ValueError, OSError, MissingExtraError) as error:
        fail("train-value", error, BAD_INPUT)
    try:
        with track(args, {"version": zamek_env.__version__}) as log:
            for row in learn(args, ruleset, learners, curve, seconds):
                log(row, row["games"])
    except (DivergedError, OSError) as error:
        fail("train-value", f"{error}; what was written to {args.out} before is kept", FAILED)
    print(f"{int(learners['games'][0])} games; the agent is value:{args.out / 'weights.npz'}")


def set_up(args: Args, ruleset: Ruleset) -> tuple[npt.NDArray[np.record], list[dict[str, Any]], float]:
    """Return (learner, curve, seconds) to begin with. Raises `ValueError` where there is none to resume."""
    if args.resume is None:
        return new_learner(ruleset, args.seed, {name: getattr(args, name) for name in SETTINGS}), [], 0.0
    try:
        return load_learner(args.resume, ruleset)
    except ValueError as error:
        raise ValueError(f"--resume: {error}") from error


def learn(
    args: Args, ruleset: Ruleset, learners: npt.NDArray[np.record], curve: list[dict[str, Any]], seconds: float
) -> Iterator[dict[str, Any]]:
    """Go on learning, after `seconds` before, as far as `args` ask for; yield each report, once all files are written.

    Writes `learners` and `curve`. Raises `DivergedError` in place of a report that would be of no use, and `OSError`
    where a file cannot be written.
    """
    learner, episodes = learners[0], np.zeros(1, episode_dtype(ruleset.sizes))
    states, logs = ruleset.new_states(1 + count_trials(ruleset.sizes)), ruleset.new_log()
    compile_all(ruleset)  # before the clock starts
    started = time.monotonic() - seconds
    end = math.inf if args.minutes is None else started + seconds + 60 * args.minutes
    with tqdm(total=args.games, initial=int(learner["games"]), unit="game") as progress:
        while learner["games"] < args.games and time.monotonic() < end:
            played = int(learner["games"])
            games = min(args.report_every - played % args.report_every, args.games - played)
            learner["squared_error"], learner["squared_margin"], learner["positions"] = 0, 0, 0
            train(ruleset.tables, states, logs, learners, episodes, games)
            check_progress(learners, ruleset, games)
            curve.append(report(args, ruleset, states, logs, learner))
            progress.update(games)
            progress.set_postfix({name: f"{value:.3g}" for name, value in curve[-1].items()})
            save(args, ruleset, learners, curve, time.monotonic() - started)
            yield curve[-1]


def compile_all(ruleset: Ruleset) -> None:
    """Compile what learning takes, by learning from no game and playing no match."""
    states, logs = ruleset.new_states(1 + count_trials(ruleset.sizes)), ruleset.new_log()
    learners, episodes = new_learner(ruleset, 0, {}), np.zeros(1, episode_dtype(ruleset.sizes))
    train(ruleset.tables, states, logs, learners, episodes, 0)
    play_match(ruleset.tables, states, logs, new_evaluators(ruleset, learners["means"]), FIRST_MATCH_DEAL, 0)


def report(
    args: Args, ruleset: Ruleset, states: npt.NDArray[np.record], logs: npt.NDArray[np.record], learner: np.record
) -> dict[str, Any]:
    """Return how the learner stands, for the curve."""
    row = {
        "games": int(learner["games"]),
        "error": round(math.sqrt(learner["squared_error"] / max(1, learner["positions"])), 3),  # points
    }
    if args.match_deals:
        evaluators, games = new_evaluators(ruleset, learner["means"]), GAMES_PER_PAIR * args.match_deals
        played = play_match(ruleset.tables, states, logs, evaluators, FIRST_MATCH_DEAL, args.match_deals)
        wins, shared, margins = (int(number) for number in played)
        row |= {"win_rate": (wins + shared / 2) / games, "margin": margins / games}
    return row


if __name__ == "__main__":
    with any_output():
        try:
            asked_for = parse(Args, sys.argv[1:], description=__doc__)
        except ValueError as error:
            fail("train-value", error, BAD_INPUT)
        main(asked_for)
