"""The agent `ppo`: plays the most probable action of a trained network, for games of tiles or for Castle."""

from contextlib import contextmanager
from os import PathLike
from typing import Any

import numpy as np
import torch

from zamek_agents.base import RulesetAgent, check_goes_on
from zamek_agents.castle_cards.greedy import PATIENCE
from zamek_agents.castle_cards.network import PLAYERS, holds_network, read_network
from zamek_agents.castle_cards.self_play import make_games, score_decision
from zamek_agents.named_ruleset import check_ruleset
from zamek_agents.ppo.areas import describes
from zamek_agents.ppo.policy import add_state, load_policy, read_trained_for
from zamek_agents.pretrained import Pretrained, find_path, find_shipped, find_weights
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.common.pickling import WritableArrays
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_env.fair_play import proven_fair
from zamek_env.game_protocol import GameProtocol
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.observer import Observer
from zamek_env.ruleset import Ruleset
from zamek_env.sb3 import RowPolicy

SHIPPED = find_path("ppo", CASTLE_CARDS)


class CastleCardsPPO(WritableArrays):
    """Plays games of two by a network that `zamek train` wrote, from what the player to decide knows.

    Args:
        path: a file of weights. None: those in the package.

    Raises `ValueError` where the file holds no weights, or the package has none.
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
        """Raise `ValueError` unless two play."""
        if game.num_players != PLAYERS:
            raise ValueError(f"the agent 'ppo' plays castle-cards with {PLAYERS} players only, not {game.num_players}")

    def choose(self, game: CastleCards, rng: np.random.Generator) -> int:
        """Return the most probable action; in a game that has gone on for long, a random one, so that it ends.

        Raises `ValueError` unless two play.
        """
        if game.raw_states["turns"][0] > PATIENCE:
            self.check_game(game)
            return int(rng.choice(game.legal_actions()))
        evaluation = self.evaluate(game)
        return evaluation.actions[int(evaluation.values.argmax())]

    def evaluate(self, game: CastleCards) -> Evaluation:
        """Return the probability of each legal action. Raises `ValueError` unless two play."""
        self.check_game(game)
        count = score_decision(game.raw_states, self._games, self._weights)
        chances = dict(zip(self._games.options[:count].tolist(), self._games.chances[:count], strict=True))
        legal = game.legal_actions()
        return Evaluation(legal, np.array([chances[action] for action in legal], np.float64), PROBABILITY)


class NetworkAgent(RulesetAgent):
    """Plays the most probable action of the network `policy`. While it decides, torch uses one thread."""

    name: str = "network"

    def __init__(self, policy: RowPolicy) -> None:
        self._policy = policy

    def _prepare(self, game: Game) -> None:
        self._observer = Observer(game.ruleset, ROW_PARTS)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the most probable legal action; `rng` is not needed."""
        evaluation = self._evaluate(game, rng)
        return evaluation.actions[int(evaluation.values.argmax())]

    def _evaluate(self, game: Game, rng: np.random.Generator) -> Evaluation:
        """Return the probability with which the network plays each legal action."""
        seen: Any = self._observer.look(game)[0]
        one = add_state({name: part[None] for name, part in seen.items()}, game.raw_states)
        features: Any = self._policy.features_extractor
        with _one_thread(), torch.no_grad():
            logits, _ = features.score({name: torch.from_numpy(part) for name, part in one.items()})
            spread = torch.softmax(logits[0], dim=0)
        return Evaluation(game.legal_actions(), spread.numpy().astype(np.float64), PROBABILITY)


@proven_fair
class PPOAgent(NetworkAgent, Pretrained):
    """Plays the most probable action of a network that `zamek train` wrote. It sees what both players see.

    Castle-cards has another kind of network (`zamek_agents.castle_cards.network`), and its own files.

    Args:
        path: a file of weights, a checkpoint, or a folder that `save_pretrained` wrote. None: the weights in the
            package for the game's ruleset.

    While it decides, torch uses one thread: for one position that is fastest, and the result is the same on every
    machine. Elsewhere its number of threads is unchanged.

    Raises `ValueError` where the file holds no such policy. `act` raises it where the policy was trained for another
    ruleset than that of the game or on other components, or none is shipped for it, and in a game that is not for two
    players or has house rules.
    """

    kind = "ppo"
    plays = "games of tiles and castle-cards"

    def __init__(self, path: PathLike[str] | str | None = None) -> None:
        self.name = self.kind if path is None else f"{self.kind}:{path}"
        self._path = None if path is None else find_weights(path, self.kind)
        self._cards: CastleCardsPPO | None = None  # for castle-cards, once it is ready
        if self._path is not None and holds_network(self._path):
            self._cards = CastleCardsPPO(self._path)
            return
        self._policy: Any = None  # a `RowPolicy` over `AreaFeatures`, once it is ready
        if self._path is not None and read_trained_for(self._path).components is None:
            load_policy(self._path)  # a file that holds no policy is refused now, not in the middle of a game

    def check_game(self, game: GameProtocol) -> None:
        """Raise `ValueError` where the network plays another kind, `OtherGameError` where none plays that of `game`."""
        if cards := self._find_cards(game):
            cards.check_game(game)
        else:
            super().check_game(game)

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return the most probable action. Raises as the class says, and `ValueError` where the game is over."""
        cards = self._find_cards(game)
        return cards.choose(game, rng) if cards else super().act(game, rng)

    def evaluate(self, game: GameProtocol, rng: np.random.Generator) -> Evaluation:
        """Return the probability with which it plays each legal action. Raises as `act` does."""
        cards = self._find_cards(game)
        return cards.evaluate(game) if cards else super().evaluate(game, rng)

    def _find_cards(self, game):
        """Return the chooser in a game of castle-cards, None for another game. Raises `ValueError` where it is over."""
        if isinstance(game, CastleCards):
            check_goes_on(game)
            if self._cards is None:
                self._cards = CastleCardsPPO(self._path)
            return self._cards
        if self._path is not None and self._cards is not None:
            raise ValueError(f"{self._path} was trained for castle-cards, not for games of tiles")
        return None

    def _find_path(self, ruleset):
        return find_shipped("ppo", ruleset) if self._path is None else self._path

    def _check_weights(self, ruleset: Ruleset) -> None:
        if not describes(ruleset):
            raise ValueError(
                f"the agent {self.name!r} knows games of two players without house rules only; "
                "value, expectimax and mcts know all others too"
            )
        path = self._find_path(ruleset)
        check_ruleset(path, read_trained_for(path), ruleset)

    def _prepare(self, game: Game) -> None:
        ruleset = game.ruleset
        self._check_weights(ruleset)
        self._policy, _ = load_policy(self._find_path(ruleset), ruleset)
        super()._prepare(game)


@contextmanager
def _one_thread():
    """Let torch use one thread, and afterwards as many as before."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
