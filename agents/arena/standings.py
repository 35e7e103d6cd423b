"""What all pairs of a round robin say about each agent: its rating, and how it comes by its points."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from zamek_agents.arena.ratings import rate_agents
from zamek_agents.arena.sets import SetResult, Side

MILLISECONDS = 1000  # a second


@dataclass(frozen=True)
class Standing:
    """An agent in numbers, over all its games. What is counted is counted a game."""

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
    ratings, sides = rate_agents(results), _sides_by_agent(results)
    wins: defaultdict[str, float] = defaultdict(float)
    for pair in results:
        first, second = pair.agents
        wins[first] += pair.wins
        wins[second] += len(pair.games) - pair.wins
    sources = find_sources(results)
    standings = [
        _stand(agent, rating, sides[agent], wins[agent] / len(sides[agent]), sources)
        for agent, rating in ratings.items()
    ]
    return sorted(standings, key=lambda standing: -standing.elo)


def find_sources(results: Sequence[SetResult]) -> list[str]:
    """Return the names of all sources of points, those that brought most first."""
    totals: Counter[str] = Counter()
    for side in (side for pair in results for game in pair.games for side in game.sides):
        totals.update(side.sources)
    return sorted(totals, key=lambda source: (-totals[source], source))


def find_milliseconds(results: Sequence[SetResult]) -> dict[str, float]:
    """Return {agent: milliseconds a decision}, on this machine and with so much else going on."""
    return {
        agent: MILLISECONDS * sum(side.seconds for side in sides) / max(1, sum(side.decisions for side in sides))
        for agent, sides in _sides_by_agent(results).items()
    }


def _sides_by_agent(results: Sequence[SetResult]) -> dict[str, list[Side]]:
    sides: defaultdict[str, list[Side]] = defaultdict(list)
    for pair in results:
        for game in pair.games:
            for agent, side in zip(pair.agents, game.sides, strict=True):
                sides[agent].append(side)
    return sides


def _stand(agent, rating, sides, win_rate, sources):
    games = len(sides)
    return Standing(
        agent=agent,
        games=games,
        win_rate=win_rate,
        elo=rating.elo,
        elo_interval=rating.interval,
        points=sum(side.points for side in sides) / games,
        points_by_source={source: sum(side.sources.get(source, 0) for side in sides) / games for source in sources},
        tokens_taken=sum(side.tokens_taken for side in sides) / games,
        discards=sum(side.discards for side in sides) / games,
        decisions=sum(side.decisions for side in sides) / games,
    )
