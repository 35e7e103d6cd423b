"""Random and malformed calls of `ZamekVectorEnv`, one at a time, like those of `calls.py`."""

import copy
import math
import pickle
from functools import partial

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

from tests.support.forks import HAS_FORK, play_in_child, play_on
from tests.support.hostile.calls import Attacker, as_whole, due_components, due_deal, due_options, expect, require, show
from tests.support.hostile.spoiling import draw_any
from tests.support.rulesets import SECOND
from zamek_env import IllegalActionError
from zamek_env.environments.reset_options import OPTIONS
from zamek_env.environments.vector_base import MAX_ENVS
from zamek_env.vector import ZamekVectorEnv

NUM_ENVS = 2
LAST = NUM_ENVS - 1  # the game whose action is wrong
MANY = 8  # games; more are not made here
WRONG = (TypeError, ValueError)
DUE_ARGUMENTS = {  # of `ZamekVectorEnv`: what is due for a value that is drawn here
    "num_envs": lambda value: _due_count(value, MAX_ENVS),
    "ruleset": lambda value: ValueError,
    "opponent": lambda value: _due_opponent(value),
    "seat": lambda value: ValueError,  # there is none without an opponent
    "reward": lambda value: ValueError,
    "on_illegal": lambda value: ValueError,
    "autoreset_mode": lambda value: ValueError,
    "copy": lambda value: None if value is None or type(value) is bool else ValueError,
    "threads": lambda value: _due_count(value, np.inf),
    "components": due_components,
    "flat": lambda value: None if type(value) is bool else ValueError,
    "render_mode": lambda value: None if value is None else ValueError,
    "max_episode_steps": lambda value: None if value is None else _due_count(value, np.inf),
}


def _due_opponent(value):
    """Return what is due for one opponent or a list of the only one."""
    if value is None:
        return None
    others = value if isinstance(value, list | tuple) else [value]
    return ValueError if len(others) != 1 or isinstance(others[0], str) else TypeError


def _due_count(value, most):
    number = as_whole(value)
    if number is None:
        return TypeError
    return None if 1 <= number <= most else ValueError


def _due_each(value, due_one):
    """Return what is due for `value`, one for all games or a row with one for each."""
    is_row = isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)
    if not is_row:
        return due_one(value)
    if len(value) != NUM_ENVS:
        return ValueError
    return next((due for due in map(due_one, value) if due is not None), None)


def _due_action(value, legal):
    """Return what is due for one action among whole numbers; there a bool counts as one, as numpy has it."""
    plain = value.item() if isinstance(value, np.ndarray | np.generic) and value.ndim == 0 else value
    number = int(plain) if isinstance(plain, bool) else as_whole(plain)
    if number is None:
        return WRONG
    if not -(2**63) <= number < 2**63:
        return TypeError
    return None if 0 <= number < len(legal) and legal[number] else IllegalActionError


def _due_given_deal(value):
    return TypeError if value is None else due_deal(value)


def _take_down(env):
    """Return everything that the games of `env` depend on and show."""
    many = env._batch
    lasts = (many.last_planes, many.last_masks, many.last_vectors)
    arrays = (many.states, many.episodes, many.outcomes, env._dealer.upcoming, *env._seen, *lasts)
    generators = [None if one is None else one.bit_generator.state for one in env._dealer.generators]
    return [array.tobytes() for array in (*arrays, env._deals)], generators, env._is_begun


