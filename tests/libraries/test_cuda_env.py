"""Games on a GPU: what their kernels do, run here, and on a GPU where there is one, against those of the processor."""

import importlib
import inspect
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from tests.support.gpu_on_cpu import FinishedVectorEnv, HostProgram, HostVectorEnv
from tests.support.rulesets import COMPILED, IS_COMPILED
from zamek_env.compiler.jit import LINKS_KERNELS
from zamek_env.cuda.vector import ZamekCudaVectorEnv
from zamek_env.errors import IllegalActionError
from zamek_env.layout.observation import PARTS, ROW_PARTS
from zamek_env.vector import ZamekVectorEnv

pytestmark = pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="kernels are not linked")

DEVICES = [HostVectorEnv, *([ZamekCudaVectorEnv] if torch.cuda.is_available() else [])]
FINAL = ("final_obs", "_final_obs", "final_info", "_final_info")
SETTINGS = (
    {},
    {"autoreset_mode": AutoresetMode.SAME_STEP, "flat": True, "opponent": "greedy", "reward": "delta"},
    {"opponent": "random", "seat": 1, "copy": False},
    {"observation": ROW_PARTS, "opponent": "greedy"},
    pytest.param(
        {"observation": PARTS, "flat": True, "autoreset_mode": AutoresetMode.SAME_STEP}, marks=pytest.mark.compiles
    ),
)


@pytest.fixture(params=DEVICES)
def make(request):
    return request.param


def agree(given, expected):
    """Check that tensors are equal to arrays, in dicts too, whatever the width of floating-point numbers."""
    if isinstance(expected, dict):
        assert given.keys() == expected.keys()
        for name in expected:
            agree(given[name], expected[name])
        return
    found = given.cpu().numpy()
    assert found.shape == expected.shape
    assert found.dtype == (np.float32 if expected.dtype == np.float64 and given.ndim == 1 else expected.dtype)
    assert np.array_equal(found, expected.astype(found.dtype))


def agree_on_ends(info, expected, flat):
    """Check what `info` says of games that ended."""
    ended = expected["_result"]
    for name in ("total_reward", "length", "seat", "scores"):
        found, due = info["result"][name].cpu().numpy(), expected["result"][name]
        assert np.array_equal(found[ended], due[ended]) and found.dtype == due.dtype
        assert np.array_equal(info["result"][f"_{name}"].cpu().numpy(), ended)
    for game in np.flatnonzero(expected.get("_final_obs", [])):
        seen = expected["final_obs"][game]
        for part in seen if not flat else [None]:
            shown = info["final_obs"] if flat else info["final_obs"][part]
            assert np.array_equal(shown[game].cpu().numpy(), seen if flat else seen[part])
        for name in ("action_mask", "current_player", "deal", "illegal_action"):
            found, due = info["final_info"][name].cpu().numpy(), expected["final_info"][name]
            assert np.array_equal(found[game], due[game]) and found.dtype == due.dtype


def play_both(games, others, steps, rng):
    """Play the same actions in both, some of them illegal; check that all is alike. Return how many games ended."""
    begun = games.reset(seed=5), others.reset(seed=5)
    agree(begun[0][0], begun[1][0])
    agree(begun[0][1], begun[1][1])
    masks, ends = begun[1][1]["action_mask"], 0
    for _ in range(steps):
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        if rng.random() < 0.1:
            actions[rng.integers(games.num_envs)] = rng.integers(-5, masks.shape[1] + 5)
        *given, info = games.step(torch.from_numpy(actions))
        *expected, other_info = others.step(actions)
        for tensors, arrays in zip(given, expected, strict=True):
            agree(tensors, arrays)
        if "result" in other_info:
            agree_on_ends(info, other_info, games.flat)
        left_out = ("result", "_result", *FINAL)
        agree(*({name: of[name] for name in of if name not in left_out} for of in (info, other_info)))
        masks, ends = other_info["action_mask"], ends + int(expected[2].sum())
    assert games.states.tobytes() == others.states.tobytes()
    return ends


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("ruleset", COMPILED)
def test_the_games_are_those_of_the_processor(make, ruleset, settings):
    games = make(3, ruleset, **settings)
    others = ZamekVectorEnv(3, ruleset, **(settings | {"copy": True}))
    assert play_both(games, others, 260, np.random.default_rng(1)) > 6


