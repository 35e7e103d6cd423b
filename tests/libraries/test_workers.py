"""Tasks on workers: processes of this machine and a Ray cluster, which both give what one process gives."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.support import cluster_tasks
from tests.support.array_files import read_arrays
from tests.support.games import IS_COMPILED
from tests.support.guided import write_guided
from zamek_agents import make_agent, ray_cluster
from zamek_agents.analysis import analyse
from zamek_agents.arena.comparison import Sprt
from zamek_agents.arena.round_robin import RoundRobin, play
from zamek_agents.arena.sets import line_up
from zamek_agents.ray_cluster import check_same, describe_installation, join_cluster
from zamek_agents.suites.suite import CHOICES, ENDGAMES, find_suites, read_suite
from zamek_agents.workers import ThisProcess, WorkerLostError, look_ahead, run_in_order, start_processes
from zamek_env.common.extras import MissingExtraError
from zamek_scripts import cli, evaluate, train_value, warmup

ROOT = Path(__file__).parents[2]
TASKS = [(number,) for number in range(20)]
SQUARES = [((number,), number * number) for number in range(20)]


@pytest.fixture(scope="module")
def cluster():
    """Workers of a cluster of this machine: two processes."""
    ray = pytest.importorskip("ray")
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        with join_cluster("local") as workers:
            yield workers
    finally:
        ray.shutdown()


def timeless(results):
    """Return results as JSON, without what no run repeats."""
    games = [
        replace(result, games=tuple(replace(game, sides=tuple(map(forget_time, game.sides))) for game in result.games))
        for result in results
    ]
    return json.dumps([asdict(result) for result in games])


def forget_time(side):
    return replace(side, seconds=0.0)


# --- any workers ---


def test_tasks_are_handed_over_as_far_ahead_as_workers_can_use():
    class Counting(ThisProcess):
        ahead = 3

    taken = []
    for item in look_ahead((taken.append(number) or number for number in range(10)), Counting()):
        assert len(taken) == min(10, item + 4)
    assert [*look_ahead(iter(()), Counting())] == []


def test_processes_give_what_one_process_gives():
    with start_processes(1) as alone:
        assert [*run_in_order(alone, cluster_tasks.square, TASKS)] == SQUARES
    with start_processes(2) as workers:
        assert [*run_in_order(workers, cluster_tasks.square, TASKS)] == SQUARES
        assert os.getpid() not in {workers.submit(cluster_tasks.find_process, 1)()[1]}
        with pytest.raises(ValueError, match="no 3 here"):
            workers.submit(cluster_tasks.refuse, 3)()
        with pytest.raises(WorkerLostError, match="fewer --workers"):
            workers.submit(cluster_tasks.die, 3)()


def test_no_thread_of_processes_outlives_them():
    before = set(threading.enumerate())
    with start_processes(2) as workers:
        assert workers.submit(abs, -1)() == 1
        workers.submit(time.sleep, 60)
    assert set(threading.enumerate()) <= before


def test_a_task_handed_over_after_a_process_has_ended_is_told_as_lost():
    with start_processes(2) as workers:
        lost = workers.submit(os._exit, 1)
        with pytest.raises(WorkerLostError):
            lost()
        with pytest.raises(WorkerLostError, match="fewer --workers"):
            workers.submit(abs, -1)()


def test_processes_make_an_agent_anew_once_a_file_has_changed_that_its_name_holds(tmp_path):
    spec, place = write_guided(tmp_path)
    round_robin = RoundRobin((spec, "greedy"), seed=3)
    with start_processes(2) as workers:
        before = timeless(play(round_robin, 2, workers))
        place.write_text("-1")
        after = timeless(play(round_robin, 2, workers))
    assert before != after == timeless(play(round_robin, 2))


@pytest.mark.long
def test_nothing_is_said_of_processes_that_are_ended_after_they_made_a_bar():
    command = [sys.executable, "-m", "tests.support.cluster_tasks"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[4, 9]\n", "")


# --- what is refused before anything is run ---


@pytest.mark.parametrize(
    "address", ["", "host", "host:", ":6379", "host:99999", "ray://host:10001", "host:-1", 6379, None]
)
def test_what_is_no_address_is_refused(address):
    pytest.importorskip("ray")
    with (
        pytest.raises(ValueError, match=r"^the address of a Ray cluster must be HOST:PORT, auto or local, not "),
        join_cluster(address),
    ):
        pass


def test_an_address_at_which_nothing_answers_is_refused_at_once(refused, tmp_path, monkeypatch):
    pytest.importorskip("ray")
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refusal = refused(evaluate.main, evaluate.Args(games=2, ray=address, records=tmp_path / "games"))
    assert not [*tmp_path.iterdir()]
    assert f"no Ray cluster answers at '{address}': Connection refused" in refusal


def test_without_ray_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingExtraError, match=r"a Ray cluster needs ray, which is not installed; .*\[ray\]"),
        join_cluster("local"),
    ):
        pass


def test_a_cluster_and_a_number_of_processes_are_not_asked_for_together(refused):
    assert "--workers must be left out with --ray" in refused(cli.main, ["evaluate", "--workers", "2", "--ray"])


def test_nodes_that_differ_are_refused_by_what_differs():
    here = describe_installation()
    check_same(here, dict(here), "far")
    with pytest.raises(
        ValueError, match=r"^node far of the Ray cluster has numpy 1\.0, and the machine that asks has [2-9]"
    ):
        check_same(here | {"numpy": "1.0"}, here, "far")


def test_the_example_of_a_cluster_is_one_that_ray_understands():
    pytest.importorskip("ray")
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = yaml.safe_load((ROOT / "examples" / "ray-cluster.yaml").read_text())
    validate_config(prepare_config(config))
    commands = " ".join(config["setup_commands"])
    parts = re.search(r"zamek warmup zamek --parts (.*?)$", commands)[1].split()
    assert set(parts) <= set(warmup.PARTS)


# --- a cluster ---


@pytest.mark.skipif(not IS_COMPILED, reason="a cluster knows nothing of how kernels are run")
def test_a_cluster_gives_what_one_process_gives(cluster):
    assert [*run_in_order(cluster, cluster_tasks.square, TASKS)] == SQUARES
    assert os.getpid() not in {result[1] for _, result in run_in_order(cluster, cluster_tasks.find_process, TASKS)}
    waiting = [cluster.submit(cluster_tasks.square, number) for number in range(5)]
    assert [get_result() for get_result in reversed(waiting)] == [16, 9, 4, 1, 0]
    with pytest.raises(ValueError, match="no 3 here"):
        cluster.submit(cluster_tasks.refuse, 3)()


@pytest.mark.long
def test_short_tasks_travel_together(cluster):
    for _ in run_in_order(cluster, cluster_tasks.square, [(number,) for number in range(3000)]):
        pass
    assert cluster._size == ray_cluster.MOST_IN_BATCH and not cluster._open


@pytest.mark.long
def test_tasks_whose_worker_died_are_run_again_and_counted_once(cluster, tmp_path):
    tasks = [(str(tmp_path), number) for number in range(3)]
    found = [result for _, result in run_in_order(cluster, cluster_tasks.die_once, tasks)]
    assert found == [0, 1, 4] and not cluster._open
    assert all(len(path.read_text().splitlines()) >= 2 for path in tmp_path.iterdir())


@pytest.mark.long
def test_a_task_that_kills_every_worker_is_given_up(cluster, monkeypatch):
    monkeypatch.setattr(cluster, "_run", cluster._ray.remote(max_retries=1)(ray_cluster._run_batch))
    with pytest.raises(WorkerLostError, match="a task was lost on the cluster"):
        cluster.submit(cluster_tasks.die, 1)()


@pytest.mark.long
def test_nodes_are_made_ready_once_and_tested_for_what_they_have(cluster, tmp_path, monkeypatch):
    with join_cluster("local", partial(cluster_tasks.mark_node, str(tmp_path))):
        assert len([*tmp_path.iterdir()]) == 1
    other = describe_installation() | {"numba": "0.1"}
    monkeypatch.setattr(ray_cluster, "describe_installation", lambda: other)
    message = r"node .* has numba .*, and the machine that asks has 0\.1"
    with pytest.raises(ValueError, match=message), join_cluster("local"):
        pass
    with pytest.raises(WorkerLostError, match=message):  # as from a node that joins later
        cluster.submit(cluster_tasks.square, 1)()


@pytest.mark.long
def test_games_on_a_cluster_are_those_of_one_machine(cluster):
    round_robin = RoundRobin(("random", "greedy", "random"), seed=9, with_records=True)
    assert timeless(play(round_robin, 3, cluster)) == timeless(play(round_robin, 3))
    sprt = Sprt(0.3, 0.7)
    settled = timeless(play(RoundRobin(("greedy", "random")), 40, cluster, sprt=sprt))
    assert settled == timeless(play(RoundRobin(("greedy", "random")), 40, sprt=sprt))
    with closing(play(round_robin, 50, cluster)) as cut_short:
        next(cut_short)
    cluster.cancel()
    assert not cluster._open


@pytest.mark.long
def test_decisions_judged_on_a_cluster_are_those_judged_here(cluster):
    (lineup,) = line_up([make_agent("random"), make_agent("random")], with_records=True)
    records = [game.record for result in lineup.play(1) for game in result.games]
    judge = "value"
    assert analyse(records, agent=judge, workers=cluster) == analyse(records, agent=judge)


@pytest.mark.long
def test_regret_found_on_a_cluster_is_that_found_here_though_a_worker_died(cluster, tmp_path):
    frail = f"tests.support.cluster_tasks:FrailAgent({str(tmp_path)!r}, {os.getpid()})"
    options = ["--suites", *(str(path) for path in find_suites("zamek")), "--seed", "4", "--json"]
    for agents, where in ((("greedy", frail), ("--ray", "local")), (("greedy", frail), ("--workers", "2"))):
        cli.run(["regret", *agents, *options, str(tmp_path / f"{where[0]}.json"), *where])
    assert (tmp_path / "ended").exists()
    far, here = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("--ray", "--workers"))
    assert {**far, "command": ""} == {**here, "command": ""}
    assert far["decisions"] == 2 * sum(len(read_suite(path).worths) for path in find_suites("zamek"))


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [(CHOICES, "--placements=6", "--sends=2", "--scorings=2", "--deals=50", "--turns=2"), (ENDGAMES, "--endgames=6")],
)
def test_suites_made_on_a_cluster_are_those_made_here(cluster, tmp_path, kind):
    made = []
    for where in (("--ray", "local"), ("--workers", "2"), ("--workers", "1")):
        out = tmp_path / f"suite{len(made)}.npz"
        cli.run(["regret", "--make", *kind, "--seed=5", "--out", str(out), *where])
        made.append(read_content(out))
    np.testing.assert_equal(made[1:], made[:1] * 2)


@pytest.mark.long
def test_a_benchmark_on_a_cluster_brings_what_one_process_brings_but_for_hours(cluster, tmp_path):
    trial = ["zamek-1M-simulator-v1", "--learners=td", "--seeds=2", "--decisions=3000", "--games=2"]
    found = []
    for where in ("--ray=local", "--workers=1"):
        cli.run(["benchmark", *trial, "--out", str(tmp_path / where), where])
        rows = (tmp_path / where / "results.csv").read_text().splitlines()
        found.append([row for row in rows if "_hours," not in row])
    assert found[0] == found[1] and len(found[0]) > 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "agents", "judge"),
    [
        ("zamek", ("mcts:simulations=20",), "mcts:simulations=20"),
        ("castle-cards", ("greedy", "random"), "ismcts:simulations=20"),
    ],
)
def test_a_cluster_collects_the_same_dataset_though_a_worker_died(cluster, tmp_path, ruleset, agents, judge):
    agents = (*agents, f"tests.support.cluster_tasks:FrailAgent({str(tmp_path)!r}, {os.getpid()})")
    options, folder = ["--seed", "3", "--values", judge], tmp_path / "made"
    for where in ("--ray=local", "--workers=2", "--workers=1"):
        out = str(folder / f"played{where}")
        cli.run(["export", "--play=5", "--ruleset", ruleset, "--agents", *agents, *options, "--out", out, where])
        assert (tmp_path / "ended").exists()
    records = str(folder / "played--workers=1" / "games.jsonl")
    for where in ("--ray=local", "--workers=2"):
        cli.run(["export", records, *options, "--out", str(folder / f"read{where}"), where])
    played = [read_dataset(made) for made in folder.glob("played*")]
    read = [read_dataset(made) for made in folder.glob("read*")]
    assert played[0] == played[1] == played[2] and read[0] == read[1]
    assert ruleset != "zamek" or played[0] == read[0]  # records of cards leave the order of some choices open


def read_dataset(folder):
    """Return what is in the files of a dataset, without the command."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return files | {"dataset.json": {**json.loads(files["dataset.json"]), "command": ""}}


