"""The Gymnasium environment: conformance, seats, rewards, illegal actions, and going back to a state."""

import copy
import pickle
import warnings
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from tests.support.box import load_box
from tests.support.games import ENVIRONMENTS, play_episode
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game, IllegalActionError
from zamek_env.base.rewards import REWARDS, find_lead, find_lead_in_kernel, find_reward, find_reward_in_kernel
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

ARGUMENTS = [
    {},
    {"reward": "score"},
    {"reward": "delta", "opponent": RandomAgent().act},
    {"opponent": GreedyAgent().act, "seat": 0},
    {"opponent": RandomAgent().act, "seat": 1, "reward": "score"},
    {"opponent": RandomAgent().act, "seat": "random"},
    {"ruleset": "sokol"},
    {"ruleset": "sokol-gates", "opponent": RandomAgent().act, "reward": "delta"},
    {"observation": ("vector", "rows"), "opponent": "random"},
]


INFO_KEYS = ["current_player", "action_mask", "scores", "deal", "illegal_action", "illegal_reason"]


# --- conformance ---


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_gymnasiums_checker_is_content(arguments):
    check_env(ZamekEnv(**arguments), skip_render_check=True)


@pytest.mark.compiles
def test_gymnasiums_checker_is_content_with_a_box_of_ones_own(tmp_path):
    check_env(ZamekEnv(components=load_box(tmp_path)), skip_render_check=True)


@pytest.mark.parametrize(("name", "ruleset"), [*ENVIRONMENTS.items(), ("zamek_env:Zamek-v0", "zamek")])
def test_it_is_made_by_its_name_and_version_1_has_rows(name, ruleset):
    first, later = (
        gym.make(version, reward="score", disable_env_checker=True) for version in (name, name.replace("v0", "v1"))
    )
    for env in (first, later):
        assert env.unwrapped.game.ruleset.name == ruleset
        assert isinstance(env.unwrapped, ZamekEnv) and env.unwrapped.reward == "score"
    assert [*first.observation_space] == ["planes", "vector"]
    assert [*later.observation_space] == ["row_actions", "rows", "vector"]


def test_types_are_those_that_learners_ask_for():
    env = ZamekEnv()
    for _, observation, reward, terminated, info in play_episode(env, seed=2):
        assert type(reward) is float and type(terminated) is bool
        assert observation in env.observation_space
        assert info["action_mask"].dtype == np.int8 and env.action_masks().dtype == bool
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert info["scores"] == env.game.scores and info["current_player"] == env.game.current_player
        assert list(info) == INFO_KEYS
        assert info["deal"] == env.game.seed
        assert info["illegal_action"] is False and info["illegal_reason"] == ""


def test_nothing_returned_is_written_to_later():
    kept = [
        (o, copy.deepcopy(o), i["action_mask"], i["action_mask"].copy())
        for _, o, _, _, i in play_episode(ZamekEnv(), 2)
    ]
    for observation, as_it_was, mask, mask_as_it_was in kept:
        assert all(np.array_equal(observation[part], as_it_was[part]) for part in observation)
        assert np.array_equal(mask, mask_as_it_was)


# --- deals and seeds ---


def test_later_episodes_follow_from_the_seed_but_differ():
    first, second = ZamekEnv(), ZamekEnv()
    deals = [[env.reset(seed=5 if n == 0 else None)[1]["deal"] for n in range(4)] for env in (first, second)]
    assert deals[0] == deals[1] and len(set(deals[0])) == 4


def test_a_deal_is_repeated_by_its_number():
    env = ZamekEnv()
    for deal in (0, 7, np.int64(12), 2**63 - 1):
        _, info = env.reset(options={"deal": deal})
        assert info["deal"] == deal and type(info["deal"]) is int
        assert env.game.state.tobytes() == Game(seed=deal).state.tobytes()
    _, info = env.reset(seed=3)
    again = ZamekEnv().reset(options={"deal": info["deal"]})[1]
    assert np.array_equal(info["action_mask"], again["action_mask"])


def test_a_deal_that_is_named_takes_the_place_of_the_one_that_would_be_drawn():
    alone, many = ZamekEnv(), ZamekVectorEnv(1)
    named = [env.reset(seed=1, options={"deal": 5})[1]["deal"] for env in (alone, many)]
    assert named == [5, 5] and alone.reset()[1]["deal"] == many.reset()[1]["deal"][0]
    deals = {ZamekEnv().reset(seed=1, options=options)[1]["deal"] for options in (None, {}, {"deal": None})}
    assert len(deals) == 1  # none is named


