"""Masked PPO for Castle, the card game, by torch.

J. Schulman et al., Proximal Policy Optimization Algorithms, 2017, with generalized advantage estimation. Where the
learner plays both seats, the next decision may be the opponent's: its value then counts with the opposite sign.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from zamek_agents.castle_cards.network import MOST, list_shapes
from zamek_agents.castle_cards.self_play import Games, Show, step_all
from zamek_agents.divergence import DivergedError

TRUST, FAITH = 8.0, 0.8  # of a new network
_FIRST_STEPS = 0.1  # of what a new network adds to greedy play
_CLIP, _VALUE_WEIGHT, _MOST_GRADIENT = 0.2, 0.5, 0.5


@dataclass(frozen=True)
class Settings:
    """How to learn; `zamek train` tells what each is."""

    rollout: int
    batch: int
    epochs: int
    gae_lambda: float
    entropy: float


class Network(nn.Module):
    """The network that `network.py` describes, as torch learns it."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        shapes = list_shapes(hidden)
        self.first, self.second, self.policy, self.value = (
            nn.Linear(shapes[f"{name}.weight"][1], shapes[f"{name}.weight"][0])
            for name in ("first", "second", "policy", "value")
        )
        for layer in (self.policy, self.value):
            nn.init.normal_(layer.weight, 0, _FIRST_STEPS / hidden**0.5)
            nn.init.zeros_(layer.bias)
        self.trust = nn.Parameter(torch.full((1,), TRUST))
        self.faith = nn.Parameter(torch.full((1,), FAITH))

    def forward(self, show: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log probabilities `(n, actions)` and values `(n,)` of what `Show` describes, as tensors."""
        seen, liked, lead = show
        hidden = torch.relu(self.second(torch.relu(self.first(seen))))
        logits = self.policy(hidden) + self.trust * liked
        return logits.log_softmax(1), self.value(hidden).squeeze(1) + self.faith * lead


@dataclass
class Rollout:
    """`rollout` decisions of n games, arrays `(rollout, n, …)`, and one more value."""

    show: Show
    actions: npt.NDArray[np.int64]
    log_probs: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    rewards: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]
    turned: npt.NDArray[np.bool_]  # the opponent decides next
    last_values: npt.NDArray[np.float32]


def play(network: Network, games: Games, settings: Settings, generator: torch.Generator) -> Rollout:
    """Play on in all games by the network's probabilities."""
    shows, rows = [], []
    for _ in range(settings.rollout):
        shows.append([array.copy() for array in games.show])
        log_probs, values = _look(network, games)
        drawn = torch.multinomial(log_probs.exp(), 1, generator=generator)
        movers = games.movers.copy()
        step_all(games, drawn[:, 0].numpy())
        turned = (games.movers != movers) & ~games.ended
        chosen = log_probs.gather(1, drawn)[:, 0].numpy()
        rows.append((drawn[:, 0].numpy(), chosen, values.numpy(), games.rewards.copy(), games.ended.copy(), turned))
    show = Show(*(np.stack(arrays) for arrays in zip(*shows, strict=True)))
    columns = [np.stack(arrays) for arrays in zip(*rows, strict=True)]
    return Rollout(show, *columns, *[_look(network, games)[1].numpy()])


@torch.no_grad()
def _look(network, games):
    log_probs, values = network(tuple(torch.from_numpy(array) for array in games.show))
    if not bool(torch.isfinite(values).all()):
        raise DivergedError("learning diverges: the network holds numbers that are not finite")
    return log_probs, values


def find_advantages(played: Rollout, gae_lambda: float) -> npt.NDArray[np.float32]:
    """Return by how much each action did better than expected, to who decided."""
    advantages = np.zeros_like(played.values)
    following, value_after = np.zeros_like(played.last_values), played.last_values
    for number in reversed(range(len(played.values))):
        sign = np.where(played.ended[number], 0, np.where(played.turned[number], -1, 1))
        error = played.rewards[number] + sign * value_after - played.values[number]
        following = error + gae_lambda * sign * following
        advantages[number] = following
        value_after = played.values[number]
    return advantages


def learn(network: Network, optimizer: torch.optim.Optimizer, played: Rollout, settings: Settings) -> dict[str, float]:
    """Improve the network by what was played; return figures for a log."""
    advantages = find_advantages(played, settings.gae_lambda)
    flat = [torch.from_numpy(array.reshape(-1, *array.shape[2:])) for array in played.show]
    actions, old = torch.from_numpy(played.actions.ravel()), torch.from_numpy(played.log_probs.ravel())
    gains = torch.from_numpy(advantages.ravel())
    targets = gains + torch.from_numpy(played.values.ravel())
    figures = np.zeros(3)
    steps = 0
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(actions)).split(settings.batch):
            log_probs, values = network(tuple(array[rows] for array in flat))
            ratio = (log_probs.gather(1, actions[rows, None])[:, 0] - old[rows]).exp()
            gain = (gains[rows] - gains[rows].mean()) / (gains[rows].std() + 1e-6)
            surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - _CLIP, 1 + _CLIP) * gain).mean()
            error = (values - targets[rows]).square().mean()
            entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(1).mean()
            loss = -surrogate + _VALUE_WEIGHT * error - settings.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), _MOST_GRADIENT)
            optimizer.step()
            figures += [float(figure.detach()) for figure in (error, entropy, (ratio - 1).abs().mean())]
            steps += 1
    return dict(zip(("value_error", "entropy", "change"), (figures / steps).tolist(), strict=True))


def find_weights(network: Network) -> dict[str, npt.NDArray[np.float32]]:
    """Return the arrays of a network by name. Raises `DivergedError` where one is too large for a file."""
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    for name, array in weights.items():
        if not np.abs(array).max() <= MOST:  # nor is NaN
            raise DivergedError(
                f"learning diverged: {name} holds numbers above {MOST:g}; the learning rate is too large"
            )
    return weights
