"""Searches that simulate games for a given time."""

import time
from collections.abc import Callable

NODES_A_SECOND = 200_000  # more than there can be simulations
_STRETCH = 0.005  # seconds between two looks at the clock


def simulate_until(simulate: Callable[[int], int], started: float, end: float) -> None:
    """Simulate until `end`, once at least.

    `simulate(count)` makes `count` more simulations, and returns how many there are since `started`. Times are those of
    `time.perf_counter`.
    """
    made = simulate(1)
    while (now := time.perf_counter()) < end:
        stretch = min(_STRETCH, end - now)
        made = simulate(max(1, int(stretch * made / (now - started))))
