"""The PettingZoo environment: conformance, whose turn it is, rewards and illegal actions."""

import copy
import pickle
from inspect import signature
from itertools import pairwise

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from tests.support.aec import compare_with_wrapped, wrap_as_usual
from tests.support.box import load_box
from zamek_env import Game, carcassonne_v0, castle_cards_v0, castle_cards_v1, zamek_v0, zamek_v1
from zamek_env.environments.guarded_aec import register
from zamek_env.observer import Observer
from zamek_env.zamek_v0 import env, raw_env

# --- conformance ---


ARGUMENTS = [{}, {"flat": False}, {"masks": "info"}]


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize("make, arguments", [(env, {}), (env, {"flat": False}), (raw_env, {}), (zamek_v1.env, {})])
def test_pettingzoos_api_test_is_content(make, arguments, capsys):
    api_test(make(**arguments), num_cycles=130)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("make", [env, raw_env])
def test_pettingzoos_api_test_warns_of_nothing_where_masks_are_in_infos(make, capsys):
    """Here it need not know us: an observation is an array, as it asks for."""
    api_test(make(masks="info"), num_cycles=130)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.usefixtures("masks_are_known")
def test_pettingzoos_api_test_is_content_with_a_box_of_ones_own(tmp_path, capsys):
    api_test(env(components=load_box(tmp_path)), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("make", [env, raw_env, zamek_v1.env])
def test_pettingzoos_seed_test_is_content(make):
    for arguments in ARGUMENTS:
        seed_test(lambda arguments=arguments: make(**arguments), num_cycles=80)


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_it_can_be_played_in_parallel(arguments):
    """In turns: who is not to decide gives an action that counts for nothing."""
    parallel_api_test(turn_based_aec_to_parallel(env(**arguments)), num_cycles=150)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(env(**arguments)), num_cycles=20)


@pytest.mark.parametrize("make", [env, raw_env])
def test_pettingzoos_render_test_is_content(make, capsys):
    render_test(make)
    assert "towers with token" in capsys.readouterr().out


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize("ruleset", ["sokol", "sokol-gates", "carcassonne-demo", "carcassonne-no-farmers"])
def test_pettingzoos_api_test_is_content_with_other_rulesets(ruleset, capsys):
    pair = zamek_v0.env(ruleset=ruleset)
    api_test(pair, num_cycles=120)
    assert "Passed API test" in capsys.readouterr().out
    assert pair.unwrapped.game.ruleset.name == ruleset


@pytest.mark.parametrize("make", [env, lambda **arguments: castle_cards_v0.env(players=3, **arguments)])
@pytest.mark.parametrize("masks", ["observation", "info"])
def test_it_does_what_it_does_in_pettingzoos_wrappers(make, masks):
    ours = make(masks=masks)
    made = compare_with_wrapped(ours, wrap_as_usual(make(masks=masks).unwrapped), 700, np.random.default_rng(1))
    assert min(made.values()) > 0 and made["illegal"] > 2


def test_it_is_found_under_pettingzoos_kind_of_name():
    assert zamek_v0.env is env and zamek_v0.raw_env is raw_env
    assert env().metadata["name"] == "zamek_v0"


@pytest.mark.compiles
@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this version of PettingZoo has no registry")
def test_pettingzoos_registry_makes_it():
    pair = pettingzoo.make("aec", "zamek_env/zamek_v0", ruleset="sokol", flat=False)
    assert isinstance(pair.unwrapped, raw_env) and pair.unwrapped.game.ruleset.name == "sokol"
    assert pettingzoo.make("aec", "zamek_env/carcassonne-v0").metadata["name"] == "carcassonne_v0"
    assert pettingzoo.make("aec", "zamek_env/zamek_v1").metadata["name"] == "zamek_v1"
    assert len(pettingzoo.make("aec", "zamek_env/castle_cards_v0", players=4).possible_agents) == 4
    assert pettingzoo.make("aec", "zamek_env/castle_cards_v1").metadata["name"] == "castle_cards_v1"
    register("zamek_v0")  # as where the module is reloaded: warns of no second registration


@pytest.mark.parametrize("module", [zamek_v0, zamek_v1, carcassonne_v0, castle_cards_v0, castle_cards_v1])
def test_env_shows_the_arguments_of_raw_env_and_can_be_pickled(module):
    assert signature(module.env).parameters == signature(module.raw_env).parameters
    assert pickle.loads(pickle.dumps(module.env)) is module.env


def test_older_versions_of_pettingzoo_have_no_registry(monkeypatch):
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    register("zamek_v0")


