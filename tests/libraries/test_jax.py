"""Games for JAX: the same as `Game` plays them, pure, and usable in all that JAX makes of functions."""

import importlib
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.games import IS_COMPILED, few
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.components.box_folder import RULESETS
from zamek_env.vector import ZamekVectorEnv

jax = pytest.importorskip("jax")
jnp = jax.numpy
zamek_jax = pytest.importorskip("zamek_env.jax")
kernels = pytest.importorskip("zamek_env.jax.kernels")

BACKENDS = ["ffi", "callback"] if IS_COMPILED else ["callback"]  # XLA calls compiled code alone
LONG = pytest.mark.long  # what compiles more of the same
PARTS = [
    ("planes", "vector"), ("vector", "rows"), pytest.param(("rows",), marks=LONG),
    pytest.param(("planes", "codes", "vector"), marks=pytest.mark.compiles),
]  # fmt: skip


def keys_of(count, seed=0):
    return jax.random.split(jax.random.key(seed), count)


def deal_of(key):
    """The number of the deal that a key stands for."""
    high, low, _ = (int(word) for word in jax.random.bits(key, (3,), jnp.uint32))
    return (high & 0x7FFFFFFF) << 32 | low


def choose(mask, rng):
    """A random legal action of each game."""
    return np.array([rng.choice(np.flatnonzero(row)) for row in np.asarray(mask)], np.int32)


def compare(state, number, game, parts):
    """Compare one of many games with a `Game`."""
    seen = {name: np.asarray(values)[number] for name, values in state.observation.items()}
    due = game.observe(None if not game.is_terminal else int(state.current_player[number]), observation=parts)
    assert seen.keys() == due.keys()
    for name, values in due.items():
        assert seen[name].dtype == values.dtype and np.array_equal(seen[name], values), name
    mask = np.asarray(state.legal_action_mask)[number]
    assert mask.all() if game.is_terminal else np.array_equal(mask, game.legal_action_mask())
    assert bool(np.asarray(state.terminated)[number]) == game.is_terminal
    if not game.is_terminal:
        assert int(np.asarray(state.current_player)[number]) == game.current_player


@pytest.mark.parametrize("parts", PARTS, ids="-".join)
@pytest.mark.parametrize("backend", [BACKENDS[0], *(pytest.param(each, marks=LONG) for each in BACKENDS[1:])])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_are_those_of_the_engine(ruleset, backend, parts):
    env, count, rng = zamek_jax.make(ruleset, parts, backend=backend), 3, np.random.default_rng(1)
    keys = keys_of(count)
    state, step = jax.vmap(env.init)(keys), jax.jit(jax.vmap(env.step))
    games = [Game(ruleset, deal_of(key)) for key in keys]
    assert env.observation_shape == {name: values.shape[1:] for name, values in state.observation.items()}
    for number in range(400 if IS_COMPILED else 12):
        for each, game in enumerate(games):
            if IS_COMPILED or number % 4 == 0:
                compare(state, each, game, parts)
        if all(game.is_terminal for game in games):
            break
        actions = choose(state.legal_action_mask, rng)
        state = step(state, actions)
        for each, (game, action) in enumerate(zip(games, actions.tolist(), strict=True)):
            was_over = game.is_terminal
            if not was_over:
                game.step(action)
            rewards = np.asarray(state.rewards)[each].tolist()
            assert rewards == ([0, 0] if was_over else [*game.returns()]), game
    assert all(game.is_terminal for game in games) or not IS_COMPILED


@pytest.mark.parametrize("action", [9.0, True, jnp.zeros((), jnp.float32), "9"])
def test_an_action_is_a_whole_number(action):
    env = zamek_jax.make("zamek", backend=BACKENDS[0])
    with pytest.raises(TypeError, match=r"action must be a whole number, not (float32|bool|str)"):
        env.step(env.init(jax.random.key(1)), action)


