#!/usr/bin/env bash
# A good guess: `GARepertoire` of QDax keeps with each of its genotypes the extra scores that `keys_extra_scores`
# names: how many of its games each agent has won as first player, beside its fitness.
#
# What happens: the survivors are looked up among parents and children together, and their extra scores among those of
# the children alone, by the same numbers. Parents' own scores are dropped: who survives takes over the scores of the
# child that has its number, and a child those of the last one, as numbers beyond the end are clipped. So from the
# first population on all scores are those of its last agent, and later any child's, also of those that died.
# Genotypes and fitness are right, and nothing is raised. `MapElitesRepertoire` keeps them together. Have the scores
# in the genotypes, or compute them anew.
#
# numpy 2.4.6, jax 0.10.2, flax 0.12.8, optax 0.2.8, chex 0.1.92, scikit-learn 1.9.1, qdax 0.5.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flax==0.12.8 optax==0.2.8 chex==0.1.92 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  qdax==0.5.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax.numpy as jnp
from qdax.core.containers.ga_repertoire import GARepertoire
from qdax.core.containers.mapelites_repertoire import MapElitesRepertoire

KEYS = ("wins",)
PARENTS, CHILDREN = (jnp.array(agents, float)[:, None] for agents in ([1, 5, 3], [2, 6, 4]))


def score(agents):
    """Return ten times the genotype, which is its fitness too."""
    return {"wins": 10 * agents}


def show(repertoire):
    return [leaf.ravel().tolist() for leaf in (repertoire.genotypes, repertoire.extra_scores["wins"])]


begun = GARepertoire.init(PARENTS, PARENTS, 3, extra_scores=score(PARENTS), keys_extra_scores=KEYS)
grown = begun.add(CHILDREN, CHILDREN, score(CHILDREN))
settled = begun.add(0 * CHILDREN, 0 * CHILDREN, score(0 * CHILDREN))
by_cells = MapElitesRepertoire.init(
    PARENTS, PARENTS, PARENTS, jnp.array([[1.0], [3.0], [5.0]]), extra_scores=score(PARENTS), keys_extra_scores=KEYS
)
print("agents and their wins at first:", *show(begun), "with children 2, 6, 4:", *show(grown))
print("with three children of no wins, none of which survives:", *show(settled), "MAP-Elites:", *show(by_cells))
assert show(begun) == [[5, 3, 1], [30, 30, 30]]
assert show(grown) == [[6, 5, 4], [40, 20, 40]]
assert show(settled) == [[5, 3, 1], [0, 0, 0]]
assert show(by_cells) == [[1, 3, 5], [10, 30, 50]]
PYTHON
