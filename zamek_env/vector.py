"""`ZamekVectorEnv`: many games at once as a Gymnasium `VectorEnv`, one call into compiled code a step."""

from collections.abc import Callable
from functools import partial
from os import PathLike
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from zamek_env.checks import check_choice
from zamek_env.components.model import Components
from zamek_env.core import batch
from zamek_env.core.rewards import REWARDS
from zamek_env.core.tables import NUM_PLAYERS
from zamek_env.flat import make_flat_space
from zamek_env.game import Game
from zamek_env.game_vector import GameVectorEnv
from zamek_env.opponents import AskedKernels, AskedOpponents, Opponent
from zamek_env.records.notation import list_legal, tell_action
from zamek_env.reused_arrays import ReusedArrays
from zamek_env.ruleset import get_ruleset
from zamek_env.shown import shorten
from zamek_env.shown_games import Shown
from zamek_env.spaces import make_action_space, make_observation_space, picture
from zamek_env.vector_settings import VectorSettings

OPPONENTS = ("random", "greedy")  # which play inside compiled code
ASKED_KERNELS = AskedKernels(batch.start_range, batch.finish_range, batch.show_range)


class ZamekVectorEnv(GameVectorEnv):
    """`num_envs` games at once, all in one array of state records.

    Without `opponent` the learner plays both seats: every observation is that of the player to decide, and the reward
    goes to who just acted. To train one side against another, name an `opponent`.

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
        autoreset_mode: `AutoresetMode.NEXT_STEP`, `SAME_STEP` or `DISABLED`, as Gymnasium defines them.
        copy: observations and masks are yours: they stay as they are as long as anybody holds them. Otherwise they are
            views of the environment's own memory, read-only and overwritten by the next step.
        threads: among which the games are split.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        flat: observations are one row of numbers a game, float32, as `gymnasium.spaces.flatten` makes them.
        render_mode: None, `"ansi"` or `"rgb_array"`: what `render` returns of each game.
        max_episode_steps: None, or after how many of the learner's decisions an episode is truncated.

    `info` always holds one entry a game of `action_mask` (int8), `current_player`, `deal` (int64) and `illegal_action`
    (bool, of the action just played). For games that ended in this step it also holds `result` (`total_reward` of the
    learner or of player 0, `length` in decisions, `scores`), and under SAME_STEP `final_obs` and `final_info` with the
    last `action_mask`, `deal` and `illegal_action`; `action_mask`, `current_player` and `deal` are then those of the
    next episode. The mask of a game that has terminated is all ones. `deal` names the episode to
    `reset(options={"deal": ...})`. The whole deck follows from it: it is there to repeat an episode, not for an agent.

    Copies and pickles are independent and go on as the original does; a process that is forked goes on with a copy.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were. After `close`
    every call raises `ClosedEnvironmentError`.
    """

    _num_players = NUM_PLAYERS

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = "zamek",
        opponent: str | Callable[[Game, np.random.Generator], int] | None = None,
        seat: Literal[0, 1, "random"] = "random",
        reward: Literal["win", "score", "delta"] = "win",
        on_illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        components: Components | PathLike[str] | str | None = None,
        flat: bool = False,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        super().__init__(
            num_envs, VectorSettings(on_illegal, autoreset_mode, copy, threads, flat, render_mode, max_episode_steps)
        )
        self.opponent = opponent
        self._has_opponents = opponent is not None
        is_compiled = isinstance(opponent, str) and opponent in OPPONENTS
        self.seat = check_choice("seat", seat, (0, 1, "random"))
        self.ruleset = get_ruleset(ruleset, components)
        observation_space = make_observation_space(self.ruleset)
        self._form = (self.num_envs, *(observation_space["planes"].shape or ()))  # of the planes of all games
        self._set_spaces(
            make_flat_space(observation_space) if self.flat else observation_space, make_action_space(self.ruleset)
        )
        options = batch.Options(
            opponent=OPPONENTS.index(opponent) if is_compiled else batch.OUTSIDE,
            reward=REWARDS.index(check_choice("reward", reward, REWARDS)),
            same_step=self._same_step,
            refresh=False,
        )
        self._options = options, options._replace(refresh=True)
        if opponent is not None and not is_compiled:
            self._asked = AskedOpponents(Opponent(opponent), partial(Game.from_state, self.ruleset), self.num_envs)
        self._batch, self._room = self._make_batch(), self._make_room()
        self._scratch = [(self.ruleset.new_log(), self.ruleset.new_states(2)) for _ in range(self.threads)]

    # --- what `GameVectorEnv` asks for ---

    def _new_seen(self) -> batch.Seen:
        return batch.Seen(*[arrays.take() for arrays in self._room])

    def _advance(self, refresh: bool) -> None:
        options = self._options[refresh]
        if self._asked is None:
            self._run(batch.step_range, options)
        else:
            self._asked.step(self._batch, ASKED_KERNELS, self._same_step, partial(self._run, options=options))

    def _masks(self) -> npt.NDArray[np.int8]:
        return self._batch.masks["mask"]

    def _shown(self) -> Shown:
        many, seen = self._batch, self._seen
        masks = seen.masks["mask"] if self.copy else many.masks["mask"]
        if self.flat:
            return Shown(seen.rows.view(np.float32).reshape(self.num_envs, -1), masks)
        planes = seen.planes if self.copy else many.planes
        vectors = seen.vectors if self.copy else many.vectors
        return Shown({"planes": planes["squares"].reshape(self._form), "vector": vectors["vector"]}, masks)

    def _last_shown(self) -> Shown:
        many = self._batch
        planes = many.last_planes["squares"].reshape(self._form)
        return Shown({"planes": planes, "vector": many.last_vectors["vector"]}, many.last_masks["mask"])

    def _note_last(self, games: npt.NDArray[np.bool_]) -> None:
        many = self._batch
        many.last_planes[games], many.last_masks[games] = many.planes[games], many.masks[games]
        many.last_vectors[games] = many.vectors[games]

    def _outcome(self) -> dict[str, npt.NDArray[Any]]:
        return {"scores": self._batch.episodes["last_scores"].copy()}

    def _note_outcome(self, games: npt.NDArray[np.bool_]) -> None:
        self._batch.episodes["last_scores"][games] = self._batch.states["score"][games]

    def _find_illegal(self) -> int:
        return batch.find_illegal(self.ruleset.tables, self._batch)

    def _tell_illegal(self, game: int) -> str:
        state, action = self._batch.states[game], int(self._batch.actions[game])
        legal = shorten(", ".join(list_legal(self.ruleset, state)))
        return f"{tell_action(self.ruleset, state, action)} is illegal, legal are {legal}"

    def _picture(self, game: int) -> str | npt.NDArray[np.uint8] | None:
        return picture(Game.from_state(self.ruleset, self._batch.states, game), self.render_mode)

    # --- inside ---

    def _make_batch(self):
        many, frame = self.num_envs, self.ruleset.frame_dtype
        ended = many * self._same_step  # how many games may end and be dealt anew at once
        return batch.Batch(
            states=self.ruleset.new_states(many),
            episodes=np.zeros(many, batch.EPISODE),
            actions=np.zeros(many, np.int64),
            chosen=np.zeros(many, np.bool_),
            canvases=self.ruleset.new_canvases(many),
            planes=np.zeros(many, batch.field_dtype(frame, "squares")),
            masks=np.zeros(many, batch.field_dtype(frame, "mask")),
            vectors=np.zeros(many, batch.field_dtype(frame, "vector")),
            last_planes=np.zeros(ended, batch.field_dtype(frame, "squares")),
            last_masks=np.zeros(ended, batch.field_dtype(frame, "mask")),
            last_vectors=np.zeros(ended, batch.field_dtype(frame, "vector")),
        )

    def _make_room(self):
        """Return the memory of each array of `Seen`, where there is none of those that are not asked for."""
        frame = self.ruleset.frame_dtype
        asked = {
            "planes": (self.copy and not self.flat, batch.field_dtype(frame, "squares")),
            "masks": (self.copy, batch.field_dtype(frame, "mask")),
            "vectors": (self.copy and not self.flat, batch.field_dtype(frame, "vector")),
            "rows": (self.flat, batch.row_dtype(frame)),
        }
        sizes = ((self.num_envs if asked[name][0] else 0, asked[name][1]) for name in batch.Seen._fields)
        return [ReusedArrays((size,), dtype) for size, dtype in sizes]

    def _run(self, kernel, options):
        """Call a kernel of `batch` for all games, each thread for its share."""
        arguments = [
            (self.ruleset.tables, log, trials, self._batch, self._seen, options, first, end)
            for (log, trials), (first, end) in zip(self._scratch, self._shares, strict=True)
        ]
        self._threads.run(kernel, arguments)
