"""castle-cards as a PettingZoo AEC environment."""

from typing import Any, ClassVar, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from zamek_env.castle_cards.components.sizes import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards_env.spaces import RENDER_MODES, make_action_space, make_observation_space, picture
from zamek_env.checks import check_choice
from zamek_env.game_aec import GameAEC, wrap


class CardObservation(TypedDict):
    """What an agent sees, and what it may do: int8 `(num_actions,)`, all zeros while it is not to decide."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def env(**arguments: Any) -> AECEnv[str, CardObservation, int | None]:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game and costs 1."""
    return wrap(raw_env(**arguments))


class raw_env(GameAEC[CardObservation]):  # noqa: N801 - PettingZoo's name for it
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

    def _deal(self, deal: int) -> CastleCards:
        return CastleCards(self.players, deal)
