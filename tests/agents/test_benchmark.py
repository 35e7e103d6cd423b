"""The benchmark: budgets are counted, learners are told apart, runs go on where they stopped, tasks never change."""

import csv
import json
import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.pairs import LOST, SHARED, WON, make_pair
from zamek_agents.benchmark import run
from zamek_agents.benchmark.practice import BudgetSpentError, Practice, make_player
from zamek_agents.benchmark.results import SEEDS, read_all, read_result
from zamek_agents.benchmark.run import KINDS, LEARNERS, Curve, digest_learner, find_learner, list_metrics, run_learner
from zamek_agents.benchmark.tasks import CURVE_OPPONENT, CURVE_SHARES, OPPONENTS, TASKS, find_task
from zamek_agents.heuristic import RandomAgent
from zamek_agents.suites.measure import Decision
from zamek_agents.suites.suite import CHOICES, ENDGAME, ENDGAMES, read_suite
from zamek_agents.workers import run_in_order
from zamek_env import Game
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts import benchmark, cli
from zamek_scripts.benchmark import Args, main

OBSERVATION, SIMULATOR = "zamek-1M-observation-v2", "zamek-1M-simulator-v2"
FIRST = "zamek-1M-observation-v1"
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
    "zamek-1M-observation-v2": "8fb88d5d49f108bf",
    "zamek-1M-simulator-v2": "25e26fff58e55403",
    "zamek-10M-observation-v2": "3a69a31a92a7a0f2",
    "zamek-10M-simulator-v2": "7a4909f3ef8b4694",
    "sokol-1M-observation-v2": "39f04b5df259b394",
    "sokol-1M-simulator-v2": "cc594c5ab9ae385b",
    "sokol-10M-observation-v2": "c2aba4c399014669",
    "sokol-10M-simulator-v2": "df8fe8a3167fea25",
    "carcassonne-1M-observation-v2": "b65409ef8e947d98",
    "carcassonne-1M-simulator-v2": "9c150b8ccab0d560",
    "carcassonne-10M-observation-v2": "d104ccf457a0d705",
    "carcassonne-10M-simulator-v2": "42b7c430215fb8ed",
    "carcassonne-variants-v1": "ff18e5cb142aa887",
}
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

def play_the_illegal(observation, action_mask, rng):
    return int(np.flatnonzero(action_mask == 0)[0])

def learn_the_illegal(task, seed, report):
    return play_the_illegal

def report_the_illegal(task, seed, report):
    task.count(task.left)
    report(play_the_illegal)

def add_what_cannot_be_added(*_):
    return np.zeros(3) + np.zeros(4)

def learn_what_cannot_be_added(task, seed, report):
    return add_what_cannot_be_added
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
    played = run.play_against

    def play_against(agent, opponent, task, games, *note):
        if opponent == CURVE_OPPONENT:
            return played(agent, opponent, task, games, *note)
        return {f"win_rate:{opponent}": 0.25, f"margin:{opponent}": -3.0}

    monkeypatch.setattr(run, "play_against", play_against)
    monkeypatch.setattr(run, "find_regrets", lambda agent, task: dict.fromkeys(list_metrics(task)[-4:], 1.0))


# --- tasks ---


def test_tasks_are_those_that_were_published():
    """Where this fails, give the task another version: results under its name must stay comparable."""
    assert {name: task.digest()[:16] for name, task in TASKS.items()} == PUBLISHED


@pytest.mark.parametrize("name", TASKS)
def test_the_suites_of_every_task_can_be_read(name):
    suites = [read_suite(path) for path in find_task(name).list_suites()]
    has_none = find_task(name).ruleset == "sokol" or find_task(name).held_out
    assert [suite.kind for suite in suites] == ([] if has_none else [CHOICES, ENDGAMES])
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
        (OBSERVATION, {"decisions": 0}, "decisions must lie in 1 to 1,000,000"),
        (OBSERVATION, {"decisions": 1_000_001}, "decisions must lie in 1 to 1,000,000, the budget of .*, not 1000001"),
        (OBSERVATION, {"games": 3}, "games must be an even number"),
        (OBSERVATION, {"games": 202}, "games must be an even number from 2 to 200, not 202"),
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
    noted = []
    task = Practice(find_task(OBSERVATION, decisions=20), noted.append)
    games = task.make_games(8)
    assert "deal" not in games.reset(seed=1)[1]
    assert "deal" not in play_first(games, 2)
    assert (task.played, task.left, noted) == (16, 4, [8, 8])
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


