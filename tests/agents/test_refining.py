"""Weights are fitted to games and to differences between choices, in rounds that go on where they stopped."""

import json

import numpy as np
import pytest
import yaml

from tests.agents.test_value import random_weights as random_ruleset_weights
from tests.support.array_files import read_arrays
from tests.support.box import FILES, WALL, write_box
from tests.support.games import IS_COMPILED
from zamek_agents.array_file import write_arrays
from zamek_agents.value import collect, training
from zamek_agents.value.collect import Choices, Games, Recipe, Rows, collect_choices, collect_games
from zamek_agents.value.features import LEAD
from zamek_agents.value.fitting import Differences, Returns, fit
from zamek_agents.value.refining import summarise_match
from zamek_agents.value.weights import Refined, load_refined, new_weights, read_file, write_file, write_refined
from zamek_env.ruleset import get_ruleset
from zamek_scripts import refine_value
from zamek_scripts.cli import parse

RULESET = "carcassonne-demo"
FEATURES = 12
TINY = (
    "--ruleset", RULESET, "--games", 3, "--decisions", 4, "--top", 2, "--other", 1, "--deals", 1, "--turns", 2,
    "--passes", 2, "--match-deals", 2, "--workers", 1,
)  # fmt: skip


def random_rows(rng, count, views=1):
    """Return that many rows of five features each, the lead always first, of as many `views`."""
    numbers = rng.integers(1, FEATURES, (count, 5)).astype(np.int32)
    numbers[:, 0] = LEAD
    amounts = rng.integers(-3, 4, (count, 5)).astype(np.int32)
    owners = rng.integers(0, views, numbers.size if views > 1 else 0).astype(np.int8)
    return Rows(numbers.ravel(), amounts.ravel(), owners, np.arange(0, 5 * count + 1, 5), views)


def find_values(rows, weights, view=0):
    """Return what each row is worth to a view: each feature is one player's."""
    parts = weights[rows.numbers] * rows.amounts
    if rows.views > 1:
        parts = parts * (rows.owners == view)
    return np.add.reduceat(parts, rows.ends[:-1])


def find_leads(rows, weights, players):
    """Return what each row is worth to each of the `players`, one for each row, more than to the others on average."""
    if rows.views == 1:
        return find_values(rows, weights) * np.where(players == 0, 1, -1)
    worths = np.stack([find_values(rows, weights, view) for view in range(rows.views)], 1)
    own = worths[np.arange(len(worths)), players]
    return own - (worths.sum(1) - own) / (rows.views - 1)


def random_weights(rng):
    weights = rng.normal(size=FEATURES)
    weights[LEAD] = 1
    return weights


def last(passes):
    return list(passes)[-1]


# --- the fit ---


@pytest.mark.parametrize("views", [1, 3, 5])
def test_from_differences_between_choices_the_weights_behind_them_are_found(views):
    rng = np.random.default_rng(1)
    truth, rows, first = random_weights(rng), random_rows(rng, 600, views), np.arange(0, 601, 4)
    players = np.repeat(rng.integers(0, max(2, views), first.size - 1), 4).astype(np.int8)
    luck = np.repeat(rng.normal(scale=50, size=first.size - 1), 4)  # of the decision: no choice is better for it
    choices = Choices(rows, players, first, (find_leads(rows, truth, players) + luck).astype(np.float32))
    start = new_start()
    found = last(fit([Differences([choices])], start, 10.0, 3))
    assert found == pytest.approx(truth, abs=0.01)
    halves = [cut_choices(choices, 0, 300), cut_choices(choices, 300, 600)]
    assert last(fit([Differences(halves)], start, 10.0, 3)) == pytest.approx(found, abs=1e-4)


def new_start():
    start = np.zeros(FEATURES, np.float32)
    start[LEAD] = 1
    return start


