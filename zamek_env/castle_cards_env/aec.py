"""castle-cards as a PettingZoo AEC environment."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.sizes import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards_env.spaces import RENDER_MODES, make_action_space, make_observation_space, picture
from zamek_env.checks import check_choice, check_whole, draw_deal, read_deal
from zamek_env.core.rewards import ILLEGAL_REWARD
from zamek_env.printing import print_text


class CardObservation(TypedDict):
    """What an agent sees, and what it may do: int8 `(num_actions,)`, all zeros while it is not to decide."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def env(**arguments: Any) -> AECEnv[str, CardObservation, int | None]:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game and costs 1."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, CardObservation, int | None]):  # noqa: N801 - PettingZoo's name for it
    """castle-cards for 2 to 5 agents, `player_0`, `player_1` …; an illegal action raises `IllegalActionError`.

    An agent's observation is a dict: `observation`, what that agent knows (float32, as in
    `zamek_env.castle_cards_env.single.CastleCardsEnv`), and `action_mask`, int8, all zeros while it is not to decide.
    Rewards come at the end: +1 for the winner, −1/(players − 1) for each other; a shared win divides both.

    Args:
        players: 2 to 5.
        render_mode: `"ansi"`, `"rgb_array"`, or `"human"`, which prints after every step what everybody sees.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "castle_cards_v0",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, players: int = 2, render_mode: Literal["ansi", "rgb_array", "human"] | None = None) -> None:
        super().__init__()
        self.players = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.render_mode = check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = CastleCards(players, seed=0)
        self.np_random, _ = seeding.np_random()
        self.possible_agents = [f"player_{player}" for player in range(players)]
        self.agents: list[str] = []
        mask = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": make_observation_space(players), "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: make_action_space() for agent in self.possible_agents}

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
        self.game = CastleCards(self.players, drawn if deal is None else deal)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
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

    def observe(self, agent: str) -> CardObservation:
        """Return what `agent` knows and may do."""
        player = self.possible_agents.index(agent)
        if player == self.game.current_player:
            mask = self.game.legal_action_mask().astype(np.int8)
        else:
            mask = np.zeros(self.game.num_actions, np.int8)
        return {"observation": self.game.observe(player), "action_mask": mask}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return what everybody sees as text (`"ansi"`) or pixels (`"rgb_array"`); `"human"` has printed it."""
        return picture(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _go_on(self):
        """Select the next agent, and give out the rewards at the end of the game."""
        if self.game.is_terminal:
            self.rewards = dict(zip(self.possible_agents, self.game.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.game.current_player]
        if self.render_mode == "human":
            print_text(self.game)
