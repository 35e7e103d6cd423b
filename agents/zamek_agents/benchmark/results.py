"""Results of the benchmark: one file for each seed, written atomically, from which everything else is made.

FOLDER/seeds/TASK.LEARNER.SEED.json     one run: what it was, and what was measured
"""

import csv
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple

from zamek_agents.array_file import read_number
from zamek_agents.benchmark.run import LEARNERS, MARGIN, WIN_RATE, Metrics, Outcome, list_curve_metrics, list_metrics
from zamek_agents.benchmark.tasks import GAMES, LEAST_SEEDS, TASKS, Task, find_task
from zamek_agents.plain_file import read_json
from zamek_env.common.messages import shorten, show

FORMAT = "zamek-benchmark/1"
SEEDS = "seeds"  # folder
MAX_FILE = 2**20  # bytes
MOST = 1e12  # of any number, either way
COLUMNS = ("task", "learner", "seed", "trial", "decisions", "metric", "value")  # of the table
HOURS = ("cpu_hours", "wall_hours")  # metrics besides those of the protocol
_PLAIN = re.compile(r"[^A-Za-z0-9-]+")


class Result(NamedTuple):
    """One run and its outcome."""

    task: Task
    learner: str
    seed: int
    outcome: Outcome
    digest: str  # of the task
    learner_digest: str | None  # of the learner's sources
    version: str | None  # of this package


@dataclass(frozen=True)
class Identity:
    """The identity of the run of a file; another run of the same name must not pass for it."""

    task: Task
    learner: str
    seed: int
    learner_digest: str | None = None  # of its sources before it learned; None in old files

    @property
    def path(self) -> Path:
        """The path of its file in the folder of a benchmark."""
        plain = _PLAIN.sub("_", self.learner)
        if self.learner not in LEARNERS:
            plain += "-" + hashlib.sha256(self.learner.encode()).hexdigest()[:8]
        return Path(SEEDS) / f"{self.task.name}.{plain}.{self.seed}.json"

    def make_entries(self) -> dict[str, Any]:
        """Return its entries in the file."""
        return {
            "format": FORMAT,
            "task": self.task.name,
            "budget": self.task.decisions,
            "games": self.task.games,
            "learner": self.learner,
            "learner_digest": self.learner_digest,
            "seed": self.seed,
            "digest": self.task.digest(),
        }


# --- files ---


def write_result(file: IO[str], identity: Identity, outcome: Outcome, about: Mapping[str, Any]) -> None:
    """Write the outcome of a run to an open file, with what is noted `about` it."""
    figures = {"decisions": outcome.decisions, **{name: getattr(outcome, name) for name in HOURS}}
    curve = [{"decisions": decisions, "metrics": metrics} for decisions, metrics in outcome.curve]
    content = identity.make_entries() | figures | {"metrics": outcome.metrics, "curve": curve, "about": dict(about)}
    json.dump(content, file, indent=1)
    file.write("\n")


def read_result(path: Path) -> Result:
    """Return the result in a file. Raises `ValueError`, naming file and field, where it cannot be right or read."""
    return _read(path)[0]


