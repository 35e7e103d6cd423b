"""Imitation: the teacher sees nothing hidden, the network comes to choose as he does, and weights fit into a file."""

import json

import numpy as np
import pytest
import torch

from tests.support.games import play_many, redeal_all
from zamek_agents import make_agent
from zamek_agents.base import DivergedError
from zamek_agents.ppo.imitation import AgentTeacher, Lessons, ValueTeacher, complete
from zamek_agents.ppo.policy import add_state, check_network, load_policy, make_policy, write_weights
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import get_ruleset

RULESETS = ("zamek", *(pytest.param(name, marks=pytest.mark.long) for name in ("sokol", "carcassonne")))
torch.set_num_threads(1)  # several tests may run at once


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_teacher_does_not_see_what_is_hidden(ruleset):
    games, *_ = play_many(ruleset, 41)
    masks = games.action_masks()
    values = ValueTeacher(games.ruleset, 1, 5).value_actions(games.raw_states, masks)
    assert (np.isfinite(values) == masks).all()
    others = redeal_all(games.states)
    assert (ValueTeacher(games.ruleset, 1, 5).value_actions(others, masks) == values).all()


def test_the_teacher_says_the_same_on_several_threads():
    """The games are shared among them, even where there are fewer games than threads."""
    (games, *_) = play_many("zamek", 21, number=3)
    masks = games.action_masks()
    for states, legal in ((games.raw_states, masks), (games.raw_states[:1], masks[:1])):
        teacher = ValueTeacher(games.ruleset, 3, 5)
        values = teacher.value_actions(states, legal)
        assert (np.isfinite(values) == legal).all()
        assert (ValueTeacher(games.ruleset, 3, 5).value_actions(states, legal) == values).all()
        teacher.close()


# --- teachers that search ---

SEARCH = "mcts:simulations=6,width=3,turns=2"


def ask_search(games, states, threads=1):
    teacher = AgentTeacher([make_agent(SEARCH) for _ in range(threads)], games.ruleset, 5)
    values = teacher.value_actions(states, games.action_masks()[: len(states)])
    teacher.close()
    return values


def test_a_teacher_that_searches_values_every_legal_action_and_sees_nothing_hidden():
    games, *_ = play_many("zamek", 41, number=6)
    masks, values = games.action_masks(), ask_search(games, games.raw_states)
    assert (np.isfinite(values) == masks).all()
    first_look = ValueTeacher(games.ruleset, 1, 5).value_actions(games.raw_states, masks)
    assert ((values != first_look).any(axis=1) == (masks.sum(axis=1) > 1)).all()
    others = redeal_all(games.states)
    assert (ask_search(games, others) == values).all()


def test_a_teacher_that_searches_says_the_same_each_time_on_several_threads():
    games, *_ = play_many("zamek", 21, number=3)
    assert (ask_search(games, games.raw_states, threads=2) == ask_search(games, games.raw_states, threads=2)).all()


def test_what_a_search_leaves_out_is_worth_no_more_than_the_worst_it_looked_at():
    values = np.array([np.nan, 5.0, np.nan, 3.0, np.nan])
    looks = np.array([0.0, 2.0, -1.5, 0.0, 9.0])
    assert complete(values, looks).tolist() == [3.0, 5.0, 1.5, 3.0, 3.0]
    assert complete(np.full(5, np.nan), looks).tolist() == looks.tolist()


def test_a_teacher_must_value_actions_in_points():
    games, *_ = play_many("zamek", 21, number=2)
    teacher = AgentTeacher([make_agent("ppo")], games.ruleset, 5)
    with pytest.raises(ValueError, match="must value actions in points, not as ppo does, by probability"):
        teacher.value_actions(games.raw_states, games.action_masks())


# --- lessons ---


def test_a_lesson_may_be_followed_by_steps_on_earlier_ones():
    policy = make_policy(get_ruleset(), 8, 4)
    lessons = Lessons(policy, get_ruleset(), 4, "delta", 1, 0, repeats=3, kept=2)
    for _ in range(4):
        lessons.learn(1e-3)
    lessons.close()
    steps = {int(state["step"]) for state in policy.optimizer.state_dict()["state"].values()}
    assert steps == {12} and len(lessons._kept) == 2


def follow(policy, steps, rate, seed):
    """Let a network learn at that rate in so many decisions of 64 games; return the points lost by its preferences."""
    lessons, losses = Lessons(policy, get_ruleset(), 64, "delta", 1, seed), []
    for _ in range(steps):
        lessons.learn(rate)
        losses.append(lessons.loss)
    lessons.close()
    return np.mean(losses)


@pytest.mark.long
def test_the_network_comes_to_choose_as_the_teacher_does():
    torch.manual_seed(0)
    policy = make_policy(get_ruleset(), 32, 16)
    before = follow(policy, 80, 0.0, seed=1)
    follow(policy, 200, 3e-3, seed=0)
    assert follow(policy, 80, 0.0, seed=1) < 0.6 * before


