"""`examples/add_a_game.py`: a game has environments, records, OpenSpiel and the arena by its rules alone."""

import json
import pickle
import re
import sys
import time
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from tests.support.card_game import CardGame
from tests.support.datasets import KINDS, need, rewrite, seal
from tests.support.examples import check_counts, load
from tests.support.games import finish, play_randomly
from tests.support.scripted_agent import Valuing
from zamek_agents import make_agent
from zamek_agents.arena import find_shares
from zamek_agents.arena.sets import line_up
from zamek_agents.datasets import (
    ExportOptions,
    FinishedGame,
    Judge,
    export,
    play_games,
    read_games,
    read_npz,
    unpack_masks,
    verify,
)
from zamek_agents.datasets.folder import ABOUT, GAMES
from zamek_agents.heuristic import RandomAgent
from zamek_agents.registry import list_untrained
from zamek_env import Game, IllegalActionError, RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.environments.game_aec import GameAEC
from zamek_env.environments.game_env import GameEnv
from zamek_env.evaluation import PROBABILITY
from zamek_env.fair_play import ask
from zamek_env.game_protocol import PlayableGame
from zamek_env.make_game import FAMILIES, make_game, register_game
from zamek_scripts import cli
from zamek_scripts.export import Args, main
from zamek_scripts.playing.kept_game import KeptGame
from zamek_scripts.playing.presenter import Presenter
from zamek_scripts.playing.session import Session

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("sb3_contrib")
sb3_checker = pytest.importorskip("stable_baselines3.common.env_checker")
openspiel = pytest.importorskip("zamek_env.openspiel")
gamespiel = pytest.importorskip("open_spiel.python.algorithms.mcts")

example = load("add_a_game")
TokenTicTacToe = example.TokenTicTacToe
SPIEL = "python_token_tic_tac_toe"


class WonAtOnce(TokenTicTacToe):
    """Whoever lays the first stone has won."""

    @property
    def winner(self):
        return self.history[0] >= 0 and 0 if self.history else None


def change(**changed):
    """Return the class of a game that differs from `TokenTicTacToe` in what is `changed`."""
    return type("Mine", (TokenTicTacToe,), changed)


# --- the game ---


@pytest.mark.parametrize("seed", range(5))
def test_it_follows_its_rules(seed):
    for game in play_randomly(TokenTicTacToe(seed), seed):
        assert len(game.bag) == 14 - len(game.history) and list(map(len, game.hands)) == [2, 2]
        for action in game.legal_actions():
            token, _, (column, row) = game.describe(action).split()
            assert token in (column, row) and "123abc".index(token) in game.hands[game.player]
            assert game.board["abc".index(column) + 3 * "123".index(row)] == example.EMPTY
    assert (game.winner is None) == (game.returns() == (0, 0)) and sum(game.returns()) == 0
    assert np.bincount(game.board + 1, minlength=3)[1:].sum() == len(game.history)


@pytest.mark.parametrize("observer", [None, 0, 1])
def test_a_concealed_game_tells_only_what_the_observer_sees(observer):
    game = TokenTicTacToe(3)
    game.step(game.legal_actions()[0])
    twins = [game.concealed(np.random.default_rng(seed), observer) for seed in range(30)]
    assert {twin.seed for twin in twins} == {None} and all(twin.history == [] for twin in twins)
    assert len({tuple(twin.bag) for twin in twins}) > 20
    for player in range(2):
        hands = {tuple(sorted(twin.hands[player])) for twin in twins}
        assert hands == {tuple(sorted(game.hands[player]))} if player == observer else len(hands) > 5
    for twin in twins:
        assert sorted(sum(twin.hands, twin.bag)) == sorted(sum(game.hands, game.bag))
        assert observer is None or (twin.observe(observer) == game.observe(observer)).all()
    assert game.seed == 3 and len(game.history) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"current_player": property(lambda game: len(game.history) % 2)},
        {"shuffle_hidden": lambda game, rng, observer: game.hands.reverse()},
    ],
)
def test_a_game_that_is_another_to_the_observer_once_it_is_redealt_is_refused(changed):
    game = change(**changed)(3)
    game.step(game.legal_actions()[0])
    with pytest.raises(ValueError, match=r"legal actions of a Mine that is redealt must stay \(1, \["):
        game.concealed(np.random.default_rng(0), 1)


def test_it_is_redealt_by_a_generator_for_a_player_or_for_all():
    game = TokenTicTacToe(3)
    for look in (game.redeal, game.concealed):
        with pytest.raises(ValueError, match="observer must be one of None, 0, 1, not 2"):
            look(np.random.default_rng(0), 2)
        with pytest.raises(TypeError, match="rng must be a numpy"):
            look(np.random.RandomState(0), 0)
    assert (game.bag, game.hands, game.seed) == (TokenTicTacToe(3).bag, TokenTicTacToe(3).hands, 3)


@pytest.mark.parametrize(
    ("action", "error", "said"),
    [(18, IllegalActionError, "action must be one of"), (-1, IllegalActionError, "not -1"), (0.5, TypeError, "action")],
)
def test_what_is_no_legal_action_leaves_it_as_it_was(action, error, said):
    game = TokenTicTacToe(1)
    for refuse in (game.step, game.describe):
        with pytest.raises(error, match=said):
            refuse(action)
    assert game.history == [] and (game.board == example.EMPTY).all()


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (2**63, ValueError), ("a", TypeError), (1.5, TypeError)])
def test_what_is_no_seed_is_refused(seed, error):
    with pytest.raises(error, match="seed must"):
        TokenTicTacToe(seed)


