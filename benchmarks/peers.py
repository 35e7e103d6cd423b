"""Other libraries' games, stepped as their users step them, where the libraries are installed.

The games are far smaller than ours; they are here because everybody knows how fast they are. OpenSpiel and pgx play
connect four, PettingZoo too, each with what an agent needs every step: the mask of legal actions and the observation.
"""

import time
from importlib.util import find_spec

import numpy as np
from legal_actions import draw_legal

STEPS = 1_000
BATCH, BATCH_STEPS = 1024, 20


def find_peers():
    """Return {name: (function, which of our measurements is alike)} of the peers that are installed."""
    known = {
        "OpenSpiel connect_four, from Python": ("pyspiel", OpenSpiel, "single environment, steps"),
        "PettingZoo connect_four": ("pygame", PettingZoo, "PettingZoo environment, steps"),
        f"pgx connect_four, {BATCH} games": ("pgx", Pgx, f"vector environment, steps, {BATCH} games, 1 thread"),
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

    def __init__(self):
        import jax
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make("connect_four")
        self.jax, self.key = jax, jax.random.PRNGKey(1)
        self.step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
        self.state = jax.jit(jax.vmap(env.init))(jax.random.split(self.key, BATCH))
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


def step_aec(env, count):
    """Return (`count`, seconds) of that many random steps of a PettingZoo environment."""
    env.reset(seed=1)
    seconds, rng = 0.0, np.random.default_rng(1)
    for _ in range(count):
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            observation = env.last()[0]
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        started = time.perf_counter()
        env.step(action)
        env.last()
        seconds += time.perf_counter() - started
    return count, seconds