@pytest.mark.parametrize("reward", ["delta", "score", "win"])
def test_the_network_is_to_foresee_the_kind_of_reward_it_will_get(reward):
    lessons = Lessons(make_policy(get_ruleset(), 8, 4), get_ruleset(), 4, reward, 1, seed=0)
    lessons.games.raw_states["score"] = [30, 10]
    lessons._info["current_player"] = np.array([0, 0, 1, 1])
    returns = lessons._find_returns(np.array([50.0, -10.0, 50.0, -10.0]))
    lessons.close()
    expected = {
        "delta": [0.3, -0.3, 0.7, 0.1],  # what is gained from now on
        "score": [0.5, -0.1, 0.5, -0.1],
        "win": np.tanh([2.5, -0.5, 2.5, -0.5]),
    }
    assert returns == pytest.approx(expected[reward])


def test_weights_that_were_written_are_read_again(tmp_path):
    torch.manual_seed(1)
    policy = make_policy(get_ruleset(), 16, 8)
    write_weights(tmp_path / "weights.npz", policy, {"seconds": 3})
    found, about = load_policy(tmp_path / "weights.npz")
    assert about["seconds"] == 3 and about["ruleset"] == "zamek"
    for name, value in policy.state_dict().items():
        assert torch.allclose(value, found.state_dict()[name], atol=1e-3), name


def change_about(arrays, **changes):
    """Return the arrays of a file, about which something else is said."""
    return arrays | {"about": np.array(json.dumps(json.loads(arrays["about"].item()) | changes))}


PART = "features_extractor.network.from_row.bias"  # of 8 numbers
SPOILT = {
    "nothing is said": lambda arrays: arrays | {"about": np.array("{}")},
    "another format": lambda arrays: change_about(arrays, format="zamek-ppo/0"),
    "another ruleset": lambda arrays: change_about(arrays, ruleset="sokol"),
    "an unknown ruleset": lambda arrays: change_about(arrays, ruleset="chess"),
    "another width": lambda arrays: change_about(arrays, width=17),
    "a huge width": lambda arrays: change_about(arrays, width=10**9),
    "no width": lambda arrays: change_about(arrays, width=None),
    "one more part": lambda arrays: arrays | {"more": np.zeros(3, np.float16)},
    "one part less": lambda arrays: {name: array for name, array in arrays.items() if name != PART},
    "one number for all": lambda arrays: arrays | {PART: np.float16(0.5)},
    "one row for all": lambda arrays: arrays | {"features_extractor.network.logit.weight": np.ones((1, 1), np.float16)},
    "wider numbers": lambda arrays: arrays | {PART: arrays[PART].astype(np.float64)},
    "no number": lambda arrays: arrays | {PART: arrays[PART] * np.float16(np.nan)},
}


@pytest.mark.parametrize("kind", ["text", *SPOILT])
def test_a_file_that_holds_no_network_is_refused_when_the_agent_is_made(tmp_path, kind):
    path = tmp_path / "weights.npz"
    write_weights(path, make_policy(get_ruleset(), 16, 8), {})
    with np.load(path) as file:
        arrays = dict(file)
    if kind == "text":
        path.write_text("hello")
    else:
        np.savez(path, **SPOILT[kind](arrays))
    with pytest.raises(ValueError, match=r"weights\.npz holds no trained network: ") as refused:
        make_agent(f"ppo:{path}")
    assert "\n" not in str(refused.value)


def test_a_lesson_in_which_nothing_is_to_be_chosen_teaches_no_nonsense():
    lessons = Lessons(make_policy(get_ruleset(), 8, 4), get_ruleset(), 1, "delta", 1, seed=0)
    policy = lessons._policy
    for _ in range(60):
        lessons.learn(1e-3)
    lessons.close()
    check_network(policy)
    assert np.isfinite([lessons.loss, lessons.agreement]).all()


def test_a_network_gone_astray_is_not_trained_on():
    lessons = Lessons(make_policy(get_ruleset(), 8, 4), get_ruleset(), 4, "delta", 1, seed=0)
    with torch.no_grad():
        lessons._policy.network.logit.bias[:] = np.nan
    with pytest.raises(DivergedError, match="the loss of a lesson is nan"):
        lessons.learn(1e-3)
    with pytest.raises(DivergedError, match=r"a weight of features_extractor\.network\.logit\.bias is nan"):
        check_network(lessons._policy)
    lessons.close()


@pytest.mark.plays("carcassonne")
def test_a_network_chooses_what_is_legal_also_beyond_the_window():
    ruleset = "carcassonne"
    policy, (games, seen, masks) = make_policy(get_ruleset(ruleset), 16, 8), play_many(ruleset, 33, parts=ROW_PARTS)
    actions, _ = policy.predict(add_state(seen, games.states), action_masks=masks.copy())
    assert policy.action_space.n == get_ruleset(ruleset).num_actions and masks[np.arange(len(masks)), actions].all()
