"""Draws `benchmark.svg`, how the learners of the benchmark learned, from `docs/benchmark_results.csv`.

Usage: python docs/pictures/draw_benchmark.py [FILE ...]

Each FILE is a `results.csv` that `zamek benchmark` wrote. Its results take the place of those of the same task and
learner in `benchmark_results.csv`, or are added there.
"""

import csv
from itertools import groupby
from pathlib import Path

import tyro
from matplotlib import pyplot as plt
from matplotlib.ticker import EngFormatter
from tyro.conf import Positional

from zamek_agents.analysis.plots import style
from zamek_agents.benchmark.results import draw_curve

_RESULTS = Path(__file__).parents[1] / "benchmark_results.csv"
_WINS = "win_rate:greedy-v1"
_COLUMNS = 3  # of panels


@style()
def main(files: Positional[tuple[Path, ...]] = ()) -> None:
    """Take the results of `files` in, and draw all: a panel a task, a line a learner, with its worst and best seed."""
    columns, results = read_results(_RESULTS)
    for file in files:
        results |= read_results(file)[1]
    if files:
        with _RESULTS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(row for key in sorted(results) for row in results[key])
    tasks, learners = (sorted(set(names)) for names in zip(*results, strict=True))
    lines = -(-len(tasks) // _COLUMNS)
    figure, panels = plt.subplots(
        lines, _COLUMNS, figsize=(4.5 * _COLUMNS, 3.8 * lines), sharey=True, layout="constrained", squeeze=False
    )
    for axes in panels.flat[len(tasks) :]:
        axes.remove()
    for task, axes in zip(tasks, panels.flat, strict=False):
        axes.set_title(task, fontsize="medium")
        for (name, learner), rows in sorted(results.items()):
            if name == task:
                draw_curve(axes, learner, list_points(rows), f"C{learners.index(learner)}")
        axes.set(xscale="log", xlabel="decisions of the learner", ylim=(-3, 103))
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    for axes in panels[:, 0]:
        axes.set_ylabel("wins against greedy-v1, %")
    figure.savefig(Path(__file__).with_name("benchmark.svg"), metadata={"Date": None})


def list_points(rows):
    """Return the (decisions, rate) of wins of each seed."""
    wins = [row for row in rows if row["metric"] == _WINS]
    seeds = groupby(wins, key=lambda row: row["seed"])
    return [[(int(row["decisions"]), float(row["value"])) for row in points] for _, points in seeds]


def read_results(path):
    """Return (names of the columns, {(task, learner): rows}) of a table of results."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        reader, results = csv.DictReader(file), {}
        for row in reader:
            results.setdefault((row["task"], row["learner"]), []).append(row)
        return reader.fieldnames, results


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
