"""Results of several seeds as one number with an interval.

The interquartile mean leaves out the best and the worst quarter: it varies less than the median, and a single lucky
seed moves it less than the mean. Its interval is the stratified bootstrap's: seeds are drawn anew within each task. A
seed is drawn with its results against all opponents, for they are of one agent (R. Agarwal and others, Deep
reinforcement learning at the edge of the statistical precipice, NeurIPS 2021, draws those of each task apart).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.arena.intervals import CONFIDENCE, RESAMPLES
from zamek_agents.benchmark.protocol import MARGIN, WIN_RATE, is_regret, list_metrics, name_metrics
from zamek_agents.benchmark.results import HOURS, Result, find_faults, group
from zamek_agents.benchmark.tasks import Task

CUT = 0.25  # left out at either end

Scores = npt.NDArray[np.float64]


class Aggregate(NamedTuple):
    """An interquartile mean, and its interval of 95 % or None for a single seed."""

    mean: float
    interval: tuple[float, float] | None


class Summary(NamedTuple):
    """What all seeds of a learner say about a task."""

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
    """Yield {kind of metric: scores by seed} of the final agents, by the house rules learned by, and how much more.

    Where there are house rules, the first are those held out, and each score is a mean. The others are empty elsewhere.
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
    from scipy.stats import bootstrap  # here: to import it takes a second, which no other command should wait

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
    how many seeds there are, which it would if only whole scores could be left out.
    """
    count = scores.shape[-1]
    kept = count * np.array([CUT, 1 - CUT])
    places = np.arange(count)
    weights = np.clip(np.minimum(places + 1, kept[1]) - np.maximum(places, kept[0]), 0, 1)
    means: Scores = np.sort(scores, axis=-1) @ weights / weights.sum()
    return means
