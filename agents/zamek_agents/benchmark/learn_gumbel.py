"""The learner `gumbel`: a network that learns by self-play from a search that it guides (`gumbel_search.py`).

It is Gumbel AlphaZero with a search of one decision. Probabilities are learned from those of the search; values by
TD(λ) from rewards and from the search's value of the next position. `RowNetwork` proposes actions. Positions are valued
by a smaller one that sees only the vector, since a decision asks for 33 of them.
"""

from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

from zamek_agents.base import RulesetAgent
from zamek_agents.benchmark.gumbel_search import GumbelSearch, Searched
from zamek_agents.benchmark.practice import Practice, Report
from zamek_agents.ppo.learner import LEAST_RATE
from zamek_env import Game
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.observer import Observer
from zamek_env.row_network import PARTS, RowNetwork
from zamek_env.ruleset import Ruleset
from zamek_env.vector import ZamekVectorEnv

GAMES, STEPS = 128, 32  # at once, and decisions of each between two updates
BATCH, EPOCHS = 512, 2
RATE = 1e-3  # of learning at first, falling to `LEAST_RATE` of it
TRACE = 0.8  # λ of the values to learn
WIDTH, HIDDEN = 256, 128  # of the network
VALUE_UNIT = 10.0  # values are learned in tenths of the reward's unit: ten points
MAX_GRADIENT = 1.0


class GumbelNetwork(nn.Module):
    """Logits of actions by vector and rows, and rewards to come by the vector."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self.policy = RowNetwork(len(ruleset.vector), len(ruleset.rows), ruleset.num_actions, HIDDEN)
        layers = [nn.Linear(len(ruleset.vector), WIDTH), nn.LayerNorm(WIDTH), nn.ReLU()]
        layers += [nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)]
        self.critic = nn.Sequential(*layers)

    def score(self, seen: dict[str, torch.Tensor], masks: torch.Tensor) -> torch.Tensor:
        """Return the logits, `(n, actions)`, -inf for what is illegal."""
        logits, _ = self.policy(*(seen[part] for part in PARTS))
        return logits.masked_fill(~masks, -torch.inf)

    @torch.no_grad()
    def value(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return the rewards to come of the player to decide, `(n,)`."""
        return self.critic(torch.tensor(vectors)).squeeze(1).numpy().astype(np.float64) / VALUE_UNIT

    @torch.no_grad()
    def search(
        self, search: GumbelSearch, states: npt.NDArray[np.record], seen: Any, masks: Any, rng: Any, explores: bool
    ) -> Searched:
        """Return the results of the `search` of games with the observations `seen`."""
        parts = {name: torch.tensor(part) for name, part in seen.items()}
        logits = self.score(parts, torch.from_numpy(masks))
        return search.search(states, masks, logits.double().numpy(), self.value(seen["vector"]), rng, explores)


class GumbelAgent(RulesetAgent):
    """Plays by the search, without exploring."""

    name: str = "gumbel"

    def __init__(self, network: GumbelNetwork) -> None:
        self._network = network

    def _prepare(self, game: Game) -> None:
        self._observer = Observer(game.ruleset, ROW_PARTS)
        self._search = GumbelSearch(game.ruleset, self._network.value)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        looked: Any = self._observer.look(game)
        seen, mask, _, _ = looked
        one = {name: part[None] for name, part in seen.items()}
        masks = mask[None].astype(np.bool_)
        return int(self._network.search(self._search, game.raw_states, one, masks, rng, False).actions[0])


def learn(task: Practice, seed: int, report: Report) -> GumbelAgent:
    """Learn by self-play: every decision of both seats counts."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    torch.manual_seed(seed)
    network = GumbelNetwork(task.ruleset)
    agent, learner = GumbelAgent(network), Learner(network, seed)
    with closing(
        ZamekVectorEnv(
            GAMES, task.ruleset.name, reward="delta", autoreset_mode=AutoresetMode.SAME_STEP, observation=ROW_PARTS
        )
    ) as own:
        games, search = task.watch(own), GumbelSearch(task.ruleset, network.value)
        seen, info = games.reset(seed=seed)
        while task.left >= GAMES * STEPS:
            rollout = []
            for _ in range(STEPS):
                masks, player = games.action_masks(), info["current_player"]
                found = network.search(search, games.raw_states, seen, masks, learner.rng, True)
                before = seen
                seen, rewards, ended, _, info = games.step(found.actions)
                signs = np.where(ended, 0, np.where(info["current_player"] == player, 1, -1))
                rollout.append((before, masks, found, rewards, signs))
            last = network.value(seen["vector"])
            learner.learn(rollout, last, RATE * max(LEAST_RATE, task.left / task.decisions))
            report(agent)
    return agent


class Learner:
    """Improves a network by what a search of its decisions found."""

    def __init__(self, network: GumbelNetwork, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self._network, self._optimizer = network, torch.optim.Adam(network.parameters(), lr=RATE)

    def learn(self, rollout: list[Any], last: npt.NDArray[np.float64], rate: float) -> None:
        """Learn at that `rate` from a `rollout`: a list of (seen, masks, found, rewards, signs), one entry a step.

        `signs` are 1 where the same player decides next, -1 where the other does, 0 where the game is over. `last` are
        the values of the positions after the last step.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        returns = find_returns(rollout, last)
        seen = {name: torch.from_numpy(np.concatenate([step[0][name] for step in rollout])) for name in rollout[0][0]}
        masks = torch.from_numpy(np.concatenate([step[1] for step in rollout]))
        wanted = torch.from_numpy(np.concatenate([step[2].policy for step in rollout])).float()
        due = torch.from_numpy(returns.ravel() * VALUE_UNIT).float()
        for _ in range(EPOCHS):
            for batch in torch.from_numpy(self.rng.permutation(len(due))).split(BATCH):
                part = {name: values[batch] for name, values in seen.items()}
                chances = torch.log_softmax(self._network.score(part, masks[batch]), dim=1).clamp(min=-1e9)
                surprise = -(wanted[batch] * chances).sum(dim=1).mean()
                error = (self._network.critic(part["vector"]).squeeze(1) - due[batch]).square().mean()
                self._optimizer.zero_grad()
                (surprise + error).backward()
                nn.utils.clip_grad_norm_(self._network.parameters(), MAX_GRADIENT)
                self._optimizer.step()


def find_returns(rollout: list[Any], last: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the rewards to come of who decided at each step, `(steps, games)`, by TD(λ)."""
    returns, worth, coming = np.empty((len(rollout), len(last))), last, last
    for number in range(len(rollout) - 1, -1, -1):
        _, _, found, rewards, signs = rollout[number]
        returns[number] = coming = rewards + signs * ((1 - TRACE) * worth + TRACE * coming)
        worth = found.worth
    return returns
