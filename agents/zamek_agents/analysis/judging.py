"""Finds what decisions cost in the eyes of an agent, the judge: the value of the best choice less that of the one made.

The judge evaluates all decisions of many games, in workers if wanted: one game is one task. Costs are summed up by
agent and kind of decision, and by turn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.reading import ReplayedGame, make_printable, replay
from zamek_agents.arena.intervals import Estimate, estimate_mean, estimate_rate
from zamek_agents.base import Agent, OtherGameError, find_evaluating
from zamek_agents.registry import Versions, find_versions, keep_agent, make_agent
from zamek_agents.workers import Workers, look_ahead
from zamek_env import ComponentError, Game, RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.common.checks import check_given_seed
from zamek_env.evaluation import PROBABILITY
from zamek_env.fair_play import ask_evaluation
from zamek_env.game_protocol import GameProtocol
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, PLACE
from zamek_env.load import AnyComponents

PLACING, CHOOSING = PHASE_NAMES[PLACE], PHASE_NAMES[CHOOSE]
Decisions = npt.NDArray[np.void]  # of a game
DECISION = np.dtype(
    [
        ("regret", np.float64),  # NaN where nobody looked; 0 where there was nothing to choose from
        ("turn", np.int32),  # tiles placed by then, with the one of this turn: from 1
        ("legal", np.int32),  # how many actions were legal
        ("player", np.int8),
        ("phase", np.int8),  # index into `PHASE_NAMES`
    ]
)
CASTLE_DECISION = np.dtype(
    [
        ("regret", np.float64),  # NaN where nobody looked
        ("turn", np.int32),  # of each player, from 1
        ("legal", np.int32),  # how many actions were legal: two or more
        ("player", np.int8),  # who decided
        ("phase", np.str_, 24),  # what was decided: a phase of `CastleCards`
    ]
)
ALL_PHASES = "all"
TILE_PHASES = {name: number for number, name in enumerate(PHASE_NAMES)}
_EXACT = 1e-9  # regrets below it come of rounding


@dataclass
class Judge:
    """An `agent` that evaluates the choices of other players. Raises `ValueError` where it cannot evaluate choices.

    Raises `TypeError` or `ValueError` where it is no agent, or `seed` is no seed.
    """

    agent: Agent
    seed: int = 0
    unit: str = ""  # of the regrets; known after the first

    def __post_init__(self) -> None:
        self._evaluating = find_evaluating(self.agent)
        check_given_seed("seed", self.seed)

    def find_regret(self, game: GameProtocol, action: int, number: tuple[int, int]) -> float:
        """Return what it costs to play `action` in `game`, 0 or more; NaN where the agent did not look at it.

        Chance in the agent follows from the seed and `number`, so one decision comes out the same without the others.
        Raises `ValueError` where the agent does not play such games.
        """
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=number))
        try:
            evaluation = ask_evaluation(self._evaluating.evaluate, game, rng)
        except OtherGameError as error:
            raise ValueError(str(error)) from error
        self.unit = evaluation.unit
        return evaluation.loss(action)


def list_decisions(finished: Game, number: int, judge: Judge | None = None) -> Decisions:
    """Replay a finished game, the `number`-th of the analysis, and return its decisions of `DECISION`.

    `judge` says what each cost; None: nobody does.
    """
    rows: list[tuple[float, int, int, int, int]] = []
    placed = 0
    for game, action in finished.retrace():
        legal = int(game.legal_action_mask().sum())
        turn = placed + (game.phase in (PLACING, CHOOSING))
        regret = 0.0 if legal == 1 else np.nan
        if judge and legal > 1:
            regret = judge.find_regret(game, action, (number, len(rows)))
        rows.append((regret, turn, legal, game.current_player, PHASE_NAMES.index(game.phase)))
        placed += game.phase == PLACING
    return np.array(rows, DECISION)


def list_castle_decisions(finished: CastleCards, number: int, judge: Judge) -> Decisions:
    """Replay a finished game, the `number`-th of the analysis, and return its decisions of `CASTLE_DECISION`."""
    rows = []
    for place, (game, action) in enumerate(finished.retrace()):
        turn = 1 + (int(game.raw_states[0].turns) - 1) // game.num_players
        regret = judge.find_regret(game, action, (number, place))
        rows.append((regret, turn, len(game.legal_actions()), game.current_player, game.phase))
    return np.array(rows, CASTLE_DECISION)


# --- many games ---


class Judging:
    """Judges games, here or on `workers`, with the same result.

    Chance follows from the seed, and from the numbers of the game and the decision. Raises `ValueError` where the agent
    evaluates no choices, or where there are `workers` and the agent is not given by name.
    """

    def __init__(self, agent: Agent | str, seed: int = 0, workers: Workers | None = None) -> None:
        if workers is not None and not isinstance(agent, str):
            raise ValueError(f"agent must be a name where workers judge, not {agent!r}: each makes its own")
        self.judge = Judge(make_agent(agent) if isinstance(agent, str) else agent, seed)
        self.spec, self.workers = agent, workers
        self.versions = find_versions(agent) if isinstance(agent, str) else ()  # one for all games


def ask_once(spec: str, record: Any, components: AnyComponents) -> None:
    """Ask the agent about the first decision of a recorded game, so that all is compiled.

    Invalid records are skipped: they are refused where they are read.
    """
    with suppress(RecordError, ComponentError):
        for game, action in islice(replay(record, components).retrace(), 1):
            Judge(keep_agent(spec, find_versions(spec))).find_regret(game, action, (0, 0))


def _judge_record(
    spec: str, versions: Versions, seed: int, number: int, record: Mapping[str, Any], components: AnyComponents
) -> tuple[Decisions, str]:
    """Return the decisions of a recorded game, and the unit of the regrets; "" where none was found."""
    judge = Judge(keep_agent(spec, versions), seed)
    return _list_decisions(replay(record, components), number, judge), judge.unit


def judge_all(
    games: Iterable[ReplayedGame], judging: Judging | None, components: AnyComponents = None
) -> Iterator[tuple[ReplayedGame, int, Decisions | None]]:
    """Yield each of `games`, its number, and its decisions: None if it is not over."""
    workers = judging.workers if judging else None
    if judging is None or workers is None:
        judge = judging.judge if judging else None
        for number, replayed in enumerate(games):
            game = replayed.game
            yield replayed, number, _list_decisions(game, number, judge) if game.is_terminal else None
        return

    def submit_all():
        asked = judging.spec, judging.versions, judging.judge.seed
        for number, replayed in enumerate(games):
            given = (*asked, number, replayed.record, components)
            yield replayed, number, workers.submit(_judge_record, *given) if replayed.game.is_terminal else None

    for replayed, number, get_judged in look_ahead(submit_all(), workers):
        decisions, unit = get_judged() if get_judged else (None, "")
        judging.judge.unit = unit or judging.judge.unit
        yield replayed, number, decisions


def _list_decisions(game: Game | CastleCards, number: int, judge: Judge | None = None) -> Decisions:
    if isinstance(game, CastleCards):
        return list_castle_decisions(game, number, judge) if judge else np.zeros(0, CASTLE_DECISION)
    return list_decisions(game, number, judge)


@dataclass(frozen=True)
class RegretRow:
    """The cost of an agent's decisions of one kind, where it had a choice."""

    agent: str
    phase: str  # what was decided, such as one of `PHASE_NAMES`; or `ALL_PHASES`
    decisions: int  # with two legal actions or more, where the judge valued the one taken
    unvalued: int  # others with a choice: the judge did not look at what was taken
    regret: Estimate | None  # a decision; None where `decisions` is 0
    best: Estimate | None  # share of the decisions that cost nothing


@dataclass(frozen=True)
class RegretSummary:
    """The costs of decisions, in the eyes of one agent, the judge."""

    judge: str
    unit: str  # of regrets: "points" or "probability"
    rows: tuple[RegretRow, ...]
    by_turn: dict[str, tuple[tuple[int, float], ...]]  # agent -> (turn, mean regret of its decisions in that turn)


def summarise_regrets(
    facts: Sequence[Any], names: Sequence[str], judge: Judge, phases: Mapping[str, Any] = TILE_PHASES
) -> RegretSummary:
    """Return the `RegretSummary` of games with the players `names`, whose regrets `judge` has found.

    `facts` have the names of the players, the deal, and decisions of `DECISION` or a dtype with the same fields.
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
    """Return the decisions with a choice of the player called `name`; regrets within rounding errors become 0."""
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
