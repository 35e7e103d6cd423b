#!/usr/bin/env bash
# A good guess: `arrays(np.uint8, (13, 13), elements=integers(0, 4))` of hypothesis draws every cell, so that tests see
# mixed boards, and `arrays(bool, 169)` masks of actions of which some are legal, up to all.
#
# What happens: of a large array a few elements are drawn, and all others get one value, which is drawn once. In three
# hundred boards 97 % of the cells are equal on average, and of three hundred masks one has between a fifth and four
# fifths of its actions legal. A test of what depends on neighbours, or on counts, passes without having tested that.
# With `fill=nothing()` each cell is drawn.
#
# numpy 2.4.6, hypothesis 6.170.17; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 hypothesis==6.170.17
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import booleans, integers, nothing

DRAWS = 300


def draw(strategy):
    """Return arrays that a test sees."""
    seen = []

    @settings(
        max_examples=DRAWS, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(strategy)
    def look(array):
        seen.append(array.copy())

    look()
    return seen


def share(boards):
    """Return the share of the most frequent cell, on average."""
    return float(np.mean([np.bincount(board.ravel()).max() / board.size for board in boards]))


def mixed(masks):
    """Return how many masks are neither nearly empty nor nearly full."""
    return int(sum(0.2 < mask.mean() < 0.8 for mask in masks))


board, mask = {"dtype": np.uint8, "shape": (13, 13), "elements": integers(0, 4)}, {"dtype": bool, "shape": 169}
mask["elements"] = booleans()
boards = {"by itself": share(draw(arrays(**board))), "filled": share(draw(arrays(**board, fill=nothing())))}
masks = {"by itself": mixed(draw(arrays(**mask))), "filled": mixed(draw(arrays(**mask, fill=nothing())))}
print("share of the most frequent of five cells:", boards, "mixed masks of", DRAWS, "drawn:", masks)
assert boards["by itself"] > 0.9 and boards["filled"] < 0.4
assert masks["by itself"] < 0.1 * DRAWS and masks["filled"] > 0.8 * DRAWS
PYTHON