def test_a_seat_without_an_opponent_is_refused():
    for make in (ZamekEnv, CastleCardsEnv, partial(ZamekVectorEnv, 2), partial(CastleCardsVectorEnv, 2)):
        with pytest.raises(ValueError, match="seat must be 'random' without opponent, as the learner then plays"):
            make(seat=1)


# --- copies ---


def test_closing_twice_is_nothing_and_what_follows_works():
    env = ZamekEnv()
    env.close()
    env.close()
    env.reset(seed=1)


# --- seats and rewards ---


@pytest.mark.parametrize("seed", range(2))
def test_alternating_rewards_go_to_the_mover_and_agree(seed):
    """The same episode under the three rewards: only the last step of `win` and `score` pays."""
    episodes = {reward: list(play_episode(ZamekEnv(reward=reward), seed=seed)) for reward in ("win", "score", "delta")}
    movers = [mover for mover, *_ in episodes["win"]][1:]
    assert movers == [mover for mover, *_ in episodes["delta"]][1:]
    rewards = {name: [step[2] for step in episode][1:] for name, episode in episodes.items()}
    first, second = episodes["win"][-1][-1]["scores"]
    sign = 1 if movers[-1] == 0 else -1
    assert not any(rewards["win"][:-1]) and not any(rewards["score"][:-1])
    assert rewards["win"][-1] == sign * np.sign(first - second)
    assert rewards["score"][-1] == pytest.approx(sign * (first - second) / 100)
    of_first = [reward if mover == 0 else -reward for mover, reward in zip(movers, rewards["delta"], strict=True)]
    assert sum(of_first) == pytest.approx((first - second) / 100)
    assert any(rewards["delta"][:-1])


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_the_learner_keeps_its_seat_and_gets_all_rewards(seat):
    seats = set()
    env = ZamekEnv(opponent=RandomAgent().act, seat=seat, reward="delta")
    for seed in range(8):
        episode = list(play_episode(env, seed=seed))
        movers = {mover for mover, *_ in episode[1:]}
        assert len(movers) == 1 and (seat == "random" or movers == {seat})
        (learner,) = movers
        seats |= movers
        scores = episode[-1][-1]["scores"]
        assert sum(step[2] for step in episode) == pytest.approx((scores[learner] - scores[1 - learner]) / 100)
        assert episode[-1][-1]["current_player"] == -1
        assert all(info["current_player"] == learner for *_, info in episode[:-1])
    assert seats == ({0, 1} if seat == "random" else {seat})


def test_the_win_of_the_learner_is_that_of_its_seat():
    for seat in (0, 1):
        env = ZamekEnv(opponent=RandomAgent().act, seat=seat)
        for seed in range(4):
            *_, (_, _, reward, _, _) = play_episode(env, seed=seed)
            assert reward == env.game.returns()[seat]


def test_the_opponent_is_asked_on_its_turns_only_and_cannot_hide():
    asked = []

    def opponent(game, rng):
        assert isinstance(rng, np.random.Generator)
        asked.append(game.current_player)
        return game.legal_actions()[0]

    env = ZamekEnv(opponent=opponent, seat=1)
    for _ in play_episode(env, seed=3):
        pass
    assert set(asked) == {0} and len(asked) > 20


@pytest.mark.parametrize("action, error", [(-1, IllegalActionError), (10**6, IllegalActionError), (None, TypeError)])
@pytest.mark.parametrize("on_illegal", ["lose", "raise"])
def test_an_illegal_action_of_the_opponent_is_its_own_fault(action, error, on_illegal):
    env = ZamekEnv(opponent=lambda game, rng: action, seat=1, on_illegal=on_illegal)
    with pytest.raises(error):
        env.reset(seed=1)
    env = ZamekEnv(opponent=lambda game, rng: action, seat=0, on_illegal=on_illegal)
    _, info = env.reset(seed=1)
    with pytest.raises(error):
        while True:
            _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))


# --- illegal actions ---


def illegal(env):
    return int(np.flatnonzero(~env.action_masks())[-1])


