"""What the games of a pairing say about its agents: win rate, scores and margin, with their uncertainty.

The two games of one deal are not independent, so the deal, not the game, is the unit of all intervals.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from .arena import GAMES_PER_DEAL

CONFIDENCE = 0.95
_UPPER_TAIL = (1 + CONFIDENCE) / 2  # half of what is left out lies above
_SHARED_VICTORY = 0.5  # of a win


@dataclass(frozen=True)
class Comparison:
    """A pairing in numbers, seen from its first agent. Intervals have the level `CONFIDENCE`."""

    agents: tuple[str, str]
    games: int
    wins: int
    shared: int
    losses: int
    win_rate: float  # a shared victory is half a win
    win_rate_interval: tuple[float, float]
    mean_scores: tuple[float, float]  # points
    mean_margin: float  # points of the first agent more than the second
    mean_margin_interval: tuple[float, float] | None  # None for a single deal, which shows no spread


def compare(results):
    """Return the `Comparison` of all `GameResult`s of one pairing, in any order.

    Raises `ValueError` without results, and where a deal was not played exactly once from each side.
    """
    by_deal = defaultdict(list)
    for result in results:
        by_deal[result.deal].append(result)
    if not by_deal:
        raise ValueError("there are no results to compare")
    for deal, games in by_deal.items():
        if sorted(game.first_player for game in games) != list(range(GAMES_PER_DEAL)):
            raise ValueError(f"deal {deal} must be played once from each side")
    games = [game for pair in by_deal.values() for game in pair]
    wins, shared = (sum(game.winner == winner for game in games) for winner in (0, None))
    win_rate = (wins + _SHARED_VICTORY * shared) / len(games)
    margins = [np.mean([game.scores[0] - game.scores[1] for game in pair]) for pair in by_deal.values()]
    return Comparison(
        agents=games[0].agents,
        games=len(games),
        wins=wins,
        shared=shared,
        losses=len(games) - wins - shared,
        win_rate=win_rate,
        win_rate_interval=wilson_interval(win_rate, len(by_deal)),
        mean_scores=tuple(float(np.mean([game.scores[position] for game in games])) for position in range(2)),
        mean_margin=float(np.mean(margins)),
        mean_margin_interval=mean_interval(margins),
    )


def wilson_interval(rate, count):
    """Return Wilson's score interval for a mean `rate` of `count` independent outcomes, each from 0 to 1.

    Of all such outcomes with a given mean, 0 or 1 spread the most; so for outcomes in between, such as half a win, the
    interval is rather too wide than too narrow. It is never empty of width, not even at a rate of 0 or 1.
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    square = ndtri(_UPPER_TAIL) ** 2
    centre = (rate + square / (2 * count)) / (1 + square / count)
    radius = np.sqrt(square * (rate * (1 - rate) / count + square / (4 * count**2))) / (1 + square / count)
    return max(0.0, float(centre - radius)), min(1.0, float(centre + radius))


def mean_interval(values):
    """Return Student's t interval for the mean of independent `values`, or None for fewer than two."""
    if len(values) < 2:
        return None
    radius = stdtrit(len(values) - 1, _UPPER_TAIL) * np.std(values, ddof=1) / np.sqrt(len(values))
    return float(np.mean(values) - radius), float(np.mean(values) + radius)
