"""Who sits opposite while a network learns: other agents, and past selves of the network.

An opponent answers in many games at once: `choose(seen, masks, states)` takes the observations, legal actions and state
records of the games in which it is to decide, and returns their actions. It has a `name` for statistics.
"""

import copy

import numpy as np

from zamek_env import Game
from zamek_env.fair_play import ask


class AgentOpponent:
    """Any `agent`, called `name` in statistics, for games of a `Ruleset`."""

    def __init__(self, name, agent, ruleset):
        self.name = name
        self._agent = agent
        self._ruleset = ruleset
        self.seed(0)

    def seed(self, seed):
        """Begin a new sequence of random numbers."""
        self._rng = np.random.default_rng(seed)

    def choose(self, seen, masks, states):
        actions = np.empty(len(states), np.int64)
        for number in range(len(states)):
            game = Game.from_state(self._ruleset, states, number)
            actions[number] = ask(self._agent.act, game, self._rng)
        return actions


class PastSelves:
    """Copies of a policy as it was; one of the last `kept` plays at a time, drawn anew by each `draw`."""

    name = "past selves"

    def __init__(self, kept):
        self.weights = []  # of the copies, the oldest first
        self._kept = kept
        self._player = None
        self.seed(0)

    def seed(self, seed):
        """Begin a new sequence of random numbers."""
        self._rng = np.random.default_rng(seed)

    def add(self, policy):
        """Keep a copy of `policy`, and forget the oldest one where there are too many."""
        self.weights.append({name: value.clone() for name, value in policy.state_dict().items()})
        del self.weights[: -self._kept]

    def draw(self, policy):
        """Let one of the copies play from now on; `policy` lends its shape, and is the first of them."""
        if not self.weights:
            self.add(policy)
        if self._player is None:
            self._player = copy.deepcopy(policy)
            self._player.set_training_mode(False)
        self._player.load_state_dict(self.weights[self._rng.integers(len(self.weights))])

    def choose(self, seen, masks, states):
        return self._player.predict(seen, action_masks=masks)[0]
