"""Results of the benchmark: one file for each seed, written atomically, from which tables and curves are made.

FOLDER/seeds/TASK.LEARNER.SEED.json     one run: what it was, and what was measured

Results of several seeds are aggregated. The interquartile mean leaves out the best and the worst quarter: it varies
less than the median, and a single lucky seed moves it less than the mean. Its interval is the stratified bootstrap's:
seeds are resampled within each task. A seed is drawn with its results against all opponents, since they are of one
agent (R. Agarwal and others, Deep reinforcement learning at the edge of the statistical precipice, NeurIPS 2021, draws
those of each task apart).
"""

import csv
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from zamek_agents.arena.intervals import CONFIDENCE, RESAMPLES
from zamek_agents.arena.reports import add_legend, label_line, shorten_name
from zamek_agents.array_file import read_number
from zamek_agents.benchmark.run import (
    LEARNERS,
    MARGIN,
    REGRET,
    WIN_RATE,
    Metrics,
    Outcome,
    list_matches,
    list_metrics,
    name_metrics,
)
from zamek_agents.benchmark.tasks import CURVE_OPPONENT, GAMES, LEAST_SEEDS, OPPONENTS, TASKS, Task, find_task
from zamek_agents.plain_file import read_json
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import shorten, show

with needs_extra("cli", "a table"):
    from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    try:
        content = read_json(path, FORMAT, MAX_FILE)
        task, learner, seed = _read_task(content), _read_text(content, "learner"), _read_count(content, "seed")
        if path.name != (due := Identity(task, learner, seed).path.name):
            raise ValueError(f"what it holds belongs in a file called {shorten(due)}")
        learner_digest = None if content.get("learner_digest") is None else _read_text(content, "learner_digest")
        outcome, digest = _read_outcome(content, task), _read_text(content, "digest")
        return Result(task, learner, seed, outcome, digest, learner_digest, _find_version(content))
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
    curve = tuple(
        (_read_count(point, "decisions"), _read_metrics(point, name_metrics(CURVE_OPPONENT))) for point in points
    )
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
    result = read_result(path)
    found = Identity(result.task, result.learner, result.seed, result.learner_digest).make_entries()
    found["digest"] = result.digest  # of the task as it was
    for name, due in identity.make_entries().items():
        if found[name] != due:
            raise ValueError(f"{path} is of another run: {name} is {show(found[name])}, not {show(due)}")
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
        faults.append(f"it must have {LEAST_SEEDS} seeds or more, not {len(results)}")
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


# --- tasks and learners ---


def make_tasks_table() -> Table:
    """Return the table of all tasks."""
    table = Table("task", "ruleset", "decisions", "a learner may use", box=None)
    uses = {"observation": "observations, masks, rewards", "simulator": "also copies of games, redealt"}
    for task in TASKS.values():
        rules = f", {len(task.trained)} sets of house rules, {len(task.held_out)} held out" if task.held_out else ""
        table.add_row(task.name, task.ruleset + rules, f"{task.decisions:,}", uses[task.track])
    return table


def make_learners_table() -> Table:
    """Return the table of the learners of this package."""
    table = Table("learner", "tracks", "what it is", box=None)
    for name, learner in LEARNERS.items():
        table.add_row(name, ", ".join(learner.tracks), learner.description)
    return table


# --- several seeds together, in tables and pictures ---


CUT = 0.25  # left out at either end
Scores = npt.NDArray[np.float64]


class Aggregate(NamedTuple):
    """An interquartile mean, and its interval of 95 % or None for a single seed."""

    mean: float
    interval: tuple[float, float] | None


class Summary(NamedTuple):
    """The results of all seeds of a learner on a task."""

    task: str
    digest: str  # of the task, as the first seed has it
    learner: str
    seeds: int
    faults: list[str]  # why it is no result of the task
    win_rate: Aggregate  # over seeds and opponents; with house rules over seeds, of the mean by those held out
    margin: Aggregate
    trained: Mapping[str, Aggregate]  # both by the house rules learned by, {"win_rate": …}; empty where there are none
    gap: Mapping[str, Aggregate]  # by how much these are more than by those held out, over seeds
    regrets: Mapping[str, Aggregate]  # over seeds, of each kind of decision on the suites
    means: Mapping[str, float]  # over seeds, of each metric


