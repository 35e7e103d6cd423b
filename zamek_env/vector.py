"""`ZamekVectorEnv`: many games at once as a Gymnasium `VectorEnv`, one call into compiled code a step."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise
from os import PathLike
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from zamek_env.checks import (
    check_choice,
    check_count,
    check_options,
    check_row,
    draw_deal,
    read_deals,
    read_seeds,
)
from zamek_env.components.model import Components
from zamek_env.core import batch
from zamek_env.core.rewards import REWARDS
from zamek_env.errors import IllegalActionError
from zamek_env.game import Game
from zamek_env.opponents import AskedOpponent, Opponent
from zamek_env.records.notation import list_legal, tell_action
from zamek_env.ruleset import get_ruleset
from zamek_env.shown import shorten
from zamek_env.spaces import Observation, make_action_space, make_observation_space, read_frames
from zamek_env.threads import Threads

OPPONENTS = ("random", "greedy")
OPTIONS = ("deal", "reset_mask")  # of `reset`
MAX_ENVS = 2**20  # games, of about 23 kB each in the base game
AUTORESET_MODES = (*AutoresetMode, *(mode.value for mode in AutoresetMode))


class ZamekVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`num_envs` games at once, all in one array of state records.

    Game number i seeded with s plays the same episodes as `ZamekEnv` seeded with s + i, whatever the number of games
    and threads; with a compiled opponent the deals and seats are the same, and the opponent's chance is its own.

    Args:
        num_envs: how many games, at most 2**20.
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        opponent: None, then the seats alternate as in `ZamekEnv`; `"random"` or `"greedy"`, which play inside compiled
            code; or any other agent by name, or a callable, as in `ZamekEnv`. That is asked game by game, which is
            slow: each of its decisions takes as long as elsewhere. Whatever it raises leaves the games as they were.
        seat: of the learner where there is an opponent: 0, 1 or `"random"`.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekEnv`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.SAME_STEP`, `NEXT_STEP` or `DISABLED`, as Gymnasium defines them.
        copy: return copies; otherwise observations and masks are views of the environment's own memory, read-only and
            overwritten by the next step.
        threads: among which the games are split.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.

    `info` always holds one entry a game of `action_mask` (int8), `current_player`, `deal` (int64) and `illegal_action`
    (bool, of the action just played). For games that ended in this step it also holds `episode` (`r` the sum of rewards
    of the learner or of player 0, `l` the decisions, `scores`), and under SAME_STEP `final_obs` and `final_info` with
    the last `action_mask` and `deal`; the other entries are then those of the next episode. `deal` names the episode to
    `reset(options={"deal": ...})`. The whole deck follows from it: it is there to repeat an episode, not for an agent.

    Copies and pickles are independent and go on as the original does; a process that is forked goes on with a copy.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were. After `close`
    every call raises `ClosedEnvironmentError`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = "zamek",
        opponent: str | Callable[[Game, np.random.Generator], int] | None = None,
        seat: Literal[0, 1, "random"] = "random",
        reward: Literal["win", "score", "delta"] = "win",
        on_illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
        components: Components | PathLike[str] | str | None = None,
    ) -> None:
        self.num_envs = check_count("num_envs", num_envs, MAX_ENVS)
        self.opponent = opponent
        is_compiled = isinstance(opponent, str) and opponent in OPPONENTS
        self.seat = check_choice("seat", seat, (0, 1, "random"))
        self.on_illegal = check_choice("on_illegal", on_illegal, ("lose", "raise"))
        self.threads = min(check_count("threads", threads), self.num_envs)
        self._threads = Threads(self.threads)
        self.copy = check_choice("copy", copy, (True, False))
        mode = AutoresetMode(check_choice("autoreset_mode", autoreset_mode, AUTORESET_MODES))
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.ruleset = get_ruleset(ruleset, components)
        self.single_observation_space = make_observation_space(self.ruleset)
        self.single_action_space = make_action_space(self.ruleset)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._options = batch.Options(
            opponent=OPPONENTS.index(opponent) if is_compiled else batch.OUTSIDE,
            reward=REWARDS.index(check_choice("reward", reward, REWARDS)),
            same_step=mode == AutoresetMode.SAME_STEP,
        )
        self._asked = None
        if opponent is not None and not is_compiled:
            self._asked = AskedOpponent(Opponent(opponent), self.ruleset, self.num_envs)
        self._batch = self._make_batch()
        self._scratch = [(self.ruleset.new_log(), self.ruleset.new_states(2)) for _ in range(self.threads)]
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._everyone = np.ones(self.num_envs, np.bool_)  # the `_…` masks of `info`
        self._nobody = np.zeros(self.num_envs, np.bool_)
        self._deals = np.zeros(self.num_envs, np.int64)  # of the episodes in progress; replaced, not written to
        self._lock_shared()
        self._is_begun = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock_shared()

    # --- the Gymnasium interface ---

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games, or those of `options["reset_mask"]`, bool `(num_envs,)`. `options["deal"]` names the deals.

        `seed` is None, a whole number, of which game i takes `seed + i`, or one for each game. `options["deal"]` is the
        number of one deal for all games, or one for each. Raises `TypeError` or `ValueError` where they are none, and
        nothing has begun then. `ValueError` where there is any other option.
        """
        self._check_open()
        asked = check_options(options, OPTIONS)
        chosen = self._check_mask(asked.get("reset_mask"))
        deals = read_deals(asked.get("deal"), self.num_envs)
        seeds = read_seeds(seed, self.num_envs)
        with self._asked.all_or_nothing(self._batch, self._generators) if self._asked else nullcontext():
            self._seed(seeds, chosen)
            for game in np.flatnonzero(chosen):
                if not self._is_begun or seed is not None:
                    self._draw_episode(game)
            if deals is not None:
                self._batch.episodes["next_deal"][chosen] = deals[chosen]
            self._begin(chosen)
        self._note_dealt(chosen)
        self._is_begun = True
        return self._observations(), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play an action in every game, shape `(num_envs,)`.

        Raises `ValueError` or `TypeError` where `actions` are not that many whole numbers, and under
        `on_illegal="raise"` `IllegalActionError`; nothing has been played then.
        """
        return self._play(actions, self._everyone)

    def step_chosen(
        self, actions: npt.ArrayLike, chosen: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play an action in each game that is `chosen`, bool `(num_envs,)`, and leave the others as they are.

        Returns and raises as `step` does; in games not chosen there is no reward and no end.
        """
        return self._play(actions, check_row("chosen", chosen, self.num_envs, "b"))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_envs, num_actions)`."""
        self._check_open()
        return self._batch.frames["mask"].astype(np.bool_)

    @property
    def states(self) -> npt.NDArray[np.record]:
        """The state records, `(num_envs,)`, to be read: a read-only view of the games as they go on."""
        view = self.raw_states.view()
        view.flags.writeable = False
        return view

    @property
    def raw_states(self) -> npt.NDArray[np.record]:
        """The live memory of the games, `(num_envs,)`, for kernels; whoever writes to it breaks the games."""
        self._check_open()
        return self._batch.states

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._threads.close()

    # --- inside ---

    def _play(self, actions, chosen):
        """Do what `step_chosen` does; `chosen` is checked already."""
        self._check_open()
        if not self._is_begun:
            raise ResetNeeded("no game has begun: call reset")
        many = self._batch
        waiting = many.episodes["is_waiting"].view(np.bool_) & chosen
        if self.metadata["autoreset_mode"] == AutoresetMode.DISABLED and waiting.any():
            raise ResetNeeded(f"game {int(waiting.argmax())} is over: call reset with it in options['reset_mask']")
        asked = check_row("actions", actions, self.num_envs, "iu")
        many.actions[:] = asked
        many.chosen[:] = chosen
        if self.on_illegal == "raise":
            self._refuse_illegal(asked)
        if self._asked is None:
            self._run(batch.step_range)
        else:
            self._asked.step(many, self._options.same_step, self._run)
        terminated = many.episodes["ended"].astype(np.bool_)
        last_deals, dealt = self._deals, terminated if self._options.same_step else waiting
        if dealt.any():
            self._note_dealt(dealt)
        info = self._info()
        if terminated.any():
            info |= self._last_info(terminated, last_deals)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(), many.episodes["reward"].copy(), terminated, truncated, info

    def _make_batch(self):
        many = self.num_envs
        return batch.Batch(
            states=self.ruleset.new_states(many),
            episodes=np.zeros(many, batch.EPISODE),
            actions=np.zeros(many, np.int64),
            chosen=np.zeros(many, np.bool_),
            canvases=self.ruleset.new_canvases(many),
            frames=self.ruleset.new_frames(many),
            last_frames=self.ruleset.new_frames(many),
        )

    def _begin(self, chosen):
        """Deal the chosen games, and let the opponent begin where it does."""
        many, (log, trials) = self._batch, self._scratch[0]
        many.chosen[:] = chosen
        batch.begin_chosen(self.ruleset.tables, log, trials, many, self._options)
        if self._asked is not None:
            self._asked.begin(many, chosen)
            self._run(batch.show_range)

    def _run(self, kernel):
        """Call a kernel of `batch` for all games, each thread for its share."""
        arguments = [
            (self.ruleset.tables, log, trials, self._batch, self._options, first, end)
            for (log, trials), (first, end) in zip(self._scratch, self._shares, strict=True)
        ]
        self._threads.run(kernel, arguments)

    def _check_open(self):
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed: make another one")

    def _lock_shared(self):
        """Make read-only what is handed out more than once."""
        for array in (self._everyone, self._nobody, self._deals):
            array.flags.writeable = False

    def _note_dealt(self, dealt):
        """Note the deals of the games that were just `dealt`, and draw their next episodes."""
        deals = np.where(dealt, self._batch.episodes["next_deal"], self._deals)
        deals.flags.writeable = False
        self._deals = deals
        for game in np.flatnonzero(dealt):
            self._draw_episode(game)

    def _seed(self, seeds, chosen):
        """Give the chosen games generators of their own."""
        for game in np.flatnonzero(chosen):
            if seeds[game] is not None or self._generators[game] is None:
                self._generators[game] = seeding.np_random(seeds[game])[0]

    def _draw_episode(self, game):
        """Draw deal and seat of the next episode, as `ZamekEnv.reset` does."""
        rng, episode = self._generators[game], self._batch.episodes[game]
        episode.next_deal = draw_deal(rng)
        episode.next_learner = batch.BOTH
        if self.opponent is not None:
            drawn = int(rng.integers(2))
            episode.next_learner = drawn if self.seat == "random" else self.seat

    def _check_mask(self, mask):
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = check_row("options['reset_mask']", mask, self.num_envs, "b")
        if not self._is_begun and not chosen.all():
            raise ValueError("options['reset_mask'] must choose all games the first time")
        return chosen.copy()

    def _refuse_illegal(self, actions):
        game = batch.find_illegal(self.ruleset.tables, self._batch)
        if game >= 0:
            given = tell_action(self.ruleset, self._batch.states[game], int(actions[game]))
            legal = shorten(", ".join(list_legal(self.ruleset, self._batch.states[game])))
            raise IllegalActionError(f"game {game}: {given} is illegal, legal are {legal}")

    def _observations(self):
        return {part: self._hand_out(array) for part, array in read_frames(self.ruleset, self._batch.frames).items()}

    def _hand_out(self, array):
        """Return a copy of `array`, or `array` itself, not to be written to: a step writes only what has changed."""
        if self.copy:
            return array.copy()
        array.flags.writeable = False
        return array

    def _info(self):
        """Return what `info` always holds; what can only be of ended games is that of none of them."""
        everyone = self._everyone
        return {
            "action_mask": self._hand_out(self._batch.frames["mask"]),
            "_action_mask": everyone,
            "current_player": self._batch.episodes["player"].copy(),
            "_current_player": everyone,
            "deal": self._deals,
            "_deal": everyone,
            "illegal_action": self._nobody,
            "_illegal_action": everyone,
        }

    def _last_info(self, ended, deals):
        """Return what `info` tells of the games that ended in this step, of these `deals`."""
        episodes, frames = self._batch.episodes, self._batch.last_frames
        names = {"r": "last_gain", "l": "last_length", "scores": "last_scores"}
        info = {"episode": {short: episodes[name].copy() for short, name in names.items()}, "_episode": ended.copy()}
        info |= {"illegal_action": episodes["is_illegal"].astype(np.bool_)}
        if self._options.same_step:
            last = read_frames(self.ruleset, frames[ended])
            seen = np.full(self.num_envs, None, dtype=object)
            for number, game in enumerate(np.flatnonzero(ended)):
                seen[game] = {"planes": last["planes"][number], "vector": last["vector"][number]}
            masks = np.zeros((self.num_envs, self.ruleset.num_actions), np.int8)
            masks[ended] = frames["mask"][ended]
            last_info = {"action_mask": masks, "_action_mask": ended.copy()}
            last_info |= {"deal": np.where(ended, deals, 0), "_deal": ended.copy()}
            info |= {"final_obs": seen, "_final_obs": ended.copy()}
            info |= {"final_info": last_info, "_final_info": ended.copy()}
        return info
