"""The benchmark: budgets are counted, results are kept and told apart, and tasks never change."""

import csv
import json
import os
import re
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from zamek_agents.benchmark import protocol, trial
from zamek_agents.benchmark.aggregates import aggregate, find_iqm, summarise
from zamek_agents.benchmark.learners import LEARNERS, digest_learner, find_learner
from zamek_agents.benchmark.players import make_player
from zamek_agents.benchmark.practice import BudgetSpentError, Practice
from zamek_agents.benchmark.protocol import KINDS, list_metrics
from zamek_agents.benchmark.results import SEEDS, Identity, find_result, list_rows, read_all, read_result, write_result
from zamek_agents.benchmark.tasks import CURVE_OPPONENT, CURVE_SHARES, OPPONENTS, TASKS, find_task
from zamek_agents.benchmark.trial import Curve, Outcome, run_trial
from zamek_agents.heuristic import RandomAgent
from zamek_agents.suites.sampling import ENDGAME
from zamek_agents.suites.suite import CHOICES, ENDGAMES, read_suite
from zamek_agents.workers import run_in_order
from zamek_env import Game
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts import benchmark
from zamek_scripts.benchmark import Args, main

OBSERVATION, SIMULATOR = "zamek-1M-observation-v1", "zamek-1M-simulator-v1"
PUBLISHED = {  # digests of tasks
    "zamek-1M-observation-v1": "fd3738bad2acb3e4",
    "zamek-1M-simulator-v1": "22d3d5d01ef344f9",
    "zamek-10M-observation-v1": "5bc7e55befadbdda",
    "zamek-10M-simulator-v1": "d9eeecbc2f9e64d0",
    "sokol-1M-observation-v1": "f50ec26c5efadff0",
    "sokol-1M-simulator-v1": "13d16b84b17c7be6",
    "sokol-10M-observation-v1": "d2a0b8b06ed38b18",
    "sokol-10M-simulator-v1": "6392faace761354f",
    "carcassonne-1M-observation-v1": "ad9d9af89c1cbfd4",
    "carcassonne-1M-simulator-v1": "e6688d990ae7b385",
    "carcassonne-10M-observation-v1": "c468c997a9dd1cb3",
    "carcassonne-10M-simulator-v1": "03ede1c0abfc8a74",
}
CURVE = {"win_rate:greedy-v1": 0.1, "margin:greedy-v1": -9.0}  # a point of it
LEARNER = """
import numpy as np

def learn(task, seed, report, width=8):
    games = task.make_games(width)
    games.reset(seed=seed)
    rng = np.random.default_rng(seed)

    def policy(observation, action_mask, rng):
        return int(rng.choice(np.flatnonzero(action_mask)))

    while task.left >= width:
        masks = games.action_masks()
        games.step([rng.choice(np.flatnonzero(mask)) for mask in masks])
        report(policy)
    return policy

def greedy_for_more(task, seed, report):
    games = task.make_games(8)
    games.reset(seed=seed)
    while True:
        games.step([np.flatnonzero(mask)[0] for mask in games.action_masks()])

def cheat(task, seed, report):
    from zamek_agents import GreedyAgent
    return GreedyAgent()
"""


@pytest.fixture
def learner(tmp_path):
    """The path of a file with learners."""
    path = tmp_path / "mine.py"
    path.write_text(LEARNER)
    return path


@pytest.fixture
def quick(monkeypatch):
    """Let agents be measured by games against `greedy-v1` alone; the others bring numbers of no meaning."""
    played = protocol.play_against

    def play_against(agent, opponent, task, games, *note):
        if opponent == CURVE_OPPONENT:
            return played(agent, opponent, task, games, *note)
        return {f"win_rate:{opponent}": 0.25, f"margin:{opponent}": -3.0}

    monkeypatch.setattr(protocol, "play_against", play_against)
    monkeypatch.setattr(protocol, "find_regrets", lambda agent, task: dict.fromkeys(list_metrics(task)[-4:], 1.0))


