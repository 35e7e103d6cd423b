"""Learning by imitation: the network learns to choose and to value as its teacher does, on games it plays itself.

A teacher values every decision of many games, action by action: the agent `value`, or any agent that searches deeper.
The network learns to choose each action with a probability that falls with the points lost by it, and to predict what
the best one is worth. The games go on by the network's choices, now and then by the teacher's, so that the network
learns about the positions that it reaches itself (S. Ross, G. Gordon and D. Bagnell, A reduction of imitation learning
and structured prediction to no-regret online learning, AISTATS 2011).
"""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode

from zamek_agents.base import Agent, DivergedError, find_evaluating
from zamek_agents.ppo.policy import add_state
from zamek_agents.pretrained import find_shipped
from zamek_agents.value.choice import count_trials, try_action
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.incremental import begin_ends
from zamek_agents.value.weights import load_weights
from zamek_env import Game
from zamek_env.base.chance import seed_generator
from zamek_env.base.records import NONE
from zamek_env.base.rewards import REWARDS, find_reward
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.jit import kernel
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.state import copy_state
from zamek_env.environments.threads import Threads
from zamek_env.evaluation import POINTS
from zamek_env.fair_play import ask_evaluation
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import Ruleset
from zamek_env.sb3 import RowPolicy
from zamek_env.vector import ZamekVectorEnv


class ValueTeacher(WritableArrays):
    """Values choices in games of a `Ruleset` by the shipped weights, as the agent `value` does. It sees nothing hidden.

    Raises `ValueError` where no weights are shipped for the ruleset.
    """

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
        """Return the points that each action is worth to the player to decide.

        They are float64 `(n, actions)`, and -inf for what `masks` says is illegal.
        """
        values = np.full(masks.shape, -np.inf)
        shared = zip(self._share_out(len(states)), self._rooms, strict=True)
        tasks = [(self._ruleset.tables, states[s], masks[s], *room, values[s]) for s, room in shared]
        self._threads.run(_value_actions, tasks)
        return values

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    def _share_out(self, count):
        """Return slices that share out `count` games among the threads."""
        bounds = np.linspace(0, count, len(self._rooms) + 1).astype(int).tolist()
        return [slice(first, end) for first, end in pairwise(bounds)]


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


