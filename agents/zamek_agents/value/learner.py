"""Files of the learner of the agent `value`, from which learning goes on as if it had never stopped.

A file is one of `array_file.py` with an array for each field of `learner_dtype`; of the evaluator it holds the weights.
It also notes the format, the ruleset (`named_ruleset.py`), the curve (a row for each report) and the seconds spent.

A chunk of learning is a task for workers: the learner before it in, the learner after it and a report out.
"""

import math
import time
from collections.abc import Mapping
from os import PathLike
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.base import DivergedError
from zamek_agents.named_ruleset import NamedRuleset, check_base, get_named, make_base_entries, read_ruleset
from zamek_agents.value.choice import count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import LEAD
from zamek_agents.value.training import PERMILLE, episode_dtype, learner_dtype, play_match, train
from zamek_agents.value.weights import MAX_GAMES, MAX_SECONDS, MAX_WEIGHT, new_weights, read_curve
from zamek_env.base.chance import seed_generator
from zamek_env.ruleset import Ruleset

FORMAT = "zamek-value-learner/1"
MAX_RATE = 1e6
MAX_SUM = 1e18  # of squares
MAX_ERROR = 2.0  # most that errors of values may be, in multiples of those of always 0
ENOUGH = 100  # games after which the margins met show how large margins are
LARGE_MARGIN = 100.0  # points, more than games are won by
RANGES: dict[str, tuple[float, float]] = {  # what each field of the learner may be
    "means": (-MAX_WEIGHT, MAX_WEIGHT),
    "squares": (0, MAX_SUM),
    "rate": (0, MAX_RATE),
    "trace": (0, 1),
    "squared_error": (0, MAX_SUM),
    "squared_margin": (0, MAX_SUM),
    "positions": (0, MAX_SUM),
    "games": (0, MAX_GAMES),
    "memory": (1, MAX_GAMES),
    "exploration": (0, PERMILLE),
    "generator": (0, 2**64 - 1),
    "weights": (-MAX_WEIGHT, MAX_WEIGHT),
}
_CURVE = {"games": (0, MAX_GAMES), "error": (0, 1e9), "win_rate": (0, 1), "margin": (-1e4, 1e4)}
FIRST_MATCH_DEAL = 1_000_000  # the deals of matches, the same every time
AT_ONCE = 100  # games learned from in one call, after which an interruption is noticed, and the end of the time

Learners = npt.NDArray[np.record]


def new_learner(
    ruleset: Ruleset, seed: int, settings: Mapping[str, float], begun: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.record]:
    """Return a new learner, shape `(1,)` of `learner_dtype`, with `settings` by field.

    It begins with the weights `begun`, if given, else untrained.
    """
    learners, weights = np.zeros(1, learner_dtype(ruleset)), new_weights(ruleset) if begun is None else begun
    learners["evaluator"], learners["means"] = new_evaluators(ruleset, weights), weights
    for name, value in settings.items():
        learners[name] = value
    seed_generator(learners["generator"][0], seed)
    return learners


def load_learner(
    path: PathLike[str] | str, ruleset: Ruleset
) -> tuple[npt.NDArray[np.record], list[dict[str, Any]], float]:
    """Return (learner, curve, seconds) of a file. Raises `ValueError` where it holds none for this `Ruleset`."""
    learners = new_learner(ruleset, 0, {})
    with open_arrays(path, "learner", FORMAT) as file:
        trained_for = read_ruleset(file.about)
        seconds = read_number(file.about, "seconds", 0, MAX_SECONDS)
        curve = read_curve(file.about, _CURVE, {"games", "error"}, "games")
        if trained_for == read_ruleset(make_base_entries(ruleset)):
            for field, stored in _find_stored(learners).items():
                stored[...] = file.read(field, stored.dtype, stored.shape, *RANGES[field])
            if any(weights[0, LEAD] != 1 for weights in (learners["evaluator"]["weights"], learners["means"])):
                raise ValueError("the weight of the points ahead must be 1")
    check_base(path, trained_for, ruleset)
    return learners, curve, seconds


def write_learner(file: IO[bytes], learners: npt.NDArray[np.record], ruleset: Ruleset, about: dict[str, Any]) -> None:
    """Write a learner to an open binary file, with what is noted `about` it: curve and seconds too."""
    write_arrays(file, about | {"format": FORMAT} | make_base_entries(ruleset), _find_stored(learners))


def check_progress(learners: npt.NDArray[np.record], ruleset: Ruleset, games: int) -> None:
    """Raise `DivergedError` where the last `games` show that learning diverges.

    That is where something is not finite or too large for a file, or where the root mean square error of values was
    more than `MAX_ERROR` times that of always 0, which is the margin of games. A few games do not show that margin: if
    there are fewer than `ENOUGH`, `LARGE_MARGIN` is assumed for the missing ones.
    """
    learner, stored = learners[0], _find_stored(learners)
    positions = max(1, int(learner["positions"]))
    error, margin = (math.sqrt(learner[name] / positions) for name in ("squared_error", "squared_margin"))
    share = min(1.0, games / ENOUGH)
    expected = math.sqrt(share * margin**2 + (1 - share) * LARGE_MARGIN**2)
    is_bounded = all(np.abs(stored[name]).max() <= MAX_WEIGHT for name in ("weights", "means"))  # no NaN is
    if not (is_bounded and np.isfinite(learner["squares"]).all() and error <= MAX_ERROR * expected):
        raise DivergedError(
            f"learning diverged within {int(learner['games'])} games: values are off by {error:.3g} points where games "
            f"are won by {margin:.3g}; the rate {float(learner['rate']):g} is too large"
        )


def _find_stored(learners):
    """Return {name in a file: view of what it holds}, the arrays of all weights without the axis of one learner."""
    stored = {field: learners["evaluator"][field] if field == "weights" else learners[field] for field in RANGES}
    return {field: array[0] if field in ("means", "squares", "weights") else array for field, array in stored.items()}


# --- chunks of learning ---


def learn_chunk(
    named: NamedRuleset, learners: Learners, games: int, match_deals: int, seconds: float = math.inf
) -> tuple[Learners, dict[str, Any], float]:
    """Return the learner, shape `(1,)`, after `games` more games, its report for the curve, and the seconds taken.

    `match_deals` are played against greedy players. All follows from the learner. After `seconds` no more games are
    begun, once there are some. Raises `DivergedError` where learning diverges.
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
    """Compile all that learning needs, by learning from no game and playing no match."""
    states, logs = ruleset.new_states(1 + count_trials(ruleset.sizes)), ruleset.new_log()
    learners, episodes = new_learner(ruleset, 0, {}), np.zeros(1, episode_dtype(ruleset.sizes))
    train(ruleset.tables, states, logs, learners, episodes, 0)
    play_match(ruleset.tables, states, logs, new_evaluators(ruleset, learners["means"]), FIRST_MATCH_DEAL, 0)


def compile_named(named: NamedRuleset) -> None:
    """Compile all that `learn_chunk` needs."""
    compile_all(get_named(*named))
