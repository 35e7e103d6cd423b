"""`ZamekVectorEnv`: the same games as single environments play, whatever the batch; Gymnasium's conventions."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from tests.support.games import ENVIRONMENTS, few, same_observation
from tests.support.side_by_side import play_side_by_side
from zamek_agents import RandomAgent
from zamek_env.core import batch
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

SAME_STEP = AutoresetMode.SAME_STEP


def choose(masks, rng):
    """Return a random legal action for every row, 0 where there is none."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def row(observations, game):
    return {part: array[game] for part, array in observations.items()}


def list_arrays(holder, path=""):
    """Yield (path, array) for each array of numbers in `holder`, whatever holds it."""
    if isinstance(holder, np.ndarray) and holder.dtype != object:
        yield path, holder
    elif holder is not None:
        for name, part in holder.items() if isinstance(holder, dict) else enumerate(holder):
            yield from list_arrays(part, f"{path}/{name}")


def play(env, steps, seed=0):
    """Reset `env` and yield (actions, what `step` returned) of random steps."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        actions = choose(info["action_mask"], rng)
        returned = env.step(actions)
        info = returned[-1]
        yield actions, returned


# --- the same games ---


@pytest.mark.parametrize(
    "ruleset, reward", [("zamek", "win"), ("zamek", "score"), ("zamek", "delta"), ("sokol", "delta"),
                        ("sokol-gates", "score")]
)  # fmt: skip
def test_every_game_is_that_of_a_single_environment(ruleset, reward):
    many = ZamekVectorEnv(3, ruleset, reward=reward, autoreset_mode=SAME_STEP)
    singles = [ZamekEnv(ruleset, reward=reward) for _ in range(3)]
    assert len([*play_side_by_side(many, singles, 40, 250)]) >= 3


@pytest.mark.parametrize("opponent", [None, "random", "greedy", RandomAgent().act])
@pytest.mark.parametrize(
    "changes, at_hand",
    [({"threads": 2}, batch.AT_HAND), ({"threads": 3}, 0), ({"num_envs": 2}, 0), ({"copy": False}, batch.AT_HAND)],
)
def test_games_do_not_depend_on_batch_size_threads_copies_or_fetching(opponent, changes, at_hand, monkeypatch):
    plain = ZamekVectorEnv(5, opponent=opponent)
    monkeypatch.setattr(batch, "AT_HAND", at_hand)
    other = ZamekVectorEnv(**{"num_envs": 5, "opponent": opponent} | changes)
    count = other.num_envs
    seen, info = plain.reset(seed=9)
    other_seen, other_info = other.reset(seed=9)
    rng = np.random.default_rng(2)
    for _ in range(60):
        for game in range(count):
            assert same_observation(row(seen, game), row(other_seen, game))
        assert np.array_equal(info["action_mask"][:count], other_info["action_mask"])
        actions = choose(info["action_mask"], rng)
        seen, rewards, terminated, _, info = plain.step(actions)
        other_seen, other_rewards, other_terminated, _, other_info = other.step(actions[:count])
        assert np.array_equal(rewards[:count], other_rewards)
        assert np.array_equal(terminated[:count], other_terminated)
    other.close()


@pytest.mark.parametrize("flat", [False, True])
def test_without_copies_the_next_step_overwrites_what_is_seen_and_nothing_else(flat):
    env = ZamekVectorEnv(2, copy=False, flat=flat)
    _, info = env.reset(seed=1)
    first, second = (dict(list_arrays(env.step(info["action_mask"].argmax(axis=1)))) for _ in range(2))
    assert first.keys() == second.keys()
    in_common = {path for path, array in first.items() if np.shares_memory(array, second[path])}
    locked = {path for path, array in first.items() if not array.flags.writeable}
    assert in_common == locked and "/4/action_mask" in locked
    assert {path for path in first if path.startswith("/0")} <= locked
    assert not {"/1", "/2", "/3", "/4/current_player"} & locked


def test_options_name_the_deals():
    env = ZamekVectorEnv(2)
    first, info = env.reset(options={"deal": [7, 8]})
    assert info["deal"].tolist() == [7, 8]
    again, _ = env.reset(options={"deal": 7})
    assert same_observation(row(first, 0), row(again, 0)) and same_observation(row(first, 0), row(again, 1))
    alone, _ = ZamekEnv().reset(options={"deal": 8})
    assert same_observation(row(first, 1), alone)


def test_the_deal_that_a_game_is_given_is_not_that_of_others():
    env, other = (ZamekVectorEnv(2, autoreset_mode="Disabled") for _ in range(2))
    for games in (env, other):
        games.reset(seed=1)
    env.reset(options={"deal": 7, "reset_mask": np.array([True, False])})
    deals, due = (games.reset(options={"reset_mask": np.array([False, True])})[1]["deal"] for games in (env, other))
    assert deals[0] == 7 and deals[1] == due[1]


def test_without_a_seed_each_environment_draws_deals_of_its_own():
    first, second = (ZamekVectorEnv(3, opponent="random").reset()[1]["deal"].tolist() for _ in range(2))
    assert len({*first, *second}) == 6


def test_every_step_names_the_deals_in_progress():
    """Those of single environments, also of games that ended and were dealt anew; `final_info` names theirs."""
    for mode in AutoresetMode:
        many, ended = ZamekVectorEnv(2, autoreset_mode=mode), 0
        singles = [ZamekEnv() for _ in range(2)]
        due = [env.reset(seed=5 + game)[1]["deal"] for game, env in enumerate(singles)]
        rng, (_, info) = np.random.default_rng(5), many.reset(seed=5)
        over = np.zeros(2, np.bool_)
        for _ in range(160):
            assert info["deal"].tolist() == due
            if mode == AutoresetMode.DISABLED and over.any():
                _, info = many.reset(options={"reset_mask": over})
                over[:] = False
            _, _, terminated, _, now = many.step(choose(info["action_mask"], rng))
            for game in range(2):
                if terminated[game]:
                    ended += 1
                    if mode == AutoresetMode.SAME_STEP:
                        assert now["final_info"]["deal"][game] == due[game]
                if terminated[game] if mode == AutoresetMode.SAME_STEP else over[game]:
                    due[game] = singles[game].reset()[1]["deal"]
            if mode == AutoresetMode.DISABLED:
                for game in np.flatnonzero(terminated):
                    due[game] = singles[game].reset()[1]["deal"]
                    _, again = many.reset(options={"reset_mask": np.arange(2) == game})
                    now["deal"], now["action_mask"] = again["deal"], again["action_mask"]
            else:
                over = terminated
            info = now
        assert ended >= 2


@pytest.mark.parametrize("opponent", [None, "random", lambda game, rng: int(game.legal_actions()[0])])
def test_last_players_are_told_of_games_that_are_redealt(opponent):
    """Of a game that is cut off it is who would decide next, of one that ended nobody, of all others nothing."""
    limit = 10  # when no opponent plays, it is player 1 who would decide next
    many = ZamekVectorEnv(3, opponent=opponent, autoreset_mode=SAME_STEP, max_episode_steps=limit)
    going = ZamekVectorEnv(3, opponent=opponent, autoreset_mode=AutoresetMode.DISABLED)
    rng, found = np.random.default_rng(3), set()
    for seed in range(few(40, 6)):
        (_, info), (_, other) = many.reset(seed=7 * seed), going.reset(seed=7 * seed)
        stays = limit if seed % 2 else rng.integers(1, limit)
        for step in range(1, stays + 1):
            actions = choose(info["action_mask"], rng)
            if step == stays:
                actions[0] = np.flatnonzero(info["action_mask"][0] == 0)[0]
            _, _, _, _, info = many.step(actions)
            _, _, _, _, other = going.step(actions)
        ended = np.arange(3) == 0 if stays < limit else np.ones(3, np.bool_)
        assert info["final_info"]["_current_player"].tolist() == ended.tolist()
        assert info["final_info"]["current_player"].tolist() == np.where(ended, other["current_player"], 0).tolist()
        found |= set(other["current_player"][ended].tolist())
    assert {-1, 1} <= found


def test_what_was_told_of_deals_stays_as_it_was():
    env = ZamekVectorEnv(2)
    _, info = env.reset(seed=1)
    deals, before = info["deal"], info["deal"].tolist()
    _, again = env.reset(options={"reset_mask": np.array([True, False])})
    assert deals.tolist() == before
    assert again["deal"][0] != before[0] and again["deal"][1] == before[1]


def test_games_that_go_on_keep_masks_players_and_results_while_others_are_reset():
    """Gymnasium's own vector environments give zeros for them, and its wrappers lose their sums."""
    env = ZamekVectorEnv(2, reward="delta", autoreset_mode=AutoresetMode.DISABLED)
    rng, (_, info), length, total, over = np.random.default_rng(2), env.reset(seed=1), 0, 0.0, False
    while not over:
        mover = info["current_player"][1]
        _, rewards, terminated, _, info = env.step(choose(info["action_mask"], rng))
        length, total, over = length + 1, total + (-1) ** int(mover) * rewards[1], terminated[1]
        if not over:
            _, again = env.reset(options={"reset_mask": np.array([True, False])})
            for key in ("action_mask", "current_player", "deal"):
                assert np.array_equal(again[key][1], info[key][1])
            info = again
    assert info["result"]["length"][1] == length > 20
    assert info["result"]["total_reward"][1] == pytest.approx(total, abs=1e-5)


