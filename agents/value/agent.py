"""The agent `value`: plays what a learned evaluation holds to be best, one decision ahead."""

from pathlib import Path

import numpy as np

from zamek_agents.base import RulesetAgent
from zamek_agents.shipped import find_shipped
from zamek_agents.value.choice import choose_for, count_trials
from zamek_agents.value.weights import load_weights, read_file
from zamek_env.checks import draw_deal
from zamek_env.core.chance import seed_generator
from zamek_env.core.state import copy_state
from zamek_env.fair_play import proven_fair


@proven_fair
class ValueAgent(RulesetAgent):
    """Plays the legal action after which its turn can end in the position that is worth most.

    Args:
        path: a file of weights that `scripts/train_value.py` wrote. None: those shipped for the ruleset that is played.

    Raises `FileNotFoundError` where there is no such file, `ValueError` where it holds no weights. `act` raises
    `ValueError` where they are not for the ruleset of the game, or none are shipped for it.
    """

    def __init__(self, path=None):
        if path is not None and not Path(path).is_file():
            raise FileNotFoundError(f"there are no weights {str(path)!r} for the agent 'value'")
        if path is not None:
            read_file(path)  # a file that holds no weights is refused now, not in the middle of a game
        self.name = "value" if path is None else f"value:{path}"
        self._path = path
        self._generator = np.zeros(1, np.uint64)

    def _prepare(self, game):
        ruleset = game.ruleset
        path = find_shipped("value", ruleset) if self._path is None else self._path
        self._weights = load_weights(path, ruleset)
        self._states = ruleset.new_states(1 + count_trials(ruleset.sizes))
        self._logs = ruleset.new_log()

    def _choose(self, game, rng):
        seed_generator(self._generator, draw_deal(rng))
        copy_state(game.raw_states, 0, self._states, 0)
        return choose_for(game.ruleset.tables, self._states, self._logs, self._generator, self._weights)
