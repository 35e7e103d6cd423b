"""Train a player: first by imitating another agent, then by masked PPO against itself and opponents.

Reads top to bottom: the arguments, the work, the checks. Everything is written below `--out`: `weights.npz` (the agent
`ppo:OUT/weights.npz`), `checkpoint-N.npz` and `final.npz` (from which `--resume` goes on, and agents too),
`config.json` (where the weights come from), `config.yaml` (which `--config` takes back), and TensorBoard logs.
"""

import json
import math
import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

# Before torch is loaded: threads that wait must sleep, or training all but stops once the processors are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import configure

import zamek_env
from zamek_agents.base import Agent, find_evaluating
from zamek_agents.ppo.checkpoint import MAX_COUNT, MAX_PAST, load_checkpoint, write_checkpoint
from zamek_agents.ppo.imitation import Lessons
from zamek_agents.ppo.learner import Counters, make_model, seed_leg
from zamek_agents.ppo.opponents import PastSelves, VecOpponent
from zamek_agents.ppo.self_play import SelfPlayVecEnv
from zamek_agents.ppo.teachers import AgentTeacher, Teacher, ValueTeacher
from zamek_agents.ppo.weights import MAX_SIZE, check_network, load_policy, make_policy, write_weights
from zamek_agents.registry import make_agent
from zamek_agents.shipped import is_shipped, list_shipped
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.make_game import FAMILIES
from zamek_env.messages import show_count
from zamek_env.ruleset import Ruleset
from zamek_scripts import train_cards
from zamek_scripts.config_file import run_script, write_config
from zamek_scripts.number_ranges import check_range, check_ranges
from zamek_scripts.provenance import tell_arguments, tell_command, tell_versions
from zamek_scripts.run_folder import begin_run, check_folder, check_minutes
from zamek_scripts.terminal import naming, told_failures, told_refusals
from zamek_scripts.tracking import Tracker, check_tracking, track
from zamek_scripts.train_progress import Pool, Progress
from zamek_scripts.which_ruleset import AnyRulesetName, ComponentsFolder, find_ruleset
from zamek_scripts.whole_file import write_whole

LEAST = {  # that whole numbers among the arguments may be
    "games": 1, "imitation_games": 1, "rollout": 2, "batch": 2, "epochs": 1, "threads": 1, "past_every": 1,
    "past_kept": 1, "width": 1, "hidden": 1, "checkpoint_every": 1, "steps": 0, "imitate": 0, "past_games": 0,
    "opponent_games": 0, "seed": 0, "imitation_repeats": 1, "imitation_kept": 1,
}  # fmt: skip
VALUE = "value"  # the teacher that needs no agent
MAX_SEED = 2**32 - 1  # numpy's older generators, which Stable-Baselines3 seeds, take no more
LEFT = "; what was written to {} before is kept"  # where training ends early
MOST = {"width": MAX_SIZE, "hidden": MAX_SIZE, "past_kept": MAX_PAST, "threads": 1024, "seed": MAX_SEED}


@dataclass
class Args:
    """What to train, how long, and where to write it."""

    out: Path = Path("runs/zamek")
    """folder for everything that is written"""
    ruleset: AnyRulesetName = zamek_env.RULESETS[0]
    components: ComponentsFolder = None
    weights: Path | None = None
    """a file of weights or a checkpoint whose network to begin with, of the same --width and --hidden; with --resume
    it is not read"""
    imitate: int = 0
    """decisions of the teacher to learn from first"""
    teacher: str = VALUE
    """agent to imitate, with --imitate: value, or one that values actions in points, such as mcts:simulations=50"""
    steps: int = 2_000_000
    """decisions of self-play to train for, over all games together; 0 only with `--imitate`"""
    minutes: float | None = None
    """stop after this many minutes, even if decisions are left"""
    resume: Path | None = None
    """a checkpoint to go on from, with the same arguments; for castle-cards a `learner.npz`"""
    overwrite: bool = False
    """replace the run that `--out` holds"""
    config: Path | None = None
    """a `config.yaml` of a run, or one of your own: arguments for all that is not said here"""
    track: Tracker = None
    seed: int = 1
    """of the network, the deals and the actions"""
    threads: int = 2
    """processor threads for torch, the games and the teacher"""

    games: int = 64
    """games of self-play at once; but for the following, mirror games in which the learner plays both seats"""
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
    width: int = 256
    """of the summary of a position"""
    hidden: int = 128
    """of what is made of each placement and segment"""
    checkpoint_every: int = 250_000
    """decisions between two checkpoints"""


# --- the work ---


