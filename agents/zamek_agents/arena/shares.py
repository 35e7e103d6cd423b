"""How agents fare in games of any number of players: their share of the wins, and which place they come to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from zamek_agents.arena.intervals import are_equal, average_groups, student_interval, wilson_interval
from zamek_agents.arena.sets import SetResult, list_positions

_Lineups: TypeAlias = Mapping[tuple[str, ...], Mapping[int, list[float]]]  # lineup -> deal -> one value a game


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
