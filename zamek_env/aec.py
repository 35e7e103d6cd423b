"""The game as a PettingZoo AEC environment."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from zamek_env.checks import check_choice, check_whole, draw_deal, read_deal
from zamek_env.components.model import Components
from zamek_env.core.rewards import ILLEGAL_REWARD
from zamek_env.game import Game
from zamek_env.printing import print_text
from zamek_env.spaces import Observation, Observer, make_action_space, make_observation_space, picture


class AgentObservation(TypedDict):
    """What an agent sees, and what it may do: int8 `(num_actions,)`, all zeros while it is not to decide."""

    observation: Observation
    action_mask: npt.NDArray[np.int8]


def env(**arguments: Any) -> AECEnv[str, AgentObservation, int | None]:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game and costs 1."""
    return wrap(raw_env(**arguments))


def wrap(raw: AECEnv[str, AgentObservation, int | None]) -> AECEnv[str, AgentObservation, int | None]:
    """Return the environment `raw` in PettingZoo's usual wrappers."""
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, AgentObservation, int | None]):  # noqa: N801 - PettingZoo's name for it
    """Zamek or Carcassonne for two agents, `player_0` and `player_1`; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent sees (`planes` and `vector`, as in
    `zamek_env.single.ZamekEnv`), and `action_mask`, int8, all zeros while it is not to decide. Rewards are +1, 0 or −1
    at the end.

    Args:
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        render_mode: `"ansi"`, `"rgb_array"`, or `"human"`, which prints the board after every step.
    """

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

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of `agent`'s observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of `agent`'s actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. `options["deal"]` names the deal, otherwise it is drawn from the generator.

        Raises `TypeError` or `ValueError` where that is no deal or there is any other option.
        """
        deal = read_deal(options, ignored=("options",))  # PettingZoo's `api_test` passes one of that name
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        drawn = draw_deal(self.np_random)
        self.game = Game(**self._arguments, seed=drawn if deal is None else deal)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play `action` for the selected agent; None once its game is over."""
        if not self.agents:
            raise ResetNeeded("no game has begun, or all agents have taken their last step: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.step(check_whole("action", action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> AgentObservation:
        """Return what `agent` sees and may do."""
        player = self.possible_agents.index(agent)
        seen, mask, decider, _ = self._observer.look(self.game, player)
        return {"observation": seen, "action_mask": mask if player == decider else np.zeros_like(mask)}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it already."""
        return picture(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _go_on(self):
        """Select the next agent, and give out the rewards at the end of the game."""
        if self.game.is_terminal:
            self.rewards = {
                agent: int(result) for agent, result in zip(self.possible_agents, self.game.returns(), strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.game.current_player]
        if self.render_mode == "human":
            print_text(self.game)
