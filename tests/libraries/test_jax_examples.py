"""The examples with JAX: what their networks and searches find, and a few steps of each."""

import re
from functools import partial

import numpy as np
import pytest
import torch

from tests.support.examples import check_counts, load
from zamek_env.row_network import RowNetwork

jax = pytest.importorskip("jax")
pytest.importorskip("optax")
jnp = jax.numpy
ENTRIES, ROWS, COLUMNS, HIDDEN = 5, 12, 3, 8  # of the small network


@pytest.fixture(scope="module")
def ppo():
    return load("jax_ppo")


@pytest.fixture(scope="module")
def gumbel():
    pytest.importorskip("mctx")
    return load("jax_gumbel")


def look(counts):
    """Return observations with so many legal actions."""
    rng = np.random.default_rng(1)
    number = np.arange(ROWS)
    return {
        "vector": rng.integers(0, 9, (len(counts), ENTRIES)).astype(np.float32),
        "rows": rng.integers(-9, 9, (len(counts), ROWS, COLUMNS)).astype(np.int8),
        "row_actions": np.where(number < np.array(counts)[:, None], number * 2, -1).astype(np.int16),
    }


def make_both(example):
    """Return the weights of a network, and `RowNetwork` with the same weights."""
    weights = jax.jit(example.make_network, static_argnums=(1, 2, 3))(jax.random.key(1), ENTRIES, COLUMNS, HIDDEN)
    weights = {name: np.array(part) for name, part in weights.items()}
    weights |= {
        name: part + np.linspace(0, 1, HIDDEN, dtype=np.float32)
        for name, part in weights.items()
        if name.endswith("_shift")
    }
    network = RowNetwork(ENTRIES, COLUMNS, 2 * ROWS, HIDDEN)
    layers = {
        "summary": network.summary[0], "summary_2": network.summary[3], "row": network.from_row,
        "judge": network.judge[2], "logit": network.logit, "value": network.value[0], "value_2": network.value[2],
    }  # fmt: skip
    norms = {"summary": network.summary[1], "row": network.judge[0], "judge": network.judge[3]}
    with torch.no_grad():
        for name, layer in layers.items():
            layer.weight[:] = torch.tensor(weights[name].T)
            layer.bias[:] = torch.tensor(weights[f"{name}_bias"])
        for name, norm in norms.items():
            norm.weight[:] = torch.tensor(weights[f"{name}_scale"])
            norm.bias[:] = torch.tensor(weights[f"{name}_shift"])
    return weights, network


