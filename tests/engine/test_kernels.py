"""The kernels as Python calls them: one signature each, playouts, the greedy player."""

import gc
import os
import pickle
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from numba import TypingError, from_dtype
from numba.core import event
from numba.core.base import BaseContext
from numba.core.types import BaseFunction
from numba.core.typing.templates import _OverloadFunctionTemplate as NumbasOwn

from tests.support.checking.consistency import check_consistency
from tests.support.games import IS_COMPILED, few, finish, generator_for, play_randomly
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.compiler.bound_kernel import BoundArguments, BoundKernel, unbind, write_answers
from zamek_env.compiler.jit import LINKS_KERNELS, kernel
from zamek_env.compiler.prefetch import LINE, MAX_BYTES, MAX_FIELD, list_lines
from zamek_env.components.box_folder import RULESETS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core import engine
from zamek_env.core.legality import ACTIONS_A_TILE, list_actions
from zamek_env.core.playout import draw_action
from zamek_env.ruleset import get_ruleset

FIRST_STEPS = """
import sys
import gymnasium
import numba
import numpy as np
import zamek_env

env = gymnasium.make("Zamek-v0")
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
print("scipy.linalg" in sys.modules, "scipy.stats" in sys.modules)
print(numba.njit(lambda matrix: np.dot(matrix, matrix))(2 * np.eye(2)).tolist())
"""
PLAY_EVERYTHING = """
import numpy as np
from numba.core.registry import CPUDispatcher
from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.base import chance
from zamek_env.core import batch, engine
from zamek_env.single import ZamekEnv
from zamek_env.zamek_v0 import raw_env

greedy, random = make_agent("greedy"), make_agent("random")
env = ZamekEnv(RULESET, opponent=greedy.act, seat=1)
_, info = env.reset(seed=3)
over = False
while not over:
    _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
game, rng = Game(RULESET, seed=np.uint64(5)), np.random.default_rng(2)
while not game.is_terminal:
    [game.describe(action) for action in game.legal_actions()[:3]]
    game.step((greedy if rng.random() < 0.5 else random).act(game, rng))
    game.copy().redeal(rng)
Game.replay(game.record())
pair = raw_env(RULESET)
pair.reset(seed=1)
pair.step(np.int32(pair.game.legal_actions()[0]))
generator = np.zeros(1, np.uint64)
chance.seed_generator(generator, 1)
trial = Game(RULESET, seed=1)
engine.play_randomly(trial.ruleset.tables, trial.raw_states, trial.ruleset.new_log(), 0, generator)
for kernel in (*vars(engine).values(), *vars(batch).values(), chance.seed_generator):
    if isinstance(kernel, CPUDispatcher):
        print(f"{kernel.__module__}.{kernel.__name__}", len(kernel.signatures))
"""


@pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="numba compiles by itself, or nothing is compiled")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_kernel_that_python_calls_is_compiled_once(ruleset):
    program = f"RULESET = {ruleset!r}\n{PLAY_EVERYTHING}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    signatures = dict(line.split() for line in done.stdout.splitlines())
    assert {name for name in signatures if name.startswith("zamek_env.core.engine")} >= {
        f"zamek_env.core.engine.{name}"
        for name in ("start_deal", "start_dealt", "try_to_play", "is_legal", "write_mask", "write_frame", "redeal")
    }
    assert {name: count for name, count in signatures.items() if int(count) > 1} == {}
    assert signatures["zamek_env.core.engine.try_to_play"] == "1"


class Noting(list, event.Listener):
    """The names of functions that are compiled."""

    def on_start(self, begun):
        self.append(begun.data["dispatcher"].py_func.__name__)

    def on_end(self, ended):
        pass


class Thresholds(event.Listener):
    """How many allocations pass between two collections of garbage while numba compiles."""

    def __init__(self):
        self.found = set()

    def on_start(self, begun):
        self.found.add(gc.get_threshold()[0])

    def on_end(self, ended):
        pass


PARTS = """
from zamek_env.compiler.jit import kernel

@kernel
def double(number):
    return 2 * number

@kernel
def use(small, large):
    return double(small) + double(large) + double(3) + double(number=small)
"""


@pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="numba compiles by itself, or nothing is compiled")
def test_a_linked_kernel_is_compiled_once_for_whole_numbers_of_all_kinds():
    typed_in = {"__name__": "typed_in"}  # so nothing is kept on disk
    exec(PARTS, typed_in)
    compiled = Noting()
    with event.install_listener("numba:compile", compiled):
        assert typed_in["use"](np.int16(4), 5) == 32
    assert sorted(compiled) == ["double", "use"]


@pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="numba compiles by itself, or nothing is compiled")
@pytest.mark.parametrize(("first", "meanwhile"), [(0, 0), (700, 10_000), (50_000, 50_000)])
def test_garbage_is_collected_as_before_when_compiling_fails(first, meanwhile):
    typed_in = {"__name__": "typed_in"}
    exec(PARTS, typed_in)
    thresholds, seen = gc.get_threshold(), Thresholds()
    gc.set_threshold(first)
    try:
        with event.install_listener("numba:run_pass", seen), pytest.raises(TypingError):
            typed_in["use"](None, 5)
        left = gc.get_threshold()[0]
    finally:
        gc.set_threshold(*thresholds)
    assert seen.found == {meanwhile} and left == first


@pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="numba compiles by itself, or nothing is compiled")
def test_numba_is_restored_when_compiling_fails():
    replaced = (NumbasOwn, "_get_jit_decorator"), (BaseFunction, "get_call_type"), (BaseContext, "get_function")
    before, meanwhile = [getattr(*place) for place in replaced], Noting()
    meanwhile.on_start = lambda _: meanwhile.extend(getattr(*place) for place in replaced)
    typed_in = {"__name__": "typed_in"}
    exec(PARTS, typed_in)
    with event.install_listener("numba:run_pass", meanwhile), pytest.raises(TypingError):
        typed_in["use"](None, 5)
    assert set(before).isdisjoint(meanwhile) and len(set(meanwhile)) == len(replaced)
    assert [getattr(*place) for place in replaced] == before


BRANCHES = """
from typing import Any, NamedTuple
from zamek_env.compiler.jit import kernel

class Pair(NamedTuple):
    first: Any
    second: Any

@kernel
def for_none(number):
    return -number

@kernel
def for_some(number):
    return 2 * number

@kernel
def choose(record, pair, records, number):
    total = 0
    if record.none.size > 0:
        total += for_none(number)
    if record.some.size > 0 and pair.second.none.shape[1] == 3:
        total += for_some(number)
    for _ in range(2):
        total += for_none(number) if records[number].some.shape[0] == 0 else 1
    return total

@kernel
def use(records, number):
    return choose(records[0], Pair(records[number], records[0]), records, number)
"""


@pytest.mark.skipif(not (IS_COMPILED and LINKS_KERNELS), reason="numba compiles by itself, or nothing is compiled")
def test_what_is_called_only_for_fields_that_a_record_does_not_have_is_not_compiled():
    typed_in = {"__name__": "typed_in"}  # so nothing is kept on disk
    exec(BRANCHES, typed_in)
    dtype = np.dtype((np.record, [("none", np.int16, (0, 3)), ("some", np.int16, (2,))]))
    compiled = Noting()
    with event.install_listener("numba:compile", compiled):
        assert typed_in["use"](np.zeros(1, dtype), 0) == 2
    assert sorted(compiled) == ["choose", "for_some", "use"]


def test_of_a_large_record_all_lines_of_its_smaller_fields_are_fetched():
    fields = [("few", np.int32, (4, 30)), ("one", np.int32), ("many", np.uint8, MAX_FIELD + 1)]
    record = from_dtype(np.dtype([*fields, ("more", np.uint8, MAX_BYTES)]))
    assert list(list_lines(record)) == list(range(0, 4 * (4 * 30 + 1), LINE))


