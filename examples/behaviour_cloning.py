"""Behaviour cloning: a network learns to play from games of others, and then plays `greedy`.

    zamek export --play 1000 --agents value value --out runs/value-games
    python examples/behaviour_cloning.py runs/value-games

It needs the extra `train`. Any dataset of a ruleset of tiles will do.
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
from zamek_agents.datasets import read_npz, unpack_masks
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.observer import Observer


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


class Network(nn.Module):
    """Sees planes and vector, and returns logits of all actions; those of illegal ones are -inf.

    The first actions are placements, four rotations a cell: each cell scores its own, so that what is learned of one
    place holds for all. The others follow from what is seen on the whole board.
    """

    def __init__(self, planes, entries, cells, actions, width=32, hidden=256):
        super().__init__()
        self.cells, self.actions = cells, actions
        self.scale = nn.Linear(entries, width)
        self.convolutions = nn.ModuleList(nn.Conv2d(n, width, 3, padding=1) for n in (planes, width, width))
        self.placements = nn.Conv2d(width, NUM_ROTATIONS, 1)
        others = actions - NUM_ROTATIONS * len(cells)
        self.others = nn.Sequential(nn.Linear(2 * width + entries, hidden), nn.ReLU(), nn.Linear(hidden, others))

    def forward(self, planes, vector, masks):
        first, *rest = self.convolutions
        seen = torch.relu(first(planes.permute(0, 3, 1, 2).float() / 8) + self.scale(vector)[:, :, None, None])
        for convolution in rest:
            seen = seen + torch.relu(convolution(seen))
        placements = self.placements(seen).flatten(2)[:, :, self.cells].transpose(1, 2).flatten(1)
        others = self.others(torch.cat([seen.mean((2, 3)), seen.amax((2, 3)), vector], dim=1))
        return torch.cat([placements, others], dim=1).masked_fill(~masks, -torch.inf)


class Clone:
    """The agent that plays the most probable action of a network."""

    name = "clone"

    def __init__(self, network):
        self.network = network.eval()

    @torch.no_grad()
    def act(self, game, rng):
        seen, mask, _, _ = Observer(game.ruleset).look(game)
        planes, vector = (torch.from_numpy(seen[name])[None] for name in ("planes", "vector"))
        return int(self.network(planes, vector, torch.from_numpy(mask)[None].bool()).argmax())


def main(args: Args) -> None:
    """Learn, and print the loss, how often the network agrees with the games, and how it plays."""
    torch.manual_seed(args.seed)
    try:
        dataset = read_npz(args.games)
        layout, arrays = dataset.layout, dataset.load()
    except (ValueError, OSError) as error:
        raise SystemExit(f"the games cannot be read: {error}") from None
    if layout.planes is None:
        raise SystemExit(f"the games must be of tiles, not of {layout.trained_for.ruleset}")
    if dataset.games < 2:
        raise SystemExit(f"the games must be 2 or more, as one is held out, not {dataset.games}")
    num_held_out = max(1, dataset.games // 10)  # one game in ten, to see how much of it is general
    held_out = arrays["game"] >= dataset.games - num_held_out
    cells = np.flatnonzero(arrays["planes"][0, :, :, 0])  # those of the board: the plane `space`
    network = Network(layout.planes[-1], layout.vector, cells, layout.num_actions)
    learn(network, arrays, np.flatnonzero(~held_out), args)
    agreed = [
        (find_logits(network, arrays, rows).argmax(1) == torch.from_numpy(arrays["action"][rows])).float().mean()
        for rows in np.array_split(np.flatnonzero(held_out), 1 + held_out.sum() // args.batch)
    ]
    print(f"agrees with {np.mean(agreed):.1%} of the decisions of games that it has not seen")
    (lineup,) = line_up([Clone(network), make_agent("greedy")], args.seed, layout.trained_for.ruleset)
    result = compare(list(tqdm(lineup.play(args.pairs), total=args.pairs, unit="pair")))
    least, most = result.win_rate_interval
    print(f"wins {result.win_rate:.1%} ({least:.0%} – {most:.0%}) of {result.games} games against greedy")


def learn(network: Network, arrays: dict[str, np.ndarray], rows: np.ndarray, args: Args) -> None:
    """Let the network learn to choose what was played in these rows: cross entropy among the legal actions."""
    size = min(args.batch, len(rows))
    rng, steps = np.random.default_rng(args.seed), args.epochs * (len(rows) // size)
    optimizer = torch.optim.AdamW(network.parameters(), args.rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, steps)
    with tqdm(total=steps, unit="step") as bar:
        for _ in range(args.epochs):
            order = rng.permutation(rows)
            for start in range(0, len(rows) - size + 1, size):
                batch = np.sort(order[start : start + size])
                played = torch.from_numpy(arrays["action"][batch]).long()
                loss = nn.functional.cross_entropy(find_logits(network, arrays, batch), played)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
                bar.set_postfix(loss=f"{loss.item():.3f}")
                bar.update()


def find_logits(network: Network, arrays: dict[str, np.ndarray], rows: np.ndarray) -> torch.Tensor:
    """Return the logits of all actions in these rows."""
    planes, vector = (torch.from_numpy(arrays[name][rows]) for name in ("planes", "vector"))
    return network(planes, vector, torch.from_numpy(unpack_masks(arrays["mask"][rows], network.actions)))


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
