#!/usr/bin/env bash
# A good guess: `DoublyRobust` of PyBandits is right where either the propensities or the expected rewards are.
# `SwitchDoublyRobust` corrects by the small importance weights and leaves the great ones to the model, so that a
# threshold of infinity is `DoublyRobust`. `shrinkage_factor` of `SubGaussianInverseProbabilityWeighting` shrinks
# weights.
#
# What happens: `DoublyRobust` takes the mean of the expected rewards over the policy from each reward, and not that of
# the action that was taken. So with expected rewards that are exact, and propensities that are not, it says 0.49 where
# 0.58 is right, as the model takes no error off. `SwitchDoublyRobust` keeps the weights from the threshold on and drops
# the small ones: with the threshold of infinity, the default, it is the model alone, and with 2 it says 0.68.
# `shrinkage_factor` is read by nobody: 0 and 1 say the same, and `SubGaussianDoublyRobust` has none. Nothing is said.
# Compute `dm + w * (r - q[action])` yourself.
#
# numpy 2.4.6, scipy 1.17.1, jax 0.9.2, numpyro 0.20.1, optax 0.1.9, optuna 3.6.2, scikit-learn 1.9.1, bokeh 3.9.2,
# pydantic 2.12.5, pybandits 8.4.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 jax==0.9.2 jaxlib==0.9.2 numpyro==0.20.1 optax==0.1.9 optuna==3.6.2 scikit-learn==1.9.1 \
  bokeh==3.9.2 pydantic==2.12.5 pybandits==8.4.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from pybandits.offline_policy_estimator import (
    DirectMethod,
    DoublyRobust,
    InverseProbabilityWeighting,
    SubGaussianInverseProbabilityWeighting,
    SwitchDoublyRobust,
)

GAMES = 200_000
WINS, PLAYED, POLICY = np.array([0.8, 0.3, 0.1]), np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.3, 0.1])

rng = np.random.default_rng(0)
action = rng.choice(3, GAMES, p=PLAYED)
reward = (rng.random(GAMES) < WINS[action]).astype(int)
exact, wrong = PLAYED[action], np.full(GAMES, 1 / 3)


def estimate(estimator, propensity=exact, model=WINS):
    """Return the share of wins that a policy is estimated to have."""
    rewards = estimator.estimate_sample_rewards(
        action=action,
        reward=reward,
        propensity_score=propensity,
        estimated_policy=np.tile(POLICY, (GAMES, 1)),
        expected_reward=np.tile(model, (GAMES, 1)),
    )
    return rewards.mean()


weights = POLICY[action] / wrong
right = POLICY @ WINS + (weights * (reward - WINS[action])).mean()
robust = estimate(DoublyRobust(), propensity=wrong)
print(f"truth {POLICY @ WINS:.2f}; exact model, wrong propensities: {robust:.3f}, by the formula {right:.3f}")
assert abs(right - 0.58) < 0.005 and robust < 0.5
flat = np.full(3, 0.5)
direct, robust = estimate(DirectMethod(), model=flat), estimate(DoublyRobust(), model=flat)
at_2, at_infinity = (estimate(SwitchDoublyRobust(switch_threshold=threshold), model=flat) for threshold in (2, np.inf))
print(f"wrong model {direct:.3f}, doubly robust {robust:.3f}", end=", ")
print(f"switched at 2 {at_2:.3f}, at infinity {at_infinity:.3f}", end="; ")
shrunk = [estimate(SubGaussianInverseProbabilityWeighting(shrinkage_factor=factor)) for factor in (0, 1)]
print("shrunk by 0 and 1:", np.round(shrunk, 3))
assert abs(robust - 0.58) < 0.005 and at_2 > 0.66 and at_infinity == direct == 0.5
assert shrunk[0] == shrunk[1] == estimate(InverseProbabilityWeighting())
PYTHON
