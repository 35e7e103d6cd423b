"""Results of the benchmark: what is said of many seeds, and files that are checked whole before they are believed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from zamek_agents.benchmark.results import (
    Identity,
    Result,
    aggregate,
    draw_curve,
    find_faults,
    find_iqm,
    find_result,
    list_rows,
    make_summary_table,
    read_all,
    read_result,
    summarise,
    write_result,
)
from zamek_agents.benchmark.run import Outcome, list_metrics
from zamek_agents.benchmark.tasks import find_task
from zamek_scripts.benchmark import Args, main

OBSERVATION, SIMULATOR = "zamek-1M-observation-v2", "zamek-1M-simulator-v2"
CURVE = {"win_rate:greedy-v1": 0.1, "margin:greedy-v1": -9.0}  # a point of it


# --- aggregates ---


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end():
    assert find_iqm(np.array([9, 1, 2, 3, 4, 5, 6, -50])) == pytest.approx(np.mean([2, 3, 4, 5]))


def test_the_interquartile_mean_does_not_depend_on_how_many_seeds_there_are():
    """Of fifteen scores, three at either end and three quarters of the next one are left out."""
    scores = np.array([0.99, 0.61, 0.5, 0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.3, 0.21, 0.15, 0.08, 0.04, 0.01])
    due = (scores[4:11].sum() + 0.25 * (scores[3] + scores[11])) / 7.5
    for times in (1, 2, 4):
        assert find_iqm(np.tile(scores, (2, times))) == pytest.approx([due, due])


def test_an_interval_comes_of_seeds_and_not_of_opponents():
    apart, alike = np.array([[0.1, 0.1], [0.9, 0.9], [0.5, 0.5]]), np.array([[0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])
    low, high = aggregate([apart]).interval
    assert low < 0.3 and high > 0.7
    assert aggregate([alike]).interval == (0.5, 0.5)
    assert aggregate([apart[:1]]).interval is None


def test_tasks_count_together_and_each_needs_seeds():
    scores = np.array([[0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])
    both = aggregate([scores, scores + 0.5])  # of 0.1, 0.6, 0.9 and 1.4, three times each
    assert both.mean == pytest.approx(0.75) and both.interval == pytest.approx((0.75, 0.75))
    assert aggregate([scores, scores[:1]]).interval is None


def test_a_summary_is_over_all_opponents_and_of_each_kind_of_regret():
    task, results = find_task(OBSERVATION), []
    metrics = dict(zip(list_metrics(task), (0.8, 10.0, 0.5, 0.0, 0.1, -20.0, 1.0, 2.0, 3.0, 4.0), strict=True))
    for seed in range(1, 6):
        outcome = Outcome(900, metrics, (), cpu_hours=float(seed), wall_hours=2.0 * seed)
        results.append(Result(task, "ppo", seed, outcome, task.digest(), None, "1.0"))
    (summary,) = summarise(results)
    # Of fifteen scores a quarter is left out at either end, which is all but 1.25 of those against one opponent.
    assert summary.win_rate.mean == pytest.approx((1.25 * 0.1 + 5 * 0.5 + 1.25 * 0.8) / 7.5)
    assert summary.margin.mean == pytest.approx((1.25 * -20 + 5 * 0 + 1.25 * 10) / 7.5)
    kinds = ("place", "send", "score", "endgame")
    assert [summary.regrets[f"regret:{kind}"].mean for kind in kinds] == pytest.approx([1, 2, 3, 4])
    assert summary.means == pytest.approx(metrics | {"cpu_hours": 3.0, "wall_hours": 6.0})
    assert (summary.task, summary.learner, summary.seeds, summary.faults) == (OBSERVATION, "ppo", 5, [])
    table = make_summary_table([summary])
    shown = {str(column.header): [*column.cells] for column in table.columns}
    assert shown == {
        "task": [OBSERVATION], "learner": ["ppo"], "seeds": ["5"], "wins (IQM)": ["48.3 % (48.3 – 48.3)"],
        "margin (IQM)": ["-1.7 (-1.7 – -1.7)"], "wins against greedy-v1": ["80.0 %"],
        "wins against value-v1": ["50.0 %"], "wins against mcts200-v1": ["10.0 %"],
        "regret (IQM)": [", ".join(f"{kind} {n}.00 ({n}.00 – {n}.00)" for n, kind in enumerate(kinds, 1))],
        "CPU h": ["3.000"],
    }  # fmt: skip


def test_a_curve_without_early_points_is_compared_with_the_late_ones_of_others():
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.add_subplot()
    draw_curve(axes, "ppo", [[(10, 0.1), (20, 0.5), (40, 0.75)], [(20, 0.25), (40, 0.25)]])
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [20, 40] and line.get_ydata().tolist() == [37.5, 50]
    (band,) = axes.collections
    assert band.get_datalim(axes.transData).intervaly.tolist() == [25, 75]  # from the worst seed to the best


# --- results ---


def make_outcome(rate=0.5):
    metrics = {name: rate if name.startswith("win_rate") else 2.0 for name in list_metrics(find_task(OBSERVATION))}
    return Outcome(960, metrics, ((100, CURVE),), 0.5, 0.25)


def write(folder, identity, outcome=None, version="1.0"):
    path = folder / identity.path
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as file:
        write_result(file, identity, outcome or make_outcome(), {"versions": {"zamek_env": version}})
    return path


def test_a_result_is_read_as_it_was_written(tmp_path):
    identity = Identity(find_task(OBSERVATION), "ppo", 3)
    write(tmp_path, identity)
    assert find_result(tmp_path, identity).outcome == make_outcome()
    assert find_result(tmp_path, replace(identity, seed=4)) is None
    rows = list_rows(read_all(tmp_path))
    assert (OBSERVATION, "ppo", 3, 0, 100, "win_rate:greedy-v1", 0.1) in rows
    assert (OBSERVATION, "ppo", 3, 0, 960, "cpu_hours", 0.5) in rows


def test_results_are_read_by_task_learner_and_seed(tmp_path):
    due = [(OBSERVATION, "masked-dqn", 1), (OBSERVATION, "ppo", 2), (OBSERVATION, "ppo", 10), (SIMULATOR, "gumbel", 1)]
    for task, learner, seed in reversed(due):
        write(tmp_path, Identity(find_task(task), learner, seed))
    assert [(result.task.name, result.learner, result.seed) for result in read_all(tmp_path)] == due


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("format", "other/1", "format must be 'zamek-benchmark/1'"),
        ("task", "zamek-3M", "a task must be one of"),
        ("seed", True, "seed must be a whole number in 0 to 9223372036854775807, not True"),
        ("seed", 4, "belongs in a file called zamek-1M-observation-v2.ppo.4.json"),
        ("budget", 5_000_000, "budget must be a whole number in 1 to 1000000, not 5000000"),
        ("games", 3, "games must be an even number, not 3"),
        ("digest", None, "digest must be printable"),
        ("metrics", {"win_rate:greedy-v1": 0.5}, "metrics must be an object with win_rate:greedy-v1, margin:greedy-v1"),
        ("curve", [{"decisions": 9, "metrics": {}}], "metrics must be an object with win_rate:greedy-v1, margin"),
        ("curve", [{"decisions": 961, "metrics": CURVE}], "points in the order of decisions, of at most 960"),
        ("curve", [{"decisions": at, "metrics": CURVE} for at in (7, 5)], "points in the order of decisions"),
        ("cpu_hours", -1, "cpu_hours must be a number in 0 to 1e\\+12, not -1"),
        ("learner_digest", {}, "learner_digest must be printable"),
        ("curve", [3], "curve must be a list of objects"),
        ("learner", "a\nb", "learner must be printable"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused(tmp_path, name, value, said):
    path = write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 3))
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    with pytest.raises(ValueError, match=said):
        read_result(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "it is not a file"),
        (lambda path: path.write_bytes(bytes(2**20 + 1)), "it is larger than 1048576 bytes"),
        (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    ],
    ids=["folder", "large", "circle of links"],
)
def test_what_is_no_file_of_sensible_size_is_refused(tmp_path, make, said, refused):
    path = tmp_path / Identity(find_task(OBSERVATION), "ppo", 1).path
    path.parent.mkdir()
    make(path)
    refusal = refused(main, Args(verify=tmp_path))
    assert refusal.startswith(f"benchmark: {path}: {said}") and "goes on" not in refusal


@pytest.mark.parametrize("value", [float("nan"), 1.5, -0.1, 10**400, "0.5", True])
def test_a_rate_of_wins_that_cannot_be_is_refused(tmp_path, value):
    path = write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 3))
    result = json.loads(path.read_text())
    result["metrics"]["win_rate:value-v1"] = value
    path.write_text(json.dumps(result))
    with pytest.raises(ValueError, match="win_rate:value-v1 must be a number in 0 to 1, not"):
        read_result(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"digest": "0" * 64}, "it was measured by another version of the task"),
        ({"outcome": replace(make_outcome(), decisions=1_000_001)}, "the budget was exceeded"),
        ({"seed": 0}, "its seeds are 0, 2, 3, 4, 5, not 1 to 5"),
        ({"seed": 2}, "its seeds are 2, 2, 3, 4, 5, not 1 to 5"),
        ({"version": "2.0"}, "the seeds are not of one version of the learner 'ppo' and of this package"),
        ({"learner_digest": "b"}, "the seeds are not of one version of the learner 'ppo' and of this package"),
    ],
)
def test_each_fault_of_results_is_told(change, said):
    task = find_task(OBSERVATION)
    results = [Result(task, "ppo", seed, make_outcome(), task.digest(), "a", "1.0") for seed in range(1, 6)]
    assert find_faults(results) == []
    assert find_faults([results[0]._replace(**change), *results[1:]]) == [said]
    assert find_faults(results[:4]) == ["it must have 5 seeds or more, not 4"]
    later = [result._replace(seed=result.seed + 1) for result in results]
    assert find_faults(later) == ["its seeds are 2, 3, 4, 5, 6, not 1 to 5"]


def test_learners_whose_names_differ_by_signs_alone_have_files_of_their_own():
    task = find_task(OBSERVATION)
    paths = {
        Identity(task, learner, 1).path for learner in ("my.py:learn", "my/py:learn", "my_py_learn", "ppo", "p/po")
    }
    assert len(paths) == 5 and all(path.parent == Path("seeds") for path in paths)


def test_what_is_no_result_of_its_task_is_told(tmp_path, capsys):
    for seed in range(1, 6):
        write(tmp_path, Identity(find_task(OBSERVATION), "ppo", seed), make_outcome(seed / 10))
    main(Args(verify=tmp_path))
    assert "ppo: a result, from 5 seeds" in capsys.readouterr().out
    write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 5), version="2.0")
    write(tmp_path, Identity(find_task(SIMULATOR, decisions=960), "td", 1))
    with pytest.raises(SystemExit) as left:
        main(Args(verify=tmp_path))
    printed = capsys.readouterr().out
    assert left.value.code == 2
    assert "ppo: the seeds are not of one version of the learner 'ppo' and of this package" in printed
    assert (
        "it is a trial: 960 decisions and 200 games, not 1,000,000 and 200; it must have 5 seeds or more, not 1"
        in printed
    )
