"""Searches that simulate games, so many or for a given time, and can be asked to decide at once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NODES_A_SECOND = 200_000  # more than there can be simulations
_CHUNK = 0.005  # seconds between two looks at the clock


class Hurrying:
    """An agent whose search can be cut short."""

    _is_hurried: bool = False

    def hurry(self) -> None:
        """Let the decision that another thread is waiting for be made at once, from what is found so far."""
        self._is_hurried = True

    @contextmanager
    def _deciding(self) -> Iterator[None]:
        """Let a `hurry` count for the decision that is made in the block, and for no other."""
        try:
            yield
        finally:
            self._is_hurried = False

    def _simulate_until(self, simulate: Callable[[int], int], started: float, end: float) -> None:
        """Simulate until `end` or until it is hurried, once at least.

        `simulate(count)` makes `count` more simulations, and returns how many there are since `started`. Times are
        those of `time.perf_counter`.
        """
        made = simulate(1)
        while not self._is_hurried and (now := time.perf_counter()) < end:
            chunk = min(_CHUNK, end - now)
            made = simulate(max(1, int(chunk * made / (now - started))))

    def _simulate_many(self, simulate: Callable[[int], int], count: int) -> None:
        """Make `count` simulations, or as many as there are until it is hurried, one at least.

        They are the same as if `simulate(count)` had made them all at once.
        """
        began, made, chunk = time.perf_counter(), 0, 1
        while made < count and not (self._is_hurried and made):
            simulate(chunk)
            made += chunk
            pace = made / (time.perf_counter() - began + 1e-9)
            chunk = min(max(1, int(_CHUNK * pace)), count - made)
