"""Measures what agents lose on the positions of suites and by the decisions of recorded games, and tabulates it.

Those who played recorded games are measured as `PEOPLE`. Agents decide in the same positions, one by one, without what
came after.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.analysis.reading import is_castle_record, replay_all
from zamek_agents.arena.intervals import estimate_mean
from zamek_agents.arena.reports import new_table, shorten_name
from zamek_agents.base import Agent, check_plays
from zamek_agents.plain_file import find_version
from zamek_agents.registry import Versions, find_versions, keep_agent
from zamek_agents.suites.making import play_on
from zamek_agents.suites.suite import (
    CHOOSE,
    ENDGAME,
    ENDGAME_OF_4,
    ENDGAME_TILES,
    ENDGAMES,
    PHASES,
    PLACE,
    SCORE,
    SEND,
    Worth,
    check_suite,
    find_kind,
    read_suite,
)
from zamek_agents.workers import ThisProcess, Workers, run_in_order
from zamek_env import Game, RecordError
from zamek_env.common.extras import needs_extra
from zamek_env.errors import noted
from zamek_env.fair_play import ask, play_answer
from zamek_env.records.write import FORMAT
from zamek_env.ruleset import Ruleset

with needs_extra("cli", "a table"):
    from rich.table import Table

PORTION = 10  # positions of a task
PEOPLE = "people"  # the players of recorded games; no agent has this name


@dataclass(frozen=True)
class Decision:
    """The loss of one agent in one position; `excess` is that of its `Worth`."""

    agent: str
    kind: str
    regret: float  # points
    excess: float
    game: int | None = None  # the number of the recorded game that the position is of
    is_as_people: bool | None = None  # whether the agent chose what was played in it


@dataclass(frozen=True)
class Loss:
    """The loss of one agent by decisions of one kind."""

    agent: str
    kind: str
    decisions: int
    regret: float  # points a decision; in recorded games the mean of the means of all games
    interval: tuple[float, float] | None  # of 95 %, from 0 on; None for a single decision, or a single game
    best: float  # share of decisions that lose nothing
    as_people: float | None = None  # share of decisions that are those of the recorded games


def measure(
    specs: Sequence[str], paths: Sequence[str], ruleset: Ruleset, seed: int = 0, workers: Workers | None = None
) -> Iterator[list[Decision]]:
    """Yield the decisions of the agents `specs` on the suites in the files `paths`, some at a time, in order.

    `workers` decide, by default this process. Chance in an agent follows from `seed`, the kind of suite and the number
    of the position. Raises as `make_agent` and `read_suite` do, `ValueError` for a suite of another ruleset, and
    `WorkerLostError`.
    """
    check_suites(paths, ruleset)
    versions = {spec: find_versions(spec) for spec in specs}
    tasks = [
        (spec, versions[spec], path, seed, first)
        for path in paths
        for spec in specs
        for first in range(0, len(read_suite(path).worths), PORTION)
    ]
    return (decisions for _, decisions in run_in_order(workers or ThisProcess(), decide, tasks))


def check_suites(paths: Iterable[str], ruleset: Ruleset) -> None:
    """Raise as `read_suite` does, and `ValueError` for a suite of another ruleset."""
    for path in paths:
        check_suite(path, read_suite(path), ruleset)


def decide_once(specs: Iterable[str], path: str) -> None:
    """Let each agent decide in the first position of a suite, so that all is compiled.

    Raises as `check_plays` does where one does not play its ruleset.
    """
    for spec in specs:
        agent, games = keep_agent(spec, find_versions(spec)), _set_up(path, find_version(path))
        check_plays(agent, games[0].copy())


def decide(spec: str, versions: Versions, path: str, seed: int, first: int) -> list[Decision]:
    """Return the decisions of one agent on `PORTION` positions of a suite, from that number on."""
    return decide_all(keep_agent(spec, versions), spec, path, seed, slice(first, first + PORTION))


def decide_all(agent: Agent, name: str, path: str, seed: int = 0, positions: slice = slice(None)) -> list[Decision]:
    """Return the decisions of an agent, called `name`, on those positions of the suite in the file `path`.

    Raises `AnswerError` where one is no legal action, and whatever `agent` raises.
    """
    suite, games = read_suite(path), _set_up(path, find_version(path))
    decisions = []
    for number in range(len(games))[positions]:
        game, worth = games[number].copy(), suite.worths[number]
        kind = find_kind(game, suite.kind == ENDGAMES)
        assert kind is not None, "`Suite.games` refuses others"
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(suite.kind == ENDGAMES, number)))
        choice = choose(agent, name, game, rng, f"position {number} of {path}: {worth.line}")
        decisions.append(Decision(name, kind, float(worth.regrets[choice]), worth.excess))
    return decisions


def choose(agent: Agent, name: str, game: Game, rng: np.random.Generator, where: str) -> int:
    """Return the index, among the legal actions of `game`, of the one that an agent, called `name`, chooses.

    Errors say `where` that was. Raises as `decide_all` does.
    """
    legal = game.legal_actions()
    with noted(f"in {where}"):
        action = ask(agent.act, game, rng)
        play_answer(game.copy(), action, f"the answer of {name}")
    return legal.index(action)


def find_losses(decisions: Iterable[Decision]) -> list[Loss]:
    """Return the `Loss` of every agent by every kind of decision, in order of appearance."""
    grouped: defaultdict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in decisions:
        grouped[decision.agent, decision.kind].append(decision)
    return [_find_loss(agent, kind, found) for (agent, kind), found in grouped.items()]


def find_excess(decisions: Sequence[Decision], kind: str) -> float:
    """Return how many points a decision the regrets of that `kind` may be too high, at most."""
    agent = decisions[0].agent
    found = [one.excess for one in decisions if one.agent == agent and one.kind == kind]
    return max(0.0, float(np.mean(found)))


def _find_loss(agent, kind, decisions):
    regrets = [one.regret for one in decisions]
    observations = [number if one.game is None else one.game for number, one in enumerate(decisions)]
    lost = estimate_mean(zip(observations, regrets, strict=True))
    best = float(np.mean([regret == 0 for regret in regrets]))
    as_people = [one.is_as_people for one in decisions if one.is_as_people is not None]
    share = float(np.mean(as_people)) if as_people else None
    return Loss(agent, kind, len(regrets), lost.mean, lost.interval, best, share)


@lru_cache(maxsize=2)
def _set_up(path: str, version: tuple[int, ...]) -> list[Game]:
    """Return the games at the positions of a suite, for that version of its file."""
    return read_suite(path).games()


# --- tables ---


HEADINGS = {
    CHOOSE: "tiles chosen", PLACE: "placements", SEND: "sends", SCORE: "scorings",
    ENDGAME: "last three tiles", ENDGAME_OF_4: "last four tiles",
}  # fmt: skip


def make_table(losses: Sequence[Loss], excess: Mapping[str, float]) -> Table:
    """Return a table of one line an agent and kind of decision; `excess` is {kind: points too high at most}.

    Of recorded games it also says how often agents chose what was played.
    """
    uncertain = {HEADINGS[kind]: points for kind, points in excess.items() if kind not in ENDGAME_TILES}
    amounts = ", ".join(f"{heading} {points:.2f}" for heading, points in uncertain.items())
    of_games = any(loss.agent == PEOPLE for loss in losses)
    over = " over games" if of_games else ""
    caption = f"Regret: points that a decision loses against the best choice, with a 95 % interval{over}."
    if amounts:
        caption += f"\nToo high by at most about: {amounts}; somewhat more for weak agents than for strong ones."
    headings = ("decisions", "regret", "95 % interval", "best choice", *["as people"] * of_games)
    table = new_table("agent", headings, caption)
    table.add_column("of")
    agents = list(dict.fromkeys(loss.agent for loss in losses))
    found = {(loss.agent, loss.kind): loss for loss in losses}
    for agent in agents:
        kinds = [kind for kind in HEADINGS if (agent, kind) in found]
        for number, kind in enumerate(kinds):
            loss = found[agent, kind]
            shown = f"{loss.interval[0]:.2f} … {loss.interval[1]:.2f}" if loss.interval else "unknown"
            row = [str(loss.decisions), f"{loss.regret:.2f}", shown, f"{loss.best:.0%}"]
            if of_games:
                row.append("" if loss.as_people is None else f"{loss.as_people:.0%}")
            name = shorten_name(agent) if number == 0 else ""
            table.add_row(name, *row, HEADINGS[kind], end_section=number == len(kinds) - 1)
    return table


# --- recorded games ---


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
