"""The number of decision sequences from fixed positions, counted by both engines; deeper ones in the proof."""

import pytest

from tests.support import perft
from tests.support.games import few
from zamek_env import Game
from zamek_env.components.house_rules import HOUSE_RULES, parse_option

ENTRIES = perft.load()
REFERENCE_PLAYS = few(200, 8)  # at its deepest level, a second at most
ENGINE_PLAYS = few(1_000_000, 40)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
@pytest.mark.compiles
def test_both_engines_count_as_many_sequences_as_are_stored(entry):
    depth, reference_depth = (perft.affordable_depth(entry, plays) for plays in (ENGINE_PLAYS, REFERENCE_PLAYS))
    problem = perft.compare(entry, depth, reference_depth)
    assert not problem, f"\n{problem}"


def test_the_stored_positions_are_those_of_the_list_many_and_deep():
    for origin, entry in zip(perft.ORIGINS, ENTRIES, strict=True):
        assert (entry["name"], entry["ruleset"], entry["deal"]) == (origin.name, origin.ruleset, origin.deal)
        assert (entry.get("players", 2), entry.get("rules", "")) == (origin.players, origin.rules)
        assert len(perft.read_actions(entry)) == origin.decisions
        assert len(entry["counts"]) == origin.depth >= 4
    assert len(ENTRIES) >= 6 and {origin.players for origin in perft.ORIGINS} == {1, 2, 3, 5}
    assert {name for origin in perft.ORIGINS for name in parse_option(origin.rules) or ()} == {*HOUSE_RULES}


@pytest.mark.long
def test_the_positions_ask_for_every_kind_of_decision():
    assert {perft.reach_game(entry).phase for entry in ENTRIES} == {"place", "send", "score", "extra turn", "choose"}


@pytest.mark.compiles
def test_a_split_adds_up_to_the_count():
    game = Game(seed=1)
    assert sum(perft.split(game, 2).values()) == perft.count(game, 2)


@pytest.mark.compiles
def test_a_wrong_count_is_told_apart_by_the_first_decision():
    entry = ENTRIES[0] | {"counts": [ENTRIES[0]["counts"][0], ENTRIES[0]["counts"][1] + 1]}
    problem = perft.compare(entry, 2, 2)
    assert f"depth 2: stored {entry['counts'][1]}, found" in problem
    assert "place Z" in problem
    assert len(problem.splitlines()) == 2 + entry["counts"][0]


@pytest.mark.compiles
def test_the_reference_counts_without_changing_the_game():
    _, twin = perft.reach(ENTRIES[-1])
    before = twin.record()
    perft.reference_count(twin, 2)
    assert twin.record() == before
