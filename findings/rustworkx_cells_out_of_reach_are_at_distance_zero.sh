#!/usr/bin/env bash
# A good guess: `rustworkx.distance_matrix(graph)` has inf where no path leads, as `floyd_warshall_numpy` of the same
# library and networkx have; and `PyGraph.from_adjacency_matrix` reads a matrix as networkx's `from_numpy_array` does.
#
# What happens: a cell that cannot be reached is at distance 0, as a cell is to itself, so the nearest of all is one on
# another island, and no mean is too large. Pass `null_value=numpy.inf`. And of a matrix the part below the diagonal is
# not read: where a neighbour is written only there, the edge is missing, and nothing is said. Add the transposed one.
#
# numpy 2.4.6, networkx 3.6.1, rustworkx 0.18.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 networkx==3.6.1 rustworkx==0.18.1
"$folder/venv/bin/python" -W error - <<'PYTHON'
import networkx
import numpy as np
import rustworkx

graph = rustworkx.PyGraph()
graph.add_nodes_from(range(4))
graph.add_edges_from([(0, 1, 1.0), (1, 2, 1.0)])
distances = {
    "distance_matrix": rustworkx.distance_matrix(graph)[0].tolist(),
    "with null_value": rustworkx.distance_matrix(graph, null_value=np.inf)[0].tolist(),
    "floyd_warshall_numpy": rustworkx.floyd_warshall_numpy(graph, weight_fn=float)[0].tolist(),
}
print("from cell 0 to cells 0, 1, 2 in a row, and 3 elsewhere:", distances)
assert distances["distance_matrix"] == [0, 1, 2, 0]
assert distances["with null_value"] == distances["floyd_warshall_numpy"] == [0, 1, 2, np.inf]
matrix = np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0]], float)
read = {
    "rustworkx": [tuple(edge) for edge in rustworkx.PyGraph.from_adjacency_matrix(matrix).edge_list()],
    "networkx": list(networkx.from_numpy_array(matrix).edges),
    "rustworkx, transposed added": [
        tuple(edge) for edge in rustworkx.PyGraph.from_adjacency_matrix(np.maximum(matrix, matrix.T)).edge_list()
    ],
}
print("edges of a matrix with one above the diagonal and one below:", read)
assert read["rustworkx"] == [(0, 1)] and read["networkx"] == [(0, 1), (0, 2)]
assert read["rustworkx, transposed added"] == [(0, 1), (0, 2)]
PYTHON
