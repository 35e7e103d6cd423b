"""Self-play by policy gradient (REINFORCE with a baseline) on PettingZoo's AEC interface.

    python examples/pettingzoo_self_play.py

One network plays both agents. Each decision is judged by what its own player gains from then on to the end, so no value
of the opponent enters, and no sign has to change.
"""

import time
from dataclasses import dataclass

import numpy as np
import torch
import tyro
from torch import nn
from tqdm import tqdm

from zamek_agents import make_agent
from zamek_env import zamek_v1
from zamek_env.fair_play import ask
from zamek_env.row_network import PARTS, RowNetwork


@dataclass
class Args:
    ruleset: str = "zamek"
    opponent: str = "greedy"  # in evaluation: any agent by name
    games: int = 2_000  # of training
    games_per_update: int = 16
    learning_rate: float = 1e-3
    entropy: float = 0.002  # weight of the entropy bonus
    evaluate_every: int = 20  # updates
    evaluation_games: int = 50
    seed: int = 1


class Agent(RowNetwork):
    def forward(self, seen, mask):
        """Return the distribution over legal actions, and what the player is expected to gain from here on."""
        logits, expected = super().forward(*seen)
        return torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e8)), expected

    @torch.no_grad()
    def find_policy(self, observation):
        """Return the distribution over the actions that an agent may take."""
        *seen, mask = (torch.as_tensor(part)[None] for part in read(observation))
        return self(seen, mask.bool())[0]

    def explore(self, observation):
        return int(self.find_policy(observation).sample())

    def act(self, observation):
        return int(self.find_policy(observation).logits.argmax())


def read(observation):
    """Return vector, rows, row_actions and mask."""
    return [observation["observation"][name] for name in PARTS] + [observation["action_mask"]]


def find_lead(env, player):
    """Return how far a player is ahead, in points ÷ 100."""
    scores = env.game.scores
    return (scores[player] - scores[1 - player]) / 100


def play(env, players, seed):
    """Play one game and return its decisions: (what `read` returns, action, player, lead before it)."""
    decisions = []
    env.reset(seed=seed)
    for name in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)  # the game is over
            continue
        player = env.possible_agents.index(name)
        action = players[player](observation)
        decisions.append((read(observation), action, player, find_lead(env, player)))
        env.step(action)
    return decisions


def learn(agent, optimizer, entropy_weight, batch):
    """Update the network once on a batch of (vector, rows, row_actions, mask, action, what was gained from then on)."""
    *seen, mask, action, gained = (torch.as_tensor(np.stack(part)) for part in zip(*batch, strict=True))
    policy, expected = agent(seen, mask.bool())
    gained = gained.float()
    advantage = gained - expected.detach()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    loss = -(policy.log_prob(action) * advantage).mean() - entropy_weight * policy.entropy().mean()
    loss += (expected - gained).square().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()


def evaluate(agent, env, args):
    """Return the share of games won against an agent by the likeliest actions; a draw counts half."""
    rng, opponent = np.random.default_rng(args.seed), make_agent(args.opponent)
    players = [agent.act, lambda observation: ask(opponent.act, env.game, rng)]  # which shows it nothing hidden
    won = 0.0
    for number in range(args.evaluation_games):
        mine = number % 2
        play(env, players[::-1] if mine else players, seed=1_000_000 + number)
        won += (1 + env.game.returns()[mine]) / 2
    return won / args.evaluation_games


def train(args: Args) -> Agent:
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.manual_seed(args.seed)
    env = zamek_v1.raw_env(ruleset=args.ruleset)  # without wrappers, which check actions and take time
    name = env.possible_agents[0]
    space = env.observation_space(name)["observation"]
    agent = Agent(space["vector"].shape[0], space["rows"].shape[1], env.action_space(name).n)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate)
    batch, steps, started = [], 0, time.perf_counter()
    for number in tqdm(range(1, args.games + 1), unit="game"):
        decisions = play(env, [agent.explore, agent.explore], seed=args.seed + number)
        steps += len(decisions)
        final = [find_lead(env, player) for player in (0, 1)]
        batch += [(*seen, action, final[player] - lead) for seen, action, player, lead in decisions]
        if number % args.games_per_update and number < args.games:
            continue
        learn(agent, optimizer, args.entropy, batch)
        batch = []
        if number % (args.evaluate_every * args.games_per_update) == 0 or number == args.games:
            score, seconds = evaluate(agent, env, args), time.perf_counter() - started
            tqdm.write(f"{steps} steps, {seconds:.0f} s: {score:.2f} of the games against {args.opponent}")
    return agent


if __name__ == "__main__":
    train(tyro.cli(Args))
