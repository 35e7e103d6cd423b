"""The agent `expectimax`: looks one round ahead, over its turn, the tile drawn next and the best reply."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.options import ANY
from zamek_agents.search import expectimax_search as kernels
from zamek_agents.search.base import SearchingAgent
from zamek_agents.search.evaluation import AUTO, EVALUATIONS, set_up_evaluation
from zamek_agents.search.solver import ENDGAME, ENDGAME_NODES, ENDGAME_RANGES
from zamek_agents.search.star_room import count_levels
from zamek_agents.value.choice import count_trials
from zamek_env.fair_play import proven_fair
from zamek_env.ruleset import Ruleset


class Options(NamedTuple):
    """What can be set, with its defaults."""

    width: int = 12  # placements looked at, those that promise most one decision ahead
    tiles: int = 24  # tiles looked at of those that may be drawn next
    behind: float = 3.0  # points a tile by which a way to play my turn may fall behind the best before it is given up
    turns: int = 0  # after the reply that are played on, by what is best one decision ahead, before evaluating
    evaluation: str = AUTO
    weights: str = ""  # file, or folder with a model, of those of `value`, in place of those shipped
    endgame: int = ENDGAME  # last tiles that are played exactly, the one in hand included; 0: none
    endgame_nodes: int = ENDGAME_NODES  # most positions looked at for that; where more are needed, it searches


BY_HAND = Options(turns=1)  # the defaults where the evaluation is not learned
RANGES = {
    "width": (1, kernels.MAX_WIDTH),
    "tiles": (1, 1000),
    "behind": (0.0, 1e6),
    "turns": (0, 1000),
    "evaluation": EVALUATIONS,
    "weights": ANY,
    **ENDGAME_RANGES,
}


@proven_fair
class ExpectimaxAgent(SearchingAgent):
    """Plays the action with the highest mean value after the opponent's best reply, over a sample of draws.

    `ExpectimaxAgent(width=6, tiles=12)` and `ExpectimaxAgent("width=6,tiles=12")` are the same; `Options` lists all
    options and their defaults. Raises `ValueError` or `TypeError` for anything else, and `FileNotFoundError` if there
    are no weights of that path. `act` raises `ValueError` if there are no weights for the game's ruleset.
    """

    kind, defaults, by_hand, ranges = "expectimax", Options(), BY_HAND, RANGES

    def _make_room(self, ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> None:
        trials = kernels.FIRST + count_levels(ruleset)
        self._rules = ruleset
        self._states = ruleset.new_states(trials + count_trials(ruleset.sizes))
        self._logs = ruleset.new_log()
        self.searches = np.zeros(1, kernels.search_dtype(ruleset))
        set_up_evaluation(self.searches, ruleset, weights)
        self.searches["trials"] = trials
        for field in ("width", "behind", "turns"):
            self.searches[field] = getattr(self.options, field)
        self.searches["sample"] = self.options.tiles

    def _warm_up(self) -> None:
        self._search(0)

    def _search(self, number: int) -> int:
        self.searches["number"] = number
        return kernels.choose(self._rules.tables, self._states, self._logs, self.searches)

    def _rate(self, number: int) -> dict[int, float]:
        self._search(number)
        search = self.searches[0]
        rated = ~np.isnan(search["first_values"])
        return dict(zip(search["open"][0][rated].tolist(), search["first_values"][rated].tolist(), strict=True))
