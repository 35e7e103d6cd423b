"""Tests of the oracle in the rules S8 to S12, in small castles: nests, halting gates, and the records of both."""

import pytest

from tests.support.record_checker import check_record
from tests.support.reference import move_marker, take_nests
from tests.support.small_castles import (
    BOTH_ENDS,
    EAST,
    GATES,
    NORTH,
    SOKOL,
    WEST,
    components,
    end_of,
    scored,
    small_game,
    turn,
    two_halves,
)

# --- nests -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pieces, deck, nests",
    [
        (((0, "follower"), (0, "follower")), "house1 house2", [0, 0]),
        (((0, "follower"), (0, "follower")), "house+nest1 house2", [1, 0]),
        (((1, "follower"), (1, "follower")), "house+nest1 house+nest2", [0, 2]),  # on player 0's turn
        (((0, "follower"), (1, "follower")), "house+nest1 house+nest2", [0, 0]),  # S9: a tie takes none
        (((0, "falconer"), (1, "follower")), "house+nest1 house+nest2", [0, 0]),
        (((0, "falconer"), (0, "follower")), "house1 house2", [1, 0]),  # S8: also where the area holds none
        (((1, "falconer"), (1, "follower")), "house1 house2", [0, 1]),  # and on the opponent's turn
        (((0, "falconer"), (0, "prince")), "house+nest1 house2", [2, 0]),
        (((0, "falconer"), (0, "prince")), "chapel+nest1 chapel2", [2, 0]),
        (((0, "falconer"), (0, "follower")), "pigsty+nest1 pigsty2", [2, 0]),
        (((0, "falconer"), (0, "follower")), "road+nest1 road2", [2, 0]),
    ],
)
def test_s8_s9_the_scorer_takes_the_areas_nests_and_one_more_by_the_falconer(pieces, deck, nests):
    middle = {"h": "hall1", "c": "nave1", "p": "field1", "r": "straight1"}[deck[0]]
    game = two_halves(middle, pieces, deck=deck)
    if deck[0] == "p":  # not joined: only the western one counts here
        game.followers.pop()
    turn(game, (0, 1), EAST if deck[0] == "r" else NORTH)
    assert game.nests == nests and game.nest_pool == 12 - sum(nests)
    assert sum(taken for (taken,) in scored(game, "nests")) == sum(nests)


def test_s8_the_losers_falconer_takes_nothing():
    game = two_halves("hall1", ((1, "falconer"), (0, "follower")), deck="house+nest1 house2")
    game.followers.append((0, (0, 2), "h1", "follower"))
    turn(game, (0, 1))
    assert scored(game, "player", "nests") == [(0, 1)] and game.nests == [1, 0]


def test_s8_a_falconer_in_a_meadow_or_an_unfinished_area_takes_nothing():
    game = two_halves("field1", ((0, "falconer"), (0, "follower")), deck="chapel+nest1 chapel2")
    game.followers[:] = [(0, (0, 0), "m1", "falconer")]
    turn(game, (0, 1))
    assert game.nests == [0, 0] and game.followers == [(0, (0, 0), "m1", "falconer")]


@pytest.mark.parametrize(
    "nests, player, due, after, taken",
    [
        ([5, 5], 0, 2, [7, 5], 2),  # the pool just holds enough: nobody returns any
        ([5, 6], 0, 2, [2, 1], 2),  # pool 1: both return 5, then 2 of 11 are taken
        ([6, 5], 0, 2, [3, 0], 2),
        ([6, 6], 1, 3, [0, 3], 3),
        ([12, 0], 0, 2, [12, 0], 0),  # the poorer one has none: nothing is returned, the pool is empty
        ([12, 0], 1, 1, [12, 0], 0),
        ([11, 0], 1, 3, [11, 1], 1),  # the pool reaches only partly
        ([10, 1], 1, 4, [9, 3], 3),  # both return 1; 3 of the 4 due are there
        ([12, 0], 1, 0, [12, 0], 0),
    ],
)
def test_s10_with_too_small_a_pool_both_return_as_many_as_the_poorer_one_has(nests, player, due, after, taken):
    assert take_nests(nests, 12 - sum(nests), player, due) == (after, taken)


