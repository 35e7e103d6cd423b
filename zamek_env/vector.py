"""`ZamekVectorEnv`: many games at once as a Gymnasium `VectorEnv`, one call into compiled code a step."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import Signature, signature
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from zamek_env.base.episode import OUTCOME
from zamek_env.base.rewards import REWARDS
from zamek_env.common.checks import check_choice
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show
from zamek_env.compiler.bound_kernel import BoundKernel
from zamek_env.core import batch
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.flat import make_flat_space
from zamek_env.environments.game_vector import GameVectorEnv
from zamek_env.environments.obs_buffers import Buffers, ObsBatch
from zamek_env.environments.opponents import AskedOpponents, Deciders, make_answering
from zamek_env.environments.vector_base import COMPILED_OPPONENTS, VectorSettings
from zamek_env.game import Game
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.notation.action_line import describe_illegal
from zamek_env.ruleset import Ruleset, get_ruleset, make_action_space, make_observation_space


class _SignatureOfInit:
    """The signature of a class by its `__init__`, where `__new__` would hide it."""

    def __get__(self, _: object, owner: type) -> Signature:
        _self, *arguments = signature(owner.__init__).parameters.values()  # type: ignore[misc]
        return Signature(arguments)


class ZamekVectorEnv(GameVectorEnv[Game]):
    """`num_envs` games at once, all in one array of state records.

    Without `opponent` the learner plays all seats: every observation is that of the player to decide, and the reward
    goes to who just acted. To train one side against another, name an `opponent`.

    Game number i seeded with s plays the same episodes as `ZamekEnv` seeded with s + i, whatever the number of games
    and threads; with a compiled opponent the deals and seats are the same, and the opponent's chance is its own.

    Args:
        num_envs: how many games, at most 2**20.
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        opponent: None, then the seats alternate as in `ZamekEnv`; `"random"` or `"greedy"`, which play inside compiled
            code; or any other agent by name, or a callable, as in `ZamekEnv`. That is asked game by game, which is
            slow: each of its decisions takes as long as elsewhere. The game that it gets does not show what the
            learner's action brought (`last_events`). Whatever it raises leaves the games as they were.
        seat: of the learner where there is an opponent: 0 to `players` - 1 or `"random"`.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekEnv`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.NEXT_STEP`, `SAME_STEP` or `DISABLED` of Gymnasium, or its value: `"SameStep"`.
        copy: None, then observations and masks are read-only, and stay as they are as long as anybody holds them;
            True, then they are copies, to which you may write; False, then they are read-only, and the next step
            overwrites them.
        threads: among which the games are split.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        flat: observations are one row of numbers a game, float32, as `gymnasium.spaces.flatten` makes them.
        render_mode: None, `"ansi"` or `"rgb_array"`: what `render` returns of each game.
        max_episode_steps: None, or after how many of the learner's decisions an episode is truncated.
        observation: its parts, some of `"planes"`, `"codes"`, `"vector"` and `"rows"`, as in `ZamekEnv`.
        players: how many play: 1 to 5 of Carcassonne, 2 within a wall; None: 2.
        rules: house rules by their names, as in `ZamekEnv`.
        opponents: in place of `opponent`, one for all other seats or a list of one for each, clockwise from the
            learner's left. One for all that is `"random"` or `"greedy"` plays inside compiled code.
        device: `"cpu"`; or `"cuda"`, `"cuda:1"` …: then the games are played on that GPU, and everything returned is a
            PyTorch tensor there. The environment is then a `zamek_env.cuda.vector.ZamekCudaVectorEnv`, which says what
            else differs.

    `info` always holds one entry a game of `action_mask` (int8), `current_player`, `deal` (both int64) and
    `illegal_action` (bool, of the action just played). For games that ended in this step it also holds `result`
    (`total_reward` of the learner or of player 0, float64; `length` in decisions, `scores` of each player, `seat` of
    the learner or -1 where there is no opponent, all int64), and under SAME_STEP `final_obs` and `final_info` with the
    last `action_mask`, `current_player`, `deal` and `illegal_action`; `action_mask`, `current_player` and `deal` are
    then those of the next episode. The mask of a game that has terminated is all ones, and `current_player` is -1.
    `deal` names the episode to `reset(options={"deal": ...})`. The whole deck follows from it: it is there to repeat an
    episode, not for an agent.

    Deep copies and pickles are independent and go on as the original does. A process that is forked goes on with a
    copy.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were. After `close`
    every call raises `ClosedEnvironmentError`.
    """

    reward = ReadOnly[Literal["win", "score", "delta"]]()
    observation = ReadOnly[tuple[str, ...]]()
    ruleset = ReadOnly[Ruleset]()

    def __new__(cls, *arguments: Any, **named: Any) -> Any:
        """Return an environment on the `device`: a `ZamekCudaVectorEnv` where that is a GPU."""
        if cls is not ZamekVectorEnv or str(named.get("device", "cpu")) == "cpu":  # or `torch.device("cpu")`
            return super().__new__(cls)
        with needs_extra("cuda", "device='cuda'"):
            from zamek_env.cuda.vector import ZamekCudaVectorEnv

            return ZamekCudaVectorEnv(*arguments, **named)

    __signature__ = _SignatureOfInit()

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = "zamek",
        opponent: str | Callable[[Game, np.random.Generator], int] | None = None,
        seat: int | Literal["random"] = "random",
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
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
        opponents: Deciders | None = None,
        device: Any = "cpu",
    ) -> None:
        if str(device) != "cpu":  # only a subclass comes here: `__new__` has dealt with all others
            raise ValueError(f"device must be 'cpu' for {type(self).__name__}, not {show(device)}")
        super().__init__(
            num_envs, VectorSettings(on_illegal, autoreset_mode, copy, threads, flat, render_mode, max_episode_steps)
        )
        self.reward = check_choice("reward", reward, REWARDS)
        self.ruleset = get_ruleset(ruleset, components, players, rules)
        self.players = self.ruleset.players
        name, given = self._seat_learner(self.players, seat, opponent, opponents)
        is_compiled = isinstance(given, str) and given in COMPILED_OPPONENTS
        self.observation = check_parts(observation)
        observation_space = make_observation_space(self.ruleset, self.observation)
        self._show = partial(_show, None if self.flat else observation_space)
        self._set_spaces(
            make_flat_space(observation_space) if self.flat else observation_space, make_action_space(self.ruleset)
        )
        self._find_illegal_in = BoundKernel(batch.find_illegal)
        if given is not None and not is_compiled:
            answering = make_answering(name, given, self.players)
            answering.check_game(Game(self.ruleset.name, 0, self.ruleset.components))
            self._asked = AskedOpponents(answering, partial(Game.from_state, self.ruleset), self.num_envs)
        self._batch = self._make_batch()
        last = _join_obs_arrays(np.zeros(0, self.ruleset.canvas_dtype), *self._batch[-3:])
        self._last = Buffers(last, partial(_view_obs, self._show))  # of games that ended and were reset
        make_obs_arrays = partial(_make_obs_arrays, self.num_envs, self.ruleset.canvas_dtype, *self._find_dtypes())
        self._set_up_obs(make_obs_arrays, partial(_view_obs, self._show))
        options = batch.Options(
            opponent=COMPILED_OPPONENTS.index(given) if is_compiled else batch.OUTSIDE,
            reward=REWARDS.index(self.reward),
            same_step=self._same_step,
            fetches=self._batch.states.nbytes > batch.AT_HAND,
            refresh=False,
        )
        self._set_up_kernels(batch, options)
        self._scratch = tuple(
            (self.ruleset.new_log(), self.ruleset.new_states(2) if is_compiled else None) for _ in range(self.threads)
        )

    # --- what `GameVectorEnv` asks for ---

    def _masks(self) -> npt.NDArray[np.int8]:
        return self._seen.masks["mask"]

    def _last_obs(self) -> ObsBatch:
        return self._last.views

    def _note_last(self, games: npt.NDArray[np.bool_]) -> None:
        many, seen = self._batch, self._seen
        many.last_planes[games], many.last_masks[games] = seen.planes[games], seen.masks[games]
        many.last_vectors[games] = seen.vectors[games]

    def _results(self) -> tuple[str, npt.NDArray[Any]]:
        return "scores", self._batch.episodes["last_scores"]

    def _note_cut_off(self, games: npt.NDArray[np.bool_]) -> None:
        self._batch.episodes["last_scores"][games] = self._batch.states["score"][games]

    def _find_illegal(self) -> int:
        return self._find_illegal_in.call(self.ruleset.tables, self._batch)

    def _describe_illegal(self, game: int) -> str:
        return describe_illegal(self.ruleset, self._batch.states[game], int(self._batch.actions[game]))

    def _copy_game(self, game: int) -> Game:
        return Game.from_state(self.ruleset, self._batch.states, game)

    def _list_own(self, thread: int) -> tuple[Any, ...]:
        return self.ruleset.tables, *self._scratch[thread]

    # --- inside ---

    def _make_batch(self):
        many = self.num_envs
        planes, masks, vectors = self._find_dtypes()
        ended = many * self._same_step  # how many games may end and be reset at once
        return batch.Batch(
            states=self.ruleset.new_states(many),
            episodes=np.zeros(many, batch.episode_dtype(self.players)),
            outcomes=np.zeros(many, OUTCOME),
            actions=np.zeros(many, np.int64),
            chosen=np.zeros(many, np.bool_),
            last_planes=np.zeros(ended, planes),
            last_masks=np.zeros(ended, masks),
            last_vectors=np.zeros(ended, vectors),
        )

    def _find_dtypes(self):
        """Return the dtypes of planes, masks and vectors, where planes and vectors may be rows of both."""
        frame = self.ruleset.frame_dtype(self.observation)
        masks = batch.fields_dtype(frame, "mask")
        if self.flat:
            return batch.flat_dtype(frame), masks, batch.flat_dtype(frame)
        return batch.fields_dtype(frame, *batch.BOARD_FIELDS.values()), masks, batch.fields_dtype(frame, *batch.VECTORS)


def _make_obs_arrays(count, canvas_dtype, planes, masks, vectors):
    """Return arrays of these dtypes for the observations of `count` games, in which nothing is shown yet."""
    canvases, shown, legal = np.zeros(count, canvas_dtype), np.zeros(count, planes), np.zeros(count, masks)
    return _join_obs_arrays(canvases, shown, legal, shown if vectors is planes else np.zeros(count, vectors))


def _join_obs_arrays(canvases, planes, masks, vectors):
    """Return `ObsArrays` whose `planes` hold the codes too, and whose `vectors` the rows."""
    return batch.ObsArrays(canvases, planes, planes, masks, vectors, row_actions=vectors, rows=vectors)


def _view_obs(show, seen):
    return show(seen.planes, seen.masks, seen.vectors)


def _show(space, planes, masks, vectors):
    """Return the views of such arrays for the caller; `space` is that of a game, None where it is one row."""
    if space is None:
        columns = planes.dtype.itemsize // np.dtype(np.float32).itemsize  # -1 would be unclear where there are no games
        return ObsBatch(planes.view(np.float32).reshape(len(planes), columns), masks["mask"])
    boards = {name: planes[field] for name, field in batch.BOARD_FIELDS.items()}
    seen = {
        name: boards[name].reshape(-1, *part.shape) if name in boards else vectors[name] for name, part in space.items()
    }
    return ObsBatch(seen, masks["mask"])
