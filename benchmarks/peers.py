"""Other libraries' games beside ours, where the libraries are installed.

Usage: python benchmarks/peers.py [--alpha-carcassonne FOLDER] [--rounds N]

Whole random games of Carcassonne without farmers, here and by the C++ engine of AlphaCarcassonne, which g++ compiles
from FOLDER; and steps of 1,024 games of pgx and of `ZamekVectorEnv`, each with planes, or what else a network sees,
and mask. All take turns on one core; medians of CPU time are printed, and ratios of medians. Actions are random legal
ones, drawn in compiled code, or by pgx's `act_randomly`, and drawing them is counted.

`speed.py` measures others as their users step them, and not how long it takes to draw: OpenSpiel's and PettingZoo's
connect four, and games of pgx. They are far smaller than ours; they are here because everybody knows how fast they are.
"""

import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

import numpy as np
import tyro
from legal_actions import draw_legal
from measurements import Engine, step_aec

from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.vector import ZamekVectorEnv

HERE = Path(__file__).parent
STEPS = 1_000
BATCH, BATCH_STEPS = 1024, 20
VECTOR_STEPS = 100  # of as many games of ours
PGX = ("connect_four", "go_9x9", "backgammon")
RULESETS = ("zamek", "carcassonne")  # beside pgx
GAMES = 10_000  # of Carcassonne without farmers, in a measurement
SOURCES = Path("open_spiel", "games", "carcassonne", "game")  # of the engine of AlphaCarcassonne
PACKAGES = ("numba", "numpy", "jax", "pgx")
COMPILER = ("g++", "-std=c++17", "-O3", "-march=native", "-flto", "-DNDEBUG")


@dataclass
class Args:
    alpha_carcassonne: Path | None = None
    """a clone of https://github.com/AlexLee1235/AlphaCarcassonne"""
    rounds: int = 9
    """how often each is measured"""


def find_peers():
    """Return {name: (function, which of our measurements is alike)} of the peers that are installed."""
    vector = f"vector environment, steps, {BATCH} games, 1 thread"
    known = {
        "OpenSpiel connect_four, from Python": ("pyspiel", OpenSpiel, "single environment, steps"),
        "PettingZoo connect_four": ("pygame", PettingZoo, "PettingZoo environment, steps"),
        **{f"pgx {name}, {BATCH} games": ("pgx", partial(Pgx, name), vector) for name in PGX},
    }
    return {name: (peer().steps, ours) for name, (module, peer, ours) in known.items() if find_spec(module)}


class OpenSpiel:
    """A game by itself, with its list of legal actions and its observation."""

    def __init__(self):
        import pyspiel

        self.game, self.rng = pyspiel.load_game("connect_four"), np.random.default_rng(1)

    def steps(self):
        seconds, state = 0.0, self.game.new_initial_state()
        legal = state.legal_actions()
        for _ in range(STEPS):
            action = legal[self.rng.integers(len(legal))]
            started = time.perf_counter()
            state.apply_action(action)
            state.observation_tensor(0)
            legal = state.legal_actions()
            seconds += time.perf_counter() - started
            if state.is_terminal():
                state = self.game.new_initial_state()
                legal = state.legal_actions()
        return STEPS, seconds


class PettingZoo:
    """An AEC environment in its usual wrappers."""

    def __init__(self):
        from pettingzoo.classic import connect_four_v3

        self.env = connect_four_v3.env()

    def steps(self):
        return step_aec(self.env, STEPS)


class Pgx:
    """Many games at once, compiled by JAX, with automatic reset."""

    def __init__(self, name):
        import jax

        step, self.state = make_pgx(name, BATCH)
        self.jax, self.key, self.step = jax, jax.random.PRNGKey(1), jax.jit(step)
        self.played = 0

    def steps(self):
        seconds = 0.0
        for _ in range(BATCH_STEPS):
            masks = np.asarray(self.state.legal_action_mask).view(np.int8)
            actions = draw_legal(masks, self.played)
            self.played += 1
            self.key, key = self.jax.random.split(self.key)
            keys = self.jax.random.split(key, BATCH)
            started = time.perf_counter()
            self.state = self.step(self.state, actions, keys)
            self.jax.block_until_ready(self.state.observation)
            seconds += time.perf_counter() - started
        return BATCH * BATCH_STEPS, seconds


