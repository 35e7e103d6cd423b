"""Self-play: the sign of advantages where the mover changes, and the games that a network learns from."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from zamek_agents import make_agent
from zamek_agents.heuristic import GreedyAgent
from zamek_agents.ppo.opponents import AgentOpponent, PastSelf, PastSelves
from zamek_agents.ppo.self_play import SelfPlayVecEnv, SignedRolloutBuffer
from zamek_env import Game, IllegalActionError
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import get_ruleset

# --- advantages ---


def fill_buffer(movers, rewards, values, last_value):
    """Return the buffer of one game with these movers (one more than steps), rewards and values, undiscounted."""
    moves = iter(movers)
    buffer = SignedRolloutBuffer(
        len(rewards),
        spaces.Dict({"vector": spaces.Box(0, 1, (1,))}),
        spaces.Discrete(2),
        "cpu",
        gae_lambda=1.0,
        gamma=1.0,
        n_envs=1,
        read_movers=lambda: np.array([0]),
    )
    buffer._read_movers = lambda: np.array([next(moves)])
    buffer.reset()
    for step, (reward, value) in enumerate(zip(rewards, values, strict=True)):
        seen = {"vector": np.zeros((1, 1), np.float32)}
        start = np.array([step == 0])
        tensors = torch.tensor([value]), torch.zeros(1)
        buffer.add(seen, np.zeros((1, 1)), np.array([reward]), start, *tensors, action_masks=np.ones((1, 2)))
    buffer.compute_returns_and_advantage(torch.tensor([last_value]), np.array([False]))
    return buffer.returns[:, 0]


@pytest.mark.parametrize(
    ("movers", "rewards", "last_value", "due"),
    [
        ([0, 1, 0], [1.0, 3.0], 0.0, [1.0 - 3.0, 3.0]),
        ([1, 1, 0], [1.0, 3.0], 0.0, [1.0 + 3.0, 3.0]),
        ([0, 1], [0.0], 2.0, [-2.0]),
        ([0, 0], [0.0], 2.0, [2.0]),
    ],
)
def test_what_comes_to_the_opponent_counts_against_the_player_before(movers, rewards, last_value, due):
    """The last value is the next mover's."""
    assert fill_buffer(movers, rewards, [0.5] * len(rewards), last_value).tolist() == due


def make_model(games):
    return MaskablePPO(
        "MultiInputPolicy",
        games,
        n_steps=8,
        batch_size=16,
        n_epochs=1,
        rollout_buffer_class=SignedRolloutBuffer,
        rollout_buffer_kwargs={"read_movers": lambda: games.movers},
        policy_kwargs={"net_arch": [4]},
        device="cpu",
    )


def test_a_model_that_was_loaded_reads_the_movers_of_the_games_that_it_plays(tmp_path):
    """The file holds a copy of the games that the model played; nobody plays it, so its movers stay as they are."""
    make_model(SelfPlayVecEnv(2)).learn(16).save(tmp_path / "model.zip")
    games = SelfPlayVecEnv(2)
    with pytest.raises(RuntimeError, match=r"read_movers must read the games that are played.*MaskablePPO\.load"):
        MaskablePPO.load(tmp_path / "model.zip", games, device="cpu").learn(16)
    given = {"read_movers": lambda: games.movers}
    model = MaskablePPO.load(tmp_path / "model.zip", games, device="cpu", rollout_buffer_kwargs=given).learn(16)
    assert model.rollout_buffer._movers.any() and model.rollout_buffer._movers[-1].tolist() == games.movers.tolist()


def test_a_model_that_is_given_other_games_reads_no_others():
    model = make_model(SelfPlayVecEnv(2)).learn(16)
    model.set_env(SelfPlayVecEnv(2))
    with pytest.raises(RuntimeError, match="read_movers must read the games that are played"):
        model.learn(16)


# --- games for learning ---


class FirstLegal:
    """An opponent that plays the first legal action."""

    name = "first legal"

    def seed(self, seed):
        pass

    def choose(self, seen, masks, states):
        return masks.argmax(axis=1)


