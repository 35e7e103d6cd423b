"""Carcassonne in PettingZoo's way: `from zamek_env import carcassonne_v0`, then `carcassonne_v0.env()`."""

from os import PathLike
from typing import Any, ClassVar, Literal

from pettingzoo import AECEnv

from zamek_env import aec
from zamek_env.components.model import Components

__all__ = ["env", "raw_env"]


def env(**arguments: Any) -> AECEnv[str, aec.AgentObservation, int | None]:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game and costs 1."""
    return aec.wrap(raw_env(**arguments))


class raw_env(aec.raw_env):  # noqa: N801 - PettingZoo's name for it
    """`zamek_env.aec.raw_env`, with the base set of Carcassonne unless `ruleset` says otherwise."""

    metadata: ClassVar[dict[str, Any]] = aec.raw_env.metadata | {"name": "carcassonne_v0"}

    def __init__(
        self,
        ruleset: str = "carcassonne",
        components: Components | PathLike[str] | str | None = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
    ) -> None:
        super().__init__(ruleset, components, render_mode)
