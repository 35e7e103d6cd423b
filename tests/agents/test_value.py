"""The learned evaluation is fair and blind to what is hidden; its weights are read whole, and it plays."""

import json

import numpy as np
import pytest

from tests.support.array_files import read_arrays
from tests.support.games import IS_COMPILED, check_decision, few, play_randomly, sample_positions
from zamek_agents import make_agent
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up
from zamek_agents.pretrained import find_shipped
from zamek_agents.value.agent import ValueAgent
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import (
    BASIC,
    GROUPS,
    LEAD,
    PORTS,
    PROMISE,
    SHAPE,
    SPECIALS,
    estimate_send,
    evaluate_learned,
    evaluate_surveyed,
    find_start,
)
from zamek_agents.value.survey import MANY, count_fits_on, count_left, survey
from zamek_agents.value.weights import load_weights, new_weights, read_file, write_file
from zamek_env import Game
from zamek_env.compiler.bits import has_bit
from zamek_env.components.box_folder import RULESETS
from zamek_env.core.areas import is_due
from zamek_env.core.legality import find_choices
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import find_cell, tile_fits, write_placements
from zamek_env.core.rules import step
from zamek_env.layout.actions import NOBODY, PLACE, SEND
from zamek_env.ruleset import get_ruleset

SHIPPED = ("zamek", "sokol", "carcassonne")
DIFFERENT = ("zamek", "sokol-gates", "carcassonne")  # all that rulesets can have stands in one of these


def random_weights(ruleset):
    """Return weights that tell every feature from every other."""
    weights = new_weights(ruleset)
    weights[1:] = np.random.default_rng(0).normal(size=weights.size - 1)
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
def test_the_evaluation_sees_nothing_hidden(name):
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
        codes = [code for code in range(ruleset.actions.cell_codes) if has_bit(s["frontier"], code)]
        fits = dict.fromkeys(codes, 0)
        for tile in left:
            write_placements(t, trial, tile)
            for code in codes:
                fits[code] += any(tile_fits(trial, code, rotation) for rotation in range(4))
        assert {code: count_fits_on(t, s, evaluator, find_cell(t, s, code)) for code in codes} == fits


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
def test_a_piece_counts_alike_before_and_after_it_is_sent(name):
    ruleset = get_ruleset(name)
    t, log, evaluator, compared = ruleset.tables[0], ruleset.new_log()[0], random_evaluator(ruleset), 0
    for group in (PROMISE, PORTS):  # only these show whether an area is at risk
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
            evaluate_surveyed(t, after, evaluator)
            player = int(s["player"])
            piece = find_free_piece(t, after, player, kind)
            estimate = estimate_send(t, after, evaluator, player, piece, area)
            sent = game.state.copy()[0]
            step(t, sent, log, int(t["send_base"]) + choice)
            assert estimate == pytest.approx(evaluate_learned(t, sent, player, evaluator), abs=1e-4)
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
    arrays, about = read_arrays(path)
    weights = arrays["weights"]
    changes = {
        "not a number": {"weights": np.where(np.arange(weights.size) == 7, np.nan, weights).astype(np.float32)},
        "endless": {"weights": np.where(np.arange(weights.size) == 7, np.inf, weights).astype(np.float32)},
        "too large": {"weights": np.where(np.arange(weights.size) == 7, 1e5, weights).astype(np.float32)},
        "wide": {"weights": weights.astype(np.float64)},
        "a table": {"weights": weights.reshape(1, -1)},
        "one number": {"weights": np.float32(1)},
        "none": {"weights": weights[:0]},
        "lead 0": {"weights": 0 * weights},
        "format": {"about": about | {"format": "other"}},
        "ruleset": {"about": about | {"ruleset": "chess"}},
        "games": {"about": about | {"games": "many"}},
        "seconds": {"about": about | {"seconds": -1}},
    }
    content = {"weights": weights, "about": about} | changes[kind]
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
    about = {"games": 7, "ruleset": "zamek", "format": "other"}  # the ruleset alone says what the file is for
    write_file(tmp_path / "weights.npz", random_weights(ruleset), ruleset, about)
    assert np.array_equal(load_weights(tmp_path / "weights.npz", ruleset), random_weights(ruleset))
    assert read_file(tmp_path / "weights.npz")[1]["games"] == 7


# --- playing ---


@pytest.mark.parametrize("name", SHIPPED)
def test_the_agent_decides_legally_alike_and_by_nothing_hidden(name):
    agent, other = make_agent("value"), make_agent("value")
    for number, game in enumerate(sample_positions(name, every=few(4, 60))):
        if not game.is_terminal and game.position().remaining:
            check_decision(agent, other, game, number)


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_weights_beat_the_greedy_player(name):
    (pairing,) = line_up([make_agent("value"), make_agent("greedy")], seed=1, ruleset=name)
    assert compare(pairing.play(20)).win_rate > 0.75


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of infinite numbers, as plain Python
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
