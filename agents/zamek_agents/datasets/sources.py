"""The sources of games: files of records, or games that agents play now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.reading import make_printable, read_lines, replay
from zamek_agents.arena.round_robin import play_with_record
from zamek_agents.base import Agent, check_agent, check_plays, find_evaluating
from zamek_agents.registry import Versions, check_specs, find_versions, keep_agent, make_agent
from zamek_agents.workers import ThisProcess, Workers, look_ahead, run_in_order
from zamek_env import RecordError
from zamek_env.base.chance import draw_deal
from zamek_env.common.checks import check_count, check_given_seed, check_whole
from zamek_env.common.messages import show
from zamek_env.components.model import Components
from zamek_env.errors import noted
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask, ask_evaluation, play_answer
from zamek_env.game_protocol import GameProtocol, take_turns
from zamek_env.load import AnyComponents
from zamek_env.make_game import ask_for_players, make_game
from zamek_env.ruleset import get_ruleset


class Values(NamedTuple):
    """A `Judge`'s values of each choice in a game."""

    agent: str
    seed: int
    number: int  # of the game: from this and the seed follows all chance
    values: npt.NDArray[np.float32]  # (legal actions,), decision after decision; NaN where the agent did not look
    unit: str


class FinishedGame(NamedTuple):
    """A finished game, its record, and what an agent thinks of its choices, where one was asked already."""

    record: dict[str, Any]
    game: GameProtocol
    values: Values | None = None
    where: str = ""  # the place of the record in a file, such as "line 3"


