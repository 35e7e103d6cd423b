"""Teachers value the choices that a network learns to make: the agent `value`, or any agent that searches deeper.

A teacher values every legal action of many games of a `Ruleset`, on several threads. It sees nothing hidden. All raise
`ValueError` where no weights of `value` are shipped for the ruleset.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from zamek_agents.base import Agent, find_evaluating
from zamek_agents.pretrained import find_shipped
from zamek_agents.value.choice import count_trials, try_action
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.incremental import begin_ends
from zamek_agents.value.weights import load_weights
from zamek_env import Game
from zamek_env.common.pickling import WritableArrays
from zamek_env.core.chance import forget_hidden, redeal, seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.state import copy_state
from zamek_env.environments.threads import Threads
from zamek_env.evaluation import POINTS
from zamek_env.fair_play import ask_evaluation
from zamek_env.ruleset import Ruleset


class Teacher(Protocol):
    """Values choices."""

    def value_actions(self, states: npt.NDArray[np.record], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Return the points that each action is worth to the player to decide.

        They are float64 `(n, actions)`, and -inf for what `masks` says is illegal.
        """
        ...

    def close(self) -> None:
        """End the threads."""
        ...


def _share_out(count, shares):
    """Return slices that share out `count` games."""
    bounds = np.linspace(0, count, shares + 1).astype(int).tolist()
    return [slice(first, end) for first, end in pairwise(bounds)]


class ValueTeacher(WritableArrays):
    """Values by the shipped weights, as the agent `value` does."""

    def __init__(self, ruleset: Ruleset, threads: int, seed: int) -> None:
        weights = load_weights(find_shipped("value", ruleset), ruleset)
        self._ruleset = ruleset
        rooms = []
        for number in range(threads):
            generator = np.zeros(1, np.uint64)
            seed_generator(generator, seed + number)
            trials, evaluators = ruleset.new_states(1 + count_trials(ruleset.sizes)), new_evaluators(ruleset, weights)
            rooms.append((trials, ruleset.new_log(), generator, evaluators))
        self._rooms = tuple(rooms)
        self._threads = Threads(threads)

    def value_actions(self, states: npt.NDArray[np.record], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        values = np.full(masks.shape, -np.inf)
        shares = _share_out(len(states), len(self._rooms))
        self._threads.run(
            _value_actions,
            [
                (self._ruleset.tables, states[s], masks[s], *room, values[s])
                for s, room in zip(shares, self._rooms, strict=True)
            ],
        )
        return values

    def close(self) -> None:
        self._threads.close()


@kernel
def _value_actions(tables, states, masks, trials, logs, generator, evaluators, values):
    """Write what each legal action of `states` is worth; what is hidden is redealt first."""
    for game in range(states.size):
        copy_state(states, game, trials, 0)
        forget_hidden(trials[0], trials[0].player)
        redeal(trials[0], generator, trials[0].player)
        begin_ends(tables[0], trials[0], evaluators[0])
        for action in range(masks.shape[1]):
            if masks[game, action]:
                values[game, action] = try_action(tables[0], trials, logs[0], evaluators[0], action)


class AgentTeacher:
    """Values as one of `agents` does, which must be alike, one for each thread. They must value actions in points.

    Actions that an agent does not look at are worth less than those that it looks at by as much as `value` says, and
    never more than the worst of those.
    """

    def __init__(self, agents: Sequence[Agent], ruleset: Ruleset, seed: int) -> None:
        self._agents = [find_evaluating(agent) for agent in agents]
        self._rngs = [np.random.default_rng([seed, number]) for number in range(len(agents))]
        self._ruleset = ruleset
        self._first_look = ValueTeacher(ruleset, len(agents), seed)
        self._threads = Threads(len(agents))

    def value_actions(self, states: npt.NDArray[np.record], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        values = self._first_look.value_actions(states, masks)
        shares = _share_out(len(states), len(self._agents))
        asked = zip(self._agents, self._rngs, shares, strict=True)
        self._threads.run(
            self._look_deeper, [(agent, rng, states[share], values[share]) for agent, rng, share in asked]
        )
        return values

    def close(self) -> None:
        self._threads.close()
        self._first_look.close()

    def _look_deeper(self, agent, rng, states, values):
        """Replace the `values` of a share of the games by those of an agent, where there is a choice."""
        for number in range(len(states)):
            game, row = Game.from_state(self._ruleset, states, number), values[number]
            legal = np.flatnonzero(np.isfinite(row))
            if legal.size < 2:
                continue
            evaluation = ask_evaluation(agent.evaluate, game, rng)
            if evaluation.unit != POINTS:
                raise ValueError(
                    f"a teacher must value actions in points, not as {agent.name} does, by {evaluation.unit}"
                )
            row[legal] = complete(evaluation.values, row[legal])


def complete(values: npt.NDArray[np.float64], looks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return `values` with a number in place of each NaN, by the first `looks` at the same actions."""
    seen = ~np.isnan(values)
    if not seen.any():
        return looks
    shift = (values[seen] - looks[seen]).mean()
    return np.where(seen, values, np.minimum(looks + shift, values[seen].min()))
