#!/usr/bin/env bash
# A good guess: `graph.vs["owner"] = owners` refuses a list that has another length than the graph has cells.
#
# What happens: a shorter list begins again, and a longer one is cut, without a word. The owners of a row of 5 cells,
# given to a board of 6, are there, with the first one twice; edges, selected cells and new ones are filled so too. An
# array of numpy is taken like a list.
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

board = igraph.Graph.Lattice([3, 2], circular=False)
board.vs["owner"] = [1, 0, 0, 0, 2]
short = board.vs["owner"]
board.vs["owner"] = range(8)
long = board.vs["owner"]
board.es["cost"] = [1, 2]
board.vs[[1, 2, 3]]["points"] = [4, 5]
print("five owners of six cells:", short, "eight:", long, "two costs:", board.es["cost"], end=" ")
print("two points of three cells:", board.vs["points"])
assert short == [1, 0, 0, 0, 2, 1] and long == list(range(6))
assert board.es["cost"] == [1, 2, 1, 2, 1, 2, 1] and board.vs["points"] == [None, 4, 5, 4, None, None]
PYTHON
