"""The decisions of a game of Castle, the card game, and what each cost."""

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.regret import Judge
from zamek_env.castle_cards.game import CastleCards

CASTLE_DECISION = np.dtype(
    [
        ("regret", np.float64),  # NaN where nobody looked
        ("turn", np.int32),  # of each player, from 1
        ("legal", np.int32),  # how many actions were legal: two or more
        ("player", np.int8),  # who decided
        ("phase", np.str_, 24),  # what was decided: a phase of `CastleCards`
    ]
)


def begin_castle_again(finished: CastleCards, actions: int = 0) -> CastleCards:
    """Return the game as it stood after so many actions."""
    assert finished.dealt_state is not None  # a record holds the deal
    return CastleCards.from_history(finished.dealt_state, finished.history[:actions], draws=finished.draws)


def list_castle_decisions(finished: CastleCards, number: int, judge: Judge) -> npt.NDArray[np.void]:
    """Play a finished game, the `number`-th of the analysis, again, and return its decisions of `CASTLE_DECISION`."""
    game, draws, rows = begin_castle_again(finished), finished.draws, []
    for place, action in enumerate(finished.history):
        turn = 1 + (int(game.raw_states[0].turns) - 1) // game.num_players
        regret = judge.find_regret(game, action, (number, place))
        rows.append((regret, turn, len(game.legal_actions()), game.current_player, game.phase))
        if place in draws:  # chance drew what the record says
            game = begin_castle_again(finished, place + 1)
        else:
            game.step(action)
    return np.array(rows, CASTLE_DECISION)
