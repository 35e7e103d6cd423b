"""Game records in, an `Analysis` out."""

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from os import PathLike
from typing import Any

from zamek_agents.analysis.castle_summary import RULESET, CastleAnalysis, analyse_castle
from zamek_agents.analysis.gather import gather
from zamek_agents.analysis.reading import is_castle_record, replay_all
from zamek_agents.analysis.regret import Judge
from zamek_agents.analysis.summary import Analysis, summarise
from zamek_agents.base import Agent
from zamek_env import RecordError
from zamek_env.components.model import Components


def analyse(
    records: Iterable[Mapping[str, Any]],
    components: Components | PathLike[str] | str | None = None,
    agent: Agent | None = None,
    seed: int = 0,
) -> Analysis | CastleAnalysis:
    """Return the `Analysis` of game records, as `Game.record` returns them, all of one ruleset.

    Records of Castle, the card game, give a `CastleAnalysis`, without `components` and `agent`. `components` are those
    of all games, as for `Game.replay`. With an `agent` that evaluates choices, the analysis tells what each decision
    cost; the agent's chance follows from `seed`. Games that are not over are left out.

    Raises `RecordError`, naming the record, counted from 1, where one is malformed, breaks a rule or is of another
    ruleset than the first, and where none is of a finished game; `ValueError` where the agent evaluates no choices.
    """
    named = ((f"record {number}", record) for number, record in enumerate(records, 1))
    return analyse_named(named, components, agent, seed)


def analyse_named(
    records: Iterable[tuple[str, Any]],
    components: Components | PathLike[str] | str | None = None,
    agent: Agent | None = None,
    seed: int = 0,
) -> Analysis | CastleAnalysis:
    """Return the analysis of pairs (where, record), of which errors name the first. Otherwise as `analyse`."""
    records = iter(records)
    head = list(islice(records, 1))
    if head and is_castle_record(head[0][1]):
        if agent is not None or components is not None:
            raise ValueError(f"{RULESET} takes neither an agent that judges decisions nor components")
        return analyse_castle(chain(head, records))
    records = chain(head, records)
    judge = None if agent is None else Judge(agent, seed)
    facts, unfinished, ruleset = [], 0, None
    for number, told in enumerate(replay_all(records, components)):
        ruleset = told.game.ruleset
        if told.game.is_terminal:
            facts.append(gather(told, number, judge))
        else:
            unfinished += 1
    if ruleset is None or not facts:
        raise RecordError("there is no record of a finished game")
    return summarise(facts, ruleset, unfinished, judge)
