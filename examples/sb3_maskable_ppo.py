"""`MaskablePPO` of sb3-contrib learns to play from rows, against an agent.

    python examples/sb3_maskable_ppo.py --save model.zip
    python examples/sb3_maskable_ppo.py --env-id Carcassonne-v1
    python examples/sb3_maskable_ppo.py --env-id CastleCards-v1 --players 3 --opponent random --steps 300000

`sb3_agent.py` lets the model play against others.

`opponent=` matters. Without it the seats alternate: the next observation is the other player's, and MaskablePPO takes
the prospects of that player for those of the learner.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
import tyro
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from zamek_env.sb3 import RowPolicy, make_vec_env


@dataclass
class Args:
    env_id: str = "Zamek-v1"  # an environment with rows
    players: int = 2
    opponent: str = "greedy"  # any agent by name; it plays all other seats
    steps: int = 1_000_000  # decisions of training
    games: int = 32  # at once
    evaluate_every: int = 100_000  # decisions
    evaluation_games: int = 200
    learning_rate: float = 1e-3  # at first; it falls to 0
    seed: int = 1
    threads: int = 1  # of PyTorch
    save: Path | None = None  # where to; what lies there is replaced


def train(args: Args) -> MaskablePPO:
    for name, value in vars(args).items():
        least = {"seed": 0, "players": 2}.get(name, 1)
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.set_num_threads(args.threads)
    # reward="delta": each change of the difference of points ÷ 100. "win": +1 for a game won, −1 for one lost. Castle
    # has the second alone.
    others, has_rewards = {"opponent": args.opponent, "players": args.players}, "Castle" not in args.env_id
    env, evaluated = (
        make_vec_env(args.env_id, args.games, seed, others | ({"reward": reward} if has_rewards else {}))
        for seed, reward in ((args.seed, "delta"), (args.seed + 1_000_000, "win"))
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
    # It must be this callback: that of SB3 itself knows no masks.
    every = max(1, args.evaluate_every // args.games)  # it counts steps of all games at once
    evaluation = MaskableEvalCallback(evaluated, n_eval_episodes=args.evaluation_games, eval_freq=every)
    model.learn(args.steps, callback=evaluation, progress_bar=True)
    if args.save is not None:
        model.save(args.save)
    result, _ = evaluate_policy(model, evaluated, args.evaluation_games)
    won = (1 + result * (args.players - 1)) / args.players  # whoever does not win gets −1 ÷ (players − 1)
    print(f"{args.evaluation_games} games against {args.opponent}: {100 * won:.1f} % won")
    return model


if __name__ == "__main__":
    train(tyro.cli(Args))
