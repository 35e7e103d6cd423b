"""The network of `ppo` for Castle, the card game, and its files. It plays with numpy alone.

NETWORK DESCRIPTION
    seen ──▶ hidden ──▶ hidden ──┬──▶ + trust * liked ──▶ logits of all actions
                                 └──▶ + faith * lead ───▶ value to who decides

A network that is new plays like `greedy`: it learns what greedy play gets wrong.
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.castle_cards.self_play import PLAYERS, Show
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout

FORMAT = "zamek-cards-ppo/1"
RULESET = "castle-cards"
MAX_HIDDEN = 4096
MOST = 1e4  # no number of a network is larger

Weights = dict[str, npt.NDArray[np.float32]]


def list_shapes(hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays by name, for layers of so many units."""
    entries = len(find_layout(PLAYERS))
    return {
        "first.weight": (hidden, entries),
        "first.bias": (hidden,),
        "second.weight": (hidden, hidden),
        "second.bias": (hidden,),
        "policy.weight": (NUM_ACTIONS, hidden),
        "policy.bias": (NUM_ACTIONS,),
        "value.weight": (1, hidden),
        "value.bias": (1,),
        "trust": (1,),
        "faith": (1,),
    }


def find_logits(weights: Weights, show: Show) -> npt.NDArray[np.float32]:
    """Return the logits of all actions, `(n, NUM_ACTIONS)`; those of illegal ones are far below all others."""
    hidden = show.seen
    for layer in ("first", "second"):
        hidden = np.maximum(hidden @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"], 0)
    return hidden @ weights["policy.weight"].T + weights["policy.bias"] + weights["trust"] * show.liked


def write_network(file: PathLike[str] | str | IO[bytes], weights: Mapping[str, npt.ArrayLike], about: Any) -> None:
    """Write a network to a path or an open binary file, with what is told `about` it; half precision is enough."""
    hidden = len(np.asarray(weights["first.bias"]))
    told = {"format": FORMAT, "ruleset": RULESET, "players": PLAYERS, "hidden": hidden, **about}
    write_arrays(file, told, {name: np.asarray(array, np.float16) for name, array in weights.items()})


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
        hidden = read_number(arrays.about, "hidden", 1, MAX_HIDDEN, whole=True)
        read_number(arrays.about, "players", PLAYERS, PLAYERS, whole=True)
        shapes = list_shapes(hidden)
        found = {name: arrays.read(name, np.float16, shape, -MOST, MOST) for name, shape in shapes.items()}
    return {name: array.astype(np.float32) for name, array in found.items()}