# --- tasks ---


def test_tasks_are_those_that_were_published():
    """Where this fails, give the task another version: results under its name must stay comparable."""
    assert {name: task.digest()[:16] for name, task in TASKS.items()} == PUBLISHED


@pytest.mark.parametrize("name", TASKS)
def test_the_suites_of_every_task_can_be_read(name):
    suites = [read_suite(path) for path in find_task(name).list_suites()]
    assert [suite.kind for suite in suites] == ([] if find_task(name).ruleset == "sokol" else [CHOICES, ENDGAMES])
    assert all(worth.values.shape == (2, worth.errors.size) for suite in suites for worth in suite.worths)


@pytest.mark.long
@pytest.mark.parametrize("name", ["zamek-1M-observation-v1", "carcassonne-1M-observation-v1"])
def test_the_engine_sees_the_choices_of_the_suites_of_a_task(name):
    suites = [read_suite(path) for path in find_task(name).list_suites()]
    assert [suite.kind for suite in suites] == [CHOICES, ENDGAMES]
    kinds = [game.phase for game in suites[0].games()]
    assert (*dict.fromkeys(kinds), ENDGAME) == KINDS[find_task(name).ruleset] and suites[1].games()


def test_a_trial_is_told_from_the_task():
    assert not find_task(OBSERVATION).is_trial and not find_task(OBSERVATION, 1_000_000, 200).is_trial
    assert [find_task(OBSERVATION).count_games(name) for name in OPPONENTS] == [200, 200, 50]
    assert [find_task(OBSERVATION, games=10).count_games(name) for name in OPPONENTS] == [10, 10, 2]
    assert find_task(OBSERVATION, decisions=500).is_trial and find_task(OBSERVATION, games=2).is_trial
    for name, numbers, said in (
        ("zamek-2M", {}, "a task must be one of zamek-1M-observation-v1"),
        (OBSERVATION, {"decisions": 0}, "--decisions must lie in 1 to 1,000,000"),
        (OBSERVATION, {"games": 3}, "--games must be an even number"),
    ):
        with pytest.raises(ValueError, match=said):
            find_task(name, **numbers)


# --- practice ---


def play_first(games, steps):
    """Play the first legal action in all games, so many times; return the last `info`."""
    for _ in range(steps):
        info = games.step([int(mask.argmax()) for mask in games.action_masks()])[-1]
    return info


def test_every_decision_is_counted_and_none_is_played_beyond_the_budget():
    told = []
    task = Practice(find_task(OBSERVATION, decisions=20), told.append)
    games = task.make_games(8)
    assert "deal" not in games.reset(seed=1)[1]
    assert "deal" not in play_first(games, 2)
    assert (task.played, task.left, told) == (16, 4, [8, 8])
    masks = games.action_masks()
    with pytest.raises(BudgetSpentError, match="8 decisions were asked for where 4 of 20 are left"):
        play_first(games, 1)
    assert task.left == 4 and np.array_equal(games.action_masks(), masks)
    with pytest.raises(ValueError, match="options must be None in games of a task"):
        games.reset(options={"deal": 3})


def test_games_that_are_watched_count_their_steps_only():
    task = Practice(find_task(OBSERVATION, decisions=20))
    games = task.watch(ZamekVectorEnv(4, autoreset_mode="SameStep"))
    games.reset(seed=1)
    play_first(games, 2)
    games.step_chosen([int(mask.argmax()) for mask in games.action_masks()], np.array([True, False, False, False]))
    assert task.played == 8


