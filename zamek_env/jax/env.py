"""`make`: games as pure functions of a state and a key, in the shape of pgx."""

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self

import jax
import jax.numpy as jnp
import numpy as np

from zamek_env.base.episode import EVERY_SEAT
from zamek_env.base.rewards import REWARDS
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.common.checks import check_absent, check_choice, check_flag
from zamek_env.common.messages import show
from zamek_env.components.box_folder import RULESETS
from zamek_env.core import batch
from zamek_env.environments.reset_options import check_seat
from zamek_env.environments.vector_base import COMPILED_OPPONENTS
from zamek_env.jax import ffi
from zamek_env.jax.castle_cards import RULESET, Cards
from zamek_env.jax.kernels import BEGIN, CONCEAL, STEP, WORDS, Settings
from zamek_env.jax.tiles import Tiles
from zamek_env.layout.observation import PARTS, ROW_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.ruleset import get_ruleset

BACKENDS = ("ffi", "callback")


@partial(
    jax.tree_util.register_dataclass,
    data_fields=(
        "current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask", "_step_count",
        "_game",
    ),
    meta_fields=(),
)  # fmt: skip
@dataclass(frozen=True)
class State:
    """A game, or with leading axes many: a pytree."""

    current_player: jax.Array  # int32: the player to decide; after the end who was last
    observation: dict[str, jax.Array]  # what that player sees: the parts asked for, as in the environments
    rewards: jax.Array  # float32 (players,): of all players, for the last step
    terminated: jax.Array  # bool
    truncated: jax.Array  # bool: always False, as games end by themselves
    legal_action_mask: jax.Array  # bool (actions,): all True after the end
    _step_count: jax.Array  # int32
    _game: tuple[jax.Array, ...]  # what else there is of the game, the hidden deal too, as bytes

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other fields. A step writes only what changes into observation and mask: leave these."""
        return replace(self, **changes)


class Env:
    """A game as pure functions: `init`, `step` and `conceal` of one game, for `jit`, `vmap` and `scan`.

    `make` returns one. All chance of a game lies in its deal, which follows from the key of `init`.
    """

    def __init__(self, game: Tiles | Cards, settings: Settings, backend: str) -> None:
        self._rules, self._settings, self.backend = game, settings, backend
        self._buffers = _list_shapes(game.shapes)
        brought = (((game.num_players,), np.float32), ((), np.bool_), ((), np.int32))
        self._results = (*self._buffers, *_list_shapes(brought))
        self._target = _register(game) if backend == "ffi" else None

    @property
    def id(self) -> str:
        """The name of the ruleset."""
        return self._rules.id

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self._rules.num_players

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return self._rules.num_actions

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each part of an observation."""
        return {name: shape.shape for name, shape in self._find_parts(self._buffers).items()}

    def init(self, key: jax.Array) -> State:
        """Return a new game, dealt by `key`, ready for the first decision."""
        blank = [jnp.zeros(shape.shape, shape.dtype) for shape in self._buffers]
        return self._play(BEGIN, blank, jax.random.bits(key, (WORDS,), jnp.uint32), jnp.int32(0))

    def step(self, state: State, action: jax.Array, key: jax.Array | None = None) -> State:
        """Return the game after `action`, an int32; `key` is not used, as all chance lies in the deal.

        A game that was over before stays unchanged, with rewards of 0. `on_illegal` of `make` says what an illegal
        action does. With `auto_reset`, a game that ends is reset: `terminated` and `rewards` are of the end, everything
        else is of the new game. Raises `TypeError` where `action` is no whole number, and `ValueError` where it or
        `state` is of more than one game, which `jax.vmap(env.step)` takes, and where `state` is of another ruleset or
        observation, as far as its arrays tell.
        """
        is_number = isinstance(action, jax.Array | np.ndarray | np.generic | float | int)
        kind = jnp.result_type(action) if is_number else type(action).__name__
        if not is_number or not jnp.issubdtype(kind, jnp.integer):
            raise TypeError(f"action must be a whole number, not {kind}")
        if jnp.shape(action) != ():
            raise ValueError(f"action must be of one game, not of shape {jnp.shape(action)}: use jax.vmap")
        number = jnp.asarray(action)
        if number.dtype.itemsize > np.int32().itemsize:  # a number that is too large stays illegal
            number = jnp.where((number >= 0) & (number < self.num_actions), number, -1)
        return self._play(STEP, self._list_buffers(state), number.astype(jnp.int32), state._step_count + 1)

    def conceal(self, state: State, key: jax.Array) -> State:
        """Return the game with everything redealt, by `key`, that the player to decide cannot know: for search.

        What that player sees stays as it is (rules Z31, K10), and nothing is left of the real deal.
        """
        words = jax.random.bits(key, (WORDS,), jnp.uint32)
        concealed = self._play(CONCEAL, self._list_buffers(state), words, state._step_count)
        return replace(concealed, rewards=state.rewards, terminated=state.terminated)

    # --- inside ---

    def _list_buffers(self, state):
        """Return the buffers of a `State`, which must be of one game, and as `init` returns it."""
        if not isinstance(state, State):
            raise TypeError(f"state must be a State, as init returns it, not {show(state)}")
        if jnp.shape(state.current_player) != ():
            raise ValueError(f"state must be of one game, not of shape {jnp.shape(state.current_player)}: use jax.vmap")
        hidden = iter(state._game)
        shown = {**state.observation, "mask": state.legal_action_mask}
        names = self._rules.names
        buffers = [next(hidden, None) if name is None else shown.get(name) for name in names]
        for name, buffer, due in zip(names, buffers, self._buffers, strict=True):
            given, allowed = "missing" if buffer is None else _describe(buffer), _describe(due)
            if given != allowed:
                what = f"its {name or 'game'} must be {allowed}, not {given}"
                raise ValueError(f"state must be of {self.id} as this env shows it: {what}")
        return buffers

    def _find_parts(self, buffers):
        """Return {part: its buffer}, in the order of the names."""
        parts = zip(self._rules.names, buffers, strict=True)
        return dict(sorted((name, buffer) for name, buffer in parts if name not in (None, "mask")))

    def _play(self, task, buffers, given, count):
        settings = self._settings._replace(task=task)
        shapes, after = self._results, len(buffers)
        if self._target is None:
            host = partial(_call_back, self._rules, settings, shapes)
            results = jax.pure_callback(host, shapes, *buffers, given, vmap_method="broadcast_all")
        else:
            aliases = {number: number for number in range(after)}  # what is written over is not copied in a scan
            call = jax.ffi.ffi_call(self._target, shapes, vmap_method="broadcast_all", input_output_aliases=aliases)
            results = call(*buffers, given, numbers=self._rules.list_numbers(settings))
        written, (rewards, terminated, players) = results[:after], results[after:]
        return State(
            current_player=players,
            observation=self._find_parts(written),
            rewards=rewards,
            terminated=terminated,
            truncated=jnp.zeros_like(terminated),
            legal_action_mask=written[self._rules.names.index("mask")],
            _step_count=count,
            _game=tuple(buffer for name, buffer in zip(self._rules.names, written, strict=True) if name is None),
        )


