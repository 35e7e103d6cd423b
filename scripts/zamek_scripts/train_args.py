"""The arguments of `zamek train`, and their checks."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import zamek_env
from zamek_agents.base import find_evaluating
from zamek_agents.pretrained import MAX_COUNT, MAX_PAST, MAX_SIZE, is_shipped, list_shipped
from zamek_agents.registry import make_agent
from zamek_env.make_game import FAMILIES
from zamek_env.ruleset import Ruleset
from zamek_scripts import shared_args
from zamek_scripts.provenance import check_tracking
from zamek_scripts.run_folder import RunArgs
from zamek_scripts.terminal import naming

VALUE = "value"  # the teacher by default
MAX_SEED = 2**32 - 1  # numpy's older generators, which Stable-Baselines3 seeds, take no more
RANGES = {  # what numbers among the arguments may be
    **dict.fromkeys(("steps", "imitate", "past_games", "opponent_games"), (0, MAX_COUNT)),
    **dict.fromkeys(("games", "imitation_games", "imitation_repeats", "imitation_kept"), (1, MAX_COUNT)),
    **dict.fromkeys(("epochs", "past_every", "checkpoint_every"), (1, MAX_COUNT)),
    **dict.fromkeys(("rollout", "batch"), (2, MAX_COUNT)),
    **dict.fromkeys(("width", "hidden"), (1, MAX_SIZE)),
    "past_kept": (1, MAX_PAST), "threads": (1, 1024), "seed": (0, MAX_SEED), "gae_lambda": (0, 1),
}  # fmt: skip


@dataclass
class Args(RunArgs):
    """The agent to train, the time for it, and the folder to write to."""

    out: Path = Path("runs/zamek")
    """folder for everything that is written"""
    resume: Path | None = None
    """a checkpoint to go on from, with the same arguments; for castle-cards a `learner.npz`"""
    ruleset: shared_args.AnyRulesetName = zamek_env.RULESETS[0]
    components: shared_args.ComponentsFolder = None
    weights: Path | None = None
    """a file of weights or a checkpoint whose network to begin with, of the same --width and --hidden; with --resume
    it is not read"""
    imitate: int = 0
    """decisions to learn from the teacher before self-play"""
    teacher: str = VALUE
    """agent to imitate, with --imitate: value, or one that values actions in points, such as mcts:simulations=50"""
    steps: int = 2_000_000
    """decisions of self-play to train for, over all games together; 0 only with `--imitate`"""
    minutes: float | None = None
    """stop after this many minutes, those before `--resume` among them, even if decisions are left"""
    seed: int = 1
    """of the network, the deals and the actions"""
    threads: int = 2
    """processor threads for torch, the games and the teacher"""

    games: int = 64
    """games played at once; the learner plays both seats, except in those of the next options"""
    past_games: int = 16
    """of these, against past selves"""
    opponents: tuple[str, ...] = ("greedy",)
    """agents to play against"""
    opponent_games: int = 8
    """of the games, against each of them"""
    past_every: int = 20
    """updates between two past selves"""
    past_kept: int = 20
    """past selves kept, the oldest are forgotten"""
    reward: Literal["win", "score", "delta"] = "delta"
    """result, final score difference, or every change of it"""

    imitation_games: int = 512
    """games played at once while imitating; one decision of each makes a gradient step"""
    imitation_rate: float = 3e-3
    """learning rate of the imitation, falling to a fiftieth"""
    imitation_repeats: int = 1
    """gradient steps for one decision of each game: one on these, the others on earlier ones"""
    imitation_kept: int = 50_000
    """decisions kept for that, of the last ones"""
    rollout: int = 64
    """decisions a game between two updates"""
    batch: int = 1024
    """decisions in a gradient step"""
    epochs: int = 3
    """passes over the decisions of an update"""
    learning_rate: float = 3e-4
    """of self-play, falling to a fiftieth"""
    gae_lambda: float = 0.9
    """how far advantages look ahead"""
    entropy: float = 0.005
    """weight of the entropy bonus"""
    width: int = 64
    """numbers made of each area that an action would change"""
    hidden: int = 128
    """of all other layers of the network"""
    checkpoint_every: int = 250_000
    """decisions between two checkpoints"""


def check_numbers(args: Args) -> None:
    """Raise `ValueError` for numbers among the arguments that are invalid for any ruleset."""
    shared_args.check_ranges(args, RANGES)
    if args.steps == args.imitate == 0:
        raise ValueError("--steps must be at least 1 where --imitate is 0, not 0")
    for name in ("imitation_rate", "learning_rate"):
        if not 0 < getattr(args, name) < math.inf:
            raise ValueError(f"--{name.replace('_', '-')} must be a positive number, not {getattr(args, name)}")
    if not math.isfinite(args.entropy):
        raise ValueError(f"--entropy must be a finite number, not {args.entropy}")
    shared_args.check_minutes(args.minutes)
    check_tracking(args)


def check(args: Args) -> Ruleset:
    """Return the `Ruleset` asked for. Raises `ValueError` for invalid arguments."""
    check_numbers(args)
    met = len(args.opponents) * args.opponent_games
    if args.past_games + met > args.games:
        raise ValueError(
            f"--past-games ({args.past_games}) and --opponent-games ({args.opponent_games} for each of the "
            f"--opponents, {met} in all) must leave room in --games ({args.games}), not take {args.past_games + met}"
        )
    decisions = args.rollout * args.games
    if decisions % args.batch == 1:  # advantages are divided by their standard deviation, and one alone has none
        raise ValueError(
            f"--batch must not leave one decision alone of the {decisions} of an update, --rollout times --games, as "
            f"{args.batch} does"
        )
    if args.resume is not None and not args.resume.is_file():
        raise ValueError(f"--resume: there is no checkpoint {args.resume}")
    if args.weights is not None and args.resume is None and not args.weights.is_file():
        raise ValueError(f"--weights: there is no file {args.weights}")
    ruleset = shared_args.find_ruleset(args.ruleset, args.components, FAMILIES)
    if args.imitate and not is_shipped("value", ruleset):
        known = ", ".join(list_shipped("value"))
        own = "" if ruleset.is_packaged else " on components of your own"
        raise ValueError(f"--imitate must be 0 for {args.ruleset!r}{own}: there is a teacher only for {known}")
    if args.teacher != VALUE and not args.imitate:
        raise ValueError("--teacher must come with --imitate, which says from how many of its decisions to learn")
    with naming("--teacher"):
        find_evaluating(make_agent(args.teacher))
    return ruleset
