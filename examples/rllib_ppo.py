"""PPO of RLlib's new API stack in self-play, through PettingZoo's interface, with action masks.

RLlib wants a Gymnasium of its own, so it lives in an environment of its own:

    pip install -r examples/rllib-requirements.txt
    pip install -e '.[cli]'
    python examples/rllib_ppo.py

RLlib keeps the decisions of each player apart, so the sign of values is right in self-play without further ado.
"""

import time
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
import tyro
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from tqdm import tqdm

from zamek_env import zamek_v1
from zamek_env.row_network import PARTS, RowNetwork


@dataclass
class Args:
    opponent: str = "greedy"  # in evaluation; "random" and "greedy" are compiled
    iterations: int = 5
    batch: int = 4096  # decisions an iteration
    minibatch: int = 512
    epochs: int = 4
    learning_rate: float = 1e-3
    envs: int = 8  # at once, in this process
    env_runners: int = 0  # other processes that play, none: this one
    evaluation_games: int = 100
    seed: int = 1


class RowModule(TorchRLModule, ValueFunctionAPI):
    """`RowNetwork` as RLlib asks for it, with action masks."""

    def setup(self):
        space = self.observation_space["observation"]
        self.network = RowNetwork(space["vector"].shape[0], space["rows"].shape[1], self.action_space.n)

    def look(self, batch):
        return self.network(*(batch[Columns.OBS]["observation"][name] for name in PARTS))

    def _forward(self, batch, **kwargs):
        logits, _ = self.look(batch)
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(batch[Columns.OBS]["action_mask"] == 0, -1e8)}

    def compute_values(self, batch, embeddings=None):
        return self.look(batch)[1]


class ZamekMultiAgentEnv(MultiAgentEnv):
    """A PettingZoo environment as RLlib wants it."""

    def __init__(self, config):
        super().__init__()
        self.env = zamek_v1.raw_env(**config)
        self.agents = self.possible_agents = list(self.env.possible_agents)
        self.observation_spaces = {agent: self.env.observation_space(agent) for agent in self.agents}
        self.action_spaces = {agent: self.env.action_space(agent) for agent in self.agents}

    def observe(self, agents):
        return {agent: self.env.observe(agent) for agent in agents}

    def reset(self, *, seed=None, options=None):
        self.env.reset(seed=seed)
        self.lead = 0
        return self.observe([self.env.agent_selection]), {}

    def step(self, actions):
        """Play the one action, and reward both players with what the difference of points changed by ÷ 100."""
        for action in actions.values():
            self.env.step(int(action))
        scores = self.env.game.scores
        last_lead, self.lead = self.lead, scores[0] - scores[1]
        gain = (self.lead - last_lead) / 100
        over = all(self.env.terminations.values())
        seen = self.observe(self.agents if over else [self.env.agent_selection])
        rewards = dict(zip(self.agents, (gain, -gain), strict=True))
        return seen, rewards, {"__all__": over}, {"__all__": False}, {}


def make_config(args: Args) -> PPOConfig:
    return (
        PPOConfig()
        .environment(ZamekMultiAgentEnv, disable_env_checking=True)  # its check plays illegal actions
        .env_runners(num_env_runners=args.env_runners, num_envs_per_env_runner=args.envs)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **kwargs: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": RLModuleSpec(module_class=RowModule)}))
        .training(
            train_batch_size_per_learner=args.batch,
            minibatch_size=args.minibatch,
            num_epochs=args.epochs,
            lr=args.learning_rate,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.002,
            clip_param=0.2,
            use_kl_loss=False,
        )
        .debugging(seed=args.seed)
    )


@torch.no_grad()
def evaluate(module, args: Args) -> float:
    """Return the share of games won against an agent by the likeliest actions; a draw counts half."""
    count = args.evaluation_games
    games = gymnasium.make_vec(
        "Zamek-v1", count, "vector_entry_point", opponent=args.opponent, copy=True, autoreset_mode="SameStep"
    )
    seen, infos = games.reset(seed=args.seed)
    results = np.full(count, np.nan)
    while np.isnan(results).any():
        parts, mask = {name: torch.from_numpy(seen[name]) for name in PARTS}, torch.from_numpy(infos["action_mask"])
        found = module.forward_inference({Columns.OBS: {"observation": parts, "action_mask": mask}})
        seen, rewards, ended, _, infos = games.step(found[Columns.ACTION_DIST_INPUTS].argmax(dim=1).numpy())
        results = np.where(ended & np.isnan(results), rewards, results)
    return (1 + results.mean()) / 2


def train(args: Args) -> float:
    for name, value in vars(args).items():
        least = 0 if name in ("seed", "env_runners") else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    if args.minibatch > args.batch:
        raise SystemExit(f"--minibatch must be at most --batch, {args.batch}, not {args.minibatch}")
    algorithm, started = make_config(args).build_algo(), time.perf_counter()
    for iteration in tqdm(range(1, args.iterations + 1), unit="iteration"):
        algorithm.train()
        score = evaluate(algorithm.get_module("both"), args)
        seconds = time.perf_counter() - started
        tqdm.write(f"{iteration * args.batch} steps, {seconds:.0f} s: {score:.2f} of the games against {args.opponent}")
    algorithm.stop()
    return score


if __name__ == "__main__":
    train(tyro.cli(Args))