def test_s10_in_a_game():
    game = two_halves("hall1", ((1, "falconer"), (1, "follower")), deck="house+nest1 house+nest2")
    game.nests = [6, 4]
    turn(game, (0, 1))  # 3 due, 2 in the pool: both return 4
    assert scored(game, "player", "nests") == [(1, 3)] and (game.nests, game.nest_pool) == ([2, 3], 7)


@pytest.mark.parametrize("nests, winner", [((3, 2), 0), ((0, 1), 1), ((2, 2), None), ((0, 0), None)])
def test_s11_more_nests_pay_the_largest_empty_group(nests, winner):
    game = small_game("##.## #...# ####.", "field1", rules=SOKOL)
    game.board[1, 0] = ("field1", 0)
    game.board[2, 0] = ("field1", 0)
    assert end_of(game, nests=nests) == ({} if winner is None else {(winner, "nests"): 3})


def test_s11_nests_pay_at_the_end_of_a_game():
    game = small_game("##", "chapel+nest1", rules=SOKOL)
    turn(game, (0, 0), NORTH, send="c1")
    assert game.end_entries() == [{"player": 0, "reason": "nests", "points": 1}] and game.scores == [2, 0]


# --- halting gates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "score, at_gate, points, after",
    [
        (24, False, 2, (26, False)),
        (24, False, 3, (27, False)),  # rests on the field before the gate
        (24, False, 4, (27, True)),  # one point too many: on the gate
        (24, False, 50, (27, True)),
        (27, False, 1, (27, True)),  # from the field before it: nothing but the gate
        (27, False, 36, (27, True)),
        (27, True, 1, (28, False)),  # from the gate to the field after it
        (27, True, 20, (47, False)),
        (27, True, 21, (47, True)),  # and no further than the next gate
        (28, False, 19, (47, False)),
        (91, True, 36, (127, False)),  # over 99 to 0
        (91, True, 37, (127, True)),  # and onto the gate of the next lap
        (126, False, 3, (127, True)),
        (127, True, 1, (128, False)),
        (227, False, 5, (227, True)),
    ],
)
def test_s12_a_marker_halts_at_the_gates(score, at_gate, points, after):
    assert move_marker(score, at_gate, points, {27, 47, 69, 91}) == after


def test_s12_without_halting_gates_a_marker_steps_over_them():
    assert move_marker(24, False, 50, set()) == (74, False)
    game = two_halves("hall1", ((0, "follower"), (0, "follower")), gates=(1,))
    turn(game, (0, 1))
    assert game.scores == [3, 0] and game.at_gate == [False, False]


def halted(gate: int, **more):
    """Player 0 has scored a house of 3 tiles with two nests, with a gate after that field and a token beside it."""
    deck = "house+nest1 house+nest2"
    game = two_halves("hall1", ((0, "follower"), (0, "follower")), deck, GATES, gates=(gate,), **more)
    turn(game, (0, 1))
    return game


def test_s12_on_the_gate_no_token_is_taken_but_the_area_counts():
    game = halted(2, tokens={(2, 3): 6})
    assert scored(game, "points", "score", "took", "nests") == [(3, 2, None, 2)]
    assert game.at_gate == [True, False] and game.tower_tokens == {2: 6}
    assert game.family_houses == [3, 0] and game.nests == [2, 0] and game.supplies == [6, 6]


def test_s12_exactly_before_the_gate_the_marker_rests_on_its_field():
    game = halted(3, tokens={(2, 3): 6})
    assert scored(game, "points", "score", "took") == [(3, 3, 6)] and game.at_gate == [False, False]


