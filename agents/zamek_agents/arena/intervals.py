"""Means of rates and other values, with their intervals.

Games of one deal share its luck: they are one observation.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # which imports its parts when they are used: all of them take a second

CONFIDENCE = 0.95
UPPER_TAIL = (1 + CONFIDENCE) / 2  # half of what is left out lies above
RESAMPLES = 2000  # the ends of an interval then have 50 of them beyond
_FEW = 30  # values; with fewer, bootstrap intervals are too narrow: with ten values they cover only 90 %
_MANY = 10_000  # values; with more, Student's t gives the same interval
_ROUNDING = 1e-12  # of the values: rounding errors are smaller
_BATCH = 100  # resamples drawn at once, which bounds the memory


def wilson_interval(rate: float, count: int) -> tuple[float, float]:
    """Return Wilson's score interval for a mean `rate` of `count` independent outcomes, each from 0 to 1.

    Of all such outcomes with a given mean, 0 and 1 spread the most; so for outcomes in between, such as half a win, the
    interval is too wide rather than too narrow. Its width is never 0, not even at a rate of 0 or 1. E. B. Wilson,
    Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    square = scipy.special.ndtri(UPPER_TAIL) ** 2
    centre = (rate + square / (2 * count)) / (1 + square / count)
    radius = np.sqrt(square * (rate * (1 - rate) / count + square / (4 * count**2))) / (1 + square / count)
    return max(0.0, float(centre - radius)), min(1.0, float(centre + radius))


def mean_interval(values: Sequence[float], least: float = -np.inf, most: float = np.inf) -> tuple[float, float] | None:
    """Return an interval for the mean of independent `values`, or None for fewer than two.

    No value can be below `least` or above `most`, and the interval does not go beyond them either.
    From thirty values on it is the bias-corrected and accelerated bootstrap interval, with a fixed seed so that it
    repeats. For fewer values it is Student's t interval, which is not too narrow then. The same holds for values that
    `are_equal`, and for more than ten thousand: there both agree, but the cost of the bootstrap grows quadratically.
    """
    if len(values) < 2:
        return None
    if not _FEW <= len(values) <= _MANY or are_equal(values):
        low, high = student_interval(values)
        return max(float(least), low), min(high, float(most))
    found = scipy.stats.bootstrap(
        (np.asarray(values, float),),
        np.mean,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        confidence_level=CONFIDENCE,
        rng=np.random.default_rng(0),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def are_equal(values: Sequence[float]) -> bool:
    """Return whether `values` are equal up to rounding. For such values a bootstrap finds no interval."""
    return bool(np.ptp(values) <= _ROUNDING * np.abs(values).max())


def average_groups(
    groups: Iterable[Sequence[float]], least: float = -np.inf, most: float = np.inf
) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of the means of `groups` of values, all from `least` to `most`, and its `mean_interval`.

    The values of a group depend on each other, such as those of one deal, so each group is one observation.
    """
    means = [float(np.mean(values)) for values in groups]
    return float(np.mean(means)), mean_interval(means, least, most)


def student_interval(values: Sequence[float], freedom: int | None = None) -> tuple[float, float]:
    """Return Student's t interval for the mean of two or more independent `values`.

    `freedom` are its degrees of freedom, where they are fewer than one less than the values.
    """
    factor = scipy.special.stdtrit(len(values) - 1 if freedom is None else freedom, UPPER_TAIL)
    radius = factor * np.std(values, ddof=1) / np.sqrt(len(values))
    return float(np.mean(values) - radius), float(np.mean(values) + radius)


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
    """Return the mean of pairs (deal, value from 0 to 1), with Wilson's interval for as many outcomes as deals."""
    groups = _group(values)
    rate = float(np.mean([value for group in groups.values() for value in group]))
    return Estimate(rate, wilson_interval(rate, len(groups)))


def _group(values):
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for deal, value in values:
        groups[deal].append(value)
    return groups
