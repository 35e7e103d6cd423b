"""A chunk of learning as a task for workers: the learner before it in, the learner after it and a report out."""

import math
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.named_ruleset import NamedRuleset, get_named
from zamek_agents.value.choice import count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.learner import check_progress, new_learner
from zamek_agents.value.training import episode_dtype, play_match, train
from zamek_env.ruleset import Ruleset

FIRST_MATCH_DEAL = 1_000_000  # the deals of matches, the same every time
AT_ONCE = 100  # games learned from in one call, after which an interruption is noticed, and the end of the time

Learners = npt.NDArray[np.record]


def learn_chunk(
    named: NamedRuleset, learners: Learners, games: int, match_deals: int, seconds: float = math.inf
) -> tuple[Learners, dict[str, Any], float]:
    """Return the learner, shape `(1,)`, after so many games more, how it stands, for the curve, and the seconds taken.

    `match_deals` are played against greedy players. All follows from the learner. After so many `seconds` no more games
    are begun, once there are some. Raises `DivergedError` where it leads nowhere.
    """
    started = time.monotonic()
    rules = get_named(*named)
    states, logs = rules.new_states(1 + count_trials(rules.sizes)), rules.new_log()
    after, episodes = learners.copy(), np.zeros(1, episode_dtype(rules.sizes))
    learner = after[0]
    learner["squared_error"], learner["squared_margin"], learner["positions"] = 0, 0, 0
    played = 0
    while played < games and not (played and time.monotonic() - started >= seconds):
        some = min(AT_ONCE, games - played)
        train(rules.tables, states, logs, after, episodes, some)
        played += some
    check_progress(after, rules, played)
    row = {
        "games": int(learner["games"]),
        "error": round(math.sqrt(learner["squared_error"] / max(1, learner["positions"])), 3),  # points
    }
    if match_deals:
        evaluators, count = new_evaluators(rules, learner["means"]), rules.players * match_deals
        wins, margins = play_match(rules.tables, states, logs, evaluators, FIRST_MATCH_DEAL, match_deals)
        row |= {"win_rate": float(wins) / count, "margin": int(margins) / count}
    return after, row, time.monotonic() - started


def compile_all(ruleset: Ruleset) -> None:
    """Compile what learning takes, by learning from no game and playing no match."""
    states, logs = ruleset.new_states(1 + count_trials(ruleset.sizes)), ruleset.new_log()
    learners, episodes = new_learner(ruleset, 0, {}), np.zeros(1, episode_dtype(ruleset.sizes))
    train(ruleset.tables, states, logs, learners, episodes, 0)
    play_match(ruleset.tables, states, logs, new_evaluators(ruleset, learners["means"]), FIRST_MATCH_DEAL, 0)


def compile_named(named: NamedRuleset) -> None:
    """Compile what `learn_chunk` takes."""
    compile_all(get_named(*named))
