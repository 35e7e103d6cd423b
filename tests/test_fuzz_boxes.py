"""A few boxes changed at random, as `python -m tests.support.fuzz_boxes` plays many more of them."""

import ast
import subprocess
import sys

import numpy as np
import pytest

from tests.support.mutated_boxes import CHANGES, draw_box
from tests.support.ways import ROOT


@pytest.mark.long
def test_boxes_changed_at_random_are_refused_or_played():
    command = [sys.executable, "-m", "tests.support.fuzz_boxes", "--boxes", "30", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = ast.literal_eval(done.stdout)
    assert sum(counts.values()) == 30 and counts["accepted"] >= 5 and counts["refused"] >= 5


def test_the_same_seed_draws_the_same_box():
    for number in range(len(CHANGES)):
        assert draw_box(np.random.default_rng([3, number])) == draw_box(np.random.default_rng([3, number]))
    assert draw_box(np.random.default_rng([3, 0])) != draw_box(np.random.default_rng([3, 1]))
