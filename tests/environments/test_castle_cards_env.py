"""The environments of castle-cards, of one game and of many: conformance, seats, rewards, illegal actions, states."""

import copy
from functools import partial
from itertools import pairwise, product

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from tests.support.game_copies import check_copies
from tests.support.games import few, play_episode
from tests.support.rulesets import IS_COMPILED
from tests.support.side_by_side import play_side_by_side
from tests.support.twins import TWINS
from zamek_agents import GreedyAgent, RandomAgent, ValueAgent
from zamek_env import IllegalActionError, castle_cards_v0, castle_cards_v1
from zamek_env.base.chance import draw_random, seed_generator
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.environments.opponents import Opponents

INFO_KEYS = ["current_player", "action_mask", "returns", "deal", "illegal_action", "illegal_reason"]


# --- conformance ---


@pytest.mark.parametrize(
    "arguments", [{"players": 3, "opponent": "random"}, {"players": 4, "opponents": ["random"] * 3, "seat": 3}]
)
def test_gymnasiums_checker_is_content(arguments):
    check_env(CastleCardsEnv(**arguments), skip_render_check=True)


def test_stable_baselines_checker_is_content():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(CastleCardsEnv(players=3, opponents="random"), warn=False)


@pytest.mark.parametrize("players", [2, 5])
def test_types_and_keys_are_those_of_the_page(players):
    env = gym.make("CastleCards-v0", players=players).unwrapped
    assert all(f"`{key}`" in type(env).__doc__ for key in INFO_KEYS)
    for mover, observation, reward, terminated, info in play_episode(env, seed=2):
        assert type(reward) is float and type(terminated) is bool and list(info) == INFO_KEYS
        assert observation in env.observation_space and observation.shape == (len(env.ruleset.vector),)
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())
        assert info["current_player"] == env.game.current_player and info["deal"] == env.game.seed
        decider = mover if terminated else info["current_player"]
        assert np.array_equal(observation, env.game.observe(decider))
    assert info["returns"] == env.game.returns() and reward == info["returns"][mover]
    assert sum(info["returns"]) == pytest.approx(0) and any(info["returns"])


