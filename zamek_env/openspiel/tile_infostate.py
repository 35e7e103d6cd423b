"""What each player of a game with hidden hands of tiles has seen and done, as text with perfect recall (H1, H2)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.core.chance import find_bag
from zamek_env.layout.actions import CHOOSE
from zamek_env.openspiel.infostate import InfoState, NextInfoState

States = npt.NDArray[np.record]  # shape (1,)


class TileInfoState(NextInfoState):
    """A decision, the tiles that came with it, and what was `before`.

    Args:
        before: the information state until then.
        kinds: what outcome of chance a tile is, by its number.
        states: the game before the decision, with the tiles drawn at the front of the bag.
        action: what was decided; None for the set-up.
        later: the game after it.
        drawn: how many tiles were drawn.
        back: tiles that were shown and went back into the bag (rule H3).
    """

    def __init__(
        self,
        before: InfoState,
        kinds: npt.NDArray[Any],
        states: States,
        action: int | None,
        later: States,
        drawn: int,
        back: Sequence[int],
    ) -> None:
        self.before, self._action = before, action
        state, end = states[0], later[0]
        self._mover, self._is_choice = int(state.player), action is not None and int(state.phase) == CHOOSE
        bag = int(find_bag(state))
        holders = {tile: player for player, hand in enumerate(end.hand.tolist()) for tile in hand}
        tiles = state.deck[bag : bag + drawn].tolist()
        self._drawn = [(int(kinds[tile]), holders.get(tile)) for tile in tiles]  # whom nobody holds, all have seen
        out = end.deck[int(state.drawn) : int(end.drawn)].tolist()
        self._shown = [int(kinds[tile]) for tile in (*back, *out)]
        self._decider = f"{int(end.phase)} {int(end.player)}"

    def describe_news(self, player: int) -> list[str]:
        """Return in one line who decided what, what was drawn, what was shown, and who decides next."""
        hides = self._is_choice and player != self._mover  # all see which tile it is, but not in which slot it was
        action = "choose" if hides else "begin" if self._action is None else str(self._action)
        drawn = (str(kind) if holder in (None, player) else "?" for kind, holder in self._drawn)
        return [" ".join([action, "draw", *drawn, "show", *map(str, self._shown), "then", self._decider])]
