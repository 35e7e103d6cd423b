#!/usr/bin/env bash
# A good guess: `tf.random.categorical` of logits that are all -inf, the masked row of a game that is over or of someone
# who cannot move, raises, as PyTorch does, or draws any of the actions, as JAX does, which draws 0.
#
# What happens: it draws the number of actions, one more than the last one: of three logits always 3. Nothing is raised,
# also in a graph. `tf.one_hot` makes zeros of it, so a log-probability that is taken by a product with it is none of
# any action. `stateless_categorical` and `keras.random.categorical` draw it too. A NaN among the logits is passed over,
# and other rows are right. Give such rows one legal action.
#
# numpy 2.4.6, tensorflow 2.21.0 with keras 3.15.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tensorflow==2.21.0
TF_CPP_MIN_LOG_LEVEL=3 "$folder/venv/bin/python" - <<'PYTHON'
import keras
import numpy as np
import tensorflow as tf

logits = tf.constant([[-np.inf, -np.inf, -np.inf], [-np.inf, 0.0, -np.inf], [-np.inf, np.nan, 0.0]])
DRAWS = {
    "tf.random.categorical": lambda: tf.random.categorical(logits, 50),
    "in a graph": tf.function(lambda: tf.random.categorical(logits, 50)),
    "stateless_categorical": lambda: tf.random.stateless_categorical(logits, 50, seed=[1, 2]),
    "keras.random.categorical": lambda: keras.random.categorical(logits, 50, seed=1),
}
seen = {name: [sorted({int(action) for action in row}) for row in draw()] for name, draw in DRAWS.items()}
print("of three actions, where none, one, and one beside NaN is legal:", seen)
assert all(actions == [[3], [1], [2]] for actions in seen.values())
assert not tf.one_hot(3, 3).numpy().any()
PYTHON
