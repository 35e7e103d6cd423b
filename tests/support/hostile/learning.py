"""Learning with odd settings and numbers, like the calls of `calls.py`: it goes on, or says it diverged."""

import math

import numpy as np

from tests.support.hostile.calls import expect, require, show
from tests.support.hostile.vector import VectorAttacker
from tests.support.rulesets import SECOND
from zamek_agents.base import DivergedError
from zamek_agents.value.choice import choose_for, count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.learner import check_progress, new_learner
from zamek_agents.value.training import PERMILLE, episode_dtype, train
from zamek_agents.value.weights import new_weights
from zamek_env import Game
from zamek_env.notation.action_line import name_action
from zamek_env.ruleset import get_ruleset

RATES = (1e-9, 0.3, 1.0, 4.0, 10.0, 1e6, 1e300, math.inf, math.nan)
WEIGHTS = (0.0, 1.0, -1e30, 3e38, math.inf, -math.inf, math.nan)


class LearningAttacker(VectorAttacker):
    """Makes random calls of what learns and of what plays by learned numbers, beside all others."""

    def __init__(self, seed, folder):
        super().__init__(seed, folder)
        self.learning = get_ruleset(SECOND)
        self.room = self.learning.new_states(1 + count_trials(self.learning.sizes)), self.learning.new_log()

    def learn_at_odd_rate(self):
        """Learn from a game or two with settings of all kinds; what comes of it is checked as training checks it."""
        settings = {
            "rate": self.draw(RATES),
            "trace": self.draw((0.0, 0.8, 1.0)),
            "exploration": self.draw((0, 20, PERMILLE)),
            "memory": self.draw((1, 5000)),
        }
        learners = new_learner(self.learning, int(self.rng.integers(2**31)), settings)
        learned = learners["evaluator"]["weights"][0]
        if self.rng.integers(3) == 0:
            learned[self.rng.integers(learned.size)] = self.draw(WEIGHTS)
        games = int(self.rng.integers(1, 3))
        train(self.learning.tables, *self.room, learners, np.zeros(1, episode_dtype(self.learning.sizes)), games)
        require(learners["games"][0] == games, f"learning with {show(settings)} played {learners['games'][0]} games")
        try:
            check_progress(learners, self.learning, games)
        except DivergedError as error:
            require("\n" not in str(error), f"an error of two lines: {error}")
            return "DivergedError"
        require(np.isfinite(learned).all(), f"learning with {show(settings)} was taken for sound")
        return "accepted"

    def choose_by_odd_weights(self):
        """Decide by weights of any numbers: the action must be legal."""
        game = Game(SECOND, seed=int(self.rng.integers(1000)))
        for _ in range(self.rng.integers(40)):
            game.step(int(self.rng.choice(game.legal_actions())))
        weights = new_weights(self.learning)
        numbers = self.rng.integers(weights.size, size=self.rng.integers(1, weights.size))
        weights[numbers] = self.rng.choice(np.array(WEIGHTS, np.float32), size=numbers.size)
        states, logs = self.room
        states[:1] = game.raw_states
        action = choose_for(
            self.learning.tables, states, logs, np.ones(1, np.uint64), new_evaluators(self.learning, weights)
        )
        chosen = name_action(game.ruleset, game.state[0], int(action))
        return expect(lambda: game.step(int(action)), None, f"{chosen}, chosen by odd weights, in {game!r}")
