#!/usr/bin/env bash
# A good guess: `nashpy.Game(payoffs)` of one matrix is a zero-sum game, in which the second player gets minus what the
# first one gets, and its equilibria are those of the same numbers in any dtype.
#
# What happens: minus is taken in the dtype of the matrix. Of uint8 the second player's payoffs are 256 less the first
# one's, and 0 where those are 0. `zero_sum` is True, nothing is raised, and the equilibria are others: of 3, 0, 1, 2,
# where both players mix, `support_enumeration` and `vertex_enumeration` find a pure one, and `linear_program` another
# strategy that loses. In int8 -128 stays -128. Payoffs of a pair of mixed strategies are right. Convert to float first.
#
# numpy 2.4.6, nashpy 0.0.43; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 nashpy==0.0.43
"$folder/venv/bin/python" - <<'PYTHON'
import nashpy
import numpy as np


def solve(dtype):
    game = nashpy.Game(np.array([[3, 0], [1, 2]], dtype))
    assert game.zero_sum
    pairs = [list(game.support_enumeration()), list(game.vertex_enumeration()), [game.linear_program()]]
    return game.payoff_matrices[1].tolist(), [[strategy.round(3).tolist() for strategy in pair] for [pair] in pairs]


wrapped, right = solve(np.uint8), solve(np.int64)
print("payoffs of the second player, and equilibria, of uint8:", *wrapped)
print("of int64:", *right)
assert right == ([[-3, 0], [-1, -2]], [[[0.25, 0.75], [0.5, 0.5]]] * 3)
assert wrapped == ([[253, 0], [255, 254]], [[[1, 0], [1, 0]], [[1, 0], [1, 0]], [[1, 0], [0.5, 0.5]]])
PYTHON
