"""Turns game records into an `Analysis`."""

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Any

from zamek_agents.analysis import castle_summary, summary
from zamek_agents.analysis.castle_summary import CastleAnalysis
from zamek_agents.analysis.judging import Judging, judge_all
from zamek_agents.analysis.reading import is_castle_record, replay_all
from zamek_agents.analysis.summary import Analysis
from zamek_agents.base import Agent
from zamek_agents.workers import Workers
from zamek_env import RecordError
from zamek_env.common.checks import check_absent
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.load import AnyComponents


def analyse(
    records: Iterable[Mapping[str, Any]],
    components: AnyComponents = None,
    agent: Agent | str | None = None,
    seed: int = 0,
    workers: Workers | None = None,
) -> Analysis | CastleAnalysis:
    """Return the `Analysis` of game records, as `Game.record` returns them, all of one ruleset.

    Records of Castle, the card game, give a `CastleAnalysis`, without `components`. `components` are those of all
    games, as for `Game.replay`. With an `agent` that evaluates choices, or the name of one, the analysis says what
    each decision cost; the agent's chance follows from `seed`. `workers` may judge for an agent that is given by its
    name. Games that are not over are left out.

    Raises `RecordError`, naming the record, counted from 1, where one is malformed, breaks a rule or is of another
    ruleset than the first, and where no game is finished; `ValueError` where the agent evaluates no choices.
    """
    named = ((f"record {number}", record) for number, record in enumerate(records, 1))
    return analyse_named(named, components, agent if agent is None else Judging(agent, seed, workers))


def analyse_named(
    records: Iterable[tuple[str, Any]], components: AnyComponents = None, judging: Judging | None = None
) -> Analysis | CastleAnalysis:
    """Return the analysis of pairs (where, record); errors name `where`. Otherwise as `analyse`."""
    given = iter(records)
    head = list(islice(given, 1))
    found = chain(head, given)
    is_castle = bool(head) and is_castle_record(head[0][1])
    if is_castle:
        check_absent(CASTLE_CARDS, components=components)
    kind: Any = castle_summary if is_castle else summary  # which count in the same way
    games = castle_summary.replay_all(found) if is_castle else replay_all(found, components)
    facts, unfinished, ruleset = [], 0, None
    for replayed, number, decisions in judge_all(games, judging, components):
        ruleset = replayed.game.ruleset
        if decisions is None:
            unfinished += 1
        else:
            facts.append(kind.gather(replayed, number, decisions))
    if not facts:
        raise RecordError("there is no record of a finished game")
    return kind.summarise(facts, ruleset, unfinished, judging.judge if judging else None)
