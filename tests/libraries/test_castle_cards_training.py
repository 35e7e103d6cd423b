"""Training for castle-cards: what is shown, the gradient, a new network plays like greedy, files, and the command."""

import json
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.support.array_files import read_arrays
from tests.support.rulesets import IS_COMPILED
from zamek_agents import make_agent
from zamek_agents.array_file import write_arrays
from zamek_agents.base import DivergedError
from zamek_agents.castle_cards.gains import SURVEY, survey_board
from zamek_agents.castle_cards.greedy import PATIENCE
from zamek_agents.castle_cards.learner import (
    ENTROPY,
    Counters,
    Learner,
    add_gradient,
    load_checkpoint,
    write_checkpoint,
)
from zamek_agents.castle_cards.network import (
    FEATURES,
    FORMAT,
    NUM_FEATURES,
    SHAPES,
    Weights,
    make_weights,
    read_network,
    write_features,
    write_network,
)
from zamek_agents.castle_cards.self_play import find_return, make_decisions, make_games, play_games
from zamek_agents.ppo import agent
from zamek_agents.ppo.agent import CastleCardsPPO
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.single import ZamekEnv
from zamek_scripts import train
from zamek_scripts.cli import parse
from zamek_scripts.run_folder import read_config

SMALL = {"games": 2, "opponent_games": 1, "steps": 1}
RULESET = "castle-cards"
needs_compiled = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python this takes minutes")


@pytest.fixture
def weights_file(tmp_path):
    path = tmp_path / "weights.npz"
    write_network(path, make_weights(0), {})
    return path


def show(game):
    """Return {feature: what it is} of the decision to be made."""
    seen, out, state = np.zeros(1, SURVEY), np.full(NUM_FEATURES, np.nan), game.raw_states[0]
    survey_board(state, int(state["decider"]), seen[0])
    write_features(state, seen[0], out)
    return dict(zip(FEATURES, out.tolist(), strict=True))


# --- learning ---


def test_features_tell_what_who_decides_knows():
    game, rng = CastleCards(seed=3), np.random.default_rng(1)
    for _ in range(40):
        game.step(int(rng.choice(game.legal_actions())))
    features, player, position = show(game), game.current_player, game.position()
    assert all(0 <= value <= 3 for value in features.values())
    hand = game.hand(player)
    seen = {name for name, value in features.items() if value}
    assert {name.removeprefix("hand ") for name in seen if name.startswith("hand ")} == {*hand}
    assert features["hand_0"] == sum(hand.values()) / 9
    assert {name for name, value in features.items() if name.startswith("exchange ") and value} == {
        f"exchange {name}" for name in position.exchange
    }


def test_what_others_hold_is_not_shown():
    game, rng = CastleCards(seed=4), np.random.default_rng(1)
    for number in range(60):
        if number % 10 == 0:
            assert show(game) == show(game.concealed(np.random.default_rng(number), game.current_player))
        game.step(int(rng.choice(game.legal_actions())))


def find_gains(weights, games, decisions, noted):
    """Return what learning makes larger, found in the plainest way: decision by decision, with numpy."""
    total = 0.0
    advantages = decisions.advantages[:noted].astype(float)
    spread = (advantages - advantages.mean()) / advantages.std()
    for number in range(noted):
        rows = range(decisions.first_row[number], decisions.first_row[number + 1])
        context = decisions.contexts[number].astype(float)
        logits = np.zeros(len(rows))
        for row, place in enumerate(rows):
            entries = slice(decisions.starts[place], decisions.starts[place + 1])
            columns, sizes = decisions.columns[entries], decisions.entries[entries].astype(float)
            hidden = context @ weights.context + sizes @ weights.rows[columns] + weights.bias
            logits[row] = np.maximum(hidden, 0) @ weights.logit + decisions.liked[place]
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        value = np.maximum(context @ weights.value_context + weights.value_bias, 0) @ weights.value[:-1]
        due = decisions.values[number] + decisions.advantages[number]
        total += spread[number] * chances[decisions.chosen[number]] / decisions.chances[number]
        total -= ENTROPY * (chances * np.log(chances)).sum() + (due - value - weights.value[-1]) ** 2 / 2
    return total


def as_float64(weights):
    return Weights(*(array.astype(float) for array in weights))


