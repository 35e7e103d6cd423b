"""`CastleCardsEnv`: castle-cards as a Gymnasium environment for one learner."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards.ruleset import CastleCardsRuleset, make_observation_space
from zamek_env.common.checks import check_choice
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.opponents import Decider, Deciders
from zamek_env.observer import Observation


class CastleCardsEnv(GameEnv):
    """Castle, a card game for 2 to 5 players with hidden hands, as a Gymnasium environment.

    **Without `opponent=` the learner plays all seats.** Rewards are then those of several players in turn. PPO, DQN
    and others sum up the rewards of an episode as if they were one player's, and learn the wrong thing from that. For
    those name an opponent, such as `opponent="random"`.

    ## Seats
    Without opponents the environment alternates seats: every observation is that of the player to decide, and the
    reward of a step goes to the player who just acted, named by `info["current_player"]` of the step before. A player
    may decide several times in a row. With opponents it is the learner's own game: they answer inside `step`, and all
    observations and rewards are the learner's.

    ## Actions
    `Discrete`, one space for all decisions: to draw, to exchange or play a card of the hand, then what that asks for:
    cards, spaces, levels of piles, players, pawns, or to decline. `zamek_env.castle_cards.layout.actions` describes the
    layout; `info["action_mask"]` (int8) and `action_masks()` (bool) tell what is legal. A decision with a single legal
    action is not asked for. Once the episode has terminated no action counts, and the mask is all ones.

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
      `(game, rng) -> action`, such as an agent's `act`. It gets a copy of the game in which what is hidden from it is
      dealt at random (`zamek_env.fair_play`). Its chance follows from the deal. Whatever it raises leaves the episode
      as it was; `IllegalActionError` where its answer is not legal.
    - `seat`: of the learner where there are opponents: 0 to `players` − 1 or `"random"`.
    - `on_illegal`: `"lose"` or `"raise"`.
    - `render_mode`: `"ansi"`, `"rgb_array"`, or `"human"`, which prints after every legal step what everybody sees.
    - `flat`: observations are one row of numbers, as `gymnasium.spaces.flatten` makes them.
    - `observation`: None, or the parts of an observation, some of `"vector"` and `"rows"`.
    - `opponent`: in place of `opponents`, one for all other seats.

    ## Versions
    - v1: observations are `vector`, `rows` and `row_actions`, from which a small network learns.
    - v0: observations are the vector alone.
    """

    flat = ReadOnly[bool]()
    observation = ReadOnly[tuple[str, ...] | None]()
    ruleset = ReadOnly[CastleCardsRuleset]()
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
        opponent: Decider | None = None,
    ) -> None:
        self.flat = check_choice("flat", flat, (True, False))
        self.observation = check_observation(observation)
        super().__init__(partial(CastleCards, players), opponents, seat, on_illegal, render_mode, opponent)
        self.ruleset = self.game.ruleset

    def _find_space(self) -> spaces.Space[Any]:
        return make_observation_space(self.players, self.observation, self.flat)

    def _observe(self, player: int) -> Observation | npt.NDArray[np.float32]:
        return self.game.observe(player, self.flat, self.observation)
