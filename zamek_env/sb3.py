"""Many games at once for Stable-Baselines3, in place of its own `make_vec_env`, and a policy that learns from rows."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from zamek_env.common.checks import check_count, check_seed
from zamek_env.common.extras import needs_train_extra
from zamek_env.common.messages import show
from zamek_env.common.pickling import WritableArrays
from zamek_env.environments.game_vector import GameVectorEnv
from zamek_env.environments.reset_options import join_options, read_deal
from zamek_env.environments.vector_base import CALLED, MAX_ENVS, VectorBase

with needs_train_extra("zamek_env.sb3"):
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableCategorical, MaskableCategoricalDistribution
    from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from zamek_env.row_network import RowNetwork  # which needs torch

Seen = npt.NDArray[Any] | dict[str, npt.NDArray[Any]]  # observations of all games


def make_vec_env(
    env_id: str, n_envs: int = 1, seed: int | None = None, env_kwargs: Mapping[str, Any] | None = None
) -> VecMonitor:
    """Return `n_envs` games as a `VecEnv` of Stable-Baselines3, in a `VecMonitor`.

    All games lie in one vector environment of compiled code. There are no other processes, so nothing needs guarding by
    `if __name__ == "__main__"`. SB3's `make_vec_env` has the same arguments, and others that this one does not have:
    `start_index`, `monitor_dir`, `wrapper_class`, `vec_env_cls`, `vec_env_kwargs`, `monitor_kwargs` and
    `wrapper_kwargs`.

    Args:
        env_id: an environment of this package, such as `"Zamek-v0"`, `"CastleCards-v0"` or `"zamek_env:Zamek-v0"`.
        n_envs: how many games.
        seed: of the first `reset`; game i takes `seed + i`.
        env_kwargs: all arguments of `ZamekVectorEnv` or `CastleCardsVectorEnv`, such as `{"opponent": "greedy"}`. An
            opponent is needed, unless one plays alone.

    Raises `ValueError` for an environment of another package, and for one without an opponent: its seats alternate, so
    the next observation may be the opponent's, and what SB3 computes of it has the wrong sign. Raises it for
    `copy=False` too: SB3 keeps an observation until after the next step, which would have overwritten it. A name that
    Gymnasium does not know raises `gymnasium.error.Error`.
    """
    first = check_seed("seed", seed)
    check_count("n_envs", n_envs, MAX_ENVS)
    if not isinstance(env_id, str):
        raise TypeError(f"env_id must be a text such as 'Zamek-v1', not {show(env_id)}")
    if not isinstance(env_kwargs, Mapping | None):
        raise TypeError(f"env_kwargs must be a dict or None, not {show(env_kwargs)}")
    if "num_envs" in (env_kwargs or {}):
        raise ValueError("env_kwargs must not hold num_envs: n_envs says how many games there are")
    if "vectorization_mode" in (env_kwargs or {}):
        raise ValueError("env_kwargs must not hold vectorization_mode: all games lie in one vector environment")
    _, _, name = env_id.rpartition(":")  # of "zamek_env:Zamek-v0", where Gymnasium imports the module before the colon
    if not str(gymnasium.spec(name).vector_entry_point).startswith("zamek_env."):
        raise ValueError(f"env_id must name an environment of zamek_env, not {env_id!r}")
    arguments: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "copy": True, **(env_kwargs or {})}
    games = gymnasium.make_vec(env_id, num_envs=n_envs, vectorization_mode="vector_entry_point", **arguments)
    vec_env = ZamekVecEnv(cast(Any, games))
    if first is not None:
        vec_env.seed(first)
    monitor = _Monitor(vec_env)
    monitor.reset_infos = vec_env.reset_infos  # the same list: SB3's wrappers have one of their own, of nothing
    return monitor


class _Monitor(WritableArrays, VecMonitor):
    """A `VecMonitor` that can be copied and pickled, unlike SB3's, which stores attributes that cannot be pickled."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "class_attributes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state | {"class_attributes": dict(inspect.getmembers(type(self)))})


