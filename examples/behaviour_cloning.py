"""Behaviour cloning: a network learns to play from games of others, and then plays `greedy`.

    zamek export --play 500 --agents value value --observation vector rows --out runs/value-games
    python examples/behaviour_cloning.py runs/value-games

It needs the extra `train`. Any dataset of games of two with vector and rows will do, if the ruleset is a packaged one.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from torch import nn
from tqdm import tqdm

from zamek_agents import make_agent
from zamek_agents.arena import compare, line_up
from zamek_agents.datasets import read_npz
from zamek_env.row_network import PARTS, RowNetwork


@dataclass
class Args:
    games: tyro.conf.Positional[Path]
    """folder that `zamek export --to npz` wrote"""
    epochs: int = 3
    """passes over the games"""
    batch: int = 512
    """decisions in a step; all of them where there are fewer"""
    rate: float = 1e-3
    """learning rate, falling to 0"""
    pairs: int = 50
    """pairs of games against `greedy` at the end"""
    seed: int = 0
    """of the network, the order of the decisions, and the games at the end"""


class Clone:
    """The agent that plays the action whose row a network gives the largest logit."""

    name = "clone"

    def __init__(self, network):
        self.network = network

    @torch.no_grad()
    def act(self, game, rng):
        seen = game.observe(observation=("vector", "rows"))
        logits = self.network.score(*(torch.from_numpy(seen[name][None]) for name in PARTS))[0]
        return int(seen["row_actions"][logits.argmax()])


def main(args: Args) -> None:
    """Learn, and print the loss, how often the network agrees with the games, and how it plays."""
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.manual_seed(args.seed)
    try:
        dataset = read_npz(args.games)
        layout, arrays = dataset.layout, dataset.load()
    except (ValueError, OSError) as error:
        raise SystemExit(f"the games cannot be read: {error}") from None
    if not {*PARTS} <= {*arrays}:
        raise SystemExit("the games must have vector and rows: export them with --observation vector rows")
    if dataset.games < 2:
        raise SystemExit(f"the games must be 2 or more, as one is held out, not {dataset.games}")
    if layout.players != 2 or layout.trained_for.components is not None:
        raise SystemExit("the games must be of two players, by a packaged ruleset, as those at the end are")
    num_held_out = max(1, dataset.games // 10)  # one game in ten, to see how much of it is general
    held_out = arrays["game"] >= dataset.games - num_held_out
    network = RowNetwork(layout.vector, layout.rows[1], layout.num_actions)
    learn(network, arrays, np.flatnonzero(~held_out), args)
    agreed = 0
    for decisions in np.array_split(np.flatnonzero(held_out), 1 + held_out.sum() // args.batch):
        logits, played = judge(network, arrays, decisions)
        agreed += int((logits.argmax(1) == played).sum())
    print(f"agrees with {agreed / held_out.sum():.1%} of the decisions of games that it has not seen")
    (lineup,) = line_up([Clone(network), make_agent("greedy")], args.seed, layout.trained_for.ruleset)
    result = compare(list(tqdm(lineup.play(args.pairs), total=args.pairs, unit="pair")))
    least, most = result.win_rate_interval
    print(f"wins {result.win_rate:.1%} ({least:.0%} – {most:.0%}) of {result.games} games against greedy")


def learn(network: RowNetwork, arrays: dict[str, np.ndarray], decisions: np.ndarray, args: Args) -> None:
    """Let the network learn to choose what was played in these decisions: cross entropy among the legal actions."""
    size = min(args.batch, len(decisions))
    rng, steps = np.random.default_rng(args.seed), args.epochs * (len(decisions) // size)
    optimizer = torch.optim.AdamW(network.parameters(), args.rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, steps)
    with tqdm(total=steps, unit="step") as bar:
        for _ in range(args.epochs):
            order = rng.permutation(decisions)
            for start in range(0, len(decisions) - size + 1, size):
                loss = nn.functional.cross_entropy(*judge(network, arrays, order[start : start + size]))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
                bar.set_postfix(loss=f"{loss.item():.3f}")
                bar.update()


def judge(network: RowNetwork, arrays: dict[str, np.ndarray], decisions: np.ndarray) -> tuple[torch.Tensor, ...]:
    """Return the logits of the rows of these decisions, and the numbers of the rows that were played."""
    decisions = np.sort(decisions)
    logits = network.score(*(torch.from_numpy(arrays[name][decisions]) for name in PARTS))[0]
    played = arrays["row_actions"][decisions] == arrays["action"][decisions, None]
    return logits, torch.from_numpy(played.argmax(axis=1))


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