class AgentTeacher(ValueTeacher):
    """Values as one of `agents` does, which must be alike, one for each thread. They must value actions in points.

    Actions that an agent does not look at are worth less than those that it looks at by as much as `value` says, and
    never more than the worst of those.
    """

    def __init__(self, agents: Sequence[Agent], ruleset: Ruleset, seed: int) -> None:
        self._agents = [find_evaluating(agent) for agent in agents]
        self._rngs = [np.random.default_rng([seed, number]) for number in range(len(agents))]
        super().__init__(ruleset, len(agents), seed)

    def value_actions(self, states: npt.NDArray[np.record], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        values = super().value_actions(states, masks)
        asked = zip(self._agents, self._rngs, self._share_out(len(states)), strict=True)
        tasks = [(agent, rng, states[share], values[share]) for agent, rng, share in asked]
        self._threads.run(self._look_deeper, tasks)
        return values

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


TEMPERATURE = 1.5  # points that an action must be worth less to deserve 1/e of the probability
TEACHER_SHARE = 0.3  # of the actions played
VALUE_SHARE = 5.0  # weight of the squared error of values; the cross-entropy of choices has 1
DECISIONS_A_TURN = 2  # about
MAX_GRADIENT = 0.5  # norm to which gradients are cut
UNIT = 20.0  # points ahead that make tanh(1) of a win


class Lesson(NamedTuple):
    """Decisions of many games that the teacher has valued."""

    seen: dict[str, torch.Tensor]
    wanted: torch.Tensor  # float32 `(games, most)`: target probability of each legal action
    returns: torch.Tensor  # float32 `(games,)`: rewards to come


class Lessons:
    """`games` of a `Ruleset` from which the network `policy` learns, with rewards of the kind that it shall predict.

    The `teacher` is by default the agent `value`, on `threads` threads. `repeats` is the number of gradient steps for
    each lesson: one on itself, and the others on some of the last `kept` ones, drawn at random.

    Raises `ValueError` where no weights are shipped for the teacher.
    """

    def __init__(
        self,
        policy: RowPolicy,
        ruleset: Ruleset,
        games: int,
        reward: Literal["win", "score", "delta"],
        threads: int,
        seed: int,
        teacher: ValueTeacher | None = None,
        repeats: int = 1,
        kept: int = 1,
    ) -> None:
        self.games = ZamekVectorEnv(
            games,
            ruleset.name,
            autoreset_mode=AutoresetMode.SAME_STEP,  # every step is a decision
            copy=False,
            observation=ROW_PARTS,
            threads=threads,
            components=ruleset.components,
        )
        self.agreement = 0.0  # share of the last decisions in which the network preferred what the teacher did
        self.loss = 0.0  # points that its preference was worth less, on average
        self._teacher = teacher or ValueTeacher(ruleset, threads, seed)
        self._policy, self._reward, self._repeats = policy, reward, repeats
        self._kept: deque[Lesson] = deque(maxlen=kept)
        self._rng = np.random.default_rng(seed)
        self._seen, self._info = self.games.reset(seed=seed)
        # Some games go on at random, a few decisions longer each, so that they come to all stages at once.
        starts = np.linspace(0, self.games.ruleset.sizes.tiles * DECISIONS_A_TURN, self.games.num_envs).astype(int)
        for decision in range(starts.max()):
            masks = self.games.action_masks()
            drawn = (masks * self._rng.random(masks.shape)).argmax(axis=1)
            self._seen, _, _, _, self._info = self.games.step_chosen(drawn, decision < starts)

    def learn(self, rate: float) -> None:
        """Learn from the decision to make in each game, at the learning `rate`, and play it.

        Raises `DivergedError`, having played nothing, where the network returns NaN.
        """
        seen = add_state({name: part.copy() for name, part in self._seen.items()}, self.games.states)
        worth = self._teacher.value_actions(self.games.raw_states, self.games.action_masks())
        rows = seen["row_actions"]
        actions = rows[:, : int((rows > NONE).sum(axis=1).max())]  # NONE after the last
        values = np.where(actions > NONE, np.take_along_axis(worth, np.maximum(actions, 0), axis=1), -np.inf)
        best = values.max(axis=1)
        wanted = np.exp((values - best[:, None]) / TEMPERATURE)
        lesson = Lesson(
            {name: torch.from_numpy(part) for name, part in seen.items()},
            torch.from_numpy(wanted / wanted.sum(axis=1, keepdims=True)).float(),
            torch.from_numpy(self._find_returns(best)).float(),
        )
        chances = self._learn_from(lesson, rate)
        if self._repeats > 1:
            self._kept.append(lesson)
            for number in self._rng.integers(len(self._kept), size=self._repeats - 1):
                self._learn_from(self._kept[number], rate)
        self._play(actions, values, chances.exp().numpy())

    def close(self) -> None:
        """End the threads."""
        self.games.close()
        self._teacher.close()

    def _learn_from(self, lesson, rate):
        """Take a gradient step; return the logarithms of the probability of each legal action before it."""
        features: Any = self._policy.features_extractor
        logits, foreseen = features.score(lesson.seen)
        chances = torch.log_softmax(logits, dim=1)
        is_choice = (lesson.seen["row_actions"] > NONE).sum(dim=1) > 1
        surprise = -(lesson.wanted * chances).sum(dim=1)[is_choice].sum() / max(1, int(is_choice.sum()))
        error = (foreseen - lesson.returns).square().mean()
        loss = surprise + VALUE_SHARE * error
        if not torch.isfinite(loss):
            said = f"the loss of a lesson is {loss.item()}; the learning rate is too large"
            raise DivergedError(f"learning diverged: {said}")
        optimizer = self._policy.optimizer
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._policy.parameters(), MAX_GRADIENT)
        optimizer.step()
        return chances.detach()

    def _find_returns(self, best):
        """Return the expected rewards of a position worth `best` points."""
        if self._reward == "win":
            return np.tanh(best / UNIT)
        scores = self.games.states["score"].astype(int)
        leads = np.where(self._info["current_player"] == 0, 1, -1) * (scores[:, 0] - scores[:, 1])
        kind = REWARDS.index(self._reward)
        return np.array([find_reward(kind, *pair, True) for pair in zip(best, leads, strict=True)])

    def _play(self, actions, values, chances):
        """Play on in all games, by the network or by the teacher."""
        rows, preferred, right = np.arange(len(values)), chances.argmax(axis=1), values.argmax(axis=1)
        is_choice = (actions > NONE).sum(axis=1) > 1
        if is_choice.any():
            self.agreement = float((preferred == right)[is_choice].mean())
            self.loss = float((values[rows, right] - values[rows, preferred])[is_choice].mean())
        sums, luck = chances.cumsum(axis=1), self._rng.random((len(values), 1))
        drawn = np.where(sums[:, -1] > luck[:, 0], (sums > luck).argmax(axis=1), preferred)  # the sum may be below 1
        by_teacher = self._rng.random(len(values)) < TEACHER_SHARE
        chosen = actions[rows, np.where(by_teacher, right, drawn)]
        self._seen, _, _, _, self._info = self.games.step(chosen)
