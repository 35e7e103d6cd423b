"""Tasks, learners and results as tables, and learning curves as pictures."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from zamek_agents.arena.reports import add_legend, label_line, shorten_name
from zamek_agents.benchmark.aggregates import Aggregate, Summary
from zamek_agents.benchmark.learners import LEARNERS
from zamek_agents.benchmark.protocol import MARGIN, WIN_RATE, list_matches, name_metrics
from zamek_agents.benchmark.results import Result, group
from zamek_agents.benchmark.tasks import CURVE_OPPONENT, OPPONENTS, TASKS
from zamek_env.common.extras import needs_extra

with needs_extra("cli", "a table"):
    from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    """Return the name of the task, and whether this is no result of it."""
    return row.task + (" (no result of it)" if row.faults else "")


def show_aggregate(found: Aggregate, unit: float, sign: str, digits: int = 1) -> str:
    """Return an aggregate in words, times `unit`, with so many digits after the point."""
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
