"""Who plays the other seats in an environment of castle-cards."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from zamek_env.castle_cards.game import CastleCards
from zamek_env.messages import show
from zamek_env.opponents import Opponent, suggest_method

Decider: TypeAlias = str | Callable[[CastleCards, np.random.Generator], int]
Deciders: TypeAlias = Decider | Sequence[Decider]


class Opponents:
    """The opponents of one learner: `given` is one name or callable for all of them, or a list of one each.

    The first of a list sits to the learner's left, and so on clockwise. Raises `ValueError` where a list has another
    length, and as `zamek_env.opponents.Opponent` does.
    """

    def __init__(self, given: Deciders, players: int) -> None:
        listed = [given] * (players - 1) if isinstance(given, str) or callable(given) else given
        if not isinstance(listed, list | tuple):
            raise TypeError(
                f"opponents must be None, one name or callable (game, rng) -> action, or a list of them, "
                f"not {show(given)}{suggest_method('opponents', given)}"
            )
        if len(listed) != players - 1:
            raise ValueError(
                f"opponents must be one for all, or a list of {players - 1} for {players} players, not {show(given)}"
            )
        if any(one is None for one in listed):
            raise TypeError(f"opponents must hold a name or a callable for each other player, not {show(given)}")
        self._opponents = [Opponent(one, "opponents") for one in listed]

    def new_chance(self, deal: int) -> list[np.random.Generator]:
        """Return a generator for each of them, as it is in the game of that `deal`."""
        return [np.random.default_rng((deal, number)) for number in range(len(self._opponents))]

    def check_game(self, game: CastleCards) -> None:
        """Raise as `zamek_env.opponents.Opponent.check_game` does, where one of them does not play such games."""
        for opponent in self._opponents:
            opponent.check_game(game)

    def answer(self, game: CastleCards, learner: int, chance: Sequence[np.random.Generator]) -> None:
        """Let them decide, fairly (`zamek_env.fair_play`), until the player `learner` is to decide or it is over.

        Raises what they raise, and `IllegalActionError` or `TypeError` where an answer is no legal action.
        """
        while not game.is_terminal and game.current_player != learner:
            number = (game.current_player - learner) % game.num_players - 1
            self._opponents[number].play(game, chance[number])
