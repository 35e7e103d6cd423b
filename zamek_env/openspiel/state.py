"""States and observers of OpenSpiel, the same for all games."""

from typing import Any

import numpy as np
import pyspiel

from zamek_env.openspiel.node import Node, Outcomes

_MOST = 2**31  # seeds lie below
Shapes = dict[str, tuple[int, ...]]  # of the parts of an observation, by name


class Place:
    """The node of a state. A pickle holds no node: unpickling plays the history again.

    `is_reached` says that its history leads there from the root of a game that OpenSpiel can load by its name.
    """

    def __init__(self, node: Node | None = None, is_reached: bool = True) -> None:
        self.node, self.is_reached = node, is_reached

    def __deepcopy__(self, memo: dict[int, Any]) -> "Place":
        return Place(self.node, self.is_reached)

    def __reduce__(self) -> tuple[type["Place"], tuple[()]]:
        if not self.is_reached:
            raise ValueError("this state cannot be serialised: it was dealt anew, or its game begins at a position")
        return Place, ()


class GameState(pyspiel.State):
    """A state of OpenSpiel at a `Node`."""

    def __init__(self, game: Any, node: Node, is_reached: bool = True) -> None:
        super().__init__(game)
        self._place = Place(node, is_reached)  # the only attribute: OpenSpiel copies and pickles them all

    def __copy__(self) -> "GameState":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameState":
        return self.clone()

    @property
    def node(self) -> Node:
        """The node of the state."""
        if self._place.node is None:
            node = self.get_game().root
            for action in self.history():
                node = node.after(action)
            self._place.node = node
        return self._place.node

    def current_player(self) -> int:
        return self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal_actions() if player == self.node.player else []

    def chance_outcomes(self) -> Outcomes:
        return self.node.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self._place.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.format_action(action)

    def returns(self) -> list[float]:
        return list(self.node.returns())

    def resample_from_infostate(self, player: int, sampler: Any) -> "GameState":
        """Return a state that `player` cannot tell from this one, with what is hidden from that player redealt.

        `sampler` is a function of OpenSpiel that returns random numbers from 0 to 1. Where nothing is hidden, as in
        games of tiles without hidden hands, it is a clone. Elsewhere the history of the new state says nothing, so that
        state cannot be serialised. Raises `ValueError` at a chance node there.
        """
        rng = np.random.default_rng(int(sampler() * _MOST))
        node = self.node.redealt(player, rng)
        return self.clone() if node is self.node else GameState(self.get_game(), node, is_reached=False)

    def __str__(self) -> str:
        return str(self.node)


def is_observed(kind: pyspiel.IIGObservationType | None) -> bool:
    """Return whether there are observations of that kind: with all that is public, and with what one player knows."""
    return kind is None or (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)


class Observer:
    """A player's observation, as OpenSpiel asks for it: `tensor`, its named parts `dict` of such `shapes`, and a text.

    With perfect recall the text is all that the player has seen and done since the root. The tensor is the same in both
    cases: what is known now. Raises `ValueError` for a `kind` that is not observed.
    """

    def __init__(self, shapes: Shapes, kind: pyspiel.IIGObservationType | None) -> None:
        self._recalls = kind is not None and kind.perfect_recall
        if not is_observed(kind):
            raise ValueError(f"what is observed must be public_info and the private_info of one player, not {kind}")
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        ends = np.cumsum(sizes)
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.dict = {
            name: self.tensor[end - size : end].reshape(shape)
            for (name, shape), size, end in zip(shapes.items(), sizes, ends, strict=True)
        }

    def set_from(self, state: GameState, player: int) -> None:
        """Write what `player` sees of `state` into `tensor`."""
        state.node.observe(player, self.dict)

    def string_from(self, state: GameState, player: int) -> str:
        """Return what `player` sees of `state`, or with perfect recall has ever seen, as text."""
        node = state.node
        return node.describe_known(player, state.history()) if self._recalls else node.describe_seen(player)
