"""A run: one learner learns one task from one seed within its budget, and the result is measured.

Learners are named: those of this package, and any function of a module or a file. A learner is called as
`learn(task, seed, report)`. `task` is a `Practice`, from which it gets its games. It returns what it has learned: under
the track `observation` a policy, a callable `(observation, action_mask, rng) -> action`, under `simulator` that or an
agent, which has `act(game, rng)`. While learning it may call `report` with the same, for the learning curve; that is
cheap unless a point of the curve is due. All its chance follows from `seed`.

The result is measured by games against the opponents, and by regrets on suites of positions.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from inspect import signature
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.arena.sets import Lineup
from zamek_agents.base import Agent, DivergedError
from zamek_agents.benchmark.practice import BudgetSpentError, CannotPlayError, Practice, Report, make_player
from zamek_agents.benchmark.tasks import (
    CURVE_GAMES,
    CURVE_OPPONENT,
    CURVE_SHARES,
    OBSERVATION,
    SEED,
    SIMULATOR,
    TRACKS,
    VERSIONS,
    Task,
)
from zamek_agents.plain_file import digest_files, digest_module
from zamek_agents.pretrained import FOLDER
from zamek_agents.registry import make_agent
from zamek_agents.suites.measure import decide_all, find_losses
from zamek_agents.suites.suite import ENDGAME, PLACE, SCORE, SEND
from zamek_env.agent_names import find_file, find_maker
from zamek_env.common.extras import needs_extra, needs_train_extra
from zamek_env.common.messages import show
from zamek_env.errors import IllegalActionError, noted

Learn = Callable[[Practice, int, Report], Any]
FORMS = ("MODULE:FUNCTION", "FILE.py:FUNCTION")


class Learner(NamedTuple):
    """A learner of this package."""

    module: str  # that has `learn`
    tracks: tuple[str, ...]  # in which it may take part
    description: str  # in a few words
    reads: str | None  # the part of observations that it learns from; None: it needs none


_BY_HOUSE_RULES = "sb3-maskable-ppo"  # the learner here whose games may be of several sets of house rules
_FOLDER = "zamek_agents.benchmark"
LEARNERS = {
    name: Learner(f"{_FOLDER}.{module}", tracks, description, reads)
    for name, module, tracks, description, reads in (
        ("ppo", "learn_ppo", TRACKS, "masked PPO of `zamek train`, by self-play", "rows"),
        ("sb3-maskable-ppo", "learn_sb3", TRACKS, "MaskablePPO of sb3-contrib with RowPolicy, against greedy", "rows"),
        ("masked-dqn", "learn_dqn", TRACKS, "double DQN with masks, against greedy", "rows"),
        ("td", "learn_td", (SIMULATOR,), "TD(λ) of `zamek train-value`, by self-play", None),
        ("gumbel", "learn_gumbel", (SIMULATOR,), "Gumbel AlphaZero with a search of one decision", "rows"),
        ("imitation", "learn_imitation", (SIMULATOR,), "a network that imitates the agent value", None),
    )
}


def find_learner(spec: str, task: Task) -> Learn:
    """Return the learner that `spec` names, for that task.

    Settings in parentheses, such as `my.py:learn(width=64)`, are passed on by name. Raises `ValueError` where there is
    none or it does not support the track, the observation or the house rules, `FileNotFoundError` where there is no
    such file, `MissingExtraError` where packages that it needs are not installed.
    """
    if spec in LEARNERS:
        learner = LEARNERS[spec]
        if task.held_out and spec != _BY_HOUSE_RULES:
            able = ", ".join((_BY_HOUSE_RULES, *FORMS))
            raise ValueError(f"the learner {spec!r} learns without house rules; from {task.name} learn {able}")
        if task.track not in learner.tracks:
            raise ValueError(f"the learner {spec!r} takes part in the track {SIMULATOR!r} only, not in {OBSERVATION!r}")
        if learner.reads not in (None, *task.observation):
            versions = " or ".join(version for version, parts in VERSIONS.items() if learner.reads in parts)
            raise ValueError(
                f"the learner {spec!r} learns from {learner.reads}: from tasks {versions}, not {task.name}"
            )
        with needs_train_extra(f"the learner {spec!r}"):
            return import_module(learner.module).learn
    if ":" not in spec:
        raise ValueError(f"a learner must be one of {', '.join((*LEARNERS, *FORMS))}, not {show(spec)}")
    found = find_maker(spec, "learner", "function")
    if found.arguments:
        raise ValueError(f"settings of the learner {spec!r} must be given by name, such as learn(width=64)")
    try:
        signature(found.make).bind(task, 0, print, **found.keywords)
    except TypeError as error:
        raise ValueError(f"the learner {spec!r}, called as learn(task, seed, report): {error}") from error
    return partial(found.make, **found.keywords)


def digest_learner(spec: str) -> str:
    """Return the digest of a learner's sources, so that another one of its name is noticed; raises as `find_learner`.

    They are its module, the modules that `digest_module` adds to it, its present file, and all weights that come with
    the package, by which teachers and opponents play.
    """
    module = import_module(
        LEARNERS[spec].module if spec in LEARNERS else find_maker(spec, "learner", "function").module
    )
    path = find_file(spec)
    files = digest_files(*sorted(FOLDER.glob("*.npz")), *([path] if path is not None else []))
    return f"{digest_module(module.__name__)}-{files}"


with needs_extra("cli", "a benchmark"):
    from tqdm import tqdm

# --- what is measured ---


WIN_RATE, MARGIN, REGRET = "win_rate", "margin", "regret"  # names of metrics begin so
KINDS = {"zamek": (PLACE, SEND, SCORE, ENDGAME), "carcassonne": (PLACE, SEND, ENDGAME)}  # in the suites of a ruleset
_NAME = "learner"  # of every agent measured, for the chance of games follows from names
Metrics = dict[str, float]
SECONDS_AN_HOUR = 3600
_WARM_UP = 8192  # decisions, enough for every learner of the package


def list_metrics(task: Task) -> list[str]:
    """Return the names of all metrics of a final agent."""
    names = [name for each in list_matches(task) for name in name_metrics(*each)]
    return names + [f"{REGRET}:{kind}" for kind in KINDS.get(task.ruleset, ()) if task.list_suites()]


def list_matches(task: Task) -> list[tuple[str, str]]:
    """Return (opponent, house rules) of the games by which a final agent is measured."""
    return [*product(task.opponents, task.trained + task.held_out or ("",))]


def name_metrics(opponent: str, rules: str = "") -> list[str]:
    """Return the names of win rate and margin against an `opponent` by these house rules."""
    match = f"{opponent} by {rules}" if rules else opponent
    return [f"{kind}:{match}" for kind in (WIN_RATE, MARGIN)]


def measure(agent: Agent, task: Task, is_shown: bool = False) -> Metrics:
    """Return all metrics of the final `agent`, {metric: value}, by `list_metrics`; with a bar if `is_shown`.

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
    """Return the metrics of an `agent` that goes on learning: of games against one opponent."""
    return play_against(agent, CURVE_OPPONENT, task, min(task.games, CURVE_GAMES))


