"""A few boxes changed at random, as `python -m tests.support.fuzz_boxes` plays many more of them."""

import ast
import subprocess
import sys

import numpy as np
import pytest

from tests.support.mutated_boxes import SWITCHES, draw_rules
from tests.support.ways import ROOT
from zamek_env import load_components
from zamek_env.components.house_rules import vary


@pytest.mark.long
def test_boxes_changed_at_random_are_refused_or_played():
    command = [sys.executable, "-m", "tests.support.fuzz_boxes", "--boxes", "30", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = ast.literal_eval(done.stdout)
    assert sum(counts.values()) == 30 and counts["refused"] >= 5
    assert counts["accepted"] + counts["varied"] >= 5 and counts["varied"] >= 2


def test_house_rules_of_all_kinds_are_drawn_to_be_accepted_and_refused():
    components = load_components(ruleset="carcassonne-demo")
    accepted, refused = set(), 0
    for seed in range(200):
        try:
            house = vary(components, rules=draw_rules(np.random.default_rng(seed))).house
        except ValueError:
            refused += 1
            continue
        accepted |= {name for name, value in vars(house).items() if value}
    assert accepted == set(SWITCHES) - {"dice"}
    assert 50 < refused < 180
