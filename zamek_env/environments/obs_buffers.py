"""The arrays that hold the observations of many games, and who may use them once they are handed out."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.environments.buffer_pool import BufferPool
from zamek_env.environments.obs_batch import ObsBatch


class ObsBuffers:
    """Buffers for observations: `now` are those in use, `make` returns new arrays, and `show` views of them.

    `copies` are buffers for copies of observations. What a step hands out depends on `copy`, and on whether a step
    writes everything that is seen (`writes_all`) or only what has changed:

                     a step writes what has changed             a step writes all
        copy=None    `hands_out`, to be read                    `hands_out` and `gives_away`
        copy=True    copies                                     `hands_out` and `gives_away`
        copy=False   to be read until the next step             to be read until the next step
    """

    def __init__(
        self,
        make: Callable[[], tuple[npt.NDArray[Any], ...]],
        show: Callable[[Any], ObsBatch],
        copies: BufferPool[Any, ObsBatch],
        copy: bool | None,
        writes_all: bool,
    ) -> None:
        self.hands_out = copy is None or (copy and writes_all)  # the arrays themselves are handed out for good
        self.gives_away = self.hands_out and writes_all  # callers may write to them: each step writes them whole
        self._copies_out = copy is True and not self.hands_out
        self._copies = copies
        self._pool = BufferPool(make, show if self.gives_away else partial(_view_read_only, show))
        self.now: Any = self._pool.take()

    def go_on(self) -> tuple[Any, bool]:
        """Switch to a set of arrays whose contents no caller relies on.

        Returns the previous set, which may be the same, and whether the next step must write what is seen of all games,
        not only of the games played.
        """
        last = self.now
        if not self.hands_out:
            return last, False
        self.now = self._pool.take(last)
        return last, self.now is not last or self.gives_away

    def hand_out(self) -> tuple[Any, npt.NDArray[np.int8]]:
        """Return (observations, masks) as callers get them: copied, read-only or as they are.

        They are views of their own, unless the next step overwrites them.
        """
        shown: ObsBatch = self.now.views
        if self._copies_out:
            copies = self._copies.take().views
            shown.copy_to(copies)
            shown = copies
        elif not self.hands_out:
            seen = shown.observations
            return seen.copy() if isinstance(seen, dict) else seen, shown.masks
        return shown.view()


def _view_read_only(show, arrays):
    shown = show(arrays)
    shown.lock()
    return shown
