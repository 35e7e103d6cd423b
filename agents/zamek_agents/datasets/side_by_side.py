"""Plays and judges games in parallel, by workers, with the same result as one process."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from zamek_agents.arena.round_robin import play_with_record
from zamek_agents.base import Agent, check_plays
from zamek_agents.datasets.rows import find_values
from zamek_agents.datasets.sources import FinishedGame, Judge, Values, play_game
from zamek_agents.registry import Versions, check_specs, find_versions, keep_agent, make_agent
from zamek_agents.workers import ThisProcess, Workers, look_ahead, run_in_order
from zamek_env.common.checks import check_count, check_given_seed
from zamek_env.components.model import Components
from zamek_env.errors import noted
from zamek_env.game_protocol import GameProtocol
from zamek_env.make_game import ask_for_players, make_game
from zamek_env.ruleset import get_ruleset


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
