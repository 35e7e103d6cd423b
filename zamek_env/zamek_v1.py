"""Games of tiles for PettingZoo, with rows: `from zamek_env import zamek_v1`, then `zamek_v1.env()`.

It is `zamek_v0` with other defaults: an observation is a dict of `vector`, `rows` and `row_actions`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from zamek_env import zamek_v0
from zamek_env.environments.game_aec import Masks
from zamek_env.environments.guarded_aec import guard, register
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.load import AnyComponents

__all__ = ["env", "raw_env"]


class raw_env(zamek_v0.raw_env):  # noqa: N801 - PettingZoo's name for it
    """`zamek_env.zamek_v0.raw_env`, whose observations are the vector and a row for each legal action."""

    metadata: dict[str, Any] = zamek_v0.raw_env.metadata | {"name": "zamek_v1"}

    def __init__(
        self,
        ruleset: str = "zamek",
        components: AnyComponents = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = False,
        masks: Masks = "observation",
        observation: Sequence[str] = ROW_PARTS,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(ruleset, components, render_mode, flat, masks, observation, players, rules)


env = guard(raw_env)
"""`raw_env` with the same arguments, but an illegal action ends the game and costs 1, as PettingZoo's wrappers do."""


register("zamek_v1")
