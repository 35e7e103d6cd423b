"""`zamek train` for castle-cards: policy gradient in two-player games, against itself and `greedy`.

Below `--out` it writes `weights.npz` (the agent `ppo:OUT/weights.npz`), `learner.npz` (from which `--resume` goes on),
`config.json`, `config.yaml` and TensorBoard logs.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, fields
from typing import Any

from stable_baselines3.common.logger import configure
from tqdm import tqdm

from zamek_agents.castle_cards.learner import Counters, Learner, load_checkpoint, write_checkpoint
from zamek_agents.castle_cards.network import make_weights, write_network
from zamek_agents.castle_cards.self_play import make_games
from zamek_agents.ppo.learner import LEAST_RATE, Clock
from zamek_env.common.messages import show_count
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_scripts.atomic_file import write_atomic, write_json
from zamek_scripts.run_folder import check_folder, take_held, write_config
from zamek_scripts.terminal import naming
from zamek_scripts.train_args import Args

_USED = (  # arguments that mean something here; all others must be as they are by default
    "out", "ruleset", "steps", "minutes", "resume", "overwrite", "config", "track", "seed", "games", "opponent_games",
    "learning_rate", "gae_lambda", "checkpoint_every",
)  # fmt: skip
_LOGGED = 20  # batches between two entries of the log


class Training:
    """A network that learns, its progress, and the arguments of the run."""

    def __init__(self, args: Args) -> None:
        """Begin or resume a training run. Raises `ValueError`, having written nothing, where `args` do not fit."""
        for field in fields(args):
            if field.name not in _USED and getattr(args, field.name) != field.default:
                raise ValueError(f"--{field.name.replace('_', '-')} is for games of tiles only, not for {CASTLE_CARDS}")
        if args.opponent_games > args.games:
            raise ValueError(f"--opponent-games must be at most --games, {args.games}, not {args.opponent_games}")
        if args.resume is None:
            self.args, self.counters = args, Counters()
            self.learner = Learner(make_weights(args.seed), make_games(args.seed))
        else:
            with naming("--resume"):
                self.learner, self.counters, seed = load_checkpoint(args.resume)
            self.args = take_held(args, {"seed": seed})
        check_folder(args)
        compile_all()

    def run(self, about: dict[str, Any]) -> None:
        """Learn, and write everything below `args.out`, with what is noted `about` it.

        Raises `DivergedError` where learning diverges, and `OSError` where something cannot be written. Earlier files
        are kept then.
        """
        args, counters = self.args, self.counters
        write_config(args, "train")
        with closing(configure(str(args.out), ["tensorboard"])) as logger:
            saved = counters.decisions
            for _ in self._learn():
                if self.learner.batches % _LOGGED == 0 and args.opponent_games:
                    logger.record("train/wins", counters.wins)
                    logger.dump(counters.decisions)
                if counters.decisions >= saved + args.checkpoint_every:
                    saved = counters.decisions
                    self._save(about)
        self._save(about)

    def describe_learned(self) -> str:
        """Return in words from how many decisions it has learned."""
        return show_count(self.counters.decisions, "decision")

    def _learn(self) -> Iterator[None]:
        """Learn from batch after batch of games; yield after each."""
        args, counters = self.args, self.counters
        clock = Clock(counters, args.minutes)
        with tqdm(total=args.steps, initial=counters.decisions, unit="decision", unit_scale=True) as bar:
            while (left := min(clock.left, 1 - counters.decisions / args.steps)) > 0:
                rate = args.learning_rate * max(LEAST_RATE, left)
                wins, decisions = self.learner.learn(args.games, args.opponent_games, rate, args.gae_lambda)
                counters.decisions += decisions
                clock.tick()
                if args.opponent_games:
                    share = wins / args.opponent_games
                    counters.wins += (share - counters.wins) / min(self.learner.batches, _LOGGED)
                    bar.set_postfix_str(f"wins against greedy {counters.wins:.1%}")
                bar.update(min(counters.decisions, args.steps) - bar.n)
                yield

    def _save(self, about):
        noted = about | asdict(self.counters)
        with write_atomic(self.args.out / "learner.npz", binary=True) as file:
            write_checkpoint(file, self.learner, self.counters, self.args.seed, about)
        with write_atomic(self.args.out / "weights.npz", binary=True) as file:
            write_network(file, self.learner.weights, noted)
        write_json(self.args.out / "config.json", noted)


def compile_all() -> None:
    """Learn a little with another network, so that all is compiled before the clock starts."""
    Learner(make_weights(0), make_games(0)).learn(2, 1, 0.0, 1.0)