def test_games_are_copied_under_one_track_only_and_dealt_anew():
    rng, copies = np.random.default_rng(0), []
    for name in (SIMULATOR, OBSERVATION):
        games = Practice(find_task(name)).make_games(2)
        games.reset(seed=1)
        if name == OBSERVATION:
            with pytest.raises(ValueError, match="copied under the track 'simulator' only, not 'observation'"):
                games.copy_game(0, rng)
        else:
            copies = [games.copy_game(1, rng) for _ in range(2)]
    assert copies[0].format_position() == copies[1].format_position()
    assert copies[0].state.tobytes() != copies[1].state.tobytes()


def test_a_policy_sees_no_game_and_an_agent_needs_the_track_of_simulators():
    seen = []

    def policy(observation, mask, rng):
        seen.append((observation, mask))
        return int(mask.argmax())

    game = Game(seed=1)
    assert make_player(policy, "observation").act(game, np.random.default_rng(0)) == game.legal_actions()[0]
    assert {*seen[0][0]} == {"planes", "vector"}
    assert make_player(RandomAgent(), "simulator").name == "random"
    for learned, track in ((RandomAgent(), "observation"), (3, "simulator")):
        with pytest.raises(ValueError, match=f"under the track '{track}' a learner must return"):
            make_player(learned, track)


# --- learners ---


def test_learners_are_found_by_name(learner):
    assert find_learner(f"{learner}:learn(width=4)", "observation").keywords == {"width": 4}
    for spec, said in (("pop", "a learner must be one of ppo, sb3"), (f"{learner}:learn(4)", "must be given by name")):
        with pytest.raises(ValueError, match=said):
            find_learner(spec, "observation")
    for name in ("td", "gumbel", "imitation"):
        with pytest.raises(ValueError, match=f"'{name}' takes part in the track 'simulator' only"):
            find_learner(name, "observation")


def test_the_file_of_a_learner_is_told_from_what_it_was_before_whatever_its_settings(learner):
    specs = [f"{learner}:learn", f'{learner}:learn(teacher="other.py:Agent")']
    before = [digest_learner(spec) for spec in specs]
    learner.write_text(LEARNER + "\n")
    assert all(digest != digest_learner(spec) for spec, digest in zip(specs, before, strict=True))


def test_learners_of_the_package_are_known_by_their_sources_and_by_the_weights_that_teach_them(monkeypatch, tmp_path):
    find_learner("td", "simulator"), find_learner("imitation", "simulator")
    td, imitation = digest_learner("td"), digest_learner("imitation")
    assert td != imitation and td == digest_learner("td")
    (tmp_path / "value-zamek.npz").write_bytes(b"others")
    monkeypatch.setattr("zamek_agents.benchmark.learners.FOLDER", tmp_path)
    assert imitation != digest_learner("imitation")


def test_the_curve_is_measured_where_it_is_due(monkeypatch):
    task = find_task(OBSERVATION, decisions=1000)
    practice = Practice(task)
    curve = Curve(task, practice)
    monkeypatch.setattr(trial, "measure_on_the_way", lambda agent, task: {"win_rate:greedy-v1": 0.5})
    for _ in range(100):
        practice.count(10)
        curve.report(lambda seen, mask, rng: 0)
    assert [at for at, _ in curve.points] == [int(1000 * share) for share in CURVE_SHARES]