@needs_compiled
@pytest.mark.parametrize("against", [0, 2])  # itself, greedy
def test_the_gradient_is_that_of_what_is_to_grow(against):
    """Probabilities are those by which actions were drawn, so nothing is clipped."""
    games, weights, rng = make_games(5), make_weights(3), np.random.default_rng(1)
    for array in (weights.logit, weights.value):
        array[:] = rng.normal(0, 0.1, array.shape)
    decisions = make_decisions(2)
    wins, noted = play_games(games, decisions, weights, 2, against, 0.9)
    assert noted > 50 and 0 <= wins <= against
    advantages = decisions.advantages[:noted]
    gradient = Weights(*(np.zeros_like(array) for array in weights))
    add_gradient(weights, gradient, decisions, np.arange(noted), advantages.mean(), advantages.std())
    for name, array in weights._asdict().items():
        slope = getattr(gradient, name)
        for place in rng.choice(np.flatnonzero(slope), 3):
            index, step = np.unravel_index(place, array.shape), 1e-5
            around = []
            for sign in (-1, 1):
                moved = as_float64(weights)
                getattr(moved, name)[index] += sign * step
                around.append(find_gains(moved, games, decisions, noted))
            assert slope[index] == pytest.approx((around[1] - around[0]) / (2 * step), rel=0.05, abs=0.05), name


def test_advantages_are_what_a_game_brought_beyond_what_was_expected():
    """With `gae_lambda` 1 that is the result less what was expected."""
    games, weights, decisions = make_games(5), make_weights(0), make_decisions(1)
    weights.value[-1] = 0.25
    _, noted = play_games(games, decisions, weights, 1, 1, 1.0)
    result = find_return(games.states[0], 0)
    assert noted > 0 and result in (-1, 1)
    assert np.allclose(decisions.values[:noted], 0.25) and np.allclose(decisions.advantages[:noted], result - 0.25)
    assert (np.diff(decisions.first_row[: noted + 1]) > 1).all()


def test_a_step_goes_up_the_gradient_and_what_diverges_says_so():
    learner = Learner(make_weights(0), make_games(1))
    gradient, before = Weights(*(np.zeros_like(array) for array in learner.weights)), learner.weights.bias.copy()
    gradient.bias[4], gradient.bias[6] = 2.0, -0.5
    learner.step(gradient, 0.1)
    assert (learner.weights.bias - before)[[4, 6, 7]] == pytest.approx([0.1, -0.1, 0], rel=1e-2)
    with pytest.raises(DivergedError, match="the learning rate is too large"):
        learner.step(gradient, 1e9)


@needs_compiled
@pytest.mark.long
def test_a_short_training_wins_more_often_than_greedy():
    agent, wins = make_agent("greedy"), []
    for seed in (1, 2, 3):  # one may be unlucky
        learner = Learner(make_weights(seed), make_games(seed))
        for _ in range(60):
            learner.learn(128, 128, 0.001, 0.98)
        wins.append(count_wins(learner.weights, agent, 200))
    assert sum(wins) > 330, wins


