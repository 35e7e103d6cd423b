"""What each player of a game has seen and done, as text with perfect recall."""

from abc import abstractmethod
from collections.abc import Sequence


class InfoState:
    """What has happened, as far as each player knows it: the beginning, or one decision after another."""

    def describe(self, player: int) -> str:
        """Return all that `player` knows of it, a line for each thing."""
        decisions: list[NextInfoState] = []
        info_state = self
        while isinstance(info_state, NextInfoState):
            decisions.append(info_state)
            info_state = info_state.before
        assert isinstance(info_state, InitialInfoState)
        lines = [line for decision in reversed(decisions) for line in decision.describe_news(player)]
        return "\n".join([text for text in (info_state.texts[player],) if text] + lines)


class InitialInfoState(InfoState):
    """Where information states begin, by player."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts


class NextInfoState(InfoState):
    """A decision, what it brought, and what was `before`."""

    before: InfoState

    @abstractmethod
    def describe_news(self, player: int) -> Sequence[str]:
        """Return what `player` learns of it, the player's own decision included, a line for each thing."""
