"""Weights on their way through rounds of refining, as they stand in a file, from which the rounds go on.

A file is one of `array_file.py` with the arrays `weights` and `start`, float32, one number for each feature. It also
notes the format, the ruleset (`trained_for.py`), the seed, the curve (a row for each round) and the seconds spent.
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.trained_for import check_base, make_base_entries, read_ruleset
from zamek_agents.value.feature_groups import LEAD, count_features
from zamek_agents.value.weights import MAX_SECONDS, MAX_WEIGHT
from zamek_env.common.messages import show
from zamek_env.core.chance import MAX_DEAL
from zamek_env.ruleset import Ruleset

WHAT, FORMAT = "refined weights", "zamek-value-refined/1"
MAX_ROUNDS = 10_000
_CURVE = {
    "round": (1, MAX_ROUNDS), "returns_error": (0, 1e9), "choices_error": (0, 1e9), "win_rate": (0, 1),
    "win_rate_error": (0, 1), "margin": (-1e5, 1e5), "margin_error": (0, 1e5),
}  # fmt: skip


class Refined(NamedTuple):
    """Where a refinement stands."""

    weights: npt.NDArray[np.float32]  # after the last round
    start: npt.NDArray[np.float32]  # before the first one
    seed: int
    curve: list[dict[str, Any]]  # a row for each round
    seconds: float  # spent so far


def load_refined(path: PathLike[str] | str, ruleset: Ruleset) -> Refined:
    """Return what stands in a file. Raises `ValueError` where it is nothing of this kind, or for another `Ruleset`."""
    shape = (count_features(ruleset),)
    with open_arrays(path, WHAT, FORMAT) as file:
        trained_for = read_ruleset(file.about)
        seconds = read_number(file.about, "seconds", 0, MAX_SECONDS)
        seed = read_number(file.about, "seed", 0, MAX_DEAL, whole=True)
        curve = _check_curve(file.about.get("curve"))
        arrays = []
        if trained_for == read_ruleset(make_base_entries(ruleset)):
            arrays = [file.read(name, np.float32, shape, -MAX_WEIGHT, MAX_WEIGHT) for name in ("weights", "start")]
            if any(weights[LEAD] != 1 for weights in arrays):
                raise ValueError("the weight of the points ahead must be 1")
    check_base(path, trained_for, ruleset)
    return Refined(arrays[0], arrays[1], seed, curve, seconds)


def write_refined(file: IO[bytes], refined: Refined, ruleset: Ruleset, about: Mapping[str, Any]) -> None:
    """Write where a refinement stands to an open binary file, with what else is noted `about` it."""
    fields = {"format": FORMAT, "seed": refined.seed, "curve": refined.curve, "seconds": refined.seconds}
    arrays = {"weights": refined.weights, "start": refined.start}
    write_arrays(file, {**about, **make_base_entries(ruleset), **fields}, arrays)


def _check_curve(curve):
    """Return a curve, a row for each round. Raises `ValueError` where it is none."""
    if not isinstance(curve, list) or len(curve) > MAX_ROUNDS:
        raise ValueError(f"curve must be a list of at most {MAX_ROUNDS} rows, not {show(curve)}")
    for number, row in enumerate(curve, 1):
        if not isinstance(row, dict) or not row.keys() <= _CURVE.keys() or row.get("round") != number:
            known = ", ".join(_CURVE)
            raise ValueError(f"row {number} of the curve must be of that round, with some of {known}, not {show(row)}")
        for name in row:
            read_number(row, name, *_CURVE[name], whole=name == "round")
    return curve
