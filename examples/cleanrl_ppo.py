"""PPO with action masks in one file, in the manner of CleanRL, on the native vector environment.

    python examples/cleanrl_ppo.py                # against an opponent
    python examples/cleanrl_ppo.py --self-play    # against itself
    python examples/cleanrl_ppo.py --device cuda --games 4096 --steps 20000000    # games and network on a GPU
    python examples/cleanrl_ppo.py --device cuda --games-device cpu --threads 16    # the network alone

In self-play the next decision may be the opponent's. What is good for the opponent is bad for the player, so values and
advantages change their sign wherever the player to decide changes: see `estimate_advantages`.
"""

import time
from dataclasses import dataclass

import gymnasium
import torch
import tyro
from torch import nn
from tqdm import tqdm

import zamek_env  # noqa: F401 - registers the environments
from zamek_env.row_network import RowNetwork


@dataclass
class Args:
    env_id: str = "Zamek-v1"  # an environment of tiles, with rows
    opponent: str = "greedy"  # in training and evaluation; "random" and "greedy" are compiled
    device: str = "cpu"  # or "cuda": where the network learns
    games_device: str | None = None  # where the games are played; None: there too
    threads: int = 1  # of PyTorch, and of games on processors
    self_play: bool = False  # train against itself; then the opponent only evaluates
    reward: str = "delta"  # each change of the difference of points ÷ 100; "win" is sparse, and learns more slowly
    steps: int = 200_000  # decisions of training; one update at least
    seed: int = 1
    games: int = 32  # at once
    rollout: int = 128  # decisions in each game between two updates
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 1e-3  # at first; it falls to 0
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.002  # weight of the entropy bonus
    max_grad_norm: float = 0.5
    hidden: int = 64  # the width of the network's layers
    evaluate_every: int = 10  # updates
    evaluation_games: int = 100


class Agent(RowNetwork):
    def forward(self, vector, rows, row_actions):
        """Return the distribution over rows, and the value for the player who observes."""
        logits, value = self.score(vector, rows, row_actions)
        return torch.distributions.Categorical(logits=logits, validate_args=False), value


def make_games(args, count, opponent, reward):
    return gymnasium.make_vec(
        args.env_id,
        num_envs=count,
        vectorization_mode="vector_entry_point",
        opponent=opponent,
        reward=reward,
        copy=True,  # tensors share the memory of what is returned
        autoreset_mode="SameStep",  # no step is wasted on dealing anew
        device=args.games_device or args.device,
        threads=args.threads,
    )


def read(seen, infos, device):
    """Return vector, rows, row_actions and players to decide as tensors. Rows that are in no game are left out."""
    actions = torch.as_tensor(seen["row_actions"])
    most = int((actions >= 0).sum(dim=1).max())
    parts = torch.as_tensor(seen["vector"]), torch.as_tensor(seen["rows"])[:, :most], actions[:, :most]
    return [part.to(device) for part in (*parts, torch.as_tensor(infos["current_player"]))]


def pick(row_actions, number):
    """Return the actions of the rows of that `number`."""
    return row_actions.gather(1, number[:, None]).squeeze(1)


@torch.no_grad()
def evaluate(agent, args):
    """Return the share of games won against the opponent by the likeliest actions; a draw counts half."""
    games = make_games(args, args.evaluation_games, args.opponent, "win")
    seen, infos = games.reset(seed=args.seed + 1_000_000)
    results = torch.full((args.evaluation_games,), torch.nan, device=args.device)
    while results.isnan().any():
        *parts, _ = read(seen, infos, args.device)
        action = pick(parts[2], agent(*parts)[0].logits.argmax(dim=1))
        seen, rewards, ended, _, infos = games.step(to_games(action, args))
        rewards, ended = (torch.as_tensor(part).to(args.device) for part in (rewards, ended))
        results = torch.where(ended & results.isnan(), rewards.float(), results)
    games.close()
    return (1 + results.mean().item()) / 2


def to_games(actions, args):
    """Return actions as the games take them: tensors of a GPU where they are played there."""
    return actions.cpu().numpy() if (args.games_device or args.device) == "cpu" else actions