def test_nobody_plays_on_once_it_is_over():
    game = finish(TokenTicTacToe(1), 1)
    with pytest.raises(IllegalActionError, match="action can be none once the game is over, not 0"):
        game.step(0)


# --- environments ---


def test_a_game_that_is_over_before_the_learner_decides_ends_with_the_first_step():
    env = GameEnv(WonAtOnce, "random", seat=1)
    _, info = env.reset(seed=1)
    assert info["action_mask"].all() and info["returns"] == (1.0, -1.0)
    _, reward, is_over, _, info = env.step(0)
    assert (reward, is_over, info["current_player"], len(env.game.history)) == (-1, True, -1, 1)
    agents = GameAEC(WonAtOnce)
    agents.reset(seed=1)
    agents.step(agents.game.legal_actions()[0])
    assert agents.rewards == {"player_0": 1.0, "player_1": -1.0} and all(agents.terminations.values())


def test_a_state_goes_back_and_those_of_other_games_are_refused():
    env = GameEnv(TokenTicTacToe)
    seen, _ = env.reset(seed=1)
    state = env.get_state()
    env.step(env.game.legal_actions()[0])
    assert (env.set_state(state)[0] == seen).all() and env.game.history == []
    with pytest.raises(TypeError, match="plays TokenTicTacToe, as this one does, not WonAtOnce"):
        env.set_state(GameEnv(WonAtOnce).get_state())

    class Larger(TokenTicTacToe):
        num_actions = 32

    Larger.__name__ = "TokenTicTacToe"
    with pytest.raises(ValueError, match="state is of 32 actions, and this environment of 18"):
        env.set_state(GameEnv(Larger).get_state())


ACTIONS = "legal_actions of Mine must return a list of some of 0 to 17 in ascending order, empty only at the end, not "
RETURNS = "returns of Mine must be 2 numbers, all 0 before the end, not "


@pytest.mark.parametrize(
    ("deal", "error", "said"),
    [
        (TokenTicTacToe(1), TypeError, "deal must be a class of games, or a function of a seed, not <"),
        (lambda seed: CardGame(), TypeError, "a PlayableGame, and CardGame lacks observation_space, observe"),
        (change(num_players=0), ValueError, "num_players of Mine must be at least 1, not 0"),
        (change(num_actions=18.0), TypeError, "num_actions of Mine must be a whole number, not 18.0"),
        (change(current_player=2, is_terminal=False), ValueError, "current_player of Mine must be one of -1, 0, 1, no"),
        *(
            (change(legal_actions=lambda game, given=given: given), ValueError, ACTIONS + re.escape(repr(given)))
            for given in ([0, 18], [1, 0], (0, 1), [True], None)
        ),
        (change(current_player=0, legal_actions=lambda game: []), ValueError, ACTIONS + r"\[\]"),
        (change(returns=lambda game: (0.0,)), ValueError, RETURNS + r"\(0.0,\)"),
        (change(returns=lambda game: (1.0, -1.0)), ValueError, RETURNS + r"\(1.0, -1.0\)"),
    ],
)
@pytest.mark.parametrize("take", [GameEnv, GameAEC, partial(openspiel.register_game, "mine")])
def test_what_deals_no_game_is_refused(take, deal, error, said):
    with pytest.raises(error, match=said):
        take(deal)


def test_a_game_in_place_of_what_makes_it_is_not_registered():
    with pytest.raises(TypeError, match="make must be a class of games, or a function of a seed, not <"):
        register_game("mine", TokenTicTacToe(1))
    assert "mine" not in FAMILIES


@pytest.mark.parametrize("environment", [GameEnv, GameAEC])
def test_an_observation_that_is_not_in_its_space_is_refused(environment):
    with pytest.raises(ValueError, match=r"observe of Mine must return what is in .*_space Box.*, not"):
        environment(change(observe=lambda game, player: np.zeros(3)))


def test_a_mask_of_actions_that_do_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"legal_actions of Mine must be 0 to 17, not \[0, 18\]"):
        change(legal_actions=lambda game: [0, 18])(1).legal_action_mask()


@pytest.mark.parametrize("environment", [GameEnv, GameAEC])
def test_pixels_are_refused_where_a_game_draws_none(environment):
    with pytest.raises(ValueError, match="render_mode must be one of None, 'ansi', 'human', not 'rgb_array'"):
        environment(TokenTicTacToe, render_mode="rgb_array")


def test_an_opponent_that_does_not_play_it_is_refused_at_once():
    with pytest.raises(TypeError, match="opponents: the agent 'mcts' plays games of tiles only, not token-tic-tac-toe"):
        GameEnv(TokenTicTacToe, "mcts")


def test_many_games_side_by_side():
    envs = gymnasium.make_vec("TokenTicTacToe-v0", 3, vectorization_mode="sync", vector_kwargs={}, opponents="random")
    seen, infos = envs.reset(seed=4)
    single, _ = GameEnv(TokenTicTacToe, "random").reset(seed=5)
    assert seen.shape == (3, 30) and (seen[1] == single).all()
    for _ in range(20):
        seen, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert seen.shape == (3, 30)
    envs.close()