def summarise(results: Sequence[Result]) -> list[Summary]:
    """Return the `Summary` of each learner on each task."""
    summaries = []
    for (task, learner), found in group(results).items():
        final, trained, gap = (
            {kind: aggregate([scores]) for kind, scores in part.items()} for part in collect_parts(task, found)
        )
        regrets = {
            name: aggregate([collect(found, [name])]) for name in list_metrics(task) if name.startswith(f"{REGRET}:")
        }
        metrics = [result.outcome.metrics | {name: getattr(result.outcome, name) for name in HOURS} for result in found]
        means = {name: float(np.mean([each[name] for each in metrics])) for name in metrics[0]}
        which = (task.name, found[0].digest, learner, len(found), find_faults(found))
        summaries.append(Summary(*which, final[WIN_RATE], final[MARGIN], trained, gap, regrets, means))
    return summaries


def collect_parts(task: Task, results: Sequence[Result]) -> Iterator[dict[str, Scores]]:
    """Yield {kind of metric: scores by seed} of final agents: by house rules held out, by those learned, and the gain.

    With house rules each score is a mean. Without, the first are all scores, and the others are empty.
    """
    final = collect_games(task, results, task.held_out or ("",))
    if not task.held_out:
        yield from (final, {}, {})
        return
    held_out, trained = (
        {kind: scores.mean(axis=1, keepdims=True) for kind, scores in part.items()}
        for part in (final, collect_games(task, results, task.trained))
    )
    yield from (held_out, trained, {kind: trained[kind] - held_out[kind] for kind in trained})


def collect_games(task: Task, results: Sequence[Result], rules: Sequence[str]) -> dict[str, Scores]:
    """Return {kind of metric: scores by seed} of the games by these house `rules`, against all opponents."""
    names = zip(*(name_metrics(opponent, each) for opponent in task.opponents for each in rules), strict=True)
    return {kind: collect(results, of_kind) for kind, of_kind in zip((WIN_RATE, MARGIN), names, strict=True)}


def collect(results: Sequence[Result], names: Sequence[str]) -> Scores:
    """Return the metrics of these `names` by seed, `(seeds, metrics)`."""
    return np.array([[result.outcome.metrics[name] for name in names] for result in results])


def aggregate(strata: Sequence[Scores]) -> Aggregate:
    """Return the interquartile mean of all scores; `strata` are tasks, each `(seeds, metrics)`."""

    def find_means(*chosen: npt.NDArray[np.int64], axis: int = -1) -> Scores:
        found = [scores[rows].reshape(*rows.shape[:-1], -1) for scores, rows in zip(strata, chosen, strict=True)]
        return find_iqm(np.concatenate(found, axis=-1))

    everyone = tuple(np.arange(len(scores)) for scores in strata)
    mean = float(find_means(*everyone))
    if min(map(len, strata)) < 2:
        return Aggregate(mean, None)
    options = {"n_resamples": RESAMPLES, "confidence_level": CONFIDENCE, "rng": np.random.default_rng(0)}
    sample = scipy.stats.bootstrap(everyone, find_means, vectorized=True, method="percentile", **options)
    found = sample.confidence_interval
    return Aggregate(mean, (float(found.low), float(found.high)))


def find_iqm(scores: Scores) -> Scores:
    """Return the interquartile means of scores along their last axis.

    Exactly a quarter is left out at either end: a score on the border counts in part. So the mean does not depend on
    the number of seeds, as it would if only whole scores could be left out.
    """
    count = scores.shape[-1]
    kept = count * np.array([CUT, 1 - CUT])
    places = np.arange(count)
    weights = np.clip(np.minimum(places + 1, kept[1]) - np.maximum(places, kept[0]), 0, 1)
    means: Scores = np.sort(scores, axis=-1) @ weights / weights.sum()
    return means


