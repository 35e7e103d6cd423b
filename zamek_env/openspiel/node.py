"""A node of the tree of a game, which a state of OpenSpiel holds.

A node is immutable: playing at a node returns another one, so clones of a state share its node. A node holds nothing
that chance has not decided yet: a chance node asks for it as soon as it matters.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from zamek_env.common.messages import shorten, show

CHANCE, TERMINAL = -1, -4  # as OpenSpiel numbers them in `pyspiel.PlayerId`
Outcomes = list[tuple[int, float]]  # what chance may do there, with probabilities
States = npt.NDArray[np.record]  # of one game, shape (1,)
Tensors = dict[str, npt.NDArray[np.float32]]  # parts of an observation by name


def refuse(action: int, legal: Sequence[int]) -> ValueError:
    """Return the error that says that `action` is none of the `legal` ones."""
    if not legal:
        return ValueError(f"action {show(action)} is not legal: the game is over")
    return ValueError(f"action must be one of {shorten(', '.join(map(str, legal)))}, not {show(action)}")


class Node(ABC):
    """A node at which `player`, chance or nobody decides."""

    player: int  # or CHANCE, or TERMINAL
    num_players: int

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal actions of `player` in ascending order."""

    def chance_outcomes(self) -> Outcomes:
        """Return the outcomes of chance with their probabilities, in ascending order: none where a player decides."""
        return []

    @abstractmethod
    def after(self, action: int) -> "Node":
        """Return the node after a legal action of the player, or after an outcome of chance.

        Raises `ValueError` for any other.
        """

    @abstractmethod
    def format_action(self, action: int) -> str:
        """Return a legal action or an outcome of chance as text, different for each.

        Raises `ValueError` for an outcome that is not possible, and an action that means nothing now.
        """

    @abstractmethod
    def returns(self) -> Sequence[float]:
        """Return what the game was worth to each player; all 0 before its end."""

    @abstractmethod
    def observe(self, player: int, out: Tensors) -> None:
        """Write what `player` sees into `out`. At a chance node it is what was seen before it."""

    @abstractmethod
    def describe_seen(self, player: int) -> str:
        """Return what `player` sees as text."""

    @abstractmethod
    def describe_known(self, player: int, history: Sequence[int]) -> str:
        """Return all that `player` has seen and done as text: equal where the player cannot tell nodes apart.

        `history` are all actions and outcomes since the root.
        """

    @abstractmethod
    def play_out(self, rng: np.random.Generator) -> Sequence[float]:
        """Return the returns of a game played on from here at random, all chance included."""

    @abstractmethod
    def redealt(self, player: int, rng: np.random.Generator) -> "Node":
        """Return a node of the same player to decide, in which what is hidden from `player` is dealt by `rng`.

        It is this one where nothing is hidden. Raises `ValueError` where chance decides and something is.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the state as text for a person."""


class ChanceNode(Node):
    """A node at which chance decides, after what was seen at the node `before`; None: nothing was seen yet."""

    player = CHANCE
    before: Node | None

    @abstractmethod
    def chance_outcomes(self) -> Outcomes: ...

    def legal_actions(self) -> list[int]:
        return [outcome for outcome, _ in self.chance_outcomes()]

    def after(self, action: int) -> Node:
        self._check_outcome(action)
        return self._draw_outcome(action)

    def format_action(self, action: int) -> str:
        self._check_outcome(action)
        return self._format_outcome(action)

    def _check_outcome(self, action):
        """Raise `ValueError` if the outcome is not possible here."""
        if action not in self.legal_actions():
            raise refuse(action, self.legal_actions())

    @abstractmethod
    def _draw_outcome(self, action: int) -> Node:
        """Return the node after an outcome of chance."""

    @abstractmethod
    def _format_outcome(self, action: int) -> str:
        """Return an outcome of chance as text."""

    def returns(self) -> Sequence[float]:
        return (0.0,) * self.num_players

    def observe(self, player: int, out: Tensors) -> None:
        if self.before is not None:
            self.before.observe(player, out)
            return
        for part in out.values():
            part.fill(0)

    def describe_seen(self, player: int) -> str:
        return "" if self.before is None else self.before.describe_seen(player)

    def describe_known(self, player: int, history: Sequence[int]) -> str:
        return "" if self.before is None else self.before.describe_known(player, history)

    def play_out(self, rng: np.random.Generator) -> Sequence[float]:
        outcomes, chances = zip(*self.chance_outcomes(), strict=True)
        return self.after(int(rng.choice(outcomes, p=chances))).play_out(rng)

    def redealt(self, player: int, rng: np.random.Generator) -> Node:
        raise ValueError("hands are dealt anew only where a player is to decide, not at a node of chance")


class InfoState:
    """The history as far as each player knows it: the beginning, or one decision after another."""

    def describe(self, player: int) -> str:
        """Return all that `player` knows of it, one item a line."""
        decisions: list[NextInfoState] = []
        info_state = self
        while isinstance(info_state, NextInfoState):
            decisions.append(info_state)
            info_state = info_state.before
        assert isinstance(info_state, InitialInfoState)
        lines = [line for decision in reversed(decisions) for line in decision.describe_news(player)]
        return "\n".join([text for text in (info_state.texts[player],) if text] + lines)


class InitialInfoState(InfoState):
    """The beginning of information states, by player."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts


class NextInfoState(InfoState):
    """A decision, what it brought, and what was `before`."""

    before: InfoState

    @abstractmethod
    def describe_news(self, player: int) -> Sequence[str]:
        """Return what `player` learns of it, the player's own decision included, one item a line."""
