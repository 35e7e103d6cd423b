"""The learner `masked-dqn`: double DQN against `greedy`; illegal actions are left out of every maximum.

H. van Hasselt, A. Guez and D. Silver, Deep reinforcement learning with double Q-learning, AAAI 2016.
"""

import copy
from typing import Any

import numpy as np
import torch
from torch import nn

from zamek_agents.benchmark.practice import Policy, Practice, Report
from zamek_env.row_network import PARTS, RowNetwork

GAMES = 32  # at once
KEPT = 1_000  # steps of all games that are remembered
BATCH = 128  # decisions in a gradient step; there is one such step for each step of all games
FIRST = 60  # steps before the first gradient step
AHEAD, GAMMA = 3, 0.97  # steps whose rewards are counted before the value of a later decision is, and its discount
RATE = 1e-3  # of learning at first; it falls to 0
COPY_EVERY = 200  # gradient steps, after which the target network is copied
EXPLORATION, EXPLORED_SHARE = (1.0, 0.02), 0.1  # random decisions, falling from … to … over this share of the budget


class Memory:
    """The last `KEPT` steps of all games. A step has an observation and an action; the next step has the next one."""

    def __init__(self, games: Any) -> None:
        space = games.single_observation_space
        self.seen = [np.zeros((KEPT, GAMES, *space[name].shape), space[name].dtype) for name in PARTS]
        self.numbers = np.zeros((KEPT, GAMES), np.int64)  # of the rows whose actions were played
        self.rewards = np.zeros((KEPT, GAMES), np.float32)
        self.goes_on = np.zeros((KEPT, GAMES), np.float32)
        self.steps = 0

    def see(self, seen: Any) -> None:
        """Note the observation before the next step."""
        for part, name in zip(self.seen, PARTS, strict=True):
            part[self.steps % KEPT] = seen[name]

    def note(self, numbers: Any, rewards: Any, ended: Any) -> None:
        """Note the action of the step, and its outcome."""
        slot = self.steps % KEPT
        self.numbers[slot], self.rewards[slot], self.goes_on[slot] = numbers, rewards, ~ended
        self.steps += 1

    def draw(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """Return places and games of a batch; the `AHEAD` steps after each are stored too."""
        known = min(self.steps, KEPT - 1) - AHEAD + 1
        return (self.steps - AHEAD - rng.integers(known, size=BATCH)) % KEPT, rng.integers(GAMES, size=BATCH)

    def look_ahead(self, slot: Any, game: Any) -> tuple[Any, Any, Any]:
        """Return the rewards of the next steps, the weight of the value after them, and the place of that position."""
        gained, weight = np.zeros(len(slot), np.float32), np.ones(len(slot), np.float32)
        for ahead in range(AHEAD):
            later = (slot + ahead) % KEPT
            gained += weight * self.rewards[later, game]
            weight *= GAMMA * self.goes_on[later, game]  # 0 from the end of the game on
        return gained, weight, (slot + AHEAD) % KEPT

    def read(self, slot: Any, game: Any = slice(None)) -> list[torch.Tensor]:
        """Return the observations there, as input of the network."""
        return [torch.from_numpy(part[slot, game]) for part in self.seen]


def learn(task: Practice, seed: int, report: Report) -> Policy:
    """Learn against `greedy`, rewarded by each change of the difference of points."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    games = task.make_games(GAMES, "greedy", "delta")
    memory = Memory(games)
    space: Any = games.single_observation_space
    network = RowNetwork(space["vector"].shape[0], space["rows"].shape[1], task.ruleset.num_actions)
    policy, every = make_policy(network), np.arange(GAMES)
    target, optimizer = copy.deepcopy(network), torch.optim.Adam(network.parameters(), lr=RATE)
    memory.see(games.reset(seed=seed)[0])
    updates = 0
    while task.left >= GAMES:
        first, last = EXPLORATION
        share = max(last, first - (first - last) * task.played / (EXPLORED_SHARE * task.decisions))
        numbers = explore(network, memory, share, rng)
        actions = memory.seen[2][memory.steps % KEPT][every, numbers]
        seen, rewards, ended, _, _ = games.step(actions)
        memory.note(numbers, rewards, ended)
        memory.see(seen)
        if memory.steps >= FIRST:
            optimizer.param_groups[0]["lr"] = RATE * task.left / task.decisions
            improve(network, target, optimizer, memory, memory.draw(rng))
            updates += 1
            if updates % COPY_EVERY == 0:
                target.load_state_dict(network.state_dict())
        report(policy)
    games.close()
    return policy


@torch.no_grad()
def explore(network: RowNetwork, memory: Memory, share: float, rng: np.random.Generator) -> Any:
    """Return the number of a row for each game now: a random one for that `share`, the best one for the others."""
    parts = memory.read(memory.steps % KEPT)
    best = network.score(*parts)[0].argmax(dim=1).numpy()
    drawn = rng.integers((parts[2] >= 0).sum(dim=1).numpy())
    return np.where(rng.random(GAMES) < share, drawn, best)


def improve(network: RowNetwork, target: RowNetwork, optimizer: Any, memory: Memory, drawn: tuple[Any, Any]) -> None:
    """Take a gradient step: the network chooses the best later action, the target network values it."""
    slot, game = drawn
    gained, weight, later = memory.look_ahead(slot, game)
    following = memory.read(later, game)
    with torch.no_grad():
        best = network.score(*following)[0].argmax(dim=1, keepdim=True)
        worth = target.score(*following)[0].gather(1, best).squeeze(1)
    due = torch.from_numpy(gained) + torch.from_numpy(weight) * worth
    numbers = torch.from_numpy(memory.numbers[slot, game])[:, None]
    found = network.score(*memory.read(slot, game))[0].gather(1, numbers).squeeze(1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(found, due).backward()
    optimizer.step()


def make_policy(network: RowNetwork) -> Policy:
    """Return the policy that plays the action whose row gets the largest logit."""

    def choose(seen: Any, mask: Any, rng: np.random.Generator) -> int:
        with torch.no_grad():
            logits = network.score(*(torch.from_numpy(seen[name][None]) for name in PARTS))[0]
        return int(seen["row_actions"][int(logits.argmax())])

    return choose
