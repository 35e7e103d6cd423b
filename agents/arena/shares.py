"""How agents fare in games of any number of players: their share of the wins, and which place they come to."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from zamek_agents.arena.intervals import are_equal, average_groups, wilson_interval
from zamek_agents.arena.sets import SetResult, list_positions


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
    """Return the `Share` of each agent by all `SetResult`s, most wins first; games of one deal are one observation."""
    wins: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    places: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        for game in result.games:
            for agent, win, place in zip(result.agents, game.find_wins(), _find_places(game), strict=True):
                wins[agent][result.deal].append(win)
                places[agent][result.deal].append(place)
    shares = []
    for agent, by_deal in wins.items():
        games = sum(map(len, by_deal.values()))
        shares.append(Share(agent, games, *_average_wins(by_deal.values()), *average_groups(places[agent].values())))
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
        seats.append(Seat(player, sum(map(len, by_deal.values())), *_average_wins(by_deal.values())))
    return seats


def find_length(results: Iterable[SetResult]) -> float:
    """Return how many decisions a game has, of all players together, on average."""
    return float(np.mean([sum(side.decisions for side in game.sides) for result in results for game in result.games]))


def _find_places(game):
    """Return the place of each agent in a game, from 1: by wins, then points; of equal ones the mean of theirs."""
    results = [(win, side.points) for win, side in zip(game.find_wins(), game.sides, strict=True)]
    return [1 + sum(other > own for other in results) + (results.count(own) - 1) / 2 for own in results]


def _average_wins(groups: Collection[Sequence[float]]) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of wins that are grouped by deals, and an interval for it that no share of wins leaves.

    Where all deals have the same share, such as all of the wins, they show no spread. The interval is Wilson's then.
    """
    mean, interval = average_groups(groups)
    if interval is not None and are_equal(interval):
        return mean, wilson_interval(mean, len(groups))
    return mean, interval and (max(0.0, interval[0]), min(1.0, interval[1]))