def _read(path):
    """Return the result in a file, and all that the file holds. Raises as `read_result` does."""
    try:
        content = read_json(path, FORMAT, MAX_FILE)
        task, learner, seed = _read_task(content), _read_text(content, "learner"), _read_count(content, "seed")
        if path.name != (due := Identity(task, learner, seed).path.name):
            raise ValueError(f"what it holds belongs in a file called {shorten(due)}")
        learner_digest = None if content.get("learner_digest") is None else _read_text(content, "learner_digest")
        outcome, digest = _read_outcome(content, task), _read_text(content, "digest")
        return Result(task, learner, seed, outcome, digest, learner_digest, _find_version(content)), content
    except (ValueError, TypeError, RecursionError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: {reason}") from error


def _read_task(content: Mapping[str, Any]) -> Task:
    task = find_task(_read_text(content, "task"))
    games = _read_count(content, "games", 2, GAMES)
    if games % 2:
        raise ValueError(f"games must be an even number, not {games}")
    return find_task(task.name, _read_count(content, "budget", 1, task.decisions), games)


def _read_outcome(content: Mapping[str, Any], task: Task) -> Outcome:
    points = content.get("curve")
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise ValueError(f"curve must be a list of objects, not {show(points)}")
    curve = tuple((_read_count(point, "decisions"), _read_metrics(point, list_curve_metrics())) for point in points)
    decisions, hours = _read_count(content, "decisions"), [float(read_number(content, name, 0, MOST)) for name in HOURS]
    if any(first >= second for first, second in pairwise([*(at for at, _ in curve), decisions + 1])):
        raise ValueError(f"curve must have its points in the order of decisions, of at most {decisions}")
    return Outcome(decisions, _read_metrics(content, list_metrics(task)), curve, *hours)


def _find_version(content: Mapping[str, Any]) -> str | None:
    """Return the version of this package that made a file, None where it is not given."""
    about = content.get("about")
    versions = about.get("versions") if isinstance(about, dict) else None
    version = versions.get("zamek_env") if isinstance(versions, dict) else None
    return version if isinstance(version, str) else None


def find_result(folder: Path, identity: Identity) -> Result | None:
    """Return the result of that run in a `folder`, None where there is none yet.

    Raises `ValueError` where the file is of another run: of another budget, task or learner under the same name.
    """
    path = folder / identity.path
    if not path.is_file():
        return None
    result, content = _read(path)
    for name, due in identity.make_entries().items():
        if content.get(name) != due:
            raise ValueError(f"{path} is of another run: {name} is {show(content.get(name))}, not {show(due)}")
    return result


def list_files(folder: Path) -> list[Path]:
    """Return the files of results in the folder of a benchmark."""
    return sorted((folder / SEEDS).glob("*.json"))


def read_all(folder: Path) -> list[Result]:
    """Return all results in the folder of a benchmark, by task, learner and seed. Raises as `read_result` does."""
    found = [read_result(path) for path in list_files(folder)]
    return sorted(found, key=lambda each: (list(TASKS).index(each.task.name), each.learner, each.seed))


def _read_text(content, name):
    if not isinstance(content.get(name), str) or not content[name].isprintable():
        raise ValueError(f"{name} must be printable text, not {show(content.get(name))}")
    return content[name]


def _read_count(content, name, least=0, most=2**63 - 1):
    return read_number(content, name, least, most, whole=True)


def _read_metrics(content: Mapping[str, Any], due: Sequence[str]) -> Metrics:
    metrics = content.get("metrics")
    if not isinstance(metrics, dict) or set(metrics) != set(due):
        raise ValueError(f"metrics must be an object with {', '.join(due)}, not {show(metrics)}")
    ranges = {WIN_RATE: (0, 1), MARGIN: (-MOST, MOST)}  # by kind; of a regret from 0
    kinds = {name: name.partition(":")[0] for name in due}
    return {name: float(read_number(metrics, name, *ranges.get(kind, (0, MOST)))) for name, kind in kinds.items()}


# --- what they say ---


def list_rows(results: Iterable[Result]) -> list[tuple[Any, ...]]:
    """Return the rows of the table, with `COLUMNS`; `decisions` is when it was measured."""
    rows = []
    for task, learner, seed, outcome, *_ in results:
        hours = {name: getattr(outcome, name) for name in HOURS}
        for decisions, metrics in (*outcome.curve, (outcome.decisions, outcome.metrics | hours)):
            which = (task.name, learner, seed, int(task.is_trial), decisions)
            rows += [(*which, metric, value) for metric, value in metrics.items()]
    return rows


def write_table(file: IO[str], results: Iterable[Result]) -> None:
    """Write the table as CSV to an open file."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(list_rows(results))


def group(results: Iterable[Result]) -> dict[tuple[Task, str], list[Result]]:
    """Return {(task, learner): results}."""
    grouped: defaultdict[tuple[Task, str], list[Result]] = defaultdict(list)
    for result in results:
        grouped[result.task, result.learner].append(result)
    return dict(grouped)


def find_faults(results: Sequence[Result]) -> list[str]:
    """Return in sentences why `results` of one learner on one task do not count for the task; none where they do."""
    task, learner, faults = results[0].task, results[0].learner, []
    if task.is_trial:
        due = TASKS[task.name]
        faults.append(
            f"it is a trial: {task.decisions:,} decisions and {task.games} games, not {due.decisions:,} and {due.games}"
        )
    if len(results) < LEAST_SEEDS:
        faults.append(f"it has {len(results)} seeds, not {LEAST_SEEDS} or more")
    seeds = sorted(result.seed for result in results)
    if seeds != list(range(1, len(seeds) + 1)):
        faults.append(f"its seeds are {shorten(', '.join(map(str, seeds)))}, not 1 to {len(seeds)}")
    if any(result.digest != task.digest() for result in results):
        faults.append("it was measured by another version of the task")
    if len({(result.learner_digest, result.version) for result in results}) > 1:
        faults.append(f"the seeds are not of one version of the learner {learner!r} and of this package")
    if any(result.outcome.decisions > task.decisions for result in results):
        faults.append("the budget was exceeded")
    return faults
