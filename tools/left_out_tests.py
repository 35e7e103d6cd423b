"""Lists tests that neither way of `make test` runs, though no mark says that they take long.

    python -m tools.left_out_tests

As a plugin of pytest it notes what is collected, and what of it is skipped.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.run_tests import ROOT

DAILY = {"warm": {}, "rest": {"NUMBA_DISABLE_JIT": "1"}}  # ZAMEK_TESTS: how
NOTED = "NOTED_TESTS"  # the environment variable that names the file to note them in


def pytest_collection_finish(session):
    """Note of each test function whether any of its cases runs, and whether it takes long."""
    noted = {}
    for item in session.items:
        function = item.nodeid.partition("[")[0]
        is_skipped = item.get_closest_marker("skip") is not None or any(
            mark.args and mark.args[0] for mark in item.iter_markers("skipif")
        )
        before = noted.get(function, {"runs": False, "long": False})
        is_long = item.get_closest_marker("long") is not None
        noted[function] = {"runs": before["runs"] or not is_skipped, "long": before["long"] or is_long}
    Path(os.environ[NOTED]).write_text(json.dumps(noted), encoding="utf-8")


def list_left_out():
    """Return the test functions that neither way runs, sorted."""
    found = [_collect(way) for way in DAILY]
    functions = {function for noted in found for function in noted}
    return sorted(
        function
        for function in functions
        if not any(noted[function]["runs"] or noted[function]["long"] for noted in found if function in noted)
    )


def _collect(way):
    """Return what the plugin notes of one way."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "noted.json")
        variables = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        variables |= {"ZAMEK_TESTS": way, NOTED: str(path), **DAILY[way]}
        command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-p", "tools.left_out_tests", "tests"]
        subprocess.run(command, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, check=True)
        return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    print(*list_left_out(), sep="\n")
