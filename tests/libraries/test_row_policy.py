"""`RowPolicy`: a policy of Stable-Baselines3 that scores each legal action by its row."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO

import zamek_env  # noqa: F401 - registers the environments
from zamek_env.row_network import RowNetwork
from zamek_env.sb3 import RowFeatures, RowPolicy, make_vec_env

PARTS = ("vector", "rows", "row_actions")
ARGUMENTS = {"opponent": "random", "reward": "delta"}


@pytest.fixture(scope="module")
def model():
    env = make_vec_env("Zamek-v1", 4, seed=1, env_kwargs=ARGUMENTS)
    made = MaskablePPO(RowPolicy, env, n_steps=16, batch_size=32, n_epochs=1, seed=1, device="cpu")
    return made.learn(128)


def look(model, seed):
    """Return observations and masks of new games."""
    model.env.seed(seed)
    seen = model.env.reset()
    return seen, np.stack(model.env.env_method("action_masks"))


def test_it_learns_by_all_that_a_policy_is_asked_for(model):
    seen, masks = look(model, 5)
    actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
    assert masks[np.arange(4), actions].all()
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(64, reset_num_timesteps=False)
    assert all((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True))


def test_a_saved_model_and_a_saved_policy_play_on(model, tmp_path):
    seen, masks = look(model, 6)
    due, _ = model.predict(seen, action_masks=masks, deterministic=True)
    model.save(tmp_path / "model.zip")
    model.policy.save(tmp_path / "policy.pt")
    for loaded in (MaskablePPO.load(tmp_path / "model.zip"), RowPolicy.load(tmp_path / "policy.pt")):
        actions, _ = loaded.predict(seen, action_masks=masks, deterministic=True)
        assert (actions == due).all()


class Shifted(RowFeatures):
    """Features of one's own, which add a number to the value."""

    def __init__(self, *arguments, shift, **named):
        super().__init__(*arguments, **named)
        self.shift = torch.nn.Parameter(torch.tensor(shift))

    def score(self, seen):
        logits, value = super().score(seen)
        return logits, value + self.shift


def test_a_policy_with_features_of_ones_own_is_saved_with_them(model, tmp_path):
    own = {"features_extractor_class": Shifted, "features_extractor_kwargs": {"shift": 3.0}}
    policy = RowPolicy(model.observation_space, model.action_space, lambda _: 0.0, **own)
    policy.save(tmp_path / "policy.pt")
    loaded, seen = RowPolicy.load(tmp_path / "policy.pt"), policy.obs_to_tensor(look(model, 1)[0])[0]
    assert torch.equal(loaded.predict_values(seen), policy.predict_values(seen))
    with torch.no_grad():
        policy.features_extractor.shift += 1
    assert torch.allclose(policy.predict_values(seen), loaded.predict_values(seen) + 1)


def test_its_layers_may_be_wider():
    env = make_vec_env("Zamek-v1", 2, env_kwargs=ARGUMENTS)
    model = MaskablePPO(RowPolicy, env, n_steps=8, batch_size=8, policy_kwargs={"hidden": 16}, device="cpu")
    assert model.policy.features_extractor.network.logit.in_features == 16
    model.learn(16)


@pytest.mark.parametrize(
    ("algorithm", "arguments", "error", "message"),
    [
        (
            MaskablePPO,
            {"net_arch": [64], "ortho_init": True},
            TypeError,
            "^RowPolicy takes hidden, .* not net_arch, ortho",
        ),
        (MaskablePPO, {"activation_fn": torch.nn.Tanh}, TypeError, "and optimizer_kwargs, not activation_fn$"),
        (MaskablePPO, {"share_features_extractor": False}, TypeError, ", not share_features_extractor$"),
        (MaskablePPO, {"hidden": 0}, ValueError, "^hidden must be at least 1, not 0$"),
        (MaskablePPO, {"hidden": 2.5}, TypeError, "^hidden must be a whole number, not 2.5$"),
        (MaskablePPO, {"hidden": True}, TypeError, "^hidden must be a whole number, not True$"),
        (PPO, {}, TypeError, "^RowPolicy is for MaskablePPO, not for an algorithm that passes use_sde, as PPO does$"),
        (partial(DQN, buffer_size=16), {}, TypeError, "^RowPolicy is for MaskablePPO, not for DQN: examples/dqn.py "),
    ],
)
def test_arguments_that_do_not_apply_are_refused(model, algorithm, arguments, error, message):
    with pytest.raises(error, match=message):
        algorithm(RowPolicy, model.env, policy_kwargs=arguments)