@pytest.mark.parametrize(
    "settings", [*(pytest.param(each, marks=pytest.mark.long) for each in SETTINGS[:2]), *SETTINGS[3:]], ids=str
)
def test_what_ptx_is_made_of_plays_the_same_games(settings):
    games, others = FinishedVectorEnv(3, **settings), ZamekVectorEnv(3, **settings, copy=True)
    assert play_both(games, others, 200, np.random.default_rng(2)) > 4


def test_the_deals_of_many_episodes_are_those_of_the_processor(make):
    settings = {"autoreset_mode": AutoresetMode.SAME_STEP, "opponent": "random"}
    games, others = make(2, **settings), ZamekVectorEnv(2, **settings)
    games.reset(seed=[1, None])
    games.reset(seed=[None, 2], options={"reset_mask": torch.tensor([False, True])})
    others.reset(seed=[1, 2])
    for number in range(100):  # each action ends an episode
        info, other_info = (env.step(np.array([-1, number % 2 - 1]))[4] for env in (games, others))
        assert info["deal"].tolist() == other_info["deal"].tolist()
        assert info["result"]["seat"].cpu().tolist()[0] == other_info["result"]["seat"][0]


SEEDS = (0, 1, 2**31, 2**32 - 1, 2**32, 2**64 - 1, 3**40 + 2**64, 2**96, 2**128 - 1)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_deals_and_seats_are_drawn_as_numpy_draws_them(make, opponent):
    games = make(len(SEEDS), opponent=opponent, autoreset_mode=AutoresetMode.SAME_STEP)
    assert games.np_random == games.np_random_seed == (None,) * len(SEEDS)
    _, info = games.reset(seed=SEEDS)
    rows = [info["deal"].tolist()]
    rows += [games.step([-1] * len(SEEDS))[4]["deal"].tolist() for _ in range(30)]
    assert games.np_random_seed == SEEDS
    for seed, deals, after in zip(SEEDS, zip(*rows, strict=True), games.np_random, strict=True):
        before = seeding.np_random(seed)[0]
        for deal in (*deals, None):  # the next one is drawn already
            drawn = before.integers(2**63 - 1, endpoint=True)
            assert deal in (None, drawn)
            if opponent is not None:
                before.integers(2)
        assert after.bit_generator.state == before.bit_generator.state


def test_games_without_a_seed_have_one_each_and_go_on_with_it(make):
    games = make(20)
    _, info = games.reset(seed=[*range(10), *[None] * 10])
    seeds, deals = games.np_random_seed, info["deal"].tolist()
    assert seeds[:10] == tuple(range(10)) and len(set(seeds)) == len(set(deals)) == 20
    _, info = games.reset()
    assert games.np_random_seed == seeds and not set(info["deal"].tolist()) & set(deals)
    _, info = games.reset(seed=seeds)
    assert info["deal"].tolist() == deals


def test_seeds_that_are_too_large_are_refused(make):
    games = make(2)
    with pytest.raises(ValueError, match=r"^seed must be below 2\*\*128 for games on a GPU, not "):
        games.reset(seed=[1, 2**128])
    with pytest.raises(ResetNeeded):
        games.step([0, 0])


