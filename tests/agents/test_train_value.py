"""The learned evaluation learns from games, goes on where it stopped, and ends in order; bad arguments are refused."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.array_files import read_arrays, write_changed
from tests.support.games import IS_COMPILED
from zamek_agents import make_agent
from zamek_agents.named_ruleset import NamedRuleset
from zamek_agents.value import learner as learning
from zamek_agents.value.choice import count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.learner import load_learner, new_learner
from zamek_agents.value.training import play_match
from zamek_agents.value.weights import load_weights, new_weights, read_file
from zamek_env.ruleset import get_ruleset
from zamek_scripts import train_value
from zamek_scripts.cli import parse

SMALL = ("--match-deals", "0", "--report-every", "3")


def read_learner(folder):
    """Return the arrays of a learner, by name."""
    return read_arrays(folder / "learner.npz")[0]


def learn(folder, *arguments):
    """Run the script and return what it wrote: (weights, what is noted about them, learner)."""
    train_value.main(parse(train_value.Args, ["--out", str(folder), *SMALL, *map(str, arguments)]))
    return *read_file(folder / "weights.npz"), read_learner(folder)


def are_equal(learner, other):
    return learner.keys() == other.keys() and all(np.array_equal(learner[name], other[name]) for name in learner)


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_learning_goes_on_as_if_it_had_never_stopped(tmp_path, capsys):
    whole, _, learner = learn(tmp_path / "whole", "--games", 6, "--seed", 3)
    half, _, _ = learn(tmp_path / "parts", "--games", 3, "--seed", 3)
    resumed, about, again = learn(tmp_path / "parts", "--games", 6, "--resume", tmp_path / "parts" / "learner.npz")
    assert np.array_equal(resumed, whole) and are_equal(again, learner) and not np.array_equal(half, whole)
    assert about["games"] == 6 and about["arguments"]["seed"] == 3
    curve = json.loads((tmp_path / "parts" / "curve.json").read_text())
    assert [row["games"] for row in curve] == [3, 6] and all(math.isfinite(row["error"]) for row in curve)
    other, _, _ = learn(tmp_path / "other", "--games", 6, "--seed", 4)
    assert not np.array_equal(other, whole) and "nothing" not in capsys.readouterr().out
    path = tmp_path / "other" / "learner.npz"
    learn(path.parent, "--games", 5, "--minutes", 2, "--resume", path)
    over = f"nothing was left to do: {path} has 6 games, and the run ends at --games 5 or --minutes 2.0\n"
    assert capsys.readouterr().out.startswith(over)


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_what_is_tracked_of_a_run_that_is_resumed_is_how_it_was_begun(tmp_path, monkeypatch):
    learn(tmp_path, "--games", 3, "--seed", 5, "--rate", 0.2)
    tracked, track = [], train_value.track
    monkeypatch.setattr(train_value, "track", lambda args, about: tracked.append(args) or track(args, about))
    learn(tmp_path, "--games", 6, "--resume", tmp_path / "learner.npz")
    assert [(args.games, args.seed, args.rate) for args in tracked] == [(6, 5, 0.2)]


def test_learning_can_be_interrupted_between_reports(monkeypatch):
    calls = []

    def train(*arguments):
        calls.append(arguments[-1])
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(learning, "train", train)
    learners = new_learner(get_ruleset("carcassonne-demo"), 0, {})
    learning.learn_chunk(NamedRuleset("carcassonne-demo"), learners, 150, 0)
    assert calls == [100, 50]
    with pytest.raises(KeyboardInterrupt):
        learning.learn_chunk(NamedRuleset("carcassonne-demo"), learners, 10**12, 0)


def test_learning_ends_between_reports_once_its_time_is_over(monkeypatch):
    calls, now = [], [0.0]

    def train(*arguments):
        calls.append(arguments[-1])
        now[0] += 1

    monkeypatch.setattr(learning, "train", train)
    monkeypatch.setattr(learning, "time", SimpleNamespace(monotonic=lambda: now[0]))
    named, learners = NamedRuleset("carcassonne-demo"), new_learner(get_ruleset("carcassonne-demo"), 0, {})
    taken = [  # the latter is over before: some games make a report
        learning.learn_chunk(named, learners, 10**12, 0, seconds)[2] for seconds in (2.5, 0.0)
    ]
    assert calls == [100] * 4 and taken == [3.0, 1.0]


def test_a_run_gives_workers_the_time_it_has_left(tmp_path):
    """Only learning counts, not the time in which it waits for a worker."""
    given, row = [], {"games": 100, "error": 4.5, "win_rate": 0.5, "margin": 0.0}
    workers = SimpleNamespace(submit=lambda function, *arguments: given.append(arguments[-1]))
    for minutes in (None, 2.0):
        args = train_value.Args(out=tmp_path / str(minutes), minutes=minutes)
        run = train_value.Run(args)
        run.submit_next(workers)
        run.learners["games"] = 100
        run.take((run.learners, row, 50.0))
        run.submit_next(workers)
    assert given == [np.inf, np.inf, 120.0, 70.0] and run.seconds == 50.0
    run.take((run.learners, row, 70.0))
    assert run.submit_next(workers) is None and len(given) == 4
    learned = tmp_path / "2.0" / "learner.npz"  # the minutes before --resume are among those of the run
    for minutes, left in ((2.0, []), (3.0, [60.0])):
        resumed = train_value.Run(train_value.Args(out=learned.parent, resume=learned, minutes=minutes))
        resumed.submit_next(workers)
        assert given[4:] == left


def test_a_new_run_learns_from_some_games_though_its_time_is_over_at_once(tmp_path):
    """So that there are weights to name in the end."""
    given = []
    workers = SimpleNamespace(submit=lambda function, *arguments: given.append(arguments[-1]))
    run = train_value.Run(train_value.Args(out=tmp_path / "run", minutes=1e-9))
    run.submit_next(workers)
    assert len(given) == 1 and given[0] < 1
    run.learners["games"] = 100
    run.take((run.learners, {}, 1.0))
    assert run.submit_next(workers) is None and len(given) == 1


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.long
def test_seeds_learned_side_by_side_are_those_learned_alone(tmp_path, refused):
    args = ["--out", str(tmp_path / "both"), *SMALL, "--games", "4", "--report-every", "2", "--seeds", "3", "4"]
    train_value.main(parse(train_value.Args, [*args, "--workers", "2"]))
    for seed in (3, 4):
        _, about, alone = learn(tmp_path / str(seed), "--games", 4, "--report-every", 2, "--seed", seed)
        assert are_equal(read_learner(tmp_path / "both" / f"seed-{seed}"), alone) and about["games"] == 4
    assert not are_equal(read_learner(tmp_path / "3"), read_learner(tmp_path / "4"))
    refusal = refused(train_value.main, parse(train_value.Args, ["--seeds", "3", "3"]))
    assert "--seeds must differ from each other" in refusal


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_learning_from_seeds_that_is_interrupted_says_how_each_goes_on(tmp_path, monkeypatch, refused):
    def interrupt(runs, workers):
        runs[0].take((runs[0].learners, {"games": 3}, 1.0))
        yield {"games": 3}
        raise KeyboardInterrupt

    monkeypatch.setattr(train_value, "learn", interrupt)
    said = refused(learn, tmp_path, "--seeds", 1, 2, "--workers", 1, code=130)
    begun, other = tmp_path / "seed-1", tmp_path / "seed-2"
    go_on = f"go on by: zamek train-value --config {begun}/config.yaml --resume {begun}/learner.npz"
    assert go_on in said and f"what was written to {other} before is kept, and no checkpoint is among it" in said


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("rate", [4, 10, 1e6])
@pytest.mark.parametrize("every", [1, 30])
def test_learning_that_diverges_ends_in_one_line_and_keeps_what_was_good(tmp_path, capsys, refused, rate, every):
    learn(tmp_path, "--games", 6, "--seed", 3)
    path = tmp_path / "learner.npz"
    write_changed(path, path, lambda arrays, about: arrays["rate"].fill(rate))
    kept = read_learner(tmp_path) | {"of the agent": read_file(tmp_path / "weights.npz")[0]}
    resumed = ("--resume", path, "--games", 66, "--report-every", every)
    capsys.readouterr()
    refusal = refused(learn, tmp_path, *resumed, code=1)
    said = refusal.splitlines()[-1]
    assert said.startswith("train-value: learning diverged within ") and f"the rate {rate:g} is too large" in said
    assert f"; what was written to {tmp_path} before is kept; go on by: zamek train-value " in said
    if every == 30:
        again = read_learner(tmp_path) | {"of the agent": read_file(tmp_path / "weights.npz")[0]}
        assert are_equal(again, kept)
    make_agent(f"value:{tmp_path / 'weights.npz'}")
    load_learner(path, get_ruleset())


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("settings", [(), ("--rate", 1), ("--trace", 0), ("--trace", 1), ("--exploration", 1000)])
@pytest.mark.parametrize("every", [1, 40])
@pytest.mark.long
def test_learning_by_sound_settings_is_not_held_to_diverge(tmp_path, settings, every):
    learn(tmp_path, "--games", 80, "--report-every", every, *settings)
    assert read_learner(tmp_path)["games"] == 80


LEARNERS = {
    "no field": lambda arrays, about: arrays.pop("rate"),
    "a weight that is none": lambda arrays, about: arrays["weights"].__setitem__(5, np.nan),
    "a mean that is endless": lambda arrays, about: arrays["means"].__setitem__(5, np.inf),
    "a huge weight": lambda arrays, about: arrays["weights"].__setitem__(5, 2e4),
    "the lead is worth nothing": lambda arrays, about: arrays["means"].__setitem__(0, 0),
    "a negative square": lambda arrays, about: arrays["squares"].__setitem__(5, -1),
    "no memory": lambda arrays, about: arrays["memory"].fill(0),
    "a rate that is none": lambda arrays, about: arrays["rate"].fill(np.nan),
    "a trace above 1": lambda arrays, about: arrays["trace"].fill(1.1),
    "more than all explored": lambda arrays, about: arrays["exploration"].fill(1001),
    "games below 0": lambda arrays, about: arrays["games"].fill(-1),
    "few weights": lambda arrays, about: arrays.update(weights=arrays["weights"][:-1]),
    "wide weights": lambda arrays, about: arrays.update(weights=arrays["weights"].astype(np.float64)),
    "no curve": lambda arrays, about: about.pop("curve"),
    "a curve of numbers": lambda arrays, about: about.update(curve=[3]),
    "a row without games": lambda arrays, about: about.update(curve=[{"error": 3}]),
    "a row with text": lambda arrays, about: about.update(curve=[{"games": 3, "error": "3"}]),
    "a row with more": lambda arrays, about: about.update(curve=[{"games": 3, "error": 3, "more": 1}]),
    "a win rate above 1": lambda arrays, about: about.update(curve=[{"games": 3, "error": 3, "win_rate": 2}]),
    "seconds below 0": lambda arrays, about: about.update(seconds=-1),
    "no seconds": lambda arrays, about: about.update(seconds=None),
    "an unknown ruleset": lambda arrays, about: about.update(ruleset="chess"),
    "another format": lambda arrays, about: about.update(format="zamek-value/1"),
}


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Let a learner play three games and return its folder."""
    folder = tmp_path_factory.mktemp("learned")
    learn(folder, "--games", 3)
    return folder


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("kind", LEARNERS)
def test_a_file_that_is_no_learner_is_refused_in_one_line(learned, tmp_path, refused, kind):
    path = tmp_path / "learner.npz"
    write_changed(learned / "learner.npz", path, LEARNERS[kind])
    refusal = refused(learn, tmp_path / "out", "--resume", path)
    assert refusal.startswith(f"train-value: --resume: {path} holds no learner: ") and refusal.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_a_learner_of_another_ruleset_is_refused(learned, tmp_path, refused):
    path = learned / "learner.npz"
    assert refused(learn, tmp_path / "out", "--resume", path, "--ruleset", "carcassonne-demo") == (
        f"train-value: --resume: {path} was trained for the ruleset 'zamek', not for 'carcassonne-demo'\n"
    )


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_the_clock_starts_once_all_is_compiled(tmp_path, monkeypatch):
    called, compile_all = [], learning.compile_all
    monkeypatch.setattr(learning, "compile_all", lambda ruleset: called.append("compile") or compile_all(ruleset))
    monkeypatch.setattr(learning, "time", SimpleNamespace(monotonic=lambda: called.append("time") or len(called)))
    learn(tmp_path, "--games", 6)
    assert called[0] == "compile" and set(called[1:]) == {"time"}


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.long
def test_a_few_hundred_games_teach_more_than_nothing(tmp_path):
    learn(tmp_path, "--games", 300, "--seed", 5, "--report-every", 300, "--ruleset", "zamek")
    ruleset = get_ruleset("zamek")
    states, margins = ruleset.new_states(1 + count_trials(ruleset.sizes)), []
    for weights in (new_weights(ruleset), load_weights(tmp_path / "weights.npz", ruleset)):
        margins.append(
            play_match(ruleset.tables, states, ruleset.new_log(), new_evaluators(ruleset, weights), 0, 10)[1]
        )
    assert margins[1] > margins[0] + 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--games", 0), "--games must lie in 1 to 1"),
        (("--trace", 1.5), "--trace must lie in 0 to 1"),
        (("--exploration", 1001), "--exploration must lie in 0 to 1000"),
        (("--rate", 0), "--rate must be a positive number"),
        (("--rate", "nan"), "--rate must be a positive number"),
        (("--rate", 1e7), "--rate must be a positive number up to 1e+06"),
        (("--memory", 10**30), "--memory must lie in 1 to"),
        (("--match-deals", 10**30), "--match-deals must lie in 0 to"),
        (("--minutes", -1), "--minutes must be a positive number"),
        (("--minutes", 1e307), "--minutes must be a positive number up to 100000000, not 1e+307"),
        (("--workers", 2), "--workers must come with --seeds: one player is trained in one process"),
        (("--seed", -1), "--seed must lie in 0 to"),
        (("--seeds", 3, -1), "--seeds must lie in 0 to"),
        (("--seeds", 3, 4, "--seed", 5), "--seed, --resume and --track must be left out with --seeds"),
        (("--match-deals", -1), "--match-deals must lie in 0 to"),
        (("--ruleset", "chess"), "--ruleset must be one of zamek"),
        (("--resume", "no/such.npz"), "there is no learner"),
        (("--resume", __file__), "holds no learner"),
        (("--players", 3), "--players must be 2 in the ruleset zamek, not 3"),
        (("--rules", "draw_ahead", "--ruleset", "zamek"), "goes with a table"),
        (("--rules", "draw"), "--rules must name some of draw_ahead"),
        (("--weights", "no/such.npz"), "there is no model 'no/such.npz'"),
        (("--weights", __file__), "holds no weights of a learned evaluation"),
        (("--weights", "a.npz", "--resume", "b.npz"), "--weights must be left out with --resume"),
    ],
)
def test_arguments_that_cannot_be_are_refused(tmp_path, refused, arguments, message):
    assert message in refused(learn, tmp_path / "out", *arguments) and not (tmp_path / "out").exists()
