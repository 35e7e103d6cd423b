"""The network of the trained player: that of rows, which also sees the areas that an action would change.

NETWORK DESCRIPTION
    vector ────────────────────────────────▶ summary ──────────┬──────────────────────────────┐
                                                               ▼                              ▼
    the row of an action ─────────────────────────────▶ (the same weights for all) ──▶ the largest ──▶ value
                                                           ▲   └──▶ its logit
    areas (`areas.py`), one by one ──▶ their sum ──────────┘
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces

from zamek_agents.ppo.areas import AreaDescriber
from zamek_env.ruleset import Ruleset
from zamek_env.sb3 import RowFeatures

STATE = "state"  # the part of what the network sees from which areas are described


def add_state_space(space: spaces.Dict, ruleset: Ruleset) -> spaces.Dict:
    """Return the space of observations of that `space` after `add_state`, of games of a `Ruleset`."""
    return spaces.Dict({**space, STATE: spaces.Box(0, 255, (ruleset.state_dtype.itemsize,), np.uint8)})


def add_state(seen: Any, states: npt.NDArray[np.record]) -> dict[str, npt.NDArray[Any]]:
    """Return observations with the `states` of their games, as bytes `(n, bytes)`, copied."""
    return {**seen, STATE: states.view(np.uint8).reshape(len(states), -1).copy()}


class AreaFeatures(RowFeatures):
    """As `RowFeatures`, with `width` numbers made of each area of games of a `Ruleset`.

    Raises `ValueError` where observations have no states, and for other games than `AreaDescriber` describes.
    """

    def __init__(
        self, observation_space: spaces.Dict, num_actions: int, hidden: int, ruleset: Ruleset, width: int
    ) -> None:
        if STATE not in observation_space.spaces:
            raise ValueError(f"observation_space must hold {STATE}, as SelfPlayVecEnv shows with states=True")
        super().__init__(observation_space, num_actions, hidden)
        self.ruleset, self.width, self.hidden = ruleset, width, hidden
        self._describer = AreaDescriber(ruleset)
        self.from_area = torch.nn.Linear(self._describer.columns, width)
        self.from_areas = torch.nn.Linear(width, hidden)

    def score(self, seen: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (logits of rows, value), as `RowNetwork.score` does."""
        states = seen[STATE].numpy().astype(np.uint8, copy=False)  # SB3 may have made floats of all parts
        actions = seen["row_actions"].numpy().astype(np.int16, copy=False)
        found = self._describer.describe(states.view(self.ruleset.state_dtype)[:, 0], actions)
        areas, owners = map(torch.from_numpy, found)
        touched = areas.new_zeros(int((seen["row_actions"] >= 0).sum()), self.width)
        touched = touched.index_add(0, owners, self.from_area(areas).relu())
        return self.network.score(seen["vector"], seen["rows"], seen["row_actions"], self.from_areas(touched))


def shape_network(ruleset: Ruleset, width: int, hidden: int) -> dict[str, Any]:
    """Return the arguments of `RowPolicy` for a network over `AreaFeatures`."""
    areas = {"ruleset": ruleset, "width": width}
    return {"hidden": hidden, "features_extractor_class": AreaFeatures, "features_extractor_kwargs": areas}
