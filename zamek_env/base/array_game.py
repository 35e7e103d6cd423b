"""`ArrayGame`: base class of games that live in one state record."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import copy_records
from zamek_env.common.checks import check_choice


class ArrayGame:
    """A game that lives in one state record, knows the number of its deal and remembers the actions played.

    Subclasses keep the record in `_states`, shape `(1,)`, and the actions in `_history`.
    """

    seed: int | None
    _states: npt.NDArray[np.record]
    _history: list[int]

    @property
    def num_players(self) -> int:
        """Number of players."""
        raise NotImplementedError

    @property
    def history(self) -> tuple[int, ...]:
        """The actions played so far; without those played before a game was set up or, in Castle, redealt."""
        return tuple(self._history)

    @property
    def state(self) -> npt.NDArray[np.record]:
        """A copy of the state record, shape `(1,)`: everything, including what is hidden from players.

        Its fields are described in `zamek_env.core.state`, those of Castle in `zamek_env.castle_cards.core.state`.
        """
        return copy_records(self._states)

    @property
    def raw_states(self) -> npt.NDArray[np.record]:
        """The memory of the game, shape `(1,)`, for kernels. Writing to it breaks the game."""
        return self._states

    def copy(self) -> Self:
        """Return an independent copy, the hidden part and the seed included.

        A subclass that keeps more than its base does copies that itself.
        """
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def _check_observer(self, observer: int | None, name: str = "observer") -> int | None:
        """Return the `observer`, None for somebody who knows what all know. Raises `ValueError` for anything else."""
        return check_choice(name, observer, (None, *range(self.num_players)))