def test_games_are_chosen_and_dealt_as_asked(make):
    games, others = make(3), ZamekVectorEnv(3)
    for env in (games, others):
        env.reset(seed=4, options={"deal": [7, 8, 9]})
        _, info = env.reset(options={"deal": 5, "reset_mask": np.array([True, False, False])})
        assert info["deal"].tolist() == [5, 8, 9]
        actions = np.asarray(info["action_mask"].cpu() if env is games else info["action_mask"]).argmax(axis=1)
        env.step_chosen(actions, np.array([True, False, True]))
    assert games.states.tobytes() == others.states.tobytes()


def test_random_actions_are_legal_and_follow_from_the_seeds(make):
    games, drawn = make(40), []
    for _ in range(2):
        games.reset(seed=0)
        drawn.append([])
        for _ in range(30):
            actions = games.draw_actions().clone()
            assert games.action_masks().gather(1, actions[:, None]).all()
            drawn[-1].append(actions)
            games.step(actions)
    assert all(torch.equal(*pair) for pair in zip(*drawn, strict=True))
    assert len({tuple(actions.tolist()) for actions in drawn[0]}) == 30
    assert len(drawn[0][0].unique()) > 10


def test_what_is_handed_out_stays_unless_copies_are_not_wanted(make):
    for copy in (None, True, False):
        games = make(2, copy=copy)
        observations, info = games.reset(seed=0)
        before = deepcopy((observations, info["action_mask"]))
        after, *_, later = games.step(games.draw_actions())
        stays = copy is not False
        drawn = games.draw_actions()
        assert (games.draw_actions().data_ptr() != drawn.data_ptr()) == stays
        assert torch.equal(observations["planes"], before[0]["planes"]) == stays
        assert torch.equal(info["action_mask"], before[1]) == stays
        assert (after["planes"].data_ptr() != observations["planes"].data_ptr()) == stays
        assert torch.equal(later["action_mask"], games.action_masks().to(torch.int8))


def test_illegal_actions_are_refused_where_that_is_asked_for(make):
    games = make(3, on_illegal="raise")
    _, info = games.reset(seed=0)
    actions = info["action_mask"].long().argmax(1)
    for wrong in (-1, 2**62, int((info["action_mask"][1] == 0).nonzero()[0])):
        before = games.states.tobytes()
        actions[1] = wrong
        with pytest.raises(IllegalActionError, match=r"^game 1: .* is illegal, legal are "):
            games.step(actions)
        assert games.states.tobytes() == before


def test_games_that_are_over_wait_for_a_reset_where_none_is_automatic(make):
    games = make(2, autoreset_mode="Disabled")
    _, info = games.reset(seed=0)
    actions = info["action_mask"].long().argmax(1)
    actions[1] = -1
    assert games.step(actions)[2].tolist() == [False, True]
    with pytest.raises(ResetNeeded, match="game 1 is over"):
        games.step(games.draw_actions())
    games.reset(options={"reset_mask": [False, True]})
    assert not games.step(games.draw_actions())[2].any()


NO_ACTIONS = (
    (torch.zeros(3, dtype=torch.int64), ValueError, r"actions must have shape \(2,\), not \(3,\)"),
    (torch.zeros((2, 1), dtype=torch.int64), ValueError, r"actions must have shape \(2,\)"),
    (torch.zeros(2), TypeError, "actions must be whole numbers, not torch.float32"),
    (torch.zeros(2, requires_grad=True), TypeError, "actions must be whole numbers, not torch.float32"),
    (torch.zeros(2, dtype=torch.bfloat16), TypeError, "actions must be whole numbers, not torch.bfloat16"),
    (torch.zeros(2, dtype=torch.bool), TypeError, "actions must be whole numbers"),
    ([0.5, 1], TypeError, "actions must be whole numbers"),
    ("ab", ValueError, "actions must have shape"),
)


def test_actions_that_are_none_are_refused(make):
    games = make(2)
    games.reset(seed=0)
    before = games.states.tobytes()
    for actions, error, message in NO_ACTIONS:
        with pytest.raises(error, match=message):
            games.step(actions)
        assert games.states.tobytes() == before


