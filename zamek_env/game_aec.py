"""What PettingZoo's AEC environments of all games share: one agent a player, rewards at the end."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from zamek_env.checks import check_whole, draw_deal, read_deal
from zamek_env.core.rewards import ILLEGAL_REWARD
from zamek_env.printing import print_text

Seen = TypeVar("Seen")  # what `observe` returns


def wrap(raw: AECEnv[str, Seen, int | None]) -> AECEnv[str, Seen, int | None]:
    """Return the environment `raw` in PettingZoo's usual wrappers."""
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class GameAEC(AECEnv[str, Seen, int | None]):
    """A `GameProtocol` game in turns; a subclass says how it is dealt, observed and drawn.

    It sets `game`, `np_random`, `possible_agents`, `agents`, `observation_spaces`, `action_spaces` and `render_mode`.
    """

    number: ClassVar[type[int] | type[float]] = float  # what rewards are

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
        self.game = self._deal(drawn if deal is None else deal)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, self.number(0))
        self._cumulative_rewards = dict.fromkeys(self.agents, self.number(0))
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

    def close(self) -> None:
        """Nothing is held open."""

    def _deal(self, deal: int) -> Any:
        """Return the new game of that deal."""
        raise NotImplementedError

    def _go_on(self):
        """Select the next agent, and give out the rewards at the end of the game."""
        if self.game.is_terminal:
            results = map(self.number, self.game.returns())
            self.rewards = dict(zip(self.possible_agents, results, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.game.current_player]
        if self.render_mode == "human":
            print_text(self.game)
