#!/usr/bin/env bash
# A good guess: `AutoResetWrapper` of Stoa, the interface of Stoix, hands out the first position of the next game after
# a last move, and beside it the legal actions of that position and who is to move, which are in `extras`.
# `AddActionMaskWrapper` around it makes an observation of both.
#
# What happens: the observation is that of the new game, all `extras` are those of the old one: its mask and its player.
# In a pgx game that has ended every action is marked as legal. So in Othello, where 4 of 65 actions are, the mask of
# each game but the very first allows all, and most of these lose the game at once: pgx ends it on an illegal action.
# An agent that plays at random by this mask plays one whole game, and then mostly games of one move. In
# `CachedAutoResetWrapper` it is the same. Nothing is said. Put `AddActionMaskWrapper` inside of `AutoResetWrapper`,
# not around it: then the mask is part of the observation, and right.
#
# numpy 2.4.6, jax 0.10.2, pgx 2.6.0, stoa-env 0.1.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 pgx==2.6.0 stoa-env==0.1.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import numpy as np
import pgx
from stoa.core_wrappers.auto_reset import AutoResetWrapper
from stoa.env_adapters.pgx import PGXToStoa
from stoa.utility_wrappers.obs_transforms import AddActionMaskWrapper


def add_mask(env):
    return AddActionMaskWrapper(env, action_mask_key="legal_action_mask")


def play(env, games):
    """Return the lengths of random games, and how many actions the mask and the state allow at the start of each."""
    step, rng = jax.jit(env.step), np.random.default_rng(7)
    state, timestep = env.reset(jax.random.key(7))
    lengths, allowed, length = [], [], 0
    while len(lengths) < games:
        mask = np.array(timestep.observation["action_mask"])
        if length == 0:
            allowed.append((int(mask.sum()), int(env.get_legal_actions(state).sum())))
        state, timestep = step(state, np.int32(rng.choice(np.flatnonzero(mask))))
        length += 1
        if timestep.done():
            lengths.append(length)
            length = 0
    return lengths, allowed


othello = PGXToStoa(pgx.make("othello"))
around, inside = add_mask(AutoResetWrapper(othello)), AutoResetWrapper(add_mask(othello))
lengths, allowed = play(around, 8)
print("lengths of games of Othello, the mask added around:", lengths, "allowed and legal at their starts:", allowed)
print("the mask added inside:", *play(inside, 8))
assert lengths[0] > 50 and lengths[1:].count(1) >= 5
assert allowed[0] == (4, 4) and set(allowed[1:]) == {(65, 4)}
assert min(play(inside, 8)[0]) > 30 and set(play(inside, 8)[1]) == {(4, 4)}
PYTHON
