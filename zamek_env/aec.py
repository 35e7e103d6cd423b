"""The game as a PettingZoo AEC environment."""

from os import PathLike
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from zamek_env.checks import check_choice
from zamek_env.components.model import Components
from zamek_env.game import Game
from zamek_env.game_aec import GameAEC, wrap
from zamek_env.spaces import Observation, Observer, make_action_space, make_observation_space, picture


class AgentObservation(TypedDict):
    """What an agent sees, and what it may do: int8 `(num_actions,)`, all zeros while it is not to decide."""

    observation: Observation
    action_mask: npt.NDArray[np.int8]


def env(**arguments: Any) -> AECEnv[str, AgentObservation, int | None]:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game and costs 1."""
    return wrap(raw_env(**arguments))


class raw_env(GameAEC[AgentObservation]):  # noqa: N801 - PettingZoo's name for it
    """Zamek or Carcassonne for two agents, `player_0` and `player_1`; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent sees (`planes` and `vector`, as in
    `zamek_env.single.ZamekEnv`), and `action_mask`, int8, all zeros while it is not to decide. Rewards are +1, 0 or −1
    at the end.

    Args:
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        render_mode: `"ansi"`, `"rgb_array"`, or `"human"`, which prints the board after every step.
    """

    number: ClassVar[type[int] | type[float]] = int
    metadata: ClassVar[dict[str, Any]] = {
        "name": "zamek_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str = "zamek",
        components: Components | PathLike[str] | str | None = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self._arguments: dict[str, Any] = {"ruleset": ruleset, "components": components}
        self.game = Game(**self._arguments, seed=0)
        if components is not None:
            self._arguments["components"] = self.game.ruleset.components  # a folder is read once
        self.np_random, _ = seeding.np_random()
        self._observer = Observer(self.game.ruleset)
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        mask = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": make_observation_space(self.game.ruleset), "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: make_action_space(self.game.ruleset) for agent in self.possible_agents}

    def observe(self, agent: str) -> AgentObservation:
        """Return what `agent` sees and may do."""
        player = self.possible_agents.index(agent)
        seen, mask, decider, _ = self._observer.look(self.game, player)
        return {"observation": seen, "action_mask": mask if player == decider else np.zeros_like(mask)}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it already."""
        return picture(self.game, self.render_mode)

    def _deal(self, deal: int) -> Game:
        return Game(**self._arguments, seed=deal)
