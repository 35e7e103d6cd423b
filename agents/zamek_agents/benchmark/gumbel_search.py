"""A search of one decision, in many games at once, as at the root of Gumbel AlphaZero.

I. Danihelka and others, Policy improvement by planning with Gumbel, ICLR 2022: some actions are drawn without
replacement by the network's probabilities, and simulated; the worse half is dropped again and again. What a simulation
finds improves the network's probabilities, also of actions that were not simulated.

A simulation plays one action on a copy of the game, in which what is hidden is redealt, and asks the network what the
position that follows is worth. All actions of a game meet the same deals.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.base.rewards import REWARD_DELTA, find_reward_in_kernel
from zamek_env.common.extras import needs_extra
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.jit import kernel
from zamek_env.core.engine import conceal
from zamek_env.core.observation import write_frame
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset

with needs_extra("cli", "the search of the learner gumbel"):
    from scipy.special import softmax

ROUNDS = ((16, 1), (8, 1), (4, 1), (2, 2))  # actions simulated, and on how many deals; 32 simulations in all
VISIT_OFFSET, VALUE_SCALE = 50, 1.0  # how far values change probabilities, as published

ValueVectors = Callable[[npt.NDArray[np.float32]], npt.NDArray[np.float64]]


class Searched(NamedTuple):
    """The results of searches in n games."""

    actions: npt.NDArray[np.intp]  # the best ones, (n,)
    policy: npt.NDArray[np.float64]  # the improved probabilities, (n, actions)
    worth: npt.NDArray[np.float64]  # rewards to come by that policy, (n,)


class GumbelSearch(WritableArrays):
    """Searches games of a `Ruleset`. `value(vectors)` gives the rewards to come of the player to decide, by vector."""

    def __init__(self, ruleset: Ruleset, value: ValueVectors) -> None:
        self._ruleset, self._value = ruleset, value
        self._room = ruleset.new_states(1), ruleset.new_log(), ruleset.new_canvases(1), ruleset.new_frames(1)

    def search(
        self,
        states: npt.NDArray[np.record],
        masks: npt.NDArray[np.bool_],
        logits: npt.NDArray[np.float64],
        worth: npt.NDArray[np.float64],
        rng: np.random.Generator,
        explores: bool,
    ) -> Searched:
        """Search n games by the network's `logits`, `(n, actions)`, and its values of the positions, `worth`, `(n,)`.

        With `explores` the actions to simulate are drawn, else they are the most probable ones.
        """
        games, deals = np.arange(len(states))[:, None], rng.integers(2**62, size=(len(states), len(ROUNDS), 2))
        prior = np.where(masks, logits, -np.inf)
        scores = prior + (rng.gumbel(size=logits.shape) if explores else 0.0)
        sums, visits = np.zeros(logits.shape), np.zeros(logits.shape, np.int64)
        promise = scores
        for number, (width, repeats) in enumerate(ROUNDS):
            considered = np.argpartition(-promise, min(width, promise.shape[1] - 1), axis=1)[:, :width]
            for repeat in range(repeats):
                rows, columns = np.nonzero(np.take_along_axis(masks, considered, axis=1))
                actions = considered[rows, columns]
                sums[rows, actions] += self._simulate(states, rows, actions, deals[rows, number, repeat])
                visits[rows, actions] += 1
            found = sums / np.maximum(1, visits)
            weight = (VISIT_OFFSET + visits.max(axis=1, keepdims=True)) * VALUE_SCALE
            promise = np.full(logits.shape, -np.inf)
            promise[games, considered] = (scores + weight * found)[games, considered]
        completed = np.where(visits > 0, found, mix(prior, found, visits, worth)[:, None])
        policy = softmax(prior + weight * completed, axis=1)
        return Searched(promise.argmax(axis=1), policy, (policy * completed).sum(axis=1))

    def _simulate(self, states, games, actions, deals):
        """Return the gain plus the expected return of each of the `actions`, one in each of the `games`."""
        gains, signs = np.empty(len(games)), np.empty(len(games))
        vectors = np.empty((len(games), len(self._ruleset.vector)), np.float32)
        _play_each(self._ruleset.tables, states, self._room, (games, actions, deals), (gains, signs, vectors))
        return gains + signs * self._value(vectors)


@kernel
def _play_each(tables, states, room, moves, out):
    """Play each of the `moves`, rows of game, action and deal, on a copy of the game, in a `room` of one.

    Writes gains, signs (0: the game is over) and vectors to `out`.
    """
    (trials, logs, canvases, frames), (games, actions, deals), (gains, signs, vectors) = room, moves, out
    t, s = tables[0], trials[0]
    for number in range(games.size):
        copy_state(states, games[number], trials, 0)
        conceal(tables, trials, 0, deals[number], int(s.player))
        mover = int(s.player)
        before = int(s.score[mover]) - int(s.score[1 - mover])
        step(t, s, logs[0], actions[number])
        gains[number] = find_reward_in_kernel(
            REWARD_DELTA, int(s.score[mover]) - int(s.score[1 - mover]), before, s.phase == OVER
        )
        signs[number] = 0 if s.phase == OVER else 1 if s.player == mover else -1
        write_frame(t, s, int(s.player), canvases[0], frames[0], False)
        vectors[number] = frames[0].vector


def mix(
    prior: npt.NDArray[np.float64],
    found: npt.NDArray[np.float64],
    visits: npt.NDArray[np.int64],
    worth: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return the values assumed for actions that were not simulated, `(n,)`: by the network, and by those that were.

    `prior` are the network's logits, -inf for what is illegal.
    """
    chances = np.where(visits > 0, softmax(prior, axis=1), 0)
    total, simulations = np.maximum(chances.sum(axis=1), 1e-12), visits.sum(axis=1)
    return (worth + simulations * (chances * found).sum(axis=1) / total) / (1 + simulations)
