"""The agent `ppo` for Castle, the card game: plays the most probable action of a trained network."""

from os import PathLike

import numpy as np

from zamek_agents.castle_cards.network import RULESET, find_logits, read_network
from zamek_agents.castle_cards.self_play import PLAYERS, begin_games, show_decision
from zamek_agents.shipped import find_path
from zamek_env.castle_cards.game import CastleCards
from zamek_env.evaluation import PROBABILITY, Evaluation

SHIPPED = find_path("ppo", RULESET)


class PPOCards:
    """Plays games of two by a network that `zamek train` wrote, from what the player to decide knows.

    Args:
        path: a file of weights. None: those in the package.

    Raises `ValueError` where the file holds none, or there are none in the package.
    """

    def __init__(self, path: PathLike[str] | str | None = None) -> None:
        if path is None and not SHIPPED.is_file():
            raise ValueError(
                f"no weights of the agent 'ppo' are shipped for {RULESET}; learn some by "
                f"`zamek train --ruleset {RULESET} --out FOLDER` and name them by ppo:FOLDER/weights.npz"
            )
        self._weights = read_network(SHIPPED if path is None else path)
        self._games = begin_games(1, 1, 0)

    def choose(self, game: CastleCards) -> int:
        """Return the most probable action. Raises `ValueError` where not two play."""
        return int(self._find_logits(game).argmax())

    def evaluate(self, game: CastleCards) -> Evaluation:
        """Return the probability of each legal action. Raises `ValueError` where not two play."""
        legal = game.legal_actions()
        logits = self._find_logits(game)[legal].astype(np.float64)
        shares = np.exp(logits - logits.max())
        return Evaluation(legal, shares / shares.sum(), PROBABILITY)

    def _find_logits(self, game):
        if game.num_players != PLAYERS:
            raise ValueError(f"the agent 'ppo' plays castle-cards with {PLAYERS} players only, not {game.num_players}")
        show_decision(game.raw_states, 0, self._games, 0)
        return find_logits(self._weights, self._games.show)[0]
