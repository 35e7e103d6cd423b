"""The sources of games: files of records, or games that agents play now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.reading import make_printable, read_lines, replay
from zamek_agents.base import Agent, check_agent, find_evaluating
from zamek_env import RecordError
from zamek_env.common.checks import check_given_seed, check_whole
from zamek_env.common.messages import show
from zamek_env.components.model import Components
from zamek_env.core.deals import draw_deal
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask, ask_evaluation, play_answer
from zamek_env.game_protocol import GameProtocol, take_turns
from zamek_env.load import AnyComponents
from zamek_env.make_game import ask_for_players, make_game


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
