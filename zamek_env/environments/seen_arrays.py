"""The arrays that hold what is seen of many games, and who may use them once they are handed out."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from zamek_env.environments.reused_arrays import ReusedSets
from zamek_env.environments.shown_games import Shown


class SeenArrays:
    """Sets of arrays for what is seen: `now` is the set in use, `make` returns a new one.

    `make_copies` returns arrays for copies of what is shown. What a step hands out depends on `copy`, and on whether a
    step writes everything that is seen (`writes_all`) or only what has changed:

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
        self.gives_away = self.hands_out and writes_all  # callers may write to them: each step writes them whole
        self._copies_out = copy is True and not self.hands_out
        self._sets, self._copies = ReusedSets(make), ReusedSets(make_copies)
        self.now: Any = self._sets.take()

    def go_on(self) -> Any:
        """Switch to a set of arrays whose contents no caller relies on; return the previous set, which may be the same.

        The next step must write what is seen of all games if `must_refresh`, otherwise only of the games played.
        """
        last = self.now
        if self.hands_out:
            self.now = self._sets.take(last)
        return last

    def must_refresh(self, last: Any) -> bool:
        """Return whether a step that follows `last` must write what is seen of all games."""
        return self.now is not last or self.gives_away

    def hand_out(self, shown: Shown) -> Shown:
        """Return `shown`, views of the arrays `now`, as callers get it: copied, read-only or as it is."""
        if self._copies_out:
            return shown.copy_to(self._copies.take())
        if not self.gives_away:
            shown.lock()
        return shown
