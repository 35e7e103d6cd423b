"""The arguments that the vector environments of all games take, and what is allowed for them."""

from dataclasses import dataclass
from typing import Literal

from gymnasium.vector import AutoresetMode

MAX_ENVS = 2**20  # games, of 12 to 26 kB each in the base game
AUTORESET_MODES = (*AutoresetMode, *(mode.value for mode in AutoresetMode))
RENDER_MODES = ("ansi", "rgb_array")
COMPILED_OPPONENTS = ("random", "greedy")  # which play inside compiled code


@dataclass(frozen=True)
class VectorSettings:
    """Arguments that all vector environments share, as the caller gave them; not checked yet."""

    on_illegal: Literal["lose", "raise"]
    autoreset_mode: AutoresetMode | str
    copy: bool | None
    threads: int
    flat: bool
    render_mode: Literal["ansi", "rgb_array"] | None
    max_episode_steps: int | None