def test_many_games_are_refused_without_vmap(env):
    many = jax.vmap(env.init)(keys_of(4))
    actions = jnp.argmax(many.legal_action_mask, axis=1)
    with pytest.raises(ValueError, match=r"state must be of one game, not of shape \(4,\): use jax.vmap"):
        env.step(many, actions[0])
    with pytest.raises(ValueError, match=r"state must be of one game"):
        env.conceal(many, jax.random.key(1))
    with pytest.raises(ValueError, match=r"action must be of one game, not of shape \(2,\)"):
        jax.vmap(env.step)(many, jnp.stack([actions, jnp.full(4, -1)], axis=1))
    for mask, logits in ((many.legal_action_mask, None), (many.legal_action_mask[0], jnp.zeros(4))):
        with pytest.raises(ValueError, match=r"(key and mask must be of one game|logits must have the shape of mask)"):
            zamek_jax.draw_legal(jax.random.key(1), mask, logits)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda state: state.replace(_game=(state._game[0][:-8], *state._game[1:])), "game must be uint8 of shape"),
        (lambda state: state.replace(_game=()), r"game must be uint8 of shape \(\d+,\), not missing"),
        (
            lambda state: state.replace(observation={"vector": state.observation["vector"]}),
            r"planes must be uint8 of shape \(10, 10, \d+\), not missing",
        ),
        (
            lambda state: state.replace(legal_action_mask=state.legal_action_mask.astype(jnp.int8)),
            r"mask must be bool of shape \((\d+),\), not int8 of shape \(\1,\)",
        ),
    ],
    ids=["ruleset", "nothing hidden", "observation", "dtype"],
)
def test_a_state_of_another_game_is_refused(change, said, env):
    given = change(env.init(jax.random.key(1)))
    for play in (lambda state: env.step(state, 0), lambda state: env.conceal(state, jax.random.key(1))):
        with pytest.raises(ValueError, match=f"^state must be of zamek as this env shows it: its {said}"):
            play(given)
        with pytest.raises(ValueError, match=f"its {said}"):
            jax.jit(jax.vmap(play))(jax.tree.map(lambda part: part[None], given))


def test_what_is_no_state_is_refused(env):
    with pytest.raises(TypeError, match=r"^state must be a State, as init returns it, not 3$"):
        env.step(3, 0)


def test_an_action_too_large_for_32_bits_is_illegal(env):
    with jax.enable_x64(True):
        state = env.init(jax.random.key(1))
        action = jnp.argmax(state.legal_action_mask).astype(jnp.int64)
        assert not env.step(state, action).terminated and env.step(state, action + 2**32).terminated


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=LONG)])
def test_castle_is_that_of_the_engine(players):
    env, rng = zamek_jax.make("castle-cards", players=players, backend=BACKENDS[0]), np.random.default_rng(players)
    keys = keys_of(3)
    state, step = jax.tree.map(np.asarray, jax.vmap(env.init)(keys)), jax.jit(jax.vmap(env.step))
    games = [CastleCards(players, seed=deal_of(key)) for key in keys]
    for number in range(2000 if IS_COMPILED else 8):
        for each, game in enumerate(games):
            if not game.is_terminal and (number < 60 or number % 7 == 0):
                assert int(state.current_player[each]) == game.current_player
                for name, values in game.observe(observation=("vector", "rows")).items():
                    assert np.array_equal(state.observation[name][each], values), name
                assert np.array_equal(state.legal_action_mask[each], game.legal_action_mask())
        if all(game.is_terminal for game in games):
            break
        actions = choose(state.legal_action_mask, rng)
        state = jax.tree.map(np.asarray, step(state, actions))
        for each, (game, action) in enumerate(zip(games, actions.tolist(), strict=True)):
            due = np.zeros(players)
            if not game.is_terminal:
                game.step(action)
                due = np.array(game.returns())
            assert np.allclose(state.rewards[each], due) and bool(state.terminated[each]) == game.is_terminal
    assert all(game.is_terminal for game in games) or not IS_COMPILED


@pytest.mark.parametrize(("part", "names"), [("vector", ["vector"]), ("rows", ["row_actions", "rows"])])
def test_castle_shows_one_part_as_it_shows_both(part, names):
    one = zamek_jax.make("castle-cards", observation=(part,), backend=BACKENDS[0])
    both, rng = zamek_jax.make("castle-cards", backend=BACKENDS[0]), np.random.default_rng(2)
    shown, whole = (env.init(jax.random.key(3)) for env in (one, both))
    for _ in range(40 if IS_COMPILED else 3):
        assert sorted(shown.observation) == names
        assert all(np.array_equal(shown.observation[name], whole.observation[name]) for name in names)
        action = jnp.int32(rng.choice(np.flatnonzero(whole.legal_action_mask)))
        shown, whole = one.step(shown, action), both.step(whole, action)


