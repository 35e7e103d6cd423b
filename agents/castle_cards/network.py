"""The network of `ppo` for Castle, the card game, and its files. It has a single layer.

NETWORK DESCRIPTION
    features ──▶ policy ──▶ + trust * liked ──▶ logits of the legal actions

`features` are what is known of the position, `liked` is by how much `greedy` likes each action less than the best. A
network that is new plays like `greedy`: it learns what greedy play gets wrong.
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.castle_cards.features import FEATURES, NUM_FEATURES, PLAYERS
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.components.box_folder import CASTLE_CARDS

FORMAT = "zamek-cards-ppo/2"
TRUST = 8.0  # of a new network: an action worth 1 less than the best is e**8 times less probable
MOST = 1e4  # no number of a network is larger


class Weights(NamedTuple):
    """The numbers of a network."""

    policy: npt.NDArray[np.float64]  # (NUM_FEATURES, NUM_ACTIONS)
    trust: npt.NDArray[np.float64]  # (1,)


SHAPES = {"policy": (NUM_FEATURES, NUM_ACTIONS), "trust": (1,)}


def make_weights() -> Weights:
    """Return a new network."""
    return Weights(np.zeros(SHAPES["policy"]), np.full(1, TRUST))


def write_network(file: PathLike[str] | str | IO[bytes], weights: Weights, about: Any) -> None:
    """Write a network to a path or an open binary file, with what is noted `about` it; half precision is enough."""
    write_arrays(
        file, describe(FORMAT) | about, {name: array.astype(np.float16) for name, array in weights._asdict().items()}
    )


def describe(file_format: str) -> dict[str, Any]:
    """Return what a file of that format says of its network."""
    return {"format": file_format, "ruleset": CASTLE_CARDS, "players": PLAYERS, "features": list(FEATURES)}


def check_features(about: Mapping[str, Any]) -> None:
    """Raise `ValueError` where a file is of a network that is shown something else, or plays with more players."""
    read_number(about, "players", PLAYERS, PLAYERS, whole=True)
    if about.get("features") != list(FEATURES):
        raise ValueError("its features are others than those of this version")


def holds_network(path: PathLike[str] | str) -> bool:
    """Return whether a file says that it holds a network for castle-cards."""
    try:
        with open_arrays(path, "network for castle-cards", FORMAT):
            return True
    except ValueError:
        return False


def read_network(path: PathLike[str] | str) -> Weights:
    """Return the network that a file holds. Raises `ValueError` where it holds none."""
    with open_arrays(path, "network for castle-cards", FORMAT) as arrays:
        check_features(arrays.about)
        found = {name: arrays.read(name, np.float16, shape, -MOST, MOST) for name, shape in SHAPES.items()}
    return Weights(**{name: array.astype(np.float64) for name, array in found.items()})