def test_agents_see_their_own_side_and_the_mask_when_they_decide():
    env = GameAEC(TokenTicTacToe, render_mode="ansi")
    env.reset(seed=2)
    assert np.flatnonzero(env.observe("player_0")["action_mask"]).tolist() == env.game.legal_actions()
    assert not env.observe("player_1")["action_mask"].any()
    env.step(env.game.legal_actions()[0])
    mine, others = (env.observe(agent)["observation"] for agent in env.agents)
    assert mine[:9].sum() == 1 == others[9:18].sum() and (mine[18:] != others[18:]).any()
    assert env.render().count("X") == 1 and env.metadata["name"] == "TokenTicTacToe"
    with pytest.raises(IllegalActionError):
        env.step(int(env.observe("player_1")["action_mask"].argmin()))


def test_a_learner_learns_for_a_moment():
    model, result = example.learn(256, 0)
    assert model.num_timesteps == 256 and -1 <= result <= 1


# --- records ---


def test_a_record_names_the_players():
    game = TokenTicTacToe(seed=8)
    assert game.record()["players"] == ["player 0", "player 1"] and game.record(["a", "b"])["players"] == ["a", "b"]


def set_step(record, number, **changed):
    steps = record["steps"].copy()
    steps[number] = steps[number] | changed
    return record | {"steps": steps}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda record: "record", "record: must be an object, not text"),
        (lambda record: record | {"format": "zamek-record/1"}, "record, format: .* Game.replay replays such a record"),
        (lambda record: record | {"format": "other/1"}, "record, format: must be 'action-record/1', not 'other/1'"),
        (lambda record: record | {"game": "Chess"}, "record, game: must be 'TokenTicTacToe', not 'Chess'"),
        (lambda record: record | {"seed": "8"}, "record, seed: must be a whole number, not '8'"),
        (lambda record: record | {"seed": -8}, "record, seed: must lie in 0 to"),
        (lambda record: record | {"options": {"size": 4}}, "record, options: .*size"),
        (lambda record: record | {"players": ["a"]}, "record, players must be two names"),
        (lambda record: record | {"scores": [1, 0]}, r"record, scores: must be \[0, 0\], not \[1, 0\]"),
        (lambda record: record | {"returns": [0.0, 0.0]}, "record, returns: must be"),
        (lambda record: {key: record[key] for key in record if key != "steps"}, "record, steps: is missing"),
        (lambda record: record | {"steps": [3]}, r"steps\[0\]: must be an object, not 3"),
        (lambda record: set_step(record, 0, action=18), r"steps\[0\], action: action must be one of .*, not 18"),
        (lambda record: set_step(record, 1, player=0), r"steps\[1\], player: must be 1, not 0"),
        (lambda record: set_step(record, 1, text="z9"), r"steps\[1\], text: must be"),
        (lambda record: set_step(record, 1, action=True), r"steps\[1\], action: must be a whole number, not true"),
        (lambda record: record | {"steps": [*record["steps"], record["steps"][0]]}, "player: must be -1, not 0"),
    ],
)
def test_a_wrong_record_is_refused(spoil, said):
    game = finish(TokenTicTacToe(8), 8)
    assert game.winner is not None
    with pytest.raises(RecordError, match=said):
        TokenTicTacToe.replay(spoil(game.record()))


def test_a_game_redealt_has_no_record():
    with pytest.raises(ValueError, match="a redealt game has no record"):
        TokenTicTacToe(1).concealed(np.random.default_rng(0), None).record()


def test_other_arguments_of_a_game_stand_in_its_record():
    class WithCopies(TokenTicTacToe):
        def __init__(self, copies=2, seed=None):
            super().__init__(seed)
            self.options = {"copies": copies}
            self.bag = sorted(self.bag * copies)

    game = WithCopies(copies=3, seed=1)
    again = WithCopies.replay(game.record())
    assert again.bag == game.bag and len(game.bag) == 42


# --- OpenSpiel ---


def test_openspiel_plays_the_same_game():
    state = pyspiel.load_game(SPIEL).new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 1000
    state.apply_action(7)
    for game in play_randomly(TokenTicTacToe(7), 0):
        for action in game.history[-1:]:
            state.apply_action(action)
        for action in game.legal_actions():
            assert state.action_to_string(action) == f"{action}: {game.describe(action)}"
        assert state.legal_actions() == game.legal_actions() and str(state) == str(game)
        assert state.current_player() == (game.current_player if game.legal_actions() else pyspiel.PlayerId.TERMINAL)
        for player in range(2):
            assert np.array_equal(state.observation_tensor(player), game.observe(player))
    assert state.returns() == list(game.returns())
    assert pickle.loads(pickle.dumps(state)).history() == state.history()


def test_players_know_what_they_saw_and_did_and_nothing_else():
    game, rng = pyspiel.load_game(SPIEL), np.random.default_rng(0)
    state = game.new_initial_state()
    state.apply_action(7)
    texts = set()
    while not state.is_terminal():
        player = state.current_player()
        known = state.information_state_string(player)
        assert known not in texts and known.count(">") == (len(state.history()) - 1) // 2
        texts.add(known)
        other = state.resample_from_infostate(player, rng.uniform)
        assert other.information_state_string(player) == known and other.legal_actions() == state.legal_actions()
        state.apply_action(state.legal_actions()[0])
    assert len(texts) > 3


