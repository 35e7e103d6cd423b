"""The base of vector environments on any device: settings, spaces, errors for calls at the wrong time."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from zamek_env.common.checks import check_choice, check_count, check_each, is_row
from zamek_env.common.messages import show, show_name
from zamek_env.environments.attributes import BatchReadOnly, ReadOnly, Validated, check_on_illegal, list_settings
from zamek_env.environments.threads import OneCaller

MAX_ENVS = 2**20  # games, of 12 to 26 kB each in the base game
AUTORESET_MODES = (*AutoresetMode, *(mode.value for mode in AutoresetMode))
RENDER_MODES = ("ansi", "rgb_array")
COMPILED_OPPONENTS = ("random", "greedy")  # which play inside compiled code
_BOUNDS = ("low", "high", "bounded_below", "bounded_above")


class BatchedBox(spaces.Box):
    """A `Box` equal to what `batch_space` returns, but with bounds that are read-only views of one game's bounds.

    Gymnasium writes them out for each game: 23 kB of `zamek`, 100 kB of Carcassonne. Pickles and copies are as small.
    """

    def __init__(self, single: spaces.Box, count: int) -> None:
        super().__init__(single.low, single.high, dtype=single.dtype, seed=deepcopy(single.np_random))
        self._shape = (count, *single.shape)
        self._repeat_bounds()

    def _repeat_bounds(self):
        for name in _BOUNDS:
            setattr(self, name, np.broadcast_to(getattr(self, name), self._shape))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {name: self.__dict__[name][0].copy() for name in _BOUNDS}

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, Any]) -> None:
        super().__setstate__(state)
        self._repeat_bounds()


def batch(space: spaces.Space[Any], count: int) -> spaces.Space[Any]:
    """Return the space of the observations of `count` games, as `gymnasium.vector.utils.batch_space` does."""
    if isinstance(space, spaces.Box):
        return BatchedBox(space, count)
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: batch(part, count) for name, part in space.items()})
    return batch_space(space, count)


@dataclass(frozen=True)
class VectorSettings:
    """Arguments that all vector environments share, as the caller gave them; not checked yet."""

    on_illegal: Literal["lose", "raise"]
    autoreset_mode: AutoresetMode | str
    copy: bool | None
    threads: int
    flat: bool
    render_mode: Literal["ansi", "rgb_array"] | None
    max_episode_steps: int | None


CALLED = ("action_masks", "render")  # methods of which each game has its part of what they return
_ONE_EACH = ("np_random", "np_random_seed")  # attributes that hold one value a game
_SPEC_TOGETHER = ("vectorization_mode", "device")  # in `spec`, arguments that no environment of one game takes


class VectorBase(VectorEnv[Any, Any, Any]):
    """`num_envs` games; a subclass says how they are dealt, played and seen. It calls `_set_spaces`."""

    closed = True  # until there is something to close: Gymnasium before 1.3 also closes what could not be made
    num_envs = BatchReadOnly[int]()
    on_illegal = Validated[Literal["lose", "raise"]](check_on_illegal)
    copy = BatchReadOnly[bool | None]()
    flat = ReadOnly[bool]()
    render_mode: Any = ReadOnly()
    autoreset_mode = BatchReadOnly[AutoresetMode]()
    max_episode_steps = BatchReadOnly[int | None]()
    threads = BatchReadOnly[int]()
    seat = ReadOnly[int | Literal["random"]]()
    alternates_seats: bool  # the learner decides for every seat, as no opponent does

    def __init__(self, num_envs: int, settings: VectorSettings) -> None:
        self.num_envs = check_count("num_envs", num_envs, MAX_ENVS)
        self.on_illegal = settings.on_illegal
        self.copy = check_choice("copy", settings.copy, (None, True, False))
        self.flat = check_choice("flat", settings.flat, (True, False))
        self.render_mode = check_choice("render_mode", settings.render_mode, (None, *RENDER_MODES))
        mode = AutoresetMode(check_choice("autoreset_mode", settings.autoreset_mode, AUTORESET_MODES))
        self.autoreset_mode = mode  # TorchRL reads it here, as of Gymnasium's own vector environments
        self.metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2, "autoreset_mode": mode}
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._is_reset_by_caller = mode == AutoresetMode.DISABLED
        self._one_caller = OneCaller()
        self._is_begun = False

    def _set_spaces(self, observation_space: spaces.Space[Any], action_space: spaces.Discrete) -> None:
        """Note the spaces of one game, and those of all of them."""
        self.single_observation_space, self.single_action_space = observation_space, action_space
        self.observation_space = batch(observation_space, self.num_envs)
        self.action_space = batch(action_space, self.num_envs)
        self._num_actions = int(action_space.n)

    def render(self) -> tuple[Any, ...] | None:
        """Return a tuple of one picture a game, text (`"ansi"`) or pixels (`"rgb_array"`); None without a mode."""
        self._check_open()
        if self.render_mode is None:
            return None
        self._check_begun()
        return self._pictures()

    # --- the interface of Gymnasium's vector environments of single ones ---

    def call(self, name: str) -> tuple[Any, ...]:
        """Return the results of a method for all games: the pictures for `"render"`, the masks for `"action_masks"`.

        Raises `AttributeError` for any other `name`: the games are in one array, not in separate environments.
        """
        if not isinstance(name, str) or name not in CALLED:
            raise AttributeError(
                f"the games lie in one array: only action_masks and render can be called, not {show_name(name)}"
            )
        returned = getattr(self, name)()
        return (None,) * self.num_envs if returned is None else tuple(returned)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return the attribute that each game's environment would have; for `"action_masks"` and `"render"` as `call`.

        Those are its arguments, `observation_space`, `action_space`, `np_random`, `np_random_seed`, `metadata` and
        `spec`. Raises `AttributeError` for any other `name`, as for attributes of the batch as a whole.
        """
        if not isinstance(name, str):
            raise AttributeError(f"name must be a text, not {show(name)}")
        if name in CALLED:
            return self.call(name)
        if name in _ONE_EACH:
            return tuple(getattr(self, name))
        return (self._find_attribute(name),) * self.num_envs

    def set_attr(self, name: str, values: Any) -> None:
        """Set `on_illegal`, for all games alike: to one value, or to a row of equal ones, one a game.

        Raises `AttributeError` for any other attribute, `ValueError` for other values.
        """
        if not isinstance(name, str) or name != "on_illegal":
            raise AttributeError(f"{show_name(name)} cannot be set: make another environment")
        row = (
            check_each(name, values, self.num_envs, lambda _, value: check_on_illegal(self, value))
            if is_row(values)
            else [values]
        )
        if any(value != row[0] for value in row):
            raise ValueError(f"{name} must be the same for all games, not {show(values)}")
        self.on_illegal = row[0]

    # --- what a subclass says ---

    def _pictures(self) -> tuple[Any, ...]:
        """Return all games as `render_mode` says."""
        raise NotImplementedError

    def _read_mask(self, name: str, mask: Any) -> npt.NDArray[np.bool_]:
        """Return the argument `name` as a new array, `(num_envs,)`. Raises as `check_row` does."""
        raise NotImplementedError

    # --- inside ---

    def _find_attribute(self, name):
        """Return an attribute that the environment of each game would have, the same in all of them."""
        together = list_settings(type(self), of_batch=True)
        match name:
            case "observation_space" | "action_space":
                return getattr(self, f"single_{name}")
            case "metadata":
                return {key: value for key, value in self.metadata.items() if key not in together}
            case "spec":
                one = deepcopy(self.spec)
                if one is not None:
                    left_out = together.union(_SPEC_TOGETHER)
                    one.kwargs = {key: value for key, value in one.kwargs.items() if key not in left_out}
                return one
        if name not in list_settings(type(self), of_batch=False):
            raise AttributeError(f"the games lie in one array: no game has {show_name(name)} by itself")
        return getattr(self, name)

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed: make another one")

    def _check_begun(self) -> None:
        if self.closed or not self._is_begun:
            self._check_open()
            raise ResetNeeded("no game has begun: call reset")

    def _find_chosen(self, mask: Any) -> npt.NDArray[np.bool_]:
        """Return which games `options["reset_mask"]` chooses, bool `(num_envs,)`; `mask` None: all."""
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = self._read_mask("options['reset_mask']", mask)
        if not self._is_begun and not chosen.all():
            raise ValueError("options['reset_mask'] must choose all games the first time")
        return chosen
