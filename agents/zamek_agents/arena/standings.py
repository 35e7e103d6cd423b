"""What all results say about each agent: its rating, how it comes by its points, and how it fares among many.

In a round robin of two, all but the rating is averaged opponent by opponent, and then over the opponents. So agents can
be compared even where some pairings play more games than others. In games of any number of players it is the share of
the wins, and which place agents come to.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

import numpy as np

from zamek_agents.arena.intervals import are_equal, average_groups, student_interval, wilson_interval
from zamek_agents.arena.ratings import Rating, rate_agents
from zamek_agents.arena.sets import SetResult, Side, list_positions, rank_sources

MILLISECONDS = 1000  # a second
_Lineups: TypeAlias = Mapping[tuple[str, ...], Mapping[int, list[float]]]  # lineup -> deal -> one value a game


@dataclass(frozen=True)
class Standing:
    """An agent in numbers. What is counted is counted a game, each opponent weighing the same."""

    agent: str
    games: int
    win_rate: float  # a shared victory is half a win
    elo: float  # points more than the anchor, see `ratings`
    elo_interval: tuple[float, float]  # of the level `CONFIDENCE`
    points: float
    points_by_source: dict[str, float]  # as the game record calls them, most points first; they add up to `points`
    tokens_taken: float
    discards: float  # tiles drawn that fitted nowhere
    decisions: float


def rank(results: Sequence[SetResult]) -> list[Standing]:
    """Return the `Standing`s by all `SetResult`s, the best rating first."""
    ratings, sides, wins = rate_agents(results), _sides_by_pairing(results), _wins_by_pairing(results)
    sources = rank_sources(side.sources for pair in results for game in pair.games for side in game.sides)
    standings = [_stand(agent, rating, sides[agent], wins[agent], sources) for agent, rating in ratings.items()]
    return sorted(standings, key=lambda standing: -standing.elo)


def find_milliseconds(results: Sequence[SetResult]) -> dict[str, float]:
    """Return {agent: milliseconds a decision}, on this machine and with so much else going on."""
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


def _wins_by_pairing(results: Sequence[SetResult]) -> dict[str, dict[str, float]]:
    """Return {agent: {opponent: games won}}."""
    wins: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for pair in results:
        first, second = pair.agents
        wins[first][second] += pair.wins
        wins[second][first] += len(pair.games) - pair.wins
    return {agent: dict(found) for agent, found in wins.items()}


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
    """What a seat is worth, whoever sits there. Intervals are over deals, of the level `CONFIDENCE`."""

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
        shares.append(Share(agent, games, *_average_wins(by_lineup), *_average_places(places[agent])))
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
    """Return the place of each agent in a game, from 1: by wins, then points; of equal ones the mean of theirs."""
    results = [(win, side.points) for win, side in zip(game.find_wins(), game.sides, strict=True)]
    return [1 + sum(other > own for other in results) + (results.count(own) - 1) / 2 for own in results]


def _average_wins(lineups: _Lineups) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of wins that are grouped by lineups and deals, and an interval that no share of wins leaves.

    Where all deals have the same share, such as all of the wins, they show no spread. The interval is Wilson's then.
    """
    mean, interval = _average_lineups(lineups)
    if interval is not None and are_equal(interval):
        return mean, wilson_interval(mean, min(map(len, lineups.values())))
    return mean, interval and (max(0.0, interval[0]), min(1.0, interval[1]))


def _average_places(lineups: _Lineups) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of places that are grouped by lineups and deals, and an interval that no place leaves."""
    mean, interval = _average_lineups(lineups)
    return mean, interval and (max(1.0, interval[0]), min(float(max(map(len, lineups))), interval[1]))


def _average_lineups(lineups: _Lineups) -> tuple[float, tuple[float, float] | None]:
    """Return the mean over `lineups` of what each has on average over its deals, and an interval for it.

    Where some met fewer deals than others, these few count for more, and leave fewer degrees of freedom.
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
