"""What is measured of an agent: games against the opponents, and regrets on suites of positions."""

import numpy as np

from zamek_agents.arena.sets import Lineup
from zamek_agents.base import Agent
from zamek_agents.benchmark.tasks import CURVE_GAMES, CURVE_OPPONENT, OPPONENTS, SEED, Task
from zamek_agents.registry import make_agent
from zamek_agents.suites.measure import decide_all, find_losses

WIN_RATE, MARGIN, REGRET = "win_rate", "margin", "regret"  # names of metrics begin so
_NAME = "learner"  # of every agent measured, for the chance of games follows from names

Metrics = dict[str, float]


def measure(agent: Agent, task: Task) -> Metrics:
    """Return all that is measured of the final `agent`: {metric: value}.

    `win_rate:OPPONENT` and `margin:OPPONENT` (points a game), and by kind of decision `regret:KIND` (points).
    """
    metrics: Metrics = {}
    for opponent in OPPONENTS:
        metrics |= play_against(agent, opponent, task, task.count_games(opponent))
    return metrics | find_regrets(agent, task)


def measure_on_the_way(agent: Agent, task: Task) -> Metrics:
    """Return what is measured of an `agent` that goes on learning: games against one opponent."""
    return play_against(agent, CURVE_OPPONENT, task, min(task.games, CURVE_GAMES))


def play_against(agent: Agent, opponent: str, task: Task, games: int) -> Metrics:
    """Return win rate and margin of `agent` in so many games, two on each deal, the same for all agents."""
    lineup = Lineup((agent, make_agent(opponent)), (_NAME, opponent), SEED, task.ruleset)
    pairs = list(lineup.play(games // 2))
    rate, margin = sum(pair.wins for pair in pairs) / games, float(np.mean([pair.margin for pair in pairs]))
    return {f"{WIN_RATE}:{opponent}": rate, f"{MARGIN}:{opponent}": margin}


def find_regrets(agent: Agent, task: Task) -> Metrics:
    """Return what decisions of `agent` lose on the suites of the task, by kind; nothing where it has none."""
    decisions = [one for path in task.list_suites() for one in decide_all(agent, _NAME, str(path))]
    return {f"{REGRET}:{loss.kind}": loss.regret for loss in find_losses(decisions)}
