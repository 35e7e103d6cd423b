"""What `zamek train` does for castle-cards: policy gradient in games of two, against itself and `greedy`.

Below `--out` it writes `weights.npz` (the agent `ppo:OUT/weights.npz`), `config.json`, `config.yaml` and TensorBoard
logs.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.logger import Logger, configure
from tqdm import tqdm

from zamek_agents.castle_cards.learner import Learner
from zamek_agents.castle_cards.network import make_weights, write_network
from zamek_agents.castle_cards.self_play import make_games
from zamek_agents.ppo.learner import LEAST_RATE
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_scripts.config_file import write_config
from zamek_scripts.run_folder import check_folder
from zamek_scripts.tracking import track
from zamek_scripts.whole_file import write_whole

if TYPE_CHECKING:
    from zamek_scripts.train import Args

_USED = (  # arguments that mean something here; all others must be as they are by default
    "out", "ruleset", "steps", "minutes", "overwrite", "config", "track", "seed", "games", "opponent_games",
    "learning_rate", "gae_lambda",
)  # fmt: skip
_LOGGED = 20  # batches between two entries of the log


def set_up(args: "Args") -> Learner:
    """Return a new network that learns. Raises `ValueError`, having written nothing, where `args` do not fit."""
    for field in fields(args):
        if field.name not in _USED and getattr(args, field.name) != field.default:
            raise ValueError(f"--{field.name.replace('_', '-')} is for games of tiles only, not for {CASTLE_CARDS}")
    if args.opponent_games > args.games:
        raise ValueError(f"--opponent-games must be at most --games, {args.games}, not {args.opponent_games}")
    check_folder(args)
    compile_all()
    return Learner(make_weights(), make_games(args.seed))


def compile_all() -> None:
    """Learn a little with another network, so that all is compiled before the clock starts."""
    Learner(make_weights(), make_games(0)).learn(2, 1, 0.0, 1.0)


def run(args: "Args", learner: Learner, about: dict[str, Any]) -> int:
    """Train, and write everything below `args.out`; return how many decisions were learned from.

    `about` is told with the weights. Raises `DivergedError` where learning diverges, `OSError` where nothing can be
    written.
    """
    write_config(args, "train")
    decisions = 0
    with track(args, about):
        logger = configure(str(args.out), ["tensorboard"])
        for batch, (decisions, wins) in enumerate(train(args, learner), start=1):
            if batch % _LOGGED == 0 and args.opponent_games:
                _log(logger, decisions, wins)
        logger.close()
    told = about | {"decisions": decisions}
    with write_whole(args.out / "weights.npz", binary=True) as file:
        write_network(file, learner.weights, told)
    with write_whole(args.out / "config.json") as file:
        json.dump(told, file, indent=1)
        file.write("\n")
    return decisions


def train(args: "Args", learner: Learner) -> Iterator[tuple[int, float]]:
    """Learn from batch after batch of games; yield how many decisions that were, and the wins of late."""
    started, decisions, wins = time.monotonic(), 0, 0.5
    with tqdm(total=args.steps, unit="decision", unit_scale=True) as bar:
        while (done := _find_done(args, decisions, started)) < 1:
            rate = args.learning_rate * max(LEAST_RATE, 1 - done)
            found = learner.learn(args.games, args.opponent_games, rate, args.gae_lambda)
            decisions += found.decisions
            if args.opponent_games:
                wins += (found.wins / args.opponent_games - wins) / min(learner.steps, _LOGGED)
                bar.set_postfix_str(f"wins against greedy {wins:.1%}")
            bar.update(min(found.decisions, args.steps - bar.n))
            yield decisions, wins


def _find_done(args, decisions, started):
    """Return the share of the training that is done: of the decisions, or of the time if that is shorter."""
    share = decisions / args.steps
    return share if args.minutes is None else max(share, (time.monotonic() - started) / (60 * args.minutes))


def _log(logger: Logger, decisions: int, wins: float) -> None:
    logger.record("train/wins", wins)
    logger.dump(decisions)
