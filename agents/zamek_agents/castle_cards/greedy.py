"""Greedy play of Castle, the card game, for Python."""

import numpy as np

from zamek_agents.base import OtherGameError, name_ruleset
from zamek_agents.castle_cards.greedy_choice import choose_greedily
from zamek_agents.castle_cards.survey import SURVEY
from zamek_agents.castle_cards.worths import make_worths
from zamek_env.castle_cards.game import CastleCards
from zamek_env.common.pickling import WritableArrays
from zamek_env.core.chance import seed_generator
from zamek_env.core.deals import draw_deal
from zamek_env.core.jit import kernel
from zamek_env.game_protocol import GameProtocol


class GreedyCards(WritableArrays):
    """Chooses greedily by the packaged table of worths."""

    def __init__(self) -> None:
        self._worths, self._seen = make_worths(), np.zeros(1, SURVEY)
        self._generator = np.zeros(1, np.uint64)

    def check_game(self, game: GameProtocol) -> None:
        """Raise `OtherGameError`, a `TypeError`, where `game` is no `CastleCards`."""
        if not isinstance(game, CastleCards):
            played = name_ruleset(game)
            raise OtherGameError(f"the agent 'greedy' plays games of tiles and castle-cards only, not {played}")

    def choose(self, game: CastleCards, rng: np.random.Generator) -> int:
        """Return the action that is worth most; ties are broken by `rng`."""
        return int(choose_by_number(game.raw_states, self._worths, self._seen, self._generator, draw_deal(rng)))


@kernel
def choose_by_number(states, worths, seen, generator, number):
    """Return the action chosen in `states[0]`; ties are broken as follows from `number`. Writes `seen`, `generator`."""
    seed_generator(generator, number)
    return choose_greedily(states[0], worths[0], seen[0], generator)
