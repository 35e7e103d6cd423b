"""`MaskablePPO` of sb3-contrib learns to play Castle, the card game, against two random players or more.

    python examples/sb3_castle.py --save castle.zip

An observation has a row for each legal action. One small network scores them all (`zamek_env.sb3.RowPolicy`).
`sb3_agent.py` lets the model play against others.
"""

from dataclasses import dataclass
from pathlib import Path

import tyro
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from zamek_env.sb3 import RowPolicy, make_vec_env


@dataclass
class Args:
    players: int = 3
    steps: int = 300_000  # decisions of training
    games: int = 32  # at once
    evaluate_every: int = 50_000  # decisions
    evaluation_games: int = 100
    learning_rate: float = 1e-3  # at first; it falls to 0
    seed: int = 1
    save: Path | None = None  # where to; what lies there is replaced


def train(args: Args) -> MaskablePPO:
    for name, value in vars(args).items():
        least = {"seed": 0, "players": 2}.get(name, 1)
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    env, evaluated = (
        make_vec_env("CastleCards-v1", args.games, seed, {"opponent": "random", "players": args.players})
        for seed in (args.seed, args.seed + 1_000_000)
    )
    model = MaskablePPO(
        RowPolicy,
        env,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=lambda left: args.learning_rate * max(left, 0.0),
        seed=args.seed,
        device="cpu",
    )
    every = max(1, args.evaluate_every // args.games)  # it counts steps of all games at once
    evaluation = MaskableEvalCallback(evaluated, n_eval_episodes=args.evaluation_games, eval_freq=every)
    model.learn(args.steps, callback=evaluation, progress_bar=True)
    if args.save is not None:
        model.save(args.save)
    result, _ = evaluate_policy(model, evaluated, args.evaluation_games)
    print(f"{args.evaluation_games} games against random: mean result {result:+.2f}, from -1 to 1")
    return model


if __name__ == "__main__":
    train(tyro.cli(Args))
