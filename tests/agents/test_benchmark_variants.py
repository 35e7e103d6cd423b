"""The task `carcassonne-variants-v1`: learned by some house rules, measured by these and by others."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.support.pairs import LOST, SHARED, WON, make_pair
from zamek_agents.benchmark import run
from zamek_agents.benchmark.practice import Practice, make_player
from zamek_agents.benchmark.results import Result, list_rows, make_rules_table, read_all, summarise
from zamek_agents.benchmark.run import LEARNERS, Outcome, find_learner, list_metrics
from zamek_agents.benchmark.tasks import CURVE_SHARES, HELD_OUT, TRAINED, find_task
from zamek_agents.heuristic import RandomAgent
from zamek_env import Game
from zamek_scripts import benchmark
from zamek_scripts.benchmark import Args, main

TASK = find_task("carcassonne-variants-v1")
LEARNER = """
def play_first(observation, action_mask, rng):
    return int(action_mask.argmax())

def learn(task, seed, report):
    while task.left >= 10:
        task.count(10)
        report(play_first)
    return play_first
"""


# --- its rules ---


def test_all_its_rules_have_the_same_actions_and_rows_and_the_entries_learned_from():
    first, *others = (TASK.find_ruleset(rules) for rules in TRAINED + HELD_OUT)
    assert len({ruleset.components.digest for ruleset in (first, *others)}) == 9
    for ruleset in others:
        assert (ruleset.actions, ruleset.num_rows) == (first.actions, first.num_rows)
        assert ruleset.rows.names == first.rows.names
    for ruleset in others[: len(TRAINED) - 1]:
        assert ruleset.vector.names == first.vector.names
    more = [sorted(set(ruleset.vector.names) - set(first.vector.names)) for ruleset in others[len(TRAINED) - 1 :]]
    assert all({*first.vector.names} <= {*ruleset.vector.names} for ruleset in others)
    assert [bool(names) for names in more] == ["draw_ahead" in rules for rules in HELD_OUT]


def test_what_it_says_of_house_rules_is_part_of_its_digest_alone():
    assert TASK.digest() != replace(TASK, held_out=HELD_OUT[:3]).digest() != replace(TASK, trained=TRAINED[:4]).digest()


# --- learning ---


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "sb3-maskable-ppo"])
def test_learners_without_house_rules_are_refused_in_a_line(name, tmp_path):
    able = "sb3-maskable-ppo, MODULE:FUNCTION, FILE.py:FUNCTION"
    with pytest.raises(ValueError, match=f"^the learner '{name}' learns without house rules; from .*-v1 learn {able}$"):
        find_learner(name, TASK)
    (tmp_path / "mine.py").write_text(LEARNER)
    assert callable(find_learner(f"{tmp_path / 'mine.py'}:learn", TASK))


def test_games_are_made_by_the_house_rules_to_learn_by_and_no_others():
    task = Practice(TASK)
    assert task.trained == TRAINED and Practice(find_task("zamek-1M-observation-v2")).trained == ("",)
    games = task.make_games(3, opponent="greedy", rules="small_city")
    assert games.get_attr("ruleset")[2] is TASK.find_ruleset("small_city")
    for given, practice in (("draw_ahead", task), ("small_city", Practice(find_task("zamek-1M-observation-v2")))):
        with pytest.raises(ValueError, match=f"rules must be one of '.*, not '{given}'"):
            practice.make_games(3, rules=given)


@pytest.mark.compiles
def test_a_policy_is_shown_the_entries_that_it_knows_by_name():
    seen = []

    def policy(observation, mask, rng):
        seen.append(observation)
        return int(mask.argmax())

    player, known = make_player(policy, TASK), TASK.find_ruleset().vector.names
    for rules in ("draw_ahead", ""):
        game = Game("carcassonne", 3, TASK.find_ruleset(rules).components)
        assert player.act(game, np.random.default_rng(0)) == game.legal_actions()[0]
        shown = game.observe(observation=("vector", "rows"))
        entries = dict(zip(game.ruleset.vector.names, shown["vector"].tolist(), strict=True))
        assert seen[-1]["vector"].tolist() == [entries[name] for name in known]
        np.testing.assert_array_equal(seen[-1]["rows"], shown["rows"])
    assert len(seen) == 2


# --- measuring ---


def test_it_is_measured_against_greedy_by_all_its_rules(monkeypatch):
    played = []

    class Known:
        """A lineup whose games nobody plays."""

        def __init__(self, agents, names, seed, ruleset, components):
            played.append((names, seed, ruleset, components))

        def play(self, sets):
            return iter([make_pair(0, WON, LOST), make_pair(1, SHARED, LOST)][:sets])

    monkeypatch.setattr(run, "Lineup", Known)
    metrics = run.measure(RandomAgent(), replace(TASK, games=4))
    rules = [TASK.find_ruleset(each).components for each in TRAINED + HELD_OUT]
    assert played == [(("learner", "greedy-v1"), 20_000, "carcassonne", each) for each in rules]
    assert [*metrics] == list_metrics(TASK) and {*metrics.values()} == {1.5 / 4, -2.0}
    assert [*metrics][:4] == [
        "win_rate:greedy-v1", "margin:greedy-v1", "win_rate:greedy-v1 by back_into_bag",
        "margin:greedy-v1 by back_into_bag",
    ]  # fmt: skip
    assert [*metrics][-1] == "margin:greedy-v1 by draw_ahead,unfinished_pays_nothing"


@pytest.mark.compiles
@pytest.mark.parametrize("rules", TRAINED + HELD_OUT)
def test_games_by_all_its_rules_are_played_to_their_end(rules):
    metrics = run.play_against(RandomAgent(), "random", TASK, 2, rules=rules)
    rate, margin = (metrics.pop(name) for name in run.name_metrics("random", rules))
    assert metrics == {} and rate in {0, 0.25, 0.5, 0.75, 1} and abs(margin) < 200


def make_result(seed, rates):
    """Return a result with these win rates by rules; margins are ten times as large."""
    metrics = {}
    for rules, rate in zip(TRAINED + HELD_OUT, rates, strict=True):
        metrics |= dict(zip(run.name_metrics("greedy-v1", rules), (rate, 10 * rate), strict=True))
    outcome = Outcome(1_000_000, metrics, (), cpu_hours=0.5, wall_hours=1.0)
    return Result(TASK, "sb3-maskable-ppo", seed, outcome, TASK.digest(), None, "1.0")


def test_a_summary_has_the_gap_between_learned_and_held_out_rules():
    rates = [0.5, 0.6, 0.7, 0.6, 0.6, 0.2, 0.4, 0.3, 0.5]
    (one,) = summarise([make_result(1, rates)])
    assert (one.trained["win_rate"].mean, one.win_rate.mean, one.gap["win_rate"].mean) == pytest.approx(
        (0.6, 0.35, 0.25)
    )
    assert (one.trained["margin"].mean, one.margin.mean, one.gap["margin"].mean) == pytest.approx((6, 3.5, 2.5))
    assert one.gap["win_rate"].interval is None and one.regrets == {}
    others = [make_result(seed, [0.8] * 5 + [0.7] * 4) for seed in (2, 3, 4, 5)]
    (five,) = summarise([make_result(1, rates), *others])
    assert five.faults == [] and five.gap["win_rate"].mean == pytest.approx(0.1)
    table = make_rules_table([one])
    shown = {str(column.header): [*column.cells] for column in table.columns}
    assert shown["house rules"] == [
        "none", "back_into_bag", "start_in_bag", "hole_plays_again", "small_city",
        *(f"{rules} (held out)" for rules in HELD_OUT), "trained (IQM)", "held out (IQM)", "gap (IQM)",
    ]  # fmt: skip
    assert shown["wins"][:2] == ["50.0 %", "60.0 %"] and shown["wins"][-4:] == ["50.0 %", "60.0 %", "35.0 %", "25.0 %"]
    assert shown["margin"][-3:] == ["6.0", "3.5", "2.5"]
    assert shown["task"] == [f"{TASK.name} (no result of it)", *[""] * 11]


# --- the command ---


@pytest.fixture
def args(tmp_path, monkeypatch):
    """Arguments of a small run in this process, in which no games are played."""
    (tmp_path / "mine.py").write_text(LEARNER)
    rates = dict(zip(TRAINED + HELD_OUT, np.linspace(0.9, 0.1, 9).tolist(), strict=True))

    def play_against(agent, opponent, task, games, note=None, rules=""):
        return dict(zip(run.name_metrics(opponent, rules), (rates[rules], 0.0), strict=True))

    monkeypatch.setattr(run, "play_against", play_against)
    monkeypatch.setattr(benchmark, "warm_up", lambda learners: None)
    monkeypatch.setattr(sys, "argv", ["zamek", "benchmark"])
    learner = f"{tmp_path / 'mine.py'}:learn"
    return Args((TASK.name,), (learner,), out=tmp_path / "out", workers=1, seeds=5)


def test_a_result_is_written_read_verified_and_shown(args, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    main(args)
    shown = " ".join(capsys.readouterr().out.split())
    assert "trained (IQM) 70.0 % (70.0 – 70.0)" in shown and "held out (IQM) 25.0 % (25.0 – 25.0)" in shown
    assert "gap (IQM) 45.0 % (45.0 – 45.0)" in shown and "wins against value-v1" not in shown
    results = read_all(args.out)
    assert [len(result.outcome.curve) for result in results] == [len(CURVE_SHARES)] * 5
    final = {row[5]: row[6] for row in list_rows(results[:1]) if row[4] == TASK.decisions}
    assert final["win_rate:greedy-v1 by small_city,hole_plays_again"] == pytest.approx(0.2)
    (summary,) = json.loads((args.out / "results.json").read_text())["summaries"]
    assert summary["results"] and summary["gap"]["win_rate"][0] == pytest.approx(0.45)
    assert "<svg" in (args.out / f"curve-{TASK.name}.svg").read_text()
    main(Args(verify=args.out))
    assert capsys.readouterr().out.endswith("a result, from 5 seeds\n")


def test_a_learner_that_cannot_is_refused_before_anything_is_written(args, refused):
    refusal = refused(main, replace(args, learners=("masked-dqn",)))
    assert (
        refusal.startswith("benchmark: the learner 'masked-dqn' learns without house rules") and not args.out.exists()
    )
    assert refusal.count("\n") == 1
