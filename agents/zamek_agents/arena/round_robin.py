"""Plays agents against each other, every two or as many as play in a game, over several workers.

A set depends on its number and on nothing played before it, and results are yielded in order, whichever worker finishes
first. So the number of workers changes only the time taken, not even where a sequential test stops: what was played
ahead of its decision is dropped.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from zamek_agents.arena.comparison import GAMES_PER_PAIR, PAIR_OUTCOMES, Sprt, outcome
from zamek_agents.arena.sets import Lineup, SetResult, line_up
from zamek_agents.base import check_plays
from zamek_agents.heuristic import RandomAgent
from zamek_agents.registry import Versions, check_specs, find_versions, make_agent
from zamek_agents.workers import Workers, look_ahead, start_processes
from zamek_env.common.checks import check_count, check_given_seed, check_whole, is_row
from zamek_env.common.messages import show
from zamek_env.components.house_rules import parse_option
from zamek_env.game_protocol import GameProtocol
from zamek_env.make_game import make_game
from zamek_env.ruleset import Ruleset, get_ruleset


@dataclass(frozen=True)
class RoundRobin:
    """The agents and the game that they play. `specs` are agents as `make_agent` takes them.

    `components` is the path of a folder, which every process reads, or None for the packaged components. `players` is
    how many play a game, where the ruleset leaves it open, and `rules` a text that names house rules of a game of
    tiles. Raises `TypeError` or `ValueError` for bad `specs` or a bad `seed`.
    """

    specs: tuple[str, ...]
    ruleset: str = "zamek"
    seed: int = 0
    with_records: bool = False
    components: str | None = None
    players: int | None = None
    rules: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "specs", check_specs(self.specs))
        object.__setattr__(self, "seed", check_given_seed("seed", self.seed))


def prepare(round_robin: RoundRobin) -> list[Lineup]:
    """Return the `Lineup`s, made once a process as long as the files of the agents do not change.

    All agents have decided once, so that their code is compiled. Raises as `make_agent` and `get_ruleset` do, and
    `ValueError` where an agent does not play the ruleset or there are too few agents.
    """
    return _prepare(round_robin, find_versions(*round_robin.specs))


@lru_cache(maxsize=1)
def _prepare(round_robin: RoundRobin, versions: Versions) -> list[Lineup]:
    """Do as `prepare` does for these `versions` of the agents' files."""
    components = None
    if round_robin.components is not None or round_robin.rules:
        components = find_ruleset(round_robin).components  # read once, and not for each game
    agents = [make_agent(spec) for spec in round_robin.specs]
    for agent in agents:
        check_plays(agent, _deal(round_robin, components))
    others = (round_robin.seed, round_robin.ruleset, round_robin.with_records, components, round_robin.players)
    return line_up(agents, *others)


def find_ruleset(round_robin: RoundRobin) -> Ruleset:
    """Return the ruleset of a `RoundRobin` of games of tiles."""
    rules = parse_option(round_robin.rules)
    return get_ruleset(round_robin.ruleset, round_robin.components, round_robin.players, rules)


def play(
    round_robin: RoundRobin,
    sets: int | Sequence[int],
    workers: int | Workers = 1,
    kept: Mapping[tuple[tuple[str, ...], int], SetResult] | None = None,
    sprt: Sprt | None = None,
) -> Generator[SetResult, None, None]:
    """Yield the `SetResult`s of all lineups, one lineup after the other.

    `sets` is how many each lineup plays: one number for all, or a row of one for each.

    `workers` are those that play, or how many processes to start for it; for one, or one set, none is started. `kept`
    are results from before, {(names, number): result}, that are not played again. A lineup of two that is settled by
    `sprt`, an `Sprt`, stops. Raises as `prepare` does, `ValueError` where there is an `sprt` and a game has more
    players or where a number of sets is less than 0, `TypeError` or `ValueError` for other `workers`, and
    `WorkerLostError` where a worker has ended; all of it with the first result.
    """
    versions = find_versions(*round_robin.specs)
    held, lineups = kept or {}, _prepare(round_robin, versions)
    due = [check_whole("sets", count) for count in (sets if is_row(sets) else [sets] * len(lineups))]
    if len(due) != len(lineups) or any(count < 0 for count in due):
        raise ValueError(
            f"sets must be 0 or more, one number or one for each of {len(lineups)} lineups, not {show(sets)}"
        )
    if sprt and len(lineups[0].agents) != GAMES_PER_PAIR:
        raise ValueError(f"sprt must be None for {round_robin.ruleset!r}: it tests two players, not others")
    counts, settled = [[0] * PAIR_OUTCOMES for _ in lineups], set()
    tasks = ((index, number) for index, count in enumerate(due) for number in range(count))
    with _start(workers, count_lacking(lineups, due, held), round_robin) as players:

        def begin(task):
            index, number = task
            result = held.get((lineups[index].names, number))
            return task, players.submit(_play_set, round_robin, versions, *task) if result is None else lambda: result

        open_tasks = (begin(task) for task in tasks if task[0] not in settled)
        for (index, _), get_result in look_ahead(open_tasks, players):
            if index in settled:
                continue
            result = get_result()
            if sprt:
                counts[index][outcome(result)] += 1
                if sprt.judge(counts[index]).accepted is not None:
                    settled.add(index)
            yield result


def count_lacking(lineups: Iterable[Lineup], due: Iterable[int], kept: Iterable[tuple[tuple[str, ...], int]]) -> int:
    """Return how many of the sets that are `due` of each lineup are not `kept`, by (names, number)."""
    wanted = {lineup.names: count for lineup, count in zip(lineups, due, strict=True)}
    return sum(wanted.values()) - sum(number < wanted.get(names, 0) for names, number in kept)


def _start(workers: int | Workers, lacking: int, round_robin: RoundRobin) -> AbstractContextManager[Workers]:
    """Return a context that gives the `Workers` to play `lacking` sets."""
    if isinstance(workers, Workers):
        return nullcontext(workers)
    count = max(1, min(check_count("workers", workers), lacking))
    if count > 1:
        compile_all(round_robin)
    return start_processes(count)


def play_with_record(game: GameProtocol) -> None:
    """Play `game` to its end at random, and make its record, so that all code for this is compiled."""
    agent, rng = RandomAgent(), np.random.default_rng(0)
    while not game.is_terminal:
        game.step(agent.act(game, rng))
    game.record([agent.name] * game.num_players)


def _deal(round_robin, components):
    return make_game(round_robin.ruleset, 0, components, round_robin.players)


def compile_all(round_robin: RoundRobin) -> None:
    """Let all agents decide and play a game with its record, so that other processes find all compiled code on disk."""
    lineups = prepare(round_robin)
    play_with_record(_deal(round_robin, lineups[0].components))


def _play_set(round_robin: RoundRobin, versions: Versions, index: int, number: int) -> SetResult:
    return _prepare(round_robin, versions)[index].play_set(number)
