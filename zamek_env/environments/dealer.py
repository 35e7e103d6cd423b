"""Draws deals and the learner's seats for many games, for each from its own generator."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from zamek_env.common.pickling import WritableArrays
from zamek_env.core.bound_kernel import BoundKernel
from zamek_env.core.chance import MAX_DEAL
from zamek_env.core.outcome import EVERY_SEAT
from zamek_env.core.upcoming import AHEAD, UPCOMING, note_deals, put_next_episode


class Dealer(WritableArrays):
    """Draws what begins the next episodes of `count` games, as the `reset` of a single environment does.

    `seat` is that of the learner among `players` players, or `"random"`; None if the learner plays all seats.
    """

    def __init__(self, count: int, players: int, seat: int | Literal["random"] | None) -> None:
        self.generators: list[np.random.Generator | None] = [None] * count  # None: the game never began
        self.upcoming: npt.NDArray[Any] = np.zeros(count, UPCOMING)
        self.upcoming["learners"] = EVERY_SEAT if seat is None or seat == "random" else seat
        self._used_up = np.zeros(count, np.int64)  # games that have used up what was drawn for them
        self._seat = seat
        self._limits = np.tile([MAX_DEAL, players - 1], AHEAD)  # of deals and seats in turns
        self._put_next, self._note_deals = BoundKernel(put_next_episode), BoundKernel(note_deals)

    @property
    def seeds(self) -> tuple[int | None, ...]:
        """The seed of each generator."""
        return tuple(None if one is None else _find_seed(one) for one in self.generators)

    def seed(self, games: Iterable[int], seeds: Sequence[int | None]) -> None:
        """Give each of `games` a generator made from its seed; without a seed, keep its own or make a random one."""
        for game in games:
            if seeds[game] is not None or self.generators[game] is None:
                generator = seeding.np_random(seeds[game])[0]
                self._draw(game, generator)
                self.generators[game] = generator  # last, so that an interrupted call sets none

    def put_next(self, episodes: npt.NDArray[Any], games: npt.NDArray[np.int64]) -> None:
        """Write `next_deal` and `next_learner` of the next episode of each of `games`, which have been seeded."""
        self._draw_more(self._put_next.call(self.upcoming, episodes, games, self._used_up))

    def note_deals(self, episodes: npt.NDArray[Any], outcomes: npt.NDArray[Any], deals: npt.NDArray[np.int64]) -> None:
        """Write to `deals` those of the games that were just dealt, and what their next episodes begin with."""
        self._draw_more(self._note_deals.call(self.upcoming, episodes, outcomes, deals, self._used_up))

    def _draw_more(self, count):
        """Draw more for the first `count` games that have used up theirs."""
        for game in self._used_up[:count].tolist():
            self._draw(game, self.generators[game])

    def _draw(self, game, generator):
        """Draw the next deals of a game, each followed by a seat where there are opponents.

        That is the order of a single environment's `reset`: numpy draws the same numbers in one call as in many.
        """
        row = self.upcoming[game]
        if self._seat is None:
            row["deals"] = generator.integers(MAX_DEAL, size=AHEAD, endpoint=True)
        else:
            drawn = generator.integers(self._limits, endpoint=True)
            row["deals"] = drawn[::2]
            if self._seat == "random":
                row["learners"] = drawn[1::2]
        row["taken"] = 0


def _find_seed(generator):
    """Return the seed from which `seeding.np_random` made a generator."""
    return generator.bit_generator.seed_seq.entropy