def test_a_resampled_state_has_another_future():
    state = pyspiel.load_game(SPIEL).new_initial_state()
    state.apply_action(7)
    rng, futures = np.random.default_rng(1), set()
    for _ in range(30):
        other = state.resample_from_infostate(0, rng.uniform)
        other.apply_action(other.legal_actions()[0])
        futures.add(other.observation_string(0))
    assert len(futures) > 3


@pytest.mark.parametrize("deals_hands", [True, False])
def test_openspiel_begins_at_a_position(deals_hands):
    game = TokenTicTacToe(7)
    game.step(game.legal_actions()[0])
    state = openspiel.begin_at(game, deals_hands=deals_hands).new_initial_state()
    game.step(game.legal_actions()[0])  # which is another game by now
    assert state.is_chance_node() == deals_hands
    if deals_hands:
        state.apply_action(3)
    assert str(state).count("X") == 1 and "O" not in str(state)
    with pytest.raises(ValueError, match="returns must be one of 'win', not 'margin'"):
        openspiel.begin_at(game, "margin")


def test_openspiel_shows_a_single_number():
    space = spaces.Box(0, 1, (), np.float32)
    game = change(observation_space=space, observe=lambda game, player: np.array(player, np.float32))(7)
    state = openspiel.begin_at(game, deals_hands=False).new_initial_state()
    assert [state.observation_tensor(player) for player in range(2)] == [[0], [1]]


def test_what_openspiel_cannot_make_is_refused():
    for deals, error in ((0, ValueError), ("a", TypeError)):
        with pytest.raises(error, match="deals must"):
            openspiel.register_game("refused", TokenTicTacToe, deals)
    with pytest.raises(ValueError, match="name must be none of zamek, carcassonne, castle_cards, not 'zamek'"):
        openspiel.register_game("zamek", TokenTicTacToe)
    with pytest.raises(TypeError, match="game must be a Game, a CastleCards or another PlayableGame, not int"):
        openspiel.begin_at(3)
    observer = {"observation": "planes"}
    with pytest.raises(ValueError, match=f"an observer of {SPIEL} has no parameters"):
        pyspiel.load_game(SPIEL).make_py_observer(params=observer)


# --- agents and the arena ---


def test_a_search_beats_random_play_in_the_arena():
    agents = [make_agent("openspiel-mcts:simulations=40"), make_agent("random")]
    (lineup,) = line_up(agents, 1, example.NAME, with_records=True)
    results = list(lineup.play(10))
    best, _ = find_shares(results)
    assert best.agent == "openspiel-mcts:simulations=40" and best.wins > 0.6
    for result in results:
        for game in result.games:
            assert TokenTicTacToe.replay(game.record).seed == result.deal


def test_a_search_takes_a_win_and_sees_nothing_hidden():
    agent = make_agent("openspiel-mcts:simulations=100")
    game = TokenTicTacToe(0)
    game.board[:] = [0, 0, -1, 1, 1, -1, -1, -1, -1]
    game.hands[0] = [0, 4]
    before = game.copy()
    assert game.format_action(ask(agent.act, game, np.random.default_rng(0))) == "1 for c1"
    assert (game.bag, game.hands) == (before.bag, before.hands) and (game.board == before.board).all()


@pytest.mark.parametrize(("name", "error"), [("zamek", ValueError), ("castle-cards", ValueError), (3, TypeError)])
def test_a_game_of_ones_own_takes_no_name_of_others(name, error):
    with pytest.raises(error, match="name must be"):
        register_game(name, TokenTicTacToe)
    assert isinstance(make_game("zamek", 0), Game)


def test_it_is_made_by_its_name():
    assert make_game(example.NAME, seed=4).bag == TokenTicTacToe(4).bag
    assert make_game(example.NAME, seed=4, players=2).bag == TokenTicTacToe(4).bag
    with pytest.raises(ValueError, match="players must be 2 for 'token-tic-tac-toe', not 3"):
        make_game(example.NAME, players=3)
    assert list_untrained(example.NAME) == ("random",)


def test_the_example_refuses_to_do_anything_less_than_once():
    check_counts(example.Args(), example.main, steps=-1)


def test_the_example_runs(capsys):
    example.main(example.Args(deals=2, simulations=5, steps=0))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("agent ") and len(lines) == 3
    assert {line.split()[0] for line in lines[1:]} == {"random", "openspiel-mcts:simulations=5"}


# --- datasets ---


class ShowsParts(TokenTicTacToe):
    """Shows stones and tokens as parts of a dict."""

    observation_space = spaces.Dict(
        {"stones": spaces.Box(-1, 1, (3, 3), np.int8), "mask": spaces.Box(0, 1, (6,), np.bool_)}
    )

    def observe(self, player):
        return {
            "stones": self.board.reshape(3, 3).astype(np.int8),
            "mask": np.bincount(self.hands[player], minlength=6) > 0,
        }


@pytest.fixture
def shows_parts(monkeypatch):
    monkeypatch.setitem(FAMILIES, "shows-parts", ShowsParts)
    return "shows-parts"


def play(name, count=3):
    return list(play_games([make_agent("random")] * 2, count, name, seed=2))


def look_again(games):
    """Return what each player saw, and which actions were legal, decision after decision."""
    seen, masks = [], []
    for played in games:
        game = type(played.game)(seed=played.game.seed)
        for action in played.game.history:
            seen.append(game.observe(game.current_player))
            masks.append(game.legal_action_mask())
            game.step(action)
    return seen, masks


