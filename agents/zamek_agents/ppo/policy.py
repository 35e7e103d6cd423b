"""The network of the trained player, that of rows with the areas that an action would change, and its files.

NETWORK DESCRIPTION
    vector ────────────────────────────────▶ summary ──────────┬──────────────────────────────┐
                                                               ▼                              ▼
    the row of an action ─────────────────────────────▶ (the same weights for all) ──▶ the largest ──▶ value
                                                           ▲   └──▶ its logit
    areas (`areas.py`), one by one ──▶ their sum ──────────┘

A file of weights is enough to play, and a tenth as large as a checkpoint. It is one of `array_file.py` with a float16
array for each part of the network, by its name. It also notes the format, the ruleset (`named_ruleset.py`), the sizes
of the network, and how it was trained. A checkpoint (`learner.py`) has the same parts, as float32, and others; it is as
good for playing.
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.policies import BasePolicy

from zamek_agents.array_file import Arrays, open_arrays, read_number, write_arrays
from zamek_agents.base import DivergedError
from zamek_agents.named_ruleset import TrainedFor, check_ruleset, make_ruleset_entries, read_ruleset
from zamek_agents.ppo.areas import AreaDescriber
from zamek_agents.pretrained import MAX_SIZE
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import Ruleset, get_ruleset, make_action_space, make_observation_space
from zamek_env.sb3 import RowFeatures, RowPolicy

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


FORMAT, CHECKPOINT = "zamek-ppo/5", "zamek-ppo-checkpoint/5"
DTYPES = {FORMAT: np.float16, CHECKPOINT: np.float32}  # of the parts, by format
MAX_WEIGHT = float(np.finfo(np.float16).max)  # either way
_SHARED = ("pi_features_extractor.", "vf_features_extractor.")  # second and third copies of what actor and critic share


class Sizes(NamedTuple):
    """The ruleset of a network, and its sizes."""

    trained_for: TrainedFor
    width: int
    hidden: int


def make_policy(ruleset: Ruleset, width: int, hidden: int) -> RowPolicy:
    """Return a network for a `Ruleset` that has learned nothing."""
    seen = add_state_space(make_observation_space(ruleset, ROW_PARTS), ruleset)
    return RowPolicy(seen, make_action_space(ruleset), lambda _: 0.0, **shape_network(ruleset, width, hidden))


def write_weights(file: PathLike[str] | str | IO[bytes], policy: BasePolicy, about: dict[str, Any]) -> None:
    """Write the weights of a network to a path or an open binary file, with what is noted `about` it."""
    arrays = {name: value.numpy().astype(np.float16) for name, value in read_parts(policy).items()}
    write_arrays(file, about | describe(policy, FORMAT), arrays)


def describe(policy: BasePolicy, form: str) -> dict[str, Any]:
    """Return the metadata of a network for a file of that format, from which it can be rebuilt."""
    features: Any = policy.features_extractor
    return (
        {"format": form} | make_ruleset_entries(features.ruleset) | {"width": features.width, "hidden": features.hidden}
    )


def read_trained_for(path: PathLike[str] | str) -> TrainedFor:
    """Return the `TrainedFor` of the network in the file `path`. Raises `ValueError` where it holds none."""
    with open_arrays(path, "trained network", FORMAT, CHECKPOINT) as file:
        return read_sizes(file.about).trained_for


def load_policy(path: PathLike[str] | str, ruleset: Ruleset | None = None) -> tuple[RowPolicy, dict[str, Any]]:
    """Return (the network in the file `path`, what is noted about it).

    Raises `ValueError` where it holds none, or one for another `Ruleset`; without one it is that of the packaged
    components which the file names.
    """
    trained_for = read_trained_for(path)
    check_ruleset(path, trained_for, ruleset or get_ruleset(trained_for.ruleset))
    with open_arrays(path, "trained network", FORMAT, CHECKPOINT) as file:
        sizes = read_sizes(file.about)
        policy = make_policy(ruleset or get_ruleset(trained_for.ruleset), sizes.width, sizes.hidden)
        parts = read_parts(policy)
        if file.about["format"] == FORMAT and file.names != parts.keys():
            raise ValueError("its parts are those of another network")
        found = read_network(file, policy)
        with torch.no_grad():
            for name, part in parts.items():
                part.copy_(torch.from_numpy(found[name]))
    policy.set_training_mode(False)
    return policy, file.about


def read_sizes(about: Mapping[str, Any]) -> Sizes:
    """Return the `Sizes` of the network as a file notes them. Raises `ValueError` where it does not."""
    return Sizes(
        read_ruleset(about), *(read_number(about, name, 1, MAX_SIZE, whole=True) for name in ("width", "hidden"))
    )


def read_network(file: Arrays, policy: BasePolicy, prefix: str = "") -> dict[str, npt.NDArray[Any]]:
    """Return {name: array} of the parts of a network like `policy` in open `Arrays`, where names begin with `prefix`.

    Raises `ValueError` where they are not such parts.
    """
    dtype, parts = DTYPES[file.about["format"]], read_parts(policy)
    return {name: file.read(prefix + name, dtype, part.shape, -MAX_WEIGHT, MAX_WEIGHT) for name, part in parts.items()}


def read_parts(policy: BasePolicy) -> dict[str, torch.Tensor]:
    """Return {name: tensor} of the parts of a network; what actor and critic share is there once."""
    return {name: value for name, value in policy.state_dict().items() if not name.startswith(_SHARED)}


def find_part(name: str) -> str:
    """Return the name under which `read_parts` returns that entry of the state dict of a network."""
    for prefix in _SHARED:
        if name.startswith(prefix):
            return name.removeprefix(prefix[: prefix.index("_") + 1])
    return name


def check_network(policy: BasePolicy) -> None:
    """Raise `DivergedError` where a weight of a network is not finite, or too large for a file."""
    for name, part in read_parts(policy).items():
        largest = float(part.abs().max())
        if not largest <= MAX_WEIGHT:  # nor is NaN
            raise DivergedError(f"learning diverged: a weight of {name} is {largest:g}; the learning rate is too large")