def test_s12_a_token_spent_on_an_area_whose_points_are_lost_is_gone():
    game = two_halves("hall1", ((0, "follower"), (0, "follower")), rules=GATES, gates=(1,))
    game.tokens_usable[0] = {2: 1}
    turn(game, (0, 1))
    game.play(next(decision for decision in game.decisions() if decision[2] == 2))
    assert scored(game, "points", "token", "score") == [(6, 2, 1)] and game.tokens_usable[0] == {}


def test_s12_every_area_is_a_move_of_its_own():
    game = small_game("### ###", "house1 pigsty1 field1 field2", BOTH_ENDS, rules=GATES, gates=(0, 1))
    turn(game, (0, 0), EAST)
    turn(game, (0, 2), WEST)
    game.followers += [(0, (0, 0), "h1", "follower"), (0, (0, 2), "p1", "follower")]
    turn(game, (0, 1))
    game.play(next(decision for decision in game.decisions() if ((0, 0), "h1") in decision[1]))
    # the house of 1 point brings the marker onto gate 0; the pigsty of 2 leads to field 1 and onto gate 1
    assert scored(game, "points", "score") == [(1, 0), (2, 1)] and game.at_gate == [True, False]


def test_s12_the_end_scoring_knows_no_gates():
    game = small_game("##", "house+nest1", rules=GATES, gates=(0, 1))
    turn(game, (0, 0), NORTH, send="h1")
    assert scored(game, "points", "score") == [(1, 0)]
    assert game.end_entries() == [
        {"player": 0, "reason": "family house", "points": 1},
        {"player": 0, "reason": "nests", "points": 1},
    ]
    assert game.scores == [2, 0]


# --- records ---------------------------------------------------------------------------------------------------------

CHAPEL_BOX = components("##", "chapel+nest1 close1 field1", gates=(1, 9))


def chapel_record() -> dict:
    """Player 0's prince scores a chapel of 2 tiles that player 1 completes: 6 points, 1 by the gate after field 1."""
    game = small_game("##", "chapel+nest1 close1 field1", rules=GATES, gates=(1, 9))
    turn(game, (0, 0), EAST, send="c1", piece="prince")
    turn(game, (0, 1), rotation=2, send="m1", piece="falconer")
    return game.record()


def test_a_record_tells_of_pieces_nests_and_lost_points():
    record = chapel_record()
    assert [played["follower"] for played in record["turns"]] == [
        {"segment": "c1", "piece": "prince"},
        {"segment": "m1", "piece": "falconer"},
        None,
    ]
    (entry,) = record["turns"][1]["scored"]
    assert (entry["points"], entry["score"], entry["nests"]) == (6, 1, 1)
    assert record["ruleset"] == "sokol-gates" and record["scores"] == [1, 0] and record["end"] == []
    check_record(record, *CHAPEL_BOX, GATES)


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        (lambda r: r.update(ruleset="sokol"), "ruleset is 'sokol'"),
        (lambda r: r["turns"][0]["follower"].update(piece="follower"), r"turns\[1\].scored\[0\].points is 6"),
        (lambda r: r["turns"][0]["follower"].update(piece="king"), r"turns\[0\].follower.piece is 'king'"),
        (lambda r: r["turns"][1]["follower"].update(segment="c1"), r"turns\[1\].follower: falconer to segment 'c1'"),
        (lambda r: r["turns"][1]["follower"].update(segment="h1"), r"turns\[1\].follower: falconer to segment 'h1'"),
        (lambda r: r["turns"][1]["scored"][0].update(nests=0), r"scored\[0\].nests is 0, but the rules give 1"),
        (lambda r: r["turns"][1]["scored"][0].update(points=1), r"scored\[0\].points is 1, but the rules give 6"),
        (lambda r: r["turns"][1]["scored"][0].update(score=6), r"scored\[0\].score is 6, but the rules give 1"),
        (lambda r: r["end"].append({"player": 0, "reason": "nests", "points": 1}), "player 0 for 'nests' is 1"),
        (lambda r: r.update(scores=[6, 0]), "scores is"),
    ],
)
def test_a_spoilt_record_is_rejected(spoil, sentence):
    record = chapel_record()
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *CHAPEL_BOX, GATES)
