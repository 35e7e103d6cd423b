"""Who draws the deals of many games, and the learner's seats, each game's from a generator of its own."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from gymnasium.utils import seeding

from zamek_env.checks import draw_deal, draw_seat
from zamek_env.core.chance import MAX_DEAL

AHEAD = 16  # deals drawn at once, which takes little longer than drawing one


class Dealer:
    """Draws what begins the next episodes of `count` games, as the `reset` of a single environment does."""

    def __init__(self, count: int) -> None:
        self.generators: list[np.random.Generator | None] = [None] * count  # None: the game never began
        self._deals = np.zeros((count, AHEAD), np.int64)  # drawn ahead
        self._played = [AHEAD] * count  # how many of them each game has taken

    @property
    def seeds(self) -> tuple[int | None, ...]:
        """From which number each generator was made."""
        return tuple(None if one is None else _find_seed(one) for one in self.generators)

    def seed(self, games: Iterable[int], seeds: Sequence[int | None]) -> None:
        """Give each of `games` a generator made from its seed; without a seed, one made from any where it has none."""
        for game in games:
            if seeds[game] is not None or self.generators[game] is None:
                self.generators[game] = seeding.np_random(seeds[game])[0]
                self._played[game] = AHEAD

    def draw_deals(self, games: Iterable[int]) -> list[np.int64]:
        """Return the next deal of each of `games`, as `draw_deal` would draw it, where no seat is drawn between."""
        drawn = []
        for game in games:
            played = self._played[game]
            if played == AHEAD:
                self._deals[game], played = self._find(game).integers(MAX_DEAL, size=AHEAD, endpoint=True), 0
            drawn.append(self._deals[game, played])
            self._played[game] = played + 1
        return drawn

    def draw_episodes(
        self, games: Iterable[int], players: int, seat: int | Literal["random"]
    ) -> tuple[list[int], list[int]]:
        """Return the next deals of `games`, and the seats of a learner among so many `players`."""
        deals, seats = [], []
        for game in games:
            generator = self._find(game)
            deals.append(draw_deal(generator))
            seats.append(draw_seat(generator, players, seat))
        return deals, seats

    def _find(self, game: int) -> np.random.Generator:
        generator = self.generators[game]
        assert generator is not None  # it was seeded when the game first began
        return generator


def _find_seed(generator):
    """Return the number from which `seeding.np_random` made a generator."""
    return generator.bit_generator.seed_seq.entropy
