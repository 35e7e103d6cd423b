"""An agent's values of a player's choices."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import is_whole
from zamek_env.common.messages import show

POINTS, PROBABILITY = "points", "probability"
UNITS = (POINTS, PROBABILITY)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """An agent's values of all legal actions of one decision; more is better for the player to decide.

    Raises `TypeError` where the actions are no list, `ValueError` unless there is one value an action, the actions
    ascend, no value is infinite, and the unit is a known one.
    """

    actions: list[int]  # the legal ones, ascending
    values: npt.NDArray[np.float64]  # one an action; NaN where the agent did not look
    unit: str  # "points": by which the mover will win, as expected; "probability": with which the agent plays it

    def __post_init__(self) -> None:
        values = self.values
        if not isinstance(self.actions, list):
            raise TypeError(f"actions must be a list, as legal_actions() returns it, not {show(self.actions)}")
        if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.shape != (len(self.actions),):
            raise ValueError(
                f"values must be a float64 array, one for each of {len(self.actions)} actions: {show(values)}"
            )
        if np.isinf(values).any():
            raise ValueError(f"values must be finite or NaN, not {show(values)}")
        if any(first >= second for first, second in zip(self.actions, self.actions[1:], strict=False)):
            raise ValueError(f"actions must ascend, not {show(self.actions)}")
        if not isinstance(self.unit, str) or self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(UNITS)}, not {show(self.unit)}")

    @property
    def best(self) -> int | None:
        """The action of the greatest value, the first of several; None where the agent looked at none."""
        return None if np.isnan(self.values).all() else self.actions[int(np.nanargmax(self.values))]

    def value_of(self, action: int) -> float:
        """Return the value of a legal `action`, NaN where the agent did not look. Raises `ValueError` for another."""
        if not is_whole(action) or action not in self.actions:
            raise ValueError(f"action must be one of {show(self.actions)}, not {show(action)}")
        return float(self.values[self.actions.index(action)])

    def loss(self, action: int) -> float:
        """Return how much less a legal `action` is worth than the best, 0 or more; NaN where the agent did not look.

        Raises `ValueError` for another action, where the agent looked at any.
        """
        return float(np.nanmax(self.values)) - self.value_of(action) if self.best is not None else np.nan