@pytest.mark.parametrize("make", [CastleCardsEnv, partial(CastleCardsVectorEnv, 1)])
@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"players": 1}, ValueError),
        ({"players": 6}, ValueError),
        ({"players": True}, ValueError),
        ({"opponents": 3}, TypeError),
        ({"opponents": "strong"}, ValueError),
        ({"opponents": ["random", "random"]}, ValueError),
        ({"opponents": [None]}, TypeError),
        ({"seat": 2}, ValueError),
        ({"on_illegal": "ignore"}, ValueError),
        ({"render_mode": "svg"}, ValueError),
        ({"flat": None}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(make, arguments, error):
    with pytest.raises(error, match=next(iter(arguments))):
        make(**arguments)


# --- deals, seats and rewards ---


@pytest.mark.parametrize("seat", [0, 2, "random"])
def test_the_learner_keeps_its_seat_and_gets_its_own_reward(seat):
    env, seats = CastleCardsEnv(3, "random", seat), set()
    for seed in range(3):
        steps = list(play_episode(env, seed=seed))
        movers = {mover for mover, *_ in steps[1:]}
        assert len(movers) == 1 and not any(step[2] for step in steps[:-1])
        seats |= movers
        assert steps[-1][2] == env.game.returns()[movers.pop()]
    assert seats == {seat} or seat == "random"


def test_an_agent_in_place_of_its_method_is_told_what_to_hand_over():
    with pytest.raises(TypeError, match=r"^opponents must be None, .*; hand over its method, opponents=agent\.act$"):
        CastleCardsEnv(3, RandomAgent())


def test_a_list_of_opponents_leaves_out_nobody():
    with pytest.raises(TypeError, match=r"^opponents must hold .* for each other player, not \['random', None\]$"):
        CastleCardsEnv(3, ["random", None])


@pytest.mark.parametrize("make", [CastleCardsEnv, partial(CastleCardsVectorEnv, 1)])
def test_opponent_plays_all_other_seats(make):
    by_one, by_all = (make(3, seat=1, **{name: "random"}) for name in ("opponent", "opponents"))
    assert np.array_equal(by_one.reset(seed=5)[0], by_all.reset(seed=5)[0])
    assert (by_one.opponent, by_one.opponents, by_all.opponent) == ("random", None, None)
    with pytest.raises(ValueError, match=r"^opponent must be None where opponents are given, not 'random'$"):
        make(3, "random", opponent="random")


@pytest.mark.parametrize("number_of", [int, np.uint8])
def test_opponents_sit_clockwise_from_the_learner(number_of):
    asked = []

    def sit(number):
        def act(game, rng):
            asked.append((number, game.current_player, game.seed))
            return int(rng.choice(game.legal_actions()))

        return act

    env = CastleCardsEnv(number_of(4), [sit(number) for number in range(3)], seat=number_of(1))
    list(play_episode(env, seed=1))
    assert {(number, player) for number, player, _ in asked} == {(0, 2), (1, 3), (2, 0)}
    assert {seed for _, _, seed in asked} == {None}


def test_the_chance_of_each_opponent_follows_from_the_deal_and_its_place():
    opponents = Opponents("random", 3)
    first, again, other = ([rng.random() for rng in opponents.new_chance(deal)] for deal in (1, 1, 2))
    assert first == again and len({*first, *other}) == 4


def test_an_opponent_that_fails_leaves_the_episode_as_it_was():
    drawn = []

    def refuse(game, rng):
        drawn.append(rng.random())
        if len(drawn) == 2:
            raise RuntimeError("no")
        return game.legal_actions()[0]

    env = CastleCardsEnv(2, refuse, seat=0)
    _, info = env.reset(seed=1)
    with pytest.raises(RuntimeError, match="no"):
        while True:
            before, count, action = env.game.copy(), len(drawn), int(info["action_mask"].argmax())
            *_, info = env.step(action)
    assert env.game == before and env.game.current_player == 0
    env.step(action)
    assert drawn[2] == drawn[count]  # what was drawn in the step that failed is drawn again


@pytest.mark.parametrize("make", [CastleCardsEnv, partial(CastleCardsVectorEnv, 2)])
@pytest.mark.parametrize("opponents", ["value", ["greedy", "value"], [GreedyAgent().act, ValueAgent().act]])
def test_opponents_for_another_kind_of_game_are_refused_before_any_game(make, opponents):
    with pytest.raises(TypeError, match="opponents: the agent 'value' plays games of tiles only, not castle-cards"):
        make(3, opponents)


def test_an_illegal_action_loses_or_raises():
    for on_illegal in ("lose", "raise"):
        env = CastleCardsEnv(3, on_illegal=on_illegal)
        _, info = env.reset(seed=1)
        before, action = env.game.copy(), int(np.flatnonzero(info["action_mask"] == 0)[0])
        if on_illegal == "raise":
            with pytest.raises(IllegalActionError, match="is illegal: player 0 is to decide 'action', as by "):
                env.step(action)
            env.step(env.game.legal_actions()[0])
            continue
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated, info["illegal_action"]) == (-1.0, True, True) and env.game == before
        assert info["current_player"] == -1 and not env.game.is_terminal
        assert "is illegal" in info["illegal_reason"] and list(info) == INFO_KEYS
        with pytest.raises(ResetNeeded):
            env.step(env.game.legal_actions()[0])


def test_a_state_is_gone_back_to():
    env = CastleCardsEnv(3, "random", seat=1)
    env.set_state(env.get_state())  # before the first episode
    env.reset(seed=5)
    kept, ends = env.get_state(), []
    for number in range(3):
        if number > 0:
            seen, info = env.set_state(kept)
            assert (seen == kept.game.observe(1)).all() and info["current_player"] == 1
        over = False
        while not over:
            seen, reward, over, _, _ = env.step(env.game.legal_actions()[0])
        ends.append((seen.tobytes(), reward, env.reset()[1]["deal"]))
    assert ends[0] == ends[1] == ends[2]
    for other, error in ((CastleCardsEnv(3), ValueError), (CastleCardsEnv(2, "random"), ValueError)):
        with pytest.raises(error, match="state"):
            other.set_state(kept)
    with pytest.raises(TypeError, match="state must be what get_state of such an environment returned"):
        env.set_state(None)


