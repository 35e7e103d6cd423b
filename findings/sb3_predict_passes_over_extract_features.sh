#!/usr/bin/env bash
# A good guess: a policy of Stable-Baselines3 that overrides `extract_features`, to scale observations, or to keep the
# integers that an embedding needs, sees them alike when it learns and when it plays.
#
# What happens: `forward` and `evaluate_actions` call the override. `get_distribution`, and so `predict`, calls the
# method of the base class, and so does `predict_values`, which estimates what comes after the end of each rollout. So
# the policy plays, and takes values to go on from, by other features than it learned with. It is so for PPO and
# MaskablePPO. Put such work into a features extractor; whole numbers come as floats there.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 and sb3-contrib 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2
"$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import PPO
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor


class Cells(gymnasium.Env):
    observation_space, action_space = gymnasium.spaces.Box(0, 99, (4,), np.int16), gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.full(4, 7, np.int16), {}

    def step(self, action):
        return np.full(4, 7, np.int16), 0.0, True, False, {}

    def action_masks(self):
        return np.ones(3, bool)


class Reads(FlattenExtractor):
    """Notes the dtype that arrives."""

    def forward(self, observations):
        self.came = str(observations.dtype).removeprefix("torch.")
        return super().forward(observations).float()


class KeepsIntegers:
    def extract_features(self, obs, features_extractor=None):
        return self.features_extractor(obs)


def see(algorithm, base):
    """Return the dtype in which observations reach the extractor, by how the policy is called."""
    policy_class = type("Policy", (KeepsIntegers, base), {})
    model = algorithm(policy_class, Cells(), policy_kwargs={"features_extractor_class": Reads}, device="cpu")
    seen, action = torch.full((1, 4), 7, dtype=torch.int16), torch.zeros(1)
    calls = {
        "forward": lambda: model.policy(seen),
        "evaluate_actions": lambda: model.policy.evaluate_actions(seen, action),
        "predict": lambda: model.predict(seen.numpy()),
        "predict_values": lambda: model.policy.predict_values(seen),
    }
    return {name: (call(), model.policy.features_extractor.came)[1] for name, call in calls.items()}


plain, masked = see(PPO, ActorCriticPolicy), see(MaskablePPO, MaskableActorCriticPolicy)
print("observations of int16 reach the extractor as", plain)
whole, broken = dict.fromkeys(("forward", "evaluate_actions"), "int16"), ("predict", "predict_values")
assert plain == masked == whole | dict.fromkeys(broken, "float32")
PYTHON
