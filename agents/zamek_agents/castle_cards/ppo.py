"""The agent `ppo` for Castle, the card game: plays the most probable action of a trained network."""

from os import PathLike

import numpy as np

from zamek_agents.castle_cards.greedy import PATIENCE
from zamek_agents.castle_cards.network import PLAYERS, read_network
from zamek_agents.castle_cards.self_play import make_games, score_decision
from zamek_agents.shipped import find_path
from zamek_env.castle_cards.game import CastleCards
from zamek_env.common.pickling import WritableArrays
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.evaluation import PROBABILITY, Evaluation

SHIPPED = find_path("ppo", CASTLE_CARDS)


class PPOCards(WritableArrays):
    """Plays games of two by a network that `zamek train` wrote, from what the player to decide knows.

    Args:
        path: a file of weights. None: those in the package.

    Raises `ValueError` where the file holds none, or there are none in the package.
    """

    def __init__(self, path: PathLike[str] | str | None = None) -> None:
        if path is None and not SHIPPED.is_file():
            raise ValueError(
                f"no weights of the agent 'ppo' are shipped for {CASTLE_CARDS}; learn some by "
                f"`zamek train --ruleset {CASTLE_CARDS} --out FOLDER` and name them by ppo:FOLDER/weights.npz"
            )
        self._weights = read_network(SHIPPED if path is None else path)
        self._games = make_games(0)

    def check_game(self, game: CastleCards) -> None:
        """Raise `ValueError` where not two play."""
        if game.num_players != PLAYERS:
            raise ValueError(f"the agent 'ppo' plays castle-cards with {PLAYERS} players only, not {game.num_players}")

    def choose(self, game: CastleCards, rng: np.random.Generator) -> int:
        """Return the most probable action; in a game that has gone on for long, a random one, so that it ends.

        Raises `ValueError` where not two play.
        """
        if game.raw_states["turns"][0] > PATIENCE:
            self.check_game(game)
            return int(rng.choice(game.legal_actions()))
        evaluation = self.evaluate(game)
        return evaluation.actions[int(evaluation.values.argmax())]

    def evaluate(self, game: CastleCards) -> Evaluation:
        """Return the probability of each legal action. Raises `ValueError` where not two play."""
        self.check_game(game)
        count = score_decision(game.raw_states, self._games, self._weights)
        chances = dict(zip(self._games.options[:count].tolist(), self._games.chances[:count], strict=True))
        legal = game.legal_actions()
        return Evaluation(legal, np.array([chances[action] for action in legal], np.float64), PROBABILITY)