def test_a_dataset_holds_what_players_saw_and_did(tmp_path):
    games = play(example.NAME)
    judge = Judge(Valuing(lambda count: np.full(count, 0.5), PROBABILITY))
    about = export(games, tmp_path / "games", ExportOptions(judge=judge))
    dataset = read_npz(tmp_path / "games")
    arrays, (seen, masks) = dataset.load(), look_again(games)
    assert arrays["observation"].dtype == np.float32 and (arrays["observation"] == seen).all()
    assert (unpack_masks(arrays["mask"], 18) == masks).all() and (arrays["values"] == 0.5).all()
    assert arrays["action"].tolist() == [action for played in games for action in played.game.history]
    assert arrays["notation"][0] == TokenTicTacToe(games[0].game.seed).format_action(int(arrays["action"][0]))
    for number, played in enumerate(games):
        for player, result in enumerate(played.game.returns()):
            rows = (arrays["game"] == number) & (arrays["player"] == player)
            assert set(arrays["outcome"][rows]) == {result} and arrays["reward"][rows].tolist()[-1] == result
    assert not arrays["scores"].any() and (about["ruleset"], about["agents"]) == (example.NAME, ["random"])
    assert verify(tmp_path / "games", judge=judge).with_values
    again = read_games(tmp_path / "games" / GAMES)
    assert [played.game.history for played in again] == [played.game.history for played in games]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [example.NAME, "shows-parts"])
def test_a_dataset_of_any_format_is_what_the_rules_say(kind, name, shows_parts, tmp_path):
    need(kind)
    export(play(name), tmp_path / "games-v0", ExportOptions(kind))
    assert verify(tmp_path / "games-v0").games == 3


def test_parts_of_an_observation_are_columns_of_their_own(shows_parts, tmp_path):
    games = play(shows_parts)
    export(games, tmp_path / "games")
    arrays, (seen, masks) = read_npz(tmp_path / "games").load(), look_again(games)
    for part in ("stones", "mask"):
        column = arrays[f"observation_{part}"]
        assert column.dtype == ShowsParts.observation_space[part].dtype
        assert np.array_equal(column, [each[part] for each in seen])
    assert (unpack_masks(arrays["mask"], 18) == masks).all()


@pytest.mark.parametrize("name", [example.NAME, "shows-parts"])
def test_minari_reads_what_the_game_shows(name, shows_parts, tmp_path):
    minari = pytest.importorskip("minari")
    games = play(name)
    export(games, tmp_path / "mine-v0", ExportOptions("minari"))
    data = minari.MinariDataset(str(tmp_path / "mine-v0" / "data"))
    space = type(games[0].game).observation_space
    assert data.observation_space == space and data.action_space == spaces.Discrete(18) and data.env_spec is None
    assert len(data) == 6
    last = data[0].observations if name == example.NAME else data[0].observations["stones"]
    due = games[0].game.observe(0)
    assert np.array_equal(last[-1], due if name == example.NAME else due["stones"])


def test_a_card_of_parquet_says_what_the_game_shows(shows_parts, tmp_path):
    need("hf-parquet")
    export(play(shows_parts, 1), tmp_path / "games", ExportOptions("hf-parquet"))
    card = (tmp_path / "games" / "README.md").read_text()
    assert "- shows-parts\n" in card and "| `observation_stones` | what that player sees: 3 × 3 numbers |" in card


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"reward": "score"}, f"reward must be win for {example.NAME}, whose rewards are results, not score"),
        ({"observation": ("rows",)}, r"observation must be left out for a TokenTicTacToe, not \('rows',\)"),
    ],
)
def test_what_not_every_game_has_is_refused(changed, reason, tmp_path):
    with pytest.raises(ValueError, match=f"^{reason}$"):
        export(play(example.NAME, 1), tmp_path / "games", ExportOptions(**changed))
    assert not list(tmp_path.iterdir())


ODD_NAMES = spaces.Dict({"a/b": spaces.Box(0, 1)})


@pytest.mark.parametrize(
    ("name", "attributes", "reason"),
    [
        (None, {}, "the ruleset of games in a dataset must be one of 'zamek', .*, not 'Mine'"),
        (
            "a",
            {"observation_space": ODD_NAMES},
            "observation must have parts whose names are .*, not 'observation_a/b'",
        ),
        ("b", {"observation_space": spaces.Discrete(3)}, r"observation_space must be a Box .*, not Discrete\(3\)"),
        ("c", {"observation_space": spaces.Box(0, 1, (2,))}, r"observation must be of shape \(2,\), not \(30,\)"),
        ("d", {"num_players": 17}, "players must be a whole number in 1 to 16, not 17"),
        ("so and so", {}, "ruleset must be letters, digits, - and _, not 'so and so'"),
    ],
)
def test_games_that_a_dataset_cannot_hold_are_refused(name, attributes, reason, tmp_path, monkeypatch):
    kind = type("Mine", (TokenTicTacToe,), attributes)
    if name:
        monkeypatch.setitem(FAMILIES, name, kind)
    game = kind(1)
    while not game.is_terminal:
        game.step(game.legal_actions()[0])
    with pytest.raises(ValueError, match=f"^{reason}$"):
        export([FinishedGame({}, game)], tmp_path / "games")
    assert not list(tmp_path.iterdir())


