"""The learned evaluation is fair and blind to what is hidden; it learns, goes on where it stopped, and plays."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.games import IS_COMPILED, few, play_randomly, sample_positions
from zamek_agents import make_agent
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up
from zamek_agents.shipped import find_shipped
from zamek_agents.value import stretch
from zamek_agents.value.agent import ValueAgent
from zamek_agents.value.areas import is_due
from zamek_agents.value.choice import count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.feature_groups import BASIC, GROUPS, LEAD, PORTS, PROMISE, SHAPE, SPECIALS, find_start
from zamek_agents.value.features import estimate_send, evaluate_learned, evaluate_surveyed
from zamek_agents.value.learner import load_learner, new_learner
from zamek_agents.value.survey import MANY, count_fits_on, count_left, survey
from zamek_agents.value.training import play_match
from zamek_agents.value.weights import load_weights, new_weights, read_file, write_file
from zamek_env import Game
from zamek_env.components.box_folder import RULESETS
from zamek_env.core.bits import has_bit
from zamek_env.core.legality import find_choices
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import find_placements
from zamek_env.core.rules import step
from zamek_env.layout.actions import NOBODY, PLACE, SEND
from zamek_env.ruleset import get_ruleset
from zamek_scripts import train_value
from zamek_scripts.config_file import parse

SHIPPED = ("zamek", "sokol", "carcassonne")
DIFFERENT = ("zamek", "sokol-gates", "carcassonne")  # all that rulesets can have stands in one of these
SMALL = ("--match-deals", "0", "--report-every", "3")


def random_weights(ruleset, seed=0):
    """Return weights that tell every feature from every other."""
    weights = new_weights(ruleset)
    weights[1:] = np.random.default_rng(seed).normal(size=weights.size - 1)
    return weights


def random_evaluator(ruleset):
    return new_evaluators(ruleset, random_weights(ruleset))[0]


def mirrored(game):
    """Return the state of `game` with the players swapped."""
    state = game.copy().state.copy()
    for name in ("follower_node", "follower_area", "to_score", "score", "family_house", "nests", "at_gate", "tokens"):
        if state[name].shape[1:2] == (2,):
            state[name] = state[name][:, ::-1].copy()
    state["area_followers"] = state["area_followers"][..., ::-1].copy()
    state["fresh_tokens"] = state["fresh_tokens"][:, ::-1].copy()
    state["player"] = 1 - state["player"]
    state["scorer"] = 1 - state["scorer"]
    return state


# --- the evaluation ---


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_good_for_one_player_is_as_bad_for_the_other(name):
    ruleset = get_ruleset(name)
    evaluator, t = random_evaluator(ruleset), ruleset.tables[0]
    for game in sample_positions(name, every=few(3, 40)):
        value = evaluate_learned(t, game.state[0], 0, evaluator)
        assert value == -evaluate_learned(t, game.state[0], 1, evaluator)
        assert value == pytest.approx(-evaluate_learned(t, mirrored(game)[0], 0, evaluator), abs=1e-6)


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_evaluation_sees_nothing_hidden_not_even_the_tile_drawn_for_the_turn_that_begins(name):
    ruleset, rng = get_ruleset(name), np.random.default_rng(0)
    evaluator, t = random_evaluator(ruleset), ruleset.tables[0]
    for game in sample_positions(name, every=few(3, 40)):
        state = game.state.copy()
        drawn = int(state["drawn"][0]) - (state["phase"][0] == PLACE)
        state["deck"][0, drawn:] = rng.permutation(state["deck"][0, drawn:])
        state["placements"] = 0
        hidden = [number for number, taken in enumerate(state["tower_taken"][0]) if not taken]
        state["token_deal"][0, hidden] = rng.permutation(state["token_deal"][0, hidden])
        assert evaluate_learned(t, state[0], 0, evaluator) == evaluate_learned(t, game.state[0], 0, evaluator)


@pytest.mark.parametrize("name", DIFFERENT)
def test_at_the_end_a_position_is_worth_the_margin(name):
    ruleset = get_ruleset(name)
    for game in sample_positions(name, every=1000):
        if game.is_terminal:
            value = evaluate_learned(ruleset.tables[0], game.state[0], 1, random_evaluator(ruleset))
            assert value == game.scores[1] - game.scores[0]


@pytest.mark.parametrize("name", ["zamek", "carcassonne"])
def test_the_tiles_that_fit_are_those_that_can_be_placed(name):
    ruleset = get_ruleset(name)
    t, evaluator = ruleset.tables[0], new_evaluators(ruleset, new_weights(ruleset))[0]
    for game in sample_positions(name, every=few(10, 60)):
        s, trial = game.state[0], game.state.copy()[0]
        left = s["deck"][s["deck"].size - count_left(s) :]
        survey(t, s, evaluator)
        cells = [cell for cell in range(t["neighbor"].shape[0]) if has_bit(s["frontier"], cell)]
        fits = dict.fromkeys(cells, 0)
        for tile in left:
            find_placements(t, trial, tile)
            for cell in cells:
                fits[cell] += any(has_bit(trial["placements"][rotation], cell) for rotation in range(4))
        assert {cell: count_fits_on(t, s, evaluator, cell) for cell in cells} == fits


@pytest.mark.parametrize("name", ["sokol-gates", "carcassonne"])
def test_every_open_area_opens_to_cells_and_no_other_does(name):
    ruleset = get_ruleset(name)
    t, evaluator = ruleset.tables[0], new_evaluators(ruleset, new_weights(ruleset))[0]
    for game in sample_positions(name, every=few(10, 60)):
        s = game.state[0]
        survey(t, s, evaluator)
        for area in {int(area) for area in s["area"] if area >= 0}:
            if not t["feature_surrounded"][t["node_feature"][area]]:
                assert (evaluator.cells[area] > 0) == (s["open_ports"][area] > 0)
                assert evaluator.cells[area] <= s["open_ports"][area]
                assert (evaluator.fits[area] < MANY) == (s["open_ports"][area] > 0)


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_piece_counts_before_it_is_sent_as_it_does_afterwards_but_for_the_risk_of_others(name):
    ruleset = get_ruleset(name)
    t, log, evaluator, compared = ruleset.tables[0], ruleset.new_log()[0], random_evaluator(ruleset), 0
    for group in (PROMISE, PORTS):  # only these tell whether an area is at risk
        evaluator.weights[find_start(t, group) : find_start(t, group + 1)] = 0
    for game in sample_positions(name, every=1, games=few(3, 1)):
        s, after = game.state[0], game.state.copy()[0]
        if s["phase"] != SEND or compared > few(10**6, 40):
            continue
        step(t, after, log, int(t["send_base"]) + NOBODY)
        survey(t, after, evaluator)
        for choice in range(1, 1 + int(t["score_base"] - t["send_base"] - 1)):
            if after["phase"] != PLACE or not (find_choices(t, s) >> choice) & 1:
                continue
            kind, segment = divmod(choice - 1, t["tile_node"].shape[1])
            area = int(s["area"][t["tile_node"][s["deck"][s["drawn"] - 1], segment]])
            if is_due(t, s, area):
                continue
            base = evaluate_surveyed(t, after, evaluator)
            piece = find_free_piece(t, after, int(s["player"]), kind)
            estimate = base + estimate_send(t, after, evaluator, int(s["player"]), piece, area)
            sent = game.state.copy()[0]
            step(t, sent, log, int(t["send_base"]) + choice)
            assert estimate == pytest.approx(evaluate_learned(t, sent, 0, evaluator), abs=1e-4)
            compared += 1
    assert compared >= few(100, 20)


def test_groups_follow_each_other_without_a_gap_or_a_feature_in_two():
    for name in RULESETS:
        starts = [int(find_start(get_ruleset(name).tables[0], group)) for group in range(GROUPS + 1)]
        assert starts == sorted(starts) and starts[LEAD] == 0
        assert starts[PROMISE] == 1 and starts[BASIC] < starts[SHAPE] < starts[PORTS] < starts[SPECIALS]


# --- weights ---


@pytest.mark.parametrize("name", SHIPPED)
def test_weights_are_shipped_small_and_say_where_they_come_from(name):
    path = find_shipped("value", get_ruleset(name))
    learned, about = read_file(path)
    assert path.stat().st_size < 1_000_000 and learned[LEAD] == 1
    assert about["ruleset"] == name and about["rounds"] > 0 and about["seconds"] > 0
    assert "--ruleset" in about["command"] and about["arguments"]["seed"] >= 0


@pytest.mark.usefixtures("weights_for_zamek_alone")
def test_a_ruleset_without_weights_is_named_with_those_that_have_some():
    message = r"no weights of the agent 'value' are shipped for the ruleset 'carcassonne-demo', only for .*zamek; learn"
    with pytest.raises(ValueError, match=message):
        make_agent("value").act(Game("carcassonne-demo", seed=0), np.random.default_rng(0))


def test_weights_of_another_ruleset_are_refused():
    path = find_shipped("value", get_ruleset("zamek"))
    with pytest.raises(ValueError, match=r"was trained for the ruleset 'zamek', not for 'carcassonne-demo'"):
        ValueAgent(path).act(Game("carcassonne-demo", seed=0), np.random.default_rng(0))


def spoil_weights(path, kind):
    """Write to `path` a file of weights for `zamek` with something wrong."""
    ruleset = get_ruleset("zamek")
    write_file(path, new_weights(ruleset), ruleset, {"games": 7, "seconds": 3.5})
    with np.load(path) as file:
        weights, told = file["weights"], json.loads(file["about"].item())
    changes = {
        "not a number": {"weights": np.where(np.arange(weights.size) == 7, np.nan, weights).astype(np.float32)},
        "endless": {"weights": np.where(np.arange(weights.size) == 7, np.inf, weights).astype(np.float32)},
        "too large": {"weights": np.where(np.arange(weights.size) == 7, 1e5, weights).astype(np.float32)},
        "wide": {"weights": weights.astype(np.float64)},
        "a table": {"weights": weights.reshape(1, -1)},
        "one number": {"weights": np.float32(1)},
        "none": {"weights": weights[:0]},
        "lead 0": {"weights": 0 * weights},
        "format": {"about": told | {"format": "other"}},
        "ruleset": {"about": told | {"ruleset": "chess"}},
        "games": {"about": told | {"games": "many"}},
        "seconds": {"about": told | {"seconds": -1}},
    }
    content = {"weights": weights, "about": told} | changes[kind]
    np.savez(path, weights=content["weights"], about=np.array(json.dumps(content["about"])))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("not a number", "weights holds numbers that are not finite"),
        ("endless", "weights holds numbers that are not finite"),
        ("too large", "weights must lie in -10000 to 10000, not 0 to 100000"),
        ("wide", "weights must be <f4"),
        ("a table", "weights must have shape"),
        ("one number", "weights must have shape"),
        ("none", "weights must have shape"),
        ("lead 0", "the weight of the points ahead must be 1, not 0"),
        ("format", "the format is not zamek-value/1, but 'other'"),
        ("ruleset", "ruleset must be one of 'zamek'"),
        ("games", "games must be a number"),
        ("seconds", "seconds must be a number"),
    ],
)
def test_files_that_hold_no_weights_are_refused_when_the_agent_is_made(tmp_path, kind, reason):
    path = tmp_path / "bad.npz"
    spoil_weights(path, kind)
    for spec in (f"value:{path}", f"mcts:weights={path}", f"expectimax:weights={path}"):
        with pytest.raises(ValueError, match=f"bad.npz holds no weights of a learned evaluation: {reason}") as refused:
            make_agent(spec)
        assert "\n" not in str(refused.value)


def test_weights_that_are_too_few_or_not_there_are_refused(tmp_path):
    ruleset = get_ruleset("zamek")
    write_file(tmp_path / "few.npz", new_weights(ruleset)[:5], ruleset, {})
    with pytest.raises(ValueError, match=r"few\.npz holds 5 weights where the ruleset 'zamek' has"):
        load_weights(tmp_path / "few.npz", ruleset)
    with pytest.raises(FileNotFoundError, match=r"no model .no/such\.npz. for the agent .value:"):
        make_agent("value:no/such.npz")


def test_weights_come_back_as_they_were_written(tmp_path):
    ruleset = get_ruleset("sokol")
    about = {"games": 7, "ruleset": "zamek", "format": "other"}  # what the file is for is told by the ruleset alone
    write_file(tmp_path / "weights.npz", random_weights(ruleset), ruleset, about)
    assert np.array_equal(load_weights(tmp_path / "weights.npz", ruleset), random_weights(ruleset))
    assert read_file(tmp_path / "weights.npz")[1]["games"] == 7


# --- playing ---


@pytest.mark.parametrize("name", SHIPPED)
def test_the_agent_decides_legally_alike_and_by_nothing_hidden(name):
    agent, other = make_agent("value"), make_agent("value")
    for number, game in enumerate(sample_positions(name, every=few(4, 60))):
        if game.is_terminal or not game.position().remaining:
            continue
        before, twin = game.state.tobytes(), game.copy()
        twin.redeal(np.random.default_rng(number))
        action = agent.act(game, np.random.default_rng(number))
        assert type(action) is int and action in game.legal_actions() and game.state.tobytes() == before
        assert other.act(twin, np.random.default_rng(number)) == action


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_weights_beat_the_greedy_player(name):
    (pairing,) = line_up([make_agent("value"), make_agent("greedy")], seed=1, ruleset=name)
    assert compare(pairing.play(20)).win_rate > 0.75


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 3e38])
@pytest.mark.parametrize("name", ["zamek", "carcassonne"])
def test_an_agent_chooses_legally_whatever_its_numbers_are(name, number):
    """Weights that files may not hold, as a training that goes astray has them."""
    ruleset, rng = get_ruleset(name), np.random.default_rng(1)
    weights = new_weights(ruleset)
    weights[1:] = np.where(rng.random(weights.size - 1) < 0.5, number, 1)
    agents = [ValueAgent(), make_agent("mcts:simulations=8,turns=1"), make_agent("expectimax:width=2,tiles=2")]
    for agent in agents:
        agent.act(Game(name, seed=0), rng)  # loads the weights that are shipped
    agents[0]._evaluators["weights"] = weights
    for agent in agents[1:]:
        agent.searches["evaluator"]["weights"] = weights
    for count, game in enumerate(play_randomly(Game(name, seed=1), 1)):
        if not game.is_terminal and count % few(9, 50) == 0:
            assert all(agent.act(game, rng) in game.legal_actions() for agent in agents)


# --- learning ---


def read_learner(folder):
    """Return the arrays of a learner, by name."""
    with np.load(folder / "learner.npz") as file:
        return {name: file[name] for name in file.files if name != "about"}


def learn(folder, *arguments):
    """Run the script and return what it wrote: (weights, what is told about them, learner)."""
    train_value.main(parse(train_value.Args, ["--out", str(folder), *SMALL, *map(str, arguments)]))
    return *read_file(folder / "weights.npz"), read_learner(folder)


def are_equal(learner, other):
    return learner.keys() == other.keys() and all(np.array_equal(learner[name], other[name]) for name in learner)


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_learning_goes_on_as_if_it_had_never_stopped(tmp_path):
    whole, _, learner = learn(tmp_path / "whole", "--games", 6, "--seed", 3)
    half, _, _ = learn(tmp_path / "parts", "--games", 3, "--seed", 3)
    resumed, about, again = learn(tmp_path / "parts", "--games", 6, "--resume", tmp_path / "parts" / "learner.npz")
    assert np.array_equal(resumed, whole) and are_equal(again, learner) and not np.array_equal(half, whole)
    assert about["games"] == 6
    curve = json.loads((tmp_path / "parts" / "curve.json").read_text())
    assert [row["games"] for row in curve] == [3, 6] and all(math.isfinite(row["error"]) for row in curve)
    other, _, _ = learn(tmp_path / "other", "--games", 6, "--seed", 4)
    assert not np.array_equal(other, whole)


def test_learning_can_be_interrupted_between_reports(monkeypatch):
    calls = []

    def train(*arguments):
        calls.append(arguments[-1])
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(stretch, "train", train)
    learners = new_learner(get_ruleset("carcassonne-demo"), 0, {})
    stretch.learn_stretch("carcassonne-demo", None, learners, 150, 0)
    assert calls == [100, 50]
    with pytest.raises(KeyboardInterrupt):
        stretch.learn_stretch("carcassonne-demo", None, learners, 10**12, 0)


@pytest.mark.plays("carcassonne-demo")
def test_learning_ends_between_reports_once_its_time_is_over(monkeypatch):
    calls, now = [], [0.0]

    def train(*arguments):
        calls.append(arguments[-1])
        now[0] += 1

    monkeypatch.setattr(stretch, "train", train)
    monkeypatch.setattr(stretch, "time", SimpleNamespace(time=lambda: now[0]))
    learners = new_learner(get_ruleset("carcassonne-demo"), 0, {})
    for end in (2.5, 0.0):  # the latter is over before: some games make a report
        stretch.learn_stretch("carcassonne-demo", None, learners, 10**12, 0, end)
    assert calls == [100] * 4


def test_a_run_tells_workers_when_its_time_is_over(tmp_path, monkeypatch):
    given = []
    workers = SimpleNamespace(submit=lambda function, *arguments: given.append(arguments[-1]))
    monkeypatch.setattr(train_value, "time", SimpleNamespace(monotonic=lambda: 7.0, time=lambda: 1000.0))
    for minutes in (None, 2.0):
        args = train_value.Args(out=tmp_path / "run", minutes=minutes)
        train_value.Run(args, get_ruleset("zamek")).hand_over(workers)
    assert given == [np.inf, 1120.0]


def test_a_new_run_learns_from_some_games_though_its_time_is_over_at_once(tmp_path, monkeypatch):
    """So that there are weights to name in the end."""
    given, clock = [], iter([7.0, 8.0, 9.0, 10.0])
    workers = SimpleNamespace(submit=lambda function, *arguments: given.append(arguments[-1]))
    monkeypatch.setattr(train_value, "time", SimpleNamespace(monotonic=lambda: next(clock), time=lambda: 1000.0))
    run = train_value.Run(train_value.Args(out=tmp_path / "run", minutes=1e-9), get_ruleset("zamek"))
    run.hand_over(workers)
    assert len(given) == 1 and given[0] < 1000.0
    run.learners["games"] = 100
    assert run.hand_over(workers) is None and len(given) == 1


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.long
def test_seeds_learned_side_by_side_are_those_learned_alone(tmp_path, capsys):
    args = ["--out", str(tmp_path / "both"), *SMALL, "--games", "4", "--report-every", "2", "--seeds", "3", "4"]
    train_value.main(parse(train_value.Args, [*args, "--workers", "2"]))
    for seed in (3, 4):
        _, about, alone = learn(tmp_path / str(seed), "--games", 4, "--report-every", 2, "--seed", seed)
        assert are_equal(read_learner(tmp_path / "both" / f"seed-{seed}"), alone) and about["games"] == 4
    assert not are_equal(read_learner(tmp_path / "3"), read_learner(tmp_path / "4"))
    with pytest.raises(SystemExit):
        train_value.main(parse(train_value.Args, ["--seeds", "3", "3"]))
    assert "--seeds must differ from each other" in capsys.readouterr().err


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("rate", [4, 10, 1e6])
@pytest.mark.parametrize("every", [1, 30])
def test_learning_that_diverges_ends_in_one_line_and_keeps_what_was_good(tmp_path, capsys, rate, every):
    learn(tmp_path, "--games", 6, "--seed", 3)
    with np.load(tmp_path / "learner.npz") as file:
        arrays = dict(file)
    arrays["rate"][:] = rate
    np.savez(tmp_path / "learner.npz", **arrays)
    kept = arrays | {"of the agent": read_file(tmp_path / "weights.npz")[0]}
    resumed = ("--resume", tmp_path / "learner.npz", "--games", 66, "--report-every", every)
    capsys.readouterr()
    with pytest.raises(SystemExit, match="1"):
        learn(tmp_path, *resumed)
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("train-value: learning diverged within ") and f"the rate {rate:g} is too large" in said
    assert said.endswith(f"what was written to {tmp_path} before is kept")
    if every == 30:
        again = read_learner(tmp_path) | {"of the agent": read_file(tmp_path / "weights.npz")[0]}
        assert are_equal(again, {name: array for name, array in kept.items() if name != "about"})
    make_agent(f"value:{tmp_path / 'weights.npz'}")
    load_learner(tmp_path / "learner.npz", get_ruleset("zamek"))


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
def test_a_file_that_is_no_learner_is_refused_in_one_line(learned, tmp_path, capsys, kind):
    path = tmp_path / "learner.npz"
    with np.load(learned / "learner.npz") as file:
        arrays = dict(file)
    about = json.loads(arrays.pop("about").item())
    LEARNERS[kind](arrays, about)
    np.savez(path, about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(SystemExit, match="2"):
        learn(tmp_path / "out", "--resume", path)
    said = capsys.readouterr().err
    assert said.startswith(f"train-value: --resume: {path} holds no learner: ") and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_a_learner_of_another_ruleset_is_refused(learned, tmp_path, capsys):
    path = learned / "learner.npz"
    with pytest.raises(SystemExit, match="2"):
        learn(tmp_path / "out", "--resume", path, "--ruleset", "carcassonne-demo")
    assert capsys.readouterr().err == (
        f"train-value: --resume: {path} was trained for the ruleset 'zamek', not for 'carcassonne-demo'\n"
    )


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_the_clock_starts_once_all_is_compiled(tmp_path, monkeypatch):
    called, compile_all = [], train_value.compile_all
    monkeypatch.setattr(train_value, "compile_all", lambda ruleset: called.append("compile") or compile_all(ruleset))
    monkeypatch.setattr(train_value, "time", SimpleNamespace(monotonic=lambda: called.append("time") or len(called)))
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
            play_match(ruleset.tables, states, ruleset.new_log(), new_evaluators(ruleset, weights), 0, 10)[2]
        )
    assert margins[1] > margins[0] + 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--games", 0), "--games must be at least 1"),
        (("--trace", 1.5), "--trace must lie in 0 to 1"),
        (("--exploration", 1001), "--exploration must lie in 0 to 1000"),
        (("--rate", 0), "--rate must be a positive number"),
        (("--rate", "nan"), "--rate must be a positive number"),
        (("--rate", 1e7), "--rate must be a positive number up to 1e+06"),
        (("--memory", 10**30), "--memory must be at most"),
        (("--match-deals", 10**30), "--match-deals must be at most"),
        (("--minutes", -1), "--minutes must be a positive number"),
        (("--minutes", 1e307), "--minutes must be a positive number up to 100000000, not 1e+307"),
        (("--workers", 2), "--workers must come with --seeds: one player is trained in one process"),
        (("--seed", -1), "--seed must lie in 0 to"),
        (("--seeds", 3, -1), "--seeds must lie in 0 to"),
        (("--match-deals", -1), "--match-deals must be at least 0"),
        (("--ruleset", "chess"), "--ruleset must be one of zamek"),
        (("--resume", "no/such.npz"), "there is no learner"),
        (("--resume", __file__), "holds no learner"),
    ],
)
def test_arguments_that_cannot_be_are_refused(tmp_path, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        learn(tmp_path / "out", *arguments)
    assert message in capsys.readouterr().err and not (tmp_path / "out").exists()
