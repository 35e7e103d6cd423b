"""PPO of RLlib's new API stack in self-play, through PettingZoo's interface, with action masks.

RLlib wants a Gymnasium of its own, so it lives in an environment of its own:

    pip install -r examples/rllib-requirements.txt
    pip install -e .
    python examples/rllib_ppo.py

RLlib keeps the decisions of each player apart, so the sign of values is right in self-play without further ado.
"""

import time
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
import tyro
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from tqdm import tqdm

from zamek_env import zamek_v0


@dataclass
class Args:
    iterations: int = 5
    batch: int = 4096  # decisions an iteration
    minibatch: int = 512
    epochs: int = 4
    learning_rate: float = 1e-3
    envs: int = 8  # at once, in this process
    env_runners: int = 0  # other processes that play, none: this one
    hidden: int = 128  # units of each of the two layers
    evaluation_games: int = 100
    seed: int = 1


def squash(observation):
    """Bring entries together: most are 0 or 1, and some go up to 60. They stay within their space."""
    return np.log1p(observation)


class ZamekMultiAgentEnv(MultiAgentEnv):
    """A PettingZoo environment as RLlib and its module for action masks want it."""

    def __init__(self, config):
        super().__init__()
        self.env = zamek_v0.raw_env(**config)
        self.agents = self.possible_agents = list(self.env.possible_agents)
        self.observation_spaces = {agent: self.make_space(agent) for agent in self.agents}
        self.action_spaces = {agent: self.env.action_space(agent) for agent in self.agents}

    def make_space(self, agent):
        """Return the space with the names and the types that `ActionMaskingTorchRLModule` reads."""
        space = self.env.observation_space(agent)
        mask = spaces.Box(0.0, 1.0, space["action_mask"].shape, np.float32)
        return spaces.Dict({"observations": space["observation"], "action_mask": mask})

    def observe(self, agents):
        seen = {agent: self.env.observe(agent) for agent in agents}
        return {
            agent: {"observations": squash(part["observation"]), "action_mask": part["action_mask"].astype(np.float32)}
            for agent, part in seen.items()
        }

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
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config=DefaultModelConfig(fcnet_hiddens=[args.hidden, args.hidden], fcnet_activation="relu"),
    )
    return (
        PPOConfig()
        .environment(ZamekMultiAgentEnv, disable_env_checking=True)  # its check plays illegal actions
        .env_runners(num_env_runners=args.env_runners, num_envs_per_env_runner=args.envs)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **kwargs: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": module}))
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
    """Return the share of games won against `random` by the likeliest actions; a draw counts half."""
    count = args.evaluation_games
    games = gymnasium.make_vec(
        "Zamek-v0", count, "vector_entry_point", opponent="random", flat=True, copy=True, autoreset_mode="SameStep"
    )
    seen, infos = games.reset(seed=args.seed)
    results = np.full(count, np.nan)
    while np.isnan(results).any():
        mask = torch.as_tensor(infos["action_mask"], dtype=torch.float32)
        outs = module.forward_inference({"obs": {"observations": torch.as_tensor(squash(seen)), "action_mask": mask}})
        seen, rewards, ended, _, infos = games.step(outs["action_dist_inputs"].argmax(dim=1).numpy())
        results = np.where(ended & np.isnan(results), rewards, results)
    return (1 + results.mean()) / 2


def train(args: Args) -> float:
    algorithm, started = make_config(args).build_algo(), time.perf_counter()
    for iteration in tqdm(range(1, args.iterations + 1), unit="iteration"):
        algorithm.train()
        score = evaluate(algorithm.get_module("both"), args)
        seconds = time.perf_counter() - started
        tqdm.write(f"{iteration * args.batch} steps, {seconds:.0f} s: {score:.2f} of the games against random")
    algorithm.stop()
    return score


if __name__ == "__main__":
    train(tyro.cli(Args))