@pytest.mark.parametrize("ends_illegally", [False, True])
def test_the_state_of_an_episode_that_is_over_shows_what_its_last_step_showed(ends_illegally):
    env, last, rng = CastleCardsEnv(3), set(), np.random.default_rng(0)
    for seed in range(4):
        env.reset(seed=seed)
        over = False
        while not over:
            last_mover = env.game.current_player
            ends_now = ends_illegally and len(env.game.history) == 5 + seed
            action = int(np.argmin(env.action_masks())) if ends_now else rng.choice(env.game.legal_actions())
            seen, _, over, _, info = env.step(action)
        last.add(last_mover)
        again, info_again = env.set_state(env.get_state())
        assert (again == seen).all()
        assert info_again["current_player"] == info["current_player"] == -1
    assert last != {0}


def test_what_is_rendered_hides_hands(capsys):
    env = CastleCardsEnv(3, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game) and "7 in hand" in env.render()
    twin = env.game.copy()
    twin.redeal(np.random.default_rng(0), None)
    assert str(twin) == str(env.game)
    human = CastleCardsEnv(3, render_mode="human")
    human.reset(seed=1)
    assert human.render() is None and "7 in hand" in capsys.readouterr().out


# --- PettingZoo ---


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize(
    ("module", "players"), [(castle_cards_v0, 2), (castle_cards_v1, 3), (castle_cards_v0, 4), (castle_cards_v1, 5)]
)
def test_pettingzoos_tests_are_content(module, players, capsys):
    def make(**arguments):
        return module.env(players=players, **arguments)

    for masks in ("observation", "info"):
        api_test(make(masks=masks), num_cycles=100)
        seed_test(lambda masks=masks: make(masks=masks), num_cycles=40)
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=120)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(make()), num_cycles=20)


def test_pettingzoos_render_test_is_content(capsys):
    render_test(lambda render_mode=None: castle_cards_v0.env(players=3, render_mode=render_mode))


def test_agents_get_their_results_and_see_their_own_hands_only():
    env, rng = castle_cards_v0.raw_env(players=4), np.random.default_rng(0)
    env.reset(seed=3)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        player = env.possible_agents.index(agent)
        hand = observation["observation"][env.unwrapped.ruleset.vector["hand"]]
        assert np.array_equal(hand > 0, np.asarray([*env.game.state[0].hand[player]]) > 0)
        others = [name for name in env.possible_agents if name != agent]
        assert not any(env.observe(name)["action_mask"].any() for name in others)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert tuple(total.values()) == env.game.returns() and any(total.values())


# --- many games at once ---


def choose(masks, number):
    """Return an action for each game, which depends on its mask and on the number of the step alone."""
    legal = [np.flatnonzero(mask) for mask in masks]
    return [int(found[number * 7919 % len(found)]) if len(found) else 0 for found in legal]


def test_it_is_made_by_its_name():
    envs = gym.make_vec("CastleCards-v0", num_envs=3, players=4, vectorization_mode="vector_entry_point")
    observations, infos = envs.reset(seed=1)
    assert isinstance(envs.unwrapped, CastleCardsVectorEnv) and observations in envs.observation_space
    assert infos["action_mask"].shape == (3, envs.single_action_space.n) and infos["_action_mask"].all()


def at_random(game, rng):
    return int(rng.choice(game.legal_actions()))


