"""What the pairs of a pairing say about its agents: win rate, scores and margin, with their uncertainty.

The two games of a deal are not independent, so the pair, not the game, is the unit of all intervals.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from zamek_agents.arena.intervals import mean_interval, wilson_interval
from zamek_agents.arena.sets import SetResult
from zamek_agents.arena.sprt import Sprt, Verdict
from zamek_env.common.messages import show_names

GAMES_PER_PAIR = 2
PAIR_OUTCOMES = 2 * GAMES_PER_PAIR + 1  # wins of the first agent in a pair: 0, ½, 1, 1½, 2


@dataclass(frozen=True)
class FirstPlayer:
    """What it is worth to begin, seen from whoever begins. If wins are nearly certain, only the margin shows it."""

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
    """Return the `Comparison` of all pairs, `SetResult`s of two, of one pairing, and what the test `sprt` says of them.

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
    """Return {(agent, opponent): win rate} of all that met, in both directions."""
    rates = {}
    for row in comparisons:
        first, second = row.agents
        rates[first, second], rates[second, first] = row.win_rate, 1 - row.win_rate
    return rates
