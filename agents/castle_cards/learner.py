"""Policy gradient for Castle, the card game: from games against itself and `greedy`, with the network that plays them.

This is PPO (J. Schulman et al., Proximal Policy Optimization Algorithms, 2017) with a single step for each batch of
games, so that nothing is ever clipped. A game takes less than a millisecond: new games are cheaper than further steps.
Decisions are credited by generalized advantage estimation. The value of a position comes not from a second network but
from `find_need`, which sees all hands. It is about right for `greedy` only, so `gae_lambda` should be 1: then the final
result decides, and the values only reduce the variance.

The steps are those of Adam (D. Kingma and J. Ba, 2015), up the gradient.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.castle_cards.network import MOST, Weights
from zamek_agents.castle_cards.self_play import Findings, Games, play_games
from zamek_agents.divergence import DivergedError
from zamek_env.packed import WritableArrays

_KEEP_MEAN, _KEEP_SQUARE = 0.9, 0.99  # of Adam's running means, at each step
_LEAST_ROOT = 1e-4


class Learner(WritableArrays):
    """A network that learns in place from its `games`. Adam keeps means of the gradient, and of its `square`."""

    def __init__(self, weights: Weights, games: Games) -> None:
        self.weights = weights
        self.steps = 0
        self.games = games
        self.mean, self.square = np.zeros((2, *weights.policy.shape))

    def learn(self, count: int, against: int, rate: float, gae_lambda: float) -> Findings:
        """Play `count` games, the first `against` of them against `greedy`, and take a step; return what they brought.

        Raises `DivergedError` where a weight of the network is too large or not a number.
        """
        gradient = np.zeros_like(self.weights.policy)
        findings = Findings(*play_games(self.games, self.weights, count, against, gae_lambda, gradient))
        self.step(gradient / count, rate)
        return findings

    def step(self, gradient: npt.NDArray[np.float64], rate: float) -> None:
        """Go up the `gradient`. Raises `DivergedError` as `learn` does."""
        self.steps += 1
        self.mean += (1 - _KEEP_MEAN) * (gradient - self.mean)
        self.square += (1 - _KEEP_SQUARE) * (gradient**2 - self.square)
        mean = self.mean / (1 - _KEEP_MEAN**self.steps)
        root = np.sqrt(self.square / (1 - _KEEP_SQUARE**self.steps))
        self.weights.policy[:] += rate * mean / (root + _LEAST_ROOT)
        if not np.abs(self.weights.policy).max() <= MOST:  # false for NaN too
            raise DivergedError(f"learning diverged: weights are above {MOST:g}; the learning rate is too large")
