"""Weights fitted to positions: ridge regression by conjugate gradients, all products compiled.

Two kinds of evidence are weighed together. `Returns` are whole games: the target of a position is the λ-return that the
weights themselves give it, so the fit is repeated. `Differences` are choices of one decision: only the differences
between their values count. The ridge pulls all weights towards the previous ones.

It minimizes a sum of squares, each over its variance, in points:

    share × Σ (value - return)² / variance  +  Σ (difference of values - of worths)² / variance
        +  Σ (what a feature adds - what it added before)² / spread²
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.value.collect import Choices, Games
from zamek_agents.value.features import LEAD
from zamek_agents.value.training import compare
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

STEPS = 25  # of conjugate gradients, at most; more change no weight by anything that matters
PRECISION = 1e-3  # of the error at the beginning, at which they end
SUMS = 16  # of some rows each, which are made in parallel
LEAST_ERROR = 0.1  # points; a few positions that are fitted exactly do not outweigh all else

Vector = npt.NDArray[np.float64]


class Evidence:
    """Data to which weights are fitted: the rows of `parts`, games or choices; `share` is their weight."""

    def __init__(self, parts: Sequence[Any], share: float) -> None:
        self.parts, self.rows, self.share = parts, [each.rows for each in parts], share
        self.error = 1.0  # by how much values were off when `aim` was called, as the root of the mean square, in points

    @property
    def scale(self) -> float:
        """The weight of the square of a value."""
        return self.share / self.error**2

    def aim(self, weights: Vector, out: Vector) -> None:
        """Set the targets by these `weights`, and add to `out` minus half the slope of the sum of squares there."""
        raise NotImplementedError

    def add_curvature(self, direction: Vector, out: Vector) -> None:
        """Add to `out` half the second derivative of the sum of squares, times `direction`."""
        raise NotImplementedError


class Returns(Evidence):
    """Games, in which the target of each position is its λ-return, for a `trace` λ; `share` is their weight."""

    def __init__(self, games: Sequence[Games], trace: float, share: float) -> None:
        super().__init__(games, share)
        self._trace = trace

    def aim(self, weights: Vector, out: Vector) -> None:
        misses = _in_threads(lambda each: _find_misses(each, weights, self._trace), self.parts)
        self.error = _find_error(misses)
        _add_all(self.rows, [self.scale * _compare(miss) for miss in misses], out)

    def add_curvature(self, direction: Vector, out: Vector) -> None:
        leads = _in_threads(lambda each: self.scale * _compare(_compare(_find_values(each, direction))), self.rows)
        _add_all(self.rows, leads, out)


class Differences(Evidence):
    """Choices; the target is that values of one decision differ by as much as their worths."""

    def __init__(self, choices: Sequence[Choices]) -> None:
        super().__init__(choices, 1.0)

    def aim(self, weights: Vector, out: Vector) -> None:
        misses = _in_threads(lambda each: _center(each.first, each.worths - _find_leads(each, weights)), self.parts)
        self.error = _find_error(misses)
        self._add([self.scale * miss for miss in misses], out)

    def add_curvature(self, direction: Vector, out: Vector) -> None:
        leads = _in_threads(lambda each: _center(each.first, self.scale * _find_leads(each, direction)), self.parts)
        self._add(leads, out)

    def _add(self, factors, out):
        """Add to `out` the choices, as who decides sees them, times their `factors`."""
        owned = [_give(factor, each) for factor, each in zip(factors, self.parts, strict=True)]
        _add_all(self.rows, owned, out)


def fit(
    evidence: Sequence[Evidence], weights: npt.NDArray[np.float32], spread: float, passes: int
) -> Iterator[npt.NDArray[np.float32]]:
    """Yield weights that agree ever better with the `evidence`, after each of the `passes`; that of the lead stays 1.

    The contribution of a feature by these `weights` is assumed to be off by about `spread` points. Each pass sets new
    targets.
    """
    before, fitted = weights.astype(np.float64), weights.astype(np.float64)
    seen, squares = np.zeros(before.size, np.int64), np.zeros((len(evidence), before.size))
    for each, sums in zip(evidence, squares, strict=True):
        for rows in each.rows:
            _count(rows, seen, sums)
    ridge = np.maximum(1.0, squares.sum(0) / np.maximum(1, seen)) / spread**2
    for _ in range(passes):
        slope = ridge * (before - fitted)
        for each in evidence:
            each.aim(fitted, slope)
        slope[LEAD] = 0
        expected = ridge + sum(each.scale * sums for each, sums in zip(evidence, squares, strict=True))
        fitted += _solve(evidence, ridge, expected, slope)
        yield fitted.astype(np.float32)


def _solve(evidence, ridge, expected, slope):
    """Return the step to where the `slope` vanishes; `expected` is about the diagonal of the second derivatives."""
    step, left = np.zeros_like(slope), slope.copy()
    direction = left / expected
    first = size = float(left @ direction)
    for _ in range(STEPS):
        if size <= PRECISION**2 * first:
            break
        bent = ridge * direction
        for each in evidence:
            each.add_curvature(direction, bent)
        bent[LEAD] = 0
        far = size / float(direction @ bent)
        step += far * direction
        left -= far * bent
        size, last = float(left @ (left / expected)), size
        direction = left / expected + size / last * direction
    return step


def _in_threads(function, items):
    """Return [function(item) for each of the `items`]; kernels run in parallel."""
    with ThreadPoolExecutor(SUMS) as pool:
        return list(pool.map(function, items))


def _add_all(rows, factors, out):
    """Add to `out`, by feature, all `rows` times their `factors`, in an order that does not depend on the cores."""

    def add_some(first):
        some = np.zeros_like(out)
        for number in range(first, len(rows), SUMS):
            _add_rows(rows[number], factors[number], some)
        return some

    for some in _in_threads(add_some, range(SUMS)):
        out += some


def _find_error(misses):
    """Return the root of the mean square of all numbers in some arrays."""
    count = sum(miss.size for miss in misses)
    return max(LEAST_ERROR, float(np.sqrt(sum(float(np.vdot(miss, miss)) for miss in misses) / max(1, count))))


def _find_values(rows, weights):
    """Return the worth of each row, float64 `(rows, views)`."""
    values = np.zeros((rows.ends.size - 1, rows.views))
    _write_values(rows, weights, values)
    return values


@kernel
def _compare(worths):
    """Compare the worths of each row to the views, as in training, and return them."""
    for row in range(worths.shape[0]):
        compare(worths[row])
    return worths


def _find_misses(games, weights, trace):
    """Return by how much the λ-return of each position is above its value, compared."""
    values = _find_values(games.rows, weights)
    returns = np.zeros_like(values)
    _write_returns(games, values, trace, returns)
    return _compare(returns - values)


def _find_leads(choices, weights):
    """Return the worth of each choice to the player who decides."""
    leads = _compare(_find_values(choices.rows, weights))
    if choices.rows.views == 1:
        return np.where(choices.players == 0, leads[:, 0], -leads[:, 0])
    return leads[np.arange(len(leads)), choices.players]


def _give(factors, choices):
    """Return the factors of the rows of each view for `factors` of the choices, as the player who decides sees them."""
    if choices.rows.views == 1:
        return np.where(choices.players == 0, factors, -factors)[:, None]
    given = np.zeros((factors.size, choices.rows.views))
    given[np.arange(factors.size), choices.players] = factors
    return _compare(given)


@kernel
def _write_values(rows, weights, out):
    """Write the worth of each row to each of the views."""
    for row in range(out.shape[0]):
        for entry in range(rows.ends[row], rows.ends[row + 1]):
            owner = as_index(rows.owners[entry]) if rows.owners.size > 0 else as_index(0)
            out[row, owner] += weights[as_index(rows.numbers[entry])] * rows.amounts[entry]


@kernel
def _add_rows(rows, factors, out):
    """Add to `out`, by feature, each row times the factor of its owner."""
    for row in range(factors.shape[0]):
        for entry in range(rows.ends[row], rows.ends[row + 1]):
            owner = as_index(rows.owners[entry]) if rows.owners.size > 0 else as_index(0)
            out[as_index(rows.numbers[entry])] += factors[row, owner] * rows.amounts[entry]


@kernel
def _count(rows, seen, squares):
    """Add to `seen`, by feature, in how many rows it is, and to `squares` its amounts there, squared."""
    for entry in range(rows.numbers.size):
        number = as_index(rows.numbers[entry])
        seen[number] += 1
        squares[number] += float(rows.amounts[entry]) ** 2


@kernel
def _center(first, values):
    """Subtract from the `values` of the choices of each decision their mean, and return them."""
    for decision in range(first.size - 1):
        start, end = first[decision], first[decision + 1]
        mean = 0.0
        for row in range(start, end):
            mean += values[row] / (end - start)
        for row in range(start, end):
            values[row] -= mean
    return values


@kernel
def _write_returns(games, values, trace, out):
    """Write the λ-return of each position, as `training.learn` has it.

    What followed a random move says nothing about the position before: its return is the worth of the best move or,
    with more than two players, its own value.
    """
    start, views = 0, values.shape[1]
    for game in range(games.last.size):
        end = games.last[game]
        for view in range(views):
            target = float(games.points[game, view])
            for row in range(end - 1, start - 1, -1):
                if games.explored[row]:
                    target = float(games.foreseen[row]) if views == 1 else values[row, view]
                elif row + 1 < end:
                    target = (1.0 - trace) * values[row + 1, view] + trace * target
                out[row, view] = target
        start = end
