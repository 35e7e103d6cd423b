"""Rates and describes each agent by all results: its rating, the sources of its points, its places among many.

In a round robin of two, all but the rating is averaged opponent by opponent, and then over the opponents. So agents can
be compared even where some pairings play more games than others. For any number of players there are the share of the
wins and the places of agents.

Ratings are one number an agent, whose differences predict how often each beats another (R. Bradley, M. Terry 1952). On
the Elo scale an agent that is D points better wins `1 / (1 + 10 ** (-D / 400))` of its games; a shared victory is half
a win. `greedy` has 0 points, or where it does not play, `random`, or else the agent named first.

An agent that won every game would be infinitely better by that formula. So agents are rated as if each had also won
half a pair and lost half a pair, spread evenly over its opponents. For two agents this is Jeffreys' prior.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from zamek_agents.arena.comparison import GAMES_PER_PAIR
from zamek_agents.arena.intervals import (
    RESAMPLES,
    UPPER_TAIL,
    are_equal,
    average_groups,
    student_interval,
    wilson_interval,
)
from zamek_agents.arena.sets import ANCHORS, SetResult, Side, list_positions, rank_sources, strip_number
from zamek_env.common.messages import show_names

ELO_SCALE = 400 / np.log(10)  # points a unit of log odds
PRIOR = 0.5  # pairs won, and as many lost, by each agent in addition to those played
_CONVERGED = 1e-10  # units of log odds
_MAX_STEPS = 200  # of at most one unit of log odds; wins by 10 ** 50 to 1 are 115 units
MILLISECONDS = 1000  # a second
_Lineups: TypeAlias = Mapping[tuple[str, ...], Mapping[int, list[float]]]  # lineup -> deal -> one value a game


@dataclass(frozen=True)
class Rating:
    """Elo points above the anchor, and their interval of the level `CONFIDENCE`; the anchor's is empty."""

    elo: float
    interval: tuple[float, float]


def rate_from_elo(elo: float) -> float:
    """Return the win rate of an agent that is `elo` points better."""
    return float(scipy.special.expit(elo / ELO_SCALE))


def elo_from_rate(rate: float) -> float:
    """Return how many points better an agent is that wins this share of its games, more than 0 and less than 1."""
    return float(scipy.special.logit(rate) * ELO_SCALE)


def rate_agents(results: Sequence[SetResult]) -> dict[str, Rating]:
    """Return {agent: `Rating`} by all `SetResult`s, in the order in which agents appear there.

    Intervals are by the Bayesian bootstrap (D. Rubin 1981): results get random weights instead of being drawn again,
    those of one deal the same in all pairings, and the prior gets random weights too. So the interval of an agent that
    won all n pairs against another is about that of Jeffreys for n of n. It repeats, for its seed is fixed.

    With few deals a bootstrap shows too little spread. So both ends are moved away from the rating, by as much as
    Student's t interval is wider than the normal one for the deals that the agent and the anchor have played.

    Raises `ValueError` where there are no results, where they are not of two agents each, and where agents fall into
    groups that never met, whose distance is unknown.
    """
    _check_comparable(results)
    names = list(dict.fromkeys(name for result in results for name in result.agents))
    plain = [strip_number(name) for name in names]
    anchor = next((plain.index(name) for name in ANCHORS if name in plain), 0)  # the number of the agent with 0 points
    agents = np.array([[names.index(name) for name in result.agents] for result in results]).T  # (2, pairs)
    numbers = np.array([result.number for result in results])
    rates = np.array([result.wins / GAMES_PER_PAIR for result in results])  # of the first agent
    pairings = np.unique(agents, axis=1)  # of those that met
    prior = PRIOR / (len(names) - 1)  # pairs won by each agent of a pairing in addition to those played

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
    freedom = np.maximum(1, np.minimum(deals, deals[anchor]) - 1)
    stretch = scipy.special.stdtrit(freedom, UPPER_TAIL) / scipy.special.ndtri(UPPER_TAIL)
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
        expected = scipy.special.expit(strengths[..., :, None] - strengths[..., None, :])
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


