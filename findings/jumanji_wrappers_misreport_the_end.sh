#!/usr/bin/env bash
# A good guess: a game that Jumanji's `JumanjiToGymWrapper` reports as terminated is not truncated, and after its last
# step `JumanjiToDMEnvWrapper` begins a new game at the next one, as dm_env demands and its own docstring says.
#
# What happens: every game that ends is reported as truncated, for the wrapper returns "this is the last step" for it:
# a program that asks for `truncated` first, and then adds the value of the last position, does so after each won or
# lost game. And a step after the last one is played in the ended game: of 2048 each further step is another LAST of
# reward 0, so a loop that relies on the new beginning records endless games of one step. Read `terminated` first, and
# call `reset`.
#
# numpy 2.4.6, jax 0.10.2, gymnasium 1.3.0, dm-env 1.6, jumanji 1.1.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 jaxlib==0.10.2 gymnasium==1.3.0 dm-env==1.6 jumanji==1.1.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jumanji
import numpy as np
from jumanji.wrappers import JumanjiToDMEnvWrapper, JumanjiToGymWrapper

game = jumanji.make("Game2048-v1")
env = JumanjiToGymWrapper(game)
generator = np.random.default_rng(1)
observation, _ = env.reset(seed=1)
flags = set()
for _ in range(2000):
    action = np.int32(generator.choice(np.flatnonzero(observation["action_mask"])))
    observation, _, terminated, truncated, _ = env.step(action)
    flags.add((terminated, truncated))
    if terminated:
        break
print("terminated and truncated, of all steps of a game that was lost:", sorted(flags))
assert flags == {(False, False), (True, True)} and not observation["action_mask"].any()

env = JumanjiToDMEnvWrapper(game)
step = env.reset()
while not step.last():
    step = env.step(np.int32(generator.choice(np.flatnonzero(step.observation.action_mask))))
board = np.asarray(step.observation.board)
after = [env.step(np.int32(0)) for _ in range(3)]
print("three steps after the last one:", [("LAST" if step.last() else "MID", float(step.reward)) for step in after])
assert all(step.last() and step.reward == 0 and (step.observation.board == board).all() for step in after)
assert "start a new sequence" in JumanjiToDMEnvWrapper.step.__doc__ and env.reset().first()
PYTHON
