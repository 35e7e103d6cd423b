"""Compares the two agents of a pairing by its pairs: win rate, scores and margin, with their uncertainty.

A sequential test plays on until it is settled which of two strengths fits better, and no longer. The two games of
a deal are not independent, so the pair, not the game, is the unit of all intervals.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from zamek_agents.arena.intervals import mean_interval, wilson_interval
from zamek_agents.arena.sets import SetResult
from zamek_env.common.messages import show_names

_UNSEEN = 1e-3  # pairs counted for an outcome that has not been seen, so that it is not thought impossible
_MARGIN = 1e-12  # from the ends of a bracket, which are poles


@dataclass(frozen=True)
class Verdict:
    """The state of a sequential test."""

    log_likelihood_ratio: float  # of hypothesis 1 over hypothesis 0
    bounds: tuple[float, float]  # at which hypothesis 0 and 1 are accepted
    accepted: int | None  # 0 or 1, None while it is open


@dataclass(frozen=True)
class Sprt:
    """A test whether the first agent's win rate is `rate0` or `rate1`, the greater one.

    `alpha` is how often hypothesis 1 may be accepted where hypothesis 0 holds, `beta` the other way round.
    Raises `ValueError` where this cannot be tested.

    It is the generalised sequential probability ratio test on pairs, as used to test chess engines. A pair brings the
    first agent 0, ½, 1, 1½ or 2 wins. Of all distributions over these five, take the most likely one whose mean is that
    of hypothesis 0, and likewise for hypothesis 1. The logarithm of the ratio of their likelihoods wanders up or down;
    at `log((1 - β) / α)` hypothesis 1 is accepted, at `log(β / (1 - α))` hypothesis 0. The five counts already reflect
    how the games of a pair depend on each other, and how many are shared.

    A. Wald, Sequential Analysis (1947); X. Li, J. Liu, Z. Ying, Generalized sequential probability ratio test for
    separate families of hypotheses, Sequential Analysis 33 (2014); M. Van den Bergh, Comments on normalized Elo (2020),
    for the most likely distribution of a given mean.
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
    low, high = -1 / distances.max(), -1 / distances.min()
    margin = _MARGIN * (high - low)
    root = scipy.optimize.brentq(
        lambda x: np.sum(frequencies * distances / (1 + x * distances)), low + margin, high - margin, xtol=1e-15
    )
    return frequencies / (1 + root * distances)


GAMES_PER_PAIR = 2
PAIR_OUTCOMES = 2 * GAMES_PER_PAIR + 1  # wins of the first agent in a pair: 0, ½, 1, 1½, 2


@dataclass(frozen=True)
class FirstPlayer:
    """The advantage of beginning, for the player who begins. If wins are nearly certain, only the margin shows it."""

    win_rate: float  # a shared victory is half a win
    win_rate_interval: tuple[float, float]
    mean_margin: float  # points of the first player more than the second
    mean_margin_interval: tuple[float, float] | None  # None for a single pair, which shows no spread


@dataclass(frozen=True)
class Comparison:
    """A pairing in numbers, seen from its first agent. Intervals have the level `CONFIDENCE`."""

    agents: tuple[str, str]
    games: int
    wins: int
    shared: int
    losses: int
    pairs_by_wins: tuple[int, ...]  # how many pairs brought 0, ½, 1, 1½ and 2 wins
    win_rate: float  # a shared victory is half a win
    win_rate_interval: tuple[float, float]
    mean_scores: tuple[float, float]  # points
    mean_margin: float  # points of the first agent more than the second
    mean_margin_interval: tuple[float, float] | None  # None for a single pair, which shows no spread
    first_player: FirstPlayer
    sprt: Verdict | None  # where a sequential test was asked for


def compare(results: Iterable[SetResult], sprt: Sprt | None = None) -> Comparison:
    """Return the `Comparison` of all pairs, `SetResult`s of two, of one pairing, with the verdict of the test `sprt`.

    Raises `ValueError` without results, or where they are of several pairings or of more players.
    """
    pairs = list(results)
    if not pairs:
        raise ValueError("there are no results to compare")
    if len(pairs[0].agents) != GAMES_PER_PAIR:
        raise ValueError(
            f"results must be of two agents each, not of {show_names(pairs[0].agents)}; find_shares is for more"
        )
    others = next((pair.agents for pair in pairs if pair.agents != pairs[0].agents), None)
    if others is not None:
        first, second = show_names(pairs[0].agents), show_names(others)
        raise ValueError(f"results must be of one pairing, not of {first} and of {second}")
    games = [game for pair in pairs for game in pair.games]
    won = [game.win for game in games]  # not by points: in games of cards these do not say who wins
    wins, losses = won.count(1), won.count(0)
    win_rate = sum(pair.wins for pair in pairs) / len(games)
    first, second = pairs[0].agents
    points = [float(np.mean([game.sides[position].points for game in games])) for position in range(2)]
    margins, by_wins = [pair.margin for pair in pairs], count_by_wins(pairs)
    return Comparison(
        agents=(first, second),
        games=len(games),
        wins=wins,
        shared=len(games) - wins - losses,
        losses=losses,
        pairs_by_wins=by_wins,
        win_rate=win_rate,
        win_rate_interval=wilson_interval(win_rate, len(pairs)),
        mean_scores=(points[0], points[1]),
        mean_margin=float(np.mean(margins)),
        mean_margin_interval=mean_interval(margins),
        first_player=compare_first_player(pairs),
        sprt=None if sprt is None else sprt.judge(by_wins),
    )


def count_by_wins(pairs: Iterable[SetResult]) -> tuple[int, ...]:
    """Return how many of the pairs brought their first agent 0, ½, 1, 1½ and 2 wins."""
    counts = [0] * PAIR_OUTCOMES
    for pair in pairs:
        counts[outcome(pair)] += 1
    return tuple(counts)


def outcome(pair: SetResult) -> int:
    """Return the wins of the first agent of the pair, counted in halves."""
    return int(2 * pair.wins)


def compare_first_player(pairs: Iterable[SetResult]) -> FirstPlayer:
    """Return the `FirstPlayer` of pairs, of one pairing or of several; those of one deal are one observation."""
    by_deal: defaultdict[int, list[SetResult]] = defaultdict(list)
    for pair in pairs:
        by_deal[pair.deal].append(pair)
    both = [[pair.games for pair in deal] for deal in by_deal.values()]  # in the second the other agent began
    rates = [float(np.mean([(one.win + 1 - two.win) / GAMES_PER_PAIR for one, two in deal])) for deal in both]
    margins = [float(np.mean([(one.margin - two.margin) / GAMES_PER_PAIR for one, two in deal])) for deal in both]
    return FirstPlayer(
        win_rate=float(np.mean(rates)),
        win_rate_interval=wilson_interval(float(np.mean(rates)), len(rates)),
        mean_margin=float(np.mean(margins)),
        mean_margin_interval=mean_interval(margins),
    )


def tabulate_win_rates(comparisons: Iterable[Comparison]) -> dict[tuple[str, str], float]:
    """Return {(agent, opponent): win rate} of all agents that met, in both directions."""
    rates = {}
    for row in comparisons:
        first, second = row.agents
        rates[first, second], rates[second, first] = row.win_rate, 1 - row.win_rate
    return rates
