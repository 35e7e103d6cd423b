"""The agents `random` and `greedy`, which need no training."""

import numpy as np

from zamek_agents.base import check_goes_on
from zamek_env.checks import draw_deal
from zamek_env.core import engine
from zamek_env.core.chance import seed_generator
from zamek_env.fair_play import proven_fair


@proven_fair
class RandomAgent:
    """Plays uniformly random legal actions."""

    name = "random"

    def act(self, game, rng):
        check_goes_on(game)
        return int(rng.choice(game.legal_actions()))


@proven_fair
class GreedyAgent:
    """Plays the action with the highest value one decision ahead, as `zamek_env.core.greedy` values it."""

    name = "greedy"

    def __init__(self):
        self._generator = np.zeros(1, np.uint64)
        self._ruleset = None

    def act(self, game, rng):
        check_goes_on(game)
        if game.ruleset is not self._ruleset:
            self._prepare(game.ruleset)
        seed_generator(self._generator, draw_deal(rng))
        tables = game.ruleset.tables
        return int(engine.choose_greedily(tables, game.raw_states, self._logs, self._trials, 0, self._generator))

    def _prepare(self, ruleset):
        """Make room for the games that are tried out; it is kept from one decision to the next only to save time."""
        self._ruleset = ruleset
        self._trials = ruleset.new_states(2)
        self._logs = ruleset.new_log()
