#!/usr/bin/env bash
# A good guess: `Memory.cache` of joblib tells two functions apart that compute different things, or warns, as it does
# for lambdas: agents made by one factory, which search to different depths, have caches of their own.
#
# What happens: a function is known by its module, its name and its source text, and what it closes over is none of
# these. The agent that searches to depth 9 returns what was cached for depth 2, without a warning, also in a later run
# of the program. So a comparison of the two ends in a draw. Of a `functools.partial` and of a method, arguments and
# object count. Hand over what differs as an argument, or cache a method.
#
# joblib 1.6.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  joblib==1.6.0
FOLDER="$folder" "$folder/venv/bin/python" - <<'PYTHON'
import importlib
import os
import sys
import warnings

FOLDER = os.environ["FOLDER"]
with open(os.path.join(FOLDER, "agents.py"), "w") as file:
    file.write("""
class Agent:
    def __init__(self, depth):
        self.depth = depth

    def evaluate(self, position):
        return position * self.depth


def make_agent(depth):
    def evaluate(position):
        return position * depth

    return evaluate
""")
sys.path.insert(0, FOLDER)
agents, joblib = importlib.import_module("agents"), importlib.import_module("joblib")
memory = joblib.Memory(os.path.join(FOLDER, "cache"), verbose=0)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    closures = [memory.cache(agents.make_agent(depth))(10) for depth in (2, 9)]
    methods = [memory.cache(agents.Agent(depth).evaluate)(10) for depth in (2, 9)]
print("depths 2 and 9, as closures:", closures, "as methods:", methods, "without cache:", agents.make_agent(9)(10))
assert closures == [20, 20] and methods == [20, 90] and agents.make_agent(9)(10) == 90
PYTHON
