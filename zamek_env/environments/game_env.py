"""`GameEnv`: any game as a Gymnasium environment for one learner, and `OneGame`, its base and that of `GameAEC`."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded

from zamek_env.base.chance import draw_deal
from zamek_env.base.records import NONE
from zamek_env.base.rewards import ILLEGAL_REWARD
from zamek_env.common.checks import check_seed
from zamek_env.common.messages import show
from zamek_env.common.pickling import PackedSpaces
from zamek_env.common.printing import print_text
from zamek_env.environments.attributes import ReadOnly, Validated, check_on_illegal
from zamek_env.environments.opponents import Answering, Decider, Deciders, Opponents, join_opponents
from zamek_env.environments.rendering import RENDER_MODES, check_render_mode, list_render_modes, picture
from zamek_env.environments.reset_options import TOOLS_OPTIONS, check_seat, draw_seat, read_deal
from zamek_env.errors import IllegalActionError
from zamek_env.game_protocol import PlayableGame, deal_first


class OneGame(PackedSpaces):
    """An environment of a `PlayableGame`, which `_make(seed=…)` returns; subclasses may override how."""

    game: Any
    metadata: dict[str, Any]
    render_mode: Any
    _make: Callable[..., Any]

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return what everybody sees as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it.

        Without a mode it returns None and warns.
        """
        if self.render_mode is None:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            logger.warn(f"render() shows nothing without a render_mode; name one as the environment is made: {modes}")
        return picture(self.game, self.render_mode)

    def _deal(self, number: int) -> Any:
        """Return the game of a deal."""
        return self._make(seed=number)

    def _find_space(self) -> spaces.Space[Any]:
        """Return the space of what a player sees."""
        space: spaces.Space[Any] = self.game.observation_space
        return space

    def _observe(self, player: int) -> Any:
        """Return what `player` sees."""
        return self.game.observe(player)

    def _check_observe(self, space: spaces.Space[Any]) -> None:
        """Raise `ValueError` unless what the player to decide sees is in `space`."""
        seen = self._observe(max(0, self.game.current_player))
        if seen not in space:
            name = type(self.game).__name__
            raise ValueError(
                f"observe of {name} must return what is in its observation_space {show(space)}, not {show(seen)}"
            )


@dataclass(frozen=True)
class EnvState:
    """The state of an environment, from `GameEnv.get_state`."""

    game: Any
    learner: int | None
    rewarded: tuple[int, ...]
    mover: int
    is_over: bool
    generator: Mapping[str, Any]  # state of the bit generator
    seed: int | None  # that it began with
    chance: Any  # generators of the opponents
    has_opponents: bool  # also before the first episode, when there is no `learner` yet