def estimate_advantages(args, rewards, values, players, ended):
    """Generalized advantage estimation. `values` and `players` have one row more than `rewards` and `ended`.

    Where the player changes, what follows counts with the opposite sign. Against an opponent inside the environment
    the learner is always the one to decide, and this is what PPO usually does.
    """
    advantages, advantage = torch.zeros_like(rewards), 0
    for t in reversed(range(len(rewards))):
        sign = torch.where(players[t + 1] == players[t], 1.0, -1.0)
        goes_on = args.gamma * sign * (1 - ended[t])
        error = rewards[t] + goes_on * values[t + 1] - values[t]
        advantages[t] = advantage = error + goes_on * args.gae_lambda * advantage
    return advantages


def stack_rows(parts, filler):
    """Return tensors that differ in their number of rows as one, with a `filler` in rows that are not there."""
    most = max(part.shape[1] for part in parts)
    stacked = parts[0].new_full((len(parts), len(parts[0]), most, *parts[0].shape[2:]), filler)
    for target, part in zip(stacked, parts, strict=True):
        target[:, : part.shape[1]] = part
    return stacked


def learn(agent, optimizer, args, batch):
    """Update on (vector, rows, row_actions, numbers of rows, their log-probabilities, advantages, returns)."""
    for _ in range(args.epochs):
        for chosen in torch.randperm(len(batch[0]), device=args.device).tensor_split(args.minibatches):
            *seen, number, old_log_prob, advantage, wanted = (values[chosen] for values in batch)
            policy, value = agent(*seen)
            ratio = (policy.log_prob(number) - old_log_prob).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
            loss = -gain + 0.5 * (value - wanted).square().mean() - args.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()


def train(args: Args) -> Agent:
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    games = make_games(args, args.games, None if args.self_play else args.opponent, args.reward)
    most = args.games * args.rollout // 2  # a standard deviation needs two decisions
    if most == 0:
        raise SystemExit("--games times --rollout must be 2 or more, not 1")
    if args.minibatches > most:
        raise SystemExit(f"--minibatches must be at most {most}, half --games times --rollout, not {args.minibatches}")
    space = games.single_observation_space
    if "rows" not in space.spaces:
        raise SystemExit(f"--env-id must name an environment with rows, such as Zamek-v1, not {args.env_id}")
    sizes = space["vector"].shape[0], space["rows"].shape[1], games.single_action_space.n, args.hidden
    agent = Agent(*sizes).to(args.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    now = read(*games.reset(seed=args.seed), args.device)
    updates, started = max(1, args.steps // (args.games * args.rollout)), time.perf_counter()
    for update in tqdm(range(1, updates + 1), unit="update"):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (update - 1) / updates)
        decisions = []
        for _ in range(args.rollout):
            *seen, player = now
            with torch.no_grad():
                policy, value = agent(*seen)
            number = policy.sample()
            next_seen, rewards, ended, _, infos = games.step(to_games(pick(seen[2], number), args))
            now = read(next_seen, infos, args.device)
            reward, end = (torch.as_tensor(part).to(args.device).float() for part in (rewards, ended))
            decisions.append((*seen, number, policy.log_prob(number), value, player, reward, end))
        vector, rows, row_actions, *others = zip(*decisions, strict=True)
        number, log_prob, value, player, reward, end = map(torch.stack, others)
        with torch.no_grad():
            last = agent(*now[:3])[1][None]
        advantage = estimate_advantages(args, reward, torch.cat([value, last]), torch.cat([player, now[3][None]]), end)
        seen = torch.stack(vector), stack_rows(rows, 0), stack_rows(row_actions, -1)
        batch = (*seen, number, log_prob, advantage, advantage + value)
        learn(agent, optimizer, args, [values.flatten(0, 1) for values in batch])
        if update % args.evaluate_every == 0 or update == updates:
            steps, seconds = update * args.games * args.rollout, time.perf_counter() - started
            score = evaluate(agent, args)
            tqdm.write(f"{steps} steps, {seconds:.0f} s: {score:.2f} of the games against {args.opponent}")
    games.close()
    return agent


if __name__ == "__main__":
    train(tyro.cli(Args))
