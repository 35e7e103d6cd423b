"""A run: one learner learns one task from one seed within its budget, and what it has learned is measured."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from zamek_agents.base import DivergedError
from zamek_agents.benchmark.learners import find_learner
from zamek_agents.benchmark.practice import BudgetSpentError, CannotPlayError, Practice, make_player
from zamek_agents.benchmark.protocol import Metrics, measure, measure_on_the_way
from zamek_agents.benchmark.tasks import CURVE_SHARES, Task
from zamek_env.common.extras import needs_extra
from zamek_env.errors import IllegalActionError, noted

with needs_extra("cli", "a benchmark"):
    from tqdm import tqdm

SECONDS_AN_HOUR = 3600
_WARM_UP = 8192  # decisions, of which every learner of the package makes something


class LearnerError(RuntimeError):
    """A learner has failed; the message says which, and why."""


@dataclass(frozen=True)
class Outcome:
    """What came of it. The hours are those of learning, without those of measuring."""

    decisions: int  # that were counted
    metrics: Metrics
    curve: tuple[tuple[int, Metrics], ...]  # (decisions so far, what was measured)
    cpu_hours: float
    wall_hours: float


class Curve:
    """Measures what a learner reports, where a point of its learning curve is due."""

    def __init__(self, task: Task, practice: Practice) -> None:
        self.points: list[tuple[int, Metrics]] = []
        self.cpu_seconds = self.wall_seconds = 0.0  # that measuring took
        self._task, self._practice = task, practice
        self._due = [share * task.decisions for share in CURVE_SHARES]

    def report(self, learned: Any) -> None:
        """Measure what was `learned` so far, if a share of the budget was spent at which that is due."""
        played = self._practice.played
        if not self._due or played < self._due[0]:
            return
        self._due = [due for due in self._due if due > played]
        with self._measuring(), _answering():
            agent = make_player(learned, self._task)
            self.points.append((played, measure_on_the_way(agent, self._task)))

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            yield
        finally:
            self.cpu_seconds += time.process_time() - cpu
            self.wall_seconds += time.perf_counter() - wall


def run_learner(
    task: Task, spec: str, seed: int, note: Callable[[int], object] = lambda decisions: None, is_shown: bool = False
) -> Outcome:
    """Let the learner that `spec` names learn the `task` from `seed`, and measure what it returns.

    `note` is called with each number of decisions before they are played; `is_shown` measures with a bar. Raises as
    `find_learner` does, and `LearnerError` where the learner wants more than its budget, diverges, or returns or
    reports what is no player or plays what is not legal. Whatever else it raises has a note that says which learner it
    was.
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
    """Let an answer that is not legal, of who was learned and is measured in the block, be a `CannotPlayError`."""
    try:
        yield
    except IllegalActionError as error:
        raise CannotPlayError(str(error)) from error


def warm_up(learners: tuple[tuple[Task, str], ...]) -> None:
    """Let each of the `learners`, (task, spec), learn a little, so that all is compiled before the clock starts.

    A learner that wants more than so little has compiled what it needs, too. Raises as `run_learner` does otherwise.
    """
    for task, spec in tqdm(learners, unit="learner", desc="getting ready", leave=False):
        small = replace(task, decisions=min(task.decisions, _WARM_UP), games=2)
        try:
            run_learner(small, spec, seed=0)
        except LearnerError as error:
            if not isinstance(error.__cause__, BudgetSpentError):
                raise LearnerError(f"getting ready, with a budget of {small.decisions:,} decisions: {error}") from error
