#!/usr/bin/env bash
# A good guess: `PairDataset.from_pandas` of arena-rank takes the winner of a game by name, or as 1.0 and 0.0, and
# refuses what it does not know. `compute_ratings_and_cis(dataset)` rates the games it is given.
#
# What happens: any result but "model_a", "model_b", "tie" and "both_bad" is a tie. Where the columns `model_a` and
# `model_b` hold a and b, and a wins 90 games of 100, "a" as the winner and 1.0 make both equal, with intervals of no
# width. A `BradleyTerry` that has been fitted keeps its ratings: of a second dataset, in which b wins 90, it says
# that a is better, and only the intervals are new. Nothing is said. Write "model_a", or pass `outcome_map=float`, and
# make a new model each time.
#
# Beside it, the import turns on JAX's 64 bits for the whole process.
#
# jax 0.8.1, numpy 2.3.3, pandas 3.1.1, optax 0.2.8, jaxtyping 0.3.11, arena-rank 0.1.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  jax==0.8.1 jaxlib==0.8.1 numpy==2.3.3 pandas==3.1.1 optax==0.2.8 jaxtyping==0.3.11
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps arena-rank==0.1.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax.numpy as jnp
import pandas as pd

dtypes = [str(jnp.zeros(1).dtype)]
from arena_rank.models.bradley_terry import BradleyTerry  # noqa: E402
from arena_rank.utils.data_utils import PairDataset  # noqa: E402

dtypes.append(str(jnp.zeros(1).dtype))


def rate(won, lost, wins=90, model=None, **options):
    """Rate 100 games of a and b. Return the ratings, and the width of a's interval."""
    games = [("a", "b", won)] * wins + [("a", "b", lost)] * (100 - wins)
    dataset = PairDataset.from_pandas(pd.DataFrame(games, columns=["model_a", "model_b", "winner"]), **options)
    rated = (model or BradleyTerry(2)).compute_ratings_and_cis(dataset)
    width = float(rated["rating_upper"][0] - rated["rating_lower"][0])
    return [round(float(one)) for one in rated["ratings"]], round(width)


model = BradleyTerry(2)
right, names, numbers = rate("model_a", "model_b", model=model), rate("a", "b"), rate(1.0, 0.0)
mapped = rate(1.0, 0.0, outcome_map=float)
again, anew = rate("model_a", "model_b", 10, model)[0], rate("model_a", "model_b", 10)[0]
print(f"ratings and width {right}, by names {names}, by numbers {numbers};", end=" ")
print(f"second games {again}, by a new model {anew};")
print("dtype of zeros before and after the import:", dtypes)
assert right == mapped and right[0] == [1191, 809] and names == numbers == ([1000, 1000], 0)
assert again == right[0] and anew == [809, 1191] and dtypes == ["float32", "float64"]
PYTHON
