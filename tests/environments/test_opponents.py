"""Opponents by name or as callables, in `ZamekEnv` and in `ZamekVectorEnv` alike."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.support.games import finish
from tests.support.installed_agents import OURS, installed
from tests.support.rulesets import SHORTEST
from tests.support.side_by_side import play_side_by_side
from zamek_agents import GreedyAgent, RandomAgent
from zamek_agents.castle_cards.ismcts import ISMCTSAgent
from zamek_agents.pretrained import find_path
from zamek_env import Game, IllegalActionError
from zamek_env.environments.opponents import Opponent
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

RULESET = "zamek"
__all__ = ["installed"]
pytestmark = pytest.mark.usefixtures("installed")


def first(game, rng):
    return game.legal_actions()[0]


def at_random(game, rng):
    """Play at random, by a callable that is no agent of the package."""
    return int(rng.choice(game.legal_actions()))


class Fails:
    """Plays on a few decisions and then says something else, or raises it."""

    def __init__(self, answer, after):
        self.answer, self.left = answer, after

    def __call__(self, game, rng):
        rng.random()  # so that chance would go on
        self.left -= 1
        if self.left >= 0:
            return game.legal_actions()[0]
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def take_down(env):
    many = env._batch
    lasts = (many.last_planes, many.last_masks, many.last_vectors)
    arrays = (many.states, many.episodes, many.outcomes, env._dealer.upcoming, *env._seen, *lasts)
    generators = [one and one.bit_generator.state for one in (*env._dealer.generators, *env._asked._chances)]
    return [array.tobytes() for array in (*arrays, env._deals)], generators, env._asked._histories


def choose(masks, rng):
    return [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]


def play(env, steps, seed=0):
    """Yield (info before, what a step returned) of so many random steps."""
    rng, (_, info) = np.random.default_rng(seed), env.reset(seed=seed)
    for _ in range(steps):
        before = info
        *results, info = env.step(choose(info["action_mask"], rng))
        yield before, (*results, info)


# --- one game ---


@pytest.mark.parametrize("name", ["random", "greedy", "zamek_agents.heuristic:GreedyAgent"])
def test_an_opponent_can_be_named(name):
    env = ZamekEnv(RULESET, opponent=name, seat=0)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(env.game.legal_actions()[0])
    assert env.game.is_terminal and info["current_player"] == -1 and env.opponent == name


def test_a_named_opponent_plays_as_its_agent_does():
    envs = [ZamekEnv(RULESET, opponent=opponent, seat=1) for opponent in ("greedy", GreedyAgent().act)]
    for env in envs:
        env.reset(seed=2)
    while not envs[0].game.is_terminal:
        assert envs[0].game.history == envs[1].game.history
        for env in envs:
            env.step(env.game.legal_actions()[-1])
    assert envs[0].game.history == envs[1].game.history


@pytest.mark.parametrize("make", [ZamekEnv, ZamekVectorEnv])
def test_a_copy_has_its_opponent_wherever_the_program_is_by_then(make, tmp_path, monkeypatch):
    (tmp_path / "last_choice.py").write_text(
        "class Last:\n    def act(self, game, rng):\n        return game.legal_actions()[-1]\n"
    )
    monkeypatch.chdir(tmp_path)
    env = make(ruleset=RULESET, opponent="last_choice.py:Last")
    monkeypatch.chdir("/")
    twin = copy.deepcopy(env)
    assert twin.reset(seed=3)[1]["deal"] == env.reset(seed=3)[1]["deal"]


@pytest.mark.compiles
@pytest.mark.parametrize("make", [ZamekEnv, ZamekVectorEnv])
@pytest.mark.parametrize("name", ["opponent", "opponents"])
@pytest.mark.parametrize("given", ["greedy", "value", lambda game, rng: 0])
def test_who_plays_alone_has_no_opponents(make, name, given):
    with pytest.raises(ValueError, match=f"^{name} must be None where one plays alone, not "):
        make(ruleset="carcassonne-demo", players=1, **{name: given})
    make(ruleset="carcassonne-demo", players=1, opponents=[])


@pytest.mark.parametrize("make", [ZamekEnv, ZamekVectorEnv])
@pytest.mark.parametrize(
    ("opponent", "error", "said"),
    [
        ("gready", ValueError, "opponent: an agent must be one of random, greedy, value, .*, not 'gready'"),
        ("mcts:depth=3", ValueError, "opponent: the agent 'mcts:depth=3': an option must be KEY=VALUE"),
        ("nobody.py:Agent", FileNotFoundError, r"there is no file 'nobody\.py'"),
        (["greedy", "random"], ValueError, "^opponent must be one for all, or a list of 1 for 2 players, not "),
        ([], ValueError, r"^opponent must be one for all, or a list of 1 for 2 players, not \[\]$"),
        ([None], TypeError, r"^opponent must hold a name or a callable for each other player, not \[None\]$"),
        (lambda obs: 0, TypeError, r"^opponent must be callable as opponent\(game, rng\), not as opponent\(obs\)$"),
        (3, TypeError, r"opponent must be None, the name of an agent or a callable \(game, rng\) -> action, not 3$"),
        (GreedyAgent(), TypeError, r"opponent must be None, .*, not <.*>; hand over its method, opponent=agent\.act$"),
        (GreedyAgent, TypeError, r"not <class .*>; make an agent of this class and .*, opponent=GreedyAgent\(\)\.act$"),
    ],
)
def test_what_is_no_opponent_is_refused(make, opponent, error, said):
    with pytest.raises(error, match=said):
        make(ruleset=RULESET, opponent=opponent)


def test_names_need_the_package_that_offers_them(monkeypatch):
    pickled = pickle.dumps(Opponent("greedy", "opponents"))
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: [])
    with pytest.raises(ValueError, match=r"^opponents: an agent must be one of MODULE:CLASS, "):
        pickle.loads(pickled)
    with pytest.raises(ValueError, match=r"opponent: an agent must be one of MODULE:CLASS, .*not 'greedy'"):
        ZamekEnv(opponent="greedy")
    ZamekVectorEnv(opponent="greedy")  # which is compiled


@pytest.mark.parametrize("answer", [-1, 10**6, None, "raises"])
def test_an_opponent_that_fails_leaves_the_episode_as_it_was(answer):
    error = {-1: IllegalActionError, 10**6: IllegalActionError, None: TypeError}.get(answer, ZeroDivisionError)
    opponent = Fails(ZeroDivisionError() if answer == "raises" else answer, after=20)
    env = ZamekEnv(RULESET, opponent=opponent, seat=0)
    env.reset(seed=1)
    with pytest.raises(error, match=None if answer == "raises" else "the opponent's answer") as raised:
        while True:
            before, chance = env.game.copy(), env._chance.bit_generator.state
            env.step(env.game.legal_actions()[0])
    assert raised.value.__notes__ == ["while the opponent decided for player 1"]
    assert env.game.state.tobytes() == before.state.tobytes() and env.game.history == before.history
    assert env._chance.bit_generator.state == chance
    opponent.left = 1000
    assert env.step(env.game.legal_actions()[0])[2] is False
    opponent.left = 0
    env = ZamekEnv(RULESET, opponent=opponent, seat=1)
    with pytest.raises(error):
        env.reset(seed=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_opponent_that_fails_at_once_leaves_the_last_episode():
    opponent = Fails(ZeroDivisionError(), after=10**6)
    env = ZamekEnv(RULESET, opponent=opponent, seat=1)
    info = env.reset(seed=1)[1]
    twin = copy.deepcopy(env)
    opponent.left = 0
    with pytest.raises(ZeroDivisionError):
        env.reset(seed=2)
    opponent.left = 10**6
    action = int(info["action_mask"].argmax())
    assert env.step(action)[4]["deal"] == twin.step(action)[4]["deal"] == info["deal"]
    assert env.game == twin.game and env.game.history == twin.game.history
    assert env.reset()[1]["deal"] == twin.reset()[1]["deal"]


# --- many games ---


@pytest.mark.parametrize("seat", [0, 1, "random"])
@pytest.mark.parametrize("reward", ["win", "score", "delta"])
@pytest.mark.parametrize("opponent", [at_random, "zamek_agents.heuristic:GreedyAgent"])
def test_many_games_are_those_of_single_environments(seat, reward, opponent):
    settings = {"ruleset": RULESET, "opponent": opponent, "seat": seat, "reward": reward}
    many = ZamekVectorEnv(3, **settings, autoreset_mode=AutoresetMode.SAME_STEP)
    assert len([*play_side_by_side(many, [ZamekEnv(**settings) for _ in range(3)], 7, 150)]) >= 3


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_games_of_an_asked_opponent_end_and_begin_as_those_of_a_compiled_one(mode):
    """The same deals and seats, the same entries of `info`, and the learner to decide wherever a game goes on."""
    names = ("greedy", "zamek_agents.heuristic:GreedyAgent")
    envs = [ZamekVectorEnv(3, RULESET, opponent=name, autoreset_mode=mode, reward="delta") for name in names]
    results = []
    for env in envs:
        rng, (_, info) = np.random.default_rng(1), env.reset(seed=5)
        episodes, over, waiting = [[] for _ in range(3)], np.zeros(3, bool), np.zeros(3, bool)
        for _ in range(170):
            if mode == AutoresetMode.DISABLED and over.any():
                _, info = env.reset(options={"reset_mask": over})
            learners, deals = info["current_player"], info["deal"]
            _, rewards, over, truncated, info = env.step(choose(info["action_mask"], rng))
            assert not truncated.any() and ("result" in info) == over.any()
            if mode == AutoresetMode.NEXT_STEP:
                assert not rewards[waiting].any() and not over[waiting].any()
            waiting = over & (mode == AutoresetMode.NEXT_STEP)
            for game in np.flatnonzero(over):
                points = info["result"]["scores"][game]
                gain = (points[learners[game]] - points[1 - learners[game]]) / 100
                assert info["result"]["total_reward"][game] == pytest.approx(gain)
                episodes[game].append((int(deals[game]), int(learners[game])))
            goes_on = ~over if mode != AutoresetMode.SAME_STEP else np.ones(3, bool)
            assert info["action_mask"][goes_on].any(axis=1).all()
            assert (info["current_player"][goes_on] >= 0).all()
        results.append([each[:2] for each in episodes])
    assert results[0] == results[1] and all(len(each) == 2 for each in results[0])


def test_answers_follow_from_the_deal_whatever_the_seed():
    results = []
    for seed, deal in ((1, 5), (2, 5), (1, 6)):
        env = ZamekEnv(RULESET, opponent=at_random, seat=1)
        env.reset(seed=seed, options={"deal": deal})
        results.append(
            [env.game.history, *(env.step(env.game.legal_actions()[0])[0]["planes"].tobytes() for _ in range(9))]
        )
    assert results[0] == results[1] != results[2]
    answers = {find_first_answer(deal) for deal in range(20)}
    assert len(answers) > 3  # other deals bring other numbers too, not only other tiles


def find_first_answer(deal):
    """Return which of the legal actions an opponent who begins chooses, by its place among them."""
    env = ZamekEnv(RULESET, opponent=at_random, seat=1)
    env.reset(options={"deal": deal})
    return Game(RULESET, seed=deal).legal_actions().index(env.game.history[0])


def test_only_chosen_games_are_played():
    env = ZamekVectorEnv(3, RULESET, opponent=at_random, seat=0)
    env.reset(seed=4)
    chosen = np.array([True, False, True])
    for _ in range(30):
        before = env.states.copy(), env._asked._histories[1]
        env.step_chosen(env.action_masks().argmax(axis=1), chosen)
        assert (env.states == before[0]).tolist() == [False, True, False] and env._asked._histories[1] == before[1]


@pytest.mark.parametrize("on_illegal", ["lose", "raise"])
def test_an_illegal_action_of_the_learner_gets_no_answer(on_illegal):
    asked = []

    def opponent(game, rng):
        asked.append(game.current_player)
        return game.legal_actions()[0]

    env = ZamekVectorEnv(2, RULESET, opponent=opponent, seat=0, on_illegal=on_illegal, autoreset_mode="Disabled")
    env.reset(seed=1)
    before, legal = take_down(env), env.action_masks()
    actions = [int(np.flatnonzero(~legal[0])[0]), int(np.flatnonzero(legal[1])[0])]
    if on_illegal == "raise":
        with pytest.raises(IllegalActionError, match="game 0"):
            env.step(actions)
        assert take_down(env) == before and not asked
        return
    _, rewards, over, _, info = env.step(actions)
    assert rewards[0] == -1 and over.tolist() == [True, False] and info["illegal_action"].tolist() == [True, False]
    assert set(asked) <= {1}


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("answer", [-1, 10**6, None, "raises"])
def test_an_opponent_that_fails_leaves_all_games_as_they_were(answer, holds):
    error = {-1: IllegalActionError, 10**6: IllegalActionError, None: TypeError}.get(answer, ZeroDivisionError)
    opponent = Fails(ZeroDivisionError() if answer == "raises" else answer, after=101)
    env = ZamekVectorEnv(3, RULESET, opponent=opponent)
    held = [env.reset(seed=1)] * holds
    with pytest.raises(error, match=None if answer == "raises" else "the opponent's answer") as failed:
        while True:
            before = copy.deepcopy(take_down(env))
            held[:] = [env.step(env.action_masks().argmax(axis=1))] * holds
    assert take_down(env) == before
    told, where = failed.value.__notes__
    assert told.startswith("while the opponent decided for player ") and where.startswith("in game ")
    opponent.left = 1
    with pytest.raises(error):
        env.reset(seed=3)
    assert take_down(env) == before
    opponent.left = 1000
    env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_what_an_opponent_is_told_of_a_game_is_what_led_there_in_every_episode(mode):
    numbers_seen = []

    def retrace(game, rng):
        again = Game(RULESET, seed=7)
        for action in game.history:
            again.step(action)
        assert again.position() == game.position()
        numbers_seen.append(len(game.history))
        return first(game, rng)

    env = ZamekVectorEnv(1, RULESET, opponent=retrace, seat=1, max_episode_steps=3, autoreset_mode=mode)
    env.reset(seed=1, options={"deal": 7})
    over = np.zeros(1, bool)
    for _ in range(12):
        env._batch.episodes["next_deal"] = 7  # what a game that ends is dealt next
        if mode == AutoresetMode.DISABLED and over[0]:
            env.reset(options={"reset_mask": over, "deal": 7})
        *_, over, _ = env.step(env.action_masks().argmax(axis=1))
    assert numbers_seen.count(0) >= 3 and max(numbers_seen) > 3


def test_an_opponent_of_many_games_can_read_nothing_hidden():
    handed = []

    def peek(game, rng):
        handed.append((game.seed, game.history, game.state[0]))
        action = game.legal_actions()[0]
        game.raw_states.fill(0)  # which counts for nothing
        return action

    env, seen_ahead = ZamekVectorEnv(1, RULESET, opponent=peek, seat=1), 0
    env.reset(seed=6)
    for _ in range(8):
        s, history = env.states[0].copy(), env._asked._histories[0]
        seen_ahead += sum(tuple(seen.deck[s.drawn :]) == tuple(s.deck[s.drawn :]) for *_, seen in handed)
        assert all(seed is None and known == history[: len(known)] for seed, known, _ in handed)
        env.step(env.action_masks().argmax(axis=1))
    assert len({tuple(seen.deck) for *_, seen in handed}) > 5 and seen_ahead == 0


# --- a game from a state ---


def test_a_game_goes_on_from_a_state():
    game = Game(RULESET, seed=3)
    for _ in range(20):
        game.step(game.legal_actions()[-1])
    twin = Game.from_state(game.ruleset, np.concatenate([Game(RULESET, seed=4).state, game.state]), 1, game.history)
    assert twin.state.tobytes() == game.state.tobytes() and twin.history == game.history and twin.seed is None
    before = game.state.tobytes()
    assert finish(twin).record()["turns"][:3] == game.record()["turns"][:3]
    assert game.state.tobytes() == before
    for wrong in (Game(SHORTEST, seed=1).state, game.state[0], None, np.zeros(3)):
        with pytest.raises(ValueError, match=r"states must be shape \(n,\) of the states of the ruleset 'zamek', not"):
            Game.from_state(game.ruleset, wrong)
    with pytest.raises(ValueError, match=r"not shape \(1, 1\)$"):
        Game.from_state(game.ruleset, game.state[np.newaxis])


def test_a_game_from_a_state_is_recorded_only_with_the_actions_that_led_there():
    game = Game(RULESET, seed=3)
    for _ in range(20):
        game.step(game.legal_actions()[-1])
    lost = Game.from_state(game.ruleset, game.state)
    for _ in range(2):
        with pytest.raises(ValueError, match="the actions of this game do not lead to where it stands"):
            lost.record()
        lost.step(lost.legal_actions()[0])
    with pytest.raises(TypeError, match=r"history\[0\] must be a whole number, not 'x'"):
        Game.from_state(game.ruleset, game.state, history=["x"])


@pytest.mark.usefixtures("weights_for_zamek_alone")
@pytest.mark.plays("sokol-gates")
@pytest.mark.parametrize("make", [ZamekEnv, ZamekVectorEnv])
@pytest.mark.parametrize("opponent", ["value", "mcts:evaluation=learned", "value-v1", "mcts200-v1"])
def test_an_opponent_without_weights_for_the_ruleset_is_refused_before_any_game(make, opponent):
    with pytest.raises(ValueError, match=r"^opponent: .*'sokol-gates'"):
        make(ruleset="sokol-gates", opponent=opponent)


@pytest.mark.parametrize("opponent", ["value", "mcts"])
def test_an_opponent_with_weights_of_another_ruleset_is_refused_before_any_game(opponent):
    path = find_path("value", "sokol")
    spec = f"value:{path}" if opponent == "value" else f"mcts:weights={path}"
    with pytest.raises(ValueError, match=r"^opponent: .*was trained for the ruleset 'sokol', not for 'zamek'"):
        ZamekEnv(RULESET, opponent=spec)


def test_an_opponent_that_fails_as_the_first_game_begins_leaves_no_trace():
    opponent = Fails(ZeroDivisionError(), after=0)
    env = ZamekEnv(RULESET, opponent=opponent, seat=1)
    with pytest.raises(ZeroDivisionError):
        env.reset(seed=1)
    assert env.np_random_seed != 1 and not env.game.history
    opponent.left = 10**6
    assert env.reset(seed=1)[1]["deal"] == ZamekEnv(RULESET).reset(seed=1)[1]["deal"]


@pytest.mark.parametrize("make", [ZamekEnv, ZamekVectorEnv])
@pytest.mark.parametrize("opponent", ["ismcts", ISMCTSAgent().act])
def test_an_opponent_for_another_kind_of_game_is_refused_before_any_game(make, opponent):
    with pytest.raises(TypeError, match=f"^opponent: the agent 'ismcts' plays castle-cards only, not {RULESET}"):
        make(ruleset=RULESET, opponent=opponent)


def test_every_installed_name_of_ours_is_an_opponent():
    for name in OURS:
        if name not in ("ppo", "openspiel-mcts", "ismcts"):  # packages of extras, another game
            ZamekEnv(RULESET, opponent=name)
    assert ZamekEnv(opponent="mcts:simulations=50")._answering._act.__self__.options.simulations == 50
    assert isinstance(ZamekEnv(opponent="random")._answering._act.__self__, RandomAgent)