KINDS = (torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.uint64, np.uint8, np.uint64, ">i4")


@pytest.mark.parametrize("on_illegal", ["lose", "raise"])
def test_actions_may_be_of_any_whole_numbers(make, on_illegal):
    games = make(2, on_illegal=on_illegal)
    for kind in KINDS:
        legal = [128]
        while max(legal) > 127:
            legal = [int(row.nonzero()[0]) for row in games.reset()[1]["action_mask"]]
        is_torch = isinstance(kind, torch.dtype)
        given = torch.tensor(legal, dtype=kind).to(games.device) if is_torch else np.array(legal, kind)
        assert not games.step(given)[4]["illegal_action"].any(), kind
        assert not games.step(games.draw_actions())[4]["illegal_action"].any(), kind


def test_actions_beyond_127_are_played_as_bytes(make):
    """Where a byte is compared with the number of actions, that must not become a byte, too."""
    games = make(1, on_illegal="raise")
    for seed in range(30):
        _, info = games.reset(seed=seed)
        found = [action for action in info["action_mask"][0].nonzero()[:, 0].tolist() if 128 <= action < 256]
        if found:
            games.step(torch.tensor(found[:1], dtype=torch.uint8))
            return
    pytest.fail("no such action is legal")


MASKS = (np.array([True, False])[::-1], np.frombuffer(b"\0\1", np.bool_), torch.tensor([False, True]), [False, True])


@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_masks_may_lie_in_any_memory(make, mask):
    games = make(2)
    _, info = games.reset(seed=0)
    deal = info["deal"].tolist()[0]
    _, info = games.reset(seed=[8, 9], options={"reset_mask": mask, "deal": torch.tensor([1, 2])})
    assert info["deal"].tolist() == [deal, 2] and games.np_random_seed == (0, 9)
    before = games.states
    games.step_chosen(games.draw_actions(), mask)
    assert [*(games.states == before)] == [True, False]


def test_masks_that_are_none_are_refused(make):
    games = make(2)
    games.reset(seed=0)
    before = games.states.tobytes(), games.np_random_seed
    for mask in ([0, 1], torch.ones(2), torch.ones(3, dtype=torch.bool), np.ones((2, 1), bool)):
        with pytest.raises((TypeError, ValueError), match=r"^options\['reset_mask'\] must "):
            games.reset(seed=7, options={"reset_mask": mask})
        with pytest.raises((TypeError, ValueError), match=r"^chosen must "):
            games.step_chosen([0, 0], mask)
        assert (games.states.tobytes(), games.np_random_seed) == before


def test_deals_and_seeds_may_be_tensors(make):
    games = make(2)
    _, info = games.reset(seed=torch.tensor([3, 4]))
    deals = info["deal"].clone()
    _, info = games.reset(options={"deal": deals})
    assert torch.equal(info["deal"], deals) and games.np_random_seed == (3, 4)


def test_what_is_handed_out_is_nobody_elses(make):
    games = make(2, autoreset_mode=AutoresetMode.SAME_STEP)
    _, info = games.reset(seed=0)
    for name in info:
        info[name].zero_()
    *_, terminations, truncations, info = games.step([-1, -1])
    assert terminations.all() and info["result"]["length"].tolist() == [1, 1]
    terminations.zero_()
    truncations.fill_(True)
    assert info["_result"].all() and info["_final_obs"].all()
    assert not games.step(games.draw_actions())[3].any()