class ZamekVecEnv(VecEnv):
    """A vector environment of this package, with an opponent and under SAME_STEP, as a `VecEnv` of Stable-Baselines3.

    `env_method("action_masks")` returns what is legal, as `MaskablePPO` asks for it. `info` of a game that ended holds
    `terminal_observation`, `illegal_action`, the learner's `seat`, and `scores` of player 0 and 1 or, in Castle,
    `returns` of all players. `reset_infos` holds `action_mask`, `current_player` and `deal` of each game as it began.
    `set_options({"deal": number})` repeats a deal at the next `reset`. With `render_mode="rgb_array"` `render()`
    returns one picture of all games, for SB3's `VecVideoRecorder` too. Raises `TypeError` or `ValueError` where `games`
    are no such environment.
    """

    def __init__(self, games: GameVectorEnv[Any]) -> None:
        _check_games(games)
        self.games = games
        super().__init__(games.num_envs, games.single_observation_space, games.single_action_space)
        self.metadata["render_fps"] = games.metadata["render_fps"]
        self._actions: npt.NDArray[Any] | None = None  # noted by `step_async`

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Note the options of the next `reset`, for all games or one dictionary each. Raises as `reset` would."""
        of_games = options if isinstance(options, list) else [{} if options is None else options] * self.num_envs
        if len(of_games) != self.num_envs:
            raise ValueError(f"options must be one dictionary or a list of {self.num_envs}, not of {len(of_games)}")
        for given in of_games:
            read_deal(given)
        join_options(of_games)
        super().set_options(options)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Note the seed of the next `reset`: game i takes `seed + i`; None: a random one. Return all seeds.

        Raises `TypeError` or `ValueError` where it is no whole number of 0 or more.
        """
        return super().seed(check_seed("seed", seed))

    def reset(self) -> Seen:
        """Reset all games and return the observations. Without a seed they go on drawing deals."""
        seeds = None if None in self._seeds else self._seeds
        seen, info = self.games.reset(seed=seeds, options=join_options(self._options))
        self._reset_seeds()
        self._reset_options()
        self.reset_infos[:] = [_make_reset_info(info, game) for game in range(self.num_envs)]
        return seen

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Note the actions that `step_wait` plays."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Seen, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions noted last; games that end are reset. Raises `RuntimeError` where none are noted."""
        if self._actions is None:
            raise RuntimeError("step_async must be called before each step_wait")
        actions, self._actions = self._actions, None
        seen, rewards, terminated, truncated, info = self.games.step(actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(ended):
            cut_off = bool(truncated[game] and not terminated[game])
            infos[game] = _make_end_info(info, game) | {"TimeLimit.truncated": cut_off}
            self.reset_infos[game] = _make_reset_info(info, game)
        return seen, rewards.astype(np.float32), ended, infos

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """Return a picture of each game, uint8 (height, width, 3), from which `render` makes one of all."""
        return self.env_method("render")

    def close(self) -> None:
        """End the threads."""
        self.games.close()

    # --- what Stable-Baselines3 asks of single environments ---

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return the results of `action_masks` or `render` for the games `indices`.

        Raises `AttributeError` for other methods, and `TypeError` for arguments: these take none.
        """
        returned = self.games.call(method_name)
        if method_args or method_kwargs:
            raise TypeError(f"{method_name} takes no arguments")
        return [returned[game] for game in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return the attribute that each game's environment would have; `AttributeError` where there is none.

        For `action_masks` and `render` that is a method, which returns the mask or the picture of that game.
        """
        if attr_name in CALLED:
            return [partial(self._call_one, attr_name, game) for game in self._get_indices(indices)]
        values = self.games.get_attr(attr_name)
        return [values[game] for game in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set `on_illegal` for all games. Raises `AttributeError` for other attributes, and for some of the games."""
        if attr_name == "on_illegal" and indices is not None:
            raise AttributeError("on_illegal can be set for all games only, so without indices")
        self.games.set_attr(attr_name, value)

    def _call_one(self, method_name, game):
        """Return what a method returns of one game."""
        return self.env_method(method_name, indices=game)[0]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Return False for each game: there is nothing to wrap."""
        return [False] * len(list(self._get_indices(indices)))


def _check_games(games: Any) -> None:
    if isinstance(games, VectorBase) and not isinstance(games, GameVectorEnv):
        raise TypeError("games must be on processors, without device='cuda': Stable-Baselines3 takes arrays of numpy")
    if not isinstance(games, GameVectorEnv):
        raise TypeError(f"games must be a vector environment of zamek_env, not a {type(games).__name__}")
    if games.alternates_seats and games.players > 1:
        raise ValueError(
            "an opponent is missing, such as env_kwargs={'opponent': 'random'}: without it the seats alternate, and "
            "Stable-Baselines3 takes the prospects of others for the learner's"
        )
    if games.autoreset_mode != AutoresetMode.SAME_STEP:
        raise ValueError(f"autoreset_mode must be SAME_STEP, not {games.autoreset_mode.name}")
    if games.copy is False:
        raise ValueError(
            "copy must be True or None, not False: Stable-Baselines3 keeps an observation until after the next step, "
            "which would have overwritten it"
        )


def _make_reset_info(info: Mapping[str, Any], game: int | np.integer) -> dict[str, Any]:
    """Return a copy of `info` of a game that has just begun."""
    numbers = {name: int(info[name][game]) for name in ("current_player", "deal") if name in info}
    return {"action_mask": info["action_mask"][game].copy(), **numbers}


def _make_end_info(info: Mapping[str, Any], game: int | np.integer) -> dict[str, Any]:
    """Return `info` of a game that ended in this step."""
    outcome = {name: info["result"][name][game] for name in ("scores", "returns") if name in info["result"]}
    return {
        "terminal_observation": info["final_obs"][game],
        "illegal_action": bool(info["illegal_action"][game]),
        "seat": int(info["result"]["seat"][game]),
        **{name: tuple(values.tolist()) for name, values in outcome.items()},
    }


class RowPolicy(MaskableMultiInputActorCriticPolicy):
    """`RowNetwork` as a policy of `MaskablePPO`, for observations of `vector` and `rows`, such as those of `Zamek-v1`.

    `hidden` is the width of its layers, a whole number of 1 or more. The features are `RowFeatures`, or a class derived
    from these. The optimizer is that of sb3-contrib's policies. Raises `ValueError` for other observations, `TypeError`
    or `ValueError` for another `hidden`, and `TypeError` for arguments of sb3-contrib's policies that this one lacks,
    such as `net_arch`, and under `PPO`, `A2C` or `DQN`.
    """

    def __init__(
        self,
        observation_space: spaces.Dict,
        action_space: spaces.Discrete,
        lr_schedule: Callable[[float], float],
        hidden: int = 64,
        features_extractor_class: "type[RowFeatures] | None" = None,
        features_extractor_kwargs: Mapping[str, Any] | None = None,
        optimizer_class: type[torch.optim.Optimizer] = torch.optim.Adam,
        optimizer_kwargs: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> None:
        if "use_sde" in others:  # which MaskablePPO does not pass
            raise TypeError("RowPolicy is for MaskablePPO, not for an algorithm that passes use_sde, as PPO does")
        if others:
            raise TypeError(
                "RowPolicy takes hidden, features_extractor_class, features_extractor_kwargs, optimizer_class and "
                f"optimizer_kwargs, not {', '.join(others)}"
            )
        parts = list(observation_space) if isinstance(observation_space, spaces.Dict) else type(observation_space)
        if not isinstance(parts, list) or not {"vector", "rows", "row_actions"} <= {*parts}:
            raise ValueError(f"observation_space must hold vector, rows and row_actions, as of Zamek-v1, not {parts}")
        self._hidden = check_count("hidden", hidden)
        network = {"num_actions": int(action_space.n), "hidden": self._hidden, **(features_extractor_kwargs or {})}
        own: Any = super().__init__
        own(
            observation_space,
            action_space,
            lr_schedule,
            net_arch=[],
            ortho_init=False,
            features_extractor_class=features_extractor_class or RowFeatures,
            features_extractor_kwargs=network,
            optimizer_class=optimizer_class,
            optimizer_kwargs=optimizer_kwargs,
        )

    @property
    def network(self) -> RowNetwork:
        """The network that it plays by."""
        features: Any = self.features_extractor
        return features.network

    @property
    def q_net(self) -> NoReturn:
        """Raises `TypeError`: `DQN` asks for this first, and there is none."""
        raise TypeError(
            "RowPolicy is for MaskablePPO, not for DQN: examples/dqn.py learns by DQN with the same network"
        )

    def extract_features(self, obs: Any, features_extractor: Any = None) -> torch.Tensor:
        """Return the network's features of raw observations: SB3 would turn all rows into floats first.

        It still does so in `predict` and `predict_values`, which bypass this, with the same result.
        """
        return self.features_extractor(obs)

    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        self.action_dist = _RowDistribution(int(self.action_space.n))
        self.action_net, self.value_net = _Columns(0, -1), _Columns(-1, None)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self):
        names = (
            "observation_space", "action_space", "lr_schedule", "optimizer_class", "optimizer_kwargs",
            "features_extractor_class", "features_extractor_kwargs",
        )  # fmt: skip
        known = super()._get_constructor_parameters()
        return {name: known[name] for name in names if name in known} | {"hidden": self._hidden}


class _RowDistribution(MaskableCategoricalDistribution):
    """The distribution over rows, which are far fewer than actions. Masks can only take rows away."""

    def proba_distribution(self, action_logits: torch.Tensor) -> "_RowDistribution":
        """Take the logits of the rows, and then their actions, `(n, 2 * rows)`."""
        logits, actions = action_logits.chunk(2, dim=1)
        self._actions = actions.long()
        self.distribution = MaskableCategorical(logits=logits, validate_args=False)
        return self

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        return super().log_prob((self._actions == actions.reshape(-1, 1)).int().argmax(dim=1))

    def sample(self) -> torch.Tensor:
        return self._actions.gather(1, super().sample()[:, None]).squeeze(1)

    def mode(self) -> torch.Tensor:
        return self._actions.gather(1, super().mode()[:, None]).squeeze(1)

    def apply_masking(self, masks: Any) -> None:
        if masks is None:
            super().apply_masking(None)
            return
        of_actions = torch.as_tensor(masks, device=self._actions.device).reshape(len(self._actions), -1)
        super().apply_masking(of_actions.gather(1, self._actions.clamp(min=0)).bool() & (self._actions >= 0))


class RowFeatures(BaseFeaturesExtractor):
    """The features that `RowPolicy` extracts: logits of rows, their actions, and the value side by side.

    They are `(n, 2 * most + 1)`, where `most` is the largest number of legal actions. A policy that sees more uses a
    subclass that overrides `score`.
    """

    def __init__(self, observation_space: spaces.Dict, num_actions: int, hidden: int) -> None:
        (entries,), (count, columns) = (observation_space[name].shape or () for name in ("vector", "rows"))
        super().__init__(observation_space, 2 * count + 1)
        self.network = RowNetwork(entries, columns, num_actions, hidden)

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        logits, value = self.score(seen)
        actions = seen["row_actions"][:, : logits.shape[1]]
        return torch.cat([logits, actions, value[:, None]], dim=1)

    def score(self, seen: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (logits of rows, value) of observations, as `RowNetwork.score` does."""
        return self.network.score(seen["vector"], seen["rows"], seen["row_actions"])


class _Columns(torch.nn.Module):
    """A module that returns some columns of its input."""

    def __init__(self, start: int, stop: int | None) -> None:
        super().__init__()
        self.columns = slice(start, stop)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, self.columns]