@pytest.mark.parametrize(
    ("players", "opponents", "seat"),
    [
        *((players, None, "random") for players in (2, 3, 5)),
        *(
            pytest.param(3, opponents, seat, marks=pytest.mark.long)
            for opponents, seat in product((at_random, ["random", at_random]), (1, "random"))
        ),
    ],
)
def test_it_plays_what_the_single_environment_plays(players, opponents, seat):
    """Alternating seats, and against opponents that are asked."""
    many = CastleCardsVectorEnv(3, players, opponents, seat, autoreset_mode=AutoresetMode.SAME_STEP)
    singles, ended = [CastleCardsEnv(players, opponents, seat) for _ in range(3)], 0
    for number, infos, reward, info in play_side_by_side(many, singles, 5, 450 if IS_COMPILED else 40):
        ended += 1
        total = info["returns"][0] if opponents is None else reward
        assert infos["result"]["total_reward"][number] == pytest.approx(total)
    assert ended or not IS_COMPILED


def test_random_opponents_leave_deals_and_seats_as_they_are():
    many, single = CastleCardsVectorEnv(4, 3, "random", autoreset_mode="SameStep"), CastleCardsEnv(3, "random")
    _, infos = many.reset(seed=2)
    learners = infos["current_player"].tolist()
    for number in range(4):
        _, info = single.reset(seed=2 + number)
        assert (info["deal"], info["current_player"]) == (infos["deal"][number], learners[number])
    ends = 0
    for step in range(few(300, 60)):
        _, rewards, terminations, _, infos = many.step(choose(infos["action_mask"], step))
        for number in np.flatnonzero(~terminations):
            assert (infos["current_player"][number], rewards[number]) == (learners[number], 0)
        for number in np.flatnonzero(terminations):
            assert rewards[number] == infos["result"]["returns"][number, learners[number]]
            assert rewards[number] in (1, -0.5, 0.5, -1, 0)
            learners[number], ends = infos["current_player"][number], ends + 1
    assert (ends or not IS_COMPILED) and infos["action_mask"].any(axis=1).all()


def test_random_opponents_draw_other_numbers_than_the_deal():
    """Otherwise what they do would tell what was dealt."""
    many, generator = CastleCardsVectorEnv(20, 2, "random", seat=1), np.zeros(1, np.uint64)
    deals = many.reset(seed=1)[1]["deal"]
    for deal, reached in zip(deals, many._batch.episodes["generator"].reshape(-1), strict=True):
        seed_generator(generator, deal)
        for _ in range(1000):
            assert generator[0] != reached
            draw_random(generator)


@pytest.mark.parametrize("flat", [False, True])
def test_a_copy_of_a_game_stands_as_it_does_and_changes_nothing(flat):
    check_copies(CastleCardsVectorEnv(3, 3, flat=flat))


def test_only_chosen_games_are_played():
    many = CastleCardsVectorEnv(3, 3)
    _, infos = many.reset(seed=1)
    before = [state.tobytes() for state in many.states]
    many.step_chosen(choose(infos["action_mask"], 0), [True, False, True])
    assert [state.tobytes() == kept for state, kept in zip(many.states, before, strict=True)] == [False, True, False]


def test_writing_to_what_was_returned_spoils_no_other_game():
    many = CastleCardsVectorEnv(2)
    seen, infos = many.reset(seed=1)
    actions, before = choose(infos["action_mask"], 0), seen[1].copy()
    seen[1] = 7
    del seen, infos  # so that their memory is used again
    seen, *_ = many.step_chosen(actions, [True, False])
    assert np.array_equal(seen[1], before)


@pytest.mark.parametrize("copies", [None, False])
def test_a_twin_goes_on_as_the_original_does(copies):
    many = CastleCardsVectorEnv(2, 3, threads=2, copy=copies)
    _, infos = many.reset(seed=1)
    for twin in (twin_of(many) for twin_of in TWINS.values()):
        assert not np.shares_memory(twin.raw_states, many.raw_states)
        actions = choose(infos["action_mask"], 1)
        (seen, *_, shown), (due, *_, wanted) = (one.step(actions) for one in (twin, copy.deepcopy(many)))
        assert seen.tobytes() == due.tobytes() and (shown["action_mask"] == wanted["action_mask"]).all()


