"""What a learner returns, as an agent that plays: an agent itself, or a policy, which sees observations only."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.base import Agent, RulesetAgent
from zamek_agents.benchmark.tasks import OBSERVATION, Task
from zamek_env import Game
from zamek_env.common.messages import show
from zamek_env.observer import Observation, Observer

Policy = Callable[[Observation, npt.NDArray[np.int8], np.random.Generator], int]


class CannotPlayError(ValueError):
    """What a learner has learned is no player, or has played what is not legal."""


class PolicyAgent(RulesetAgent):
    """Plays what `policy(observation, action_mask, rng)` says; an observation has those `parts`.

    Its vector has the `entries` of these names only, of those that the ruleset of a game has: house rules may add some.
    """

    name: str = "policy"

    def __init__(self, policy: Policy, parts: tuple[str, ...], entries: tuple[str, ...]) -> None:
        self._policy, self._parts, self._entries = policy, parts, entries

    def _prepare(self, game: Game) -> None:
        self._observer = Observer(game.ruleset, self._parts)
        self._known = [game.ruleset.vector.names.index(name) for name in self._entries]

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        seen, mask, _, _ = self._observer.look(game)
        seen["vector"] = seen["vector"][self._known]
        return int(self._policy(seen, mask, rng))


def make_player(learned: Any, task: Task) -> Agent:
    """Return what was `learned` of a task, an agent or a policy, as an agent.

    Raises `CannotPlayError` where it is neither, or an agent under the track `observation`: an agent is handed the
    game.
    """
    is_agent = callable(getattr(learned, "act", None))
    if is_agent and task.track != OBSERVATION:
        return learned
    if not is_agent and callable(learned):
        return PolicyAgent(learned, task.observation, task.find_ruleset().vector.names)
    policy = "a policy, a callable (observation, action_mask, rng) -> action"
    allowed = policy if task.track == OBSERVATION else f"an agent with act(game, rng), or {policy}"
    raise CannotPlayError(f"under the track {task.track!r} a learner must return {allowed}, not {show(learned)}")
