"""What `zamek train` does for castle-cards: masked PPO against `greedy` and itself, for two players.

Below `--out` it writes `weights.npz` (the agent `ppo:OUT/weights.npz`), `config.json`, `config.yaml` and TensorBoard
logs.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger, configure
from tqdm import tqdm

from zamek_agents.castle_cards.learner import Network, Settings, find_weights, learn, play
from zamek_agents.castle_cards.network import MAX_HIDDEN, write_network
from zamek_agents.castle_cards.self_play import Games, begin_games
from zamek_agents.ppo.learner import LEAST_RATE
from zamek_scripts.config_file import write_config
from zamek_scripts.run_folder import begin_run, check_folder
from zamek_scripts.tracking import track
from zamek_scripts.whole_file import write_whole

if TYPE_CHECKING:
    from zamek_scripts.train import Args

RULESET = "castle-cards"
_USED = (  # arguments that mean something here; all others must be as they are by default
    "out", "ruleset", "steps", "minutes", "overwrite", "config", "track", "seed", "threads", "games", "opponent_games",
    "rollout", "batch", "epochs", "learning_rate", "gae_lambda", "entropy", "hidden",
)  # fmt: skip
_RECENT = 500  # games over which progress is averaged


def set_up(args: "Args") -> tuple[Network, Games]:
    """Return a new network and its games. Raises `ValueError`, having written nothing, where `args` do not fit."""
    for field in fields(args):
        if field.name not in _USED and getattr(args, field.name) != field.default:
            raise ValueError(f"--{field.name.replace('_', '-')} is for games of tiles only, not for {RULESET}")
    if args.opponent_games > args.games:
        raise ValueError(f"--opponent-games must be at most --games ({args.games}), not {args.opponent_games}")
    if args.hidden > MAX_HIDDEN:
        raise ValueError(f"--hidden must be at most {MAX_HIDDEN}, not {args.hidden}")
    check_folder(args)
    torch.set_num_threads(args.threads)
    compile_all()
    torch.manual_seed(args.seed)
    return Network(args.hidden), begin_games(args.games, args.games - args.opponent_games, args.seed)


def compile_all() -> None:
    """Learn a little with another network, so that all is compiled before the clock starts."""
    network, settings = Network(1), Settings(rollout=2, batch=2, epochs=1, gae_lambda=0.9, entropy=0.0)
    played = play(network, begin_games(2, 1, 0), settings, torch.Generator())
    learn(network, torch.optim.Adam(network.parameters()), played, settings)


def run(args: "Args", network: Network, games: Games, about: dict[str, Any]) -> int:
    """Train, and write everything below `args.out`; return how many decisions were learned from.

    `about` is told with the weights. Raises `DivergedError` where learning diverges, `OSError` where nothing can be
    written.
    """
    begin_run(args)
    write_config(args, "train")
    decisions = 0
    with track(args, about):
        logger = configure(str(args.out), ["tensorboard"])
        for decisions, figures in train(args, network, games):
            _log(logger, decisions, figures)
        logger.close()
    told = about | {"decisions": decisions}
    with write_whole(args.out / "weights.npz", binary=True) as file:
        write_network(file, find_weights(network), told)
    with write_whole(args.out / "config.json") as file:
        json.dump(told, file, indent=1)
        file.write("\n")
    return decisions


def train(args: "Args", network: Network, games: Games) -> Iterator[tuple[int, dict[str, float]]]:
    """Learn from rollout after rollout; yield how many decisions that were, and figures for a log."""
    settings = Settings(args.rollout, args.batch, args.epochs, args.gae_lambda, args.entropy)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate)
    generator = torch.Generator().manual_seed(args.seed)
    started, decisions, recent = time.monotonic(), 0, np.zeros(0)
    with tqdm(total=args.steps, unit="decision", unit_scale=True) as bar:
        while (done := _find_done(args, decisions, started)) < 1:
            for group in optimizer.param_groups:
                group["lr"] = args.learning_rate * (1 - done * (1 - LEAST_RATE))
            played = play(network, games, settings, generator)
            figures = learn(network, optimizer, played, settings)
            decisions += played.actions.size
            mirrored = args.games - args.opponent_games
            wins = played.rewards[:, mirrored:][played.ended[:, mirrored:]] / 2 + 0.5
            recent = np.concatenate([recent, wins])[-_RECENT:]
            if recent.size:
                figures["wins"] = float(recent.mean())
                bar.set_postfix_str(f"wins against greedy {figures['wins']:.1%}")
            bar.update(min(played.actions.size, args.steps - bar.n))
            yield decisions, figures


def _find_done(args, decisions, started):
    """Return the share of the training that is done: of the decisions, or of the time if that is shorter."""
    share = decisions / args.steps
    return share if args.minutes is None else max(share, (time.monotonic() - started) / (60 * args.minutes))


def _log(logger: Logger, decisions: int, figures: dict[str, float]) -> None:
    for name, figure in figures.items():
        logger.record(f"train/{name}", figure)
    logger.dump(decisions)