def make(
    ruleset: str = "zamek",
    observation: Sequence[str] = ROW_PARTS,
    opponent: Literal["random", "greedy"] | None = None,
    reward: str = "win",
    auto_reset: bool = False,
    on_illegal: Literal["lose", "ignore"] = "lose",
    players: int | None = None,
    components: AnyComponents = None,
    rules: Mapping[str, Any] | None = None,
    backend: Literal["ffi", "callback"] | None = None,
) -> Env:
    """Return an `Env` of a game of tiles, or of Castle.

    Args:
        ruleset: one of `zamek_env.RULESETS`, `"castle-cards"`, or with `components` the name of a ruleset of your own.
        observation: the parts of an observation, some of `"planes"`, `"codes"`, `"vector"` and `"rows"`, as in
            `ZamekEnv`; Castle has neither planes nor codes.
        opponent: who answers for the other seats, in compiled code; `"greedy"` plays tiles only. The learner's seat is
            drawn, `current_player` is always the learner, and observations are the learner's. None: all seats are
            played by who calls `step`.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekEnv`, of Castle `"win"` only. The rewards of all players
            add up to 0 where two play, and with `"win"`, except after an illegal action: only its player loses 1.
        auto_reset: a game that ends is reset in the same step, as by pgx's `auto_reset`; its deals follow from the
            first one.
        on_illegal: an illegal action loses the game, or is ignored: then nothing changes and the rewards are 0.
        players: how many play: 2 to 5 of Castle, 1 to 5 of Carcassonne, else 2; None: 2.
        components: component files of your own, as for `Game`.
        rules: house rules of a game of tiles, as for `Game`.
        backend: `"ffi"` lets XLA call compiled code, on the CPU. `"callback"` goes through Python, which takes a
            hundred microseconds and more for each call; it works on all devices and with all versions of jax. None:
            the first where it works, and the second with a warning elsewhere.

    Raises `ValueError` or `TypeError`, naming the argument, as the environments do.
    """
    is_cards = ruleset == RULESET
    if is_cards:
        check_absent(RULESET, components=components, rules=rules)
    elif components is None:
        check_choice("ruleset", ruleset, (*RULESETS, RULESET))
    tiles = None if is_cards else get_ruleset(ruleset, components, players, rules)
    parts = check_parts(observation, ROW_PARTS if is_cards else PARTS)
    answering = check_choice("opponent", opponent, (None, *COMPILED_OPPONENTS[: 1 if is_cards else None]))
    if tiles is not None:
        check_seat("random", tiles.players, "opponent", answering)  # there is none where one plays alone
    rewards = REWARDS[: 1 if is_cards else None]
    settings = Settings(
        task=BEGIN,
        opponent=batch.OUTSIDE if answering is None else COMPILED_OPPONENTS.index(answering),
        reward=rewards.index(check_choice("reward", reward, rewards)),
        learner=EVERY_SEAT if answering is None else 0,
        auto_reset=int(check_flag("auto_reset", auto_reset)),
        ignores_illegal=("lose", "ignore").index(check_choice("on_illegal", on_illegal, ("lose", "ignore"))),
    )
    check_choice("backend", backend, (None, *BACKENDS))
    if tiles is None:
        count = MIN_PLAYERS if players is None else players
        game: Any = Cards(check_choice("players", count, range(MIN_PLAYERS, MAX_PLAYERS + 1)), parts)
    else:
        game = Tiles(tiles, parts, answering is not None)
    if backend is not None:
        return Env(game, settings, backend)
    if problem := ffi.find_problem():
        warnings.warn(f"zamek_env.jax goes through Python at each step, which is slow: {problem}", stacklevel=2)
    return Env(game, settings, "callback" if problem else "ffi")