def test_castle_conceals_what_the_player_to_decide_cannot_know():
    env = zamek_jax.make("castle-cards", backend=BACKENDS[0])
    state, rng = env.init(jax.random.key(1)), np.random.default_rng(1)
    for _ in range(15 if IS_COMPILED else 3):
        state = env.step(state, jnp.int32(rng.choice(np.flatnonzero(state.legal_action_mask))))
    first, other = (env.conceal(state, jax.random.key(seed)) for seed in (1, 2))
    assert not np.array_equal(first._game[0], other._game[0])
    assert jax.tree.all(jax.tree.map(np.array_equal, env.conceal(other, jax.random.key(1)), first))
    assert int(first.current_player) == int(state.current_player)
    assert np.array_equal(first.legal_action_mask, state.legal_action_mask)


@pytest.mark.parametrize("auto_reset", [True, False])
def test_castle_against_random_players_goes_on_or_ends(auto_reset):
    env = zamek_jax.make("castle-cards", opponent="random", auto_reset=auto_reset, backend=BACKENDS[0])

    def play(state, key):
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        new = env.step(state, jax.random.categorical(key, logits).astype(jnp.int32))
        return new, (new.terminated, new.rewards, new.current_player)

    if not IS_COMPILED:
        play(env.init(jax.random.key(2)), jax.random.key(3))
        return
    keys = jax.random.split(jax.random.key(3), 1500)
    _, (ended, rewards, players) = jax.lax.scan(play, env.init(jax.random.key(2)), keys)
    ends = np.flatnonzero(ended)
    assert np.allclose(np.asarray(rewards).sum(1), 0, atol=1e-6)
    if auto_reset:
        assert ends.size >= 3 and len({int(players[end]) for end in ends}) > 1  # another seat, drawn anew
    else:
        assert np.array_equal(ends, np.arange(ends[0], 1500)) and not np.asarray(rewards[ends[0] + 1 :]).any()


@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("reward", ["win", "score", "delta"])
def test_games_against_an_opponent_are_those_of_the_vector_environment(opponent, reward):
    count, rng = 8, np.random.default_rng(2)
    env = zamek_jax.make("zamek", opponent=opponent, reward=reward, backend=BACKENDS[0])
    keys = keys_of(count, 5)
    others = ZamekVectorEnv(count, ruleset="zamek", opponent=opponent, reward=reward, observation=("vector", "rows"))
    seen, info = others.reset(seed=3, options={"deal": [deal_of(key) for key in keys]})
    state, step = jax.vmap(env.init)(keys), jax.jit(jax.vmap(env.step))
    seats = np.asarray(state.current_player)
    same = np.flatnonzero(seats == info["learner"]) if "learner" in info else np.flatnonzero(
        (np.asarray(state.observation["vector"]) == seen["vector"]).all(1)
    )  # fmt: skip
    assert same.size >= 2 and set(seats.tolist()) == {0, 1}
    for _ in range(few(30, 6)):
        for name, values in seen.items():
            assert np.array_equal(np.asarray(state.observation[name])[same], values[same]), name
        assert np.array_equal(np.asarray(state.legal_action_mask)[same], info["action_mask"][same].astype(bool))
        actions = choose(state.legal_action_mask, rng)
        seen, rewards, terminated, _, info = others.step(actions.astype(np.int64))
        state = step(state, actions)
        assert np.array_equal(np.asarray(state.current_player), seats)
        own = np.asarray(state.rewards)[np.arange(count), seats]
        assert np.allclose(own[same], rewards[same].astype(np.float32))
        assert np.array_equal(np.asarray(state.terminated)[same], terminated[same])
        assert np.allclose(np.asarray(state.rewards).sum(1), 0)
        if np.asarray(state.terminated)[same].any():
            break


def test_both_ways_to_call_games_give_the_same_bytes():
    if not IS_COMPILED:
        pytest.skip("XLA calls compiled code alone")
    states = []
    for backend in BACKENDS:
        env = zamek_jax.make("zamek", opponent="greedy", auto_reset=True, backend=backend)
        state, step, rng = jax.vmap(env.init)(keys_of(4)), jax.jit(jax.vmap(env.step)), np.random.default_rng(1)
        for _ in range(60):
            state = step(state, choose(state.legal_action_mask, rng))
        states.append(jax.tree.map(np.asarray, state))
    assert jax.tree.all(jax.tree.map(np.array_equal, *states))


@pytest.fixture(scope="module")
def env():
    return zamek_jax.make("zamek", ("planes", "vector"), auto_reset=True, backend=BACKENDS[0])


def first_legal(state):
    return jnp.argmax(state.legal_action_mask, axis=-1).astype(jnp.int32)


