"""The number of decision sequences from fixed positions of Castle, the card game; deeper ones in the proof."""

import pytest

from tests.support import castle_perft as perft

ENTRIES = perft.load()
MOST = 1500  # sequences counted where there is little time

entries = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])


@entries
def test_both_engines_count_as_many_sequences_as_are_stored(entry):
    problem = perft.compare(entry, sum(count <= MOST for count in entry["counts"]))
    assert not problem, f"\n{problem}"


@pytest.mark.long
@entries
def test_both_engines_count_deep_sequences_alike(entry):
    problem = perft.compare(entry, len(entry["counts"]))
    assert not problem, f"\n{problem}"


def test_the_stored_positions_are_those_of_the_list():
    assert [(len(entry["counts"]), len(entry["position"]["hands"])) for entry in ENTRIES] == [
        (origin.depth, origin.players) for origin in perft.ORIGINS
    ]


def test_a_wrong_count_is_told_apart_by_the_first_decision():
    entry = ENTRIES[0] | {"counts": [ENTRIES[0]["counts"][0], ENTRIES[0]["counts"][1] + 1]}
    problem = perft.compare(entry, 2)
    assert f"depth 2: stored {entry['counts'][1]}, found" in problem
    assert len(problem.splitlines()) == 2 + entry["counts"][0]
    assert "!" not in problem
