"""`CastleCardsVectorEnv`: many games of castle-cards at once, one call into compiled code a step."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from zamek_env.castle_cards.components.sizes import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards_env import batch
from zamek_env.castle_cards_env.spaces import make_action_space, make_observation_space
from zamek_env.checks import check_choice, check_count, check_options, check_row, draw_deal, read_deals, read_seeds
from zamek_env.errors import IllegalActionError
from zamek_env.threads import Threads

MAX_ENVS = 2**20  # games
_OPTIONS = ("deal", "reset_mask")  # of `reset`
_MODES = (*AutoresetMode, *(mode.value for mode in AutoresetMode))


class CastleCardsVectorEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`num_envs` games of castle-cards at once, all in one array of state records.

    Game number i seeded with s plays the same deals, from the same seats, as `CastleCardsEnv` seeded with s + i,
    whatever the number of games and threads. The chance of the opponents is their own.

    Args:
        num_envs: how many games, at most 2**20.
        players: 2 to 5.
        opponents: None, then the seats alternate as in `CastleCardsEnv`, or `"random"` for all other seats.
        seat: of the learner where there are opponents: 0 to `players` - 1 or `"random"`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.SAME_STEP`, `NEXT_STEP` or `DISABLED`, as Gymnasium defines them.
        copy: return copies; otherwise observations and masks are views of the environment's own memory, read-only and
            overwritten by the next step.
        threads: among which the games are split.

    `info` always holds one entry a game of `action_mask` (int8), `current_player`, `deal` (int64) and `illegal_action`
    (bool, of the action just played). For games that ended in this step it also holds `episode` (`r` the sum of rewards
    of the learner or of player 0, `l` the decisions, `returns` of all players), and under SAME_STEP `final_obs` and
    `final_info` with the last `action_mask` and `deal`; the other entries are then those of the next episode.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were. After `close`
    every call raises `ClosedEnvironmentError`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        opponents: Literal["random"] | None = None,
        seat: int | Literal["random"] = "random",
        on_illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
    ) -> None:
        self.num_envs = check_count("num_envs", num_envs, MAX_ENVS)
        self.players = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.opponents = check_choice("opponents", opponents, (None, "random"))
        self.seat = check_choice("seat", seat, (*range(players), "random"))
        self.on_illegal = check_choice("on_illegal", on_illegal, ("lose", "raise"))
        self.threads = min(check_count("threads", threads), self.num_envs)
        self._threads = Threads(self.threads)
        self.copy = check_choice("copy", copy, (True, False))
        mode = AutoresetMode(check_choice("autoreset_mode", autoreset_mode, _MODES))
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self._same_step = mode == AutoresetMode.SAME_STEP
        self.single_observation_space = make_observation_space(players)
        self.single_action_space = make_action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._batch = batch.make_batch(self.num_envs, len(find_layout(players)))
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._deals = np.zeros(self.num_envs, np.int64)  # of the episodes in progress; replaced, not written to
        self._is_begun = False

    # --- the Gymnasium interface ---

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin all games, or those of `options["reset_mask"]`, bool `(num_envs,)`. `options["deal"]` names the deals.

        `seed` is None, a whole number, of which game i takes `seed + i`, or one for each game. `options["deal"]` is the
        number of one deal for all games, or one for each. Raises `TypeError` or `ValueError` where they are none, and
        nothing has begun then. `ValueError` where there is any other option.
        """
        self._check_open()
        asked = check_options(options, _OPTIONS)
        chosen = self._check_mask(asked.get("reset_mask"))
        deals = read_deals(asked.get("deal"), self.num_envs)
        seeds = read_seeds(seed, self.num_envs)
        for game in np.flatnonzero(chosen):
            if seeds[game] is not None or self._generators[game] is None:
                self._generators[game] = seeding.np_random(seeds[game])[0]
            if not self._is_begun or seed is not None:
                self._draw_episode(game)
        if deals is not None:
            self._batch.episodes["next_deal"][chosen] = deals[chosen]
        self._batch.chosen[:] = chosen
        self._run(batch.begin_range)
        self._note_dealt(chosen)
        self._is_begun = True
        return self._hand_out(self._batch.vectors), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32], npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Play an action in every game, shape `(num_envs,)`.

        Raises `ValueError` or `TypeError` where `actions` are not that many whole numbers, and under
        `on_illegal="raise"` `IllegalActionError`; nothing has been played then.
        """
        self._check_open()
        if not self._is_begun:
            raise ResetNeeded("no game has begun: call reset")
        many = self._batch
        waiting = many.episodes["is_waiting"].astype(np.bool_)
        if self.metadata["autoreset_mode"] == AutoresetMode.DISABLED and waiting.any():
            raise ResetNeeded(f"game {int(waiting.argmax())} is over: call reset with it in options['reset_mask']")
        many.actions[:] = check_row("actions", actions, self.num_envs, "iu")
        if self.on_illegal == "raise":
            self._refuse_illegal()
        self._run(batch.step_range)
        terminated = many.episodes["ended"].astype(np.bool_)
        last_deals, dealt = self._deals, terminated if self._same_step else waiting
        if dealt.any():
            self._note_dealt(dealt)
        info = self._info()
        if terminated.any():
            info |= self._last_info(terminated, last_deals)
        rewards, truncated = many.episodes["reward"].copy(), np.zeros(self.num_envs, np.bool_)
        return self._hand_out(many.vectors), rewards, terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_envs, num_actions)`."""
        self._check_open()
        return self._batch.masks.astype(np.bool_)

    @property
    def raw_states(self) -> npt.NDArray[np.record]:
        """The live memory of the games, `(num_envs,)`, for kernels; whoever writes to it breaks the games."""
        self._check_open()
        return self._batch.states

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._threads.close()

    # --- inside ---

    def _run(self, kernel):
        """Call a kernel of `batch` for all games, each thread for its share."""
        options = (self.players, self._same_step)
        self._threads.run(kernel, [(self._batch, options, first, end) for first, end in self._shares])

    def _check_open(self):
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed: make another one")

    def _note_dealt(self, dealt):
        """Note the deals of the games that were just `dealt`, and draw their next episodes."""
        self._deals = np.where(dealt, self._batch.episodes["next_deal"], self._deals)
        for game in np.flatnonzero(dealt):
            self._draw_episode(game)

    def _draw_episode(self, game):
        """Draw deal and seat of the next episode, as `CastleCardsEnv.reset` does."""
        rng, episode = self._generators[game], self._batch.episodes[game]
        episode.next_deal = draw_deal(rng)
        episode.next_learner = batch.ALL
        if self.opponents is not None:
            drawn = int(rng.integers(self.players))
            episode.next_learner = drawn if self.seat == "random" else self.seat

    def _check_mask(self, mask):
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = check_row("options['reset_mask']", mask, self.num_envs, "b")
        if not self._is_begun and not chosen.all():
            raise ValueError("options['reset_mask'] must choose all games the first time")
        return chosen.copy()

    def _refuse_illegal(self):
        many = self._batch
        for game, action in enumerate(many.actions.tolist()):
            legal = np.flatnonzero(many.masks[game])
            if not many.episodes["is_waiting"][game] and action not in legal:
                raise IllegalActionError(f"game {game}: the action {action} is illegal, legal are {legal.tolist()}")

    def _hand_out(self, array):
        """Return a copy of `array`, or a view of it that cannot be written to."""
        if self.copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def _info(self):
        """Return what `info` always holds; what can only be of ended games is that of none of them."""
        everyone, episodes = np.ones(self.num_envs, np.bool_), self._batch.episodes
        told = {
            "action_mask": self._hand_out(self._batch.masks),
            "current_player": episodes["player"].copy(),
            "deal": self._deals.copy(),
            "illegal_action": episodes["is_illegal"].astype(np.bool_),
        }
        return told | {f"_{name}": everyone for name in told}

    def _last_info(self, ended, deals):
        """Return what `info` tells of the games that ended in this step, of these `deals`."""
        many = self._batch
        names = {"r": "last_gain", "l": "last_length"}
        episode = {short: many.episodes[name].copy() for short, name in names.items()}
        episode["returns"] = many.episodes["last_returns"][:, : self.players].copy()
        info: dict[str, Any] = {"episode": episode, "_episode": ended.copy()}
        if self._same_step:
            seen = np.full(self.num_envs, None, dtype=object)
            for game in np.flatnonzero(ended):
                seen[game] = many.last_vectors[game].copy()
            masks = np.where(ended[:, None], many.last_masks, 0).astype(np.int8)
            last = {"action_mask": masks, "deal": np.where(ended, deals, 0)}
            info |= {"final_obs": seen, "_final_obs": ended.copy()}
            info |= {"final_info": last | {f"_{name}": ended.copy() for name in last}, "_final_info": ended.copy()}
        return info