@pytest.mark.parametrize("number", ["first", -1, 10**9])
def test_an_illegal_action_loses(number):
    env = ZamekEnv(reward="delta")
    env.reset(seed=1)
    before = env.game.state.tobytes()
    _, reward, terminated, truncated, info = env.step(illegal(env) if number == "first" else number)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] is True and "action" in info["illegal_reason"]
    assert list(info) == INFO_KEYS and info["current_player"] == -1
    assert env.game.state.tobytes() == before
    with pytest.raises(ResetNeeded):
        env.step(env.game.legal_actions()[0])
    env.reset(seed=1)
    env.step(env.game.legal_actions()[0])


def test_a_step_needs_a_reset_before_the_first_and_after_the_last():
    env = ZamekEnv()
    with pytest.raises(ResetNeeded):
        env.step(0)
    for _ in play_episode(env, seed=1):
        pass
    assert env.action_masks().all()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    env.step(env.game.legal_actions()[0])


# --- pictures ---


@pytest.mark.parametrize("make", [ZamekEnv, CastleCardsEnv])
def test_how_it_is_rendered_can_be_changed_to_what_there_is(make):
    env = make()
    env.reset(seed=1)
    env.render_mode = "ansi"
    assert env.render() == str(env.game)
    with pytest.raises(ValueError, match=r"render_mode must be one of None, 'ansi', .*, not 'svg'"):
        env.render_mode = "svg"
    assert env.render_mode == "ansi"


@pytest.mark.parametrize(
    "mode, kind", [("ansi", str), ("rgb_array", np.ndarray), (None, type(None)), ("human", type(None))]
)
def test_what_is_rendered_follows_the_mode(mode, kind, capsys):
    env = ZamekEnv(render_mode=mode)
    env.reset(seed=1)
    env.step(env.game.legal_actions()[0])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", UserWarning)
        assert isinstance(env.render(), kind)
    assert ["'ansi', 'rgb_array', 'human'" in str(warning.message) for warning in warned] == [True] * (mode is None)
    printed = capsys.readouterr().out
    assert (printed.count("towers with token") == 2) == (mode == "human")
    if mode == "ansi":
        assert env.render() == str(env.game)
    if mode == "rgb_array":
        assert env.render().dtype == np.uint8 and env.render().ndim == 3
    env.close()


# --- what a reward is ---


GOES_ON, OVER = False, True


@pytest.mark.parametrize("find", [find_reward, find_reward_in_kernel])
@pytest.mark.parametrize(
    ("reward", "lead", "last_lead", "is_over", "due"),
    [
        ("win", 7, 0, OVER, 1.0),
        ("win", -1, 5, OVER, -1.0),
        ("win", 0, 3, OVER, 0.0),  # a shared victory
        ("win", 7, 0, GOES_ON, 0.0),
        ("score", 25, 20, OVER, 0.25),
        ("score", -25, 20, OVER, -0.25),
        ("score", 25, 20, GOES_ON, 0.0),
        ("delta", 25, 20, OVER, 0.05),
        ("delta", 25, 20, GOES_ON, 0.05),
        ("delta", -3, 20, GOES_ON, -0.23),
    ],
)
def test_what_is_paid_for(find, reward, lead, last_lead, is_over, due):
    found = find(REWARDS.index(reward), lead, last_lead, is_over)
    assert found == due and type(found) is float and str(found) != "-0.0"


@pytest.mark.parametrize(
    ("scores", "due"), [((12,), [12]), ((3, 8), [-5, 5]), ((4, 9, 9), [-5, 0, 0]), ((-3, -8, 0), [-3, -8, 3])]
)
def test_a_lead_is_over_the_best_other_and_alone_all_there_is(scores, due):
    assert [find_lead(scores, player) for player in range(len(scores))] == due
    assert [find_lead_in_kernel(np.array(scores), player) for player in range(len(scores))] == due


def test_the_returns_of_a_game_are_its_win():
    game = Game("carcassonne-demo", seed=1)
    game.raw_states[0].score[:] = (3, 8)
    assert game.returns() == (0.0, 0.0)  # it goes on
    while not game.is_terminal:
        game.step(game.legal_actions()[0])
    for scores, due in (((3, 8), (-1.0, 1.0)), ((8, 3), (1.0, -1.0)), ((8, 8), (0.0, 0.0))):
        game.raw_states[0].score[:] = scores
        assert game.returns() == due


# --- going back to a state, copies and pickles ---


