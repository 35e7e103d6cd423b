"""Copies that are to go on as the original does, made in all ways that there are."""

import copy
import pickle

import numpy as np

from tests.support.games import finish
from zamek_agents.base import EVALUATING
from zamek_env.compiler.bound_kernel import BoundArguments
from zamek_env.ruleset import Ruleset


def through_pickle(value):
    """Return `value` from a pickle."""
    return pickle.loads(pickle.dumps(value))


def through_buffers(value):
    """Return `value` from a pickle whose arrays lie in memory that cannot be written to, as Ray hands them over."""
    buffers = []
    packed = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(packed, buffers=[bytes(buffer.raw()) for buffer in buffers])


PICKLED = {"pickled": through_pickle, "from read-only memory": through_buffers}
TWINS = {**PICKLED, "deep copy": copy.deepcopy}


def list_arrays(value, name="", seen=None):
    """Return {where: array} of all arrays that an object of this package holds, itself and in objects of its own."""
    seen = {} if seen is None else seen
    if id(value) in seen or isinstance(value, Ruleset | BoundArguments):  # the very one of the original; of a game
        return {}
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        return {name: value}
    if isinstance(value, tuple | list):
        parts = enumerate(value)
    elif type(value).__module__.startswith(("zamek_env", "zamek_agents")) and hasattr(value, "__dict__"):
        parts = value.__dict__.items()
    else:
        return {}
    return {where: array for key, part in parts for where, array in list_arrays(part, f"{name}.{key}", seen).items()}


def decide(agent, games):
    """Return what an agent decides in each game, every time by the same chance, and what it thinks of the choices."""
    asked = [agent.act(game.copy(), np.random.default_rng(number)) for number, game in enumerate(games)]
    if agent.name.partition(":")[0] in EVALUATING:
        evaluations = [agent.evaluate(game.copy(), np.random.default_rng(0)) for game in games]
        asked += [(found.actions, found.values.tobytes()) for found in evaluations]
    return asked


def check_agent_twins(agent, make):
    """Fail unless twins of an agent from pickles, as it is made and once it has decided, decide as it does.

    `make` makes the games. They stand at the beginning and near the end, where some agents solve them.
    """
    late = make(seed=3)
    for action in finish(make(seed=3), 3).history[:-7]:
        late.step(action)
    games = [make(seed=4), late]
    twins = [twin_of(agent) for twin_of in PICKLED.values()]
    due = decide(agent, games)
    for twin_of in PICKLED.values():
        twins += [twin_of(agent), twin_of(twin_of(agent))]
    for twin in twins:
        assert twin.name == agent.name and decide(twin, games) == due == decide(twin, games)
        assert all(array.flags.writeable for array in list_arrays(twin).values())