def test_scan_loop_cond_and_donation_play_the_same_game(env):
    steps = 40 if IS_COMPILED else 4
    start = env.init(jax.random.key(7))
    due = start
    for _ in range(steps):
        due = env.step(due, first_legal(due))

    def play(state, _):
        return env.step(state, first_legal(state)), state.rewards

    scanned, _ = jax.jit(lambda state: jax.lax.scan(play, state, None, length=steps))(start)
    looped = jax.jit(lambda state: jax.lax.fori_loop(0, steps, lambda _, s: env.step(s, first_legal(s)), state))(start)
    chosen = jax.jit(
        lambda state: jax.lax.while_loop(
            lambda s: s._step_count < steps,
            lambda s: jax.lax.cond(s._step_count >= 0, lambda s: env.step(s, first_legal(s)), lambda s: s, s),
            state,
        )
    )(start)
    donated = jax.tree.map(jnp.copy, start)
    step = jax.jit(lambda state: env.step(state, first_legal(state)), donate_argnums=0)
    for _ in range(steps):
        donated = step(donated)
    for other in (scanned, looped, chosen, donated):
        assert jax.tree.all(jax.tree.map(np.array_equal, due, other))


def test_a_state_is_a_value_that_no_step_changes(env):
    state = env.init(jax.random.key(1))
    before = jax.tree.map(lambda values: np.array(values), state)
    ahead = [env.step(state, action) for action in np.flatnonzero(state.legal_action_mask)[:3].astype(np.int32)]
    assert jax.tree.all(jax.tree.map(np.array_equal, before, state))
    again = env.step(state, jnp.int32(np.flatnonzero(state.legal_action_mask)[0]))
    assert jax.tree.all(jax.tree.map(np.array_equal, ahead[0], again))
    boards = {np.asarray(other.observation["planes"]).tobytes() for other in ahead}
    assert len(boards) == len(ahead)


def test_vmap_takes_any_axes(env):
    keys = keys_of(6).reshape(2, 3)
    state = jax.vmap(jax.vmap(env.init))(keys)
    flat = jax.vmap(env.init)(keys.reshape(6))
    stepped, other = (
        jax.vmap(jax.vmap(env.step))(state, first_legal(state)),
        jax.vmap(env.step)(flat, first_legal(flat)),
    )
    assert jax.tree.all(jax.tree.map(lambda a, b: np.array_equal(np.reshape(a, b.shape), b), stepped, other))
    alone = env.step(jax.tree.map(lambda values: values[4], flat), first_legal(flat)[4])
    assert jax.tree.all(jax.tree.map(lambda a, b: np.array_equal(a, b[4]), alone, other))
    many_actions = jnp.array(np.flatnonzero(flat.legal_action_mask[0])[:2], jnp.int32)
    assert jax.vmap(env.step, (None, 0))(jax.tree.map(lambda v: v[0], flat), many_actions).terminated.shape == (2,)


def test_games_do_not_depend_on_how_many_are_played_together(env, monkeypatch):
    count, few_games = (2 * kernels.CHUNK + 3, kernels.CHUNK) if IS_COMPILED else (5, 2)
    monkeypatch.setattr(kernels, "CHUNK", few_games)  # it is what compiled games have been compiled with
    step, keys = jax.jit(jax.vmap(env.step)), keys_of(count)
    together, apart = (
        jax.vmap(env.init)(keys),
        [jax.vmap(env.init)(keys[each : each + 1]) for each in range(0, count, 3)],
    )
    for _ in range(few(100, 4)):
        together, apart = step(together, first_legal(together)), [step(one, first_legal(one)) for one in apart]
    alone = jax.tree.map(lambda *parts: np.concatenate(parts), *apart)
    assert jax.tree.all(jax.tree.map(lambda all, some: np.array_equal(all[::3], some), together, alone))


@pytest.mark.compiles
def test_a_game_that_ends_is_redealt_or_stays_over():
    steps = 300
    for auto_reset in (True, False):
        env = zamek_jax.make("carcassonne-demo", ("vector",), auto_reset=auto_reset, backend=BACKENDS[0])

        def play(state, _, env=env):
            new = env.step(state, first_legal(state))
            return new, (new.terminated, new.rewards, new.legal_action_mask.all(), new.observation["vector"])

        _, (ended, rewards, all_legal, vectors) = jax.lax.scan(play, env.init(jax.random.key(3)), None, length=steps)
        first = int(np.argmax(ended))
        assert ended[first] and np.abs(rewards[first]).sum() in (0, 2) and not np.asarray(rewards[:first]).any()
        if auto_reset:
            second = first + 1 + int(np.argmax(ended[first + 1 :]))
            assert not ended[first + 1] and not all_legal[first] and ended[second]
            assert not np.array_equal(vectors[first + 5], vectors[second + 5])  # another deal
        else:
            assert ended[first:].all() and all_legal[first:].all() and not np.asarray(rewards[first + 1 :]).any()
            assert (vectors[first:] == vectors[first]).all()


