"""Random legal actions, drawn without arrays of random numbers as large as the masks."""

import jax
import jax.numpy as jnp
import numpy as np
from numba import carray

from zamek_env.core.jit import kernel
from zamek_env.jax.ffi import (
    ARGUMENTS,
    RESULTS,
    answer_version,
    as_pointer,
    count_entries,
    find_data,
    find_problem,
    register,
)

BLOCK = 64  # actions that are counted together
_TARGET = "zamek_env.draw_legal"
_kept: list[object] = []  # the handler, once it is registered


@kernel
def draw_all(masks, words, actions):
    """Write an action for each row of `masks`, uint8 (n, actions), which has some that are 1, by its word, uint32."""
    for game in range(masks.shape[0]):
        mask = masks[game]
        legal = 0
        for action in range(mask.size):
            legal += mask[action]
        left, action = int(words[game]) * legal >> 32, 0
        while action + BLOCK <= mask.size:
            block = 0
            for number in range(action, action + BLOCK):
                block += mask[number]
            if block > left:
                break
            left -= block
            action += BLOCK
        while action < mask.size - 1 and (mask[action] == 0 or left > 0):
            left -= mask[action]
            action += 1
        actions[game] = action


def _handle(call):
    if answer_version(call):
        return 0
    count = count_entries(call, ARGUMENTS, 1)
    size = count_entries(call, ARGUMENTS, 0) // max(count, 1)
    draw_all(
        carray(as_pointer(find_data(call, ARGUMENTS, 0)), (count, size), np.uint8),
        carray(as_pointer(find_data(call, ARGUMENTS, 1)), (count,), np.uint32),
        carray(as_pointer(find_data(call, RESULTS, 0)), (count,), np.int32),
    )
    return 0


def draw_legal(key: jax.Array, mask: jax.Array) -> jax.Array:
    """Return a random legal action, int32, of a game with this `legal_action_mask`, each with the same probability.

    It is for one game, as `step` is, under `vmap` for many. Without a legal action it is the last one.
    """
    if find_problem() is not None:
        return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf)).astype(jnp.int32)
    if not _kept:
        _kept.append(register(_TARGET, _handle))
    shape = jax.ShapeDtypeStruct((), jnp.int32)
    word = jax.random.bits(key, (), jnp.uint32)
    return jax.ffi.ffi_call(_TARGET, shape, vmap_method="broadcast_all")(mask, word)
