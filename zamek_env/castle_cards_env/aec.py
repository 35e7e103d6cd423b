"""castle-cards as a PettingZoo AEC environment."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.sizes import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards_env.spaces import make_action_space, make_observation_space
from zamek_env.checks import check_choice
from zamek_env.environments.game_aec import GameAEC, Masks
from zamek_env.environments.guarded_aec import GuardedAEC, called_as
from zamek_env.spaces import RENDER_MODES, picture


class raw_env(GameAEC):  # noqa: N801 - PettingZoo's name for it
    """castle-cards for 2 to 5 agents, `player_0`, `player_1` …; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent knows (float32, as in
    `zamek_env.castle_cards_env.single.CastleCardsEnv`), and `action_mask`, int8 `(num_actions,)`. The mask is all 0
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

    metadata: ClassVar[dict[str, Any]] = {
        "name": "castle_cards_v0",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    game: CastleCards

    def __init__(
        self,
        players: int = 2,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = True,
        masks: Masks = "observation",
        observation: Sequence[str] | None = None,
    ) -> None:
        super().__init__()
        self._is_flat = check_choice("flat", flat, (True, False))
        self._parts = check_observation(observation)
        self.players = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.render_mode = check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = CastleCards(self.players, seed=0)
        self._seat(make_observation_space(self.players, self._parts, self._is_flat), make_action_space(), masks)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return what everybody sees as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it."""
        return picture(self.game, self.render_mode)

    def _look(self, player: int) -> tuple[Any, npt.NDArray[np.bool_] | None]:
        is_deciding = player == self.game.current_player
        seen = self.game.observe(player, self._is_flat, self._parts)
        return seen, self.game.legal_action_mask() if is_deciding else None

    def _deal(self, deal: int) -> CastleCards:
        return CastleCards(self.players, deal)


@called_as(raw_env)
def env(*args: Any, **kwargs: Any) -> GuardedAEC:
    """Return a `raw_env` as PettingZoo's usual wrappers guard it: an illegal action ends the game and costs 1.

    Arguments are those of `raw_env`.
    """
    return GuardedAEC(raw_env(*args, **kwargs))
