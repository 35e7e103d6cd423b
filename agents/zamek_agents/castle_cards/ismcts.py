"""The agent `ismcts`: searches a tree of information sets by simulated games."""

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.base import NODES_A_SECOND, Hurrying, OtherGameError, check_goes_on, name_ruleset
from zamek_agents.castle_cards import ismcts_search as kernels
from zamek_agents.castle_cards.worths import make_worths
from zamek_agents.options import name_agent, read_options
from zamek_env.base.chance import draw_deal
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import new_states
from zamek_env.common.pickling import WritableArrays
from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_env.fair_play import proven_fair
from zamek_env.game_protocol import GameProtocol

GREEDY, RANDOM = "greedy", "random"


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    simulations: int = 2000  # for a decision
    seconds: float = 0.0  # for a decision, in place of a number of simulations; 0: that number
    turns: int = 8  # this one included, that are played before evaluating
    rollout: str = GREEDY  # how players of simulations play beyond the tree
    exploration: float = 0.5
    width: float = 1.0  # actions looked at after n visits of a decision: this times the square root of n
    unit: float = 2.2  # actions ahead that make somebody e times as likely to win
    nodes: int = 1_000_000  # most nodes of the tree


RANGES = {
    "simulations": (1, 10**9),
    "seconds": (0.0, 1e6),
    "turns": (1, 100_000),
    "rollout": (GREEDY, RANDOM),
    "exploration": (0.0, 1e6),
    "width": (1e-3, 1e6),
    "unit": (1e-3, 1e6),
    "nodes": (2, 10**8),  # the root and a child to decide for
}


@proven_fair
class ISMCTSAgent(Hurrying, WritableArrays):
    """Simulates games on deals that agree with what it knows, and plays the action visited most.

    `ISMCTSAgent(simulations=500, turns=10)` and `ISMCTSAgent("simulations=500,turns=10")` are the same; `Options` lists
    all options and their defaults. Raises `ValueError` or `TypeError` for anything else.
    """

    def __init__(self, options: str = "", **keywords: Any) -> None:
        self.options = read_options(Options(), RANGES, options, keywords)
        self.name = name_agent("ismcts", options, keywords, self.options)
        self._searches: npt.NDArray[Any] = np.zeros(1, kernels.SEARCH)
        self._nodes: npt.NDArray[Any] = np.zeros(0, kernels.NODE)  # none until it is ready

    def check_game(self, game: GameProtocol) -> None:
        """Raise `OtherGameError`, a `TypeError`, where `game` is no `CastleCards`."""
        if not isinstance(game, CastleCards):
            raise OtherGameError(f"the agent {self.name!r} plays castle-cards only, not {name_ruleset(game)}")

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return the action it chooses.

        Raises `TypeError` where `game` is no `CastleCards`, `ValueError` where it is over.
        """
        self._search(game, rng)
        return int(kernels.find_most_visited(self._nodes))

    def evaluate(self, game: GameProtocol, rng: np.random.Generator) -> Evaluation:
        """Return its share of visits as what it thinks of each legal action, NaN where it did not look.

        Raises as `act` does.
        """
        self._search(game, rng)
        legal = game.legal_actions()
        actions, visits = np.zeros(len(legal), np.int64), np.zeros(len(legal), np.int64)
        count = int(kernels.write_children(self._nodes, actions, visits))
        shares = dict(zip(actions[:count].tolist(), visits[:count] / visits.sum(), strict=True))
        return Evaluation(legal, np.array([shares.get(action, np.nan) for action in legal]), PROBABILITY)

    @property
    def simulations(self) -> int:
        """Number of simulations made for the last decision."""
        return int(self._searches["simulations"][0])

    def _search(self, game, rng):
        """Build the tree for `game`; all chance follows from `rng`."""
        self.check_game(game)
        check_goes_on(game)
        number = draw_deal(rng)
        if not self._nodes.size:
            self._make_room(game)
        started = time.perf_counter()
        self._states[0] = game.raw_states[0]
        self._searches["number"] = number
        kernels.begin_search(self._nodes, self._searches)
        with self._deciding():
            if self.options.seconds:
                self._simulate_until(self._simulate, started, started + self.options.seconds)
            else:
                self._simulate_many(self._simulate, self.options.simulations)

    def _make_room(self, game):
        """Make room for a search, and call all compiled code once, so that no decision takes the time to compile."""
        options = self.options
        nodes = options.seconds * NODES_A_SECOND if options.seconds else options.simulations
        self._nodes = np.zeros(min(max(1, int(nodes)) + 1, options.nodes), kernels.NODE)
        self._states, self._log = new_states(2), np.zeros(1, LOG)
        set_options(self._searches, options)
        self._states[0] = game.raw_states[0]
        kernels.begin_search(self._nodes, self._searches)
        self._simulate(1)

    def _simulate(self, count):
        self._searches["count"] = count
        return int(kernels.simulate(self._states, self._log, self._nodes, self._searches))


def set_options(searches: npt.NDArray[Any], options: Options) -> None:
    """Write into `searches`, records of `SEARCH`, how to search."""
    for field in ("exploration", "width", "unit", "turns"):
        searches[field] = getattr(options, field)
    searches["is_greedy"] = options.rollout == GREEDY
    searches["worth"] = make_worths()
