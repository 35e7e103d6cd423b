"""What decisions cost together: by agent and kind of decision, and by turn."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.judging import Judge
from zamek_agents.analysis.reading import make_printable
from zamek_agents.arena.intervals import Estimate, estimate_mean, estimate_rate
from zamek_env.evaluation import PROBABILITY
from zamek_env.layout.actions import PHASE_NAMES

ALL_PHASES = "all"
TILE_PHASES = {name: number for number, name in enumerate(PHASE_NAMES)}
_EXACT = 1e-9  # regrets below it come of rounding


class JudgedGame(Protocol):
    """A game whose decisions were judged."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players."""
        ...

    @property
    def deal(self) -> Hashable:
        """The same for games of the same deal."""
        ...

    @property
    def decisions(self) -> npt.NDArray[np.void]:
        """Of `DECISION`, or a dtype with the same fields."""
        ...


@dataclass(frozen=True)
class RegretRow:
    """What the decisions of one kind cost an agent that had a choice."""

    agent: str
    phase: str  # what was decided, such as one of `PHASE_NAMES`; or `ALL_PHASES`
    decisions: int  # with two legal actions or more, of which the judge valued the one taken
    unvalued: int  # others with a choice: the judge did not look at what was taken
    regret: Estimate | None  # a decision; None where `decisions` is 0
    best: Estimate | None  # share of the decisions that cost nothing


@dataclass(frozen=True)
class RegretSummary:
    """What decisions cost, as one agent, the judge, sees it."""

    judge: str
    unit: str  # of regrets: "points" or "probability"
    rows: tuple[RegretRow, ...]
    by_turn: dict[str, tuple[tuple[int, float], ...]]  # agent -> (turn, mean regret of its decisions in that turn)


def summarise_regrets(
    facts: Sequence[JudgedGame], names: Sequence[str], judge: Judge, phases: Mapping[str, Any] = TILE_PHASES
) -> RegretSummary:
    """Return the `RegretSummary` of games with the players `names`, whose regrets `judge` has found.

    `phases` are the kinds of decisions: their names, and how `decisions` hold them.
    """
    rows, by_turn = [], {}
    most = 1.0 if judge.unit == PROBABILITY else np.inf
    for name in names:
        chosen = [(game.deal, _list_choices(game, name)) for game in facts if name in game.names]
        rows.append(_summarise(name, ALL_PHASES, chosen, most))
        for phase, held in phases.items():
            of_kind = [(deal, decisions[decisions["phase"] == held]) for deal, decisions in chosen]
            rows.append(_summarise(name, phase, of_kind, most))
        decisions = np.concatenate([found for _, found in chosen])
        valued = decisions[~np.isnan(decisions["regret"])]
        by_turn[name] = tuple(
            (turn, float(valued["regret"][valued["turn"] == turn].mean()))
            for turn in np.unique(valued["turn"]).tolist()
        )
    return RegretSummary(
        make_printable(judge.agent.name),
        judge.unit,
        tuple(row for row in rows if row.decisions + row.unvalued),
        by_turn,
    )


def _list_choices(game, name):
    """Return the decisions of the player called `name` that had a choice, with regrets of 0 for those of rounding."""
    seats = [player for player, other in enumerate(game.names) if other == name]
    found = game.decisions[np.isin(game.decisions["player"], seats) & (game.decisions["legal"] > 1)]
    found["regret"][np.abs(found["regret"]) < _EXACT] = 0
    return found


def _summarise(name, phase, chosen, most):
    regrets = [(deal, decisions["regret"]) for deal, decisions in chosen]
    valued = [(deal, regret) for deal, values in regrets for regret in values[~np.isnan(values)].tolist()]
    return RegretRow(
        agent=name,
        phase=phase,
        decisions=len(valued),
        unvalued=sum(len(values) for _, values in regrets) - len(valued),
        regret=estimate_mean(valued, most=most) if valued else None,
        best=estimate_rate((deal, float(regret == 0)) for deal, regret in valued) if valued else None,
    )