def test_info_always_has_the_same_keys_with_an_entry_for_every_game():
    keys = {"action_mask", "current_player", "deal", "illegal_action"}
    env = ZamekVectorEnv(3, autoreset_mode=SAME_STEP)
    infos = [env.reset(seed=1)[1], *(returned[-1] for _, returned in play(env, 200))]
    assert any("result" in info for info in infos)
    for info in infos:
        assert keys | {f"_{key}" for key in keys} <= set(info)
        extra = set(info) - keys - {f"_{key}" for key in keys}
        assert extra <= {name for key in ("result", "final_obs", "final_info") for name in (key, f"_{key}")}
        for key in keys:
            assert len(info[key]) == 3 and info[f"_{key}"].tolist() == [True] * 3
        assert not info["illegal_action"].any()


# --- opponents and statistics ---


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_the_learner_always_decides_from_its_own_seat(seat):
    env, seats = ZamekVectorEnv(8, opponent="random", seat=seat), set()
    for _, (_, _, _, _, info) in play(env, 100):
        seats |= set(info["current_player"].tolist()) - {-1}  # of games that are over
    assert seats == ({0, 1} if seat == "random" else {seat})


def test_the_greedy_opponent_beats_random_play():
    env, results = ZamekVectorEnv(32, opponent="greedy"), []
    for _, (_, rewards, terminated, _, _) in play(env, 90):
        results += rewards[terminated].tolist()
    assert len(results) >= 32
    assert set(results) == {-1.0}


