"""Carcassonne for PettingZoo: `from zamek_env import carcassonne_v0`, then `carcassonne_v0.env()`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from zamek_env import zamek_v0
from zamek_env.common.messages import show
from zamek_env.components.box_folder import RULESETS
from zamek_env.environments.game_aec import Masks
from zamek_env.environments.guarded_aec import guard, register
from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.load import AnyComponents

__all__ = ["env", "raw_env"]

_RULESETS = tuple(name for name in RULESETS if name.startswith("carcassonne"))


class raw_env(zamek_v0.raw_env):  # noqa: N801 - PettingZoo's name for it
    """`zamek_env.zamek_v0.raw_env`, with the base set of Carcassonne unless `ruleset` says otherwise.

    Raises `ValueError` for a packaged ruleset of another game; `zamek_v0` plays those.
    """

    metadata: dict[str, Any] = zamek_v0.raw_env.metadata | {"name": "carcassonne_v0"}

    def __init__(
        self,
        ruleset: str = "carcassonne",
        components: AnyComponents = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = True,
        masks: Masks = "observation",
        observation: Sequence[str] = PLANE_PARTS,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        if components is None and not (isinstance(ruleset, str) and ruleset in _RULESETS):
            raise ValueError(
                f"ruleset must be one of {', '.join(_RULESETS)}, or with components the name of a ruleset of your "
                f"own, not {show(ruleset)}; zamek_v0 plays the others"
            )
        super().__init__(ruleset, components, render_mode, flat, masks, observation, players, rules)


env = guard(raw_env)
"""`raw_env` with the same arguments, but an illegal action ends the game and costs 1, as PettingZoo's wrappers do."""


register("carcassonne_v0")
