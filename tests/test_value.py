"""The learned evaluation is fair and blind to what is hidden; it learns, goes on where it stopped, and plays."""

import json
import math

import numpy as np
import pytest

from tests.games import IS_COMPILED, few, play_greedily, play_randomly
from zamek_agents import make_agent
from zamek_agents.arena import pair_up
from zamek_agents.comparison import compare
from zamek_agents.shipped import find_shipped
from zamek_agents.value import ValueAgent
from zamek_agents.value_areas import is_due
from zamek_agents.value_choice import count_trials
from zamek_agents.value_features import estimate_send, evaluate_learned, evaluate_surveyed
from zamek_agents.value_survey import CELLS, FITS, MANY, count_fits, count_left, new_notes, survey
from zamek_agents.value_tables import BASIC, LEAD, PORTS, PROMISE, SHAPE, SPECIALS, TABLES, find_start
from zamek_agents.value_training import play_match
from zamek_agents.value_weights import load_weights, new_weights, read_file, write_file
from zamek_env import Game
from zamek_env.core.actions import NOBODY, PLACE, SEND
from zamek_env.core.bits import has_bit
from zamek_env.core.legality import find_choices
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import find_placements
from zamek_env.core.rules import step
from zamek_env.core.ruleset import get_ruleset
from zamek_env.core.transcription import RULESETS
from zamek_scripts import train_value

SHIPPED = ("zamek", "sokol", "carcassonne")
DIFFERENT = ("zamek", "sokol-gates", "carcassonne")  # all that rulesets can have stands in one of these
SMALL = ("--match-deals", "0", "--report-every", "3", "--ruleset", "carcassonne-demo")


def random_weights(ruleset, seed=0):
    """Return weights that tell every feature from every other."""
    weights = new_weights(ruleset)
    features = find_start(ruleset.tables[0], TABLES)
    weights[1:features] = np.random.default_rng(seed).normal(size=features - 1)
    return weights


def positions(name, every, games=1):
    """Yield some positions of games: before all kinds of decisions and at the end."""
    for seed in range(games):
        for play in (play_randomly, play_greedily):
            for number, game in enumerate(play(Game(name, seed=seed), seed)):
                if number % every == seed % every or game.is_terminal:
                    yield game


def mirrored(game):
    """Return the state of `game` with the players swapped."""
    state = game.copy().state.copy()
    for name in ("follower_node", "follower_area", "to_score", "score", "family_house", "nests", "at_gate", "tokens"):
        if state[name].shape[1:2] == (2,):
            state[name] = state[name][:, ::-1].copy()
    state["fresh_tokens"] = state["fresh_tokens"][:, ::-1].copy()
    state["player"] = 1 - state["player"]
    state["scorer"] = 1 - state["scorer"]
    return state


# --- the evaluation ---


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_good_for_one_player_is_as_bad_for_the_other(name):
    ruleset = get_ruleset(name)
    weights, t = random_weights(ruleset), ruleset.tables[0]
    for game in positions(name, every=few(3, 40)):
        value = evaluate_learned(t, game.state[0], 0, weights)
        assert value == -evaluate_learned(t, game.state[0], 1, weights)
        assert value == pytest.approx(-evaluate_learned(t, mirrored(game)[0], 0, weights), abs=1e-6)


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_evaluation_sees_nothing_hidden_not_even_the_tile_drawn_for_the_turn_that_begins(name):
    ruleset, rng = get_ruleset(name), np.random.default_rng(0)
    weights, t = random_weights(ruleset), ruleset.tables[0]
    for game in positions(name, every=few(3, 40)):
        state = game.state.copy()
        drawn = int(state["drawn"][0]) - (state["phase"][0] == PLACE)
        state["deck"][0, drawn:] = rng.permutation(state["deck"][0, drawn:])
        state["placements"] = 0
        hidden = [place for place, taken in enumerate(state["tower_taken"][0]) if not taken]
        state["token_deal"][0, hidden] = rng.permutation(state["token_deal"][0, hidden])
        assert evaluate_learned(t, state[0], 0, weights) == evaluate_learned(t, game.state[0], 0, weights)


@pytest.mark.parametrize("name", DIFFERENT)
def test_at_the_end_a_position_is_worth_the_margin(name):
    ruleset = get_ruleset(name)
    for game in positions(name, every=1000):
        if game.is_terminal:
            value = evaluate_learned(ruleset.tables[0], game.state[0], 1, random_weights(ruleset))
            assert value == game.scores[1] - game.scores[0]


