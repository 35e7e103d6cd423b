"""Games of several house rules as one environment of Stable-Baselines3."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv


class JoinedVecEnv(VecEnv):
    """The games of several `parts`, which have the same spaces: first those of the first one, and so on.

    `check(games)` is called before each step, and may refuse it while no part has been stepped.
    """

    def __init__(self, parts: Sequence[VecEnv], check: Callable[[int], object] = lambda games: None) -> None:
        self._parts, self._check = parts, check
        self._ends = np.cumsum([part.num_envs for part in parts]).tolist()
        super().__init__(self._ends[-1], parts[0].observation_space, parts[0].action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Note the seed of the next `reset`: game i takes `seed + i`; None: a random one. Return all seeds."""
        seeds: list[int | None] = []
        for part in self._parts:
            seeds += part.seed(None if seed is None else seed + len(seeds))
        return seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Note the options of the next `reset`, for all games or one dictionary each."""
        each = options if isinstance(options, list) else [{} if options is None else options] * self.num_envs
        for part, end in zip(self._parts, self._ends, strict=True):
            part.set_options(each[end - part.num_envs : end])

    def reset(self) -> Any:
        """Reset all games and return the observations."""
        seen = _join([part.reset() for part in self._parts])
        self._note_reset_infos()
        return seen

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Note the actions that `step_wait` plays. Raises what `check` raises."""
        self._check(self.num_envs)
        for part, chosen in zip(self._parts, np.split(actions, self._ends[:-1]), strict=True):
            part.step_async(chosen)

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions noted last; games that end are reset."""
        seen, rewards, ended, infos = zip(*(part.step_wait() for part in self._parts), strict=True)
        self._note_reset_infos()
        return _join(seen), np.concatenate(rewards), np.concatenate(ended), [info for part in infos for info in part]

    def close(self) -> None:
        """End the threads."""
        for part in self._parts:
            part.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return the attribute of each of the games `indices`."""
        return self._ask(indices, lambda part: part.get_attr(attr_name))

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of all games. Raises `AttributeError` for some of the games."""
        if indices is not None:
            raise AttributeError(f"{attr_name} can be set for all games only, so without indices")
        for part in self._parts:
            part.set_attr(attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return the results of a method for the games `indices`."""
        return self._ask(indices, lambda part: part.env_method(method_name, *method_args, **method_kwargs))

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Return whether each of the games `indices` is wrapped by that class."""
        return self._ask(indices, lambda part: part.env_is_wrapped(wrapper_class))

    def _ask(self, indices, ask):
        """Return the results of `ask(part)` for the games `indices`."""
        answers = [answer for part in self._parts for answer in ask(part)]
        return [answers[game] for game in self._get_indices(indices)]

    def _note_reset_infos(self):
        self.reset_infos[:] = [info for part in self._parts for info in part.reset_infos]


def _join(seen):
    """Join the observations of all parts: by name, or as rows."""
    if isinstance(seen[0], dict):
        return {name: np.concatenate([part[name] for part in seen]) for name in seen[0]}
    return np.concatenate(seen)