def make_pgx(name, count):
    """Return the step of so many games of pgx, which are dealt anew where they end, and their first state."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), count))
    return jax.vmap(auto_reset(env.step, env.init)), state


def scan_games(play, state, count, steps):
    """Return a function that plays on, so many steps of `count` games in a scan of JAX.

    `play` returns the next state for a key of each game. The state is donated, so that XLA writes over it.
    """
    import jax

    @partial(jax.jit, donate_argnums=0)
    def run(state, key):
        return jax.lax.scan(lambda *now: (play(*now), None), state, jax.random.split(key, (steps, count)))[0]

    kept = {"state": jax.tree.map(jax.numpy.copy, state), "seed": 0}

    def play_on():
        kept["seed"] += 1
        kept["state"] = jax.block_until_ready(run(kept["state"], jax.random.key(kept["seed"])))

    return play_on


def scan_pgx(name, count, steps):
    """Return a function that plays on so many steps of a game of pgx."""
    from pgx.experimental import act_randomly

    step, state = make_pgx(name, count)

    def play(state, keys):
        return step(state, act_randomly(keys[0], state.legal_action_mask), keys)

    return scan_games(play, state, count, steps)


def loop_vector(ruleset, parts, count, steps, copy=False):
    """Return a function that plays on so many steps of the vector environment."""
    env = ZamekVectorEnv(count, ruleset=ruleset, observation=parts, copy=copy)
    _, info = env.reset(seed=0)
    kept = {"mask": info["action_mask"]}

    def run():
        for seed in range(steps):
            kept["mask"] = env.step(draw_legal(kept["mask"], seed))[4]["action_mask"]

    return run


def compile_alpha_carcassonne(clone, folder):
    """Return a function that plays `GAMES` of AlphaCarcassonne by a program compiled into `folder`."""
    program, inputs = Path(folder, "play"), (HERE / "alpha_carcassonne.cpp", *(clone / SOURCES).glob("*.cpp"))
    subprocess.run([*COMPILER, "-I", clone / SOURCES, *inputs, "-o", program], check=True)
    return lambda: int(ask(program, str(GAMES)))


def ask(*command):
    """Return what a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def find_commit(folder):
    """Return the commit that is checked out in `folder`, with `-dirty` where files differ from it."""
    return ask("git", "-C", folder, "describe", "--always", "--dirty", "--exclude=*").strip()


def use_one_core():
    """Let this process and those that it starts use one core, and JAX, which may not have computed yet, one thread."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def print_command():
    """Print the command, and the versions of Python and of the packages that are installed."""
    found = [f"{name} {version(name)}" for name in PACKAGES if find_spec(name)]
    print(f"python {shlex.join(sys.argv)}", f"Python {platform.python_version()}, {', '.join(found)}", sep="\n")
    print("zamek_env", find_commit(HERE))


def read_cpu_time():
    """Return the seconds that this process has computed, and those that it has started."""
    return sum(used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measure(runs, rounds):
    """Return {name: how many a second of CPU time} of {name: (how many, function)}, medians of interleaved rounds."""
    for _, run in runs.values():
        run()  # compiles
    seconds = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (_, run) in runs.items():
            started = read_cpu_time()
            run()
            seconds[name].append(read_cpu_time() - started)
    return {name: count / median(seconds[name]) for name, (count, _) in runs.items()}


def compare_games(clone, rounds):
    """Measure random games of Carcassonne here and of AlphaCarcassonne, and print them."""
    print("AlphaCarcassonne", find_commit(clone))
    print(ask(COMPILER[0], "--version").partition("\n")[0], *COMPILER[1:])
    engine = Engine("carcassonne-no-farmers")
    with tempfile.TemporaryDirectory() as folder:
        plays = {
            "carcassonne-no-farmers": lambda: engine.playouts(GAMES)[0],
            "AlphaCarcassonne": compile_alpha_carcassonne(clone, folder),
        }
        rates = measure({name: (GAMES, play) for name, play in plays.items()}, rounds)
        for name, play in plays.items():
            print(f"{name:22} {rates[name]:9,.0f} random games/s of {play() / GAMES:.1f} decisions")
    ours, theirs = rates.values()
    print(f"ours ÷ theirs: {ours / theirs:.2f}")


def compare_steps(rounds):
    """Measure steps of our games and of those of pgx, and print them."""
    parts, ours, theirs = PLANE_PARTS, BATCH * VECTOR_STEPS, BATCH * BATCH_STEPS
    runs = {name: (ours, loop_vector(name, parts, BATCH, VECTOR_STEPS, copy=None)) for name in RULESETS}
    runs |= {f"pgx {name}": (theirs, scan_pgx(name, BATCH, BATCH_STEPS)) for name in PGX}
    rates = measure(runs, rounds)
    for name, rate in rates.items():
        print(f"{name:22} {rate:9,.0f} steps/s of {BATCH:,} games")
    for peer in PGX:
        for ruleset in RULESETS:
            print(f"{ruleset} makes {rates[ruleset] / rates[f'pgx {peer}']:.2f} × the steps of {peer}")


def main(args):
    """Measure what there is."""
    clone, has_pgx = args.alpha_carcassonne, find_spec("pgx")
    if clone and not (clone / SOURCES).is_dir():
        sys.exit(f"--alpha-carcassonne must name a folder that holds {SOURCES}, not {str(clone)!r}")
    if not (clone or has_pgx):
        sys.exit("there is nothing to compare with: give --alpha-carcassonne, or install pgx")
    use_one_core()
    print_command()
    if clone:
        compare_games(clone, args.rounds)
    if has_pgx:
        compare_steps(args.rounds)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