def play_randomly(games, steps, seed=0):
    """Yield (movers before, rewards, dones, movers after) of random steps."""
    rng = np.random.default_rng(seed)
    games.seed(seed)
    games.reset()
    for _ in range(steps):
        masks = np.stack(games.env_method("action_masks"))
        movers = games.movers
        games.step_async(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        _, rewards, dones, _ = games.step_wait()
        yield movers, rewards, dones, games.movers


@pytest.mark.parametrize("reward", ["delta", "score"])
@pytest.mark.parametrize("opponents", [[], [(GreedyAgent(), 4)]])
def test_rewards_add_up_to_the_final_difference_signed_where_both_players_learn(opponents, reward):
    games = SelfPlayVecEnv(4, opponents, reward)
    totals, finished = np.zeros(4), []
    for movers, rewards, dones, _ in play_randomly(games, 300):
        totals += rewards if opponents else np.where(movers == 0, rewards, -rewards)
        finished += totals[dones].round(2).tolist()
        totals[dones] = 0
    assert len(finished) > 4
    due = [round((mine - theirs) / 100, 2) for _, mine, theirs in games.results]
    assert sorted(finished) == sorted(due) if opponents else finished == due


def test_the_ruleset_of_self_play_may_be_given_by_name():
    assert SelfPlayVecEnv(2, ruleset="sokol").ruleset is get_ruleset("sokol")


@pytest.mark.parametrize("ruleset", ["chess", "", 7, None])
def test_the_ruleset_of_self_play_must_be_one_that_there_is(ruleset):
    with pytest.raises(ValueError, match=r"ruleset must be .*not"):
        SelfPlayVecEnv(2, ruleset=ruleset)


def test_deals_of_self_play_are_named_by_options():
    games = SelfPlayVecEnv(2)
    games.set_options([{"deal": 7}, {"deal": 9}])
    games.reset()
    states = [Game(seed=deal).state.tobytes() for deal in (7, 9)]
    assert [state.tobytes() for state in games.games.states] == states
    games.reset()
    assert not any(state.tobytes() in states for state in games.games.states)


def test_what_stable_baselines_asks_of_some_games_is_told_of_them():
    games = SelfPlayVecEnv(3)
    games.reset()
    masks = games.env_method("action_masks")
    assert len(masks) == 3
    assert np.array_equal(games.env_method("action_masks", indices=[2, 0]), [masks[2], masks[0]])
    assert games.get_attr("render_mode", indices=1) == [None] and not games.has_attr("states")
    assert [ask().shape for ask in games.get_attr("action_masks")] == [(games.action_space.n,)] * games.num_envs
    assert games.env_is_wrapped(object, indices=[0, 1]) == [False, False]


def test_self_play_refuses_what_nobody_can_mean():
    games = SelfPlayVecEnv(2)
    games.reset()
    with pytest.raises(AttributeError, match="only action_masks and render can be called, not step"):
        games.env_method("step")
    with pytest.raises(TypeError, match="action_masks takes no arguments"):
        games.env_method("action_masks", 1)
    with pytest.raises(TypeError, match="action_masks takes no arguments"):
        games.env_method("action_masks", game=1)
    for _ in range(2):  # before the first step, and after it
        with pytest.raises(RuntimeError, match="step_async must be called before each step_wait"):
            games.step_wait()
        games.step(np.stack(games.env_method("action_masks")).argmax(axis=1))
    with pytest.raises(TypeError, match="actions must be whole numbers"):
        games.step(np.array([0.5, 1.5]))


def test_against_an_opponent_the_learner_keeps_its_seat():
    games = SelfPlayVecEnv(6, [(FirstLegal(), 6)])
    rounds = list(play_randomly(games, 200))
    seats_changed = sum(int((before != after)[~dones].sum()) for before, _, dones, after in rounds)
    assert seats_changed == 0
    assert games.results and all(name == "first legal" for name, _, _ in games.results)


def test_every_opponent_plays_in_as_many_games_as_it_is_given():
    games = SelfPlayVecEnv(7, [(FirstLegal(), 2), (GreedyAgent(), 4)])
    for _ in play_randomly(games, 400):
        pass
    names = [name for name, _, _ in games.results]
    assert names.count("greedy") > names.count("first legal") > 0 and None in names


@pytest.mark.compiles
def test_an_agent_as_opponent_decides_as_it_does_in_a_game_and_changes_nothing():
    game, rng = Game("carcassonne", seed=4), np.random.default_rng(0)
    for _ in range(40):
        game.step(rng.choice(game.legal_actions()))
    opponent, before = AgentOpponent(GreedyAgent(), get_ruleset("carcassonne")), game.state
    opponent.seed(7)
    chosen = opponent.choose({}, None, game.raw_states).tolist()
    assert chosen == [make_agent("greedy").act(game, np.random.default_rng(7))]
    assert (game.state == before).all()


@pytest.mark.parametrize(("answer", "error"), [(-1, IllegalActionError), (0.0, TypeError)])
def test_an_opponent_whose_answer_is_not_legal_ends_the_training_instead_of_losing(answer, error, monkeypatch):
    monkeypatch.setattr(GreedyAgent, "act", lambda self, game, rng: answer)
    games = SelfPlayVecEnv(2, [(GreedyAgent(), 2)])
    with pytest.raises(error, match=f"^the answer of greedy: action must .*, not {answer}$"):
        for _ in play_randomly(games, 5):
            pass


@pytest.mark.parametrize(
    ("opponents", "error", "message"),
    [
        (["greedy"], TypeError, r"must be pairs of an agent and a number of games, not \['greedy'\]$"),
        ("greedy", TypeError, "must be pairs of an agent and a number of games, not 'greedy'$"),
        (5, TypeError, "must be pairs of an agent and a number of games, not 5$"),
        (
            [("greedy", 1)],
            TypeError,
            r": an agent must have a method act\(game, rng\), not 'greedy'; make_agent\(name\) returns one",
        ),
        ([(GreedyAgent(), "1")], TypeError, ": a number of games must be a whole number, not '1'$"),
        ([(GreedyAgent(), -1)], ValueError, ": a number of games must lie in 0 to 4, not -1$"),
        (
            [(GreedyAgent(), 3), (FirstLegal(), 2)],
            ValueError,
            "must be in at most 4 games, as num_envs says, not in 5$",
        ),
        ([(make_agent("ismcts"), 1)], TypeError, "ismcts"),
    ],
)
def test_opponents_that_cannot_play_are_refused_at_once(opponents, error, message):
    with pytest.raises(error, match=message):
        SelfPlayVecEnv(4, opponents)


def test_states_are_shown_where_they_are_asked_for_alone():
    plain, whole = SelfPlayVecEnv(2), SelfPlayVecEnv(2, observation=ROW_PARTS, states=True)
    assert {*plain.observation_space} == {"planes", "vector"}
    assert {*whole.observation_space} == {"vector", "rows", "row_actions", "state"}
    seen = whole.reset()
    assert all(whole.observation_space[name].contains(part[1]) for name, part in seen.items())
    assert seen["state"][1].tobytes() == whole.games.states[1].tobytes()
    with pytest.raises(ValueError, match=r"^states must be one of True, False, not 1$"):
        SelfPlayVecEnv(2, states=1)


def test_past_selves_say_that_none_of_them_plays_yet():
    games = SelfPlayVecEnv(8, [(PastSelves(2), 8)])
    with pytest.raises(RuntimeError, match=r"call draw\(policy\) before the games begin"):
        games.reset()


def test_a_past_self_ends_its_games_and_the_one_drawn_last_begins_others(monkeypatch):
    answered, begun = {}, []  # which weights in each game, by its deck; which were drawn as each of them began

    def choose(self, seen, masks, states):
        for state in states:
            deck = state["deck"].tobytes()
            if deck not in answered:
                begun.append(self._weights is past_selves.weights[-1])
            answered.setdefault(deck, set()).add(id(self._weights))
        return masks.argmax(axis=1)

    monkeypatch.setattr(PastSelf, "choose", choose)
    past_selves = PastSelves(1)
    games = SelfPlayVecEnv(4, [(past_selves, 3)])
    policy = make_model(games).policy
    past_selves.draw(policy)
    games.seed(1)
    games.reset()
    kept = []  # so that no two of them have one `id`
    for step in range(200):
        if step % 10 == 0:
            kept += past_selves.weights
            past_selves.add(policy)
            past_selves.draw(policy)
        games.step(games.games.action_masks().argmax(axis=1))
    assert [*map(len, answered.values())] == [1] * len(answered) and len(answered) > 6
    assert len(set.union(*answered.values())) > 3 and sum(begun) > 4


def test_past_selves_in_play_at_one_time_choose_as_each_was():
    games = SelfPlayVecEnv(2)
    policy, past_selves, seen = make_model(games).policy, PastSelves(1), games.reset()
    masks, selves = games.games.action_masks(), []
    for shift in (0.0, 50.0):
        with torch.no_grad():
            policy.action_net.bias[:] = shift * torch.arange(masks.shape[1])
        past_selves.add(policy)
        past_selves.draw(policy)
        selves.append(past_selves.drawn)
    last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    first, second = (np.array([one.choose(seen, masks, None) for _ in range(20)]) for one in selves)
    assert (second == last).all() and (past_selves.choose(seen, masks, None) == last).all() and (first != last).any()
    assert any((selves[0].choose(seen, masks, None) != last).any() for _ in range(20))
