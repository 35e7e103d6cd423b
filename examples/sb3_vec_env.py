"""`MaskablePPO` on many games at once, without other processes: `make_vec_env` of zamek_env in place of SB3's own.

python examples/sb3_vec_env.py --opponent greedy
python examples/sb3_vec_env.py --castle --players 3 --save castle.zip
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.torch_layers import FlattenExtractor

from zamek_env.sb3 import make_vec_env


@dataclass
class Args:
    castle: bool = False  # the card game, in place of the tile-laying game
    players: int | None = None  # of the card game, by default 3
    opponent: Literal["random", "greedy"] = "random"  # these are compiled; the card game has "random"
    steps: int = 300_000  # decisions of training
    games: int = 32  # at once
    evaluate_every: int = 50_000  # decisions
    evaluation_games: int = 100
    learning_rate: float = 1e-3
    seed: int = 1
    save: Path | None = None  # where to; what lies there is replaced


class Squash(FlattenExtractor):
    """Most entries of an observation are 0 or 1, and some go up to 60: this brings them together."""

    def forward(self, observations):
        return super().forward(observations).log1p()


def train(args: Args) -> MaskablePPO:
    if args.players is not None and not args.castle:
        raise SystemExit("--players must come with --castle, whose players they are")
    if args.castle and args.opponent != "random":
        raise SystemExit("--opponent must be random with --castle: no other is compiled there")
    if args.castle:
        env_id, arguments, training = "CastleCards-v0", {"opponents": "random", "players": args.players or 3}, {}
    else:
        env_id, arguments = "Zamek-v0", {"opponent": args.opponent, "flat": True}
        training = {"reward": "delta"}  # each change of the difference of points ÷ 100
    env = make_vec_env(env_id, args.games, seed=args.seed, env_kwargs={**arguments, **training})
    evaluated = make_vec_env(env_id, args.games, seed=args.seed + 1_000_000, env_kwargs=arguments)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=args.learning_rate,
        policy_kwargs={"net_arch": [128, 128], "features_extractor_class": Squash},
        seed=args.seed,
        device="cpu",
    )
    every = max(1, args.evaluate_every // args.games)  # it counts steps of all games at once
    evaluation = MaskableEvalCallback(evaluated, n_eval_episodes=args.evaluation_games, eval_freq=every)
    model.learn(args.steps, callback=evaluation, progress_bar=True)
    result, _ = evaluate_policy(model, evaluated, args.evaluation_games)
    if args.save is not None:
        model.save(args.save)
    print(f"{args.evaluation_games} games: mean result {result:+.2f}, from -1 to 1")
    return model


if __name__ == "__main__":
    train(tyro.cli(Args))
