"""Agents decide legally, by the generator given and by nothing hidden; the arena is fair; the intervals are right."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from zamek_agents import make_agent
from zamek_agents.arena import GameResult, pair_up, tell_apart
from zamek_agents.comparison import compare, mean_interval, wilson_interval
from zamek_agents.extras import MissingExtraError, needs_train_extra
from zamek_env import Game

ROOT = Path(__file__).parents[1]
NAMES = ("random", "greedy", "value")


@pytest.fixture(params=NAMES)
def agent(request):
    return make_agent(request.param)


def positions(seed):
    """Yield a game before each of its decisions, played at random."""
    game, rng = Game(seed=seed), random.Random(seed)
    while not game.is_terminal:
        yield game
        game.step(rng.choice(game.legal_actions()))


# --- deciding ---


def test_agents_choose_legal_actions_and_leave_the_game_alone(agent):
    rng = np.random.default_rng(0)
    for game in positions(seed=1):
        before = game.state.tobytes()
        action = agent.act(game, rng)
        assert type(action) is int
        assert action in game.legal_actions()
        assert game.state.tobytes() == before


def test_agents_decide_the_same_with_the_same_generator(agent):
    for number, game in enumerate(positions(seed=2)):
        other = make_agent(agent.name)
        assert agent.act(game, np.random.default_rng(number)) == other.act(game, np.random.default_rng(number))


def test_agents_do_not_see_what_is_hidden(agent):
    for number, game in enumerate(positions(seed=3)):
        if not game.position().remaining:
            break  # with the last tile, a token may count at once, and which one it is has to be guessed
        other = game.copy()
        other.redeal(np.random.default_rng(number))
        assert agent.act(game, np.random.default_rng(number)) == agent.act(other, np.random.default_rng(number))


def test_the_random_agent_chooses_uniformly():
    game, agent, rng = Game(seed=4), make_agent("random"), np.random.default_rng(0)
    legal = game.legal_actions()
    chosen = [agent.act(game, rng) for _ in range(100 * len(legal))]
    assert set(chosen) == set(legal)
    assert stats.chisquare([chosen.count(action) for action in legal]).pvalue > 0.001


def test_greedy_beats_random_in_99_of_100_games():
    (pairing,) = pair_up([make_agent("greedy"), make_agent("random")])
    assert compare(pairing.play(50)).wins >= 99


# --- agents by name ---


@pytest.mark.parametrize("name", NAMES)
def test_agents_are_made_by_name(name):
    assert make_agent(name).name == name


@pytest.mark.parametrize("spec", ["Random", "", "ppo", "ppo:", "mcts:5", "random:1"])
def test_unknown_agents_are_refused_naming_the_known_ones(spec):
    with pytest.raises(ValueError, match=r"one of random, greedy, value, value:PATH, ppo:PATH, not '"):
        make_agent(spec)


def test_a_missing_model_is_refused():
    with pytest.raises(FileNotFoundError, match=r"there is no model 'no/such\.zip'"):
        make_agent("ppo:no/such.zip")


def test_a_missing_extra_is_named():
    message = r"a test needs torch, .* pip install 'zamek-env\[train\]'"
    with pytest.raises(MissingExtraError, match=message), needs_train_extra("a test"):
        raise ModuleNotFoundError(name="torch.nn")
    with pytest.raises(ModuleNotFoundError), needs_train_extra("a test"):
        raise ModuleNotFoundError(name="zamek_agents.mistyped")


def test_agents_can_be_imported_from_the_folder_too():
    command = "import sys, agents; agents.make_agent('greedy'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=True)


# --- the arena ---


def test_every_deal_is_played_from_both_seats():
    (pairing,) = pair_up([make_agent("random"), make_agent("random")], seed=5, with_records=True)
    results = list(pairing.play(3))
    assert [result.first_player for result in results] == [0, 1] * 3
    deals = [result.deal for result in results]
    assert deals[::2] == deals[1::2]
    assert len(set(deals)) == 3
    for result in results:
        record = result.record
        first = result.first_player
        assert record["seed"] == result.deal
        assert record["players"][first] == "random #1"
        assert record["players"][1 - first] == "random #2"
        assert result.scores == (record["scores"][first], record["scores"][1 - first])
        assert result.winner == {1: 0, 0: None, -1: 1}[np.sign(result.scores[0] - result.scores[1])]


class LastAgent:
    """Plays the legal action with the highest number."""

    name = "last"

    def act(self, game, rng):
        return game.legal_actions()[-1]


def test_seats_do_not_matter_to_an_agent_without_chance_that_plays_itself():
    (pairing,) = pair_up([LastAgent(), LastAgent()])
    result = compare(pairing.play(4))
    assert (result.win_rate, result.mean_margin, result.mean_margin_interval) == (0.5, 0.0, (0.0, 0.0))


def test_a_game_does_not_depend_on_the_games_before_it():
    (pairing,) = pair_up([make_agent("random"), make_agent("random")], seed=6)
    results = list(pairing.play(2))
    assert pairing.play_game(1, 1) == results[3]
    assert pairing.play_game(0, 1) == results[1]
    assert replace(pairing, seed=7).play_game(0, 1) != results[1]


def test_every_two_agents_are_paired():
    pairings = pair_up([LastAgent(), make_agent("random"), LastAgent()])
    assert [pairing.names for pairing in pairings] == [
        ("last #1", "random"),
        ("last #1", "last #2"),
        ("random", "last #2"),
    ]
    assert tell_apart(["a", "b", "a"]) == ["a #1", "b", "a #2"]


# --- numbers ---


def result_of(deal, first_player, scores):
    winner = None if scores[0] == scores[1] else int(scores[0] < scores[1])
    return GameResult(("a", "b"), deal, first_player, scores, winner, None)


def test_a_comparison_counts_and_averages():
    scores = {(1, 0): (10, 6), (1, 1): (8, 8), (2, 0): (5, 9), (2, 1): (9, 1)}
    comparison = compare(result_of(deal, first_player, pair) for (deal, first_player), pair in scores.items())
    assert (comparison.games, comparison.wins, comparison.shared, comparison.losses) == (4, 2, 1, 1)
    assert comparison.win_rate == 0.625
    assert comparison.win_rate_interval == wilson_interval(0.625, 2)
    assert comparison.mean_scores == (8.0, 6.0)
    assert comparison.mean_margin == 2.0
    assert comparison.mean_margin_interval == (2.0, 2.0)


def test_a_comparison_needs_whole_deals():
    with pytest.raises(ValueError, match="no results"):
        compare([])
    with pytest.raises(ValueError, match="deal 3 must be played once from each side"):
        compare([result_of(3, 0, (1, 2))])
    with pytest.raises(ValueError, match="deal 3 must be played once from each side"):
        compare([result_of(3, 0, (1, 2))] * 2)


@pytest.mark.parametrize(  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    ("successes", "count", "interval"),
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))],
)
def test_wilson_intervals_are_as_published(successes, count, interval):
    assert wilson_interval(successes / count, count) == pytest.approx(interval, abs=5e-5)


@pytest.mark.parametrize("count", [1, 7, 50, 1000])
def test_wilson_intervals_are_those_of_scipy_for_whole_numbers(count):
    for successes in {0, 1, count // 2, count}:
        expected = stats.binomtest(successes, count).proportion_ci(0.95, "wilson")
        assert wilson_interval(successes / count, count) == pytest.approx(tuple(expected), abs=1e-12)


def test_the_interval_of_a_mean_is_that_of_student():
    values = [4.0, -1.0, 2.5, 8.0, 0.5]
    assert mean_interval(values) == pytest.approx(stats.ttest_1samp(values, 0).confidence_interval(0.95))
    assert mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((1.0368, 4.9632), abs=5e-5)  # 3 ± 2.7764 · √0.5
    assert mean_interval([3.0]) is None


def test_a_comparison_can_be_written_as_json():
    comparison = compare([result_of(1, 0, (1, 2)), result_of(1, 1, (3, 2))])
    assert json.loads(json.dumps(comparison.__dict__))["mean_margin_interval"] is None
