"""`GameEnv`: what Gymnasium environments of one game have in common, whatever the game."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from zamek_env.checks import check_seed
from zamek_env.deals import draw_deal
from zamek_env.environments.attributes import Validated, check_on_illegal, check_render_mode
from zamek_env.environments.reset_options import TOOLS_OPTIONS, draw_seat, read_deal
from zamek_env.messages import show
from zamek_env.opponents import Answering
from zamek_env.pickling import PackedSpaces
from zamek_env.printing import print_text


@dataclass(frozen=True)
class EnvState:
    """What `GameEnv.get_state` returns."""

    game: Any
    learner: int | None
    rewarded: tuple[int, ...]
    mover: int
    is_over: bool
    generator: Mapping[str, Any]  # state of the bit generator
    seed: int | None  # that it began with
    chance: Any  # generators of the opponents
    has_opponents: bool  # also before the first episode, when there is no `learner` yet


class GameEnv(PackedSpaces, gym.Env[Any, Any]):
    """A game as an environment for one learner: episodes, seats, opponents, and states to go back to.

    Subclasses call `_set_up` once they have a `game`, and say how a game is dealt, played and seen.
    """

    game: Any  # a `GameProtocol`
    seat: Any  # an int, or "random"
    on_illegal = Validated[Literal["lose", "raise"]](check_on_illegal)
    render_mode: Any = Validated(check_render_mode)

    def _set_up(self, answering: Answering | None) -> None:
        """Prepare for the first `reset`; `answering` is who answers the learner, None where the seats alternate.

        Raises `TypeError` or `ValueError` where that does not play games such as `game`.
        """
        if answering is not None:
            answering.check_game(self.game)
        self._answering = answering
        self._learner: int | None = None  # the learner's seat this episode, None where the seats alternate
        self._chance: Any = None  # the generators of the opponents this episode
        self._rewarded: tuple[int, ...] = ()  # points of all players, as far as rewarded; () for none yet
        self._mover = 0  # who decided last for the learner, player 0 before anybody has
        self._is_over = True  # no step before reset

    # --- the Gymnasium interface ---

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game. `options["deal"]` names the deal, otherwise it is drawn from `np_random`.

        `seed` is None or a whole number of 0 or more. Raises `TypeError` or `ValueError` where it is none, where that
        is no deal or there is any other option. Nothing has changed then.
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

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_actions,)`; all between episodes. The name is sb3-contrib's."""
        is_over = self._is_over or self.game.is_terminal
        return np.ones(self.game.num_actions, np.bool_) if is_over else self.game.legal_action_mask()

    # --- for search ---

    def get_state(self) -> EnvState:
        """Return everything that the rest of the episode depends on, as a value for `set_state`.

        This includes what is hidden in the game and all later deals, so no agent should look at it.
        """
        drawn, chance = self.np_random.bit_generator.state, deepcopy(self._chance)
        seed = self._np_random_seed
        has_opponents = self._answering is not None
        return EnvState(
            game=self.game.copy(),
            learner=self._learner,
            rewarded=self._rewarded,
            mover=self._mover,
            is_over=self._is_over,
            generator=drawn,
            seed=seed,
            chance=chance,
            has_opponents=has_opponents,
        )

    def set_state(self, state: EnvState) -> tuple[Any, dict[str, Any]]:
        """Go back to where `get_state` returned `state`, and return (observation, info) there; it can be used again.

        Raises `TypeError` for anything else, and `ValueError` for a state of another ruleset, of other components, for
        another number of players, or of an environment with opponents where this one has none or the other way round.
        Nothing has changed then.
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

    def _deal(self, number: int) -> Any:
        """Return the game of a deal."""
        raise NotImplementedError

    def _look(self) -> tuple[Any, dict[str, Any]]:
        """Return what the learner, or the player to decide, sees, and `info`."""
        raise NotImplementedError

    def _check_game(self, game: Any) -> None:
        """Raise `ValueError` unless `game`, of the class that is played here, might be one of this environment."""
        raise NotImplementedError

    def _let_opponents_play(self) -> None:
        """Let the opponents decide until the learner is to, or the game is over. Raises what they raise."""
        if self._answering is not None and self._learner is not None:
            self._answering.answer(self.game, self._learner, self._chance)

    def _render_human(self) -> None:
        if self.render_mode == "human":
            print_text(self.game)
