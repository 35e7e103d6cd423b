"""What all agents that search have in common."""

import time

import numpy as np

from zamek_env.checks import draw_deal


class SearchingAgent:
    """Searches on copies of the game, re-dealt, and notes how long it takes.

    What it keeps from one decision to the next is room for the search, made anew for each ruleset: an agent must not
    decide in two threads at once.
    """

    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.decisions = 0
        self.seconds = 0.0  # that all decisions took, without the first one of a ruleset, which may have to compile
        self._ruleset = None

    def act(self, game, rng):
        number = draw_deal(rng)
        if game.ruleset is not self._ruleset:
            self._ruleset = game.ruleset
            self._prepare(game.ruleset)
            self._states[:1] = game.states
            self._decide(number)
        started = time.perf_counter()
        self._states[:1] = game.states
        action = int(self._decide(number))
        self.seconds += time.perf_counter() - started
        self.decisions += 1
        return action

    @property
    def milliseconds(self):
        """What a decision took on average; NaN before the first one."""
        return 1e3 * self.seconds / self.decisions if self.decisions else np.nan

    def _prepare(self, ruleset):
        """Make room for games of `ruleset`, `_states`, of which the first is the game to decide in, and all else."""
        raise NotImplementedError

    def _decide(self, number):
        """Return the action chosen for `_states[0]`, which may be spoilt; all chance follows from `number`."""
        raise NotImplementedError
