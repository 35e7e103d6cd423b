"""The arrays to which what is seen of many games is written, and whose they are once they are handed out."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from zamek_env.environments.reused_arrays import ReusedSets
from zamek_env.environments.shown_games import Shown


class SeenArrays:
    """Sets of arrays, of which `now` is the one that holds what is seen now; `make` returns a new one.

    `make_copies` returns arrays for copies of what is shown. Whose the arrays are that a step hands out depends on
    `copy`, and on whether a step writes all of what is seen, and not only what has changed (`writes_all`):

                     a step writes what has changed             a step writes all
        copy=None    `hands_out`, to be read                    `hands_out` and `gives_away`
        copy=True    copies                                     `hands_out` and `gives_away`
        copy=False   to be read until the next step             to be read until the next step
    """

    def __init__(
        self,
        make: Callable[[], tuple[npt.NDArray[Any], ...]],
        make_copies: Callable[[], tuple[npt.NDArray[Any], ...]],
        copy: bool | None,
        writes_all: bool,
    ) -> None:
        self.hands_out = copy is None or (copy and writes_all)  # the arrays themselves are handed out for good
        self.gives_away = self.hands_out and writes_all  # who is handed them may write to them: no step minds
        self._copies_out = copy is True and not self.hands_out
        self._sets, self._copies = ReusedSets(make), ReusedSets(make_copies)
        self.now: Any = self._sets.take()

    def go_on(self) -> Any:
        """Go on to arrays for the next step: none that anybody holds who counts on what stands there. Return the last.

        That step must write what is seen of all games where `must_refresh`, else of those that are played alone.
        """
        last = self.now
        if self.hands_out:
            self.now = self._sets.take(last)
        return last

    def must_refresh(self, last: Any) -> bool:
        """Return whether a step that follows `last` must write what is seen of all games."""
        return self.now is not last or self.gives_away

    def hand_out(self, shown: Shown) -> Shown:
        """Return what is `shown` in the arrays of now as it is handed out: copied, read-only or as it is."""
        if self._copies_out:
            return shown.copy_to(self._copies.take())
        if not self.gives_away:
            shown.lock()
        return shown