@pytest.mark.long
@pytest.mark.parametrize("name", LEARNERS)
def test_learners_of_the_package_stay_within_their_budget_and_repeat(name, quick):
    task = find_task(SIMULATOR, decisions=10_000, games=2)
    found = [run_trial(task, name, seed) for seed in (1, 1, 2)]
    assert all(0 < each.decisions <= 10_000 and each.curve for each in found)
    assert [each.metrics for each in found[:2]] == [found[0].metrics] * 2
    assert found[0].metrics != found[2].metrics


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
    narrow = aggregate([alike, alike + 0.0]).interval
    assert narrow == (0.5, 0.5)


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


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("format", "other/1", "format must be 'zamek-benchmark/1'"),
        ("task", "zamek-3M", "a task must be one of"),
        ("seed", True, "seed must be a whole number from 0 to 9223372036854775807, not True"),
        ("seed", 4, "belongs into a file called zamek-1M-observation-v1.ppo.4.json"),
        ("budget", 5_000_000, "budget must be a whole number from 1 to 1000000, not 5000000"),
        ("games", 3, "games must be an even number, not 3"),
        ("digest", None, "digest must be printable"),
        ("metrics", {"win_rate:greedy-v1": 0.5}, "metrics must be an object with win_rate:greedy-v1, margin:greedy-v1"),
        ("curve", [{"decisions": 9, "metrics": {}}], "metrics must be an object with win_rate:greedy-v1, margin"),
        ("curve", [{"decisions": 961, "metrics": CURVE}], "points in the order of decisions, of at most 960"),
        ("curve", [{"decisions": at, "metrics": CURVE} for at in (7, 5)], "points in the order of decisions"),
        ("cpu_hours", -1, "cpu_hours must be a number from 0 to 1e\\+12, not -1"),
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "it is not a file"),
        (lambda path: path.symlink_to("/dev/null"), "it is not a file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is not a file"),
        (lambda path: os.mkfifo(path), "it is not a file"),
        (lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 2**20 + 1), "it is larger than 1048576 byt"),
        (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    ],
    ids=["folder", "empty device", "endless device", "pipe", "large", "circle of links"],
)
def test_what_is_no_file_of_sensible_size_is_refused_at_once(tmp_path, make, said, capsys):
    path = tmp_path / Identity(find_task(OBSERVATION), "ppo", 1).path
    path.parent.mkdir()
    make(path)
    codes = []

    def try_to_verify():
        try:
            main(Args(verify=tmp_path))
        except SystemExit as left:
            codes.append(left.code)

    verifying = threading.Thread(target=try_to_verify, daemon=True)  # which would wait for ever at a pipe
    verifying.start()
    verifying.join(20)
    told = capsys.readouterr().err
    assert codes == [2] and told.startswith(f"benchmark: {path}: {said}") and "goes on" not in told


@pytest.mark.parametrize("value", [float("nan"), 1.5, -0.1, 10**400, "0.5", True])
def test_a_rate_of_wins_that_cannot_be_is_refused(tmp_path, value):
    path = write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 3))
    told = json.loads(path.read_text())
    told["metrics"]["win_rate:value-v1"] = value
    path.write_text(json.dumps(told))
    with pytest.raises(ValueError, match="win_rate:value-v1 must be a number from 0 to 1, not"):
        read_result(path)


def test_what_is_no_result_of_its_task_is_told(tmp_path, capsys):
    for seed in range(1, 6):
        write(tmp_path, Identity(find_task(OBSERVATION), "ppo", seed), make_outcome(seed / 10))
    main(Args(verify=tmp_path))
    assert "ppo: a result, from 5 seeds" in capsys.readouterr().out
    (summary,) = summarise(read_all(tmp_path))
    assert summary.win_rate.mean == pytest.approx(0.3) and not summary.faults
    assert set(summary.regrets) == {f"regret:{kind}" for kind in ("place", "send", "score", "endgame")}
    assert all(regret == (2.0, (2.0, 2.0)) for regret in summary.regrets.values())
    write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 5), version="2.0")
    with pytest.raises(SystemExit):
        main(Args(verify=tmp_path))
    assert "the seeds are not of one version of the learner 'ppo' and of this package" in capsys.readouterr().out
    (tmp_path / Identity(find_task(OBSERVATION), "ppo", 1).path).unlink()
    write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 7))
    write(tmp_path, Identity(find_task(OBSERVATION), "ppo", 5))
    with pytest.raises(SystemExit):
        main(Args(verify=tmp_path))
    assert "ppo: its seeds are 2, 3, 4, 5, 7, not 1 to 5\n" in capsys.readouterr().out
    write(tmp_path, Identity(find_task(SIMULATOR, decisions=960), "td", 1))
    with pytest.raises(SystemExit) as left:
        main(Args(verify=tmp_path))
    told = capsys.readouterr().out
    assert left.value.code == 2
    assert "it is a trial: 960 decisions and 200 games, not 1,000,000 and 200; it has 1 seeds" in told


