"""Results of pairs of games, made by hand from the points in them."""

from zamek_agents.arena.sets import GameResult, SetResult, Side

WON, LOST, SHARED = (9, 1), (1, 9), (5, 5)


def make_pair(number, first, second, agents=("a", "b")):
    """Return a pair that ended with the points `first` where the first agent began, `second` where the other did."""
    games = tuple(
        GameResult(tuple(Side(points, {"road": points}, 1, 0, 10, 0.02) for points in scores), None)
        for scores in (first, second)
    )
    return SetResult(agents, number, number, games)
