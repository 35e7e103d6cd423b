"""The Gymnasium environment taken back to a state, copied and pickled, the generator included."""

import copy
import pickle

import pytest
from gymnasium.error import ResetNeeded

from tests.support.box import load_box
from tests.test_single import ARGUMENTS
from zamek_env.castle_cards_env.single import CastleCardsEnv
from zamek_env.single import ZamekEnv


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
