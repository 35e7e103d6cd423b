"""What agents lose on the positions of suites."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from zamek_agents.agent_files import Versions, find_versions, keep_agent
from zamek_agents.arena.intervals import mean_interval
from zamek_agents.arena.round_robin import check_plays
from zamek_agents.base import Agent
from zamek_agents.plain_file import find_version
from zamek_agents.suites.kinds import find_kind
from zamek_agents.suites.suite import ENDGAMES, check_suite, read_suite
from zamek_agents.workers import ThisProcess, Workers, run_in_order
from zamek_env import Game
from zamek_env.checks import check_whole
from zamek_env.errors import IllegalActionError, noted
from zamek_env.fair_play import ask
from zamek_env.ruleset import get_ruleset

PORTION = 10  # positions of a task


@dataclass(frozen=True)
class Decision:
    """What one agent lost in one position; `excess` is that of its `Worth`."""

    agent: str
    kind: str
    regret: float  # points
    excess: float


@dataclass(frozen=True)
class Loss:
    """What one agent loses by decisions of one kind."""

    agent: str
    kind: str
    decisions: int
    regret: float  # points a decision
    interval: tuple[float, float] | None  # of 95 %, from 0 on; None for a single decision
    best: float  # share of decisions that lose nothing


def measure(
    specs: Sequence[str], paths: Sequence[str], ruleset: str, seed: int = 0, workers: Workers | None = None
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


def check_suites(paths: Iterable[str], ruleset: str) -> None:
    """Raise as `read_suite` does, and `ValueError` for a suite of another ruleset."""
    for path in paths:
        check_suite(path, read_suite(path), get_ruleset(ruleset))


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

    Raises `IllegalActionError` where one is not legal, `TypeError` where it is no action, and whatever `agent` raises.
    """
    suite, games = read_suite(path), _set_up(path, find_version(path))
    decisions = []
    for number in range(len(games))[positions]:
        game, worth = games[number].copy(), suite.worths[number]
        kind = find_kind(game, suite.kind == ENDGAMES)
        assert kind is not None, "`Suite.games` refuses others"
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(suite.kind == ENDGAMES, number)))
        with noted(f"in position {number} of {path}: {worth.line}"):
            action = check_whole(f"the answer of {name}: action", ask(agent.act, game, rng))
        legal = games[number].legal_actions()
        if action not in legal:
            message = f"the agent {name!r} chose an action that is not legal: {action}, in {worth.line}"
            raise IllegalActionError(message)
        regret = float(worth.regrets[legal.index(action)])
        decisions.append(Decision(name, kind, regret, worth.excess))
    return decisions


def find_losses(decisions: Iterable[Decision]) -> list[Loss]:
    """Return the `Loss` of every agent by every kind of decision, in order of appearance."""
    grouped: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for decision in decisions:
        grouped[decision.agent, decision.kind].append(decision.regret)
    return [_find_loss(agent, kind, regrets) for (agent, kind), regrets in grouped.items()]


def find_excess(decisions: Sequence[Decision], kind: str) -> float:
    """Return by how many points a decision the regrets of that `kind` may be too high, at most."""
    agent = decisions[0].agent
    found = [one.excess for one in decisions if one.agent == agent and one.kind == kind]
    return max(0.0, float(np.mean(found)))


def _find_loss(agent, kind, regrets):
    best = float(np.mean([regret == 0 for regret in regrets]))
    return Loss(agent, kind, len(regrets), float(np.mean(regrets)), mean_interval(regrets, least=0), best)


@lru_cache(maxsize=2)
def _set_up(path: str, version: tuple[int, ...]) -> list[Game]:
    """Return the games at the positions of a suite, for that version of its file."""
    return read_suite(path).games()