def test_games_are_copied_under_one_track_only_and_redealt():
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
    for name in (FIRST, OBSERVATION):
        assert make_player(policy, find_task(name)).act(game, np.random.default_rng(0)) == game.legal_actions()[0]
    assert [{*shown} for shown, _ in seen] == [{"planes", "vector"}, {"vector", "rows", "row_actions"}]
    assert make_player(RandomAgent(), find_task(SIMULATOR)).name == "random"
    for learned, task in ((RandomAgent(), find_task(OBSERVATION)), (3, find_task(SIMULATOR))):
        with pytest.raises(ValueError, match=f"under the track '{task.track}' a learner must return"):
            make_player(learned, task)


# --- learners ---


def test_learners_are_found_by_name(learner):
    assert find_learner(f"{learner}:learn(width=4)", find_task(FIRST)).keywords == {"width": 4}
    for spec, said in (
        ("pop", "a learner must be one of ppo, sb3"),
        (f"{learner}:learn(4)", "must be given by name"),
        (f"{learner}:learn(depth=4)", r"called as learn\(task, seed, report\): got an unexpected .* 'depth'"),
        (f"{learner}:lern", "the learner .*: there is no function 'lern' in the"),
        (f"{learner}:learn(", "the learner .* must end with a function, or a function and literals"),
    ):
        with pytest.raises(ValueError, match=said):
            find_learner(spec, find_task(OBSERVATION))
    for name in ("td", "gumbel", "imitation"):
        with pytest.raises(ValueError, match=f"'{name}' takes part in the track 'simulator' only"):
            find_learner(name, find_task(OBSERVATION))
    for name in ("ppo", "masked-dqn"):
        assert callable(find_learner(name, find_task(OBSERVATION)))
        with pytest.raises(ValueError, match=f"'{name}' learns from rows: from tasks v2, not {FIRST}"):
            find_learner(name, find_task(FIRST))


def test_a_changed_file_of_a_learner_is_noticed(learner):
    specs = [f"{learner}:learn", f'{learner}:learn(teacher="other.py:Agent")']
    before = [digest_learner(spec) for spec in specs]
    learner.write_text(LEARNER + "\n")
    assert all(digest != digest_learner(spec) for spec, digest in zip(specs, before, strict=True))


def test_packaged_learners_are_known_by_sources_and_weights(monkeypatch, tmp_path):
    find_learner("td", find_task(SIMULATOR)), find_learner("imitation", find_task("zamek-1M-simulator-v2"))
    td, imitation = digest_learner("td"), digest_learner("imitation")
    assert td != imitation and td == digest_learner("td")
    (tmp_path / "value-zamek.npz").write_bytes(b"others")
    monkeypatch.setattr("zamek_agents.benchmark.run.FOLDER", tmp_path)
    assert imitation != digest_learner("imitation")


def test_the_curve_is_measured_where_it_is_due(monkeypatch):
    task = find_task(OBSERVATION, decisions=1000)
    practice = Practice(task)
    curve = Curve(task, practice)
    monkeypatch.setattr(run, "measure_on_the_way", lambda agent, task: {"win_rate:greedy-v1": 0.5})
    for _ in range(100):
        practice.count(10)
        curve.report(lambda seen, mask, rng: 0)
    assert [at for at, _ in curve.points] == [int(1000 * share) for share in CURVE_SHARES]


@pytest.mark.parametrize("fails", [False, True])
def test_the_hours_are_those_of_learning_without_those_of_measuring(fails, monkeypatch):
    """Of a clock on which as much time goes by again as this process works. The learner goes on if measuring fails."""
    hours = [0]

    def spend(count, found=None):
        hours[0] += count
        return found

    def learn(practice, seed, report):
        spend(2)
        practice.count(practice.left)
        with suppress(RuntimeError):
            report(play_first_of)
        return spend(seed, play_first_of)

    def measure_on_the_way(agent, task):
        found = spend(10, {"win_rate:greedy-v1": 0.5})
        if fails:
            raise RuntimeError
        return found

    clock = SimpleNamespace(process_time=lambda: 3600 * hours[0], perf_counter=lambda: 7200 * hours[0])
    monkeypatch.setattr(run, "time", clock)
    monkeypatch.setattr(run, "find_learner", lambda spec, task: learn)
    monkeypatch.setattr(run, "measure_on_the_way", measure_on_the_way)
    monkeypatch.setattr(run, "measure", lambda *_: spend(100, {"win_rate:value-v1": 0.25}))
    outcome = run_learner(find_task(OBSERVATION, decisions=50), "mine", seed=3)
    assert (outcome.cpu_hours, outcome.wall_hours) == (2 + 3, 2 * (2 + 3))
    assert outcome.curve == (() if fails else ((50, {"win_rate:greedy-v1": 0.5}),))
    assert (outcome.decisions, outcome.metrics) == (50, {"win_rate:value-v1": 0.25})