# --- the command ---


@pytest.fixture
def args(tmp_path, learner, quick, monkeypatch):
    """Arguments of a small run in this process, which need no warming up."""
    monkeypatch.setattr(benchmark, "warm_up", lambda trials: None)
    monkeypatch.setattr(sys, "argv", ["zamek", "benchmark"])
    small = {"decisions": 400, "games": 2, "workers": 1, "seeds": 2}
    return Args((OBSERVATION,), (f"{learner}:learn",), out=tmp_path / "out", **small)


def list_seeds(args):
    return sorted((args.out / SEEDS).iterdir())


def test_a_run_goes_on_where_it_stopped_and_writes_everything(args, monkeypatch, capsys):
    """An interruption after the first seed leaves it; the same command makes the second one only."""

    def stop(workers, function, tasks):
        for number, found in enumerate(run_in_order(workers, function, tasks)):
            if number:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(benchmark, "run_in_order", stop)
    with pytest.raises(SystemExit) as left:
        main(args)
    assert left.value.code == 130 and "goes on with the seeds that are missing" in capsys.readouterr().err
    (first,) = list_seeds(args)
    before = first.stat().st_mtime_ns
    monkeypatch.setattr(benchmark, "run_in_order", run_in_order)
    main(args)
    assert len(list_seeds(args)) == 2 and first.stat().st_mtime_ns == before
    out = capsys.readouterr().out
    assert "(no result of it)" in out and "it is a trial: 400 decisions and 2 games" in out
    rows = list(csv.DictReader((args.out / "results.csv").read_text().splitlines()))
    final = [row for row in rows if row["decisions"] == "400"]
    assert {row["seed"] for row in final} == {"1", "2"} and all(row["trial"] == "1" for row in rows)
    assert {"win_rate:greedy-v1", "margin:mcts200-v1", "cpu_hours"} <= {row["metric"] for row in final}
    report = json.loads((args.out / "results.json").read_text())
    assert report["summaries"][0]["digest"] == find_task(OBSERVATION, 400, 2).digest()
    assert report["summaries"][0]["results"] is False and report["command"] == "zamek benchmark"
    assert "<svg" in (args.out / f"curve-{OBSERVATION}.svg").read_text()

    for others, said in (({"decisions": 500}, "budget is 400, not 500"), ({"games": 4}, "games is 2, not 4")):
        with pytest.raises(SystemExit) as left:
            main(replace(args, **others))
        assert left.value.code == 2 and said in capsys.readouterr().err
    source = args.learners[0].removesuffix(":learn")
    with open(source, "a") as file:
        file.write("\n# another version\n")
    with pytest.raises(SystemExit):
        main(args)
    assert "learner_digest is" in capsys.readouterr().err
    main(replace(args, seeds=1, overwrite=True))
    assert first.stat().st_mtime_ns != before


def test_what_is_to_be_made_anew_is_kept_until_it_is_made(args, monkeypatch, capsys):
    main(args)
    kept = [path.read_bytes() for path in list_seeds(args)]

    def stop(trials):
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "warm_up", stop)
    with pytest.raises(SystemExit):
        main(replace(args, overwrite=True))
    assert "seeds that were not made anew are as they were before" in capsys.readouterr().err
    assert [path.read_bytes() for path in list_seeds(args)] == kept


def test_a_file_that_is_no_result_is_found_before_anything_is_learned(args, capsys):
    main(replace(args, seeds=1))
    (path,) = list_seeds(args)
    path.with_name("other.json").write_text("{")
    with pytest.raises(SystemExit) as left:
        main(args)
    told = capsys.readouterr().err
    assert left.value.code == 2 and "other.json: it is not JSON in UTF-8" in told and len(list_seeds(args)) == 2