def test_a_game_that_cannot_be_played_again_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(FAMILIES, "cards", CardGame)
    with pytest.raises(ValueError, match="games in a dataset must have retrace, as PlainGame has, not CardGame"):
        export([FinishedGame({}, CardGame(seed=1))], tmp_path / "games")


def test_arrays_are_read_without_the_game_and_records_are_not(tmp_path, monkeypatch):
    export(play(example.NAME, 1), tmp_path / "games")
    monkeypatch.delitem(FAMILIES, example.NAME)
    assert read_npz(tmp_path / "games").load()["observation"].shape[1:] == (30,)
    with pytest.raises(RecordError, match="record, game: must be a class that register_game was given, not 'TokenTic"):
        verify(tmp_path / "games")


def test_a_changed_observation_is_found(tmp_path):
    export(play(example.NAME, 1), tmp_path / "games")
    observation = read_npz(tmp_path / "games").load()["observation"]
    observation[1, 3] += 0.5
    rewrite(tmp_path / "games", observation=observation)
    with pytest.raises(ValueError, match="game 0: observation: entry 1 is not what the rules say"):
        verify(tmp_path / "games")


SHOWN = [  # as the observation in a description, and why it is refused
    ({}, "observation must be dtype and shape of each array, not {}"),
    ([30], r"observation must be dtype and shape of each array, not \[30\]"),
    ({"mask": {"dtype": "int8", "shape": [3]}}, "observation must have parts whose names .* 'mask'"),
    ({"observation": 30}, "observation must be its dtype and shape, not 30"),
    ({"observation": {"dtype": "O", "shape": [30]}}, "dtype of observation must be one of 'bool', "),
    ({"observation": {"dtype": "int8", "shape": [0]}}, "shape of observation must be lengths of an"),
    ({"observation": {"dtype": "int8"}}, "shape of observation must be lengths of an array, not No"),
]


@pytest.mark.parametrize(
    ("look", "changed", "reason"),
    [
        *((read_npz, {"observation": shown}, reason) for shown, reason in SHOWN),
        (read_npz, {"ruleset": "zamek"}, "ruleset must be letters, digits, - and _, not 'zamek'"),
        (verify, {"num_actions": 19}, "ruleset: game 0 is of another ruleset"),
        (verify, {"reward": "delta"}, "game 0: reward must be win for token-tic-tac-toe, whose rewards are results, n"),
    ],
)
def test_a_description_that_cannot_be_right_is_refused_by_field(look, changed, reason, tmp_path):
    export(play(example.NAME, 1), tmp_path / "games")
    seal(tmp_path / "games", **changed)
    with pytest.raises(ValueError, match=f"{ABOUT}: {reason}"):
        look(tmp_path / "games")


def test_a_record_of_it_comes_without_components(tmp_path):
    export(play(example.NAME, 1), tmp_path / "games")
    with pytest.raises(RecordError, match="line 1: record, game: TokenTicTacToe has no components"):
        next(read_games(tmp_path / "games" / GAMES, tmp_path))


def test_the_command_exports_and_checks_what_this_process_knows(tmp_path, capsys, refused):
    command = {"play": 2, "agents": ("random",) * 2, "ruleset": example.NAME, "workers": 1}
    main(Args(out=tmp_path / "games", **command))
    assert f"2 games of {example.NAME}, " in capsys.readouterr().out
    main(Args(check=tmp_path / "games"))
    assert "all arrays are what the rules say" in capsys.readouterr().out
    refusal = refused(main, Args(out=tmp_path / "more", reward="score", **command))
    assert f"--reward: reward must be win for {example.NAME}" in refusal


# --- commands ---

MINE = '''
import numpy as np
from gymnasium import spaces

from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_env.make_game import register_game
from zamek_env.plain_game import PlainGame


class Nim(PlainGame):
    """Three players take one or two matches in turn; who takes the last one wins."""

    num_players, num_actions = 3, 2
    observation_space = spaces.Box(0, 9, (1,), np.float32)

    def __init__(self, seed=None):
        super().__init__(seed)
        self.left, self.turn = int(np.random.default_rng(self.seed).integers(5, 10)), 0

    current_player = property(lambda self: self.turn % 3 if self.left else -1)

    def legal_actions(self):
        return list(range(min(2, self.left)))

    def play(self, action):
        self.left -= action + 1
        self.turn += 1

    def returns(self):
        winner = (self.turn - 1) % 3 if not self.left else None
        return [0.0 if winner is None else 1.0 if player == winner else -1.0 for player in range(3)]

    def observe(self, player):
        return np.array([self.left], np.float32)

    def shuffle_hidden(self, rng, observer):
        pass

    def format_action(self, action):
        return f"take {action + 1}"

    def __str__(self):
        return f"{self.left} matches"


class Knows:
    name = "knows"

    def act(self, game, rng):
        return game.legal_actions()[-1]

    def evaluate(self, game, rng):
        legal = game.legal_actions()
        return Evaluation(legal, np.full(len(legal), 0.5), PROBABILITY)


register_game("nim", Nim)
'''


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return what runs a command in a folder with the module `mine`, and returns its exit code and what it printed."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "breaks.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    # modules that other tests have called so are none of these
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if not Path(folder, "mine.py").exists()])
    sys.modules.pop("mine", None)
    known = dict(FAMILIES)

    def run(line):
        try:
            code = cli.main(line.split())
        except SystemExit as error:
            code = error.code
        return code, *capsys.readouterr()

    yield run
    FAMILIES.clear()
    FAMILIES.update(known)
    sys.modules.pop("mine", None)


