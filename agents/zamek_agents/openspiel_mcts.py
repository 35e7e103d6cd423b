"""The agent `openspiel-mcts`: the tree searches that come with OpenSpiel, in the games of `zamek_env.openspiel`."""

from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from zamek_agents.base import check_goes_on
from zamek_agents.options import name_agent, read_options
from zamek_env.base.chance import draw_deal
from zamek_env.game_protocol import GameProtocol
from zamek_env.openspiel import begin_at

_MOST = 2**32  # seeds of `RandomState` lie below


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    simulations: int = 200  # for a decision
    exploration: float = 1.4  # the constant of UCT
    rollouts: int = 1  # random games that value a position


# OpenSpiel's bots find no action by a single simulation: it values the position itself
RANGES = {"simulations": (2, 10**9), "exploration": (0.0, 1e6), "rollouts": (1, 10**6)}


class OpenSpielMCTS:
    """Searches by OpenSpiel's MCTS, or with hidden hands by its ISMCTS, and values positions by random games.

    `OpenSpielMCTS(simulations=500, rollouts=2)` and `OpenSpielMCTS("simulations=500,rollouts=2")` are the same;
    `Options` lists all options and their defaults. Raises `ValueError` or `TypeError` for anything else.
    """

    def __init__(self, options: str = "", **keywords: Any) -> None:
        self.options = read_options(Options(), RANGES, options, keywords)
        self.name = name_agent("openspiel-mcts", options, keywords, self.options)

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return the action it chooses. Raises `ValueError` where `game` is over, `TypeError` for an unknown kind."""
        check_goes_on(game)
        begun: Any = begin_at(game, deals_hands=False)  # type: ignore[arg-type]  # it refuses other kinds
        state = begun.new_initial_state()
        random_state = np.random.RandomState(draw_deal(rng) % _MOST)
        playouts = Playouts(self.options.rollouts, np.random.default_rng(draw_deal(rng)))
        simulations, exploration = self.options.simulations, self.options.exploration
        if begun.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            bot = mcts.MCTSBot(begun, exploration, simulations, playouts, random_state=random_state)
            return int(bot.step(state))
        bot = ismcts.ISMCTSBot(begun, playouts, exploration, simulations, random_state=random_state)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random_state.uniform))
        return int(bot.step(state))


class Playouts(mcts.Evaluator):
    """Values a state of `zamek_env.openspiel` by `rollouts` random rollouts, played in compiled code."""

    def __init__(self, rollouts: int, rng: np.random.Generator) -> None:
        self._rollouts, self._rng = rollouts, rng

    def evaluate(self, state: Any) -> np.ndarray[Any, Any]:
        """Return the mean returns of random games from `state` on."""
        return np.mean([state.node.play_out(self._rng) for _ in range(self._rollouts)], axis=0)

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return every legal action as equally likely, or the outcomes of chance."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]