def main(args: Args) -> None:
    """Train, and write everything below `args.out`.

    Exits with code 2, having written nothing, where `args` cannot be followed, and with 1 where learning diverges or
    the disk is full; then all checkpoints written before are left.
    """
    if args.ruleset == CASTLE_CARDS:
        main_cards(args)
        return
    with ExitStack() as open_till_the_end:
        with told_refusals("train"):
            ruleset = check(args)
            check_folder(args)
            model, games, past_selves, counters = set_up(args, ruleset)
            open_till_the_end.enter_context(begin_run(args))
        with told_failures("train", LEFT.format(args.out)):
            write_config(args, "train")  # before anything else: by it the folder is known as that of a run
            write_about(args, describe(args, model, counters))
            with track(args, tell(args)):
                train(args, model, past_selves, counters, games)
            save(args, "final.npz", model, past_selves, counters)
            about = describe(args, model, counters)
            with write_whole(args.out / "weights.npz", binary=True) as file:
                write_weights(file, model.policy, about)
            write_about(args, about)
    learned = f"{counters.imitated} decisions imitated, {model.num_timesteps} of self-play"
    print(f"{learned}; the agent is ppo:{args.out / 'weights.npz'}")


def main_cards(args: Args) -> None:
    """Do what `main` does, for castle-cards."""
    with ExitStack() as open_till_the_end:
        with told_refusals("train"):
            check_numbers(args)
            training = train_cards.Training(args)
            open_till_the_end.enter_context(begin_run(args))
        with told_failures("train", LEFT.format(args.out)):
            training.run(tell(training.args))
    print(f"{show_count(training.counters.decisions, 'decision')}; the agent is ppo:{args.out / 'weights.npz'}")


def set_up(args: Args, ruleset: Ruleset) -> tuple[MaskablePPO, SelfPlayVecEnv, PastSelves, Counters]:
    """Return model, games, past selves and counters. Raises `ValueError` where `args` cannot be followed."""
    past_selves = PastSelves(args.past_kept)
    agents = [(make_agent(name), args.opponent_games) for name in args.opponents]
    torch.set_num_threads(args.threads)
    opponents: list[tuple[VecOpponent | Agent, int]] = [(past_selves, args.past_games), *agents]
    games = SelfPlayVecEnv(args.games, opponents, args.reward, ruleset, args.threads)
    model, counters = make_model(args, games), Counters()
    if args.resume is not None:
        with naming("--resume"):
            counters = load_checkpoint(args.resume, model, past_selves)
    elif args.weights is not None:
        begin_with(args.weights, model.policy)
    compile_all(args, ruleset, [(agent, 1) for agent, _ in agents])
    return model, games, past_selves, counters


def begin_with(path: Path, policy: Any) -> None:
    """Give `policy` the weights of the network in a file. Raises `ValueError` where they do not fit it."""
    with naming("--weights"):
        found: Any = load_policy(path, policy.features_extractor.ruleset)[0]
    sizes, expected = ((each.features_extractor.width, each.features_extractor.hidden) for each in (found, policy))
    if sizes != expected:
        given = "width {} and hidden {}".format(*sizes)
        raise ValueError(f"--weights: {path} has a network of {given}, not {expected[0]} and {expected[1]}")
    policy.load_state_dict(found.state_dict())


def make_teacher(args: Args, ruleset: Ruleset, threads: int, seed: int) -> Teacher:
    """Return the teacher asked for. Raises `ValueError` where there is none of that name."""
    if args.teacher == VALUE:
        return ValueTeacher(ruleset, threads, seed)
    return AgentTeacher([make_agent(args.teacher) for _ in range(threads)], ruleset, seed)


def compile_all(args: Args, ruleset: Ruleset, opponents: Sequence[tuple[Agent, int]]) -> None:
    """Imitate and play a little with another network, so that all is compiled before the clock starts."""
    policy = make_policy(ruleset, 1, 1)
    if args.imitate:
        lessons = Lessons(policy, ruleset, 1, args.reward, 1, args.seed, make_teacher(args, ruleset, 1, args.seed))
        lessons.learn(0.0)
        lessons.close()
    games = SelfPlayVecEnv(1 + len(opponents), opponents, args.reward, ruleset)
    seen: Any = games.reset()
    for _ in range(2):
        masks = np.stack(games.env_method("action_masks"))
        seen = games.step(policy.predict(seen, action_masks=masks)[0])[0]
    games.close()


def train(args: Args, model: MaskablePPO, past_selves: PastSelves, counters: Counters, games: SelfPlayVecEnv) -> None:
    """Train leg by leg, and write a checkpoint after each. Raises `DivergedError` in place of one of no use."""
    progress = Progress(args, model, games, counters)
    model.lr_schedule = lambda _: progress.rate
    model.set_logger(configure(str(args.out), ["tensorboard"]))
    callbacks = CallbackList([Pool(args, past_selves, counters), progress])
    with progress.bar:
        while progress.clock.left > 0 and (counters.imitated < args.imitate or model.num_timesteps < args.steps):
            seed = seed_leg(args.seed, counters.legs)
            counters.legs += 1
            model.set_random_seed(seed)
            if counters.imitated < args.imitate:
                imitate(args, model, counters, progress, seed)
            else:
                play(args, model, past_selves, callbacks, seed)
            check_network(model.policy)
            decisions = counters.imitated + model.num_timesteps
            save(args, f"checkpoint-{decisions}.npz", model, past_selves, counters)


