"""Carcassonne in PettingZoo's way: `from zamek_env import carcassonne_v0`, then `carcassonne_v0.env()`."""

from os import PathLike
from typing import Any, ClassVar, Literal

from zamek_env import aec
from zamek_env.aec_registry import register
from zamek_env.components.model import Components
from zamek_env.game_aec import Masks
from zamek_env.guarded_aec import GuardedAEC

__all__ = ["env", "raw_env"]


def env(**arguments: Any) -> GuardedAEC:
    """Return `raw_env` as PettingZoo's usual wrappers guard it: an illegal action ends the game and costs 1."""
    return GuardedAEC(raw_env(**arguments))


class raw_env(aec.raw_env):  # noqa: N801 - PettingZoo's name for it
    """`zamek_env.aec.raw_env`, with the base set of Carcassonne unless `ruleset` says otherwise."""

    metadata: ClassVar[dict[str, Any]] = aec.raw_env.metadata | {"name": "carcassonne_v0"}

    def __init__(
        self,
        ruleset: str = "carcassonne",
        components: Components | PathLike[str] | str | None = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = True,
        masks: Masks = "observation",
    ) -> None:
        super().__init__(ruleset, components, render_mode, flat, masks)


register("carcassonne_v0")
