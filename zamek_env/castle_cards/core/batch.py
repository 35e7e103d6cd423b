"""Many random games in one call, shared among threads. Games do not touch each other."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import new_states
from zamek_env.threads import Threads


def play_games(players: int, count: int, threads: Threads) -> tuple[npt.NDArray[np.record], int]:
    """Deal games 0 … `count - 1` and play them at random; return their ends and how many decisions that took.

    The result does not depend on how many threads there are.
    """
    blank, states = new_states(1), new_states(count)
    bounds = np.linspace(0, count, threads.count + 1).astype(int).tolist()
    totals: list[int] = []

    def play(first: int, end: int) -> None:
        logs: npt.NDArray[Any] = np.zeros(1, LOG)
        totals.append(calls.play_range(blank, states, logs, players, first, end))

    threads.run(play, list(pairwise(bounds)))
    return states, sum(totals)
