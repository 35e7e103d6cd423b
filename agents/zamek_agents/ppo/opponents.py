"""The opponents of a network that learns: other agents, and past selves of the network.

An opponent answers in many games at once: `choose(seen, masks, states)` takes the observations, legal actions and state
records of the games in which it must decide, and returns their actions. It has a `name` for statistics.
"""

import copy
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.policies import BasePolicy

from zamek_agents.base import Agent, check_agent
from zamek_env import Game
from zamek_env.common.checks import check_count
from zamek_env.common.messages import show
from zamek_env.fair_play import ask, play_answer
from zamek_env.ruleset import Ruleset


@runtime_checkable
class VecOpponent(Protocol):
    """An opponent in many games at once."""

    name: str

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Begin a new sequence of random numbers."""
        ...

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        """Return an action for each game.

        `seen` are the observations of the games, each of its arrays one row a game, `masks`, `(games, num_actions)`,
        the legal actions, and `states` the state records.
        """
        ...


def read_opponents(
    opponents: Sequence[tuple[VecOpponent | Agent, int]], num_envs: int, ruleset: Ruleset
) -> list[tuple[VecOpponent, int]]:
    """Return pairs of an opponent in games of a `Ruleset`, and its number of the `num_envs` games; agents are wrapped.

    Raises `TypeError` where they are no such pairs, and `ValueError` for more games than there are, or an agent that
    does not play the ruleset.
    """
    read: list[tuple[VecOpponent, int]] = []
    for pair in opponents if isinstance(opponents, Sequence) else [opponents]:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(f"opponents must be pairs of an agent and a number of games, not {show(opponents)}")
        opponent, count = pair
        if not isinstance(opponent, VecOpponent):
            check_agent("opponents: an agent", opponent)
            opponent = AgentOpponent(opponent, ruleset)
        read.append((opponent, check_count("opponents: a number of games", count, num_envs, least=0)))
    total = sum(count for _, count in read)
    if total > num_envs:
        raise ValueError(f"opponents must be in at most {num_envs} games, as num_envs says, not in {total}")
    return read


class AgentOpponent:
    """Any `agent`, for games of a `Ruleset`. Raises `TypeError` or `ValueError` where it does not play them."""

    def __init__(self, agent: Agent, ruleset: Ruleset) -> None:
        self.name: str = agent.name  # in statistics
        self._agent = agent
        if hasattr(agent, "check_game"):
            agent.check_game(Game(ruleset.name, 0, ruleset.components))
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
    """Copies of a policy as it was; one of the last `kept`, redrawn by each `draw`, plays the games that begin then.

    In games under way the one that began them plays on.
    """

    name: str = "past selves"

    def __init__(self, kept: int) -> None:
        self.weights: list[dict[str, torch.Tensor]] = []  # of the copies, the oldest first
        self.kept = kept
        self._player: Any = None  # a copy of the policy, once drawn
        self._loaded: Any = None  # the weights that it has now
        self._drawn: PastSelf | None = None  # who plays games that begin now
        self.seed(0)

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Begin a new sequence of random numbers."""
        self._rng = np.random.default_rng(seed)

    def add(self, policy: BasePolicy) -> None:
        """Keep a copy of `policy`, and forget the oldest one where there are too many."""
        self.weights.append({name: value.clone() for name, value in policy.state_dict().items()})
        del self.weights[: -self.kept]

    def draw(self, policy: BasePolicy) -> None:
        """Let one of the copies play the games that begin from now on.

        `policy` gives the shape, and is the first of them.
        """
        if not self.weights:
            self.add(policy)
        if self._player is None:
            known = policy.action_dist  # that of its last batch cannot be copied
            self._player = copy.deepcopy(policy, {id(known): type(known)(known.action_dim)})
            self._player.set_training_mode(False)
        self._drawn = PastSelf(self, self.weights[self._rng.integers(len(self.weights))])

    @property
    def drawn(self) -> "PastSelf":
        """The past self that plays games begun now, to their end. Raises `RuntimeError` before the first `draw`."""
        if self._drawn is None:
            raise RuntimeError("nobody of the past selves plays yet: call draw(policy) before the games begin")
        return self._drawn

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        """Return the action of the one drawn last for each game. Raises `RuntimeError` before the first `draw`."""
        return self.drawn.choose(seen, masks, states)

    def choose_by(
        self, weights: dict[str, torch.Tensor], seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Return an action for each game, int64 `(games,)`, as the policy with these `weights` chooses."""
        if self._loaded is not weights:
            self._player.load_state_dict(weights)
            self._loaded = weights
        return self._player.predict(seen, action_masks=masks)[0]


class PastSelf:
    """One of a `pool`: the policy as it was when it had these `weights`."""

    def __init__(self, pool: PastSelves, weights: dict[str, torch.Tensor]) -> None:
        self._pool, self._weights = pool, weights

    def choose(
        self, seen: dict[str, npt.NDArray[Any]], masks: npt.NDArray[np.bool_], states: npt.NDArray[np.record]
    ) -> npt.NDArray[np.int64]:
        """Return an action for each game."""
        return self._pool.choose_by(self._weights, seen, masks)