def _describe(array):
    return f"{jnp.result_type(array)} of shape {jnp.shape(array)}"


def _list_shapes(shapes):
    return tuple(jax.ShapeDtypeStruct(shape, kind) for shape, kind in shapes)


def _call_back(game, settings, shapes, *arguments):
    """Play games that lie in numpy arrays, as a handler does; return new arrays."""
    after = len(game.shapes)
    *buffers, given = map(np.asarray, arguments)
    many = buffers[1].shape[:-1]
    count = int(np.prod(many, dtype=np.int64))
    results = [np.empty((count, *shape.shape), shape.dtype) for shape in shapes]
    arrays = []
    for result, buffer, kind in zip(results, buffers, game.dtypes, strict=False):
        result[:] = buffer.reshape(result.shape)
        is_number = kind.names is None  # else they are records, one a game
        arrays.append(result.view(kind) if is_number else result.reshape(count, -1).view(kind).reshape(-1))
    game.play(settings, arrays, given.reshape((count, *given.shape[len(many) :])), results[after:])
    return tuple(result.reshape((*many, *shape.shape)) for result, shape in zip(results, shapes, strict=True))


# What XLA may call, or look at, as long as the process lives: compiled programs outlive the `Env` they were made of.
_handlers: dict[str, Any] = {}  # by target
_games: list[Any] = []


def _register(game):
    """Return the name of the target that plays games of these records; it is registered once."""
    name = f"zamek_env.{hashlib.sha256(game.kind.encode()).hexdigest()[:16]}"
    _games.append(game)
    if name not in _handlers:
        _handlers[name] = ffi.register(name, game.make_handler())
    return name