@pytest.mark.compiles
@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize("make", [carcassonne_v0.env, pytest.param(carcassonne_v0.raw_env, marks=pytest.mark.long)])
def test_carcassonne_has_a_name_of_its_own(make, capsys):
    api_test(make(), num_cycles=150)
    assert "Passed API test" in capsys.readouterr().out
    assert make().metadata["name"] == "carcassonne_v0"
    assert make().unwrapped.game.ruleset.name == "carcassonne"
    assert make(ruleset="carcassonne-demo").unwrapped.game.ruleset.name == "carcassonne-demo"


@pytest.mark.parametrize("make", [carcassonne_v0.env, carcassonne_v0.raw_env])
@pytest.mark.parametrize("ruleset", ["zamek", "sokol", "sokol-gates", "castle-cards", "own", 3, None])
def test_under_the_name_of_carcassonne_nothing_else_is_played(make, ruleset):
    allowed = "carcassonne-demo, carcassonne, carcassonne-no-farmers, carcassonne-bga, carcassonne-hand"
    with pytest.raises(ValueError, match=rf"^ruleset must be one of {allowed}, or .*, not {ruleset!r}; zamek_v0 plays"):
        make(ruleset=ruleset)


@pytest.mark.compiles
def test_pictures_of_a_game_on_a_table_have_one_shape():
    """However far the tiles reach: what records a video of them can put them together."""
    pair = carcassonne_v0.env(ruleset="carcassonne-demo", render_mode="rgb_array")
    pair.reset(seed=1)
    shapes = set()
    for number, _ in enumerate(pair.agent_iter()):
        observation, _, over, _, _ = pair.last()
        if number % 20 == 0 or over:
            shapes.add(pair.render().shape)
        pair.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert len(shapes) == 1


# --- a game ---


def play(pair, seed=1, options=None):
    """Yield (agent, observation, reward, terminated) at every turn of a game of random legal actions."""
    pair.reset(seed=seed, options=options)
    rng = np.random.default_rng(seed)
    for agent in pair.agent_iter():
        observation, reward, terminated, truncated, _ = pair.last()
        assert truncated is False
        yield agent, observation, reward, terminated
        legal = np.flatnonzero(observation["action_mask"])
        pair.step(None if terminated else int(rng.choice(legal)))


@pytest.mark.parametrize("make", [env, raw_env])
def test_a_whole_game_is_played_and_its_rewards_add_up(make):
    for seed in range(5):
        pair, totals = make(), {"player_0": 0, "player_1": 0}
        for agent, observation, reward, terminated in play(pair, seed):
            game = pair.unwrapped.game
            totals[agent] += reward
            assert observation in pair.observation_space(agent) and type(reward) is float
            assert terminated == game.is_terminal
            if not terminated:
                assert agent == f"player_{game.current_player}" and reward == 0
                assert np.array_equal(observation["action_mask"], game.legal_action_mask())
        assert pair.agents == []
        assert tuple(totals.values()) == game.returns()


def test_who_is_not_to_decide_has_no_action():
    pair = raw_env()
    for agent, observation, _, terminated in play(pair):
        other = pair.observe({"player_0": "player_1", "player_1": "player_0"}[agent])
        assert np.all(other["action_mask"] == terminated)
        assert observation["action_mask"].any() and other["action_mask"].dtype == np.int8
        vector = len(pair.game.ruleset.vector)
        mine, theirs = (each["observation"][-vector:] for each in (observation, other))
        assert mine[0] == (not terminated) and theirs[0] == 0


def test_an_agent_that_decides_again_stays_selected():
    """A placement is often followed by the choice of a follower."""
    agents = [agent for agent, _, _, terminated in play(raw_env()) if not terminated]
    assert any(first == second for first, second in pairwise(agents))


def test_spaces_are_always_the_same_objects_and_of_each_agent_its_own():
    for space_of in (each for pair in (env(), raw_env()) for each in (pair.action_space, pair.observation_space)):
        first, second = (space_of(agent) for agent in ("player_0", "player_1"))
        assert first is space_of("player_0") is not second is space_of("player_1")


def test_nothing_returned_is_written_to_later():
    kept = [(observation, copy.deepcopy(observation)) for _, observation, _, _ in play(raw_env())]
    for observation, as_it_was in kept:
        assert np.array_equal(observation["action_mask"], as_it_was["action_mask"])
        assert np.array_equal(observation["observation"], as_it_was["observation"])


@pytest.mark.parametrize("make", [env, raw_env])
def test_a_decision_is_looked_at_once(make, monkeypatch):
    """Not by each check anew, whether the action is legal, whose turn it is and whether the game is over."""
    looks, write = [], Observer._write
    monkeypatch.setattr(Observer, "_write", lambda *given: looks.append(1) or write(*given))
    assert sum(1 for _ in play(make())) == len(looks) > 50


