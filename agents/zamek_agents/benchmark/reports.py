"""Makes tables of tasks, learners and results, and pictures of learning curves; aggregates results of several seeds.

The interquartile mean leaves out the best and the worst quarter: it varies less than the median, and a single lucky
seed moves it less than the mean. Its interval is the stratified bootstrap's: seeds are resampled within each task. A
seed is drawn with its results against all opponents, since they are of one agent (R. Agarwal and others, Deep
reinforcement learning at the edge of the statistical precipice, NeurIPS 2021, draws those of each task apart).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.arena.intervals import CONFIDENCE, RESAMPLES
from zamek_agents.arena.reports import add_legend, label_line, shorten_name
from zamek_agents.benchmark.results import HOURS, Result, find_faults, group
from zamek_agents.benchmark.run import LEARNERS, MARGIN, WIN_RATE, is_regret, list_matches, list_metrics, name_metrics
from zamek_agents.benchmark.tasks import CURVE_OPPONENT, OPPONENTS, TASKS, Task
from zamek_env.common.extras import needs_extra

with needs_extra("cli", "a table"):
    from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
        regrets = {name: aggregate([collect(found, [name])]) for name in list_metrics(task) if is_regret(name)}
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
    from scipy.stats import bootstrap  # here: importing it takes a second, for which no other command should wait

    def find_means(*chosen: npt.NDArray[np.int64], axis: int = -1) -> Scores:
        found = [scores[rows].reshape(*rows.shape[:-1], -1) for scores, rows in zip(strata, chosen, strict=True)]
        return find_iqm(np.concatenate(found, axis=-1))

    everyone = tuple(np.arange(len(scores)) for scores in strata)
    mean = float(find_means(*everyone))
    if min(map(len, strata)) < 2:
        return Aggregate(mean, None)
    options = {"n_resamples": RESAMPLES, "confidence_level": CONFIDENCE, "rng": np.random.default_rng(0)}
    found = bootstrap(everyone, find_means, vectorized=True, method="percentile", **options).confidence_interval
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


def make_tasks_table() -> Table:
    """Return the table of all tasks."""
    table = Table("task", "ruleset", "decisions", "a learner may use", box=None)
    uses = {"observation": "observations, masks, rewards", "simulator": "also copies of games, dealt anew"}
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
