"""Deals of the episodes to come, drawn some at a time."""

from collections.abc import Iterable, Sequence

import numpy as np

from zamek_env.core.chance import MAX_DEAL

AHEAD = 16  # deals drawn at once, which takes little longer than drawing one


class DealsAhead:
    """For each of `count` games, the deals that its generator draws one after another."""

    def __init__(self, count: int) -> None:
        self._deals = np.zeros((count, AHEAD), np.int64)
        self._played = [AHEAD] * count  # how many of them each game has taken

    def forget(self, game: int) -> None:
        """Draw anew what comes next in a game, for it has another generator now."""
        self._played[game] = AHEAD

    def draw(self, games: Iterable[int], generators: Sequence[np.random.Generator | None]) -> list[np.int64]:
        """Return the next deal of each of `games`, as `draw_deal` would draw it from the generator of that number."""
        drawn = []
        for game in games:
            played = self._played[game]
            if played == AHEAD:
                generator = generators[game]
                assert generator is not None  # it was seeded when the game first began
                self._deals[game], played = generator.integers(MAX_DEAL, size=AHEAD, endpoint=True), 0
            drawn.append(self._deals[game, played])
            self._played[game] = played + 1
        return drawn