class GameEnv(OneGame, gym.Env[Any, Any]):
    """A game as an environment for one learner: episodes, seats, opponents, and states to go back to.

    Without `opponents` the seats alternate: every observation is that of the player to decide, and the reward of a step
    goes to the player who just acted, named by `info["current_player"]` of the step before. With opponents, all
    observations and rewards are the learner's. A reward is the result of the game, once it is over.

    `reset` and every `step` return an `info` of the same keys: `action_mask` (int8; all ones once the episode is over),
    `current_player` (int, -1 once it is over), `returns` (float, of all players), `deal` (int, its number),
    `illegal_action` (bool) and `illegal_reason` (text). All that is hidden follows from `deal`, so it is not for an
    agent.

    Args:
        deal: called with `seed`, a number from 0 to 2**63 - 1, returns the game, a
            `zamek_env.game_protocol.PlayableGame`: its class, for example.
        opponents: None, one for all other seats, or a list of one for each, clockwise from the learner's left: names of
            agents (`zamek_env.agent_names`) or callables `(game, rng) -> action`. They are asked fairly
            (`zamek_env.fair_play`). Whatever they raise leaves the episode as it was.
        seat: of the learner where there are opponents: its number or `"random"`.
        on_illegal: `"lose"` ends the episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        render_mode: `"ansi"` or `"human"`, which prints after every legal step what everybody sees; `"rgb_array"` where
            the game has a method `draw_rgb`.
        opponent: in place of `opponents`, one for all other seats.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012 - Gymnasium reads it
    game: Any  # a `PlayableGame`
    players = ReadOnly[int]()
    opponent = ReadOnly[Decider | None]()
    opponents = ReadOnly[Deciders | None]()
    seat = Validated[int | Literal["random"]](
        lambda env, value: check_seat(value, env.players, *join_opponents(env.opponent, env.opponents))
    )
    on_illegal = Validated[Literal["lose", "raise"]](check_on_illegal)
    render_mode: Any = Validated(check_render_mode)

    def __init__(
        self,
        deal: Callable[..., PlayableGame],
        opponents: Deciders | None = None,
        seat: int | Literal["random"] = "random",
        on_illegal: Literal["lose", "raise"] = "lose",
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        opponent: Decider | None = None,
    ) -> None:
        self.game = deal_first(deal)
        self._make = deal
        self.players = self.game.num_players
        self.opponent, self.opponents = opponent, opponents
        name, given = join_opponents(opponent, opponents)
        answering = None if given is None else Opponents(given, self.players, name)
        self.seat = seat
        self.on_illegal = on_illegal
        self.metadata = self.metadata | {"render_modes": list_render_modes(self.game)}
        self.render_mode = render_mode
        self._set_up(answering)
        self.observation_space = self._find_space()
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._check_observe(self.observation_space)

    def _set_up(self, answering: Answering | None) -> None:
        """Prepare for the first `reset`; `answering` answers the learner, None where the seats alternate.

        Raises `TypeError` or `ValueError` where that does not play games such as `game`.
        """
        if answering is not None:
            answering.check_game(self.game)
        self._answering = answering
        self._learner: int | None = None  # the learner's seat this episode, None where the seats alternate
        self._chance: Any = None  # the generators of the opponents this episode
        self._rewarded: tuple[int, ...] = ()  # points of all players, as far as rewarded; () for none yet
        self._player = NONE  # the player to decide
        self._mover = 0  # who decided last for the learner, player 0 before anybody has
        self._is_over = True  # no step before reset

    # --- the Gymnasium interface ---

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game. `options["deal"]` names the deal, otherwise it is drawn from `np_random`.

        `seed` is None or a whole number of 0 or more. Raises `TypeError` or `ValueError` for a bad seed, a bad deal or
        any other option; nothing has changed then.
        """
        first = check_seed("seed", seed)
        deal = read_deal(options, ignored=TOOLS_OPTIONS)
        before = None if self._answering is None else self.get_state()  # opponents may fail
        super().reset(seed=first)
        drawn = draw_deal(self.np_random)
        number = drawn if deal is None else deal
        self.game = self._deal(number)
        if self._answering is not None:
            self._learner = draw_seat(self.np_random, self.game.num_players, self.seat)
            self._chance = self._answering.new_chance(number)
        self._rewarded, self._mover = (), 0
        self._is_over = True  # until the opponents have begun
        try:
            self._let_opponents_play()
        except BaseException:
            if before is not None:
                self.set_state(before)
            raise
        self._is_over = False  # a game that is over as it begins ends with the first step
        self._render_human()
        return self._look()

    def step(self, action: int | np.integer) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play `action` for the player to decide; return (observation, reward, terminated, truncated, `info`).

        Raises `ResetNeeded` before the first `reset` and once the episode is over, `TypeError` where `action` is no
        whole number, `IllegalActionError` under `on_illegal="raise"`, and whatever an opponent raises. The episode is
        then unchanged.
        """
        if self._is_over:
            raise ResetNeeded("the episode is over or not begun: call reset")
        mover = self._player
        if mover == NONE:  # the game was over before the learner could decide: no action counts
            self._is_over = True
            seen, info = self._look()
            return seen, self._reward(self._learner or 0, info), True, False, info
        before = None if self._answering is None else self.game.copy()
        try:
            if before is None:
                seen, info = self._play(action)
            else:
                self.game.step(action)
        except IllegalActionError as error:
            if self.on_illegal == "raise":
                raise
            self._is_over = True
            seen, info = self._look()
            return seen, ILLEGAL_REWARD, True, False, info | {"illegal_action": True, "illegal_reason": str(error)}
        if before is not None:
            self._let_opponents_answer(before)
            self._mover = mover
            seen, info = self._look()
        self._is_over = self._player == NONE
        self._render_human()
        return seen, self._reward(mover, info), self._is_over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_actions,)`; all between episodes. The name is sb3-contrib's."""
        is_over = self._is_over or self.game.is_terminal
        return np.ones(self.game.num_actions, np.bool_) if is_over else self.game.legal_action_mask()

    # --- for search ---

    def get_state(self) -> EnvState:
        """Return everything that the rest of the episode depends on, as a value for `set_state`.

        This includes what is hidden in the game and all later deals, so no agent should look at it.
        """
        return EnvState(
            game=self.game.copy(),
            learner=self._learner,
            rewarded=self._rewarded,
            mover=self._mover,
            is_over=self._is_over,
            generator=self.np_random.bit_generator.state,
            seed=self._np_random_seed,
            chance=deepcopy(self._chance),
            has_opponents=self._answering is not None,
        )

    def set_state(self, state: EnvState) -> tuple[Any, dict[str, Any]]:
        """Go back to where `get_state` returned `state`, and return (observation, info) there; it can be used again.

        Raises `TypeError` for anything else, and `ValueError` for a state of another ruleset, of other components, for
        another number of players or actions, or of an environment with opponents where this one has none or the other
        way round. Nothing has changed then.
        """
        if not isinstance(state, EnvState):
            raise TypeError(f"state must be what get_state of such an environment returned, not {show(state)}")
        theirs, ours = (type(game).__name__ for game in (state.game, self.game))
        if theirs != ours:
            raise TypeError(f"state must be of an environment that plays {ours}, as this one does, not {theirs}")
        self._check_game(state.game)
        if state.has_opponents is not (self._answering is not None):
            given, wanted = ("an", "no") if state.has_opponents else ("no", "an")
            raise ValueError(
                f"state belongs to an environment with {given} opponent, and this one has {wanted} opponent"
            )
        self.game = state.game.copy()
        self._learner, self._rewarded, self._mover = state.learner, state.rewarded, state.mover
        self._is_over = state.is_over
        self.np_random.bit_generator.state = state.generator
        self._np_random_seed = state.seed
        self._chance = deepcopy(state.chance)
        return self._look()

    # --- inside ---

    def _play(self, action: int | np.integer) -> tuple[Any, dict[str, Any]]:
        """Play `action` and return what `_look` does then."""
        self.game.step(action)
        self._mover = self._player
        return self._look()

    def _look(self) -> tuple[Any, dict[str, Any]]:
        """Return the observation of the learner or the player to decide, at the end of who acted last, and `info`.

        Writes `_player`.
        """
        decider = self._mover if self.game.is_terminal else self.game.current_player
        observer = decider if self._learner is None else self._learner
        self._player = NONE if self._is_over else self.game.current_player
        return self._observe(observer), {
            "current_player": self._player,
            "action_mask": self.action_masks().astype(np.int8),
            "returns": tuple(self.game.returns()),
            "deal": self.game.seed,
            "illegal_action": False,
            "illegal_reason": "",
        }

    def _reward(self, mover: int, info: dict[str, Any]) -> float:
        """Return the reward of the player who acted, given the `info` of the step."""
        reward: float = info["returns"][mover]
        return reward

    def _check_game(self, game: Any) -> None:
        """Raise `ValueError` unless `game`, of the class that is played here, might be one of this environment."""
        for what in ("players", "actions"):
            theirs, ours = (getattr(one, f"num_{what}") for one in (game, self.game))
            if theirs != ours:
                raise ValueError(f"state is of {theirs} {what}, and this environment of {ours}")

    def _let_opponents_play(self) -> None:
        """Let the opponents decide until the learner must decide, or the game is over. Raises what they raise."""
        if self._answering is not None and self._learner is not None:
            self._answering.answer(self.game, self._learner, self._chance)

    def _let_opponents_answer(self, before: Any) -> None:
        """Let the opponents play; if that raises anything, restore the game `before` and their chance."""
        chances = self._chance if isinstance(self._chance, list) else [self._chance]
        drawn = [chance.bit_generator.state for chance in chances]
        try:
            self._let_opponents_play()
        except BaseException:
            self.game = before
            for chance, state in zip(chances, drawn, strict=True):
                chance.bit_generator.state = state
            raise

    def _render_human(self) -> None:
        if self.render_mode == "human":
            print_text(self.game)
