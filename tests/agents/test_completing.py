"""The tiles that the learned evaluation expects to end an area, or to join two, are those that do when placed."""

from collections import Counter

import numpy as np
import pytest

from tests.support.games import few, sample_positions
from zamek_agents.pretrained import FOLDER
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import FIRST_GROUPS, FREE, FREE_ENDS, count_features, find_start, widen
from zamek_agents.value.survey import count_ending, count_joining, count_left, survey
from zamek_agents.value.weights import load_weights, new_weights, read_file
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, PORTS_PER_SIDE
from zamek_env.core.placement import find_cell_code, tile_fits, write_placements
from zamek_env.core.rules import step
from zamek_env.layout.actions import PLACE
from zamek_env.ruleset import get_ruleset

DIFFERENT = ("zamek", "sokol-gates", "carcassonne")
ENTRIES = (1 << NUM_PORTS) - 1
ONE_ENTRY = {run << first for side in range(0, NUM_PORTS, PORTS_PER_SIDE) for run, first in (
    (0b1, side), (0b1, side + 1), (0b1, side + 2), (0b11, side), (0b11, side + 1), (0b111, side)
)}  # fmt: skip


def surveyed(name, every):
    """Yield (tables, log, evaluator, state with a tile to place, tiles left) of some positions."""
    ruleset = get_ruleset(name)
    t, log, evaluator = ruleset.tables[0], ruleset.new_log()[0], new_evaluators(ruleset, new_weights(ruleset))[0]
    for game in sample_positions(name, every):
        s = game.state[0]
        if s["phase"] == PLACE:
            survey(t, s, evaluator)
            yield t, log, evaluator, s, s["deck"][s["deck"].size - count_left(s) :]


def placed(t, log, s, tile, cell):
    """Yield the state after each way to place `tile` on `cell`."""
    for rotation in range(NUM_ROTATIONS):
        trial = np.array([s])[0]
        trial["deck"][s["drawn"] - 1] = tile
        write_placements(t, trial, tile)
        cell_code = find_cell_code(t, trial, cell)
        if tile_fits(trial, cell_code, rotation):
            step(t, trial, log, cell_code * NUM_ROTATIONS + rotation)
            yield trial


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_tiles_that_end_an_area_are_those_that_complete_it_when_placed(name):
    compared = Counter()
    for t, log, evaluator, s, left in surveyed(name, few(7, 60)):
        for area in evaluator["seen"][: evaluator["num_seen"]]:
            feature = t["node_feature"][area]
            if evaluator["cells"][area] != 1 or not t["feature_completes"][feature] or t["feature_surrounded"][feature]:
                continue
            cell, node = int(evaluator["last"][area]) >> NUM_PORTS, int(np.flatnonzero(s["area"] == area)[0])
            ending = [
                tile for tile in left
                if any(after["open_ports"][after["area"][node]] == 0 for after in placed(t, log, s, tile, cell))
            ]  # fmt: skip
            count = count_ending(t, s, evaluator, area, int(evaluator["last"][area]))
            # a side where another area of the feature comes in counts as open, even where other ports meet
            assert count <= len(ending) if evaluator["is_linked"][area] else count == len(ending)
            compared[count < evaluator["fits"][area]] += 1  # else every tile that fits ends it
            compared["missed"] += len(ending) - count
            compared["found"] += count
    assert compared["missed"] <= 0.01 * compared["found"]
    assert min(compared[True], compared[False]) >= few(20, 2)


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_tiles_that_join_two_areas_are_those_that_do_when_placed(name):
    compared = Counter()
    for t, log, evaluator, s, left in surveyed(name, few(1, 10)):
        for number, (first, second, cell, *_) in enumerate(evaluator["links"][: evaluator["num_links"]]):
            if not has_one_entry(evaluator, first, cell) or not has_one_entry(evaluator, second, cell):
                continue  # only one port of each is looked at
            joining = [
                tile for tile in left
                if any(after["area"][first] == after["area"][second] for after in placed(t, log, s, tile, int(cell)))
            ]  # fmt: skip
            assert count_joining(t, evaluator, number) == len(joining)
            compared[len(joining) > 0] += 1
    assert min(compared[True], compared[False]) >= few(20, 2)


def has_one_entry(evaluator, area, cell):
    """Return whether `area` comes in at `cell`, one of its last two, by ports beside each other."""
    for opening in (int(evaluator["last"][area]), int(evaluator["before"][area])):
        if opening >> NUM_PORTS == cell:
            return opening & ENTRIES in ONE_ENTRY
    return False


@pytest.mark.parametrize("name", ["zamek", "sokol", "carcassonne"])
def test_weights_from_before_these_features_were_added_say_the_same_as_ever(name):
    ruleset = get_ruleset(name)
    old, _ = read_file(FOLDER / f"frozen-value-v1-{name}.npz")
    assert old.size == count_features(ruleset, FIRST_GROUPS) < count_features(ruleset)
    wide, t = widen(ruleset, old), ruleset.tables[0]
    assert np.array_equal(load_weights(FOLDER / f"frozen-value-v1-{name}.npz", ruleset), wide)
    assert np.array_equal(wide[: old.size], old)
    others = np.delete(wide, np.r_[: old.size, find_start(t, FREE_ENDS) : find_start(t, FREE_ENDS + 1)])
    assert not others.any()
    wide[find_start(t, FREE) : find_start(t, FREE + 1)] = 0
    assert wide[find_start(t, FREE_ENDS) : find_start(t, FREE_ENDS + 1)].any()
