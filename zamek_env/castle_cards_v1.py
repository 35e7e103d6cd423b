"""castle-cards for PettingZoo, with rows: `from zamek_env import castle_cards_v1`, then `castle_cards_v1.env()`.

It is `castle_cards_v0` with other defaults: an observation is a dict of `vector`, `rows` and `row_actions`.
"""

from collections.abc import Sequence
from typing import Any, Literal

from zamek_env import castle_cards_v0
from zamek_env.environments.game_aec import Masks
from zamek_env.environments.guarded_aec import guard, register
from zamek_env.layout.observation import ROW_PARTS

__all__ = ["env", "raw_env"]


class raw_env(castle_cards_v0.raw_env):  # noqa: N801 - PettingZoo's name for it
    """`zamek_env.castle_cards_v0.raw_env`, whose observations are the vector and a row for each legal action."""

    metadata: dict[str, Any] = castle_cards_v0.raw_env.metadata | {"name": "castle_cards_v1"}

    def __init__(
        self,
        players: int = 2,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = False,
        masks: Masks = "observation",
        observation: Sequence[str] | None = ROW_PARTS,
    ) -> None:
        super().__init__(players, render_mode, flat, masks, observation)


env = guard(raw_env)
"""`raw_env` with the same arguments, but an illegal action ends the game and costs 1, as PettingZoo's wrappers do."""


register("castle_cards_v1")
