"""Double DQN with action masks in one file: what an action brings is learned from its row.

    python examples/dqn.py --opponent greedy

H. van Hasselt, A. Guez and D. Silver, Deep reinforcement learning with double Q-learning, AAAI 2016.
"""

import copy
import time
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
import tyro
from torch import nn
from tqdm import tqdm

import zamek_env  # noqa: F401 - registers the environments
from zamek_env.row_network import PARTS, RowNetwork


@dataclass
class Args:
    env_id: str = "Zamek-v1"  # an environment of tiles, with rows
    opponent: str = "greedy"  # "random" and "greedy" are compiled
    steps: int = 300_000  # decisions of training
    seed: int = 1
    games: int = 32  # at once
    kept: int = 1_000  # steps of all games that are remembered
    batch: int = 128  # decisions in a gradient step, of which there is one a step of all games
    first: int = 60  # steps of all games before the first gradient step
    ahead: int = 3  # steps whose rewards are counted before the value of a later decision is
    learning_rate: float = 1e-3  # at first; it falls to 0
    gamma: float = 0.97  # below 1: values learned of values far ahead would follow too slowly
    copy_every: int = 200  # gradient steps, after which the target network is copied
    explored: float = 0.1  # share of the decisions in which random ones fall from all to `random`
    random: float = 0.02  # share of random decisions from then on
    evaluate_every: int = 50_000  # decisions
    evaluation_games: int = 200
    threads: int = 1  # of PyTorch


class Memory:
    """The last steps of all games. A step holds what was seen and done; what was seen next is in the next."""

    def __init__(self, games, kept):
        space, actions = games.observation_space, games.single_action_space.n
        self.kept, self.games, self.steps = kept, games.num_envs, 0
        self.seen = [np.zeros((kept, *space[name].shape), space[name].dtype) for name in PARTS]
        self.masks = np.zeros((kept, games.num_envs, actions), np.bool_)
        self.actions = np.zeros((kept, games.num_envs), np.int64)
        self.rewards, self.goes_on = np.zeros((2, kept, games.num_envs), np.float32)

    def see(self, seen, infos):
        """Note what is seen before the next step."""
        slot = self.steps % self.kept
        for part, name in zip(self.seen, PARTS, strict=True):
            part[slot] = seen[name]
        self.masks[slot] = infos["action_mask"]

    def note(self, actions, rewards, ended):
        """Note what was done then, and what came of it."""
        slot = self.steps % self.kept
        self.actions[slot], self.rewards[slot], self.goes_on[slot] = actions, rewards, ~ended
        self.steps += 1

    def look_ahead(self, slot, game, args):
        """Return the rewards of the next steps, the weight of the value after them, and the slot to find it in."""
        gained, weight, later = np.zeros(slot.shape, np.float32), np.ones(slot.shape, np.float32), slot
        for _ in range(args.ahead):
            gained += weight * self.rewards[later, game]
            weight *= args.gamma * self.goes_on[later, game]  # 0 from the end of the game on
            later = (later + 1) % self.kept
        return gained, weight, later

    def read(self, slot, game=slice(None)):
        """Return what was seen there, and was legal, as tensors."""
        return [torch.from_numpy(part[slot, game]) for part in (*self.seen, self.masks)]


def judge(network, seen):
    """Return what each legal action brings as the network sees it, `(n, actions)`, and -inf for the others."""
    *parts, masks = seen
    return network(*parts)[0].masked_fill(~masks, -torch.inf)


def improve(network, target, optimizer, memory, args, rng):
    """Take a gradient step: the network chooses what is best later, the target says what that brings."""
    last = min(memory.steps, memory.kept - 1)
    slot = (memory.steps - args.ahead - rng.integers(last - args.ahead + 1, size=args.batch)) % memory.kept
    game = rng.integers(memory.games, size=args.batch)
    gained, weight, later = memory.look_ahead(slot, game, args)
    following = memory.read(later, game)
    with torch.no_grad():
        best = judge(network, following).argmax(dim=1, keepdim=True)
        worth = judge(target, following).gather(1, best).squeeze(1)
    due = torch.from_numpy(gained) + torch.from_numpy(weight) * worth
    actions = torch.from_numpy(memory.actions[slot, game])[:, None]
    found = judge(network, memory.read(slot, game)).gather(1, actions).squeeze(1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(found, due).backward()
    optimizer.step()


def make_games(args, count, reward):
    return gymnasium.make_vec(
        args.env_id,
        num_envs=count,
        vectorization_mode="vector_entry_point",
        opponent=args.opponent,
        reward=reward,
        autoreset_mode="SameStep",  # no step is wasted on dealing anew
    )


@torch.no_grad()
def evaluate(network, args):
    """Return the share of games won against the opponent by the best actions; a draw counts half."""
    games = make_games(args, args.evaluation_games, "win")
    memory, results = Memory(games, 1), np.full(args.evaluation_games, np.nan)
    memory.see(*games.reset(seed=args.seed + 1_000_000))
    while np.isnan(results).any():
        seen, rewards, ended, _, infos = games.step(judge(network, memory.read(0)).argmax(dim=1).numpy())
        memory.see(seen, infos)
        results = np.where(ended & np.isnan(results), rewards, results)
    games.close()
    return (1 + results.mean()) / 2


def train(args: Args) -> RowNetwork:
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    if args.ahead > min(args.first, args.kept - 1):
        raise SystemExit(f"--ahead must be at most --first, and less than --kept, not {args.ahead}")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    games = make_games(args, args.games, "delta")  # each change of the difference of points ÷ 100
    space = games.single_observation_space
    if "rows" not in space.spaces:
        raise SystemExit(f"--env-id must name an environment with rows, such as Zamek-v1, not {args.env_id}")
    network = RowNetwork(space["vector"].shape[0], space["rows"].shape[1], games.single_action_space.n)
    target, optimizer = copy.deepcopy(network), torch.optim.Adam(network.parameters())
    memory = Memory(games, args.kept)
    memory.see(*games.reset(seed=args.seed))
    rounds, every = (max(1, count // args.games) for count in (args.steps, args.evaluate_every))
    started = time.perf_counter()
    for number in tqdm(range(1, rounds + 1), unit="step"):
        slot = memory.steps % args.kept
        with torch.no_grad():
            best = judge(network, memory.read(slot)).argmax(dim=1).numpy()
        drawn = (memory.masks[slot] * (rng.random(memory.masks[slot].shape) + 1)).argmax(axis=1)
        share = max(args.random, 1 - number / max(1, args.explored * rounds))
        actions = np.where(rng.random(args.games) < share, drawn, best)
        seen, rewards, ended, _, infos = games.step(actions)
        memory.note(actions, rewards, ended)
        memory.see(seen, infos)
        if number >= args.first:
            optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - number / rounds)
            improve(network, target, optimizer, memory, args, rng)
        if number % args.copy_every == 0:
            target.load_state_dict(network.state_dict())
        if number % every == 0 or number == rounds:
            steps, seconds = number * args.games, time.perf_counter() - started
            score = evaluate(network, args)
            tqdm.write(f"{steps} steps, {seconds:.0f} s: {score:.2f} of the games against {args.opponent}")
    return network


if __name__ == "__main__":
    train(tyro.cli(Args))
