"""The agent `value`: plays the action that a learned evaluation prefers."""

from os import PathLike

import numpy as np
import numpy.typing as npt

from zamek_agents.base import RulesetAgent
from zamek_agents.pretrained import Pretrained, find_shipped, find_weights
from zamek_agents.value.choice import choose_for, count_trials, evaluate_for
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.weights import load_weights, read_file
from zamek_env import Game
from zamek_env.base.chance import draw_deal, seed_generator
from zamek_env.core.state import copy_state
from zamek_env.evaluation import POINTS, Evaluation
from zamek_env.fair_play import proven_fair
from zamek_env.ruleset import Ruleset


class TurnEndAgent(RulesetAgent):
    """Looks to the end of its turn, and plays the action that can lead to the position of the highest value.

    A subclass gives the weights of the evaluation.
    """

    def _load_weights(self, ruleset: Ruleset) -> npt.NDArray[np.float32]:
        raise NotImplementedError

    def _check_weights(self, ruleset: Ruleset) -> None:
        self._load_weights(ruleset)

    def _prepare(self, game: Game) -> None:
        ruleset = game.ruleset
        self._evaluators = new_evaluators(ruleset, self._load_weights(ruleset))
        self._states = ruleset.new_states(1 + count_trials(ruleset.sizes))
        self._logs = ruleset.new_log()
        self._generator = np.zeros(1, np.uint64)
        self._actions = np.zeros(ruleset.num_actions, np.int32)
        self._values = np.zeros(ruleset.num_actions)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        self._begin(game, rng)
        return choose_for(game.ruleset.tables, self._states, self._logs, self._generator, self._evaluators)

    def _evaluate(self, game: Game, rng: np.random.Generator) -> Evaluation:
        self._begin(game, rng)
        room = (self._states, self._logs, self._generator, self._evaluators, self._actions, self._values)
        count = evaluate_for(game.ruleset.tables, *room)
        return Evaluation(self._actions[:count].tolist(), self._values[:count].copy(), POINTS)

    def _begin(self, game, rng):
        """Take the game to decide in, and seed the generator."""
        seed_generator(self._generator, draw_deal(rng))
        copy_state(game.raw_states, 0, self._states, 0)


@proven_fair
class ValueAgent(TurnEndAgent, Pretrained):
    """The agent `value`.

    Args:
        path: a file of weights that `zamek train-value` wrote, or a folder that `save_pretrained` wrote. None: the
            weights in the package for the game's ruleset.

    Raises `FileNotFoundError` if it does not exist, and `ValueError` if it holds no weights. `act` raises `ValueError`
    if the weights are for another ruleset, or the package has none for it.
    """

    kind = "value"

    def __init__(self, path: PathLike[str] | str | None = None) -> None:
        self.name = self.kind if path is None else f"{self.kind}:{path}"
        self._path = None if path is None else find_weights(path, self.kind)
        if self._path is not None:
            read_file(self._path)  # a file that holds no weights is refused now, not in the middle of a game

    def _load_weights(self, ruleset: Ruleset) -> npt.NDArray[np.float32]:
        return load_weights(find_shipped("value", ruleset) if self._path is None else self._path, ruleset)


class LearnedAgent(TurnEndAgent):
    """Plays by `weights` in memory that were learned for a `Ruleset`, float32 `(features,)`."""

    def __init__(self, name: str, weights: npt.NDArray[np.float32], ruleset: Ruleset) -> None:
        self.name = name
        self._weights, self._learned_for = weights, ruleset.components.digest

    def _load_weights(self, ruleset: Ruleset) -> npt.NDArray[np.float32]:
        if ruleset.components.digest != self._learned_for:
            raise ValueError(f"the agent {self.name!r} has learned another ruleset than {ruleset.name!r}")
        return self._weights
