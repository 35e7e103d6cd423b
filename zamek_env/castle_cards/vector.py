"""`CastleCardsVectorEnv`: many games of castle-cards at once, one call into compiled code a step."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.core import batch
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards.ruleset import CastleCardsRuleset, get_castle_cards_ruleset, make_observation_space
from zamek_env.common.checks import check_choice
from zamek_env.common.pickling import WritableArrays
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.game_vector import GameVectorEnv
from zamek_env.environments.obs_buffers import ObsBatch
from zamek_env.environments.opponents import AskedOpponents, Decider, Deciders, Opponents
from zamek_env.environments.vector_base import VectorSettings

COMPILED = "random"  # the opponents that play inside compiled code


class CastleCardsVectorEnv(GameVectorEnv[CastleCards]):
    """`num_envs` games of castle-cards at once, all in one array of state records.

    Without `opponent` the learner plays all seats: every observation is that of the player to decide, and the reward
    goes to who just acted. To train one player against others, name an `opponent`.

    Game number i seeded with s plays the same deals, from the same seats, as `CastleCardsEnv` seeded with s + i,
    whatever the number of games and threads. With opponents other than `"random"` the episodes are the same too;
    `"random"` has a chance of its own.

    Args:
        num_envs: how many games, at most 2**20.
        players: 2 to 5.
        opponents: None, then the seats alternate as in `CastleCardsEnv`; `"random"` for all other seats, which plays
            inside compiled code; or others, as in `CastleCardsEnv`. They are asked game by game, which is slow: each of
            their decisions takes as long as elsewhere. Whatever they raise leaves the games as they were.
        seat: of the learner where there are opponents: 0 to `players` - 1 or `"random"`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.NEXT_STEP`, `SAME_STEP` or `DISABLED` of Gymnasium, or its value: `"SameStep"`.
        copy: None or True, then observations and masks are yours: they stay as they are as long as anybody holds them;
            False, then they are read-only, and the next step overwrites them.
        threads: among which the games are split.
        flat: observations are one row of numbers a game, whatever their parts.
        render_mode: None, `"ansi"` or `"rgb_array"`: what `render` returns of each game.
        max_episode_steps: None, or after how many of the learner's decisions an episode is truncated.
        observation: None, or the parts of an observation, as in `CastleCardsEnv`.
        opponent: in place of `opponents`, one for all other seats.

    `info` always holds one entry a game of `action_mask` (int8), `current_player`, `deal` (both int64) and
    `illegal_action` (bool, of the action just played). For games that ended in this step it also holds `result`
    (`total_reward` of the learner or of player 0 and `returns` of all players, float64; `length` in decisions and
    `seat` of the learner or -1 where there are no opponents, int64), and under SAME_STEP `final_obs` and `final_info`
    with the last `action_mask`, `current_player`, `deal` and `illegal_action`; `action_mask`, `current_player` and
    `deal` are then those of the next episode. The mask of a game that has terminated is all ones, and `current_player`
    is -1.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were. After `close`
    every call raises `ClosedEnvironmentError`.
    """

    ruleset = ReadOnly[CastleCardsRuleset]()
    observation = ReadOnly[tuple[str, ...] | None]()
    _writes_all = True

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        opponents: Deciders | None = None,
        seat: int | Literal["random"] = "random",
        on_illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool | None = None,
        threads: int = 1,
        flat: bool = False,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        max_episode_steps: int | None = None,
        observation: Sequence[str] | None = None,
        opponent: Decider | None = None,
    ) -> None:
        super().__init__(
            num_envs, VectorSettings(on_illegal, autoreset_mode, copy, threads, flat, render_mode, max_episode_steps)
        )
        self.players = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.ruleset = get_castle_cards_ruleset(self.players)
        name, given = self._seat_learner(self.players, seat, opponent, opponents)
        self.observation = check_observation(observation)
        space = make_observation_space(self.players, self.observation, self.flat)
        self._set_spaces(space, spaces.Discrete(self.ruleset.num_actions))
        is_compiled = isinstance(given, str) and given == COMPILED
        if given is not None and not is_compiled:
            answering = Opponents(given, self.players, name)
            answering.check_game(CastleCards(self.players, seed=0))
            self._asked = AskedOpponents(answering, _revive, self.num_envs)
        options = batch.Options(self.players, self._same_step, self._asked is not None, refresh=False)
        self._set_up_kernels(batch, options)
        parts = ("vector",) if self.observation is None else self.observation
        form = self.num_envs, self.players, parts, self.flat and self.observation is not None
        self._batch = batch.make_batch(*form)
        self._parts = [*space] if isinstance(space, spaces.Dict) else []
        make_obs_arrays = partial(batch.make_obs_arrays, *form, self.copy is not False)
        self._set_up_obs(make_obs_arrays, _Show(self._batch.masks, self._parts))

    # --- what `GameVectorEnv` asks for ---

    def _masks(self) -> npt.NDArray[np.int8]:
        return self._batch.masks.view()

    def _last_obs(self) -> ObsBatch:
        last = batch.ObsArrays(*self._batch[-len(batch.ObsArrays._fields) :])
        return _show(last, self._parts, last.masks)

    def _note_last(self, games: npt.NDArray[np.bool_]) -> None:
        for last, now in zip(self._last_obs().list_arrays(), self._arrays.now.views.list_arrays(), strict=True):
            last[games] = now[games]

    def _results(self) -> tuple[str, npt.NDArray[Any]]:
        return "returns", self._batch.episodes["last_returns"][:, : self.players]

    def _note_cut_off(self, games: npt.NDArray[np.bool_]) -> None:
        self._batch.episodes["last_returns"][games] = 0

    def _find_illegal(self) -> int:
        many = self._batch
        known = (many.actions >= 0) & (many.actions < many.masks.shape[1])
        legal = known & (many.masks[np.arange(self.num_envs), np.where(known, many.actions, 0)] > 0)
        illegal = many.chosen & ~many.outcomes["is_waiting"].astype(np.bool_) & ~legal
        return int(illegal.argmax()) if illegal.any() else -1

    def _describe_illegal(self, game: int) -> str:
        return self._copy_game(game).why_illegal(int(self._batch.actions[game]))

    def _copy_game(self, game: int) -> CastleCards:
        return _revive(self._batch.states, game)


def _revive(states: npt.NDArray[np.record], number: int | np.integer, history: Iterable[int] = ()) -> CastleCards:
    """Return the game in `states[number]`, without how it got there."""
    return CastleCards.from_history(states[number : number + 1], ())


class _Show(WritableArrays):
    """Returns the views of observations for the caller, with the `masks` of the batch where they are not copied.

    `parts` are those of a dictionary of observations, none where an observation is one row of numbers.
    """

    def __init__(self, masks: npt.NDArray[np.int8], parts: Sequence[str]) -> None:
        self._masks, self._parts = masks, parts

    def __call__(self, seen: batch.ObsArrays) -> ObsBatch:
        return _show(seen, self._parts, seen.masks if len(seen.masks) else self._masks)


def _show(seen: batch.ObsArrays, parts: Sequence[str], masks: npt.NDArray[np.int8]) -> ObsBatch:
    if not parts:
        return ObsBatch((seen.flat if len(seen.flat) else seen.vectors).view(), masks.view())
    arrays: dict[str, npt.NDArray[Any]] = {"row_actions": seen.row_actions, "rows": seen.rows, "vector": seen.vectors}
    return ObsBatch({name: arrays[name].view() for name in parts}, masks.view())