@pytest.mark.skipif(not IS_COMPILED, reason="in plain Python this takes minutes")
def test_an_episode_that_is_cut_off_brings_nobody_anything_whatever_came_before_it():
    many = CastleCardsVectorEnv(4, 2, max_episode_steps=300, autoreset_mode=AutoresetMode.SAME_STEP)
    infos, seen = many.reset(seed=1)[1], [[] for _ in range(4)]
    for step in range(2500):
        _, _, terminations, truncations, infos = many.step(choose(infos["action_mask"], step))
        for game in np.flatnonzero(terminations | truncations):
            returns = infos["result"]["returns"][game].tolist()
            assert (returns == [0, 0]) == (not terminations[game])
            seen[game].append(bool(terminations[game]))
    assert any((True, False) in pairwise(ends) for ends in seen)


def test_a_game_that_ends_in_its_last_step_is_truncated_too():
    many = CastleCardsVectorEnv(2, 3, max_episode_steps=2)
    _, infos = many.reset(seed=1)
    legal = choose(infos["action_mask"], 0)
    _, _, terminations, truncations, infos = many.step([legal[0], 10**6])
    assert (terminations.tolist(), truncations.tolist()) == ([False, True], [False, False])
    _, _, terminations, truncations, _ = many.step([10**6, 0])
    assert (terminations.tolist(), truncations.tolist()) == ([True, False], [True, False])


def test_no_action_counts_where_a_game_waits_to_be_redealt():
    many = CastleCardsVectorEnv(1, 3, on_illegal="raise", max_episode_steps=1)
    _, infos = many.reset(seed=1)
    _, _, _, truncations, infos = many.step(choose(infos["action_mask"], 0))
    deal, illegal = infos["deal"][0], int(infos["action_mask"][0].argmin())
    assert truncations[0] and not infos["action_mask"][0, illegal]
    _, rewards, terminations, truncations, infos = many.step([illegal])
    assert (rewards[0], terminations[0], truncations[0]) == (0, False, False) and infos["deal"][0] != deal


def test_an_illegal_action_ends_the_episode_or_raises():
    many = CastleCardsVectorEnv(2, 3)
    _, infos = many.reset(seed=1)
    legal = choose(infos["action_mask"], 0)
    _, rewards, terminations, _, infos = many.step([legal[0], 10**6])
    assert (rewards.tolist(), terminations.tolist()) == ([0, -1], [False, True])
    assert infos["illegal_action"].tolist() == [False, True] and not infos["result"]["returns"][1].any()
    many = CastleCardsVectorEnv(2, 3, on_illegal="raise")
    _, infos = many.reset(seed=1)
    before = many.raw_states.tobytes()
    with pytest.raises(IllegalActionError, match=r"game 1: action 1 \(decline\) is illegal"):
        many.step([legal[0], 1])
    assert many.raw_states.tobytes() == before
    many.step(choose(infos["action_mask"], 0))


def test_threads_and_views_change_nothing_but_the_speed():
    ends = []
    for threads, copied in ((1, True), (3, True), (2, False)):
        many = CastleCardsVectorEnv(7, 4, "random", threads=threads, copy=copied)
        observations, infos = many.reset(seed=9)
        if not copied:
            with pytest.raises(ValueError, match="read-only"):
                observations[0] = 1
        for step in range(30):
            observations, _, _, _, infos = many.step(choose(infos["action_mask"], step))
        ends.append((observations.tobytes(), infos["action_mask"].tobytes(), many.raw_states.tobytes()))
        many.close()
        with pytest.raises(ClosedEnvironmentError):
            many.step([0] * 7)
    assert ends[0] == ends[1] == ends[2]


def test_kernels_are_handed_numbers_of_python_whatever_was_given():
    """Those of numpy have a type of their own, for which all would be compiled again."""
    many = CastleCardsVectorEnv(2, np.uint8(3), "random", seat=np.uint8(1))
    assert {type(options.players) for options in many._options} == {int} == {type(many.seat)}
