"""What each player of Castle has seen and done, as text with perfect recall (K10)."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.actions import STEAL_GIVE
from zamek_env.castle_cards.notation.option_line import format_option
from zamek_env.castle_cards.notation.option_names import name_option
from zamek_env.castle_cards.records.log_steps import Turn, append_steps
from zamek_env.castle_cards.records.step_text import describe_step
from zamek_env.openspiel.infostate import InfoState, NextInfoState

States = npt.NDArray[np.record]  # shape (1,)


class CastleInfoState(NextInfoState):
    """A decision, what it brought, and what was `before`.

    Args:
        before: the information state until then.
        states: the game before the decision.
        action: what was decided; None where there was nothing to decide.
        later: the game after it.
        log: what it brought, of which a copy is taken.
    """

    def __init__(
        self, before: InfoState, states: States, action: int | None, later: States, log: npt.NDArray[Any]
    ) -> None:
        self.before = before
        self._states, self._action = states, action
        self._rows = log["rows"][0, : log["count"][0]].copy()
        has_drawn = later["phase"][0] == STEAL_GIVE and states["phase"][0] != STEAL_GIVE
        self._stolen = (int(later["other"][0]), int(later["stolen"][0])) if has_drawn else None
        self._news: dict[int, list[str]] = {}

    def describe_news(self, player: int) -> list[str]:
        if player not in self._news:
            self._news[player] = self._describe_news(player)
        return self._news[player]

    def _describe_news(self, player):
        state, lines = self._states[0], []
        if self._action is not None and state.decider == player:
            lines.append(f"> {format_option(name_option(state, self._action))}")
        turns: list[Turn] = [{"player": int(state.turn), "steps": []}]
        append_steps(turns, SimpleNamespace(rows=self._rows, count=len(self._rows)))
        for turn in turns:
            lines += [describe_step(turn["player"], step).words_for(player) for step in turn["steps"]]
        if self._stolen is not None and player in (state.turn, self._stolen[0]):
            lines.append(f"{NAMES[self._stolen[1]]} is drawn from the hand of player {self._stolen[0]}.")
        return lines