def play_first_of(observation, mask, rng):
    """Return the first legal action."""
    return int(mask.argmax())


# --- what is measured ---


def test_games_are_counted_for_the_learner_on_deals_that_are_the_same_for_all(monkeypatch):
    made, noted = [], []

    class Known:
        """A lineup whose games have ended already."""

        def __init__(self, *given, components):
            made.append((*given, components.name, components.players))

        def play(self, sets):
            return iter([make_pair(0, WON, LOST), make_pair(1, SHARED, LOST)][:sets])

    monkeypatch.setattr(run, "Lineup", Known)
    monkeypatch.setattr(run, "make_agent", lambda name: f"agent {name}")
    task = find_task("sokol-1M-observation-v1")
    metrics = run.play_against("who has learned", "greedy-v1", task, 4, noted.append)
    assert metrics == {"win_rate:greedy-v1": 1.5 / 4, "margin:greedy-v1": (0 - 4) / 2}
    assert made == [(("who has learned", "agent greedy-v1"), ("learner", "greedy-v1"), 20_000, "sokol", "sokol", 2)]
    assert noted == [2, 2]


def test_as_many_games_are_played_against_each_opponent_as_the_task_says(monkeypatch):
    played = []
    monkeypatch.setattr(run, "play_against", lambda _, opponent, *given: played.append((opponent, given[1])) or {})
    monkeypatch.setattr(run, "find_regrets", lambda agent, task: {"regret:place": 1.0})
    assert run.measure(RandomAgent(), find_task(OBSERVATION)) == {"regret:place": 1.0}
    for games in (200, 2):
        run.measure_on_the_way(RandomAgent(), find_task(OBSERVATION, games=games))
    assert played == [
        ("greedy-v1", 200), ("value-v1", 200), ("mcts200-v1", 50), ("greedy-v1", 100), ("greedy-v1", 2)
    ]  # fmt: skip


def test_regrets_are_means_of_each_kind_of_decision_on_the_suites_of_the_task(monkeypatch):
    def decide_all(agent, name, path):
        kinds = (ENDGAME,) if Path(path).name == "endgames-zamek.npz" else ("place", "send")
        return [Decision(name, kind, regret, 0.0) for kind in kinds for regret in (0.0, 1.0 + len(kind))]

    monkeypatch.setattr(run, "decide_all", decide_all)
    found = run.find_regrets(RandomAgent(), find_task(OBSERVATION))
    assert found == {"regret:place": 3.0, "regret:send": 2.5, "regret:endgame": 4.0}
    assert run.find_regrets(RandomAgent(), find_task("sokol-1M-observation-v1")) == {}


@pytest.mark.long
@pytest.mark.parametrize("name", LEARNERS)
def test_learners_of_the_package_stay_within_their_budget_and_repeat(name, quick):
    task = find_task("zamek-1M-simulator-v2", decisions=10_000, games=2)
    found = [run_learner(task, name, seed) for seed in (1, 1, 2)]
    assert all(0 < each.decisions <= 10_000 and each.curve for each in found)
    assert [each.metrics for each in found[:2]] == [found[0].metrics] * 2
    assert found[0].metrics != found[2].metrics


# --- the command ---


@pytest.fixture
def args(tmp_path, learner, quick, monkeypatch):
    """Arguments of a small run in this process, which need no warming up."""
    monkeypatch.setattr(benchmark, "warm_up", lambda learners: None)
    monkeypatch.setattr(sys, "argv", ["zamek", "benchmark"])
    small = {"decisions": 400, "games": 2, "workers": 1, "seeds": 2}
    return Args((OBSERVATION,), (f"{learner}:learn",), out=tmp_path / "out", **small)


def list_seeds(args):
    return sorted((args.out / SEEDS).iterdir())


def test_a_run_goes_on_where_it_stopped_and_writes_everything(args, monkeypatch, capsys, refused):
    """An interruption after the first seed leaves it; the same command makes the second one only."""

    def stop(workers, function, tasks):
        for number, found in enumerate(run_in_order(workers, function, tasks)):
            if number:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(benchmark, "run_in_order", stop)
    assert "goes on with the seeds that are missing" in refused(main, args, code=130)
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
        assert said in refused(main, replace(args, **others))
    source = args.learners[0].removesuffix(":learn")
    with open(source, "a") as file:
        file.write("\n# another version\n")
    assert "learner_digest is" in refused(main, args)
    main(replace(args, seeds=1, overwrite=True))
    assert first.stat().st_mtime_ns != before


