"""`ZamekVectorEnv(device="cuda")`: many games on a GPU, with all results as tensors that stay there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from zamek_env.base.episode import EVERY_SEAT
from zamek_env.base.records import NONE
from zamek_env.base.rewards import REWARDS
from zamek_env.common.checks import check_choice, check_row
from zamek_env.common.messages import show
from zamek_env.core import batch
from zamek_env.cuda.games import Games, Settings, download
from zamek_env.cuda.lanes import ANY_SEAT, PLAYERS
from zamek_env.cuda.pcg64 import GENERATOR, join_words, make_generator, split_seeds
from zamek_env.cuda.ptx import CAPABILITIES
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.flat import make_flat_space
from zamek_env.environments.rendering import picture
from zamek_env.environments.reset_options import OPTIONS, check_options, check_seat, read_deals, read_seeds
from zamek_env.environments.vector_base import COMPILED_OPPONENTS, VectorBase, VectorSettings
from zamek_env.errors import IllegalActionError
from zamek_env.game import Game
from zamek_env.layout.actions import OVER
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.notation.action_line import describe_illegal
from zamek_env.ruleset import get_ruleset, make_action_space, make_observation_space

WHOLE_NUMBERS = tuple(getattr(torch, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64))

Stepped: TypeAlias = tuple[Any, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]  # what `step` returns


class ZamekCudaVectorEnv(VectorBase):
    """`num_envs` games on one GPU. Made by `ZamekVectorEnv(device="cuda")`, which says what the arguments mean.

    The games are those of a `ZamekVectorEnv` on the processor: the same seeds, deals, seats, rewards and observations,
    to the last bit. Everything that `reset` and `step` return is a tensor on the GPU. A step whose actions are a tensor
    there returns while the GPU still works. What differs:

    - Rewards are float32.
    - `info["result"]` and, under SAME_STEP, `final_obs` and `final_info` are always there; `_result` says in which
      games they count. `final_obs` is a dict of tensors, or a tensor with `flat`.
    - `copy` True or None: everything is a copy. `copy=False`: observations, `final_obs`, masks, `deal` and the
      `total_reward` of `result` are the memory of the games. The next step overwrites them, and nobody else should
      write to them, since a step writes only what has changed.
    - `opponent` is None, `"random"` or `"greedy"`. `threads` and `max_episode_steps` must keep their defaults.
    - `on_illegal="raise"` and `AutoresetMode.DISABLED` look at all games before each step, and wait for the GPU.
    - Seeds lie below 2**128. `np_random` holds copies of the generators.
    - It cannot be used in a process that was forked after torch had begun to use a GPU.
    - All calls belong on one stream, that on which it was made, or have to be synchronised as those of tensors have.

    Raises `ValueError` where there is no such GPU, or an argument is not possible there; `NotImplementedError` where
    numba is another than 0.68, or compiles nothing.
    """

    opponent: Any = ReadOnly()
    reward: Any = ReadOnly()
    ruleset: Any = ReadOnly()
    observation: Any = ReadOnly()

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = "zamek",
        opponent: str | None = None,
        seat: Literal[0, 1, "random"] = "random",
        reward: Literal["win", "score", "delta"] = "win",
        on_illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool | None = None,
        threads: int = 1,
        components: AnyComponents = None,
        flat: bool = False,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        max_episode_steps: int | None = None,
        *,
        observation: Sequence[str] = PLANE_PARTS,
        players: Literal[2] | None = None,
        rules: Mapping[str, Any] | None = None,
        opponents: None = None,
        device: Any = "cuda",
    ) -> None:
        super().__init__(
            num_envs, VectorSettings(on_illegal, autoreset_mode, copy, threads, flat, render_mode, max_episode_steps)
        )
        self.device = self._check_device(device)
        self.threads = check_choice("threads", threads, (1,))
        self.max_episode_steps = check_choice("max_episode_steps", max_episode_steps, (None,))
        check_choice("opponents", opponents, (None,))
        self.opponent = check_choice("opponent", opponent, (None, *COMPILED_OPPONENTS))
        self.seat = check_seat(seat, PLAYERS, "opponent", opponent)
        self.alternates_seats = opponent is None
        self.ruleset = get_ruleset(ruleset, components, check_choice("players", players, (None, PLAYERS)), rules)
        self.observation = check_parts(observation)
        self._shown = space = make_observation_space(self.ruleset, self.observation)
        self._set_spaces(make_flat_space(space) if self.flat else space, make_action_space(self.ruleset))
        answering = COMPILED_OPPONENTS.index(opponent) if opponent is not None else batch.OUTSIDE
        self.reward = check_choice("reward", reward, REWARDS)
        learner = EVERY_SEAT if self.alternates_seats else ANY_SEAT if self.seat == "random" else self.seat
        rewarding = REWARDS.index(self.reward)
        settings = Settings(self.ruleset, answering, learner, rewarding, self._same_step, self.flat, self.observation)
        self._games = Games(settings, self.num_envs, self.device, self._find_loader())
        self._everyone = torch.ones(self.num_envs, dtype=torch.bool, device=self.device)
        self.closed = False

    # --- the Gymnasium interface ---

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games, or those of `options["reset_mask"]`; the arguments are those of `ZamekVectorEnv.reset`."""
        with self._one_caller:
            self._check_open()
            asked = check_options(options, OPTIONS)
            chosen = self._find_chosen(asked.get("reset_mask"))
            deals = read_deals(_fetch(asked.get("deal")), self.num_envs)
            self._seed(chosen, split_seeds(read_seeds(_fetch(seed), self.num_envs), not self._is_begun))
            if deals is not None:
                self._put(self._games.field("episodes", "next_deal"), deals, chosen)
            asked_for = torch.from_numpy(chosen).to(self.device)
            self._games.field("outcomes", "is_waiting").masked_fill_(asked_for, 1)
            self._advance(asked_for)
            self._is_begun = True
            return self._observe(), self._make_info()

    def step(self, actions: torch.Tensor | npt.ArrayLike) -> Stepped:
        """Play an action in every game: whole numbers, `(num_envs,)`, a tensor on any device or what numpy takes.

        Raises `ValueError` or `TypeError` where they are no such numbers, and under `on_illegal="raise"`
        `IllegalActionError`; nothing has been played then.
        """
        with self._one_caller:
            return self._play(actions, self._everyone)

    def step_chosen(self, actions: torch.Tensor | npt.ArrayLike, chosen: torch.Tensor | npt.ArrayLike) -> Stepped:
        """Play an action in each game that is `chosen`, bool `(num_envs,)`, and leave the others as they are."""
        with self._one_caller:
            return self._play(actions, self._read_row("chosen", chosen, "b"))

    def draw_actions(self) -> torch.Tensor:
        """Return a uniformly random legal action of each game, int64 `(num_envs,)`, 0 where it is over.

        They are drawn on the GPU, and follow from the seeds of the games. With `copy=False` the next call overwrites
        them.
        """
        with self._one_caller:
            self._check_begun()
            self._games.run("draw")
            return self._keep(self._games.numbers("drawn"))

    def action_masks(self) -> torch.Tensor:
        """Return which actions are legal, bool `(num_envs, num_actions)`.

        All are in a game that has terminated or not begun.
        """
        self._check_open()
        masks = self._games.field("masks", "mask").bool()
        return masks if self._is_begun else torch.ones_like(masks)

    @property
    def raw_states(self) -> torch.Tensor:
        """The live memory of the games, uint8 `(num_envs, bytes of a state)`; writing to it breaks the games."""
        self._check_open()
        return self._games.rows["states"]

    @property
    def states(self) -> npt.NDArray[np.record]:
        """A copy of the state records, `(num_envs,)`, in the memory of the CPU."""
        self._check_open()
        return download(self._games.rows["states"], self.ruleset.state_dtype)

    @property  # type: ignore[misc]  # there is nothing to set, as in Gymnasium's own
    def np_random(self) -> Any:
        """Copies of the generators of the deals, a tuple with one for each game; None before the first `reset`."""
        self._check_open()
        if not self._is_begun:
            return (None,) * self.num_envs
        return tuple(map(make_generator, download(self._games.rows["generators"], GENERATOR)))

    @property
    def np_random_seed(self) -> Any:
        """The seed of each of `np_random`, a tuple; None before the first `reset`."""
        self._check_open()
        if not self._is_begun:
            return (None,) * self.num_envs
        return tuple(map(join_words, self._seed_words().cpu().numpy().view(np.uint32)))

    def close_extras(self, **kwargs: Any) -> None:
        """Free the memory of the games, once the GPU no longer needs it."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        del self._games

    # --- where the games are ---

    def _check_device(self, device):
        """Return `device` as a torch device. Raises `ValueError` where it is no suitable GPU of this machine."""
        if str(device) == "cpu":  # or `torch.device("cpu")`
            name = type(self).__name__
            raise ValueError(f"device must be a GPU for {name}, not {show(device)}: make a ZamekVectorEnv instead")
        count = torch.cuda.device_count()
        known = {f"cuda:{number}": number for number in range(count)}
        if count > 0:
            known["cuda"] = torch.cuda.current_device()
        if str(device) not in known:
            allowed = ", ".join(map(repr, ["cpu", *known]))
            raise ValueError(f"device must be one that torch finds here, {allowed}, not {show(device)}")
        found = torch.device("cuda", known[str(device)])
        capability = torch.cuda.get_device_capability(found)
        if 10 * capability[0] + capability[1] < CAPABILITIES[0]:
            due = f"{CAPABILITIES[0] / 10} or more, not {capability[0]}.{capability[1]}"
            raise ValueError(f"device must have the compute capability {due}, as {show(device)} has")
        return found

    def _find_loader(self) -> Callable[..., Any]:
        """Return the loader of kernels for the device."""
        from zamek_env.cuda.program import CudaProgram

        return CudaProgram

    # --- inside ---

    def _pictures(self) -> tuple[Any, ...]:
        states = self.states
        games = (Game.from_state(self.ruleset, states, number) for number in range(self.num_envs))
        return tuple(picture(game, self.render_mode) for game in games)

    def _read_mask(self, name: str, mask: Any) -> npt.NDArray[np.bool_]:
        return self._read_row(name, mask, "b").cpu().numpy()

    def _read_row(self, name, values, kinds):
        """Return `values` as a tensor on the device, int64 or bool, checked as `check_row` checks arrays."""
        dtype = torch.bool if kinds == "b" else torch.int64
        if not isinstance(values, torch.Tensor):
            row = check_row(name, values, self.num_envs, kinds)
            return torch.from_numpy(row.astype(np.bool_ if kinds == "b" else np.int64)).to(self.device)
        if values.shape != (self.num_envs,):
            raise ValueError(f"{name} must have shape ({self.num_envs},), not {tuple(values.shape)}")
        if values.dtype not in ((torch.bool,) if kinds == "b" else WHOLE_NUMBERS):
            raise TypeError(f"{name} must be {'booleans' if kinds == 'b' else 'whole numbers'}, not {values.dtype}")
        return values.to(self.device, dtype)

    def _seed(self, chosen, seeds):
        """Seed the generators of the chosen games for which `seeds` holds a seed."""
        words, is_seeded = seeds
        is_new = chosen & is_seeded
        if not is_new.any():
            return
        self._put(self._seed_words(), words.view(np.int32), is_new)
        self._games.numbers("chosen").copy_(torch.from_numpy(is_new))
        self._games.run("seed")

    def _seed_words(self):
        """Return a view of the words of all seeds as signed numbers: torch supports few operations on unsigned ones."""
        return self._games.field("seeds", "words").view(torch.int32)

    def _put(self, field, values, games):
        """Write `values`, an array with a row a game, to a field of `games`, bool."""
        where = torch.from_numpy(np.flatnonzero(games)).to(self.device)
        field[where] = torch.from_numpy(values[games]).to(self.device)

    def _advance(self, chosen):
        """Play `actions` in the chosen games, and deal those that wait for it."""
        self._games.numbers("chosen").copy_(chosen)
        self._games.run("step")

    def _play(self, actions, chosen):
        self._check_begun()
        given = self._read_row("actions", actions, "iu")
        if self._is_reset_by_caller and len(over := (self._waiting() & chosen).nonzero()):
            raise ResetNeeded(f"game {int(over[0])} is over: call reset with it in options['reset_mask']")
        if self.on_illegal == "raise":
            self._check_legal(given, chosen)
        self._games.numbers("actions").copy_(given)
        last_deals = self._games.numbers("deals").clone() if self._same_step else None
        self._advance(chosen)
        ended = self._games.field("outcomes", "ended").bool()
        rewards = self._games.field("outcomes", "reward").float()
        info = self._make_info() | self._make_result_info(ended.clone())
        if last_deals is not None:
            info |= self._make_last_info(ended.clone(), info["illegal_action"], last_deals)
        return self._observe(), rewards, ended, torch.zeros_like(ended), info

    def _waiting(self):
        return self._games.field("outcomes", "is_waiting").bool()

    def _check_legal(self, actions, chosen):
        """Raise `IllegalActionError` where the action of a game that is chosen and goes on is illegal."""
        played = chosen & ~self._waiting() & (self._games.field("states", "phase") != OVER)
        masks = self._games.field("masks", "mask")
        within = (actions >= 0) & (actions < masks.shape[1])
        legal = masks.gather(1, torch.where(within, actions, 0)[:, None])[:, 0].bool() & within
        illegal = (played & ~legal).nonzero()
        if len(illegal):
            game = int(illegal[0])
            problem = describe_illegal(self.ruleset, self.states[game], int(actions[game]))
            raise IllegalActionError(f"game {game}: {problem}")

    # --- what is returned ---

    def _keep(self, tensor):
        """Return the view of an observation that is returned to the caller."""
        return tensor if self.copy is False else tensor.clone()

    def _observe(self, last: str = "") -> Any:
        """Return the observations of all games, or the `last_` ones of games that ended."""
        games = self._games
        if self.flat:
            return self._keep(games.rows[f"{last}planes"].view(torch.float32))
        return {name: self._keep(self._view_part(last, name, box.shape or ())) for name, box in self._shown.items()}

    def _view_part(self, last, name, shape):
        """Return a view of a part of the observations, which has that `shape` in each game."""
        if name in batch.BOARD_FIELDS:
            return self._games.field(f"{last}planes", batch.BOARD_FIELDS[name]).view(-1, *shape)
        return self._games.field(f"{last}vectors", name)

    def _make_info(self) -> dict[str, Any]:
        games = self._games
        info = {
            "action_mask": self._keep(games.field("masks", "mask")),
            "current_player": games.field("outcomes", "player").long(),
            "deal": self._keep(games.numbers("deals")),
            "illegal_action": games.field("outcomes", "is_illegal").bool(),
        }
        everyone = self._everyone.clone()
        return info | {f"_{name}": everyone for name in info}

    def _make_result_info(self, ended):
        episodes = ("last_gain", "last_length", "last_learner", "last_scores")
        gain, *numbers = (self._games.field("episodes", name) for name in episodes)
        found = (self._keep(gain), *(values.long() for values in numbers))
        result = dict(zip(("total_reward", "length", "seat", "scores"), found, strict=True))
        return {"result": result | {f"_{name}": ended for name in result}, "_result": ended}

    def _make_last_info(self, ended, illegal, deals):
        """Return the additional entries of `info` under SAME_STEP on games that `ended`, which had these `deals`."""
        last = {
            "action_mask": self._keep(self._games.field("last_masks", "mask")),
            "current_player": torch.full_like(deals, NONE),
            "deal": deals,
            "illegal_action": illegal,
        }
        last |= {f"_{name}": ended for name in last}
        return {"final_obs": self._observe("last_"), "_final_obs": ended, "final_info": last, "_final_info": ended}


def _fetch(values):
    """Return a tensor as a numpy array, and anything else unchanged."""
    return values.detach().cpu().numpy() if isinstance(values, torch.Tensor) else values