def test_jax_takes_what_is_handed_out(make):
    """By DLPack, on a GPU without a copy, and gives actions back."""
    jax = pytest.importorskip("jax")
    games, others = make(40), ZamekVectorEnv(40)
    if games.device.type == "cuda" and jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU")
    observations, info = games.reset(seed=0)
    others.reset(seed=0)
    for _ in range(80):
        seen = {**observations, **{name: info[name] for name in ("action_mask", "illegal_action")}}
        taken = {name: jax.dlpack.from_dlpack(tensor) for name, tensor in seen.items()}
        if games.device.type == "cuda":
            assert all(taken[name].unsafe_buffer_pointer() == seen[name].data_ptr() for name in seen)
        actions = taken["action_mask"].argmax(axis=1)
        observations, rewards, *_, info = games.step(torch.from_dlpack(actions))
        expected, due, *_ = others.step(np.asarray(actions))
        assert all(np.array_equal(jax.dlpack.from_dlpack(observations[name]), expected[name]) for name in expected)
        assert np.array_equal(jax.dlpack.from_dlpack(rewards), due)


def test_another_thread_may_begin_with_random_actions(make):
    games = make(2)
    games.reset(seed=0)
    with ThreadPoolExecutor(1) as pool:
        actions = pool.submit(games.draw_actions).result()
    assert games.action_masks().gather(1, actions[:, None]).all()


def test_no_actions_are_drawn_within_another_call(make):
    games = make(2)
    games.reset(seed=0)
    with games._one_caller, pytest.raises(RuntimeError, match="give each thread one of its own"):
        games.draw_actions()
    games.step(games.draw_actions())


def test_what_was_not_made_closes(make):
    make.__new__(make).close()


def test_games_that_have_not_begun_have_masks_and_no_pictures(make):
    games = make(2)
    assert games.action_masks().all() and games.render() is None
    assert (games.threads, games.max_episode_steps, len(games.raw_states)) == (1, None, 2)
    assert games.get_attr("opponent") == (None, None) and games.get_attr("ruleset") == (games.ruleset,) * 2
    for name in ("states", "threads", "max_episode_steps", "device", "reset"):
        with pytest.raises(AttributeError, match=f"no game has {name} by itself"):
            games.get_attr(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threads": 2}, "threads must be one of 1, not 2"),
        ({"max_episode_steps": 5}, "max_episode_steps must be one of None, not 5"),
        ({"opponent": "value"}, "opponent must be one of None, 'random', 'greedy', not 'value'"),
        ({"seat": 0}, "seat must be 'random' without opponent"),
        ({"on_illegal": "no"}, "on_illegal must be one of"),
        ({"copy": 1}, "copy must be one of"),
    ],
    ids=str,
)
def test_what_is_not_possible_there_is_refused(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(2, **arguments)


@pytest.fixture
def one_gpu(monkeypatch):
    """Let torch find a GPU, which is too old."""
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    monkeypatch.setattr("torch.cuda.current_device", lambda: 0)
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda device: (6, 1))


NO_DEVICES = ("cuda:1", "cuda:256", "cuda:1000", "gpu", "mps", 0.5, None, 2**70, np.array(["a", "b"]))


@pytest.mark.parametrize("device", NO_DEVICES, ids=str)
def test_a_device_that_is_none_is_refused(one_gpu, device):
    with pytest.raises(ValueError, match=r"^device must be one that torch finds here, 'cpu', 'cuda:0', 'cuda', not "):
        ZamekVectorEnv(2, device=device)


@pytest.mark.parametrize("device", ["cpu", torch.device("cpu")], ids=str)
def test_the_processor_is_refused_where_only_a_gpu_will_do(device):
    with pytest.raises(
        ValueError, match=r"^device must be a GPU for ZamekCudaVectorEnv, not .*cpu.*: make a ZamekVectorEnv"
    ):
        ZamekCudaVectorEnv(2, device=device)


@pytest.mark.parametrize("device", ["cuda", "cuda:0", torch.device("cuda"), torch.device("cuda", 0)], ids=str)
def test_a_gpu_that_is_too_old_is_refused(one_gpu, device):
    with pytest.raises(ValueError, match=r"^device must have the compute capability 7.0 or more, not 6.1, as .* has$"):
        ZamekVectorEnv(2, device=device)