def test_what_is_to_be_made_anew_is_kept_until_it_is_made(args, monkeypatch, refused):
    main(args)
    kept = [path.read_bytes() for path in list_seeds(args)]

    def stop(learners):
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "warm_up", stop)
    said = refused(main, replace(args, overwrite=True), code=130)
    assert "seeds that were not made again are as they were before" in said
    assert [path.read_bytes() for path in list_seeds(args)] == kept


def test_a_file_that_is_no_result_is_found_before_anything_is_learned(args, refused):
    main(replace(args, seeds=1))
    (path,) = list_seeds(args)
    path.with_name("other.json").write_text("{")
    assert "other.json: it is not JSON in UTF-8" in refused(main, args) and len(list_seeds(args)) == 2


def test_a_learner_that_wants_more_than_the_budget_to_get_ready_is_no_fault(learner, quick):
    run.warm_up(((find_task(OBSERVATION, decisions=400), f"{learner}:greedy_for_more"),))
    with pytest.raises(run.LearnerError, match="getting ready, with a budget of 400 decisions: the learner"):
        run.warm_up(((find_task(OBSERVATION, decisions=400), f"{learner}:cheat"),))


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
    page = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text(encoding="utf-8")
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
        ("learn_the_illegal", "seed 1: the answer of learner: "),
        ("report_the_illegal", "seed 1: the answer of learner: "),
    ],
)
def test_a_learner_that_does_not_keep_to_the_rules_is_named(args, function, said, refused):
    learner = args.learners[0].replace(":learn", f":{function}")
    refusal = refused(main, replace(args, learners=(learner,)), code=1)
    assert said in refusal and function in refusal
    assert not args.out.exists() or not list_seeds(args)


@pytest.mark.parametrize("function", ["add_what_cannot_be_added", "learn_what_cannot_be_added"])
def test_a_fault_in_the_code_of_a_learner_keeps_its_traceback_and_names_the_learner(args, function):
    """While it learns, and while what it has learned plays."""
    spec = args.learners[0].replace(":learn", f":{function}")
    with pytest.raises(ValueError, match="could not be broadcast") as raised:
        main(replace(args, learners=(spec,)))
    assert f"by the learner {spec!r}, {OBSERVATION}, seed 1" in raised.value.__notes__
    assert raised.traceback[-1].name == "add_what_cannot_be_added"


def test_what_cannot_be_followed_is_refused_before_anything_is_written(args, tmp_path, refused):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    for others, said in (
        ({"tasks": ("chess-1M",)}, "a task must be one of"),
        ({"learners": ("td",)}, "takes part in the track 'simulator' only"),
        ({"learners": ("\udcff.py:learn",)}, r"--learners must be names and paths of printable signs, not '\udcff.py"),
        ({"seeds": 0}, "--seeds must be 1 to 10000, not 0"),
        ({"decisions": 0}, "--decisions must lie in 1 to 1,000,000, the budget of zamek-1M"),
        ({"games": 3}, "--games must be an even number from 2 to 200, not 3"),
        ({"out": tmp_path / "other"}, "holds something else than results of the benchmark"),
        ({"out": tmp_path / "other" / "thesis.tex" / "x"}, "cannot be written: what should be its folder is a file"),
    ):
        assert said in refused(main, replace(args, **others))
    assert "holds no results of the benchmark" in refused(main, Args(verify=tmp_path / "other"))
    assert not args.out.exists()


def test_nothing_is_written_where_nobody_can_work_or_no_learner_gets_ready(args, monkeypatch, refused):
    def fail(learners):
        raise run.LearnerError("getting ready: no learner")

    def refuse(*_):
        raise ValueError("no Ray cluster answers")

    monkeypatch.setattr(benchmark, "warm_up", fail)
    with pytest.raises(SystemExit, match="1"):
        main(args)
    monkeypatch.setattr(benchmark, "open_workers", refuse)
    refusal = refused(main, replace(args, workers=None, ray="127.0.0.1:1"))
    assert "getting ready: no learner" in refusal and "no Ray cluster answers" in refusal and not args.out.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--learners td --seeds 3 --out X --overwrite", "--learners must come with a task to be learned; without arg"),
        ("--out X", "--out must come with a task"),
        ("--games 2", "--games must come with a task"),
        ("--workers 2", "--workers must come with a task"),
        ("--verify FOLDER zamek-1M-observation-v1", "tasks must be left out with --verify, which looks at all results"),
        ("--verify FOLDER --overwrite --ray", "--ray must be left out with --verify, which runs nothing"),
        ("--verify FOLDER --decisions 9", "--decisions must be left out with --verify, which runs nothing"),
    ],
)
def test_what_would_have_no_effect_is_refused(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["benchmark", *arguments.split()])
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith(f"benchmark: {message}")


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