def make_summary_table(summaries: Iterable[Summary]) -> Table:
    """Return the table of results: interquartile means, and means by opponent."""
    opponents = [f"wins against {name}" for name in OPPONENTS]
    table = Table(
        "task", "learner", "seeds", "wins (IQM)", "margin (IQM)", *opponents, "regret (IQM)", "CPU h", box=None
    )
    for row in summaries:
        rates = [f"{100 * row.means[f'{WIN_RATE}:{name}']:.1f} %" for name in OPPONENTS]
        regrets = [f"{name.partition(':')[2]} {show_aggregate(found, 1, '', 2)}" for name, found in row.regrets.items()]
        wins, margin = show_aggregate(row.win_rate, 100, " %"), show_aggregate(row.margin, 1, "")
        hours = f"{row.means['cpu_hours']:.3f}"
        table.add_row(
            name_row(row), shorten_name(row.learner), str(row.seeds), wins, margin, *rates, ", ".join(regrets), hours
        )
    return table


def make_rules_table(summaries: Iterable[Summary]) -> Table:
    """Return the table of results by house rules: the mean of each, and interquartile means of all of a kind."""
    table = Table("task", "learner", "seeds", "house rules", "wins", "margin", box=None)
    for row in summaries:
        task, lines = TASKS[row.task], []
        for opponent, rules in list_matches(task):
            rate, margin = (row.means[metric] for metric in name_metrics(opponent, rules))
            held_out = "" if rules in task.trained else " (held out)"
            lines.append(((rules or "none") + held_out, f"{100 * rate:.1f} %", f"{margin:.1f}"))
        final = {WIN_RATE: row.win_rate, MARGIN: row.margin}
        for part, found in (("trained (IQM)", row.trained), ("held out (IQM)", final), ("gap (IQM)", row.gap)):
            lines.append((part, show_aggregate(found[WIN_RATE], 100, " %"), show_aggregate(found[MARGIN], 1, "")))
        heads = [(name_row(row), shorten_name(row.learner), str(row.seeds))] + [("",) * 3] * (len(lines) - 1)
        for head, line in zip(heads, lines, strict=True):
            table.add_row(*head, *line)
    return table


def name_row(row: Summary) -> str:
    """Return the name of the task, marked if this is no result of it."""
    return row.task + (" (no result of it)" if row.faults else "")


def show_aggregate(found: Aggregate, unit: float, sign: str, digits: int = 1) -> str:
    """Return an aggregate as text, times `unit`, with `digits` digits after the point."""
    mean, *ends = (f"{unit * number:.{digits}f}" for number in (found.mean, *(found.interval or ())))
    return f"{mean}{sign}" + (f" ({' – '.join(ends)})" if ends else "")


def import_figure() -> "type[Figure]":
    """Return the class of figures. Raises `MissingExtraError` where matplotlib is not installed."""
    with needs_extra("bench", "drawing"):
        from matplotlib.figure import Figure  # here, because tables need none of it
    return Figure


def draw_curves(results: Sequence[Result]) -> "Figure":
    """Return the learning curves on one task and trials of it: means over seeds, and from the worst to the best seed.

    Raises as `import_figure` does.
    """
    figure = import_figure()(figsize=(7, 4.5))
    axes, metric = figure.add_subplot(), f"{WIN_RATE}:{CURVE_OPPONENT}"
    for (task, learner), found in group(results).items():
        measured = ((*each.outcome.curve, (each.outcome.decisions, each.outcome.metrics)) for each in found)
        name = learner + (" (trial)" if task.is_trial else "")
        draw_curve(axes, name, [[(at, metrics[metric]) for at, metrics in points] for points in measured])
    axes.set_xscale("log")
    axes.set_xlabel("decisions of the learner")
    axes.set_ylabel(f"wins against {CURVE_OPPONENT}, %")
    axes.set_title(results[0].task.name, fontsize="medium")
    axes.grid(alpha=0.3)
    add_legend(axes)
    return figure


def draw_curve(
    axes: "Axes", learner: str, seeds: Sequence[Sequence[tuple[int, float]]], color: str | None = None
) -> None:
    """Draw the mean of a learner's seeds, and from the worst to the best; (decisions, rate) of each.

    `color` is by default the next one of `axes`. Where a seed has missed early points, those are left out of all.
    """
    count = min(map(len, seeds))
    decisions, rates = np.moveaxis(np.array([points[-count:] for points in seeds]), 2, 0)
    axes.plot(decisions.mean(axis=0), 100 * rates.mean(axis=0), marker=".", color=color, label=label_line(learner))
    axes.fill_between(decisions.mean(axis=0), 100 * rates.min(axis=0), 100 * rates.max(axis=0), alpha=0.2, color=color)