def test_a_learner_that_wants_more_than_the_budget_to_get_ready_is_no_fault(learner, quick):
    trial.warm_up(((find_task(OBSERVATION, decisions=400), f"{learner}:greedy_for_more"),))
    with pytest.raises(trial.TrialError, match="getting ready, with a budget of 400 decisions: the learner"):
        trial.warm_up(((find_task(OBSERVATION, decisions=400), f"{learner}:cheat"),))


def test_a_learner_is_known_by_its_file_as_it_was_when_it_began(args):
    """A learner that changes its own file while it learns: what is noted is the digest of what has learned."""
    spec = args.learners[0]
    path = Path(spec.removesuffix(":learn"))
    change = "__import__('pathlib').Path(__file__).write_text('#')"
    path.write_text(LEARNER.replace("    return policy", f"    {change}\n    return policy", 1))
    before = digest_learner(spec)
    main(replace(args, seeds=1))
    (result,) = read_all(args.out)
    assert result.learner_digest == before != digest_learner(spec)


def test_the_learner_of_the_docs_learns(args, tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "benchmark.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "my_learner.py").write_text(source)
    main(replace(args, learners=(f"{tmp_path / 'my_learner.py'}:learn(num_envs=32)",), seeds=1, decisions=100))
    (result,) = read_all(args.out)
    assert result.outcome.decisions == 96


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("greedy_for_more", "seed 1: 8 decisions were asked for where 0 of 400 are left"),
        ("cheat", "under the track 'observation' a learner must return a policy"),
    ],
)
def test_a_learner_that_does_not_keep_to_the_rules_is_named(args, function, said, capsys):
    learner = args.learners[0].replace(":learn", f":{function}")
    with pytest.raises(SystemExit) as left:
        main(replace(args, learners=(learner,)))
    assert left.value.code == 1
    told = capsys.readouterr().err
    assert said in told and function in told
    assert not list_seeds(args)


def test_what_cannot_be_followed_is_refused_before_anything_is_written(args, tmp_path, capsys):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    for others, said in (
        ({"tasks": ("chess-1M",)}, "a task must be one of"),
        ({"learners": ("td",)}, "takes part in the track 'simulator' only"),
        ({"learners": ("\udcff.py:learn",)}, r"--learners must be names and paths of printable signs, not '\udcff.py"),
        ({"seeds": 0}, "--seeds must be 1 to 10000, not 0"),
        ({"out": tmp_path / "other"}, "holds something else than results of the benchmark"),
        ({"out": tmp_path / "other" / "thesis.tex" / "x"}, "cannot be written: what should be its folder is a file"),
        ({"verify": tmp_path / "other"}, "holds no results of the benchmark"),
    ):
        with pytest.raises(SystemExit) as left:
            main(replace(args, **others))
        assert left.value.code == 2 and said in capsys.readouterr().err
    assert not args.out.exists()


def test_without_arguments_tasks_and_learners_are_listed(capsys):
    main(Args())
    out = capsys.readouterr().out
    assert all(name in out for name in (*TASKS, *LEARNERS))


@pytest.mark.long
def test_results_do_not_depend_on_how_many_work(args):
    main(args)
    alone = [read_result(path).outcome for path in list_seeds(args)]
    other = replace(args, out=args.out.with_name("two"), workers=2)
    # other processes measure everything, so games are compared only
    main(other)
    for mine, theirs in zip(alone, (read_result(path).outcome for path in list_seeds(other)), strict=True):
        assert mine.decisions == theirs.decisions
        assert mine.metrics["win_rate:greedy-v1"] == theirs.metrics["win_rate:greedy-v1"]
        assert mine.metrics["margin:greedy-v1"] == theirs.metrics["margin:greedy-v1"]
