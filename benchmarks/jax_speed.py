"""Measures games for JAX beside the vector environment, and beside pgx where that is installed, on one core.

Usage: python benchmarks/jax_speed.py [--rounds N]

All take turns, so that a change of the machine's speed meets all alike; medians are printed, and ratios of medians.
Games that end are dealt anew. Actions are random legal ones, drawn in compiled code, or by pgx's `act_randomly`. Those
of rollouts are drawn by a network of one layer of 64 units from the vector and the mask.
"""

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np
import tyro
from peers import loop_vector, measure, print_command, scan_games, scan_pgx, use_one_core

import zamek_env.jax
from zamek_env.vector import ZamekVectorEnv

STEPS = 20_000  # of all games together, in a measurement, but in each game at least:
EPISODE = 150  # steps: what a step costs depends on how far a game is
ROLLOUT, UNITS = 128, 64
RULESETS = {"zamek": (1, 8, 64, 1024), "carcassonne": (1, 1024)}  # and how many games
PARTS = {"planes and vector": ("planes", "vector"), "vector and rows": ("vector", "rows")}
PEERS = ("go_9x9", "backgammon")  # games of pgx


@dataclass
class Args:
    rounds: int = 9
    """how often each is measured"""


def scan_ours(ruleset, parts, count, steps):
    """Return a function that plays on so many steps of our games."""
    env = zamek_env.jax.make(ruleset, parts, auto_reset=True)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), count))

    def play(state, keys):
        return jax.vmap(env.step)(state, jax.vmap(zamek_env.jax.draw_legal)(keys, state.legal_action_mask))

    return scan_games(play, state, count, steps)


def draw(weights, keys, vector, mask):
    """Return an action of each game, drawn by a small network."""
    return jax.vmap(zamek_env.jax.draw_legal)(keys, mask, jnp.tanh(vector @ weights[0]) @ weights[1])


def make_weights(entries, actions):
    """Return the weights of that network."""
    first, second = jax.random.split(jax.random.key(1))
    return 0.1 * jax.random.normal(first, (entries, UNITS)), 0.1 * jax.random.normal(second, (UNITS, actions))


def roll_out_in_jax(count):
    """Return a function that plays a rollout of zamek in a scan."""
    env = zamek_env.jax.make("zamek", ("planes", "vector"), auto_reset=True)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), count))
    weights = make_weights(*env.observation_shape["vector"], env.num_actions)

    def play(carry, keys):
        action = draw(weights, keys, carry.observation["vector"], carry.legal_action_mask)
        return jax.vmap(env.step)(carry, action), action

    keys = jax.random.split(jax.random.key(2), (ROLLOUT, count))
    run = jax.jit(lambda state, keys: jax.lax.scan(play, state, keys))
    return lambda: jax.block_until_ready(run(state, keys))


def roll_out_in_python(count):
    """Return a function that plays a rollout of the vector environment, with the same network, compiled by JAX."""
    env = ZamekVectorEnv(count, ruleset="zamek", copy=False)
    seen, info = env.reset(seed=0)
    act = jax.jit(partial(draw, make_weights(seen["vector"].shape[1], env.single_action_space.n)))
    kept = {"seen": seen, "mask": info["action_mask"]}
    keys = list(jax.random.split(jax.random.key(2), (ROLLOUT, count)))

    def run():
        for now in keys:
            action = np.asarray(act(now, kept["seen"]["vector"], kept["mask"].astype(bool)), np.int64)
            kept["seen"], _, _, _, info = env.step(action)
            kept["mask"] = info["action_mask"]

    return run


def list_runs():
    """Return {name: (how many steps, function)}."""
    runs = {}
    for ruleset, counts in RULESETS.items():
        for called, parts in PARTS.items():
            for count in counts:
                steps = max(EPISODE, STEPS // count)
                where = f"{ruleset}, {called}, {count} {'game' if count == 1 else 'games'}"
                runs[f"jax: {where}"] = steps * count, scan_ours(ruleset, parts, count, steps)
                runs[f"vector environment: {where}"] = steps * count, loop_vector(ruleset, parts, count, steps)
    runs["jax: rollout, 64 games"] = 64 * ROLLOUT, roll_out_in_jax(64)
    runs["vector environment: rollout, 64 games"] = 64 * ROLLOUT, roll_out_in_python(64)
    if find_spec("pgx"):
        runs |= {f"pgx: {name}, 1024 games": (1024 * 20, scan_pgx(name, 1024, 20)) for name in PEERS}
    return runs


def main(args):
    """Measure in turn, and print a line for each, with its ratio."""
    use_one_core()
    print_command()
    speeds = measure(list_runs(), args.rounds)
    for name, speed in speeds.items():
        other = speeds.get(name.replace("jax: ", "vector environment: "), speed)
        ratio = f"{speed / other:5.2f} × the vector environment" if name.startswith("jax") else ""
        print(f"{name:58} {speed:12,.0f} steps/s {ratio}".rstrip())
    for peer in PEERS if find_spec("pgx") else ():
        for ruleset in RULESETS:
            ours = speeds[f"jax: {ruleset}, planes and vector, 1024 games"]
            print(f"{ruleset} makes {ours / speeds[f'pgx: {peer}, 1024 games']:.1f} × the steps of {peer}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
