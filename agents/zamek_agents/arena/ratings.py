"""Ratings: one number an agent, such that differences say who beats whom how often (R. Bradley, M. Terry 1952).

On the Elo scale an agent that is D points better wins `1 / (1 + 10 ** (-D / 400))` of its games; a shared victory is
half a win. `greedy` has 0 points, or where it does not play, `random`, or else the agent named first.

Who won every game is infinitely better by that formula. So agents are rated as if, beside what was played, each had won
half a pair and lost half a pair, spread evenly over its opponents. For two agents this weak prior is that of Jeffreys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri, stdtrit

from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.arena.intervals import RESAMPLES, UPPER_TAIL
from zamek_agents.arena.sets import SetResult
from zamek_env.common.messages import show_names

ELO_SCALE = 400 / np.log(10)  # points a unit of log odds
PRIOR = 0.5  # pairs won, and as many lost, by each agent beside what was played
ANCHORS = ("greedy", "random")  # the first of them that plays has 0 points
_CONVERGED = 1e-10  # units of log odds
_MAX_STEPS = 200  # of at most one unit of log odds; wins by 10 ** 50 to 1 are 115 units


@dataclass(frozen=True)
class Rating:
    """Elo points more than the anchor, and their interval of the level `CONFIDENCE`; the anchor's is empty."""

    elo: float
    interval: tuple[float, float]


def rate_from_elo(elo: float) -> float:
    """Return the win rate of an agent that is `elo` points better."""
    return float(expit(elo / ELO_SCALE))


def elo_from_rate(rate: float) -> float:
    """Return how many points better an agent is that wins so much, more than 0 and less than 1, of its games."""
    return float(logit(rate) * ELO_SCALE)


def rate_agents(results: Sequence[SetResult]) -> dict[str, Rating]:
    """Return {agent: `Rating`} by all `SetResult`s, in the order in which agents appear there.

    Intervals are by the Bayesian bootstrap (D. Rubin 1981): results get random weights instead of being drawn again,
    those of one deal the same in all pairings, and the prior gets random weights too. So the interval of an agent that
    won all n pairs against another is about that of Jeffreys for n of n. It repeats, for its seed is fixed.

    Of few deals a bootstrap shows too little spread. So both ends are moved away from the rating, by as much as
    Student's t interval is wider than the normal one for the deals that the agent and the anchor have played.

    Raises `ValueError` where there are no results, where they are not of two agents each, and where agents fall into
    groups that never met: nothing says how far apart those are.
    """
    _check_comparable(results)
    names = list(dict.fromkeys(name for result in results for name in result.agents))
    plain = [name.partition(" #")[0] for name in names]  # several of one name are told apart by `#1`, `#2`
    anchor = next((plain.index(name) for name in ANCHORS if name in plain), 0)  # the number of the agent with 0 points
    agents = np.array([[names.index(name) for name in result.agents] for result in results]).T  # (2, pairs)
    numbers = np.array([result.number for result in results])
    rates = np.array([result.wins / GAMES_PER_PAIR for result in results])  # of the first agent
    pairings = np.unique(agents, axis=1)  # of those that met
    prior = PRIOR / (len(names) - 1)  # pairs won by each agent of a pairing beside what was played

    def count_wins(weights: npt.NDArray[np.float64], added: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return pairs won, `(agents, agents)`, by row against column, with what is `added` to each pairing."""
        wins = np.zeros((len(names), len(names)))
        np.add.at(wins, tuple(agents), weights * rates)
        np.add.at(wins, tuple(agents[::-1]), weights * (1 - rates))
        wins[tuple(pairings)] += added[0]
        wins[tuple(pairings[::-1])] += added[1]
        return wins

    rng, tables = np.random.default_rng(0), [count_wins(np.ones(len(rates)), np.full(pairings.shape, prior))]
    for _ in range(RESAMPLES):
        weights = rng.exponential(size=numbers.max() + 1)
        tables.append(count_wins(weights[numbers], rng.gamma(prior, size=pairings.shape)))
    elo = fit_strengths(np.stack(tables)) * ELO_SCALE
    elo -= elo[:, [anchor]]
    deals = np.array([len(set(numbers[(agents == agent).any(axis=0)])) for agent in range(len(names))])
    stretch = stdtrit(np.maximum(1, np.minimum(deals, deals[anchor]) - 1), UPPER_TAIL) / ndtri(UPPER_TAIL)
    low, high = elo[0] + stretch * (np.quantile(elo[1:], [1 - UPPER_TAIL, UPPER_TAIL], axis=0) - elo[0])
    return {
        name: Rating(float(elo[0, number]), (float(low[number]), float(high[number])))
        for number, name in enumerate(names)
    }


def _check_comparable(results):
    """Raise as `rate_agents` does."""
    if not results:
        raise ValueError("results must be one or more, to rate agents by")
    groups: list[tuple[str, ...]] = []
    for agents in dict.fromkeys(result.agents for result in results):
        if len(agents) != GAMES_PER_PAIR:
            raise ValueError(f"results must be of two agents each, not of {show_names(agents)}")
        met = [group for group in groups if not set(group).isdisjoint(agents)]
        groups = [group for group in groups if group not in met]
        groups.append(tuple(dict.fromkeys(name for group in (*met, agents) for name in group)))
    if len(groups) > 1:
        shown = "; ".join(map(show_names, groups))
        raise ValueError(f"results must link all agents by games, not be of groups that never met: {shown}")


def fit_strengths(wins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the most likely strengths, in units of log odds with mean 0.

    `wins[..., i, j]` is what i won against j; leading axes let many tables be fitted at once. A chain of wins must lead
    from every agent to every other one; a prior ensures that. Newton's method is used, with steps so short that it does
    not overshoot.
    """
    count = wins.shape[-1]
    played = wins + np.swapaxes(wins, -1, -2)
    strengths = np.zeros(wins.shape[:-1])
    for _ in range(_MAX_STEPS):
        expected = expit(strengths[..., :, None] - strengths[..., None, :])
        slope = (wins - played * expected).sum(axis=-1)
        spread = played * expected * (1 - expected)
        curvature = np.eye(count) * spread.sum(axis=-1)[..., None] - spread
        # Only differences count; the ones, which say that the mean stays 0, make the curvature one of full rank.
        scale = np.trace(curvature, axis1=-2, axis2=-1)[..., None, None]
        step = np.linalg.solve(curvature / scale + 1 / count, slope[..., None] / scale)[..., 0]
        strengths += step / np.maximum(1, np.ptp(step, axis=-1, keepdims=True))
        if np.abs(step).max() < _CONVERGED:
            break
    return strengths - strengths.mean(axis=-1, keepdims=True)