def advance(env, steps, choose=lambda env: env.game.legal_actions()[-1]):
    """Take so many steps, or fewer to the end of the episode, and return what they gave."""
    given = []
    for _ in range(steps):
        observation, reward, terminated, _, info = env.step(choose(env))
        parts = {name: part.tobytes() for name, part in observation.items()}
        given.append((parts, reward, info["scores"]))
        if terminated:
            break
    return given


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_a_state_can_be_gone_back_to_again_and_again(arguments):
    env = ZamekEnv(**arguments)
    env.reset(seed=4)
    advance(env, 10)
    state = env.get_state()
    futures = []
    for number in range(3):
        if number > 0:
            seen, info = env.set_state(state)
            due, due_info = env._look()
            assert seen.keys() == due.keys() and all((seen[name] == due[name]).all() for name in due)
            assert info.keys() == due_info.keys() and (info["action_mask"] == env.action_masks()).all()
            assert (info["scores"], info["deal"]) == (state.game.scores, state.game.seed)
        futures.append(advance(env, 500))
        deal = env.reset()[1]["deal"]
        futures[-1].append(deal)
    assert futures[0] == futures[1] == futures[2]
    other = ZamekEnv(**arguments)
    other.reset(seed=99)
    other.set_state(state)
    assert other.np_random_seed == 4
    assert advance(other, 500) == futures[0][:-1]


@pytest.mark.parametrize("arguments", [{}, {"opponent": "greedy", "seat": 1}])
def test_rewards_after_a_state_count_from_the_lead_there(arguments):
    env = ZamekEnv(reward="delta", **arguments)
    env.reset(seed=4)
    while env.game.scores[0] == env.game.scores[1]:
        advance(env, 1)
    state, future = env.get_state(), advance(env, 500)
    env.reset(seed=5)
    env.set_state(state)
    assert advance(env, 500) == future


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_a_state_from_before_the_first_episode_can_be_gone_back_to(arguments):
    env = ZamekEnv(**arguments)
    state, first = env.get_state(), env.reset()[1]["deal"]
    advance(env, 3)
    env.set_state(state)
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert env.reset()[1]["deal"] == first


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_copies_go_on_alike_and_apart(make, arguments):
    env = ZamekEnv(**arguments)
    env.reset(seed=4)
    advance(env, 10)
    before = env.game.state.tobytes()
    twin = make(env)
    future = advance(twin, 500), twin.reset()[1]["deal"]
    assert env.game.state.tobytes() == before
    assert (advance(env, 500), env.reset()[1]["deal"]) == future


@pytest.mark.parametrize(
    "theirs, problem",
    [
        ({"ruleset": "sokol"}, r"belongs to the ruleset 'sokol' .* which plays 'zamek'"),
        ({"ruleset": "carcassonne"}, r"belongs to the ruleset 'carcassonne'"),
        ({"opponent": lambda game, rng: game.legal_actions()[0]}, r"with an opponent, and this one has no opponent"),
    ],
)
def test_a_state_of_another_kind_of_environment_is_refused(theirs, problem):
    env, other = ZamekEnv(), ZamekEnv(**theirs)
    env.reset(seed=1)
    other.reset(seed=2)
    advance(env, 5)
    before, generator = env.game.state.tobytes(), env.np_random.bit_generator.state
    with pytest.raises(ValueError, match=problem):
        env.set_state(other.get_state())
    assert (env.game.state.tobytes(), env.np_random.bit_generator.state) == (before, generator)
    assert advance(env, 500)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (None, "must be what get_state of such an environment returned, not None"),
        (CastleCardsEnv().get_state(), "must be of an environment that plays Game, as this one does, not CastleCards"),
    ],
)
def test_what_is_no_state_of_such_games_is_refused(state, message):
    with pytest.raises(TypeError, match=f"^state {message}$"):
        ZamekEnv().set_state(state)


def test_a_state_without_an_opponent_is_refused_where_there_is_one():
    env, other = ZamekEnv(opponent=lambda game, rng: game.legal_actions()[0]), ZamekEnv()
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="with no opponent, and this one has an opponent"):
        env.set_state(other.get_state())


@pytest.mark.compiles
def test_a_state_of_other_components_is_refused(tmp_path):
    env, other = ZamekEnv(), ZamekEnv(components=load_box(tmp_path))
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="or to components other than those of this environment"):
        env.set_state(other.get_state())
    advance(env, 5)


def test_a_state_goes_through_a_pickle():
    env = ZamekEnv()
    env.reset(seed=1)
    state = env.get_state()
    future = advance(env, 500)
    env.set_state(pickle.loads(pickle.dumps(state)))
    assert advance(env, 500) == future
