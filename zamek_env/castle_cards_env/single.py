"""`CastleCardsEnv`: castle-cards as a Gymnasium environment for one learner."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from zamek_env.castle_cards.components.sizes import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards_env.spaces import make_action_space, make_observation_space
from zamek_env.checks import check_choice
from zamek_env.core.rewards import ILLEGAL_REWARD
from zamek_env.core.tables import NONE
from zamek_env.environments.attributes import ReadOnly, Validated
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.reset_options import check_seat
from zamek_env.errors import IllegalActionError
from zamek_env.observer import Observation
from zamek_env.opponents import Deciders, Opponents
from zamek_env.spaces import RENDER_MODES, picture


class CastleCardsEnv(GameEnv):
    """Castle, a card game for 2 to 5 players with hidden hands, as a Gymnasium environment.

    **Without `opponents=` the learner plays all seats.** Rewards are then those of several players in turn. PPO, DQN
    and others sum up the rewards of an episode as if they were one player's, and learn the wrong thing from that. For
    those name opponents, such as `opponents="random"`.

    ## Seats
    Without opponents the environment alternates seats: every observation is that of the player to decide, and the
    reward of a step goes to the player who just acted, named by `info["current_player"]` of the step before. A player
    may decide several times in a row. With opponents it is the learner's own game: they answer inside `step`, and all
    observations and rewards are the learner's.

    ## Actions
    `Discrete`, one space for all decisions: to draw, to exchange or play a card of the hand, then what that asks for:
    cards, spaces, levels of piles, players, pawns, or to decline. The layout stands in
    `zamek_env.castle_cards.layout.actions`; what is legal in `info["action_mask"]` (int8) and `action_masks()` (bool).
    A decision with a single legal action is not asked for. Once the episode has terminated no action counts, and the
    mask is all ones.

    ## Observations
    By default a `Box`, float32 `(entries,)`: all that the observer knows (rule K10), the own hand first, and nothing
    else. Every entry has a name, see `zamek_env.castle_cards.layout.observation`. The number of entries depends on
    `players`. Where `observation` names parts, it is a `Dict` of them: this `vector`, and for `rows` what each legal
    action does, int8 `(rows, columns)`, with `row_actions`, int16 `(rows,)`, which action that is, see
    `zamek_env.castle_cards.layout.rows`. With `flat=True` they are one row of numbers, float32: these parts in the
    order of their names, each in C order.

    ## Rewards
    At the end +1 for the winner and −1/(players − 1) for each other; a shared win divides both (rule K9). 0 before.
    Alternating seats, the last step is rewarded with the result of the player who acted; `info["returns"]` holds all.

    ## Start and end
    `reset(options={"deal": number})` repeats a deal; `info["deal"]` names it. An episode terminates with the game and
    is never truncated. An illegal action ends it with reward −1 and `info["illegal_action"]`, or raises.

    ## Info
    `reset` and every `step` return the same keys: `action_mask` (int8), `current_player` (int, -1 once the episode is
    over), `returns` (float, of all players, 0 before the end), `deal` (int, its number), `illegal_action` (bool) and
    `illegal_reason` (text, empty where nothing was illegal). All hands follow from `deal`: it is there to repeat an
    episode, not for an agent.

    ## Arguments
    - `players`: 2 to 5.
    - `opponents`: None, one for all other seats, or a list of one for each, clockwise from the learner's left. Each is
      the name of an agent such as `"random"` or `"my_agent.py:MyAgent"` (`zamek_env.agent_names`), or a callable
      `(game, rng) -> action`, such as an agent's `act`. It is handed a copy of the game in which what is hidden from it
      is dealt at random (`zamek_env.fair_play`). Its chance follows from the deal. Whatever it raises leaves the
      episode as it was; `IllegalActionError` where its answer is not legal.
    - `seat`: of the learner where there are opponents: 0 to `players` − 1 or `"random"`.
    - `on_illegal`: `"lose"` or `"raise"`.
    - `render_mode`: `"ansi"`, `"rgb_array"`, or `"human"`, which prints after every legal step what everybody sees.
    - `flat`: observations are one row of numbers, as `gymnasium.spaces.flatten` makes them.
    - `observation`: None, or the parts of an observation, some of `"vector"` and `"rows"`.

    ## Versions
    - v1: observations are `vector`, `rows` and `row_actions`, from which a small network learns.
    - v0: observations are the vector alone.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012 - Gymnasium reads it
    players = ReadOnly[int]()
    opponents = ReadOnly[Deciders | None]()
    seat = Validated[int | Literal["random"]](
        lambda env, value: check_seat(value, env.players, "opponents", env.opponents)
    )
    flat = ReadOnly[bool]()
    observation = ReadOnly[tuple[str, ...] | None]()
    game: CastleCards
    action_space: spaces.Discrete
    observation_space: spaces.Space[Any]

    def __init__(
        self,
        players: int = 2,
        opponents: Deciders | None = None,
        seat: int | Literal["random"] = "random",
        on_illegal: Literal["lose", "raise"] = "lose",
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = False,
        observation: Sequence[str] | None = None,
    ) -> None:
        self.players = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.opponents = opponents
        answering = None if opponents is None else Opponents(opponents, self.players)
        self.seat = seat
        self.on_illegal = on_illegal
        self.render_mode = render_mode
        self.flat = check_choice("flat", flat, (True, False))
        self.game = CastleCards(self.players, seed=0)
        self._set_up(answering)
        self.observation = check_observation(observation)
        self.observation_space = make_observation_space(self.players, self.observation, self.flat)
        self.action_space = make_action_space()

    # --- the Gymnasium interface ---

    def step(
        self, action: int | np.integer
    ) -> tuple[Observation | npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play `action` for the player to decide; return (observation, reward, terminated, truncated, `info`).

        Raises `ResetNeeded` before the first `reset` and once the episode is over, `TypeError` where `action` is no
        whole number, `IllegalActionError` under `on_illegal="raise"`, and whatever an opponent raises. The episode is
        then as it was.
        """
        if self._is_over:
            raise ResetNeeded("the episode is over or not begun: call reset")
        mover = self.game.current_player
        before = None if self._answering is None else (self.game.copy(), deepcopy(self._chance))
        try:
            self.game.step(action)
        except IllegalActionError as error:
            if self.on_illegal == "raise":
                raise
            self._is_over = True
            seen, info = self._look()
            return seen, ILLEGAL_REWARD, True, False, info | {"illegal_action": True, "illegal_reason": str(error)}
        try:
            self._let_opponents_play()
        except BaseException:
            if before is not None:
                self.game, self._chance = before
            raise
        self._mover, self._is_over = mover, self.game.is_terminal
        self._render_human()
        seen, info = self._look()
        return seen, self.game.returns()[mover], self._is_over, False, info

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return what everybody sees as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it."""
        return picture(self.game, self.render_mode)

    # --- inside ---

    def _deal(self, number):
        return CastleCards(self.players, number)

    def _check_game(self, game):
        if game.num_players != self.players:
            raise ValueError(f"state is of {game.num_players} players, and this environment of {self.players}")

    def _look(self):
        """Return what the learner sees, or the player to decide, once it is over the one who acted last, and `info`."""
        decider = self._mover if self.game.is_terminal else self.game.current_player
        observer = decider if self._learner is None else self._learner
        return self.game.observe(observer, self.flat, self.observation), self._make_info()

    def _make_info(self):
        """Return `info`."""
        return {
            "current_player": NONE if self._is_over else self.game.current_player,
            "action_mask": self.action_masks().astype(np.int8),
            "returns": tuple(self.game.returns()),
            "deal": self.game.seed,
            "illegal_action": False,
            "illegal_reason": "",
        }
