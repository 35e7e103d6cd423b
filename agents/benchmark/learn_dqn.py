"""The learner `masked-dqn`: double DQN against `greedy`; illegal actions are left out of every maximum.

H. van Hasselt, A. Guez and D. Silver, Deep reinforcement learning with double Q-learning, AAAI 2016.
"""

import copy
from typing import Any

import numpy as np
import torch
from torch import nn

from zamek_agents.benchmark.learners import Report
from zamek_agents.benchmark.players import Policy
from zamek_agents.benchmark.practice import Practice

GAMES = 32  # at once
KEPT = 960  # steps of all games that are remembered
BATCH = 128  # decisions in a gradient step, of which there is one a step of all games
FIRST = 60  # steps before the first gradient step
RATE = 3e-4  # of learning
COPY_EVERY = 500  # gradient steps, after which the target network is copied
EXPLORATION, EXPLORED_SHARE = (1.0, 0.05), 0.2  # random decisions, falling from … to … over this share of the budget
WIDTH = 256


class QNetwork(nn.Module):
    """What each action brings, from planes and vector."""

    def __init__(self, entries: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(entries, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions)
        )

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return what each legal action brings, `(n, actions)`, and -inf for the others."""
        return self.layers(seen).masked_fill(~masks, -torch.inf)


def join(planes: Any, vector: Any) -> torch.Tensor:
    """Return planes and vector as rows for the network; entries are 0 to 60."""
    return torch.cat([torch.from_numpy(planes).flatten(1).float(), torch.from_numpy(vector)], dim=1).log1p()


class Memory:
    """The last `KEPT` steps of all games. A step holds what was seen and done; what was seen next is in the next."""

    def __init__(self, games: Any) -> None:
        space = games.single_observation_space
        self.planes = np.zeros((KEPT, GAMES, *space["planes"].shape), np.uint8)
        self.vector = np.zeros((KEPT, GAMES, *space["vector"].shape), np.float32)
        self.masks = np.zeros((KEPT, GAMES, int(games.single_action_space.n)), np.bool_)
        self.actions = np.zeros((KEPT, GAMES), np.int64)
        self.rewards = np.zeros((KEPT, GAMES), np.float32)
        self.goes_on = np.zeros((KEPT, GAMES), np.float32)
        self.steps = 0

    def see(self, seen: Any, masks: Any) -> None:
        """Note what is seen before the next step."""
        slot = self.steps % KEPT
        self.planes[slot], self.vector[slot], self.masks[slot] = seen["planes"], seen["vector"], masks

    def note(self, actions: Any, rewards: Any, ended: Any) -> None:
        """Note what was done then, and what came of it."""
        slot = self.steps % KEPT
        self.actions[slot], self.rewards[slot], self.goes_on[slot] = actions, rewards, ~ended
        self.steps += 1

    def draw(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """Return places and games of a batch; of each step the next is known too."""
        known = min(self.steps, KEPT - 1)
        slot = (self.steps - 1 - rng.integers(known, size=BATCH)) % KEPT
        return slot, rng.integers(GAMES, size=BATCH)

    def seen(self, slot: Any, game: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what was seen there, and was legal, as the network takes it."""
        return join(self.planes[slot, game], self.vector[slot, game]), torch.from_numpy(self.masks[slot, game])


def learn(task: Practice, seed: int, report: Report) -> Policy:
    """Learn against `greedy`, rewarded by each change of the difference of points."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    games = task.make_games(GAMES, "greedy", "delta")
    memory = Memory(games)
    space: Any = games.single_observation_space
    network = QNetwork(sum(int(np.prod(space[name].shape)) for name in ("planes", "vector")), memory.masks.shape[2])
    policy = make_policy(network)
    target, optimizer = copy.deepcopy(network), torch.optim.Adam(network.parameters(), lr=RATE, fused=True)
    memory.see(games.reset(seed=seed)[0], games.action_masks())
    updates = 0
    while task.left >= GAMES:
        actions = explore(network, memory, find_exploration(task), rng)
        seen, rewards, ended, _, _ = games.step(actions)
        memory.note(actions, rewards, ended)
        memory.see(seen, games.action_masks())
        if memory.steps >= FIRST:
            improve(network, target, optimizer, memory, memory.draw(rng))
            updates += 1
            if updates % COPY_EVERY == 0:
                target.load_state_dict(network.state_dict())
        report(policy)
    games.close()
    return policy


def make_policy(network: QNetwork) -> Policy:
    """Return the policy that plays the action that brings most."""

    @torch.no_grad()
    def choose(seen: Any, mask: Any, rng: np.random.Generator) -> int:
        row = join(seen["planes"][None], seen["vector"][None])
        return int(network(row, torch.from_numpy(mask.astype(np.bool_))[None]).argmax())

    return choose


def find_exploration(task: Practice) -> float:
    """Return the share of random decisions."""
    first, last = EXPLORATION
    return max(last, first - (first - last) * task.played / (EXPLORED_SHARE * task.decisions))


@torch.no_grad()
def explore(network: QNetwork, memory: Memory, share: float, rng: np.random.Generator) -> Any:
    """Return an action for each game as it is seen now: that `share` of them random, the others the best."""
    slot, every = memory.steps % KEPT, np.arange(GAMES)
    best = network(*memory.seen(slot, every)).argmax(dim=1).numpy()
    masks = memory.masks[slot]
    drawn = (masks * (rng.random(masks.shape) + 1)).argmax(axis=1)
    return np.where(rng.random(GAMES) < share, drawn, best)


def improve(network: QNetwork, target: QNetwork, optimizer: Any, memory: Memory, drawn: tuple[Any, ...]) -> None:
    """Take a gradient step: the network chooses what is best next, the target says what that brings."""
    slot, game = drawn
    following = memory.seen((slot + 1) % KEPT, game)
    with torch.no_grad():
        best = network(*following).argmax(dim=1, keepdim=True)
        worth = target(*following).gather(1, best).squeeze(1)
    goes_on, rewards = (torch.from_numpy(part[slot, game]) for part in (memory.goes_on, memory.rewards))
    due = rewards + torch.where(goes_on > 0, worth, torch.zeros_like(worth))
    actions = torch.from_numpy(memory.actions[slot, game])[:, None]
    found = network(*memory.seen(slot, game)).gather(1, actions).squeeze(1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(found, due).backward()
    optimizer.step()