@pytest.mark.parametrize("on_illegal", ["lose", "ignore"])
@pytest.mark.parametrize("action", [-1, 10**6, None])
def test_an_illegal_action_loses_or_changes_nothing(on_illegal, action):
    env = zamek_jax.make("zamek", ("planes", "vector"), on_illegal=on_illegal, backend=BACKENDS[0])
    state = env.init(jax.random.key(2))
    state = env.step(state, first_legal(state))
    player = int(state.current_player)
    wrong = jnp.int32(np.argmin(state.legal_action_mask) if action is None else action)
    after = env.step(state, wrong)
    if on_illegal == "lose":
        assert after.terminated and after.legal_action_mask.all()
        assert np.asarray(after.rewards).tolist() == [-1.0 if each == player else 0.0 for each in (0, 1)]
    else:
        assert not after.terminated and not np.asarray(after.rewards).any()
        assert np.array_equal(after.observation["planes"], state.observation["planes"])
        assert np.array_equal(after.legal_action_mask, state.legal_action_mask)


def test_what_is_concealed_shows_nothing_of_the_deal(env):
    state, step, rng = env.init(jax.random.key(4)), jax.jit(env.step), np.random.default_rng(4)
    for _ in range(20 if IS_COMPILED else 3):
        state = step(state, jnp.int32(rng.choice(np.flatnonzero(state.legal_action_mask))))
    first, again, other = (env.conceal(state, jax.random.key(seed)) for seed in (1, 1, 2))
    assert jax.tree.all(jax.tree.map(np.array_equal, first, again))
    assert not np.array_equal(first._game[0], other._game[0]) and not np.array_equal(first._game[0], state._game[0])
    for seen in (first, other):
        assert np.array_equal(seen.observation["vector"], state.observation["vector"])
        assert np.array_equal(seen.legal_action_mask, state.legal_action_mask)
    twice = env.conceal(other, jax.random.key(1))
    assert jax.tree.all(jax.tree.map(np.array_equal, first, twice))  # whatever the deal was before


@pytest.mark.parametrize(
    "given, said",
    [
        ({"ruleset": "chess"}, "ruleset must be one of 'zamek', .*, 'castle-cards', not 'chess'"),
        ({"ruleset": "castle-cards", "components": "folder"}, "components must be None for 'castle-cards'"),
        ({"observation": ("board",)}, "observation must name some of"),
        ({"opponent": "value"}, "opponent must be one of None, 'random', 'greedy', not 'value'"),
        ({"ruleset": "carcassonne", "players": 1, "opponent": "greedy"}, "opponent must be None where one plays alone"),
        ({"reward": "points"}, "reward must be one of"),
        ({"auto_reset": 1}, "auto_reset must be one of True, False, not 1"),
        ({"on_illegal": "raise"}, "on_illegal must be one of 'lose', 'ignore'"),
        ({"players": 3}, "players must be 2 in the ruleset zamek, not 3"),
        ({"ruleset": "castle-cards", "players": 6}, "players must be one of 2, 3, 4, 5, not 6"),
        ({"ruleset": "castle-cards", "opponent": "greedy"}, "opponent must be one of None, 'random', not 'greedy'"),
        ({"ruleset": "castle-cards", "observation": ("planes",)}, "observation must name some of 'vector', 'rows'"),
        ({"backend": "gpu"}, "backend must be one of None, 'ffi', 'callback'"),
    ],
)
def test_arguments_that_cannot_be_are_named(given, said):
    with pytest.raises(ValueError, match=said):
        zamek_jax.make(**given)


def test_without_compiled_code_games_go_through_python_with_a_warning(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    with pytest.warns(UserWarning, match="goes through Python at each step, which is slow: jax computes on gpu"):
        assert zamek_jax.make("zamek").backend == "callback"
    monkeypatch.undo()
    monkeypatch.setattr(zamek_jax.ffi, "config", SimpleNamespace(DISABLE_JIT=False))
    monkeypatch.setattr(jax.version, "__version_info__", (0, 99, 0))
    with pytest.warns(UserWarning, match="is not known to call compiled games directly; 0.10 to 0.12 are"):
        assert zamek_jax.make("zamek").backend == "callback"


def test_without_jax_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("zamek_env.jax")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r"^zamek_env\.jax needs jax, which is not installed; install it by"):
        importlib.import_module("zamek_env.jax")


