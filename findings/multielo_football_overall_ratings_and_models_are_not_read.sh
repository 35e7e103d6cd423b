#!/usr/bin/env bash
# A good guess: `predict` of multielo-football uses all three ratings of each side, `elo`, `off` and `def`, as its own
# example passes them, and `model_specs` chooses one of 32 models that respond to them in unlike ways.
#
# What happens: once `off` and `def` are given, `elo` is not read: 600 points more change no chance. Of the models
# only two exist, M01 to M16 with independent goals and M17 to M32 with the low scores adjusted. Linear and quadratic,
# shared and independent are one. The coefficients `b_elo1` to `b_od2` that `params` takes are not read either.
# Nothing is said. Pass a plain number for each side to predict by Elo: 600 points more win 99 games of 100 then.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, multielo-football 0.1.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 multielo-football==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import multielo

STYLE = {"off": 1500, "def": 1500}
STRONG, WEAK = {"elo": 2100, **STYLE}, {"elo": 1500, **STYLE}


def chance(one, other, model="M32"):
    """Return the chance that one side wins on neutral ground."""
    return multielo.predict(one, other, model_specs=model, is_neutral=True)["p_win_a"]


equal, stronger, plain = chance(WEAK, WEAK), chance(STRONG, WEAK), chance(2100, 1500)
attack, defence = {"off": 1700, "def": 1500}, {"off": 1500, "def": 1600}
models = [chance(attack, defence, f"M{number:02}") for number in range(1, 33)]
print(f"chance to win {equal:.3f}, with 600 points more Elo {stronger:.3f}, by Elo alone {plain:.3f};", end=" ")
print(f"{len(set(models))} unlike predictions by {len(models)} models")
assert equal == stronger and plain > 0.95 and len(set(models)) == 2
assert len(set(models[:16])) == len(set(models[16:])) == 1
PYTHON
