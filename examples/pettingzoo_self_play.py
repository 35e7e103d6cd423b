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

from zamek_env import zamek_v0


@dataclass
class Args:
    ruleset: str = "zamek"
    games: int = 2_000  # of training
    games_per_update: int = 16
    learning_rate: float = 1e-3
    entropy: float = 0.002  # weight of the entropy bonus
    evaluate_every: int = 20  # updates
    evaluation_games: int = 50
    seed: int = 1


class Agent(nn.Module):
    def __init__(self, observations: int, actions: int):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observations, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.baseline = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen, mask):
        """Return the distribution over legal actions, and what the player is expected to gain from here on."""
        features = self.body(seen.log1p())  # most entries are 0 or 1, some go up to 60
        logits = self.actor(features).masked_fill(~mask, -1e8)
        return torch.distributions.Categorical(logits=logits), self.baseline(features).squeeze(-1)

    @torch.no_grad()
    def judge(self, observation):
        """Return the distribution over the actions that an agent may take."""
        mask = torch.as_tensor(observation["action_mask"], dtype=torch.bool)
        return self(torch.as_tensor(observation["observation"]), mask)[0]

    def explore(self, observation):
        return int(self.judge(observation).sample())

    def act(self, observation):
        return int(self.judge(observation).logits.argmax())


def find_lead(env, player):
    """Return how far a player is ahead, in points ÷ 100."""
    scores = env.unwrapped.game.scores
    return (scores[player] - scores[1 - player]) / 100


def play(env, players, seed):
    """Play one game and return its decisions: (observation, mask, action, player, lead before it)."""
    decisions = []
    env.reset(seed=seed)
    for name in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)  # the game is over
            continue
        player = env.possible_agents.index(name)
        action = players[player](observation)
        seen, mask = observation["observation"], observation["action_mask"]
        decisions.append((seen, mask, action, player, find_lead(env, player)))
        env.step(action)
    return decisions


def learn(agent, optimizer, entropy_weight, rows):
    """Update the network once on `rows` of (observation, mask, action, what was gained from then on)."""
    seen, mask, action, gained = (torch.as_tensor(np.stack(part)) for part in zip(*rows, strict=True))
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
    """Return the share of games won against random play by the likeliest actions; a draw counts half."""
    rng = np.random.default_rng(args.seed)
    won = 0.0
    for number in range(args.evaluation_games):
        players = [agent.act, lambda observation: int(rng.choice(np.flatnonzero(observation["action_mask"])))]
        mine = number % 2
        play(env, players[::-1] if mine else players, seed=1_000_000 + number)
        won += (1 + env.unwrapped.game.returns()[mine]) / 2
    return won / args.evaluation_games


def train(args: Args) -> Agent:
    torch.manual_seed(args.seed)
    env = zamek_v0.raw_env(ruleset=args.ruleset)  # without wrappers, which check actions and take time
    name = env.possible_agents[0]
    agent = Agent(env.observation_space(name)["observation"].shape[0], env.action_space(name).n)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate)
    rows, steps, started = [], 0, time.perf_counter()
    for number in tqdm(range(1, args.games + 1), unit="game"):
        decisions = play(env, [agent.explore, agent.explore], seed=args.seed + number)
        steps += len(decisions)
        final = [find_lead(env, player) for player in (0, 1)]
        rows += [(seen, mask, action, final[player] - lead) for seen, mask, action, player, lead in decisions]
        if number % args.games_per_update and number < args.games:
            continue
        learn(agent, optimizer, args.entropy, rows)
        rows = []
        if number % (args.evaluate_every * args.games_per_update) == 0 or number == args.games:
            score = evaluate(agent, env, args)
            tqdm.write(f"{steps} steps, {time.perf_counter() - started:.0f} s: {score:.2f} of the games against random")
    return agent


if __name__ == "__main__":
    train(tyro.cli(Args))
