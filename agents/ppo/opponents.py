"""Who sits opposite while a network learns: other agents, and past selves of the network.

An opponent answers in many games at once: `choose(seen, masks, states)` takes the observations, legal actions and state
records of the games in which it is to decide, and returns their actions. It has a `name` for statistics.
"""

import copy
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.policies import BasePolicy

from zamek_agents.base import Agent
from zamek_env import Game
from zamek_env.fair_play import ask, play_answer
from zamek_env.ruleset import Ruleset


class VecOpponent(Protocol):
    """Who sits opposite in many games at once."""

    name: str

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Begin a new sequence of random numbers."""
        ...

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        """Return an action for each game."""
        ...


class AgentOpponent:
    """Any `agent`, called `name` in statistics, for games of a `Ruleset`."""

    def __init__(self, name: str, agent: Agent, ruleset: Ruleset) -> None:
        self.name = name
        self._agent = agent
        self._ruleset = ruleset
        self.seed(0)

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Begin a new sequence of random numbers."""
        self._rng = np.random.default_rng(seed)

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        actions = np.empty(len(states), np.int64)
        for number in range(len(states)):
            game = Game.from_state(self._ruleset, states, number)
            action = ask(self._agent.act, game, self._rng)
            play_answer(game, action, f"the answer of {self.name}")  # the games would let it lose, and say nothing
            actions[number] = action
        return actions


class PastSelves:
    """Copies of a policy as it was; one of the last `kept` plays at a time, drawn anew by each `draw`."""

    name: str = "past selves"

    def __init__(self, kept: int) -> None:
        self.weights: list[dict[str, torch.Tensor]] = []  # of the copies, the oldest first
        self.kept = kept
        self._player: Any = None  # a copy of the policy, once drawn
        self.seed(0)

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Begin a new sequence of random numbers."""
        self._rng = np.random.default_rng(seed)

    def add(self, policy: BasePolicy) -> None:
        """Keep a copy of `policy`, and forget the oldest one where there are too many."""
        self.weights.append({name: value.clone() for name, value in policy.state_dict().items()})
        del self.weights[: -self.kept]

    def draw(self, policy: BasePolicy) -> None:
        """Let one of the copies play from now on; `policy` lends its shape, and is the first of them."""
        if not self.weights:
            self.add(policy)
        if self._player is None:
            self._player = copy.deepcopy(policy)
            self._player.set_training_mode(False)
        self._player.load_state_dict(self.weights[self._rng.integers(len(self.weights))])

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        return self._player.predict(seen, action_masks=masks)[0]