class VectorAttacker(Attacker):
    """Makes the calls of `Attacker`, and those of vector environments, which play on from call to call."""

    def __init__(self, seed, folder):
        super().__init__(seed, folder)
        self.fresh = ZamekVectorEnv(NUM_ENVS)  # never begun
        self.vectors = [
            ZamekVectorEnv(NUM_ENVS, on_illegal=on_illegal, autoreset_mode=mode)
            for on_illegal in ("lose", "raise")
            for mode in AutoresetMode
        ]
        self.vectors += [
            ZamekVectorEnv(NUM_ENVS, ruleset, threads=2, copy=False, on_illegal=on_illegal)
            for ruleset, on_illegal in (("zamek", "raise"), (SECOND, "lose"))
        ]
        self.closed = ZamekVectorEnv(NUM_ENVS, threads=2)
        self.closed.reset(seed=1)
        self.closed.close()
        for env in self.vectors:
            env.reset(seed=1)

    # --- the calls ---

    def step_vector(self):
        env = self.draw(self.vectors)
        actions, due = self._draw_actions(env)
        expect(lambda: self.fresh.step(actions), ResetNeeded, f"step({show(actions)}) before reset")
        return self._play(env, (actions,), np.ones(NUM_ENVS, np.bool_), due)

    def step_chosen_in_vector(self):
        env = self.draw(self.vectors)
        chosen, due = self._draw_flags()
        if due is None:
            actions, due = self._draw_actions(env)
            return self._play(env, (actions, chosen), np.asarray(chosen), due)
        before, actions = _take_down(env), self._draw_legal(env)
        what = f"step_chosen({actions}, {show(chosen)})"
        done = expect(lambda: env.step_chosen(actions, chosen), due, what, "chosen")
        require(before == _take_down(env), f"{what} changed the games")
        return done

    def reset_vector(self):
        value = draw_any(self.rng, 2**62)
        row = self.draw((value, [3, value], (value, 3), [value] * NUM_ENVS))
        deals, (flags, due_flags) = ([3, 4] if row is None else row), self._draw_flags()
        name, arguments, due = self.draw(
            (
                ("seed", {"seed": row}, _due_each(row, partial(due_deal, most=math.inf))),
                ("options", {"options": value}, due_options(value, OPTIONS)),
                ("options['deal']", {"options": {"deal": deals}}, _due_each(deals, _due_given_deal)),
                ("options['reset_mask']", {"options": {"reset_mask": flags}}, None if flags is None else due_flags),
            )
        )
        env = self.draw(self.vectors if due is None else [*self.vectors, self.fresh])
        before = _take_down(env)
        what = f"reset({', '.join(f'{key}={show(given)}' for key, given in arguments.items())})"
        done = expect(lambda: env.reset(**arguments), due, what, name)
        require(due is None or before == _take_down(env), f"{what} changed the games")
        return done

    def make_vector(self):
        field, value = self.draw(tuple(DUE_ARGUMENTS)), draw_any(self.rng, 5)
        due = DUE_ARGUMENTS[field](value)
        if field == "num_envs" and due is None:
            value = min(as_whole(value), MANY)
        return expect(lambda: ZamekVectorEnv(**{field: value}), due, f"ZamekVectorEnv({field}={show(value)})", field)

    def copy_vector(self):
        """A twin does with odd actions what the original does, and neither touches the other."""
        env = self.draw([*self.vectors, self.fresh])
        before = _take_down(env)
        twin = self.draw((copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))))(env)
        require(_take_down(twin) == before, "a twin is another")
        if env is self.fresh:
            return expect(lambda: twin.step([0] * NUM_ENVS), ResetNeeded, "a step of a twin of one that has not begun")
        actions, due = self._draw_actions(twin)
        arguments, chosen = (actions,), np.ones(NUM_ENVS, np.bool_)
        done = self._play(twin, arguments, chosen, due)
        require(_take_down(env) == before, f"a twin that played {show(actions)} changed the original")
        require(done == self._play(env, arguments, chosen, due), f"a twin did something else with {show(actions)}")
        require(_take_down(twin) == _take_down(env), f"a twin came to something else by {show(actions)}")
        twin.close()
        return done

    def fork_vector(self):
        """A forked process plays on as this one does."""
        env = self.draw([one for one in self.vectors if one.metadata["autoreset_mode"] != AutoresetMode.DISABLED])
        env.reset()
        steps = int(self.rng.integers(1, 12))
        digest = play_in_child(env, steps) if HAS_FORK else play_on(copy.deepcopy(env), steps)
        require(digest == play_on(env, steps), f"a forked process played {steps} steps otherwise, or none: {digest!r}")
        return "plays"

    def use_closed_vector(self):
        value = draw_any(self.rng, 5)
        call, what = self.draw(
            (
                (lambda: self.closed.reset(seed=value), "reset"),
                (lambda: self.closed.reset(options=value), "reset"),
                (lambda: self.closed.step(value), "step"),
                (lambda: self.closed.step_chosen([0] * NUM_ENVS, [True] * NUM_ENVS), "step_chosen"),
                (lambda: self.closed.action_masks(), "action_masks"),
                (lambda: self.closed.states, "states"),
                (lambda: copy.deepcopy(self.closed).reset(), "reset of a copy"),
            )
        )
        self.closed.close()
        return expect(call, ClosedEnvironmentError, f"{what} of {show(value)} once closed", "closed")

    # --- inside ---

    def _play(self, env, arguments, chosen, due):
        """Play in the games `chosen`; only where the last one is, and goes on, its action is looked at."""
        before, first = _take_down(env), env.states.copy()
        waiting = env._batch.outcomes["is_waiting"].astype(np.bool_) & chosen
        reads_last = chosen[LAST] and not waiting[LAST]
        named, what = "actions", f"a step of {', '.join(map(show, arguments))} with on_illegal={env.on_illegal}"
        loses = False
        if env.metadata["autoreset_mode"] == AutoresetMode.DISABLED and waiting.any():
            due, named = ResetNeeded, "reset_mask"
        elif due is IllegalActionError:
            loses = reads_last and env.on_illegal == "lose"
            due, named = due if reads_last and not loses else None, f"game {LAST}"
        returned = []
        step = env.step if len(arguments) == 1 else env.step_chosen
        done = expect(lambda: returned.append(step(*arguments)), due, what, named)
        if due is None:
            require(np.array_equal(first[~chosen], env.states[~chosen]), f"{what} changed a game that was not chosen")
        else:
            require(before == _take_down(env), f"{what} changed the games")
        if loses:
            _, rewards, terminated, _, info = returned[0]
            lost = rewards[LAST], terminated[LAST], info["illegal_action"][LAST]
            require(lost == (-1, True, True), f"{what} did not lose")
        if due is ResetNeeded:
            env.reset(options={"reset_mask": waiting})
        return "loses" if loses else done

    def _draw_legal(self, env):
        """Return an action for each game, legal where any is."""
        masks = env.action_masks()
        return [int(self.draw(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]

    def _draw_actions(self, env):
        """Return actions and what is due for them, `IllegalActionError` where the last game's is illegal."""
        legal, last = self._draw_legal(env), draw_any(self.rng, env.ruleset.num_actions)
        return self.draw(
            (
                (np.array(legal, self.draw(("i2", "i8", "u8"))), None),
                (self.draw((list, tuple))(legal), None),
                (np.array(legal).astype(self.draw(("f8", "c16", "?", "O", "U3", "m8[s]"))), TypeError),
                (self._spoil_shape(legal), ValueError),
                (draw_any(self.rng, 330), WRONG),
                ([*legal[:LAST], last], _due_action(last, env.action_masks()[LAST])),
            )
        )

    def _draw_flags(self):
        """Return which games to choose, and what is due for it."""
        flags = self.rng.integers(2, size=NUM_ENVS).astype(np.bool_)
        return self.draw(
            (
                (flags, None),
                (flags.tolist(), None),
                (flags.astype(self.draw(("f8", "i8", "u1", "O", "U5"))), TypeError),
                (self._spoil_shape(flags.tolist()), ValueError),
                (draw_any(self.rng, 2), WRONG),
            )
        )

    def _spoil_shape(self, row):
        """Return a row of one value a game in another shape."""
        return self.draw((row[:LAST], row * 2, [row], np.array(row)[:, None], np.array(row[0]), [row[0], row], []))
