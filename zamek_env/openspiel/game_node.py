"""Nodes of any `PlayableGame`: all its chance is one node at the root, which draws the deal."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from zamek_env.game_protocol import PlayableGame, take_turns
from zamek_env.openspiel.node import TERMINAL, ChanceNode, Node, Outcomes, Tensors, refuse

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

    def after(self, action: int) -> Node:
        if action not in self.legal_actions():
            raise refuse(action, self.legal_actions())
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

    def _draw_outcome(self, action: int) -> Node:
        return GameNode(self._deal(seed=action))

    def _format_outcome(self, action: int) -> str:
        return f"deal {action}"

    def __str__(self) -> str:
        return f"one of {self._count} deals"


def _list_parts(seen: Any) -> Mapping[str, Any]:
    """Return the parts of an observation by name."""
    return seen if isinstance(seen, Mapping) else {WHOLE: seen}