@pytest.mark.parametrize("name", ["zamek", "carcassonne"])
def test_the_tiles_that_fit_are_those_that_can_be_placed(name):
    ruleset = get_ruleset(name)
    t, weights, notes = ruleset.tables[0], new_weights(ruleset), new_notes(ruleset.tables[0])
    for game in positions(name, every=few(10, 60)):
        s, trial = game.state[0], game.state.copy()[0]
        left = s["deck"][s["deck"].size - count_left(s) :]
        survey(t, s, weights, notes)
        cells = [cell for cell in range(t["neighbor"].shape[0]) if has_bit(s["frontier"], cell)]
        fits = dict.fromkeys(cells, 0)
        for tile in left:
            find_placements(t, trial, tile)
            for cell in cells:
                fits[cell] += any(has_bit(trial["placements"][rotation], cell) for rotation in range(4))
        assert {cell: count_fits(t, s, weights, notes, cell) for cell in cells} == fits


@pytest.mark.parametrize("name", ["sokol-gates", "carcassonne"])
def test_every_open_area_opens_to_cells_and_no_other_does(name):
    ruleset = get_ruleset(name)
    t, notes = ruleset.tables[0], new_notes(ruleset.tables[0])
    for game in positions(name, every=few(10, 60)):
        s = game.state[0]
        survey(t, s, new_weights(ruleset), notes)
        for area in {int(area) for area in s["area"] if area >= 0}:
            if not t["feature_surrounded"][t["node_feature"][area]]:
                assert (notes[CELLS, area] > 0) == (s["open_ports"][area] > 0)
                assert notes[CELLS, area] <= s["open_ports"][area]
                assert (notes[FITS, area] < MANY) == (s["open_ports"][area] > 0)


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_piece_counts_before_it_is_sent_as_it_does_afterwards_but_for_the_risk_of_others(name):
    ruleset = get_ruleset(name)
    t, log, notes, compared = ruleset.tables[0], ruleset.new_log()[0], new_notes(ruleset.tables[0]), 0
    weights = random_weights(ruleset)
    for table in (PROMISE, PORTS):  # only these tell whether an area is at risk
        weights[find_start(t, table) : find_start(t, table + 1)] = 0
    for game in positions(name, every=1, games=few(3, 1)):
        s, after = game.state[0], game.state.copy()[0]
        if s["phase"] != SEND or compared > few(10**6, 40):
            continue
        step(t, after, log, int(t["send_base"]) + NOBODY)
        survey(t, after, weights, notes)
        for choice in range(1, 1 + int(t["score_base"] - t["send_base"] - 1)):
            if after["phase"] != PLACE or not (find_choices(t, s) >> choice) & 1:
                continue
            kind, segment = divmod(choice - 1, t["tile_node"].shape[1])
            area = int(s["area"][t["tile_node"][s["deck"][s["drawn"] - 1], segment]])
            if is_due(t, s, area):
                continue
            base = evaluate_surveyed(t, after, weights, notes)
            piece = find_free_piece(t, after, int(s["player"]), kind)
            estimate = base + estimate_send(t, after, weights, notes, int(s["player"]), piece, area)
            sent = game.state.copy()[0]
            step(t, sent, log, int(t["send_base"]) + choice)
            assert estimate == pytest.approx(evaluate_learned(t, sent, 0, weights), abs=1e-4)
            compared += 1
    assert compared >= few(100, 20)


def test_tables_follow_each_other_without_a_gap_or_a_feature_in_two():
    for name in RULESETS:
        starts = [int(find_start(get_ruleset(name).tables[0], table)) for table in range(TABLES + 1)]
        assert starts == sorted(starts) and starts[LEAD] == 0
        assert starts[PROMISE] == 1 and starts[BASIC] < starts[SHAPE] < starts[PORTS] < starts[SPECIALS]


# --- weights ---


@pytest.mark.parametrize("name", SHIPPED)
def test_weights_are_shipped_small_and_say_where_they_come_from(name):
    path = find_shipped("value", get_ruleset(name))
    learned, about = read_file(path)
    assert path.stat().st_size < 1_000_000 and learned[LEAD] == 1
    assert about["ruleset"] == name and about["games"] > 0 and about["seconds"] > 0
    assert "--ruleset" in about["command"] and about["arguments"]["seed"] >= 0


def test_a_ruleset_without_weights_is_named_with_those_that_have_some():
    message = r"no weights of the agent 'value' are shipped for the ruleset 'sokol-gates', only for .*zamek; learn"
    with pytest.raises(ValueError, match=message):
        make_agent("value").act(Game("sokol-gates", seed=0), np.random.default_rng(0))


