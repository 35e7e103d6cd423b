"""What decisions cost, as an agent sees it: the value of the best choice less that of the one made."""

from dataclasses import dataclass

import numpy as np

from zamek_agents.base import Agent, OtherGameError, find_evaluating
from zamek_env.common.checks import check_given_seed
from zamek_env.fair_play import ask_evaluation
from zamek_env.game_protocol import GameProtocol


@dataclass
class Judge:
    """An `agent` that evaluates the choices of others. Raises `ValueError` where it is one that evaluates none.

    `TypeError` or `ValueError` where it is no agent, or `seed` is none.
    """

    agent: Agent
    seed: int = 0
    unit: str = ""  # of the regrets; known after the first

    def __post_init__(self) -> None:
        self._evaluating = find_evaluating(self.agent)
        check_given_seed("seed", self.seed)

    def find_regret(self, game: GameProtocol, action: int, number: tuple[int, int]) -> float:
        """Return what it costs to play `action` in `game`, 0 or more; NaN where the agent did not look at it.

        Chance in the agent follows from the seed and `number`, so one decision comes out the same without the others.
        Raises `ValueError` where the agent does not play such games.
        """
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=number))
        try:
            evaluation = ask_evaluation(self._evaluating.evaluate, game, rng)
        except OtherGameError as error:
            raise ValueError(str(error)) from error
        self.unit = evaluation.unit
        return evaluation.loss(action)
