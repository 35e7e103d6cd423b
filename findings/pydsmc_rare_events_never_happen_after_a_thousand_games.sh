#!/usr/bin/env bash
# A good guess: with `sound=True` PyDSMC gives an interval that holds the true chance of an event with a probability of
# `1 - kappa`, however rare it is. The less `kappa` is, the more games it asks for.
#
# What happens: where the event has not been seen in 1,001 games, the interval is 0 to 0, and converged, by each method.
# Of agents that win one game of 1,000 a third is said never to win, for certain, with `kappa=0.05`, and by the interval
# of Clopper and Pearson, which was asked for, the chance may be 0.0037. With `relative_error=True` the method is
# EBStop, and leaves `kappa` out: with 0.5 as with 1e-9 it stops after the same 5,628 games. Nothing is said. Pass
# `max_episodes_zero_variance=0`, and no `relative_error`.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, gymnasium 1.4.0, packaging 26.2, pydsmc 0.3.9; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 gymnasium==1.4.0 packaging==26.2 pydsmc==0.3.9
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

import numpy as np
from pydsmc import create_custom_property

AGENTS, GAMES, CHANCE = 200, 1001, 1 / 1000


def watch_wins(**settings):
    """Return a property that is estimated from wins, without playing."""
    return create_custom_property("wins", lambda _, game: 0.0, bounds=(0, 1), binomial=True, sound=True, **settings)


logging.disable(logging.CRITICAL)
rng = np.random.default_rng(0)
never = 0
for wins in rng.random((AGENTS, GAMES)) < CHANCE:
    plain, checked = (watch_wins(epsilon=0.001, **zero) for zero in ({}, {"max_episodes_zero_variance": 0}))
    for won in wins:
        plain.add_sample(float(won))
        checked.add_sample(float(won))
    if plain.get_interval() == (True, (0, 0)):
        never += 1
        converged, right = checked.get_interval()
        assert not wins.any() and not converged and right[1] > 3 * CHANCE
    else:
        assert wins.any()
print(f"of {AGENTS} agents that win one game of {1 / CHANCE:.0f}, {never} never win, for certain", end=" ")
print(f"(Clopper and Pearson: at most {right[1]:.4f})")

asked = {}
for kappa in (0.5, 0.05, 1e-9):
    estimate, rng = watch_wins(epsilon=0.1, kappa=kappa, relative_error=True), np.random.default_rng(0)
    while not estimate.converged():
        estimate.add_sample(float(rng.random() < 0.5))
    asked[kappa] = estimate.num_episodes
print("games asked for by kappa, relative error:", asked)
assert 0.3 < never / AGENTS < 0.43 and len(set(asked.values())) == 1
PYTHON
