"""`GameAEC`: any game as a PettingZoo AEC environment, with one agent a player and rewards at the end."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from zamek_env.base.chance import draw_deal
from zamek_env.base.records import NONE
from zamek_env.common.checks import check_choice, check_seed
from zamek_env.common.messages import show
from zamek_env.common.printing import print_text
from zamek_env.environments.game_env import OneGame
from zamek_env.environments.rendering import RENDER_MODES, list_render_modes
from zamek_env.environments.reset_options import read_deal
from zamek_env.game_protocol import PlayableGame, deal_first

Masks = Literal["observation", "info"]  # where masks of legal actions are
MASKS: tuple[Masks, ...] = ("observation", "info")
NOBODY_LEFT = "no game has begun, or all agents have taken their last step: call reset"


class GameAEC(OneGame, AECEnv[str, Any, int | None]):
    """A game for agents `player_0`, `player_1` …; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent sees, and `action_mask`, int8 `(num_actions,)`. The
    mask is all 0 while the agent is not to decide, and all 1 once its game is over. Rewards are the results of the
    game. `zamek_env.environments.guarded_aec.GuardedAEC` adds what PettingZoo's usual wrappers do.

    Args:
        deal: called with `seed`, a number from 0 to 2**63 - 1, returns the game, a
            `zamek_env.game_protocol.PlayableGame`: its class, for example.
        render_mode: `"ansi"` or `"human"`, which prints after every legal step what everybody sees; `"rgb_array"` where
            the game has a method `draw_rgb`.
        masks: `"observation"`, or `"info"`: then an observation is `observation` alone, and masks are in `infos`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo reads it from the class
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 2,
    }
    game: Any
    render_mode: str | None
    agents: list[str]
    terminations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(
        self,
        deal: Callable[..., PlayableGame],
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        masks: Masks = "observation",
    ) -> None:
        super().__init__()
        self.game = deal_first(deal)
        self._make = deal
        modes = list_render_modes(self.game)
        self.metadata = {"name": type(self.game).__name__} | self.metadata | {"render_modes": modes}
        self.render_mode = check_choice("render_mode", render_mode, (None, *modes))
        space = self._find_space()
        self._check_observe(space)
        self._seat(space, spaces.Discrete(self.game.num_actions), masks)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of `agent`'s observations, always the same object. Raises `ValueError` for no agent."""
        self._find_player(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of `agent`'s actions, always the same object. Raises `ValueError` for no agent."""
        self._find_player(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. `options["deal"]` names the deal, otherwise it is drawn from the generator.

        `seed` is None or a whole number of 0 or more. Raises `TypeError` or `ValueError` for a bad seed, a bad deal or
        any other option; nothing has changed then.
        """
        first = check_seed("seed", seed)
        deal = read_deal(options, ignored=("options",))  # PettingZoo's `api_test` passes one of that name
        if first is not None:
            self.np_random, _ = seeding.np_random(first)
        drawn = draw_deal(self.np_random)
        self.game = self._deal(drawn if deal is None else deal)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # what `_was_dead_step` left where the last game was broken off
        self._go_on()

    def step(self, action: int | np.integer | None) -> None:
        """Play `action` for the selected agent; None once its game is over.

        Raises `ResetNeeded` before the first game, and once all agents have taken their last step. Raises
        `IllegalActionError` for an illegal action and `TypeError` for what is no whole number: the game is then
        unchanged.
        """
        if not self.agents:
            raise ResetNeeded(NOBODY_LEFT)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.step(action)
        self._go_on()

    def observe(self, agent: str) -> Any:
        """Return what `agent` sees now, in new arrays.

        That is a dictionary of the `observation` and the `action_mask`, int8 `(num_actions,)`, or the observation alone
        where masks are in `infos`. Raises `ValueError` for no agent.
        """
        seen, legal = self._look(self._find_player(agent))
        if self._has_masks_in_infos:
            return seen
        return {"observation": seen, "action_mask": self._make_mask(agent, legal)}

    def end_illegally(self, reward: float) -> None:
        """End the game because the selected agent chose an illegal action, which is worth `reward` to it alone.

        Raises `ResetNeeded` as `step` does, `ValueError` where `reward` is no finite number.
        """
        if not self.agents:
            raise ResetNeeded(NOBODY_LEFT)
        if not isinstance(reward, int | float | np.number) or isinstance(reward, bool) or not np.isfinite(reward):
            raise ValueError(f"reward must be a finite number, not {show(reward)}")
        offender = self.agent_selection
        self._cumulative_rewards[offender] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0) | {offender: float(reward)}
        self._accumulate_rewards()
        self._deads_step_first()
        if self._has_masks_in_infos:
            self._write_infos()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return (observation, reward, terminated, truncated, info) of the selected agent.

        Raises `ResetNeeded` as `step` does.
        """
        if not self.agents:
            raise ResetNeeded(NOBODY_LEFT)
        agent = self.agent_selection
        seen, reward = self.observe(agent) if observe else None, self._cumulative_rewards[agent]
        return seen, reward, self.terminations[agent], self.truncations[agent], self.infos[agent]

    def close(self) -> None:
        """Nothing is held open."""

    def _seat(self, observation: spaces.Space[Any], actions: spaces.Discrete, masks: Masks) -> None:
        """Give each player of `game` an agent with its own spaces; no game has begun."""
        self._has_masks_in_infos = check_choice("masks", masks, MASKS) == "info"
        self.np_random, _ = seeding.np_random()
        self.possible_agents = [f"player_{player}" for player in range(self.game.num_players)]
        self._player_of = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.agents, self.terminations = [], {}
        mask = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        masked = spaces.Dict({"observation": observation, "action_mask": mask})
        seen = observation if self._has_masks_in_infos else masked
        self.observation_spaces = {agent: deepcopy(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: deepcopy(actions) for agent in self.possible_agents}

    def _find_player(self, agent: str) -> int:
        """Return the number of the player that `agent` is."""
        try:
            return self._player_of[agent]
        except (KeyError, TypeError):  # the latter where it is unhashable
            return self._player_of[check_choice("agent", agent, self.possible_agents)]

    def _make_mask(self, agent: str, legal: npt.NDArray[Any] | None) -> npt.NDArray[np.int8]:
        """Return the mask of `agent`: a view of `legal`, a bool or int8 array, if it is the agent's decision.

        Otherwise it is all 0. It is all 1 once the game is over, so that no learner divides by the number of actions.
        """
        if self.terminations.get(agent, True):
            return np.ones(self.game.num_actions, np.int8)
        return np.zeros(self.game.num_actions, np.int8) if legal is None else legal.view(np.int8)

    def _look(self, player: int) -> tuple[Any, npt.NDArray[Any] | None]:
        """Return what `player` sees, and which actions are legal, None where another decides; new arrays."""
        is_deciding = player == self.game.current_player
        return self._observe(player), self.game.legal_action_mask() if is_deciding else None

    def _go_on(self):
        """Select the next agent, and give out the rewards at the end of the game."""
        player = self.game.current_player
        if player == NONE:
            self.rewards = dict(zip(self.possible_agents, map(float, self.game.returns()), strict=True))
            self._accumulate_rewards()  # until now they were all 0
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[player]
        if self._has_masks_in_infos:
            self._write_infos()
        if self.render_mode == "human":
            print_text(self.game)

    def _write_infos(self):
        legal = self.game.legal_action_mask()
        self.infos = {
            agent: {"action_mask": self._make_mask(agent, legal if agent == self.agent_selection else None)}
            for agent in self.agents
        }
