"""Files of weights: the learned numbers of one ruleset, and where they come from.

A file is one of `array_file.py` with an array `weights`, float32, one for each feature. It also notes the format,
the ruleset (`named_ruleset.py`), and the command, arguments, games and seconds that made them.

While weights are refined, rounds go on from a file with the arrays `weights` and `start` of the same form. It notes the
format, the ruleset, the seed, the curve (a row for each round) and the seconds spent.
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.named_ruleset import check_base, make_base_entries, read_ruleset
from zamek_agents.value.features import FIRST_GROUPS, LEAD, count_features, widen
from zamek_env.base.chance import MAX_DEAL
from zamek_env.common.messages import show
from zamek_env.ruleset import Ruleset

FORMAT = "zamek-value/1"
MAX_WEIGHT = 1e4  # points, either way; those learned by sound settings stay below 10
MAX_FEATURES = 10**6  # of any ruleset
MAX_GAMES = 10**12
MAX_SECONDS = 1e10
REFINED, REFINED_FORMAT = "refined weights", "zamek-value-refined/1"
MAX_ROUNDS = 10_000
_CURVE = {
    "round": (1, MAX_ROUNDS), "returns_error": (0, 1e9), "choices_error": (0, 1e9), "win_rate": (0, 1),
    "win_rate_error": (0, 1), "margin": (-1e5, 1e5), "margin_error": (0, 1e5),
}  # fmt: skip


def new_weights(ruleset: Ruleset) -> npt.NDArray[np.float32]:
    """Return untrained weights for a `Ruleset`, float32 `(features,)`: all 0, except for the points ahead."""
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


# --- weights on their way through rounds of refining ---


class Refined(NamedTuple):
    """The state of a refinement."""

    weights: npt.NDArray[np.float32]  # after the last round
    start: npt.NDArray[np.float32]  # before the first one
    seed: int
    curve: list[dict[str, Any]]  # a row for each round
    seconds: float  # spent so far


def load_refined(path: PathLike[str] | str, ruleset: Ruleset) -> Refined:
    """Return the contents of a file. Raises `ValueError` where it is of another kind, or for another `Ruleset`."""
    shape = (count_features(ruleset),)
    with open_arrays(path, REFINED, REFINED_FORMAT) as file:
        trained_for = read_ruleset(file.about)
        seconds = read_number(file.about, "seconds", 0, MAX_SECONDS)
        seed = read_number(file.about, "seed", 0, MAX_DEAL, whole=True)
        curve = read_curve(file.about, _CURVE, {"round"}, "round")
        if [row["round"] for row in curve] != [*range(1, len(curve) + 1)]:
            raise ValueError("the rounds of the curve must be counted from 1")
        arrays = []
        if trained_for == read_ruleset(make_base_entries(ruleset)):
            arrays = [file.read(name, np.float32, shape, -MAX_WEIGHT, MAX_WEIGHT) for name in ("weights", "start")]
            if any(weights[LEAD] != 1 for weights in arrays):
                raise ValueError("the weight of the points ahead must be 1")
    check_base(path, trained_for, ruleset)
    return Refined(arrays[0], arrays[1], seed, curve, seconds)


def write_refined(file: IO[bytes], refined: Refined, ruleset: Ruleset, about: Mapping[str, Any]) -> None:
    """Write the state of a refinement to an open binary file, with what else is noted `about` it."""
    fields = {"format": REFINED_FORMAT, "seed": refined.seed, "curve": refined.curve, "seconds": refined.seconds}
    arrays = {"weights": refined.weights, "start": refined.start}
    write_arrays(file, {**about, **make_base_entries(ruleset), **fields}, arrays)


def read_curve(
    about: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]], always: set[str], whole: str
) -> list[dict[str, Any]]:
    """Return the curve in the metadata `about` of a file: rows of numbers by name, in their `ranges`.

    Every row has those named in `always`; `whole` is a whole number. Raises `ValueError` where it is no curve.
    """
    curve = about.get("curve")
    if not isinstance(curve, list):
        raise ValueError(f"curve must be a list, not {show(curve)}")
    for row in curve:
        if not isinstance(row, dict) or not always <= row.keys() <= ranges.keys():
            raise ValueError(f"a row of the curve must have {', '.join(ranges)}, not {show(row)}")
        for name in row:
            read_number(row, name, *ranges[name], whole=name == whole)
    return curve
