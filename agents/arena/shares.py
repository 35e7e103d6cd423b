"""How agents fare in games of any number of players: their share of the wins, and which place they come to."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from zamek_agents.arena.intervals import average_groups
from zamek_agents.arena.sets import SetResult


@dataclass(frozen=True)
class Share:
    """An agent in numbers, over all its games. Intervals are over deals, of the level `CONFIDENCE`."""

    agent: str
    games: int
    wins: float  # a game; those who share a victory have equal parts of it
    wins_interval: tuple[float, float] | None  # None for a single deal, which shows no spread
    place: float  # on average, 1 is the best; agents with equal points share their places
    place_interval: tuple[float, float] | None


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
        shares.append(Share(agent, games, *average_groups(by_deal.values()), *average_groups(places[agent].values())))
    return sorted(shares, key=lambda share: -share.wins)


def _find_places(game):
    """Return the place of each agent in a game, from 1; of those with equal points the mean of theirs."""
    points = [side.points for side in game.sides]
    return [1 + sum(other > own for other in points) + (points.count(own) - 1) / 2 for own in points]
