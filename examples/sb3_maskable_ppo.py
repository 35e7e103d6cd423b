"""`MaskablePPO` of sb3-contrib against an opponent; nothing here is ours but the environment.

    python examples/sb3_maskable_ppo.py --opponent greedy --save model.zip

`sb3_agent.py` lets the model play against others.

`opponent=` matters. Without it the seats alternate: the next observation is the other player's, and MaskablePPO takes
the prospects of that player for those of the learner. It then trains without an error, and worse.
"""

from dataclasses import dataclass
from pathlib import Path

import tyro
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import FlattenExtractor

import zamek_env  # noqa: F401 - registers the environments


@dataclass
class Args:
    env_id: str = "Zamek-v0"  # an environment of tiles
    opponent: str = "random"  # any agent by name
    steps: int = 300_000  # decisions of training
    games: int = 8  # at once
    evaluate_every: int = 50_000  # decisions
    evaluation_games: int = 50
    learning_rate: float = 1e-3
    seed: int = 1
    save: Path | None = None  # where to; what lies there is replaced


class Squash(FlattenExtractor):
    """Most entries of an observation are 0 or 1, and some go up to 60: this brings them together."""

    def forward(self, observations):
        return super().forward(observations).log1p()


def train(args: Args) -> MaskablePPO:
    # flat=True: one array, for MlpPolicy. reward="delta": each change of the difference of points ÷ 100.
    arguments = {"opponent": args.opponent, "flat": True}
    env = make_vec_env(args.env_id, args.games, seed=args.seed, env_kwargs={**arguments, "reward": "delta"})
    evaluated = make_vec_env(args.env_id, 1, seed=args.seed + 1_000_000, env_kwargs={**arguments, "reward": "win"})
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=512,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=args.learning_rate,
        policy_kwargs={"net_arch": [128, 128], "features_extractor_class": Squash},
        seed=args.seed,
        device="cpu",
    )
    # A reward of +1 is a game won, −1 one lost. It must be this callback: that of SB3 itself knows no masks.
    every = max(1, args.evaluate_every // args.games)  # it counts steps of all games at once
    evaluation = MaskableEvalCallback(evaluated, n_eval_episodes=args.evaluation_games, eval_freq=every)
    model.learn(args.steps, callback=evaluation, progress_bar=True)
    if args.save is not None:
        model.save(args.save)
    return model


if __name__ == "__main__":
    train(tyro.cli(Args))
