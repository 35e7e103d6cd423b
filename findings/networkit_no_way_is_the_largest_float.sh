#!/usr/bin/env bash
# A good guess: NetworKit's distances to cells that cannot be reached are infinite, as those of igraph and
# scipy.sparse.csgraph are, and `addEdge(0, 1, 5.0)` makes a way of length 5.
#
# What happens: they are 1.797e308, the largest float64, which `isinf` does not find and with which a mean is as large.
# The weight is dropped without a word, and each way is 1 long, unless the graph was made with `weighted=True`. Compare
# with `sys.float_info.max`.
#
# numpy 2.4.6, networkit 11.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 networkit==11.3
"$folder/venv/bin/python" - <<'PYTHON'
import math
import sys

import networkit


def distances(weighted):
    graph = networkit.Graph(3, weighted=weighted)
    graph.addEdge(0, 1, 5.0)
    search = networkit.distance.Dijkstra(graph, 0)
    search.run()
    return search.getDistances()


plain, weighted = distances(False), distances(True)
print("a way of 5, and none:", plain, "with weighted=True:", weighted, "infinite:", math.isinf(plain[2]))
assert plain == [0, 1, sys.float_info.max] and weighted == [0, 5, sys.float_info.max] and not math.isinf(plain[2])
PYTHON
