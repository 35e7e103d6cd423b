"""What a player is handed to decide in: nothing hidden can be read there, and nothing written there counts.

An agent gets a copy of the game with all that is hidden from it dealt anew, and a generator from which none of ours
can be reckoned back. An agent that is known to look at nothing hidden and to change nothing gets the game itself, which
saves the copy. This keeps out what peeks by mistake or by will; code that goes through the interpreter to the games of
others cannot be kept out within one process.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from zamek_env.checks import draw_deal
from zamek_env.game_protocol import GameProtocol

AnyGame = TypeVar("AnyGame", bound=GameProtocol)
AgentClass = TypeVar("AgentClass", bound=type)

_PROVEN: set[type] = set()


def proven_fair(agent_class: AgentClass) -> AgentClass:
    """Mark a class of agents, as a decorator: its own `act` reads nothing hidden and leaves the game as it is.

    Subclasses are not marked with it. `tests/test_fair_play.py` holds every marked class to it.
    """
    _PROVEN.add(agent_class)
    return agent_class


def list_proven() -> dict[str, type]:
    """Return the classes that are marked, by name."""
    return {agent_class.__name__: agent_class for agent_class in _PROVEN}


def ask(act: Callable[[AnyGame, np.random.Generator], int], game: AnyGame, rng: np.random.Generator) -> int:
    """Return the action that `act(game, rng)`, any callable, chooses, without letting it at `game` or `rng`.

    It decides for the player whose turn it is in `game`, a `GameProtocol`, and sees what that player sees. The same
    `rng` gives the same choice. Raises what `act` raises.
    """
    if _is_proven(act):
        return act(game, rng)
    seed = hashlib.sha256(draw_deal(rng).to_bytes(8)).digest()
    own = np.random.default_rng(np.frombuffer(seed, np.uint32))
    return act(game.concealed(own, game.current_player), own)


def _is_proven(act):
    """Return whether `act` is the method `act` of an agent of a marked class, and not one put in its place."""
    owner: Any = type(getattr(act, "__self__", None))
    return owner in _PROVEN and getattr(act, "__func__", None) is owner.act