def test_its_optimizer_can_be_chosen_and_is_saved(model, tmp_path):
    own = {"optimizer_class": torch.optim.SGD, "optimizer_kwargs": {"momentum": 0.5}}
    policy = RowPolicy(model.observation_space, model.action_space, lambda _: 0.0, **own)
    policy.save(tmp_path / "policy.pt")
    optimizer = RowPolicy.load(tmp_path / "policy.pt").optimizer
    assert isinstance(optimizer, torch.optim.SGD) and optimizer.defaults["momentum"] == 0.5


def test_observations_without_rows_are_refused():
    env = make_vec_env("Zamek-v0", 2, env_kwargs=ARGUMENTS)
    with pytest.raises(
        ValueError, match=r"must hold vector, rows and row_actions, as of Zamek-v1, not \['planes', 'vector'\]"
    ):
        MaskablePPO(RowPolicy, env)


def test_a_logit_follows_from_the_row_of_its_action_wherever_it_stands():
    torch.manual_seed(3)
    network = RowNetwork(5, 4, num_actions=10).eval()
    vector, rows = torch.rand(1, 5), torch.randint(-9, 9, (1, 6, 4))
    numbers = torch.tensor([[2, 3, 7, -1, -1, -1]])
    logits, value = network(vector, rows, numbers)
    assert logits.shape == (1, 10) and value.shape == (1,)
    assert (logits[0, [0, 1, 4, 5, 6, 8, 9]] == 0).all()
    other, same_value = network(vector, rows[:, [2, 0, 1, 3, 4, 5]], torch.tensor([[1, 8, 9, -1, -1, -1]]))
    torch.testing.assert_close(other[0, [1, 8, 9]], logits[0, [7, 2, 3]])
    torch.testing.assert_close(same_value, value)  # what the unused rows hold counts for nothing
    torch.testing.assert_close(network(vector, rows.clamp(max=0) * 0, torch.full((1, 6), -1))[0], torch.zeros(1, 10))


def test_one_observation_at_a_time_gives_what_many_give():
    env = gymnasium.make("Zamek-v1", opponent="random")
    torch.manual_seed(4)
    ruleset: Any = env.unwrapped.ruleset
    network, seen = RowNetwork(len(ruleset.vector), len(ruleset.rows), ruleset.num_actions), []
    for seed in range(3):
        seen.append(env.reset(seed=seed)[0])
    together = network(*(torch.as_tensor(np.stack([one[name] for one in seen])) for name in PARTS))
    for number, one in enumerate(seen):
        alone = network(*(torch.as_tensor(one[name][None]) for name in PARTS))
        for found, due in zip(alone, together, strict=True):
            torch.testing.assert_close(found[0], due[number], atol=1e-5, rtol=1e-4)


def test_gradients_on_two_threads_are_the_same_each_time():
    torch.manual_seed(5)
    network, threads = RowNetwork(9, 5, num_actions=60, hidden=16), torch.get_num_threads()
    count = 255  # so that the rows of one of them are split among both threads
    logits, _ = network(torch.rand(count, 9), torch.rand(count, 60, 5), torch.arange(60).repeat(count, 1))
    loss, weights = logits.square().sum(), network.summary[0].weight
    torch.set_num_threads(2)
    try:
        gradients = [torch.autograd.grad(loss, weights, retain_graph=True)[0] for _ in range(30)]
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(gradient, gradients[0]) for gradient in gradients)


def test_actions_are_as_likely_as_their_logits_say_and_masks_take_some_away(model):
    seen, masks = look(model, 7)
    parts = model.policy.obs_to_tensor(seen)[0]
    masks[:, np.flatnonzero(masks[0])[::2]] = False
    logits = model.policy.features_extractor.network(*(parts[name] for name in PARTS))[0]
    due = torch.distributions.Categorical(logits=logits.masked_fill(~torch.as_tensor(masks), -torch.inf))
    found = model.policy.get_distribution(parts, masks)
    for action in np.flatnonzero(masks.any(axis=0)):
        actions = torch.full((4,), int(action))
        torch.testing.assert_close(found.log_prob(actions).exp()[masks[:, action]], due.probs[masks[:, action], action])
    torch.testing.assert_close(found.entropy(), (-due.probs * due.probs.clamp(min=1e-30).log()).sum(dim=1))
    drawn = torch.stack([found.sample() for _ in range(100)])
    assert masks[np.arange(4), drawn].all() and masks[np.arange(4), found.mode()].all()
