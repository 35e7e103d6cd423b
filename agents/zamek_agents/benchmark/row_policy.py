"""The policy that plays by a `RowNetwork`, for the learners that learn one."""

from typing import Any

import numpy as np
import torch

from zamek_agents.benchmark.practice import Policy
from zamek_env.row_network import PARTS, RowNetwork


def make_policy(network: RowNetwork) -> Policy:
    """Return the policy that plays the action whose row gets the largest logit."""

    def choose(seen: Any, mask: Any, rng: np.random.Generator) -> int:
        with torch.no_grad():
            logits = network.score(*(torch.from_numpy(seen[name][None]) for name in PARTS))[0]
        return int(seen["row_actions"][int(logits.argmax())])

    return choose
