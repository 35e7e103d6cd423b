"""What is measured of an agent: games against the opponents, and regrets on suites of positions."""

from collections.abc import Callable

import numpy as np
from tqdm import tqdm

from zamek_agents.arena.sets import Lineup
from zamek_agents.base import Agent
from zamek_agents.benchmark.tasks import CURVE_GAMES, CURVE_OPPONENT, OPPONENTS, SEED, Task
from zamek_agents.registry import make_agent
from zamek_agents.suites.kinds import ENDGAME, PLACE, SCORE, SEND
from zamek_agents.suites.measure import decide_all, find_losses

WIN_RATE, MARGIN, REGRET = "win_rate", "margin", "regret"  # names of metrics begin so
KINDS = {"zamek": (PLACE, SEND, SCORE, ENDGAME), "carcassonne": (PLACE, SEND, ENDGAME)}  # in the suites of a ruleset
_NAME = "learner"  # of every agent measured, for the chance of games follows from names

Metrics = dict[str, float]


def list_metrics(task: Task) -> list[str]:
    """Return the names of all that is measured of a final agent."""
    names = [f"{kind}:{opponent}" for opponent in OPPONENTS for kind in (WIN_RATE, MARGIN)]
    return names + [f"{REGRET}:{kind}" for kind in KINDS.get(task.ruleset, ())]


def is_regret(metric: str) -> bool:
    """Return whether a metric of that name is a regret."""
    return metric.startswith(f"{REGRET}:")


def list_curve_metrics() -> list[str]:
    """Return the names of what is measured of an agent that goes on learning."""
    return [f"{kind}:{CURVE_OPPONENT}" for kind in (WIN_RATE, MARGIN)]


def measure(agent: Agent, task: Task, is_shown: bool = False) -> Metrics:
    """Return all that is measured of the final `agent`: {metric: value}, by `list_metrics`; with a bar if `is_shown`.

    `win_rate:OPPONENT` and `margin:OPPONENT` (points a game), and by kind of decision `regret:KIND` (points).
    """
    metrics: Metrics = {}
    total = sum(map(task.count_games, OPPONENTS))
    with tqdm(total=total, unit="game", desc="measuring", leave=False, disable=not is_shown) as bar:
        for opponent in OPPONENTS:
            metrics |= play_against(agent, opponent, task, task.count_games(opponent), bar.update)
    return metrics | find_regrets(agent, task)


def measure_on_the_way(agent: Agent, task: Task) -> Metrics:
    """Return what is measured of an `agent` that goes on learning: games against one opponent."""
    return play_against(agent, CURVE_OPPONENT, task, min(task.games, CURVE_GAMES))


def play_against(
    agent: Agent, opponent: str, task: Task, games: int, note: Callable[[int], object] = lambda games: None
) -> Metrics:
    """Return win rate and margin of `agent` in so many games, two on each deal, the same for all agents.

    `note` is called with each number of games played.
    """
    lineup, pairs = Lineup((agent, make_agent(opponent)), (_NAME, opponent), SEED, task.ruleset), []
    for pair in lineup.play(games // 2):
        pairs.append(pair)
        note(len(pair.games))
    rate, margin = sum(pair.wins for pair in pairs) / games, float(np.mean([pair.margin for pair in pairs]))
    return {f"{WIN_RATE}:{opponent}": rate, f"{MARGIN}:{opponent}": margin}


def find_regrets(agent: Agent, task: Task) -> Metrics:
    """Return what decisions of `agent` lose on the suites of the task, by kind; nothing where it has none."""
    decisions = [one for path in task.list_suites() for one in decide_all(agent, _NAME, str(path))]
    return {f"{REGRET}:{loss.kind}": loss.regret for loss in find_losses(decisions)}