@pytest.mark.parametrize("limit", [None, 40])
def test_episodes_come_with_their_statistics(limit):
    env = ZamekVectorEnv(4, reward="delta", autoreset_mode=SAME_STEP, max_episode_steps=limit)
    sums, lengths, mover_signs = np.zeros(4), np.zeros(4, int), None
    _, info = env.reset(seed=3)
    rng, ended, scored = np.random.default_rng(3), 0, 0
    for _ in range(200):
        mover_signs = np.where(info["current_player"] == 0, 1, -1)
        _, rewards, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
        sums += mover_signs * rewards
        lengths += 1
        over = terminated | truncated
        assert ("result" in info) == over.any() and truncated.any() == (limit is not None and over.any())
        for game in np.flatnonzero(over):
            ended += 1
            result = info["result"]
            assert info["_result"].tolist() == over.tolist()
            assert all(result[f"_{name}"].tolist() == over.tolist() for name in result if name[0] != "_")
            first, second = result["scores"][game]
            assert result["total_reward"][game] == pytest.approx(sums[game]) == pytest.approx((first - second) / 100)
            assert result["length"][game] == lengths[game] == (limit or lengths[game])
            scored += first + second
            sums[game], lengths[game] = 0, 0
    assert ended >= 4 and scored > 0


# --- Gymnasium's conventions ---


def test_what_could_not_be_made_is_not_to_be_closed():
    """Gymnasium before 1.3 closes it as soon as nobody holds it any more."""
    env = ZamekVectorEnv.__new__(ZamekVectorEnv)
    with pytest.raises(ValueError, match="num_envs must"):
        env.__init__(0)
    assert env.closed
    env.__init__(1)
    assert not env.closed


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_gymnasium_makes_it(name):
    env = gymnasium.make_vec(name, num_envs=3, reward="score")
    assert isinstance(env.unwrapped, ZamekVectorEnv)
    assert env.unwrapped.ruleset.name == ENVIRONMENTS[name]


def play_to_the_first_end(env):
    """Play until a game ends; return (observations, terminated, info) of that step."""
    for _, (observations, _, terminated, _, info) in play(env, 300):
        if terminated.any():
            return observations, terminated, info
    raise AssertionError("no game ended")


def test_the_next_step_deals_anew_where_that_is_asked_for():
    env = ZamekVectorEnv(2)
    observations, terminated, info = play_to_the_first_end(env)
    game = int(terminated.argmax())
    assert info["action_mask"][game].all() and info["current_player"][game] == -1
    assert "final_obs" not in info
    assert observations["vector"][game][env.ruleset.vector["phase"]][4] == 1  # over
    observations, rewards, terminated, _, info = env.step(choose(info["action_mask"], np.random.default_rng(0)))
    assert rewards[game] == 0 and not terminated[game]
    assert info["action_mask"][game].any()


def test_without_autoreset_ended_games_wait_for_reset():
    env = ZamekVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED)
    observations, terminated, info = play_to_the_first_end(env)
    with pytest.raises(ResetNeeded, match="reset_mask"):
        env.step(choose(info["action_mask"], np.random.default_rng(0)))
    fresh, _ = env.reset(options={"reset_mask": terminated})
    for game in range(2):
        assert same_observation(row(fresh, game), row(observations, game)) != terminated[game]


