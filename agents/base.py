"""What every agent can do."""

from typing import Protocol

import numpy as np

from zamek_env import Game


class Agent(Protocol):
    """A player of `Game`: it has a name, and it decides.

    An agent keeps nothing from one decision to the next, so one object can play many games, and both sides of one.
    """

    name: str  # as `make_agent` knows it

    def act(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal action of `game`, which is not over and must stay as it is.

        All chance comes from `rng`. What is hidden (rule Z31) must not be read; to look ahead, `redeal` a copy.
        """
        ...