def test_the_first_steps_load_no_linear_algebra_and_numba_still_compiles_it():
    """Importing it would take as long as making an environment."""
    done = subprocess.run([sys.executable, "-c", FIRST_STEPS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["False False", "[[4.0, 0.0], [0.0, 4.0]]"]


SIZES = """
import sys
import numpy as np
from zamek_env.compiler.jit import kernel

@kernel
def count_values(record):
    count = 0
    for number in range(record.values.size):
        count += record.values[number] == 0
{lines}
    return count

@kernel
def find_size(records):
    return count_values(records[0])

if __name__ == "__main__":
    for size in map(int, sys.argv[1:]):
        dtype = np.dtype((np.record, np.dtype([("values", np.int16, (size,)), ("last", np.int16)])))
        print(find_size(np.zeros(1, dtype)), sum(find_size.stats.cache_hits.values()))
"""


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_code_that_two_processes_compiled_is_not_mixed_up_in_a_third(tmp_path):
    """Else the game of one ruleset is played by the code for another."""
    lines = (f"        record.values[number] += record.last * number % {n}" for n in range(3, 99))
    program = SIZES.format(lines="\n".join(lines))  # so long that it is not written out where it is called
    (tmp_path / "sizes.py").write_text(program)

    def run(*sizes):
        command = [sys.executable, tmp_path / "sizes.py", *map(str, sizes)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    assert (run(3), run(5)) == (["3", "0"], ["5", "0"])
    assert run(3, 5) == ["3", "1", "5", "2"]  # what is found, and how often that was not compiled here


# --- playouts ---


@pytest.mark.parametrize("ruleset", RULESETS)
def test_playouts_end_in_consistent_states(ruleset):
    log, generator = get_ruleset(ruleset).new_log(), generator_for(1)
    for seed in range(few(60, 4)):
        game = Game(ruleset, seed=seed)
        decisions = engine.play_randomly(game.ruleset.tables, game.raw_states, log, 0, generator)
        assert game.is_terminal and 40 < decisions < 250
        check_consistency(game)


def test_playouts_follow_from_their_generator_and_go_on_from_any_position():
    log = get_ruleset().new_log()
    for number, game in enumerate(play_randomly(Game(seed=4), 4)):
        if number % 20 == 0:
            ends = [game.copy() for _ in range(3)]
            for end, deal in zip(ends, (1, 1, 2), strict=True):
                engine.play_randomly(end.ruleset.tables, end.raw_states, log, 0, generator_for(deal))
                check_consistency(end)
            assert ends[0].state.tobytes() == ends[1].state.tobytes()


def test_a_playout_touches_its_own_game_only():
    ruleset = get_ruleset()
    states, log = ruleset.new_states(3), ruleset.new_log()
    for game in range(3):
        engine.start_deal(ruleset.tables, states, log, game, 7)
    before = states.copy()
    engine.play_randomly(ruleset.tables, states, log, 1, generator_for(1))
    assert states[0] == before[0] and states[2] == before[2] and states[1] != before[1]


@pytest.mark.parametrize("ruleset", ["zamek", "sokol"])
def test_drawn_actions_are_legal_and_all_are_drawn(ruleset):
    generator = generator_for(5)
    for number, game in enumerate(play_randomly(Game(ruleset, seed=9), 9)):
        legal = game.legal_actions()
        if number % 8 == 0 and legal:
            draws = few(40, 12) * len(legal)
            drawn = [draw_action(game.ruleset.tables[0], game.raw_states[0], generator) for _ in range(draws)]
            counts = np.bincount(drawn, minlength=game.num_actions)
            assert np.flatnonzero(counts).tolist() == legal
            assert counts.max() < 3 * draws / len(legal)


@pytest.mark.parametrize("name", RULESETS)
def test_actions_are_listed_in_the_order_of_the_mask_also_beyond_the_window(name):
    game, is_beyond = Game(name, seed=3), False
    ruleset = game.ruleset
    listed = np.empty(ACTIONS_A_TILE * ruleset.tables["tile_holds"].size, np.int16)
    while not game.is_terminal:
        legal = game.legal_actions()
        count = list_actions(ruleset.tables[0], game.raw_states[0], listed)
        assert listed[:count].tolist() == legal
        is_beyond |= game.phase == "place" and legal[-1] >= ruleset.sizes.window_cells * NUM_ROTATIONS
        game.step(legal[-1])  # as far south as can be
    assert list_actions(ruleset.tables[0], game.raw_states[0], listed) == 0
    assert is_beyond == (ruleset.sizes.spots > 0)


# --- the greedy player ---


@pytest.mark.parametrize("name", RULESETS)
def test_the_greedy_player_chooses_legally_and_leaves_the_game_as_it_was(name):
    ruleset = get_ruleset(name)
    trials, logs = ruleset.new_states(2), ruleset.new_log()
    for seed in range(few(3, 1)):
        for number, game in enumerate(play_randomly(Game(name, seed=seed), seed)):
            if not game.is_terminal and number % few(1, 20) == 0:
                before = game.state.tobytes()
                for _ in range(2):
                    chosen = engine.choose_greedily(
                        ruleset.tables, game.raw_states, logs, trials, 0, generator_for(seed)
                    )
                    assert chosen in game.legal_actions()
                assert game.state.tobytes() == before


@pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_greedy_player_beats_a_random_one(ruleset):
    won = 0
    for seed in range(20):
        game, rng = Game(ruleset, seed=seed), np.random.default_rng(seed)
        agents = (GreedyAgent(), RandomAgent())[:: 1 if seed % 2 else -1]
        while not game.is_terminal:
            game.step(agents[game.current_player].act(game, rng))
        won += game.returns()[0 if seed % 2 else 1] == 1
    assert won >= 19


def test_a_finished_game_has_no_actions_left():
    game = finish(Game(seed=1))
    legal = [
        action
        for action in range(-2, game.num_actions + 2)
        if engine.is_legal(game.ruleset.tables, game.raw_states, 0, action)
    ]
    assert legal == []


# --- kernels that are bound ---


@kernel
def count_up(numbers, step):
    for number in range(numbers.size):
        numbers[number] += step
    return numbers.size


@kernel
def add_up(bound, more):
    numbers, step, (table, nothing) = unbind(bound)
    if nothing is None:
        for row in range(table.shape[0]):
            for column in range(table.shape[1]):
                table[row, column] += numbers[row] * step + more
    return table.sum()


def test_the_first_call_and_all_others_do_what_the_kernel_does():
    bound, numbers = BoundKernel(count_up), np.zeros(3, np.int64)
    assert [bound.call(numbers, step) for step in (1, 10, 100)] == [3, 3, 3]
    assert numbers.tolist() == [111, 111, 111]


def test_a_first_call_that_fails_is_followed_by_one_that_does_not():
    bound, numbers = BoundKernel(count_up), np.zeros(3, np.int64)
    with pytest.raises(TypeError):
        bound.call(numbers)
    assert bound.call(numbers, 2) == 3
    assert numbers.tolist() == [2, 2, 2]


@pytest.mark.parametrize("copy", [deepcopy, lambda bound: pickle.loads(pickle.dumps(bound))], ids=["copy", "pickle"])
@pytest.mark.parametrize("is_used", [False, True])
def test_a_copy_calls_the_same_kernel(copy, is_used):
    game, bound = Game(seed=1), BoundKernel(engine.read_status)
    if is_used:
        bound.call(game.raw_states, 0)
    assert copy(bound).call(game.raw_states, 0) == engine.read_status(game.raw_states, 0)


def test_threads_that_make_the_first_call_together_all_get_their_answer():
    bound, rows = BoundKernel(count_up), np.zeros((8, 1000), np.int64)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda row: bound.call(row, 3), rows)) == [1000] * 8
    assert (rows == 3).all()


@kernel
def bind(answers, values):
    return write_answers(answers, values)


def bind_some():
    table = np.zeros((2, 4), np.int32)[:, ::2]
    return BoundArguments(BoundKernel(bind), np.array([1, 2]), 2, (table, None))


def test_what_is_bound_is_read_and_written_where_it_lies():
    add = BoundKernel(add_up)
    first, second = bind_some(), bind_some()
    first.values[0][1] = 4
    assert [add.call(first, 0), add.call(second, 1), add.call(first, 2)] == [20, 16, 48]
    assert first.values[2][0].tolist() == [[6, 6], [18, 18]]
    assert second.values[2][0].tolist() == [[3, 3], [5, 5]]


def test_what_is_bound_lives_as_long_as_it_is_bound_and_no_longer():
    numbers = np.ones(1000, np.int64)
    held = weakref.ref(numbers)
    bound = BoundArguments(BoundKernel(bind), numbers, 1, (np.zeros((1, 1), np.int32), None))
    del numbers
    assert BoundKernel(add_up).call(bound, 0) == 1 and held() is not None
    del bound
    assert held() is None


@pytest.mark.plays("sokol", "carcassonne")
def test_each_ruleset_has_calls_of_its_own():
    games = [Game(ruleset, seed=3) for ruleset in ("zamek", "carcassonne", "zamek", "sokol")]
    for game in games * 2:
        game.step(game.legal_actions()[0])
        assert game.legal_actions() == Game.from_state(game.ruleset, game.raw_states).legal_actions()
    assert games[0] == games[2]
