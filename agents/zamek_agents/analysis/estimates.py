"""Means with their intervals, where games of one deal are one observation: they share its luck."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from zamek_agents.arena.intervals import average_groups, wilson_interval


@dataclass(frozen=True)
class Estimate:
    """A mean and an interval for it of the level `CONFIDENCE`."""

    mean: float
    interval: tuple[float, float] | None  # None for a single deal, which shows no spread

    @property
    def radii(self) -> tuple[float, float]:
        """How far the interval reaches below and above the mean; 0 where there is none."""
        low, high = self.interval or (self.mean, self.mean)
        return max(0.0, self.mean - low), max(0.0, high - self.mean)


def estimate_mean(values: Iterable[tuple[Hashable, float]], least: float = 0.0, most: float = np.inf) -> Estimate:
    """Return the mean of values that come as pairs (deal, value): the mean of the means of all deals.

    No value can be below `least`, as no count can be below 0, or above `most`; so the interval does not go beyond them.
    """
    return Estimate(*average_groups(_group(values).values(), least, most))


def estimate_rate(values: Iterable[tuple[Hashable, float]]) -> Estimate:
    """Return the mean of pairs (deal, value from 0 to 1), with Wilson's interval, of so many outcomes as deals."""
    groups = _group(values)
    rate = float(np.mean([value for group in groups.values() for value in group]))
    return Estimate(rate, wilson_interval(rate, len(groups)))


def _group(values):
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for deal, value in values:
        groups[deal].append(value)
    return groups
