"""What searches that simulate games share: how long they take, and when their time is up."""

import time
from collections.abc import Callable

import numpy as np

NODES_A_SECOND = 200_000  # more than there can be simulations
_STRETCH = 0.005  # seconds between two looks at the clock


class Timed:
    """An agent that notes how long its decisions take."""

    decisions: int = 0
    seconds: float = 0.0  # that all decisions took, without the first one, which may have to compile

    @property
    def milliseconds(self) -> float:
        """What a decision took on average; NaN before the first one."""
        return 1e3 * self.seconds / self.decisions if self.decisions else np.nan


def simulate_until(simulate: Callable[[int], int], started: float, end: float) -> None:
    """Simulate until `end`, once at least.

    `simulate(count)` makes `count` more simulations, and returns how many there are since `started`. Times are those of
    `time.perf_counter`.
    """
    made = simulate(1)
    while (now := time.perf_counter()) < end:
        stretch = min(_STRETCH, end - now)
        made = simulate(max(1, int(stretch * made / (now - started))))
