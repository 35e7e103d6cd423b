"""Games of tiles for PettingZoo: `from zamek_env import zamek_v0`, then `zamek_v0.env()`.

It plays Zamek unless `ruleset` says otherwise, and every ruleset of tiles, those of Carcassonne included.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import check_choice
from zamek_env.environments.flat import make_flat_space
from zamek_env.environments.game_aec import GameAEC, Masks
from zamek_env.environments.guarded_aec import guard, register
from zamek_env.game import Game
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.observer import Observer
from zamek_env.ruleset import make_action_space, make_observation_space

__all__ = ["env", "raw_env"]


class raw_env(GameAEC):  # noqa: N801 - PettingZoo's name for it
    """Zamek for two agents, Carcassonne for one to five, `player_0` …; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent sees, float32 `(entries,)`, and `action_mask`,
    int8 `(num_actions,)`. The mask is all 0 while the agent is not to decide, and all 1 once its game is over. Rewards
    are +1, 0 or −1 at the end; among more than two +1 for the winner and −1 ÷ (players − 1) for each other, a shared
    victory is split (rule C11).

    Args:
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        render_mode: `"ansi"`, `"rgb_array"`, or `"human"`, which prints the board after every legal step.
        flat: whether `observation` is one array, the parts one after the other, as `gymnasium.spaces.flatten` puts
            them; otherwise it is a dict of its parts, as in `zamek_env.single.ZamekEnv`.
        masks: `"observation"`, or `"info"`: then an observation is `observation` alone, and masks are in `infos`.
        observation: its parts, some of `"planes"`, `"codes"`, `"vector"` and `"rows"`. There are no rows while the
            agent is not to decide.
        players: how many play: 1 to 5 of Carcassonne, 2 within a wall; None: 2.
        rules: house rules by their names, as in `zamek_env.single.ZamekEnv`.
    """

    metadata: dict[str, Any] = GameAEC.metadata | {"name": "zamek_v0"}

    game: Game

    def __init__(
        self,
        ruleset: str = "zamek",
        components: AnyComponents = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = True,
        masks: Masks = "observation",
        observation: Sequence[str] = PLANE_PARTS,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self._is_flat = check_choice("flat", flat, (True, False))
        self.game = Game(ruleset, 0, components, players, rules)
        self._ruleset = self.game.ruleset  # a folder is read once
        parts = check_parts(observation)
        self._observer = Observer(self._ruleset, parts)
        named = make_observation_space(self._ruleset, parts)
        self._seat(make_flat_space(named) if flat else named, make_action_space(self._ruleset), masks)

    def _look(self, player: int) -> tuple[Any, npt.NDArray[np.int8] | None]:
        look = self._observer.look_flat if self._is_flat else self._observer.look
        seen, mask, decider, _ = look(self.game, player)
        return seen, mask if player == decider else None

    def _deal(self, deal: int) -> Game:
        return Game(self._ruleset.name, deal, self._ruleset.components)


env = guard(raw_env)
"""`raw_env` with the same arguments, but an illegal action ends the game and costs 1, as PettingZoo's wrappers do."""


register("zamek_v0")