def test_one_handler_serves_all_settings_of_the_same_records():
    if not IS_COMPILED:
        pytest.skip("XLA calls compiled code alone")
    one, other = (zamek_jax.make("zamek", opponent=opponent, reward="delta") for opponent in ("random", "greedy"))
    assert one._target == other._target != zamek_jax.make("zamek")._target


@pytest.mark.parametrize("actions", [1, 63, 64, 65, 200])
def test_random_actions_are_legal_and_equally_likely(actions):
    rng = np.random.default_rng(actions)
    masks = rng.random((500, actions)) < 0.1
    masks[np.arange(500), rng.integers(actions, size=500)] = True
    drawn = jax.vmap(zamek_jax.draw_legal)(keys_of(500), jnp.array(masks))
    assert drawn.dtype == jnp.int32 and masks[np.arange(500), np.asarray(drawn)].all()
    mask = jnp.zeros(actions, bool).at[jnp.array([0, actions // 2, actions - 1])].set(True)
    many = np.bincount(jax.vmap(lambda key: zamek_jax.draw_legal(key, mask))(keys_of(3000)), minlength=actions)
    expected = 3000 / int(mask.sum())
    assert (np.abs(many[np.asarray(mask)] - expected) < 5 * np.sqrt(expected)).all()


@pytest.mark.parametrize("on_cpu", [True, False])
def test_random_actions_follow_the_logits_of_legal_ones(on_cpu, monkeypatch):
    if not on_cpu:
        monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    due = np.array([0.2, 0, 0.5, 0.3, 0, 0])
    mask, logits = jnp.array([1, 0, 1, 1, 0, 1], bool), jnp.array([*np.log([0.2, 9, 0.5, 0.3, 9]), -np.inf]) + 500
    keys = jax.vmap(jax.random.key)(jnp.arange(3000))
    many = np.bincount(jax.vmap(lambda key: zamek_jax.draw_legal(key, mask, logits))(keys), minlength=6)
    assert (np.abs(many - 3000 * due) <= 5 * np.sqrt(3000 * due)).all()
    one, other = (zamek_jax.draw_legal(make(7), mask, logits) for make in (jax.random.key, jax.random.PRNGKey))
    assert one.dtype == jnp.int32 and int(one) == int(other)
    # the best may be infinite, and so may all be; a mask may be of any numbers
    for extreme, drawn in ((jnp.inf, {2}), (-jnp.inf, {0, 2, 3, 5})):
        some = jnp.array([-jnp.inf, 9, extreme, -jnp.inf, 9, -jnp.inf])
        one = partial(zamek_jax.draw_legal, mask=mask.astype(jnp.int32) * 3, logits=some)
        assert {*jax.vmap(one)(keys[:200]).tolist()} == drawn
    # a loss may be a function of the logits that actions are drawn by
    draw = partial(zamek_jax.draw_legal, keys[0], mask)
    slope = jax.grad(lambda logits: jax.nn.log_softmax(logits)[draw(logits)])(jnp.zeros(6))
    assert np.isclose(slope, -1 / 6).sum() == 5


@pytest.mark.compiles
@pytest.mark.parametrize("reward", ["win", "delta"])
def test_three_players_are_rewarded_as_the_rules_say(reward):
    env = zamek_jax.make("carcassonne-demo", ("vector",), players=3, reward=reward, backend=BACKENDS[0])
    state, step, rng = env.init(jax.random.key(6)), jax.jit(env.step), np.random.default_rng(6)
    game, before, totals = Game("carcassonne-demo", deal_of(jax.random.key(6)), players=3), (0, 0, 0), np.zeros(3)
    while not game.is_terminal:
        action = int(rng.choice(np.flatnonzero(state.legal_action_mask)))
        state = step(state, action)
        game.step(action)
        leads = [score - max(game.scores[:seat] + game.scores[seat + 1 :]) for seat, score in enumerate(game.scores)]
        due = np.subtract(leads, before) / 100 if reward == "delta" else game.returns()
        assert np.allclose(state.rewards, due), game
        before, totals = leads, totals + state.rewards
    assert bool(state.terminated) and totals.any()
