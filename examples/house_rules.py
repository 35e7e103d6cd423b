"""Train on some house rules of Carcassonne, test on others.

    python examples/house_rules.py
    python examples/house_rules.py --steps 100000 --evaluation-games 50

`MaskablePPO` of sb3-contrib learns from games of five sets of house rules at once, and is measured by these and by four
that it has never met. `zamek benchmark carcassonne-variants-v1` does the same with a counted budget and several seeds.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import tyro
from sb3_contrib import MaskablePPO

from zamek_agents.benchmark.joined_vec_env import JoinedVecEnv
from zamek_env.ruleset import get_ruleset
from zamek_env.sb3 import RowPolicy, make_vec_env

TRAINED = ({}, *({name: True} for name in ("back_into_bag", "start_in_bag", "hole_plays_again", "small_city")))
HELD_OUT = (
    {"unfinished_pays_nothing": True},
    {"draw_ahead": True},
    {"small_city": True, "hole_plays_again": True},
    {"draw_ahead": True, "unfinished_pays_nothing": True},
)


@dataclass
class Args:
    opponent: str = "greedy"  # any agent by name
    steps: int = 1_000_000  # decisions of training, by all house rules together
    games: int = 7  # at once by each set of house rules
    evaluation_games: int = 200  # by each set of house rules
    learning_rate: float = 1e-3  # at first; it falls to 0
    seed: int = 1
    threads: int = 1  # of PyTorch


def make_games(rules: dict[str, Any], count: int, seed: int, args: Args, reward: str) -> Any:
    options = {"opponent": args.opponent, "reward": reward, "rules": rules}
    return make_vec_env("Carcassonne-v1", count, seed, options)


def train(args: Args) -> MaskablePPO:
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.set_num_threads(args.threads)
    seeds = range(args.seed, args.seed + len(TRAINED) * args.games, args.games)  # game i is seeded with seed + i
    parts = [make_games(rules, args.games, seed, args, "delta") for rules, seed in zip(TRAINED, seeds, strict=True)]
    model = MaskablePPO(
        RowPolicy,
        JoinedVecEnv(parts),
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=lambda left: args.learning_rate * max(left, 0.0),
        seed=args.seed,
        device="cpu",
    )
    return model.learn(args.steps, progress_bar=True)


def find_win_rate(model: MaskablePPO, rules: dict[str, Any], args: Args) -> float:
    """Return the share of games won by these house rules, which may be others than those of training."""
    games = make_games(rules, args.evaluation_games, args.seed + 1_000_000, args, "win")
    # House rules may add entries to the vector. The network is shown those that it knows, by name.
    entries = get_ruleset("carcassonne", rules=rules).vector.names
    known = [entries.index(name) for name in get_ruleset("carcassonne").vector.names]
    seen, results = games.reset(), np.full(args.evaluation_games, np.nan)
    while np.isnan(results).any():  # of each game the first one that ends counts, so that short ones are no more
        seen["vector"] = seen["vector"][:, known]
        masks = np.stack(games.env_method("action_masks"))
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        seen, rewards, ended, _ = games.step(actions)
        first = ended & np.isnan(results)
        results[first] = rewards[first]  # 1, 0 or -1
    games.close()
    return float((1 + results.mean()) / 2)


def main(args: Args) -> None:
    model, means = train(args), []
    for name, sets in (("trained", TRAINED), ("held out", HELD_OUT)):
        rates = []
        for rules in sets:
            rates.append(find_win_rate(model, rules, args))
            which = ", ".join(rules) or "no house rules"
            print(f"{name:<9} {which:<36} {100 * rates[-1]:5.1f} % won against {args.opponent}")
        means.append(100 * np.mean(rates))
        print(f"{name:<9} {'mean':<36} {means[-1]:5.1f} %")
    print(f"{'gap':<46} {means[0] - means[1]:5.1f} %")


if __name__ == "__main__":
    main(tyro.cli(Args))