def test_weights_of_another_ruleset_are_refused():
    path = find_shipped("value", get_ruleset("zamek"))
    with pytest.raises(ValueError, match=r"was trained for the ruleset 'zamek', not for 'sokol'"):
        ValueAgent(path).act(Game("sokol", seed=0), np.random.default_rng(0))


def test_files_that_hold_no_weights_are_refused(tmp_path):
    ruleset = get_ruleset("zamek")
    (tmp_path / "text.npz").write_text("no weights")
    write_file(tmp_path / "few.npz", new_weights(ruleset)[:5], ruleset, {})
    np.savez(tmp_path / "other.npz", weights=np.zeros(3, np.float32), about=np.array('{"format": "other"}'))
    for name, message in (("text", "holds no weights"), ("few", "holds 5 weights"), ("other", "format is not")):
        with pytest.raises(ValueError, match=message):
            load_weights(tmp_path / f"{name}.npz", ruleset)
    with pytest.raises(FileNotFoundError, match=r"no weights .no/such\.npz."):
        make_agent("value:no/such.npz")


def test_weights_come_back_as_they_were_written(tmp_path):
    ruleset = get_ruleset("sokol")
    write_file(tmp_path / "weights.npz", random_weights(ruleset), ruleset, {"games": 7})
    assert np.array_equal(load_weights(tmp_path / "weights.npz", ruleset), random_weights(ruleset))
    assert read_file(tmp_path / "weights.npz")[1]["games"] == 7


# --- playing ---


@pytest.mark.parametrize("name", SHIPPED)
def test_the_agent_decides_legally_alike_and_by_nothing_hidden(name):
    agent, other = make_agent("value"), make_agent("value")
    for number, game in enumerate(positions(name, every=few(4, 60))):
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
    (pairing,) = pair_up([make_agent("value"), make_agent("greedy")], seed=1, ruleset=name)
    assert compare(pairing.play(20)).win_rate > 0.75


# --- learning ---


def learn(folder, *arguments):
    """Run the script and return what it wrote: (weights, what is told about them, learner)."""
    args = train_value.tyro.cli(train_value.Args, args=["--out", str(folder), *SMALL, *map(str, arguments)])
    train_value.main(args)
    with np.load(folder / "learner.npz") as file:
        learner = file["learner"].tobytes()
    return *read_file(folder / "weights.npz"), learner


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_learning_goes_on_as_if_it_had_never_stopped(tmp_path):
    whole, _, learner = learn(tmp_path / "whole", "--games", 6, "--seed", 3)
    half, _, _ = learn(tmp_path / "parts", "--games", 3, "--seed", 3)
    resumed, about, again = learn(tmp_path / "parts", "--games", 6, "--resume", tmp_path / "parts" / "learner.npz")
    assert np.array_equal(resumed, whole) and again == learner and not np.array_equal(half, whole)
    assert about["games"] == 6
    curve = json.loads((tmp_path / "parts" / "curve.json").read_text())
    assert [row["games"] for row in curve] == [3, 6] and all(math.isfinite(row["error"]) for row in curve)
    other, _, _ = learn(tmp_path / "other", "--games", 6, "--seed", 4)
    assert not np.array_equal(other, whole)


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
def test_a_few_hundred_games_teach_more_than_nothing(tmp_path):
    learn(tmp_path, "--games", 300, "--seed", 5, "--report-every", 300, "--ruleset", "zamek")
    ruleset = get_ruleset("zamek")
    states, margins = ruleset.new_states(1 + count_trials(ruleset.sizes)), []
    for weights in (new_weights(ruleset), load_weights(tmp_path / "weights.npz", ruleset)):
        margins.append(play_match(ruleset.tables, states, ruleset.new_log(), weights, 0, 10)[2])
    assert margins[1] > margins[0] + 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--games", 0), "--games must be at least 1"),
        (("--trace", 1.5), "--trace must lie in 0 to 1"),
        (("--exploration", 1001), "--exploration must lie in 0 to 1000"),
        (("--rate", 0), "--rate must be a positive number"),
        (("--minutes", -1), "--minutes must be a positive number"),
        (("--seed", -1), "--seed must lie in 0 to"),
        (("--match-deals", -1), "--match-deals must be at least 0"),
        (("--ruleset", "chess"), "--ruleset must be one of zamek"),
        (("--resume", "no/such.npz"), "there is no learner"),
        (("--resume", __file__), "is no learner"),
    ],
)
def test_arguments_that_cannot_be_are_refused(tmp_path, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        learn(tmp_path / "out", *arguments)
    assert message in capsys.readouterr().err and not (tmp_path / "out").exists()