@dataclass(frozen=True)
class Standing:
    """An agent in numbers. Counts are per game, and each opponent weighs the same."""

    agent: str
    games: int
    win_rate: float  # a shared victory is half a win
    elo: float  # points more than the anchor, see `rate_agents`
    elo_interval: tuple[float, float]  # of the level `CONFIDENCE`
    points: float
    points_by_source: dict[str, float]  # as the game record calls them, most points first; they add up to `points`
    tokens_taken: float
    discards: float  # tiles drawn that fitted nowhere
    decisions: float


def rank(results: Sequence[SetResult]) -> list[Standing]:
    """Return the `Standing`s by all `SetResult`s, the best rating first."""
    ratings, sides = rate_agents(results), _sides_by_pairing(results)
    wins: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))  # {agent: {opponent: …}}
    for pair in results:
        first, second = pair.agents
        wins[first][second] += pair.wins
        wins[second][first] += len(pair.games) - pair.wins
    sources = rank_sources(side.sources for pair in results for game in pair.games for side in game.sides)
    standings = [_stand(agent, rating, sides[agent], wins[agent], sources) for agent, rating in ratings.items()]
    return sorted(standings, key=lambda standing: -standing.elo)


def find_milliseconds(results: Sequence[SetResult]) -> dict[str, float]:
    """Return {agent: milliseconds a decision}, on this machine under its present load."""
    milliseconds = {}
    for agent, by_opponent in _sides_by_pairing(results).items():
        sides = [side for found in by_opponent.values() for side in found]
        seconds, decisions = sum(side.seconds for side in sides), sum(side.decisions for side in sides)
        milliseconds[agent] = MILLISECONDS * seconds / max(1, decisions)
    return milliseconds


def _sides_by_pairing(results: Sequence[SetResult]) -> dict[str, dict[str, list[Side]]]:
    """Return {agent: {opponent: sides of the agent}}."""
    sides: defaultdict[str, defaultdict[str, list[Side]]] = defaultdict(lambda: defaultdict(list))
    for pair in results:
        for game in pair.games:
            for agent, opponent, side in zip(pair.agents, reversed(pair.agents), game.sides, strict=True):
                sides[agent][opponent].append(side)
    return {agent: dict(found) for agent, found in sides.items()}


def _stand(
    agent: str, rating: Rating, sides: Mapping[str, Sequence[Side]], wins: Mapping[str, float], sources: Sequence[str]
) -> Standing:
    def average(count: Callable[[Side], float]) -> float:
        return fmean(fmean(map(count, found)) for found in sides.values())

    return Standing(
        agent=agent,
        games=sum(map(len, sides.values())),
        win_rate=fmean(wins[opponent] / len(found) for opponent, found in sides.items()),
        elo=rating.elo,
        elo_interval=rating.interval,
        points=average(lambda side: side.points),
        points_by_source={
            source: fmean(fmean(side.sources.get(source, 0) for side in found) for found in sides.values())
            for source in sources
        },
        tokens_taken=average(lambda side: side.tokens_taken),
        discards=average(lambda side: side.discards),
        decisions=average(lambda side: side.decisions),
    )


# --- games of any number of players ---


@dataclass(frozen=True)
class Share:
    """An agent in numbers, over all its games. Intervals are over deals, of the level `CONFIDENCE`."""

    agent: str
    games: int
    wins: float  # a game; those who share a victory have equal parts of it
    wins_interval: tuple[float, float] | None  # None for a single deal, which shows no spread
    place: float  # on average, 1 is the best; agents with equal wins and points share their places
    place_interval: tuple[float, float] | None


@dataclass(frozen=True)
class Seat:
    """The results of a seat, over all agents that sat there. Intervals are over deals, of the level `CONFIDENCE`."""

    player: int
    games: int
    wins: float  # a game
    wins_interval: tuple[float, float] | None  # None for a single deal, which shows no spread