def cut_choices(choices, start, end):
    by_entry = (each[5 * start : 5 * end] for each in choices.rows[:3])
    rows = Rows(*by_entry, choices.rows.ends[: end - start + 1], choices.rows.views)
    by_row = (choices.players[start:end], choices.first[: (end - start) // 4 + 1], choices.worths[start:end])
    return Choices(rows, *by_row)


def random_games(rng, rows, truth):
    """Return two games without random moves that end with the points that `truth` says."""
    count = rows.ends.size - 1
    ends = np.array([count // 2, count])
    points = np.stack([find_values(rows, truth, view)[ends - 1] for view in range(rows.views)], 1)
    none = np.zeros(count, np.uint8)
    return Games(rows, ends, np.round(points).astype(np.int32), none, np.zeros(count, np.float32))


def test_the_error_is_of_differences_within_a_decision():
    rng = np.random.default_rng(5)
    weights, rows, first = random_weights(rng), random_rows(rng, 8), np.array([0, 3, 8])
    misses = np.array([1, 2, 6, 0, 0, 0, 0, 5])  # by -2, -1, 3 and -1, -1, -1, -1, 4 from the means of the two
    worths = (find_values(rows, weights) + misses).astype(np.float32)
    differences = Differences([Choices(rows, np.zeros(8, np.int8), first, worths)])
    differences.aim(weights, np.zeros(FEATURES))
    assert differences.error == pytest.approx(np.sqrt((4 + 1 + 9 + 4 + 16) / 8), abs=1e-5)


@pytest.mark.parametrize("trace", [0.0, 0.3, 1.0])
def test_the_error_of_returns_is_that_of_the_mixture_counted_by_hand(trace):
    rng = np.random.default_rng(2)
    weights, rows = random_weights(rng), random_rows(rng, 10)
    games = random_games(rng, rows, weights)
    games.explored[[3, 9]], games.foreseen[[3, 9]] = 1, (5, -4)
    values, squares = find_values(rows, weights), []
    for start, end, margin in ((0, 5, games.points[0]), (5, 10, games.points[1])):
        target = float(margin[0])
        for row in reversed(range(start, end)):
            if games.explored[row]:
                target = float(games.foreseen[row])
            elif row < end - 1:
                target = (1 - trace) * values[row + 1] + trace * target
            squares.append((target - values[row]) ** 2)
    returns = Returns([games], trace, 1.0)
    returns.aim(weights, np.zeros(FEATURES))
    assert returns.error == pytest.approx(np.sqrt(np.mean(squares)))


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_returns_of_several_follow_from_leads_over_the_mean(trace):
    rng = np.random.default_rng(6)
    weights, rows = random_weights(rng), random_rows(rng, 10, 3)
    games = random_games(rng, rows, random_weights(rng))
    games.explored[[2, 9]] = 1  # after which nothing is known: these are worth what they are thought to be
    values = np.stack([find_values(rows, weights, view) for view in range(3)], 1)
    misses = np.zeros((10, 3))
    for start, end, points in ((0, 5, games.points[0]), (5, 10, games.points[1])):
        target = points.astype(float)
        for row in reversed(range(start, end)):
            if games.explored[row]:
                target = values[row]
            elif row < end - 1:
                target = (1 - trace) * values[row + 1] + trace * target
            misses[row] = target - values[row]
    misses = 1.5 * (misses - misses.mean(1, keepdims=True))
    returns, slope = Returns([games], trace, 1.0), np.zeros(FEATURES)
    returns.aim(weights, slope)
    assert returns.error == pytest.approx(np.sqrt(np.mean(misses**2)))

    def measure(changed):
        """Return half the sum of squares for other weights, at the same targets."""
        moved = np.stack([find_values(rows, changed - weights, view) for view in range(3)], 1)
        left = misses - 1.5 * (moved - moved.mean(1, keepdims=True))
        return 0.5 * returns.scale * (left**2).sum()

    for feature in range(1, FEATURES):
        step = np.zeros(FEATURES)
        step[feature] = 1e-4
        bent = np.zeros(FEATURES)
        returns.add_curvature(step, bent)
        up, here, down = measure(weights + step), measure(weights), measure(weights - step)
        assert slope[feature] == pytest.approx((down - up) / 2e-4, rel=1e-4, abs=1e-6)
        assert bent[feature] == pytest.approx((up - 2 * here + down) / 1e-4, rel=1e-3, abs=1e-8)


def test_weights_without_evidence_and_those_of_the_lead_stay():
    rng = np.random.default_rng(3)
    rows = random_rows(rng, 40)
    games = random_games(rng, rows._replace(numbers=np.minimum(rows.numbers, 6)), random_weights(rng))
    start = random_weights(rng).astype(np.float32)
    found = last(fit([Returns([games], 1.0, 1.0)], start, 0.5, 2))
    assert found[LEAD] == 1 and np.array_equal(found[7:], start[7:]) and not np.array_equal(found[1:7], start[1:7])


def test_a_smaller_spread_keeps_weights_closer_to_those_before():
    rng = np.random.default_rng(4)
    games = random_games(rng, random_rows(rng, 60), random_weights(rng))
    moved = [
        np.abs(last(fit([Returns([games], 1.0, 1.0)], new_start(), spread, 1))[1:]).sum() for spread in (0.01, 0.1, 1)
    ]
    assert moved == sorted(moved) and moved[0] < 0.1 * moved[2]


def test_a_match_is_told_by_deals_each_played_from_both_seats():
    match = summarise_match(np.array([[[1, 0], [1, 0.5], [1, 1]], [[10, -10], [4, 0], [6, 2]]]))
    assert match["win_rate"] == pytest.approx((0.5 + 0.75 + 1) / 3, abs=1e-4) and match["margin"] == 2
    assert match["margin_error"] == pytest.approx(np.std([0, 2, 4], ddof=1) / np.sqrt(3), abs=1e-4)


# --- files and arguments ---


def write_state(path, curve=({"round": 1, "win_rate": 0.5},), **changes):
    """Write where a refinement of `RULESET` stands, with some of what is noted about it changed."""
    ruleset = get_ruleset(RULESET)
    start = new_weights(ruleset)
    weights = start.copy()
    weights[3] = 0.5
    with path.open("wb") as file:
        write_refined(file, Refined(weights, start, 7, list(curve), 2.5), ruleset, {})
    arrays, about = read_arrays(path)
    write_arrays(path, about | changes.pop("about", {}), arrays | changes)
    return weights


def test_where_a_refinement_stands_is_read_as_it_was_written(tmp_path):
    weights = write_state(tmp_path / "refined.npz")
    refined = load_refined(tmp_path / "refined.npz", get_ruleset(RULESET))
    assert np.array_equal(refined.weights, weights) and refined.start[3] == 0
    assert refined[2:] == (7, [{"round": 1, "win_rate": 0.5}], 2.5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"curve": [{"round": 2}]}, "the rounds of the curve must be counted from 1"),
        ({"curve": [{"round": 1, "luck": 3}]}, "a row of the curve must have round, "),
        ({"curve": [{"round": 1, "win_rate": 2}]}, "win_rate must be a number in 0 to 1"),
        ({"about": {"seed": -1}}, "seed must be a whole number in 0 to"),
        ({"about": {"seconds": "1"}}, "seconds must be a number"),
        ({"about": {"format": "zamek-value/1"}}, "the format is not zamek-value-refined/1"),
        ({"weights": np.zeros(3, np.float32)}, "weights must be <f4 of shape"),
        ({"start": np.full(3, np.nan, np.float32)}, "start must be <f4 of shape"),
    ],
)
def test_a_file_that_is_no_refinement_is_refused(tmp_path, changes, said):
    path = tmp_path / "refined.npz"
    write_state(path, **changes)
    with pytest.raises(ValueError, match="holds no refined weights") as error:
        load_refined(path, get_ruleset(RULESET))
    assert said in str(error.value)


def call(*arguments):
    refine_value.main(parse(refine_value.Args, [*map(str, arguments)]))


@pytest.mark.usefixtures("weights_for_zamek_alone")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--rounds", 0), "--rounds must lie in 1 to 10000, not 0"),
        (("--spread", 0), "--spread must lie in 1e-06 to 1000.0, not 0.0"),
        (("--trace", "nan"), "--trace must lie in 0.0 to 1.0, not nan"),
        (("--games", 0, "--decisions", 0), "--games and --decisions must not both be 0"),
        (("--top", 1, "--other", 0), "--top and --other must be 2 choices or more together, not 1"),
        (("--weights", "none.npz"), "--weights: there is no file none.npz"),
        (("--ruleset", RULESET), "--weights: no weights of the agent 'value' are shipped for the ruleset"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_written(tmp_path, refused, arguments, said):
    printed = refused(call, *arguments, "--out", tmp_path / "out")
    assert printed.startswith(f"refine-value: {said}") and printed.count("\n") == 1 and not (tmp_path / "out").exists()


def test_a_refinement_that_began_with_weights_is_resumed_with_the_same_arguments(tmp_path):
    path = tmp_path / "refined.npz"
    write_state(path)
    refine_value.check(refine_value.Args(out=tmp_path, weights=tmp_path / "no longer there.npz", resume=path))
    with pytest.raises(ValueError, match="--resume: there is no file"):
        refine_value.check(refine_value.Args(out=tmp_path, resume=tmp_path / "none.npz"))


def test_a_refinement_is_not_replaced_unasked_nor_one_of_another_ruleset_resumed(tmp_path, refused):
    path = tmp_path / "refined.npz"
    write_state(path)
    (tmp_path / "config.yaml").write_text("# zamek refine-value --config FILE takes this back")
    printed = refused(call, "--out", tmp_path)
    assert f"--out: {tmp_path} holds a run (config.yaml, refined.npz); go on with it by --resume {path}" in printed
    printed = refused(call, "--out", tmp_path, "--resume", path)
    assert printed == f"refine-value: --resume: {path} was trained for the ruleset '{RULESET}', not for 'zamek'\n"


def test_a_refinement_that_is_over_is_written_whole_when_it_is_resumed(tmp_path, refused, capsys):
    """A kill may come between what is to be resumed and the weights. All is by the seed that it was begun with."""
    path = tmp_path / "refined.npz"
    weights = write_state(path)
    asked = ("--out", tmp_path / "out", "--resume", path, "--ruleset", RULESET, "--rounds", 1, "--workers", 1)
    printed = refused(call, *asked, "--seed", 8)
    assert printed == f"refine-value: --seed must be left out with --resume, or be 7 as in {path}, not 8\n"
    call(*asked)
    assert np.array_equal(read_file(tmp_path / "out" / "weights.npz")[0], weights)
    assert load_refined(tmp_path / "out" / "refined.npz", get_ruleset(RULESET)).seed == 7
    assert yaml.safe_load((tmp_path / "out" / "config.yaml").read_text())["seed"] == 7
    assert json.loads((tmp_path / "out" / "curve.json").read_text()) == [{"round": 1, "win_rate": 0.5}]
    over, learned = capsys.readouterr().out.splitlines()
    assert over == f"nothing was left to do: {path} has 1 round, and the run ends at --rounds 1"
    assert learned.startswith("1 round; the agent is value:")


# --- games ---


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_a_choice_is_worth_its_own_position_where_nothing_is_played_on():
    ruleset = get_ruleset(RULESET)
    weights = random_ruleset_weights(ruleset)
    choices = collect_choices(ruleset, weights, 40, 5, Recipe(top=3, other=2, deals=1, turns=1, exploration=500))
    assert find_leads(choices.rows, weights, choices.players) == pytest.approx(choices.worths, abs=1e-3)
    counts = np.diff(choices.first)
    assert counts.min() >= 2 and counts.max() == 5
    again = collect_choices(ruleset, weights, 40, 5, Recipe(top=3, other=2, deals=1, turns=1, exploration=500))
    assert all(np.array_equal(*pair) for pair in zip(choices[1:], again[1:], strict=True))


@pytest.mark.compiles
def test_without_play_a_choice_of_three_is_worth_its_position():
    ruleset = get_ruleset(RULESET, players=3)
    weights = random_ruleset_weights(ruleset)
    recipe = Recipe(top=2, other=1, deals=1, turns=1, share=200, exploration=1000)
    choices = collect_choices(ruleset, weights, 3, 5, recipe)
    assert find_leads(choices.rows, weights, choices.players) == pytest.approx(choices.worths, abs=1e-3)
    assert set(choices.rows.owners) == {0, 1, 2} and np.unique(choices.players).size > 1


@pytest.mark.compiles
@pytest.mark.skipif(IS_COMPILED, reason="compiled code does not look at what is set for a test")
def test_of_three_players_games_end_with_the_points_of_each(monkeypatch):
    monkeypatch.setattr(training, "choose_by_value", lambda *_: (0, 0.0))  # all moves are random
    ruleset = get_ruleset(RULESET, players=3)
    games = collect_games(ruleset, new_weights(ruleset), 1, 3, 1000)
    assert games.explored.all() and games.last[-1] == games.rows.ends.size - 1
    last_turn = find_points(games.rows, int(games.last[-1]) - 1)
    assert games.points.shape == (1, 3) and np.all(games.points[0] >= last_turn) and last_turn.any()


def find_points(rows, row):
    """Return the points that each player has in a row, which the first entries tell."""
    entries = slice(rows.ends[row], rows.ends[row] + rows.views)
    assert np.all(rows.numbers[entries] == LEAD) and rows.owners[entries].tolist() == list(range(rows.views))
    return rows.amounts[entries]


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_games_are_told_turn_by_turn():
    ruleset = get_ruleset(RULESET)
    weights = random_ruleset_weights(ruleset)
    games = collect_games(ruleset, weights, 5, 3, 100)
    assert games.last.size == 5 and games.last[-1] == games.rows.ends.size - 1 == games.explored.size
    assert np.diff(games.last, prepend=0).max() <= ruleset.sizes.tiles and games.explored.any()
    quiet = collect_games(ruleset, weights, 2, 3, 0)
    assert not quiet.explored.any()


def refine(folder, *arguments):
    """Run the command and return (weights, curve)."""
    call("--out", folder, *TINY, *arguments)
    return read_file(folder / "weights.npz")[0], json.loads((folder / "curve.json").read_text())


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_refining_goes_on_as_if_it_had_never_stopped_whoever_plays(tmp_path):
    write_state(tmp_path / "refined.npz", curve=())
    begun = ("--resume", tmp_path / "refined.npz")
    whole, curve = refine(tmp_path / "whole", "--rounds", 2, *begun)
    refine(tmp_path / "parts", "--rounds", 1, *begun, "--workers", 2)
    parts, again = refine(tmp_path / "parts", "--rounds", 2, "--resume", tmp_path / "parts" / "refined.npz")
    assert np.array_equal(whole, parts) and curve == again and [row["round"] for row in curve] == [1, 2]
    assert set(curve[0]) == {
        "round", "returns_error", "choices_error", "win_rate", "win_rate_error", "margin", "margin_error",
    }  # fmt: skip


@pytest.mark.compiles
def test_games_that_are_over_too_soon_have_no_decisions(tmp_path, monkeypatch, refused):
    """In a box of one space, whose only turn is the last."""
    monkeypatch.setattr(collect, "MOST_IDLE", 3)  # as plain Python
    wall = WALL | {"interior": ["#"], "starts": [{"id": "A", "cell": [0, 0], "side": "S", "face": "m1"}]}
    box = write_box(tmp_path / "box", FILES | {"wall.json": wall})
    ruleset = get_ruleset("zamek", box)
    write_file(tmp_path / "weights.npz", new_weights(ruleset), ruleset, {})
    asked = ("--ruleset", "zamek", "--components", box, "--weights", tmp_path / "weights.npz", "--rounds", 1)
    refusal = refused(refine, tmp_path / "run", *asked, code=1)
    assert "refine-value: --decisions must be 0 with 'zamek': 10,000 games in a row had no" in refusal
    _, curve = refine(tmp_path / "run", *asked, "--decisions", 0, "--overwrite")
    assert {"round", "returns_error", "win_rate"} < set(curve[0])
