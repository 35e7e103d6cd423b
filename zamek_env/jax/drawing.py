"""Random legal actions, drawn without arrays of random numbers as large as the masks."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from numba import carray

from zamek_env.base.chance import scramble
from zamek_env.compiler.jit import kernel
from zamek_env.jax.ffi import (
    ARGUMENTS,
    RESULTS,
    answer_version,
    as_pointer,
    count_arguments,
    count_entries,
    find_data,
    find_problem,
    register,
)

BLOCK = 64  # actions that are counted together
_TARGET = "zamek_env.draw_legal"
_kept: list[object] = []  # the handler, once it is registered


@kernel
def _draw_word(key):
    """Return 32 bits, as an int, that depend on all bits of a key, uint32 (words,)."""
    word = 0x9E3779B9  # so that a key of zeros does not give zeros
    for number in range(key.size):
        word = scramble(word ^ int(key[number]))
    return scramble(word)


@kernel
def draw_all(masks, keys, actions):
    """Write an action for each row of `masks`, uint8 (n, actions), which has some that are 1, by its row of `keys`."""
    for game in range(masks.shape[0]):
        mask = masks[game]
        legal = 0
        for action in range(mask.size):
            legal += mask[action]
        left, action = _draw_word(keys[game]) * legal >> 32, 0
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


@kernel
def _weigh(logit, best):
    """Return how often an action is drawn for each draw of one with the `best` logit, which may be infinite."""
    return 1.0 if logit == best else math.exp(logit - best)


@kernel
def draw_weighted(masks, keys, logits, actions):
    """Do what `draw_all` does, where actions have `logits`, float32 (n, actions)."""
    for game in range(masks.shape[0]):
        mask, row = masks[game], logits[game]
        best, total = -np.inf, 0.0
        for action in range(mask.size):
            if mask[action] != 0:
                best = max(best, row[action])
        for action in range(mask.size):
            if mask[action] != 0:
                total += _weigh(row[action], best)
        left = (_draw_word(keys[game]) + 0.5) / 2**32 * total
        actions[game] = mask.size - 1
        for action in range(mask.size):
            if mask[action] != 0:
                left -= _weigh(row[action], best)
                actions[game] = action
                if left < 0:
                    break


def _handle(call):
    if answer_version(call):
        return 0
    count = count_entries(call, RESULTS, 0)
    masks_of = (count, count_entries(call, ARGUMENTS, 0) // max(count, 1))
    keys_of = (count, count_entries(call, ARGUMENTS, 1) // max(count, 1))
    masks = carray(as_pointer(find_data(call, ARGUMENTS, 0)), masks_of, np.uint8)
    keys = carray(as_pointer(find_data(call, ARGUMENTS, 1)), keys_of, np.uint32)
    actions = carray(as_pointer(find_data(call, RESULTS, 0)), (count,), np.int32)
    if count_arguments(call) == 2:
        draw_all(masks, keys, actions)
    else:
        draw_weighted(masks, keys, carray(as_pointer(find_data(call, ARGUMENTS, 2)), masks_of, np.float32), actions)
    return 0


def draw_legal(key: jax.Array, mask: jax.Array, logits: jax.Array | None = None) -> jax.Array:
    """Return a random legal action, int32, of a game with this `legal_action_mask`.

    Each has the same probability or, with `logits`, float32 (actions,), that of a softmax over the legal ones: what
    `jax.random.categorical` draws, in a fraction of the time. It is for one game, as `step` is, under `vmap` for many.
    Without a legal action it is the last one. Raises `ValueError` for more than one key or mask, and for logits of
    another shape than the mask's.
    """
    words, legal = jax.random.key_data(key), jnp.asarray(mask).astype(jnp.bool_)
    if words.ndim != 1 or legal.ndim != 1:
        raise ValueError(
            f"key and mask must be of one game, not of shapes {jnp.shape(key)} and {legal.shape}: use jax.vmap"
        )
    if logits is not None and jnp.shape(logits) != legal.shape:
        raise ValueError(f"logits must have the shape of mask, {legal.shape}, not {jnp.shape(logits)}")
    if find_problem() is not None:
        given = jnp.zeros(legal.shape) if logits is None else logits
        best = jnp.max(given, where=legal, initial=-jnp.inf)  # it may be infinite
        weights = jnp.where(given == best, 0.0, given - best)
        return jax.random.categorical(key, jnp.where(legal, weights, -jnp.inf)).astype(jnp.int32)
    if not _kept:
        _kept.append(register(_TARGET, _handle))
    weighted = [] if logits is None else [jax.lax.stop_gradient(jnp.asarray(logits, jnp.float32))]
    call = jax.ffi.ffi_call(_TARGET, jax.ShapeDtypeStruct((), jnp.int32), vmap_method="broadcast_all")
    return call(legal, words, *weighted)