def test_the_networks_find_what_the_one_of_pytorch_does(ppo, gumbel):
    seen = look([3, 1, 12, 7])
    weights, network = make_both(ppo)
    with torch.no_grad():
        logits, value = (part.numpy() for part in network.score(*map(torch.tensor, seen.values())))
    assert (logits[seen["row_actions"] < 0] == ppo.NO_ROW).all()
    found = [jax.jit(partial(ppo.score, room))(weights, seen) for room in (23, 48)]
    found += [jax.jit(jax.vmap(partial(gumbel.score_first, ROWS), (None, 0)))(weights, seen)]
    for by_row, values in found:
        np.testing.assert_allclose(by_row, logits, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(values, value, rtol=1e-4, atol=1e-5)


def test_the_first_rows_are_enough_where_no_others_are_there(gumbel):
    seen, (weights, _) = {name: part[0] for name, part in look([7]).items()}, make_both(gumbel)
    weights |= {"logit": np.ones((HIDDEN, 1)), "value_2": np.ones((HIDDEN, 1))}
    (some, value), (logits, same) = (jax.jit(partial(gumbel.score_first, count))(weights, seen) for count in (7, ROWS))
    np.testing.assert_allclose(some, logits, rtol=1e-5)
    np.testing.assert_allclose(value, same, rtol=1e-5)


def test_the_gradient_is_that_of_the_network_of_pytorch(ppo):
    seen = look([3, 1, 12, 7])
    weights, network = make_both(ppo)
    network.score(*map(torch.tensor, seen.values()))[1].square().sum().backward()
    found = jax.jit(jax.grad(lambda weights, seen: jnp.square(ppo.score(30, weights, seen)[1]).sum()))(weights, seen)
    np.testing.assert_allclose(found["judge"], network.judge[2].weight.grad.numpy().T, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(found["summary"], network.summary[0].weight.grad.numpy().T, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(("counts", "room"), [([40, 40], 80), ([41, 40], 100)])
def test_room_is_made_for_all_rows(counts, room, ppo):
    row_actions = np.where(np.arange(50) < np.array(counts)[:, None], 1, -1)
    assert ppo.choose_room(lambda room, given: given + room, jnp.asarray(row_actions), jnp.zeros(())) == room


def test_what_is_gained_turns_its_sign_with_the_player(gumbel):
    decisions = {
        "reward": jnp.array([0.0, 0.0, 1.0, 0.5]),
        "sign": jnp.array([-1.0, 1.0, 0.0, -1.0]),
        "value": jnp.array([9.0, 0.5, 2.0, 9.0]),
    }
    for trace, wanted in ((1.0, [-1.0, 1.0, 1.0, 0.25]), (0.0, [-0.5, 2.0, 1.0, 0.25])):
        assert gumbel.find_returns(gumbel.Args(trace=trace), decisions, jnp.float32(0.25)).tolist() == wanted


def test_games_of_search_that_are_no_pairs_are_refused(gumbel):
    with pytest.raises(SystemExit, match=r"^--evaluation-games must be an even number from 2 on, not 3$"):
        gumbel.train(gumbel.Args(iterations=0, games=1, simulations=1, evaluation_games=3))


def test_an_example_refuses_what_it_cannot_follow_in_a_line(ppo, gumbel):
    check_counts(ppo.Args(), ppo.main)
    check_counts(gumbel.Args(), gumbel.train, iterations=-1)
    for example, run in ((ppo, ppo.main), (gumbel, gumbel.train)):
        with pytest.raises(SystemExit, match=r"^--minibatches must divide 12, --games times --rollout, not 5$"):
            run(example.Args(games=3, rollout=4, minibatches=5))


@pytest.mark.filterwarnings("ignore:zamek_env.jax goes through Python")
def test_ppo(ppo, capsys, tmp_path):
    few = {"games": 4, "rollout": 8, "epochs": 2, "minibatches": 2, "evaluations": 2, "evaluation_games": 2}
    weights, shares = ppo.main(ppo.Args(decisions=64, save=tmp_path / "weights.npz", **few))
    said = re.findall(
        r"^(\d+) decisions, \d+ s: ([01]\.\d\d) of the games against greedy$", capsys.readouterr().out, re.M
    )
    assert [int(count) for count, _ in said] == [32, 64]
    assert [float(share) for _, share in said] == pytest.approx(shares.tolist(), abs=0.006)
    assert not np.array_equal(weights["logit"], np.zeros_like(weights["logit"]))
    with np.load(tmp_path / "weights.npz") as saved:
        assert {name: part.tolist() for name, part in saved.items()} == jax.tree.map(
            lambda part: part.tolist(), weights
        )


@pytest.mark.filterwarnings("ignore:zamek_env.jax goes through Python")
def test_gumbel(gumbel, capsys):
    few = {"games": 2, "rollout": 4, "epochs": 1, "minibatches": 2, "simulations": 4, "considered": 4}
    weights, *shares = gumbel.train(gumbel.Args(iterations=1, evaluation_games=2, **few))
    first, second, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"iteration 1: \d+ simulations a second", first)
    assert re.fullmatch(r"the network wins [01]\.\d\d of 2 games against greedy", second)
    assert re.fullmatch(r"search with 4 simulations wins [01]\.\d\d of 2 games against its network", last)
    assert np.asarray(weights["logit"]).any() and all(share in (0, 0.25, 0.5, 0.75, 1) for share in shares)


@pytest.mark.filterwarnings("ignore:zamek_env.jax goes through Python")
def test_a_search_sees_nothing_hidden_and_finds_what_pays(gumbel):
    """A network that has not learned expects nothing, so the search takes the points that an action brings.

    One of random weights values positions by the tile to place too, so its search finds another thing in another deal.
    """
    from zamek_env.jax import make

    env, args = make(reward="delta"), gumbel.Args(simulations=16, considered=8)
    shape = env.observation_shape
    make_network = jax.jit(gumbel.make_network, static_argnums=(1, 2, 3))
    weights = make_network(jax.random.key(0), shape["vector"][0], shape["rows"][1], args.hidden)
    drawn = {name: np.random.default_rng(1).normal(size=(args.hidden, 1)) for name in ("logit", "value_2")}
    drawn = weights | {name: jnp.asarray(part, jnp.float32) for name, part in drawn.items()}

    @jax.jit
    def find(weights, state, key):
        return gumbel.search(env, args, weights, state, key, 1.0).action_weights[0]

    step, conceal = jax.jit(lambda state, row: gumbel.step(env, state, row)[:2]), jax.jit(env.conceal)
    state, key, gained = jax.jit(env.init)(jax.random.key(2)), jax.random.key(3), 0
    for number in range(60):
        search_key = jax.random.fold_in(key, number)
        other = conceal(state, jax.random.key(number))
        assert find(drawn, state, search_key).tolist() == find(drawn, other, search_key).tolist()
        found = find(weights, state, search_key)
        assert not found[state.observation["row_actions"] < 0].any()
        state, reward = step(state, found.argmax())
        gained += reward
    assert gained > 0.3  # points ÷ 100, of both players