def find_shares(results: Iterable[SetResult]) -> list[Share]:
    """Return the `Share` of each agent by all `SetResult`s, most wins first; games of one deal are one observation.

    All lineups of an agent weigh the same. So agents can be compared even where some lineups play more than others.
    """
    wins: defaultdict[str, _Lineups] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    places: defaultdict[str, _Lineups] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for result in results:
        for game in result.games:
            for agent, win, place in zip(result.agents, game.find_wins(), _find_places(game), strict=True):
                wins[agent][result.agents][result.deal].append(win)
                places[agent][result.agents][result.deal].append(place)
    shares = []
    for agent, by_lineup in wins.items():
        games = sum(len(found) for by_deal in by_lineup.values() for found in by_deal.values())
        place, ends = _average_lineups(places[agent])
        ends = ends and (max(1.0, ends[0]), min(float(max(map(len, by_lineup))), ends[1]))  # the possible places
        shares.append(Share(agent, games, *_average_wins(by_lineup), place, ends))
    return sorted(shares, key=lambda share: -share.wins)


def find_seats(results: Iterable[SetResult]) -> list[Seat]:
    """Return the `Seat` of each player by all `SetResult`s, player 0 first; games of one deal are one observation."""
    wins: defaultdict[int, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        count = len(result.agents)
        for first_seat, game in enumerate(result.games):
            won = game.find_wins()
            for player, position in enumerate(list_positions(first_seat, count)):
                wins[player][result.deal].append(won[position])
    seats = []
    for player, by_deal in sorted(wins.items()):
        seats.append(Seat(player, sum(map(len, by_deal.values())), *_average_wins({(): by_deal})))
    return seats


def find_length(results: Iterable[SetResult]) -> float:
    """Return how many decisions a game has, of all players together, on average."""
    return float(np.mean([sum(side.decisions for side in game.sides) for result in results for game in result.games]))


def _find_places(game):
    """Return the place of each agent in a game, from 1: by wins, then points; ties get the mean of their places."""
    results = [(win, side.points) for win, side in zip(game.find_wins(), game.sides, strict=True)]
    return [1 + sum(other > own for other in results) + (results.count(own) - 1) / 2 for own in results]


def _average_wins(lineups: _Lineups) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of wins grouped by lineups and deals, and an interval within the possible shares.

    Where all deals have the same share, such as all of the wins, they show no spread. The interval is then Wilson's.
    """
    mean, interval = _average_lineups(lineups)
    if interval is not None and are_equal(interval):
        return mean, wilson_interval(mean, min(map(len, lineups.values())))
    return mean, interval and (max(0.0, interval[0]), min(1.0, interval[1]))


def _average_lineups(lineups: _Lineups) -> tuple[float, tuple[float, float] | None]:
    """Return the mean over `lineups` of the mean of each over its deals, and an interval for it.

    Deals of lineups that met fewer count for more, and leave fewer degrees of freedom.
    """
    values = {
        lineup: {deal: float(np.mean(found)) for deal, found in deals.items()} for lineup, deals in lineups.items()
    }
    means = {lineup: float(np.mean([*by_deal.values()])) for lineup, by_deal in values.items()}
    deals = dict.fromkeys(deal for by_deal in values.values() for deal in by_deal)  # in their order
    fewest = min(map(len, values.values()))
    if fewest == len(deals):
        return average_groups([by_deal[deal] for by_deal in values.values()] for deal in deals)
    mean = float(np.mean([*means.values()]))
    if fewest == 1:
        return mean, None
    observed = dict.fromkeys(deals, mean)  # of mean `mean`, and of as much spread as it has
    for lineup, by_deal in values.items():
        for deal, value in by_deal.items():
            observed[deal] += (value - means[lineup]) * len(deals) / len(by_deal) / len(values)
    return mean, student_interval([*observed.values()], fewest - 1)