def play_against(
    agent: Agent,
    opponent: str,
    task: Task,
    games: int,
    note: Callable[[int], object] = lambda games: None,
    rules: str = "",
) -> Metrics:
    """Return win rate and margin of `agent` in `games` games, two on each deal, the same for all agents.

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
    """Return the regrets of `agent` on the suites of the task, by kind of decision; nothing where it has no suites."""
    decisions = [one for path in task.list_suites() for one in decide_all(agent, _NAME, str(path))]
    return {f"{REGRET}:{loss.kind}": loss.regret for loss in find_losses(decisions)}


# --- runs ---


class LearnerError(RuntimeError):
    """A learner has failed; the message says which, and why."""


@dataclass(frozen=True)
class Outcome:
    """The results of a run. The hours are those of learning, without those of measuring."""

    decisions: int  # that were counted
    metrics: Metrics
    curve: tuple[tuple[int, Metrics], ...]  # (decisions so far, what was measured)
    cpu_hours: float
    wall_hours: float


class Curve:
    """Measures reported agents where a point of the learning curve is due."""

    def __init__(self, task: Task, practice: Practice) -> None:
        self.points: list[tuple[int, Metrics]] = []
        self.cpu_seconds = self.wall_seconds = 0.0  # that measuring took
        self._task, self._practice = task, practice
        self._due = [share * task.decisions for share in CURVE_SHARES]

    def report(self, learned: Any) -> None:
        """Measure what was `learned` so far, if the spent share of the budget makes that due."""
        played = self._practice.played
        if not self._due or played < self._due[0]:
            return
        self._due = [due for due in self._due if due > played]
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            with _answering():
                agent = make_player(learned, self._task)
                self.points.append((played, measure_on_the_way(agent, self._task)))
        finally:  # a learner may catch what is raised, and go on
            self.cpu_seconds += time.process_time() - cpu
            self.wall_seconds += time.perf_counter() - wall


def run_learner(
    task: Task, spec: str, seed: int, note: Callable[[int], object] = lambda decisions: None, is_shown: bool = False
) -> Outcome:
    """Let the learner that `spec` names learn the `task` from `seed`, and measure what it returns.

    `note` is called with each number of decisions before they are played; `is_shown` measures with a bar. Raises as
    `find_learner` does, and `LearnerError` where the learner wants more than its budget, diverges, or returns or
    reports something that is no player or plays illegally. Its other errors get a note that names the learner.
    """
    learn, practice = find_learner(spec, task), Practice(task, note)
    which = f"the learner {spec!r}, {task.name}, seed {seed}"
    try:
        with noted(f"by {which}"):
            curve = Curve(task, practice)
            cpu, wall = time.process_time(), time.perf_counter()
            learned = learn(practice, seed, curve.report)
            cpu_seconds = time.process_time() - cpu - curve.cpu_seconds
            wall_seconds = time.perf_counter() - wall - curve.wall_seconds
            with _answering():
                metrics = measure(make_player(learned, task), task, is_shown)
            hours = cpu_seconds / SECONDS_AN_HOUR, wall_seconds / SECONDS_AN_HOUR
            return Outcome(practice.played, metrics, tuple(curve.points), *hours)
    except (BudgetSpentError, DivergedError, CannotPlayError) as error:
        raise LearnerError(f"{which}: {error}") from error


@contextmanager
def _answering() -> Iterator[None]:
    """Turn an illegal answer of the learned agent, which is measured in the block, into a `CannotPlayError`."""
    try:
        yield
    except IllegalActionError as error:
        raise CannotPlayError(str(error)) from error


def warm_up(learners: tuple[tuple[Task, str], ...]) -> None:
    """Let each of the `learners`, (task, spec), learn a little, so that all is compiled before the clock starts.

    A learner that wants more has compiled what it needs, too. Raises as `run_learner` does otherwise.
    """
    for task, spec in tqdm(learners, unit="learner", desc="getting ready", leave=False):
        small = replace(task, decisions=min(task.decisions, _WARM_UP), games=2)
        try:
            run_learner(small, spec, seed=0)
        except LearnerError as error:
            if not isinstance(error.__cause__, BudgetSpentError):
                raise LearnerError(f"getting ready, with a budget of {small.decisions:,} decisions: {error}") from error
