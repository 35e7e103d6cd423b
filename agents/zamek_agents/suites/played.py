"""Measures what people lose by the decisions of recorded games, and agents in their place.

People are the recorded players. Agents decide in the same positions, one by one, without what came after.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.analysis.reading import is_castle_record, replay_all
from zamek_agents.base import check_plays
from zamek_agents.registry import Versions, find_versions, keep_agent
from zamek_agents.suites.making import play_on
from zamek_agents.suites.measure import PEOPLE, PORTION, Decision, choose
from zamek_agents.suites.suite import PHASES, Worth
from zamek_agents.workers import ThisProcess, Workers, run_in_order
from zamek_env import Game, RecordError
from zamek_env.records.write import FORMAT

DEALING, DECIDING = range(2)  # what chance is for


class Position(NamedTuple):
    """A decision of a recorded game, with two choices or more."""

    game: int  # its number, from 0
    number: int  # of the decision in its game, from 0
    kind: str
    line: str
    played: str  # the action, in notation


class Valuing(NamedTuple):
    """The settings by which choices are valued, as for suites of choices."""

    seed: int
    deals: int
    turns: int  # 0: to the end of the game


def find_positions(records: Iterable[tuple[str, Any]]) -> list[Position]:
    """Return the positions with a choice in games of one packaged ruleset, given as pairs (where, record).

    Raises as `replay_all` does, and `RecordError` for a record of Castle, and where there are none.
    """
    positions = []
    for number, replayed in enumerate(replay_all(_refuse_castle(records))):
        for decision, (game, action) in enumerate(replayed.game.retrace()):
            if game.phase in PHASES and len(game.legal_actions()) > 1:
                line = game.format_position(game.current_player)
                positions.append(Position(number, decision, game.phase, line, game.format_action(action)))
    if not positions:
        raise RecordError("there is no record of a game with a decision")
    return positions


def prepare(specs: Iterable[str], position: Position) -> None:
    """Value a position on few deals, and let each agent decide there, so that all is compiled.

    Raises as `check_plays` does where one does not play its ruleset.
    """
    for spec in specs:
        check_plays(keep_agent(spec, find_versions(spec)), Game.parse_position(position.line, seed=0))
    value(position, Valuing(0, 2, 1))


def choose_all(
    specs: Sequence[str], positions: Sequence[Position], seed: int = 0, workers: Workers | None = None
) -> Iterator[list[int]]:
    """Yield what `PEOPLE` played, and then what each of the agents chooses, in all positions, some at a time, in order.

    A choice is its place among the legal actions. `workers` decide, by default this process. Chance in an agent follows
    from `seed` and from the numbers of game and decision. Raises as `make_agent` does, and `WorkerLostError`.
    """
    versions = {PEOPLE: (), **{spec: find_versions(spec) for spec in specs}}
    portions = [positions[first : first + PORTION] for first in range(0, len(positions), PORTION)]
    tasks = [(spec, found, seed, portion) for spec, found in versions.items() for portion in portions]
    return (choices for _, choices in run_in_order(workers or ThisProcess(), choose_some, tasks))


def choose_some(spec: str, versions: Versions, seed: int, positions: Iterable[Position]) -> list[int]:
    """Return what `PEOPLE` played, or what an agent chooses, in each of these positions."""
    choices = []
    for position in positions:
        game = Game.parse_position(position.line, seed=0)
        if spec == PEOPLE:
            choices.append(game.legal_actions().index(game.parse_action(position.played)))
        else:
            where = f"decision {position.number + 1} of game {position.game + 1}: {position.line}"
            choices.append(choose(keep_agent(spec, versions), spec, game, _draw(seed, DECIDING, position), where))
    return choices


def value_all(positions: Iterable[Position], valuing: Valuing, workers: Workers | None = None) -> Iterator[Worth]:
    """Yield the `Worth` of every position, in order; deals follow from seed and numbers. Raises `WorkerLostError`."""
    tasks = ((position, valuing) for position in positions)
    return (worth for _, worth in run_in_order(workers or ThisProcess(), value, tasks))


def value(position: Position, valuing: Valuing) -> Worth:
    """Return the `Worth` of one position."""
    return play_on(position.line, valuing.deals, valuing.turns, _draw(valuing.seed, DEALING, position))


def find_decisions(
    specs: Sequence[str], positions: Sequence[Position], choices: Sequence[int], worths: Sequence[Worth]
) -> list[Decision]:
    """Return the decisions of `PEOPLE` and of the agents, from all that `choose_all` and `value_all` yield."""
    by_player = np.reshape(choices, (1 + len(specs), len(positions))).tolist()
    return [
        Decision(
            player,
            position.kind,
            float(worth.regrets[choice]),
            worth.excess,
            position.game,
            None if player == PEOPLE else choice == played,
        )
        for player, chosen in zip((PEOPLE, *specs), by_player, strict=True)
        for position, worth, choice, played in zip(positions, worths, chosen, by_player[0], strict=True)
    ]


def _refuse_castle(records):
    for where, record in records:
        if is_castle_record(record):
            given = record["format"]
            raise RecordError(f"{where}: record, format: must be {FORMAT!r}, a game of tiles, not {given!r}")
        yield where, record


def _draw(seed, purpose, position):
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(purpose, position.game, position.number)))