def read_content(path):
    """Return what is in the file of a suite, without the command and the digest of all."""
    arrays, about = read_arrays(path)
    del about["digest"], about["recipe"]["command"]
    return about, arrays


@pytest.mark.long
def test_a_player_trained_on_a_cluster_is_the_one_trained_here(cluster, tmp_path):
    settings = {"ruleset": "carcassonne-demo", "games": 6, "report_every": 2, "match_deals": 2}
    train_value.main(train_value.Args(out=tmp_path / "far", seeds=(3, 4), ray="local", **settings))
    train_value.main(train_value.Args(out=tmp_path / "here", seed=4, **settings))
    for name in ("learner.npz", "weights.npz"):
        np.testing.assert_equal(*(read_arrays(tmp_path / folder / name)[0] for folder in ("far/seed-4", "here")))
    curves = [(tmp_path / folder / "curve.json").read_text() for folder in ("far/seed-4", "here")]
    assert curves[0] == curves[1]


@pytest.mark.long
def test_the_command_ends_cleanly_when_it_is_interrupted(tmp_path):
    pytest.importorskip("ray")
    command = ["evaluate", "--agents", "random", "random", "--games", "1000000", "--ray", "local", "--out", "kept"]
    words = [sys.executable, "-m", "zamek_scripts.cli"]
    code = f"from zamek_scripts import cli; cli.main({command!r})"
    with subprocess.Popen([*words[:1], "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        kept = tmp_path / "kept" / "pairs.jsonl"
        end = time.monotonic() + 120
        while not (kept.is_file() and kept.read_bytes().count(b"\n") > 3) and time.monotonic() < end:
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, said
    assert said.strip().splitlines()[-1] == "evaluate: interrupted; the same command goes on from here"
    assert "Traceback" not in said