def count_wins(weights, opponent, count):
    """Return how many games an agent of these weights wins, each deal from both seats."""
    with TemporaryDirectory() as folder:
        write_network(Path(folder) / "weights.npz", weights, {})
        agent = make_agent(f"ppo:{folder}/weights.npz")
    wins = 0.0
    for number in range(count):
        game, rng, seat = CastleCards(seed=number // 2), np.random.default_rng(number), number % 2
        while not game.is_terminal:
            game.step((agent if game.current_player == seat else opponent).act(game, rng))
        wins += (game.returns()[seat] + 1) / 2
    return wins


# --- playing, and files ---


def test_a_network_of_noughts_plays_what_greedy_likes_best(weights_file):
    """But for ties, which greedy play breaks at random."""
    agent, greedy = make_agent(f"ppo:{weights_file}"), make_agent("greedy")
    same = 0
    for seed in range(5):
        game = CastleCards(seed=seed)
        action = agent.act(game, np.random.default_rng(0))
        evaluation = agent.evaluate(game, np.random.default_rng(0))
        assert evaluation.best == action and evaluation.values.sum() == pytest.approx(1)
        assert list(evaluation.actions) == game.legal_actions()
        same += action == greedy.act(game, np.random.default_rng(0))
    assert same >= 4


def test_an_agent_from_a_file_plays_castle_for_two_and_nothing_else(weights_file):
    agent, rng = make_agent(f"ppo:{weights_file}"), np.random.default_rng(0)
    with pytest.raises(ValueError, match="plays castle-cards with 2 players only, not 3"):
        agent.act(CastleCards(3, seed=1), rng)
    with pytest.raises(ValueError, match="opponents: the agent 'ppo' plays castle-cards with 2 players only, not 3"):
        CastleCardsEnv(3, f"ppo:{weights_file}")
    with pytest.raises(ValueError, match="was trained for castle-cards, not for games of tiles"):
        agent.act(Game(seed=1), rng)
    with pytest.raises(ValueError, match=r"^opponent: .* was trained for castle-cards, not for games of tiles"):
        ZamekEnv(opponent=agent.act)


def test_a_game_that_goes_on_for_long_is_played_at_random(weights_file):
    agent, game = make_agent(f"ppo:{weights_file}"), CastleCards(seed=1)
    legal = set(game.legal_actions())
    for turns, options in ((PATIENCE, 1), (PATIENCE + 1, len(legal))):
        game.raw_states["turns"] = turns
        chosen = {agent.act(game, np.random.default_rng(seed)) for seed in range(50)}
        assert chosen <= legal and len(chosen) == options > 0
    assert len(legal) > 1


def test_without_a_file_there_must_be_weights_in_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(agent, "SHIPPED", tmp_path / "none.npz")
    with pytest.raises(ValueError, match="no weights of the agent 'ppo' are shipped for castle-cards; learn some by"):
        make_agent("ppo").act(CastleCards(seed=1), np.random.default_rng(0))


@needs_compiled
@pytest.mark.long
def test_the_weights_in_the_package_win_more_often_than_greedy():
    assert count_wins(read_network(agent.SHIPPED), make_agent("greedy"), 400) > 0.6 * 400


@pytest.mark.parametrize("change", ["format", "features", "columns", "shape", "infinite", "players"])
def test_a_file_that_holds_no_such_network_is_refused(tmp_path, change):
    weights, about, path = make_weights(0), {}, tmp_path / "bad.npz"
    if change == "shape":
        weights = weights._replace(rows=np.zeros((3, 3), np.float32))
    elif change == "infinite":
        weights.rows[0, 0] = np.inf
    else:
        about = {change: {"format": "other/1", "features": ["one"], "columns": [], "players": 3}[change]}
    write_network(path, weights, about)
    with pytest.raises(ValueError, match="holds no network for castle-cards"):
        CastleCardsPPO(path)


def test_the_command_trains_an_agent(tmp_path, capsys, refused):
    out = tmp_path / "run"
    train.main(train.Args(out=out, ruleset=RULESET, **SMALL))
    assert f"the agent is ppo:{out / 'weights.npz'}" in capsys.readouterr().out
    assert read_config(train.Args, out / "config.yaml")["ruleset"] == RULESET
    about = json.loads((out / "config.json").read_text())
    assert about["decisions"] > 1 and about["arguments"]["games"] == 2
    assert read_network(out / "weights.npz").context.shape == SHAPES["context"]
    game = CastleCards(seed=1)
    assert make_agent(f"ppo:{out / 'weights.npz'}").act(game, np.random.default_rng(0)) in game.legal_actions()
    assert FORMAT.startswith("zamek-cards-ppo")
    assert "holds a run" in refused(train.main, train.Args(out=out, ruleset=RULESET, **SMALL))


def interrupt_after(monkeypatch, batches):
    """Let Ctrl-C come once so many more batches were learned from."""
    learn, left = Learner.learn, [batches]

    def learn_or_stop(self, count, against, rate, gae_lambda):
        if rate > 0 and not left[0]:  # what learns at no rate is compiled only
            raise KeyboardInterrupt
        left[0] -= rate > 0
        return learn(self, count, against, rate, gae_lambda)

    monkeypatch.setattr(Learner, "learn", learn_or_stop)


@needs_compiled
def test_a_training_goes_on_as_if_it_had_never_been_interrupted(tmp_path, capsys):
    given = {"ruleset": RULESET, "games": 4, "opponent_games": 2, "steps": 2500, "checkpoint_every": 500, "seed": 3}
    whole, out = tmp_path / "whole", tmp_path / "cut"
    train.main(train.Args(out=whole, **given))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        interrupt_after(patch, 3)
        train.main(train.Args(out=out, **given))
    go_on = f"what was written to {out} before is kept; go on by: zamek train "
    said, found, asked = capsys.readouterr().err.partition(go_on)
    assert ended.value.code == 130 and found, said
    assert make_agent(f"ppo:{out / 'weights.npz'}").act(CastleCards(seed=1), np.random.default_rng(0)) >= 0
    before = load_checkpoint(out / "learner.npz")[1]
    train.main(parse(train.Args, shlex.split(asked)))
    for name in ("learner.npz", "weights.npz"):
        np.testing.assert_equal(read_arrays(out / name)[0], read_arrays(whole / name)[0])
    after, straight = (load_checkpoint(folder / "learner.npz")[1] for folder in (out, whole))
    assert 0 < before.decisions < after.decisions == straight.decisions and after.wins == straight.wins
    assert before.seconds < after.seconds
    assert read_config(train.Args, out / "config.yaml")["seed"] == 3
    assert "nothing" not in capsys.readouterr().out
    train.main(train.Args(resume=out / "learner.npz", out=out, **given | {"steps": 9}))
    over = f"nothing was left to do: {out / 'learner.npz'} has {after.decisions:,} decisions, and the run ends at"
    assert capsys.readouterr().out.startswith(f"{over} --steps 9\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 3}, "players must be a whole number in 2 to 2, not 3"),
        ({"features": ["one"]}, "its features are others"),
        ({"columns": ["one"]}, "its columns are others"),
        ({"rows": np.full(SHAPES["rows"], 1e5, np.float32)}, "rows must lie in -10000 to 10000"),
        ({"square_rows": np.full(SHAPES["rows"], -1, np.float32)}, "square_rows must lie in 0 to"),
        ({"mean_rows": np.full(SHAPES["rows"], np.nan, np.float32)}, "mean_rows holds numbers that are not finite"),
        ({"generator": np.zeros(2, np.uint64)}, "generator must be <u8 of shape"),
        ({"decisions": -1}, "decisions must be a whole number in 0 to 1000000000000"),
        ({"wins": 2}, "wins must be a number in 0 to 1, not 2"),
        ({"seed": "x"}, "seed must be a whole number in 0 to 1000000000000"),
        ({"format": "zamek-cards-ppo/2"}, "the format is not zamek-cards-ppo-checkpoint/2"),
    ],
)
def test_a_checkpoint_that_cannot_be_is_refused(tmp_path, refused, change, message):
    path, out = tmp_path / "learner.npz", tmp_path / "run"
    write_checkpoint(path, Learner(make_weights(0), make_games(1)), Counters(), 1, {})
    assert load_checkpoint(path)[1:] == (Counters(), 1)
    arrays, about = read_arrays(path)
    about |= {name: value for name, value in change.items() if name not in arrays}
    write_arrays(path, about, arrays | {name: value for name, value in change.items() if name in arrays})
    refusal = refused(train.main, train.Args(out=out, ruleset=RULESET, resume=path, **SMALL))
    assert message in refusal and not out.exists()


@needs_compiled
def test_the_same_seed_learns_the_same_weights():
    learned = []
    for _ in range(2):
        learner = Learner(make_weights(7), make_games(7))
        for _ in range(3):
            learner.learn(20, 10, 0.01, 1.0)
        learned.append(learner.weights)
    assert all(map(np.array_equal, *learned)) and learned[0].logit.any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"imitate": 5}, "--imitate is for games of tiles only, not for castle-cards"),
        ({"hidden": 3}, "--hidden is for games of tiles only, not for castle-cards"),
        ({"opponent_games": 3}, "--opponent-games must be at most --games, 2, not 3"),
        ({"games": 0}, "--games must lie in 1 to 1000000000000, not 0"),
        ({"minutes": -1.0}, "--minutes must be a positive number"),
        ({"resume": Path("none.npz")}, "--resume: none.npz holds no checkpoint for castle-cards: No such file"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, refused, given, message):
    assert message in refused(train.main, train.Args(out=tmp_path / "run", ruleset=RULESET, **SMALL | given))
    assert not (tmp_path / "run").exists()
