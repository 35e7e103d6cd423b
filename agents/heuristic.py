"""The agents `random` and `greedy`, which need no training."""

import numpy as np

from zamek_agents.base import RulesetAgent, check_goes_on
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
class GreedyAgent(RulesetAgent):
    """Plays the action with the highest value one decision ahead, as `zamek_env.core.greedy` values it."""

    name = "greedy"

    def __init__(self):
        self._generator = np.zeros(1, np.uint64)

    def _prepare(self, game):
        self._trials = game.ruleset.new_states(2)
        self._logs = game.ruleset.new_log()

    def _choose(self, game, rng):
        seed_generator(self._generator, draw_deal(rng))
        tables = game.ruleset.tables
        return engine.choose_greedily(tables, game.raw_states, self._logs, self._trials, 0, self._generator)