def test_a_subclass_plays_on_the_processor():
    class Mine(ZamekVectorEnv):
        pass

    assert type(Mine(2, device="cpu")) is Mine
    with pytest.raises(ValueError, match=r"^device must be 'cpu' for Mine, not 'cuda'$"):
        Mine(2, device="cuda")


def test_both_take_the_same_arguments():
    class Mine(ZamekVectorEnv):
        def __init__(self, most, least=3):
            pass

    named = [inspect.signature(env).parameters for env in (ZamekVectorEnv, ZamekCudaVectorEnv, Mine)]
    assert [*named[0]] == [*named[1]] and named[0]["device"].default == "cpu"
    assert [*named[2]] == ["most", "least"]


def test_the_device_is_an_argument_of_the_vector_environment():
    for device in ("cpu", torch.device("cpu")):
        assert type(gymnasium.make_vec("Zamek-v0", 1, device=device).unwrapped) is ZamekVectorEnv
    if torch.cuda.is_available():
        assert type(gymnasium.make_vec("Zamek-v0", 1, device="cuda").unwrapped) is ZamekCudaVectorEnv


def test_it_is_drawn_copied_and_closed(make):
    games = make(2, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        games.draw_actions()
    games.reset(seed=0)
    others = ZamekVectorEnv(2, render_mode="ansi")
    others.reset(seed=0)
    assert games.render() == others.render()
    copies = [deepcopy(games), pickle.loads(pickle.dumps(games))]
    actions = games.draw_actions().clone()
    games.step(actions)
    for copy in copies:
        assert copy.states.tobytes() != games.states.tobytes()
        copy.step(actions)
        assert copy.states.tobytes() == games.states.tobytes()
    games.close()
    for call in (games.reset, games.draw_actions, games.render, lambda: games.step([0, 0]), lambda: games.states):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize("missing", ["torch", "cuda.bindings"])
def test_what_is_missing_is_named(monkeypatch, missing):
    for name in ("vector", "program"):
        monkeypatch.delitem(sys.modules, f"zamek_env.cuda.{name}", raising=False)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    monkeypatch.setattr("torch.cuda.current_device", lambda: 0)
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda device: (9, 0))
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(
        ImportError, match=rf"device='cuda' needs {missing.partition('.')[0]}, .*`pip install 'zamek-env\[cuda\]'`$"
    ):
        ZamekVectorEnv(2, device="cuda")


def test_the_benchmark_measures_games_on_a_gpu(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    monkeypatch.setitem(sys.modules, "zamek_env.cuda.program", SimpleNamespace(CudaProgram=HostProgram))
    gpu = importlib.import_module("gpu")
    monkeypatch.setattr(gpu, "DEVICE", torch.device("cpu"))
    monkeypatch.setattr(gpu, "ZamekVectorEnv", lambda count, name, device, **given: HostVectorEnv(count, name, **given))
    monkeypatch.setattr("torch.cuda.synchronize", lambda: None)
    bare, seen = gpu.RandomGames("zamek", 3), gpu.Environment("zamek", 2, False)
    assert bare.run()[0] == 3 * gpu.DECISIONS * gpu.CALLS and 60 < bare.count_decisions() < 130
    assert seen.run()[0] == 2 * gpu.STEPS


def test_the_example_trains_the_same_network_as_on_the_processor(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    example = importlib.import_module("cleanrl_ppo")
    args = example.Args(steps=256, games=4, rollout=32, minibatches=2, evaluation_games=2)
    expected = example.train(args).state_dict()

    def make(args, count, opponent, reward):
        which = {"opponent": opponent, "reward": reward, "observation": ("vector", "rows")}
        return HostVectorEnv(count, **which, autoreset_mode="SameStep")

    monkeypatch.setattr(example, "make_games", make)
    found = example.train(args).state_dict()
    assert all(torch.equal(found[name], expected[name]) for name in expected)
