"""The agent `star25`: expectiminimax with Star2.5, as in what is published on Carcassonne."""

from typing import Any, NamedTuple

import numpy as np

from zamek_agents.base import Hurrying, RulesetAgent
from zamek_agents.options import name_agent, read_options
from zamek_agents.search import star_search as kernels
from zamek_agents.search.base import can_solve
from zamek_agents.search.star_search import MAX_TURNS, make_room
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.core.state import copy_state
from zamek_env.fair_play import proven_fair
from zamek_env.ruleset import Ruleset

_CHUNK = 2_000  # nodes between two looks at whether it is hurried


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    turns: int = 2  # searched, this one included; then positions are valued as `greedy` values them
    probes: int = 5  # the probing factor: replies tried to see what a tile is worth at most


RANGES = {"turns": (1, MAX_TURNS), "probes": (0, 1000)}


@proven_fair
class Star25Agent(Hurrying, RulesetAgent):
    """Plays the best action by all that may be drawn next and all replies to it.

    Nothing is sampled, except that where a tile fits nowhere and more than two are left after it, one of them is taken
    as the next.

    `Star25Agent(turns=1)` and `Star25Agent("turns=1")` are the same; `Options` lists all options and their defaults.
    Raises `ValueError` or `TypeError` for anything else. `act` raises `ValueError` in a game that is not for two
    players, or with house rules by which players hold tiles or tiles go back into the bag.
    """

    def __init__(self, options: str = "", **keywords: Any) -> None:
        self.options = read_options(Options(), RANGES, options, keywords)
        self.name = name_agent("star25", options, keywords, self.options)

    def _check_weights(self, ruleset: Ruleset) -> None:
        if not can_solve(ruleset):
            raise ValueError(
                f"the agent {self.name!r} plays for two, without hands and with no tiles back in the bag; "
                "value, expectimax and mcts play all others too"
            )

    def _prepare(self, game: Game) -> None:
        self._check_weights(game.ruleset)
        self._room = make_room(game.ruleset)
        self._room.searches["probes"] = self.options.probes

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        copy_state(game.raw_states, 0, self._room.states, 0)
        self._room.searches["horizon"] = int(game.raw_states["drawn"][0]) + self.options.turns
        kernels.begin(game.ruleset.tables, self._room)
        with self._deciding():
            while not kernels.go_on(game.ruleset.tables, self._room, _CHUNK):
                if self._is_hurried and self._room.searches["best"][0] != NONE:
                    break
        return int(self._room.searches["best"][0])
