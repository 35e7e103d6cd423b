"""Train a player: first by imitating another agent, then by masked PPO against itself and opponents.

Everything is written below `--out`: `weights.npz` (the agent `ppo:OUT/weights.npz`), `checkpoint-N.npz` and `final.npz`
(from which `--resume` goes on, and agents too), `config.json` (where the weights come from), `config.yaml` (which
`--config` takes back), and TensorBoard logs.
"""

from contextlib import ExitStack
from functools import partial
from typing import Any

from zamek_agents.registry import make_agent
from zamek_env.common.extras import needs_train_extra
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_scripts.provenance import describe_run, track
from zamek_scripts.run_folder import begin_run, check_folder, describe_left, describe_over
from zamek_scripts.terminal import naming, reporting_failures, reporting_refusals
from zamek_scripts.train_args import Args, check, check_numbers

PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")  # whose versions are noted


def main(args: Args) -> None:
    """Train, and write everything below `args.out`.

    Exits with code 2, having written nothing, for invalid `args`, and with 1 where learning diverges or the disk is
    full; then all checkpoints written before are left.
    """
    with ExitStack() as open_till_the_end:
        with reporting_refusals("train"):
            training = begin(args)
            about = describe_run("train", training.args, PACKAGES)
            open_till_the_end.enter_context(track(training.args, about))
            open_till_the_end.enter_context(begin_run(args))
        before = training.describe_learned()
        with reporting_failures("train", partial(describe_left, "train", args)):
            training.run(about)
    learned = training.describe_learned()
    if learned == before:
        print(describe_over(args, learned, "steps", "minutes"))
    print(f"{learned}; the agent is ppo:{args.out / 'weights.npz'}")


def begin(args: Args) -> Any:
    """Return the `Training` that `args` ask for, of tiles or of cards. Raises `ValueError` for invalid ones.

    The learner is imported here, once all else is checked: torch takes seconds to load.
    """
    if args.ruleset == CASTLE_CARDS:
        check_numbers(args)
        with needs_train_extra("zamek train"):
            from zamek_scripts import train_castle_cards
        return train_castle_cards.Training(args)
    ruleset = check(args)
    check_folder(args)
    with naming("--opponents"):
        opponents = [make_agent(name) for name in args.opponents]
    with needs_train_extra("zamek train"):
        from zamek_scripts import train_tiles
    return train_tiles.Training(args, ruleset, opponents)
