"""PettingZoo's own wrappers, and environments of ours compared with what they make of them."""

import numpy as np
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from zamek_env.base.rewards import ILLEGAL_REWARD

PUBLIC = (
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "num_agents",
    "_cumulative_rewards",
)


def wrap_as_usual(raw):
    """Return `raw` in the wrappers that PettingZoo's own environments wear."""
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def compare_with_wrapped(ours, usual, calls, rng):
    """Make the same `calls`, drawn by `rng`, to both environments; return how often each kind was made.

    Fails where one returns, raises, shows or logs anything else than the other.
    """
    made = dict.fromkeys(CALLS, 0)
    assert describe(ours) == describe(usual)
    for number in range(calls):
        kind = str(rng.choice(list(CALLS), p=[share for share, _ in CALLS.values()])) if number else "before reset"
        call = CALLS[kind][1](usual, rng)
        made[kind] += 1
        assert outcome(call, ours) == outcome(call, usual), kind
        if kind == "illegal":
            _open_masks(usual)
        assert describe(ours) == describe(usual), kind
    return made


def _open_masks(usual):
    """Make the masks in `infos` all ones where all agents have ended: the wrapper leaves those of the last position."""
    for agent, info in usual.infos.items():
        if "action_mask" in info and usual.terminations[agent]:
            info["action_mask"] = np.ones_like(info["action_mask"])


def outcome(call, pair):
    """Return what `call(pair)` returned or raised, and what was logged meanwhile."""
    before = len(EnvLogger.mqueue)
    try:
        found = freeze(call(pair))
    except Exception as error:
        found = type(error), str(error)
    return found, EnvLogger.mqueue[before:]


def describe(pair):
    """Return everything that `pair` shows of itself."""
    shown = {
        name: outcome(lambda pair, name=name: getattr(pair, name), pair) for name in (*PUBLIC, "_cumulative_rewards")
    }
    shown |= {agent: outcome(lambda pair, agent=agent: pair.observe(agent), pair) for agent in pair.possible_agents}
    return shown | {"str": str(pair), "render": outcome(lambda pair: pair.render(), pair)}


def freeze(value):
    """Return `value` with its arrays as (dtype, shape, bytes), so that it can be compared."""
    if isinstance(value, dict):
        return {key: freeze(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [freeze(item) for item in value]
    return (value.dtype, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else (type(value), value)


# --- calls: each is drawn for an environment as it stands, and then made to both ---


def _find_mask(pair):
    """Return what is legal now, bool `(num_actions,)`: nothing before `reset` and after the end."""
    is_running = pair._has_reset and not any(pair.terminations.values())
    return pair.unwrapped.game.legal_action_mask() & is_running


def _draw_action(mask, rng):
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else None


def _step_legally(pair, rng):
    action = _draw_action(_find_mask(pair), rng)
    return lambda pair: pair.step(action)


def _step_with_numpy(pair, rng):
    action = _draw_action(_find_mask(pair), rng)
    return lambda pair: pair.step(None if action is None else np.int32(action))


def _step_illegally(pair, rng):
    action = _draw_action(~_find_mask(pair), rng)
    return lambda pair: pair.step(action)


def _step_oddly(pair, rng):
    action = (None, -1, int(pair.action_space("player_0").n), 1.5, "draw", np.zeros(2, int))[int(rng.integers(6))]
    return lambda pair: pair.step(action)


def _look_last(pair, rng):
    observe = bool(rng.integers(2))
    return lambda pair: pair.last(observe)


def _iterate(pair, rng):
    """An iterator over agents asks for a step between two of them."""
    steps = bool(rng.integers(2))
    action = _draw_action(_find_mask(pair), rng)

    def iterate(pair):
        agents = iter(pair.agent_iter(3))
        first = next(agents)
        if steps:
            pair.step(action)
        return first, next(agents)

    return iterate


def _reset(pair, rng):
    seed = int(rng.integers(10))
    return lambda pair: pair.reset(seed=seed)


CALLS = {  # kind: how often, what draws it
    "legal": (0.9, _step_legally),
    "numpy": (0.03, _step_with_numpy),
    "illegal": (0.01, _step_illegally),
    "odd": (0.01, _step_oddly),
    "last": (0.02, _look_last),
    "iteration": (0.01, _iterate),
    "reset": (0.02, _reset),
    "before reset": (0.0, _step_oddly),
}
