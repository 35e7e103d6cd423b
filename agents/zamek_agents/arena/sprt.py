"""The sequential test: play on until it is settled which of two strengths fits better, and no longer.

The generalised sequential probability ratio test on pairs, as chess engines are tested by it. A pair brings the first
agent 0, ½, 1, 1½ or 2 wins. Of all distributions over these five, take the most likely one whose mean is that of
hypothesis 0, and likewise for hypothesis 1. The logarithm of the ratio of their likelihoods wanders up or down; at
`log((1 - β) / α)` hypothesis 1 is accepted, at `log(β / (1 - α))` hypothesis 0. How games of a pair depend on each
other, and how many are shared, the five counts know by themselves.

A. Wald, Sequential Analysis (1947); X. Li, J. Liu, Z. Ying, Generalized sequential probability ratio test for separate
families of hypotheses, Sequential Analysis 33 (2014); M. Van den Bergh, Comments on normalized Elo (2020), for the
most likely distribution of a given mean.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_UNSEEN = 1e-3  # pairs counted for an outcome that has not been seen, so that it is not thought impossible
_MARGIN = 1e-12  # from the ends of a bracket, which are poles


@dataclass(frozen=True)
class Verdict:
    """Where a test stands."""

    log_likelihood_ratio: float  # of hypothesis 1 over hypothesis 0
    bounds: tuple[float, float]  # at which hypothesis 0 and 1 are accepted
    accepted: int | None  # 0 or 1, None while it is open


@dataclass(frozen=True)
class Sprt:
    """A test whether the first agent's win rate is `rate0` or `rate1`, the greater one.

    `alpha` is how often hypothesis 1 may be accepted where hypothesis 0 holds, `beta` the other way round.
    Raises `ValueError` where this cannot be tested.
    """

    rate0: float
    rate1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.rate0 < self.rate1 < 1:
            raise ValueError(f"win rates must be 0 < rate0 < rate1 < 1, not {self.rate0:g} and {self.rate1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, not {getattr(self, name):g}")

    def judge(self, counts: Sequence[int]) -> Verdict:
        """Return the `Verdict` on pairs by wins: how many brought 0, ½, 1, 1½, 2."""
        bounds = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        ratio = 0.0
        if any(counts):
            seen = np.maximum(np.asarray(counts, float), _UNSEEN)
            rates = np.linspace(0, 1, len(seen))  # wins a game
            likely0, likely1 = (_fit(seen / seen.sum(), rates - rate) for rate in (self.rate0, self.rate1))
            ratio = float(seen @ (np.log(likely1) - np.log(likely0)))
        accepted = 0 if ratio <= bounds[0] else 1 if ratio >= bounds[1] else None
        return Verdict(ratio, bounds, accepted)


def _fit(frequencies, distances):
    """Return the most likely distribution for which the mean of the `distances` is 0.

    It is `f / (1 + x d)`, where x solves Σ f d / (1 + x d) = 0; that sum falls with x between its two poles.
    """
    from scipy.optimize import brentq  # here: it takes long to import, and few commands need it

    low, high = -1 / distances.max(), -1 / distances.min()
    margin = _MARGIN * (high - low)
    root = brentq(
        lambda x: np.sum(frequencies * distances / (1 + x * distances)), low + margin, high - margin, xtol=1e-15
    )
    return frequencies / (1 + root * distances)
