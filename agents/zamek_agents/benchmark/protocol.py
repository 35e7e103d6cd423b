"""What is measured of an agent: games against the opponents, and regrets on suites of positions."""

from collections.abc import Callable
from itertools import product

import numpy as np

from zamek_agents.arena.sets import Lineup
from zamek_agents.base import Agent
from zamek_agents.benchmark.tasks import CURVE_GAMES, CURVE_OPPONENT, SEED, Task
from zamek_agents.registry import make_agent
from zamek_agents.suites.measure import decide_all, find_losses
from zamek_agents.suites.suite import ENDGAME, PLACE, SCORE, SEND
from zamek_env.common.extras import needs_extra

with needs_extra("cli", "a benchmark"):
    from tqdm import tqdm

WIN_RATE, MARGIN, REGRET = "win_rate", "margin", "regret"  # names of metrics begin so
KINDS = {"zamek": (PLACE, SEND, SCORE, ENDGAME), "carcassonne": (PLACE, SEND, ENDGAME)}  # in the suites of a ruleset
_NAME = "learner"  # of every agent measured, for the chance of games follows from names

Metrics = dict[str, float]


def list_metrics(task: Task) -> list[str]:
    """Return the names of all that is measured of a final agent."""
    names = [name for each in list_matches(task) for name in name_metrics(*each)]
    return names + [f"{REGRET}:{kind}" for kind in KINDS.get(task.ruleset, ()) if task.list_suites()]


def list_matches(task: Task) -> list[tuple[str, str]]:
    """Return (opponent, house rules) of the games by which a final agent is measured."""
    return [*product(task.opponents, task.trained + task.held_out or ("",))]


def name_metrics(opponent: str, rules: str = "") -> list[str]:
    """Return the names of win rate and margin against an `opponent` by these house rules."""
    match = f"{opponent} by {rules}" if rules else opponent
    return [f"{kind}:{match}" for kind in (WIN_RATE, MARGIN)]


def is_regret(metric: str) -> bool:
    """Return whether a metric of that name is a regret."""
    return metric.startswith(f"{REGRET}:")


def list_curve_metrics() -> list[str]:
    """Return the names of what is measured of an agent that goes on learning."""
    return name_metrics(CURVE_OPPONENT)


def measure(agent: Agent, task: Task, is_shown: bool = False) -> Metrics:
    """Return all that is measured of the final `agent`: {metric: value}, by `list_metrics`; with a bar if `is_shown`.

    `win_rate:OPPONENT` and `margin:OPPONENT` (points a game), with ` by RULES` where there are house rules, and by kind
    of decision `regret:KIND` (points).
    """
    metrics: Metrics = {}
    matches = list_matches(task)
    total = sum(task.count_games(opponent) for opponent, _ in matches)
    with tqdm(total=total, unit="game", desc="measuring", leave=False, disable=not is_shown) as bar:
        for opponent, rules in matches:
            metrics |= play_against(agent, opponent, task, task.count_games(opponent), bar.update, rules)
    return metrics | find_regrets(agent, task)


def measure_on_the_way(agent: Agent, task: Task) -> Metrics:
    """Return what is measured of an `agent` that goes on learning: games against one opponent."""
    return play_against(agent, CURVE_OPPONENT, task, min(task.games, CURVE_GAMES))


def play_against(
    agent: Agent,
    opponent: str,
    task: Task,
    games: int,
    note: Callable[[int], object] = lambda games: None,
    rules: str = "",
) -> Metrics:
    """Return win rate and margin of `agent` in so many games, two on each deal, the same for all agents.

    They are played by these house `rules`. `note` is called with each number of games played.
    """
    components, pairs = task.find_ruleset(rules).components, []
    agents, names = (agent, make_agent(opponent)), (_NAME, opponent)
    lineup = Lineup(agents, names, SEED, task.ruleset, components=components)
    for pair in lineup.play(games // 2):
        pairs.append(pair)
        note(len(pair.games))
    rate, margin = sum(pair.wins for pair in pairs) / games, float(np.mean([pair.margin for pair in pairs]))
    return dict(zip(name_metrics(opponent, rules), (rate, margin), strict=True))


def find_regrets(agent: Agent, task: Task) -> Metrics:
    """Return what decisions of `agent` lose on the suites of the task, by kind; nothing where it has none."""
    decisions = [one for path in task.list_suites() for one in decide_all(agent, _NAME, str(path))]
    return {f"{REGRET}:{loss.kind}": loss.regret for loss in find_losses(decisions)}