@dataclass(frozen=True)
class Judge:
    """An agent that says what each choice is worth; its chance follows from `seed` and the number of the game.

    Raises `ValueError` where it is an agent that does not evaluate choices, and `TypeError` or `ValueError` where it is
    no agent, or for a bad `seed`.
    """

    agent: Any
    seed: int = 0

    def __post_init__(self) -> None:
        find_evaluating(self.agent)
        object.__setattr__(self, "seed", check_given_seed("seed", self.seed))

    def new_chance(self, number: int) -> np.random.Generator:
        """Return the generator for the game of that number."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(number,)))

    def judge(self, game: GameProtocol, rng: np.random.Generator) -> Evaluation:
        """Return what the agent thinks of each legal action."""
        return ask_evaluation(self.agent.evaluate, game, rng)


def find_values(game: Any, number: int, judge: Judge) -> Values:
    """Return what the `judge` thinks of each choice in a finished game, which has that `number` in its dataset."""
    rng = judge.new_chance(number)
    found = [judge.judge(position, rng) for position, _ in game.retrace()]
    values = np.concatenate([evaluation.values.astype(np.float32) for evaluation in found])
    return Values(judge.agent.name, judge.seed, number, values, found[0].unit)


def read_games(path: PathLike[str] | str, components: AnyComponents = None) -> Iterator[FinishedGame | None]:
    """Yield the games of a file with one JSON record a line, replayed by the rules; None for one that is not over.

    `components` are those of all games. Raises `RecordError`, naming the line, where a record is malformed or breaks a
    rule, and `OSError` where the file cannot be read.
    """
    box = components
    for where, record in read_lines(path):
        try:
            game = replay(record, box)
        except RecordError as error:
            raise RecordError(f"{where}: {error}") from error
        if components is not None:
            box = game.ruleset.components  # a folder is read once
        yield FinishedGame(record, game, where=where) if game.is_terminal else None


def play_games(
    agents: Sequence[Agent], count: int, ruleset: str = "zamek", seed: int = 0, components: Components | None = None
) -> Iterator[FinishedGame]:
    """Yield `count` games of a `ruleset` between `agents`, as many as play a game, who change seats from game to game.

    In game number n, agent number a is player (a + n) modulo the players. Each game has its own deal. All chance
    follows from `seed` and the number of the game. Raises `ValueError` for a negative `count`, and `TypeError` for what
    is no whole number; with the first game as `make_game` does, `ValueError` for another number of agents, and
    `TypeError` for what is no agent.
    """
    if not isinstance(agents, Sequence):
        raise TypeError(f"agents must be a sequence of agents, not {show(agents)}")
    if check_whole("count", count) < 0:
        raise ValueError(f"count must be at least 0, not {count}")
    first = check_given_seed("seed", seed)
    return (play_game(agents, number, ruleset, first, components) for number in range(count))


def play_game(
    agents: Sequence[Agent], number: int, ruleset: str, seed: int, components: Components | None = None
) -> FinishedGame:
    """Return the game of that `number` among those of `play_games`. Raises as it does."""
    deal, *chances = (
        np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, stream)))
        for stream in range(1 + len(agents))
    )
    game = make_game(ruleset, draw_deal(deal), components, ask_for_players(ruleset, len(agents)))
    for agent in agents:
        check_agent("agents", agent)
    if game.num_players != len(agents):
        raise ValueError(f"agents must be {game.num_players} for {ruleset}, not {len(agents)}")
    seated = [agents[(player - number) % len(agents)] for player in range(len(agents))]
    for player in take_turns(game):
        answer = ask(seated[player].act, game, chances[player])
        play_answer(game, answer, f"the answer of {seated[player].name}")
    return FinishedGame(game.record([make_printable(agent.name) for agent in seated]), game)


# --- games by workers, with the same result as by one process ---


@dataclass(frozen=True)
class Match:
    """The agents and the game that they play. `specs` are agents as `make_agent` takes them, as many as play a game.

    `components` is the path of a folder, which every process reads, or None for the packaged components. Raises
    `TypeError` or `ValueError` for bad `specs` or a bad `seed`.
    """

    specs: tuple[str, ...]
    ruleset: str = "zamek"
    seed: int = 0
    components: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "specs", check_specs(self.specs))
        object.__setattr__(self, "seed", check_given_seed("seed", self.seed))


def play_match(match: Match, count: int, workers: Workers | None = None) -> Iterator[FinishedGame]:
    """Yield `count` games as `play_games` does, played by `workers`, by default by this process.

    Raises as `make_agent` and `get_ruleset` do, `ValueError` where an agent does not play the ruleset or there are too
    few or too many, or `count` is less than 1, and `WorkerLostError`.
    """
    check_count("count", count)
    versions = find_versions(*match.specs)
    _prepare(match, versions)  # says so now
    tasks = ((match, versions, number) for number in range(count))
    return (played for _, played in run_in_order(workers or ThisProcess(), _play, tasks))


def judge_games(
    games: Iterable[FinishedGame | None], spec: str, seed: int = 0, workers: Workers | None = None
) -> Iterator[FinishedGame | None]:
    """Yield `games` with what the agent `spec` thinks of each choice; None for one that is not over.

    `workers` ask it, by default this process. Chance follows from `seed` and the number of the game among those that
    are over. Raises as `make_agent` does, `ValueError` where it does not evaluate choices, and `WorkerLostError`.
    """
    versions = find_versions(spec)
    Judge(keep_agent(spec, versions), seed)  # says so now
    return _judge_ahead(games, (spec, versions, seed), workers or ThisProcess())


def get_ready(match: Match, spec: str | None = None) -> None:
    """Let all agents of a match decide, and the agent `spec` judge, so that other processes find compiled code."""
    prepare(match)
    game = _deal(match)
    if spec is not None:
        Judge(keep_agent(spec, find_versions(spec)), 0).judge(game, np.random.default_rng(0))
    play_with_record(game)


def _judge_ahead(games, judge, workers):
    def submit_all():
        number = 0
        for played in games:
            if played is None:
                yield None, None
            else:
                yield played, workers.submit(_judge, *judge, number, played.game)
                number += 1

    for played, get_values in look_ahead(submit_all(), workers):
        yield None if played is None else played._replace(values=get_values())


def prepare(match: Match) -> tuple[list[Agent], Components | None]:
    """Return agents and components of a match, made once a process as long as the files of the agents do not change.

    All agents have decided once. Raises as `play_match` does.
    """
    return _prepare(match, find_versions(*match.specs))


@lru_cache(maxsize=1)
def _prepare(match: Match, versions: Versions) -> tuple[list[Agent], Components | None]:
    """Do as `prepare` does for these `versions` of the agents' files."""
    components = None
    if match.components is not None:
        components = get_ruleset(match.ruleset, match.components).components
    agents = [make_agent(spec) for spec in match.specs]
    game = _deal(match)
    if len(agents) != game.num_players:
        raise ValueError(f"agents must be {game.num_players} for {match.ruleset}, not {len(agents)}")
    for agent in agents:
        check_plays(agent, game)
    return agents, components


def _deal(match: Match) -> GameProtocol:
    return make_game(match.ruleset, 0, match.components, ask_for_players(match.ruleset, len(match.specs)))


def _play(match: Match, versions: Versions, number: int) -> FinishedGame:
    agents, components = _prepare(match, versions)
    with noted(f"in game {number} of {' and '.join(match.specs)}, seed {match.seed}"):
        return play_game(agents, number, match.ruleset, match.seed, components)


def _judge(spec: str, versions: Versions, seed: int, number: int, game: GameProtocol) -> Values:
    return find_values(game, number, Judge(keep_agent(spec, versions), seed))
