"""The agents `random` and `greedy`, which need no training."""

from functools import cached_property

import numpy as np

from zamek_agents.base import RulesetAgent, check_goes_on, find_tile_ruleset
from zamek_env import Game
from zamek_env.base.chance import draw_deal, seed_generator
from zamek_env.common.checks import check_generator
from zamek_env.core import engine
from zamek_env.fair_play import proven_fair
from zamek_env.game_protocol import GameProtocol


@proven_fair
class RandomAgent:
    """Plays uniformly random legal actions."""

    name: str = "random"

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return a legal action, all equally likely.

        Raises `ValueError` where the game is over, `TypeError` where `rng` is no generator of numpy.
        """
        check_goes_on(game)
        return int(check_generator(rng).choice(game.legal_actions()))


@proven_fair
class GreedyAgent(RulesetAgent):
    """Plays the action with the highest value one decision ahead.

    `zamek_env.core.greedy` values actions of the tile games, `zamek_agents.castle_cards.worths` those of castle-cards.
    """

    name: str = "greedy"

    def __init__(self) -> None:
        self._generator = np.zeros(1, np.uint64)

    def check_game(self, game: GameProtocol) -> None:
        """Raise `OtherGameError`, a `TypeError`, where `game` is neither of tiles nor castle-cards."""
        self._find_cards(game)

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return the action it chooses. Raises as `check_game` does, and `ValueError` where the game is over."""
        cards = self._find_cards(game)
        if cards is None:
            return super().act(game, rng)
        check_goes_on(game)
        return cards.choose(game, rng)

    def _find_cards(self, game):
        """Return the chooser of a `game` that is not of tiles, None for one of tiles. Raises as `check_game` does."""
        if find_tile_ruleset(game):
            return None
        self._cards.check_game(game)
        return self._cards

    @cached_property
    def _cards(self):
        from zamek_agents.castle_cards.greedy import CastleCardsGreedy  # here, because not everybody plays cards

        return CastleCardsGreedy()

    def _prepare(self, game: Game) -> None:
        self._trials = game.ruleset.new_states(2)
        self._logs = game.ruleset.new_log()

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        seed_generator(self._generator, draw_deal(rng))
        tables = game.ruleset.tables
        return engine.choose_greedily(tables, game.raw_states, self._logs, self._trials, 0, self._generator)
