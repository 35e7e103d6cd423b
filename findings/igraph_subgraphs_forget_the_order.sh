#!/usr/bin/env bash
# A good guess: `graph.induced_subgraph([5, 0, 4])` numbers its cells as they were asked for, so that cell 0 of it is 5.
#
# What happens: they keep the order of the whole graph: 0 is 0, 1 is 4, 2 is 5. So values in the order that was asked
# for go to other cells, and distances come from other ones. `graph.vs[[5, 0, 4]]` does keep the order. Read an
# attribute that holds the old number.
#
# igraph 1.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  igraph==1.0.0
"$folder/venv/bin/python" - <<'PYTHON'
import igraph

ASKED = [5, 0, 4]
row = igraph.Graph.Lattice([6], circular=False)
row.vs["cell"] = range(6)
part = row.induced_subgraph(ASKED)
chosen = row.vs[ASKED]["cell"]
print("asked for", ASKED, "the subgraph has", part.vs["cell"], "with edges", part.get_edgelist(), "vs has", chosen)
assert part.vs["cell"] == [0, 4, 5] and part.get_edgelist() == [(1, 2)] and chosen == ASKED
assert row.subgraph(ASKED).vs["cell"] == [0, 4, 5]
PYTHON
