"""castle-cards for PettingZoo: `from zamek_env import castle_cards_v0`, then `castle_cards_v0.env(players=3)`."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards.ruleset import make_observation_space
from zamek_env.common.checks import check_choice
from zamek_env.environments.game_aec import GameAEC, Masks
from zamek_env.environments.guarded_aec import guard, register
from zamek_env.observer import Observation

__all__ = ["env", "raw_env"]


class raw_env(GameAEC):  # noqa: N801 - PettingZoo's name for it
    """castle-cards for 2 to 5 agents, `player_0`, `player_1` …; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent knows (float32, as in
    `zamek_env.castle_cards.single.CastleCardsEnv`), and `action_mask`, int8 `(num_actions,)`. The mask is all 0
    while the agent is not to decide, and all 1 once its game is over. Rewards come at the end: +1 for the winner,
    −1/(players − 1) for each other; a shared win divides both.

    Args:
        players: 2 to 5.
        render_mode: `"ansi"`, `"rgb_array"`, or `"human"`, which prints after every legal step what everybody sees.
        flat: whether `observation` is one array even where it has parts.
        masks: `"observation"`, or `"info"`: then an observation is `observation` alone, and masks are in `infos`.
        observation: None, then it is the vector alone; or its parts, some of `"vector"` and `"rows"`. There are no rows
            while the agent is not to decide.
    """

    metadata: dict[str, Any] = GameAEC.metadata | {"name": "castle_cards_v0"}

    game: CastleCards

    def __init__(
        self,
        players: int = 2,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = True,
        masks: Masks = "observation",
        observation: Sequence[str] | None = None,
    ) -> None:
        self._is_flat = check_choice("flat", flat, (True, False))
        self._parts = check_observation(observation)
        super().__init__(partial(CastleCards, players), render_mode, masks)
        self.players, self.ruleset = self.game.num_players, self.game.ruleset

    def _find_space(self) -> spaces.Space[Any]:
        return make_observation_space(self.game.num_players, self._parts, self._is_flat)

    def _observe(self, player: int) -> Observation | npt.NDArray[np.float32]:
        return self.game.observe(player, self._is_flat, self._parts)


env = guard(raw_env)
"""`raw_env` with the same arguments, but an illegal action ends the game and costs 1, as PettingZoo's wrappers do."""


register("castle_cards_v0")
