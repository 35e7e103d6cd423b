"""What all pairs of a round robin say about each agent: its rating, and how it comes by its points.

All but the rating is averaged opponent by opponent, and then over the opponents. So agents can be compared even where
some pairings play more games than others.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from zamek_agents.arena.ratings import Rating, rate_agents
from zamek_agents.arena.sets import SetResult, Side
from zamek_agents.arena.tally import rank_sources

MILLISECONDS = 1000  # a second


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
        points_by_source={source: average(partial(_count_points, source)) for source in sources},
        tokens_taken=average(lambda side: side.tokens_taken),
        discards=average(lambda side: side.discards),
        decisions=average(lambda side: side.decisions),
    )


def _count_points(source: str, side: Side) -> float:
    return side.sources.get(source, 0)