class Typed:
    """What is typed at a terminal, line by line, and then its end."""

    def __init__(self, monkeypatch, *lines):
        self.waiting = list(lines)
        monkeypatch.setattr("builtins.input", self.read)

    def read(self, prompt=""):
        print(prompt)
        if not self.waiting:
            raise EOFError
        return self.waiting.pop(0)


def test_a_person_plays_it_in_the_terminal_and_goes_on_with_it_later(run, monkeypatch, tmp_path):
    options = "--terminal --pace 0 --against mine:Knows"
    Typed(monkeypatch, "list", "take 9", "undo", "TAKE 2", "hint")
    code, shown, _ = run(f"play --ruleset mine:nim {options} --keep game.json --hints --seed 4")
    assert code == 0 and "8 matches\n" in shown and "You: choose what to play (2 choices" in shown
    assert "   1  take 1\n   2  take 2\n" in shown and "text must be an action, not 'take 9'" in shown
    assert "nothing can be taken back" in shown and "  take 1  50%\n" in shown and "Game over" not in shown
    assert "knows (third): decides something that others do not see" in shown  # the game does not say that it is open
    again = "--resume game.json --against mine:Knows mine:Knows --seat 0 --ruleset mine:nim --terminal"
    assert again in shown.splitlines()[-1]
    kept = json.loads((tmp_path / "game.json").read_text())
    assert (kept["ruleset"], kept["actions"]) == ("mine:nim", ["take 2", "take 2", "take 2"])
    Typed(monkeypatch, "2")
    code, shown, _ = run(f"play {again} --pace 0")
    assert code == 0 and "Game over: You won.\n" in shown


def test_a_kept_file_imports_no_module(run, monkeypatch, tmp_path):
    Typed(monkeypatch)
    run("play --ruleset mine:nim --terminal --pace 0 --keep game.json")
    (tmp_path / "trap.py").write_text("open('caught', 'w')")
    text = (tmp_path / "game.json").read_text()
    (tmp_path / "trap.json").write_text(text.replace("mine:nim", "trap:nim"))
    sys.modules.pop("mine")
    for line, reason in (
        ("--resume game.json", "ruleset 'mine:nim': a game of your own is not started by a file; to go on with it, na"),
        ("--resume trap.json", "ruleset 'trap:nim': a game of your own is not started by a file"),
        ("--resume trap.json --ruleset mine:nim", "ruleset 'trap:nim': it must be that of --ruleset, mine:nim"),
        ("--resume game.json --ruleset zamek", "--ruleset cannot be given with --resume"),
    ):
        code, _, said = run(f"play --terminal {line}")
        assert (code, said.count("\n")) == (2, 1) and reason in said
    assert not (tmp_path / "caught").exists() and not {"mine", "trap"} & sys.modules.keys()


def test_actions_with_the_same_words_are_told_apart_by_their_numbers(monkeypatch):
    monkeypatch.setattr(TokenTicTacToe, "format_action", lambda self, action: "lay")
    game, presenter = TokenTicTacToe(3), Presenter()
    names = [choice["action"] for choice in presenter.list_choices(game)]
    assert names == [f"lay ({action})" for action in game.legal_actions()]
    assert [presenter.read(game, name) for name in names] == game.legal_actions()
    with pytest.raises(ValueError, match="text must be an action, not 'lay'"):
        presenter.read(game, "lay")


def test_a_move_that_the_game_calls_open_is_told_to_all():
    kept = KeptGame("token-tic-tac-toe", None, 3, ("random", "human"))
    session = Session(TokenTicTacToe(3), kept, [RandomAgent(), None])
    session.start()
    while not session.is_persons_turn:
        time.sleep(0.01)
    (move,) = session.view()["moves"]
    assert move["words"] == TokenTicTacToe(3).describe(session.game.history[0])


def test_commands_play_a_game_of_a_module(run):
    _, shown, _ = run("show --ruleset mine:nim --seed 1")
    assert shown.startswith("0 matches\n") and sorted(re.findall(r"[+-]1", shown)) == ["+1", "-1", "-1"]
    code, shown, _ = run("evaluate --ruleset mine:nim --agents random random mine:Knows --games 6 --workers 1")
    assert code == 0 and "games of 3 players" in shown and "knows" in shown
    assert type(make_game("mine:nim")) is sys.modules["mine"].Nim


@pytest.mark.parametrize("to", KINDS)
def test_commands_write_its_datasets_and_check_them(to, run):
    need(to)
    _, shown, _ = run(f"export --ruleset mine:nim --play 3 --to {to} --values mine:Knows --workers 1 -o nim-v0")
    assert shown.startswith("3 games of nim, ")
    _, shown, _ = run("export --ruleset mine:nim --check nim-v0 --values mine:Knows")
    assert shown.startswith("3 games, ") and shown.endswith("the values were compared, too\n")


@pytest.mark.long
def test_workers_play_and_judge_what_one_process_does(run, tmp_path):
    for workers in (1, 2):
        options = f"--values mine:Knows --workers {workers} -o of-{workers}"
        assert run(f"export --ruleset mine:nim --play 5 {options}")[0] == 0
    one, two = (tmp_path / f"of-{workers}" for workers in (1, 2))
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in (GAMES, "shard-00000.npz"))


