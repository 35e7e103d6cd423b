"""What every agent can do."""

from typing import Protocol

import numpy as np

from zamek_env.game_protocol import GameProtocol


class Agent(Protocol):
    """A player of games: it has a name, and it decides.

    An agent keeps nothing from one decision to the next, so one object can play many games, and both sides of one.
    """

    name: str  # as `make_agent` knows it

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return a legal action of `game`. Raises `ValueError` where it is over.

        All chance comes from `rng`. An agent is handed a copy, in which what is hidden from it (rule Z31) is dealt at
        random: it may look and play there as it likes. Agents of this package are handed the game itself
        (`zamek_env.fair_play`), so they must not read what is hidden, nor change anything.
        """
        ...


def check_goes_on(game):
    """Raise `ValueError` where `game` is over, so that there is nothing to decide."""
    if game.is_terminal:
        raise ValueError("the game is over: an agent has nothing to decide")
