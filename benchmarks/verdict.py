"""Judges by rates of two versions, measured in turns, which is faster."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles


@dataclass
class Pair:
    """A measurement of both versions: how many a second in each round."""

    before: list[float] = field(default_factory=list)
    now: list[float] = field(default_factory=list)

    def add(self, before: float, now: float) -> None:
        """Note a round."""
        self.before.append(before)
        self.now.append(now)

    @property
    def ratios(self) -> list[float]:
        """The ratio of speeds, now to before, by rounds: what else the machine did met both alike."""
        return [now / before for before, now in zip(self.before, self.now, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of `ratios`."""
        return median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The range that the middle half of `ratios` lies in."""
        ratios = self.ratios
        low, _, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        return low, high

    def is_slower(self, tolerance: float) -> bool:
        """Return whether the median ratio is below `1 - tolerance`."""
        return self.ratio < 1 - tolerance


def find_slower(pairs: dict[str, Pair], tolerance: float) -> list[str]:
    """Return the names of the measurements that are slower now by more than `tolerance`, a share of 1."""
    return [name for name, pair in pairs.items() if pair.is_slower(tolerance)]


def order_of(number: int) -> Sequence[str]:
    """Return which version is measured first in the round of that `number`: each as often."""
    return ("before", "now") if number % 2 == 0 else ("now", "before")