def test_an_observation_is_one_row_or_has_named_parts():
    """The row is what Gymnasium makes of the parts: the planes in C order, and then the vector."""
    flat, named = raw_env(), raw_env(flat=False)
    for (agent, row, *_), (_, parts, *_) in zip(play(flat, 3), play(named, 3), strict=True):
        seen, space = parts["observation"], named.observation_space(agent)
        assert np.array_equal(row["observation"], spaces.flatten(space["observation"], seen))
        assert np.array_equal(row["action_mask"], parts["action_mask"])
        assert row["observation"].dtype == np.float32 and seen["planes"].dtype == np.uint8
        assert row in flat.observation_space(agent) and parts in space


def test_masks_can_be_in_infos():
    plain, pair, rng = raw_env(masks="info"), raw_env(), np.random.default_rng(2)
    for each in (plain, pair):
        each.reset(seed=2)
    for agent in pair.agent_iter():
        seen, _, terminated, _, info = plain.last()
        assert np.array_equal(seen, pair.last()[0]["observation"]) and seen in plain.observation_space(agent)
        for name in pair.agents:
            assert np.array_equal(plain.infos[name]["action_mask"], pair.observe(name)["action_mask"])
        action = None if terminated else int(rng.choice(np.flatnonzero(info["action_mask"])))
        for each in (plain, pair):
            each.step(action)
    assert not plain.agents and not plain.infos


def test_masks_in_infos_are_all_ones_after_an_illegal_action():
    pair = env(masks="info")
    pair.reset(seed=7)
    illegal = int(pair.infos[pair.agent_selection]["action_mask"].argmin())
    pair.step(illegal)
    assert all(pair.terminations.values())
    assert all(info["action_mask"].all() for info in pair.infos.values())


# --- deals and seeds ---


def test_a_deal_is_repeated_by_its_number():
    pair = raw_env()
    pair.reset(options={"deal": 12})
    assert pair.game.state.tobytes() == Game(seed=12).state.tobytes()
    with pytest.raises(ValueError, match=r"options\['deal'\] must lie in"):
        pair.reset(options={"deal": -1})


def test_later_games_follow_from_the_seed_but_differ():
    deals = []
    for pair in (raw_env(), raw_env()):
        for number in range(3):
            pair.reset(seed=5 if number == 0 else None)
            deals.append(pair.game.seed)
    assert deals[:3] == deals[3:] and len(set(deals)) == 3


@pytest.mark.parametrize("make", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
def test_copies_are_independent(make):
    pair = raw_env()
    pair.reset(seed=3)
    twin = make(pair)
    twin.step(twin.game.legal_actions()[0])
    assert len(pair.game.history) == 0 and len(twin.game.history) == 1
    pair.step(pair.game.legal_actions()[0])
    assert pair.game.state.tobytes() == twin.game.state.tobytes()


# --- wrong calls ---


def test_what_comes_before_the_first_game_or_after_the_last_step_asks_for_a_reset():
    pair = raw_env()
    for _ in range(2):
        for call in (pair.last, lambda: pair.step(None)):
            with pytest.raises(ResetNeeded, match="no game has begun, or all agents have taken their last step: call"):
                call()
        assert len(list(play(pair))) > 50


@pytest.mark.parametrize("action", [None, -1, 10**6, 1.5])
def test_what_is_no_action_is_refused_while_the_game_goes_on(action):
    pair = env()
    pair.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        pair.step(action)
    assert not pair.unwrapped.game.history


def test_an_illegal_action_ends_the_game_and_costs_one(capfd):
    pair = env()
    pair.reset(seed=1)
    pair.step(int(np.flatnonzero(~pair.unwrapped.game.legal_action_mask())[0]))
    assert all(pair.terminations.values())
    assert (pair.rewards["player_0"], pair.rewards["player_1"]) == (-1, 0)


@pytest.mark.parametrize(
    "arguments, error",
    [({"render_mode": "svg"}, ValueError), ({"ruleset": "falcon"}, ValueError), ({"components": 3}, TypeError)],
)
def test_wrong_arguments_are_refused(arguments, error):
    for make in (env, raw_env):
        with pytest.raises(error, match=next(iter(arguments))):
            make(**arguments)
    pair = raw_env()
    for find in (pair.observation_space, pair.action_space):
        with pytest.raises(ValueError, match="agent must be one of 'player_0', 'player_1', not 'player_2'"):
            find("player_2")
        with pytest.raises(ValueError, match="agent must be one of 'player_0', 'player_1', not \\[\\]"):
            find([])
