"""The nodes of the tree of a game, which states of OpenSpiel hold: the interface, and those of any `PlayableGame`.

A node is immutable: playing at a node returns another one, so clones of a state share its node. A node holds nothing
that chance has not decided yet: a chance node asks for it as soon as it matters.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from zamek_env.common.messages import shorten, show
from zamek_env.game_protocol import PlayableGame, take_turns

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

    def after(self, action: int) -> "Node":
        """Return the node after a legal action of the player, or after an outcome of chance.

        Raises `ValueError` for any other.
        """
        if action not in self.legal_actions():
            raise refuse(action, self.legal_actions())
        return self._go_to(action)

    @abstractmethod
    def _go_to(self, action: int) -> "Node":
        """Return the node after an action or an outcome that is possible."""

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

    def format_action(self, action: int) -> str:
        if action not in self.legal_actions():
            raise refuse(action, self.legal_actions())
        return self._format_outcome(action)

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
        raise ValueError("hands are redealt only where a player decides, not at a chance node")


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


# --- any `PlayableGame`: all its chance is one node at the root, which draws the deal ---

WHOLE = "observation"  # the name of the only part of an observation that is one array


class GameNode(Node):
    """A decision node of a player of `game`, or a terminal node.

    It follows the node `before` by an `action`; without one, players know what they see, or as text what is `known`.
    """

    def __init__(
        self,
        game: PlayableGame,
        before: "GameNode | None" = None,
        action: int | None = None,
        known: Mapping[int, str] | None = None,
    ) -> None:
        self.game, self.num_players = game, game.num_players
        self.player = TERMINAL if game.is_terminal else game.current_player
        self._before, self._action, self._known = before, action, known or {}
        self._find_news = cache(self._describe_news)

    def legal_actions(self) -> list[int]:
        return self.game.legal_actions()

    def _go_to(self, action: int) -> Node:
        game = self.game.copy()
        game.step(action)
        return GameNode(game, self, action)

    def format_action(self, action: int) -> str:
        return f"{action}: {self.game.describe(action)}"

    def returns(self) -> Sequence[float]:
        return self.game.returns()

    def observe(self, player: int, out: Tensors) -> None:
        for name, part in _list_parts(self.game.observe(player)).items():
            out[name][:] = part

    def describe_seen(self, player: int) -> str:
        parts = _list_parts(self.game.observe(player))
        return "; ".join(f"{name} {np.ravel(part).tolist()}" for name, part in parts.items())

    def describe_known(self, player: int, history: Sequence[int]) -> str:
        nodes = [self]
        while (before := nodes[-1]._before) is not None:
            nodes.append(before)
        return "\n".join(node._find_news(player) for node in reversed(nodes))

    def _describe_news(self, player: int) -> str:
        """Return what is new to `player` since the node before: the player's own decision, and what is seen."""
        if player in self._known:
            return self._known[player]
        is_own = self._before is not None and self._before.player == player
        return f"> {self._action}\n{self.describe_seen(player)}" if is_own else self.describe_seen(player)

    def play_out(self, rng: np.random.Generator) -> Sequence[float]:
        game = self.game.copy()
        for _ in take_turns(game):
            game.step(int(rng.choice(game.legal_actions())))
        return game.returns()

    def redealt(self, player: int, rng: np.random.Generator) -> Node:
        return GameNode(self.game.concealed(rng, player), known={player: self.describe_known(player, ())})

    def __str__(self) -> str:
        return str(self.game)


class DealNode(ChanceNode):
    """A node at which chance draws one of `count` deals, all equally likely; `deal(seed=number)` returns it."""

    before = None

    def __init__(self, num_players: int, count: int, deal: Callable[..., PlayableGame]) -> None:
        self.num_players = num_players
        self._count, self._deal = count, deal

    def chance_outcomes(self) -> Outcomes:
        return [(number, 1 / self._count) for number in range(self._count)]

    def _go_to(self, action: int) -> Node:
        return GameNode(self._deal(seed=action))

    def _format_outcome(self, action: int) -> str:
        return f"deal {action}"

    def __str__(self) -> str:
        return f"one of {self._count} deals"


def _list_parts(seen: Any) -> Mapping[str, Any]:
    """Return the parts of an observation by name."""
    return seen if isinstance(seen, Mapping) else {WHOLE: seen}
