"""An agent asked about all decisions of many games, which workers may do: one game is one task."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.agent_files import Versions, find_versions, keep_agent
from zamek_agents.analysis.castle_decisions import begin_castle_again, list_castle_decisions
from zamek_agents.analysis.gather import list_decisions
from zamek_agents.analysis.reading import is_castle_record
from zamek_agents.analysis.regret import Judge
from zamek_agents.base import Agent
from zamek_agents.registry import make_agent
from zamek_agents.workers import Workers
from zamek_env import ComponentError, Game, RecordError
from zamek_env.castle_cards.game import CastleCards
from zamek_env.load import AnyComponents
from zamek_env.records.write import deal_again

Decisions = npt.NDArray[np.void]


class Judging:
    """Judges games, here or on `workers`, with the same result.

    Chance follows from the seed, and from the numbers of the game and the decision. Raises `ValueError` where the agent
    evaluates no choices, or where there are `workers` and the agent is not given by name.
    """

    def __init__(self, agent: Agent | str, seed: int = 0, workers: Workers | None = None) -> None:
        if workers is not None and not isinstance(agent, str):
            raise ValueError(f"agent must be a name where workers judge, not {agent!r}: each makes its own")
        self.judge = Judge(make_agent(agent) if isinstance(agent, str) else agent, seed)
        self._spec, self._workers = agent, workers
        self._versions = find_versions(agent) if isinstance(agent, str) else ()  # one for all games

    @property
    def ahead(self) -> int:
        """How many games to submit before the decisions of the first are taken."""
        return 0 if self._workers is None else self._workers.ahead

    def hand_over(
        self, game: Game | CastleCards, number: int, record: Mapping[str, Any], components: AnyComponents = None
    ) -> Callable[[], Decisions]:
        """Return a function that returns the decisions of a finished `game`, the `number`-th, of that `record`."""
        if self._workers is None:
            return lambda: _list_decisions(game, number, self.judge)
        asked = self._spec, self._versions, self.judge.seed
        judged = self._workers.submit(_judge_record, *asked, number, record, components)

        def take():
            decisions, unit = judged()
            self.judge.unit = unit or self.judge.unit
            return decisions

        return take


def ask_once(spec: str, record: Any, components: AnyComponents) -> None:
    """Ask the agent about the first decision of a recorded game, so that all is compiled.

    What is no record is passed over: it is refused where it is read.
    """
    with suppress(RecordError, ComponentError):
        finished = _replay(record, components)
        if finished.history:
            game = begin_castle_again(finished) if isinstance(finished, CastleCards) else deal_again(finished)
            Judge(keep_agent(spec, find_versions(spec))).find_regret(game, finished.history[0], (0, 0))


def _judge_record(
    spec: str, versions: Versions, seed: int, number: int, record: Mapping[str, Any], components: AnyComponents
) -> tuple[Decisions, str]:
    """Return the decisions of a recorded game, and the unit of the regrets; "" where none was found."""
    judge = Judge(keep_agent(spec, versions), seed)
    return _list_decisions(_replay(record, components), number, judge), judge.unit


def _replay(record, components):
    return CastleCards.replay(record) if is_castle_record(record) else Game.replay(record, components)


def _list_decisions(game: Game | CastleCards, number: int, judge: Judge) -> Decisions:
    if isinstance(game, CastleCards):
        return list_castle_decisions(game, number, judge)
    return list_decisions(game, number, judge)
