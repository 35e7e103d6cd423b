"""Files of weights: the learned numbers of one ruleset, and where they come from.

A file is one of `array_file.py` with an array `weights`, float32, one for each feature. It also notes the format,
the ruleset (`trained_for.py`), and the command, arguments, games and seconds that made them.
"""

from os import PathLike
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.trained_for import check_base, make_base_entries, read_ruleset
from zamek_agents.value.feature_groups import FIRST_GROUPS, LEAD, count_features, widen
from zamek_env.ruleset import Ruleset

FORMAT = "zamek-value/1"
MAX_WEIGHT = 1e4  # points, either way; those learned by sound settings stay below 10
MAX_FEATURES = 10**6  # of any ruleset
MAX_GAMES = 10**12
MAX_SECONDS = 1e10


def new_weights(ruleset: Ruleset) -> npt.NDArray[np.float32]:
    """Return weights for a `Ruleset` that know nothing, float32 `(features,)`: all 0, but for the points ahead."""
    weights = np.zeros(count_features(ruleset), np.float32)
    weights[LEAD] = 1
    return weights


def load_weights(path: PathLike[str] | str, ruleset: Ruleset) -> npt.NDArray[np.float32]:
    """Return the weights in the file `path`, float32 `(features,)`.

    Raises `ValueError` where it holds none, or those of another ruleset or of other components.
    """
    learned, about = read_file(path)
    check_base(path, read_ruleset(about), ruleset)
    features = count_features(ruleset)
    if learned.size == count_features(ruleset, FIRST_GROUPS):
        return widen(ruleset, learned)
    if learned.size != features:
        raise ValueError(
            f"{path} holds {learned.size} weights where the ruleset {ruleset.name!r} has {features} features"
        )
    return learned


def read_file(path: PathLike[str] | str) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
    """Return (weights, what is noted about them) of a file. Raises `ValueError` where it is no such file."""
    with open_arrays(path, "weights of a learned evaluation", FORMAT) as file:
        read_ruleset(file.about)
        for name, most in (("games", MAX_GAMES), ("seconds", MAX_SECONDS)):
            if name in file.about:
                read_number(file.about, name, 0, most)
        shape = file.find_shape("weights")
        if len(shape) != 1 or not 1 <= shape[0] <= MAX_FEATURES:
            raise ValueError(f"weights must have shape (n,), with n from 1 to {MAX_FEATURES}, not {shape}")
        learned = file.read("weights", np.float32, shape, -MAX_WEIGHT, MAX_WEIGHT)
        if learned[LEAD] != 1:
            raise ValueError(f"the weight of the points ahead must be 1, not {learned[LEAD]:g}")
    return learned, file.about


def write_file(
    file: PathLike[str] | str | IO[bytes], weights: npt.ArrayLike, ruleset: Ruleset, about: dict[str, Any]
) -> None:
    """Write `weights` for a `Ruleset`, with what is noted `about` them.

    `file` is a path or an open binary file.
    """
    noted = about | {"format": FORMAT} | make_base_entries(ruleset)
    write_arrays(file, noted, {"weights": np.asarray(weights, np.float32)})
