"""Vector environments played on at random, here or in a forked process, to see whether they go on alike."""

import hashlib
import os
import signal
import warnings

import numpy as np

HAS_FORK = hasattr(os, "fork")


def play_on(env, steps, seed=0):
    """Return a digest of all that `env` returns in so many random steps from where it is."""
    rng, digest = np.random.default_rng(seed), hashlib.sha256()
    for _ in range(steps):
        masks = env.action_masks()
        seen, rewards, terminated, _, info = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        always = (info[name] for name in ("action_mask", "current_player", "deal", "illegal_action"))
        observations = seen.values() if isinstance(seen, dict) else [seen]
        for part in (*observations, rewards, terminated, *always):
            digest.update(part.tobytes())
    return digest.hexdigest()


def play_in_child(env, steps):
    """Return what `play_on` returns in a child process made by a fork, which is killed where it does not end."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of every fork beside threads
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os.write(writer, play_on(env, steps).encode())
            env.close()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        digest = pipe.read()
    os.waitpid(child, 0)
    return digest