def imitate(args: Args, model: MaskablePPO, counters: Counters, progress: Progress, seed: int) -> None:
    """Let the network learn from the teacher for one leg."""
    policy: Any = model.policy
    ruleset, games, threads = policy.features_extractor.ruleset, args.imitation_games, args.threads
    teacher, kept = make_teacher(args, ruleset, threads, seed), math.ceil(args.imitation_kept / games)
    lessons = Lessons(policy, ruleset, games, args.reward, threads, seed, teacher, args.imitation_repeats, kept)
    end = min(args.imitate, counters.imitated + args.checkpoint_every)
    with closing(lessons):
        while counters.imitated < end:
            lessons.learn(progress.imitation_rate)
            counters.imitated += args.imitation_games
            progress.show_lesson(lessons)
            if not progress.advance(args.imitation_games):
                break


def play(args: Args, model: MaskablePPO, past_selves: PastSelves, callbacks: CallbackList, seed: int) -> None:
    """Let the network learn from its own games for one leg."""
    model._last_obs = None  # so that the games begin anew
    past_selves.seed(seed)
    past_selves.draw(model.policy)
    leg = min(args.checkpoint_every, args.steps - model.num_timesteps)
    try:
        model.learn(leg, callbacks, reset_num_timesteps=False)
    except ValueError:  # torch knows no probabilities that are no numbers
        check_network(model.policy)
        raise


# --- files ---


def describe(args: Args, model: MaskablePPO, counters: Counters) -> dict[str, Any]:
    """Return where a model comes from: command, arguments, how far it is, and versions."""
    return tell(args) | {"decisions": model.num_timesteps, **asdict(counters)}


def tell(args: Args) -> dict[str, Any]:
    """Return command, arguments and versions."""
    return {
        "command": tell_command("train"),
        "arguments": tell_arguments(args),
        "versions": tell_versions(("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")),
    }


def save(args: Args, name: str, model: MaskablePPO, past_selves: PastSelves, counters: Counters) -> None:
    """Write a checkpoint of that name below `args.out`."""
    with write_whole(args.out / name, binary=True) as file:
        write_checkpoint(file, model, past_selves, counters, describe(args, model, counters))


def write_about(args: Args, about: dict[str, Any]) -> None:
    """Write what is told `about` the model beside it."""
    with write_whole(args.out / "config.json") as file:
        json.dump(about, file, indent=1)
        file.write("\n")


# --- the checks ---


def check_numbers(args: Args) -> None:
    """Raise `ValueError` for numbers among the arguments that cannot be, whatever the ruleset."""
    check_ranges(args, {name: (least, MOST.get(name, MAX_COUNT)) for name, least in LEAST.items()})
    if args.steps == args.imitate == 0:
        raise ValueError("--steps must be at least 1 where --imitate is 0, not 0")
    for name in ("imitation_rate", "learning_rate"):
        if not 0 < getattr(args, name) < math.inf:
            raise ValueError(f"--{name.replace('_', '-')} must be a positive number, not {getattr(args, name)}")
    check_range("--gae-lambda", args.gae_lambda, 0, 1)
    if not math.isfinite(args.entropy):
        raise ValueError(f"--entropy must be a finite number, not {args.entropy}")
    check_minutes(args.minutes)
    check_tracking(args)


def check(args: Args) -> Ruleset:
    """Return the `Ruleset` asked for. Raises `ValueError` for arguments that cannot be."""
    check_numbers(args)
    taken = args.past_games + len(args.opponents) * args.opponent_games
    if taken > args.games:
        raise ValueError(
            f"--past-games and --opponent-games must leave room in --games ({args.games}), not take {taken}"
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
    ruleset = find_ruleset(args.ruleset, args.components, FAMILIES)
    if args.imitate and not is_shipped("value", ruleset):
        known = ", ".join(list_shipped("value"))
        own = "" if ruleset.is_packaged else " on components of your own"
        raise ValueError(f"--imitate must be 0 for {args.ruleset!r}{own}: there is a teacher only for {known}")
    if args.teacher != VALUE and not args.imitate:
        raise ValueError("--teacher must come with --imitate, which says from how many of its decisions to learn")
    find_evaluating(make_agent(args.teacher))
    return ruleset


if __name__ == "__main__":
    run_script("train", Args, main, __doc__)