@pytest.mark.parametrize("copied", [None, True])
def test_writing_to_what_a_step_returned_changes_nothing_else(copied):
    settings = {"copy": copied, "max_episode_steps": 30, "autoreset_mode": SAME_STEP}
    spoiled, kept = (ZamekVectorEnv(2, **settings) for _ in range(2))
    masks, rng, ended = kept.reset(seed=1)[1]["action_mask"], np.random.default_rng(0), 0
    spoiled.reset(seed=1)
    for _ in range(75):
        actions = choose(masks, rng)
        arrays, expected = (dict(list_arrays(env.step(actions))) for env in (spoiled, kept))
        masks, ended = expected["/4/action_mask"], ended + ("/4/final_info/deal" in expected)
        while arrays:
            assert all(np.array_equal(array, expected[path]) for path, array in arrays.items())
            path, array = arrays.popitem()
            is_shared = path.startswith(("/4/_result", "/4/result/_"))  # one array under several names
            if array.flags.writeable and not is_shared:
                array[...] = ~array if array.dtype == bool else array + 1
    assert ended == 2


@pytest.mark.parametrize("copied", [None, True, False])
def test_masks_that_are_asked_for_are_copies(copied):
    env = ZamekVectorEnv(2, copy=copied)
    env.reset(seed=1)
    before = env.action_masks()
    env.action_masks()[:] = True
    assert np.array_equal(env.action_masks(), before)
    held = env.action_masks()
    for _ in range(3):
        env.step(env.action_masks().argmax(axis=1))
    assert np.array_equal(held, before) and not np.array_equal(env.action_masks(), before)


# --- what cannot be ---


def test_who_plays_an_illegal_action_loses_by_it_and_nobody_wins():
    """Of games that end while player 0, and while player 1, is to decide."""
    env = ZamekVectorEnv(1, autoreset_mode=SAME_STEP)
    rng, totals = np.random.default_rng(1), {}
    while len(totals) < 2:
        _, info = env.reset(seed=1)
        while (mover := int(info["current_player"][0])) in totals:
            *_, info = env.step(choose(info["action_mask"], rng))
        *_, info = env.step([-1])
        totals[mover] = info["result"]["total_reward"][0]
    assert totals == {0: -1, 1: 0}


@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_game_that_is_given_no_seed_goes_on_drawing_as_a_single_environment_does(opponent):
    many, singles = ZamekVectorEnv(3, opponent=opponent), [ZamekEnv(opponent=opponent) for _ in range(3)]
    for seeds in ([1, 2, 3], [7, None, None], None, [None, 8, None], [None] * 3):
        seen, info = many.reset(seed=seeds)
        alone = [env.reset(seed=seed) for env, seed in zip(singles, seeds or [None] * 3, strict=True)]
        assert info["deal"].tolist() == [details["deal"] for _, details in alone]
        if opponent is None:
            assert all(same_observation(row(seen, game), alone[game][0]) for game in range(3))


def test_before_reset_every_action_is_open_as_in_a_single_environment():
    masks = ZamekVectorEnv(2).action_masks()
    assert masks.all() and masks[0].shape == ZamekEnv().action_masks().shape and masks.dtype == np.bool_


def test_seeds_are_told_game_by_game():
    games = ZamekVectorEnv(3)
    assert games.np_random_seed == games.np_random == (None, None, None)
    games.reset(seed=[7, None, 9])
    assert games.np_random_seed[::2] == (7, 9) and games.np_random_seed[1] > 9
    assert pickle.loads(pickle.dumps(games)).np_random_seed == games.np_random_seed


def test_generators_follow_from_the_seed():
    """Gymnasium promises it of `np_random`: what is drawn from it is the same after the same seed."""
    draws = []
    for _ in range(2):
        games = ZamekVectorEnv(2, opponent="random")
        games.reset(seed=5)
        draws.append([generator.random() for generator in games.np_random])
    assert draws[0] == draws[1] and draws[0][0] != draws[0][1]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("limit", [None, 5])
def test_who_played_which_seat_is_told_at_the_end(mode, limit):
    """Whose points are whose: the winner by the reward has the higher score."""
    games = ZamekVectorEnv(16, opponent="random", autoreset_mode=mode, max_episode_steps=limit, reward="score")
    infos, seats = games.reset(seed=3)[1], set()
    for _ in range(120):
        *_, infos = games.step(infos["action_mask"].argmax(axis=1))
        for game in np.flatnonzero(infos.get("_result", np.zeros(16))):
            result = {name: values[game] for name, values in infos["result"].items() if name[0] != "_"}
            lead = int(result["scores"][result["seat"]]) - int(result["scores"][1 - result["seat"]])
            assert limit or result["total_reward"] == pytest.approx(lead / 100)
            seats.add(int(result["seat"]))
    assert seats == {0, 1}