def test_a_command_reads_its_records_where_it_is_named(run):
    run("evaluate --ruleset mine:nim --agents random random random --games 3 --workers 1 --records games.jsonl")
    assert run("export games.jsonl --ruleset mine:nim -o games")[1].startswith("3 games of nim, ")
    FAMILIES.pop("nim")
    code, _, said = run("export games.jsonl -o others")
    assert code == 2 and "game: must be a class that register_game was given, not 'Nim'" in said.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("show --ruleset none:nim", "show: --ruleset: the game 'none:nim': there is no module 'none', neither"),
        ("show --ruleset mine:nom", "show: --ruleset: the game 'mine:nom': mine must register 'nom' by register_"),
        ("show --ruleset no/mine:nim", "--ruleset: the game 'no/mine:nim' must be called MODULE:NAME, by a module"),
        ("show --ruleset breaks:nim", "the game 'breaks:nim': importing breaks failed with ZeroDivisionError"),
        ("show --ruleset nim", "--ruleset must be one of zamek, .*, castle-cards.*, MODULE:NAME, not 'nim'; a"),
        ("show --ruleset mine:nim --svg a.svg", "--svg is for games that have a method draw_svg, not for mine:nim"),
        ("show --ruleset mine:nim --rules river", "--rules is for games of tiles only, not for mine:nim"),
        ("show --ruleset mine:nim --agents random", "--agents: players must be 3 for 'mine:nim', not 1"),
        ("show --ruleset mine:nim --agents greedy greedy greedy", "the agent 'greedy' plays games of tiles"),
        ("evaluate --ruleset none:nim", "evaluate: --ruleset: the game 'none:nim': there is no module 'none'"),
        ("evaluate --ruleset mine:nim --html pages", "--html is for games of tiles and castle-cards only, not for"),
        ("evaluate --ruleset mine:nim --out kept", "--out is for games of tiles only, not for mine:nim"),
        ("evaluate --ruleset mine:nim --players 2", "--players must be 3 for 'mine:nim', not 2"),
        ("evaluate --ruleset mine:nim --ladder", "--agents must name 3 or more, those of --ladder included, not 2"),
        ("export --ruleset none:nim --play 1 -o a", "export: --ruleset: the game 'none:nim': there is no module"),
        ("export --ruleset none:nim --check a", "export: --ruleset: the game 'none:nim': there is no module"),
        ("export --ruleset mine:nim --play 1 -o a --components b", "--components is for games of tiles only, not for"),
        ("export --ruleset mine:nim --play 1 -o a --reward score", "--reward: reward must be win for nim"),
        ("export --ruleset mine:nim --play 1 -o a --observation rows", "observation must be left out for a Nim"),
        ("play --ruleset mine:nim", "play: --ruleset: mine:nim has no pictures for a page; play it in the terminal"),
        ("play --terminal --ruleset none:nim", "play: --ruleset: the game 'none:nim': there is no module 'none'"),
        ("play --terminal --ruleset mine:nim --players 2", "play: --players must be 3 for 'mine:nim', not 2"),
        ("play --terminal --ruleset mine:nim --against greedy", "play: the agent 'greedy' plays games of tiles"),
        ("play --terminal --ruleset mine:nim --hints", "play: --hints: the agent 'random' does not evaluate choices"),
        ("play --terminal --ruleset mine:nim --rules river", "--rules is for games of tiles only, not for mine:nim"),
        ("train --ruleset mine:nim", "train: --ruleset must be one of zamek, .*, not 'mine:nim'"),
    ],
)
def test_commands_refuse_in_one_line_what_such_a_game_does_not_have(line, reason, run):
    code, _, said = run(line)
    assert (code, said.count("\n")) == (2, 1) and re.search(reason, said)


# --- the games of this package are such games too ---


@pytest.mark.plays("zamek", "castle-cards")
@pytest.mark.parametrize("deal", [Game, partial(CastleCards, 3)])
def test_the_games_of_the_package_play_in_the_same_environment(deal):
    env = GameEnv(deal)
    assert isinstance(env.game, PlayableGame)
    seen, info = env.reset(seed=3)
    for _ in range(5):
        assert env.observation_space.contains(seen)
        seen, _, _, _, info = env.step(int(info["action_mask"].argmax()))


@pytest.mark.plays("zamek", "castle-cards")
@pytest.mark.parametrize("deal", [Game, partial(CastleCards, 3), TokenTicTacToe])
def test_a_game_is_retraced_as_it_was_played(deal):
    game, before = deal(seed=3), []
    for _ in range(6):
        before.append(game.copy())
        game.step(game.legal_actions()[-1])
    for (again, action), due, played in zip(game.retrace(), before, game.history, strict=True):
        assert again is not game and str(again) == str(due) and again.legal_actions() == due.legal_actions()
        assert action == played
    assert str(again) == str(game) and again.history == game.history


@pytest.mark.plays("castle-cards")
@pytest.mark.parametrize("deal", [CastleCards, TokenTicTacToe])
def test_a_game_that_was_redealt_cannot_be_retraced(deal):
    game = deal(seed=3)
    game.redeal(np.random.default_rng(0), 0)
    with pytest.raises(ValueError, match="a redealt game has no record"):
        next(game.retrace())
