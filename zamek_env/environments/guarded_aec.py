"""Registers with PettingZoo, and does the work of its usual wrappers in one class: a step costs little more."""

from collections.abc import Callable
from inspect import signature
from typing import Any, ParamSpec

import numpy as np
import pettingzoo
from gymnasium import spaces
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from zamek_env.base.rewards import ILLEGAL_REWARD
from zamek_env.environments.game_aec import GameAEC
from zamek_env.errors import IllegalActionError

Arguments = ParamSpec("Arguments")


def guard(raw_env: Callable[Arguments, GameAEC]) -> Callable[Arguments, "GuardedAEC"]:
    """Return the function `env` for the module of a `raw_env`; help and type checkers show the same arguments."""

    def env(*args: Arguments.args, **kwargs: Arguments.kwargs) -> GuardedAEC:
        """Return a `raw_env` as PettingZoo's usual wrappers guard it: an illegal action ends the game and costs 1.

        Arguments are those of `raw_env`.
        """
        return GuardedAEC(raw_env(*args, **kwargs))

    env.__module__, env.__qualname__ = raw_env.__module__, "env"
    arguments = signature(raw_env).replace(return_annotation=GuardedAEC)
    env.__signature__ = arguments  # type: ignore[attr-defined]  # functions have none, but `signature` reads it
    return env


def _read(name: str) -> Any:
    """Return a property that reads the attribute `name` of the environment inside; it fails before `reset`."""

    def read(guarded: "GuardedAEC") -> Any:
        """Return it. Raises `AttributeError` before `reset`."""
        if not guarded._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(guarded.env, name)

    return property(read)


def _is_within(space: spaces.Discrete, action: object) -> bool:
    """Return `space.contains(action)`, which takes longer."""
    return bool(0 <= action < space.n) if type(action) is int else space.contains(action)


class GuardedAEC(OrderEnforcingWrapper[str, Any, int | None]):
    """An environment as `OrderEnforcingWrapper`, `AssertOutOfBoundsWrapper` and `TerminateIllegalWrapper` guard it.

    An illegal action ends the game: the agent that chose it loses 1, the others get nothing. An action out of bounds,
    or anything before `reset`, raises `AssertionError` or `AttributeError`. A step after the last one is ignored.
    """

    env: GameAEC
    agents: list[str] = _read("agents")
    agent_selection: str = _read("agent_selection")
    rewards: dict[str, float] = _read("rewards")
    terminations: dict[str, bool] = _read("terminations")
    truncations: dict[str, bool] = _read("truncations")
    infos: dict[str, dict[str, Any]] = _read("infos")

    def step(self, action: int | np.integer | None) -> None:
        """Play `action` for the selected agent; None once its game is over."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        raw = self.env
        if not raw.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = raw.agent_selection
        is_over = raw.terminations[agent] or raw.truncations[agent]
        if not (is_over and action is None) and not _is_within(raw.action_spaces[agent], action):
            raise AssertionError("action is not in action space")
        try:
            raw.step(action)
        except IllegalActionError:
            EnvLogger.warn_on_illegal_move()
            raw.end_illegally(ILLEGAL_REWARD)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, termination, truncation and info of the selected agent."""
        return self.env.last(observe) if self._has_reset and self.env.agents else super().last(observe)

    def __str__(self) -> str:
        return str(self.env)


def register(name: str) -> None:
    """Let `pettingzoo.make("aec", f"zamek_env/{name}", …)` call `env` of the module `zamek_env.{name}`."""
    if hasattr(pettingzoo, "register"):
        known = {spec.entry_point for spec in pettingzoo.aec_registry.values()}
        entry_point = f"zamek_env.{name}:env"
        if entry_point not in known:  # the module is read once more where it is reloaded
            pettingzoo.register("aec", f"zamek_env/{name}", entry_point=entry_point)
