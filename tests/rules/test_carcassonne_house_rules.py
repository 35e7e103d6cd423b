"""Carcassonne by house rules, one at a time and together (rules H1 to H9)."""

import numpy as np
import pytest

from tests.rules.test_carcassonne_setup import record_of
from tests.support.deals import deal_tiles
from tests.support.drawn_table import DrawnTable
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.core.log import LOGGED_EVENT, PUT_BACK
from zamek_env.ruleset import get_ruleset

pytestmark = [pytest.mark.plays("carcassonne"), pytest.mark.compiles]
rule = pytest.mark.rule

AHEAD = {"draw_ahead": True}
OPEN, HIDDEN = {"hand": "open"}, {"hand": "hidden"}
BACK = {"back_into_bag": True}
IN_A_ROW = {"table": [1, 3]}  # where only what has a road can be laid
CLOSE = "0: E at -1,0 turned 2"  # completes the city of the start tile, the only open one: a C can be laid nowhere then


@rule("H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9")
def test_no_house_rule_is_in_force_unless_somebody_asks_for_it():
    ruleset = get_ruleset("carcassonne")
    off = {"hand": None, "table": None}
    switches = dict.fromkeys(
        ("draw_ahead", "back_into_bag", "start_in_bag", "hole_plays_again", "unfinished_pays_nothing"), False
    )
    assert vars(ruleset.components.house) == off | switches | {"edges_complete": False, "small_city": False}
    assert get_ruleset("carcassonne", rules=off | switches) is ruleset
    assert "rules" not in Game("carcassonne", seed=0).record()


# --- draw ahead ---


@rule("H1")
def test_each_draws_a_tile_before_the_first_turn_in_seat_order_seen_by_him_alone():
    table = DrawnTable("E U B V", only=True, players=3, rules=AHEAD)
    assert table.table.tile == "E"  # turned up as the turn began
    assert table.seen_by(None) == table.seen_by(0) == [".", ".", "."]
    assert table.seen_by(1) == [".", "U", "."]
    assert table.seen_by(2) == [".", ".", "B"]
    assert table.table.remaining == {"U": 1, "B": 1, "V": 1}


@rule("H1")
def test_the_next_tile_is_drawn_at_the_end_of_ones_own_turn():
    table = DrawnTable("E U B V", only=True, rules=AHEAD).play("0: E at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, 4)]
    assert table.table.tile == "U"
    assert table.seen_by(0) == ["B", "."]
    table.play("1: U at 0,1")
    assert table.table.tile == "B"
    assert table.seen_by(1) == [".", "V"]


@rule("H1")
def test_no_tile_is_drawn_before_the_turn_is_over():
    table = DrawnTable("E U B V", only=True, rules=AHEAD).play("0: E at -1,0 turned 2, ...")
    assert table.seen_by(0) == [".", "."]


@rule("H1")
def test_a_tile_drawn_ahead_that_fits_nowhere_leaves_the_game():
    table = DrawnTable("E C U V", rules=AHEAD).play(CLOSE)
    assert table.table.discarded == {"C": 1}
    assert (table.table.player, table.table.tile) == (1, "V")
    assert table.seen_by(0) == ["U", "."]
    table.play("1: V at 0,1 turned 1")
    assert record_of(table)["turns"][1]["discarded"] == ["C"]


@rule("H1")
def test_who_draws_nothing_that_can_be_laid_has_an_empty_turn_and_the_game_goes_on():
    table = DrawnTable("E C U", only=True, players=3, rules=AHEAD).play(CLOSE)
    assert (table.table.player, table.table.tile) == (2, "U")
    table.play("2: U at 0,1")
    assert table.game.is_terminal
    assert [(turn["player"], turn["tile"]) for turn in table.twin.turns] == [(0, "E"), (1, None), (2, "U")]


@rule("H1")
def test_the_game_ends_with_the_last_tile_that_anybody_holds():
    table = DrawnTable("E U B", only=True, rules=AHEAD).play("""
        0: E at -1,0 turned 2
        1: U at 0,1
        0: B at 1,0
    """)
    assert table.game.is_terminal


# --- a hand of three ---


@rule("H2")
def test_each_draws_three_in_seat_order_and_an_open_hand_is_seen_by_all():
    table = DrawnTable("E U V B C W X", only=True, rules=OPEN)
    assert table.seen_by(None) == table.seen_by(0) == table.seen_by(1) == ["EUV", "BCW"]
    assert table.table.hands == (("E", "U", "V"), ("B", "C", "W"))
    assert (table.table.phase, table.table.tile) == ("choose", None)


@rule("H2")
def test_a_hidden_hand_is_seen_by_its_owner_alone():
    table = DrawnTable("E U V B C W X", only=True, rules=HIDDEN)
    assert table.seen_by(None) == ["...", "..."]
    assert table.seen_by(0) == ["EUV", "..."]
    assert table.seen_by(1) == ["...", "BCW"]
    assert table.table.hands == ((None,) * 3,) * 2
    table.play("0: choose U, ...")
    assert table.table.tile == "U"  # which all see now
    assert table.seen_by(0) == ["E.V", "..."]


@rule("H2")
def test_one_tile_of_the_hand_is_chosen_laid_and_replaced():
    table = DrawnTable("E U V B C W X", only=True, rules=OPEN)
    assert table.options() == ["choose E", "choose U", "choose V"]
    table.play("0: choose U, ...")
    assert {tile for tile, *_ in (option.split() for option in table.options())} == {"U"}
    table.play("0: U at 0,1, thief on r1")
    assert table.seen_by(None) == ["EXV", "BCW"]
    assert table.table.player == 1


@rule("H2")
def test_only_what_can_be_laid_is_chosen_and_of_two_alike_tiles_the_first():
    table = DrawnTable("E U U C V V X", only=True, rules=OPEN)
    assert table.options() == ["choose E", "choose U"]
    choose = table.game.ruleset.actions.choose
    assert table.game.legal_actions() == [choose(0), choose(1)]
    assert "H2" in table.game.why_illegal(choose(2))
    table.play(CLOSE)
    assert table.table.tile == "V"  # one kind is left: nobody is asked
    assert table.seen_by(None) == ["XUU", "C.V"]


@rule("H2")
def test_a_hand_that_fits_nowhere_leaves_the_game_and_is_drawn_again():
    table = DrawnTable("U U U B E F V W H I", only=True, rules=OPEN | IN_A_ROW).play("0: U at 0,1")
    assert table.seen_by(None) == ["VUU", ".HI"]
    assert table.table.tile == "W"
    assert table.twin.turn["discarded"] == ["B", "E", "F"]


@rule("H2")
def test_a_turn_whose_hands_all_leave_the_game_is_empty_and_the_game_goes_on():
    table = DrawnTable("U U U B E F V", only=True, rules=HIDDEN | IN_A_ROW).play("0: U at 0,1")
    assert (table.table.player, table.table.phase) == (0, "choose")
    assert table.seen_by(0) == ["VUU", "..."]
    table.play("0: U at 0,-1")
    assert table.game.is_terminal  # there is no cell left: both players' tiles leave the game


@rule("H1", "H2")
def test_a_hand_and_a_tile_drawn_ahead_do_not_go_together():
    with pytest.raises(ValueError, match="one of draw_ahead and hand, not both"):
        Game("carcassonne", seed=0, rules=AHEAD | OPEN)
    with pytest.raises(ValueError, match="hand: must be one of open, hidden"):
        Game("carcassonne", seed=0, rules={"hand": "closed"})


@rule("H1", "H2")
@pytest.mark.parametrize("rules", [AHEAD, HIDDEN, OPEN])
def test_tiles_that_others_hold_unseen_are_redealt_in_a_players_copy(rules):
    game, rng = Game("carcassonne", seed=2, players=3, rules=rules), np.random.default_rng(0)
    held = game.state[0].hand.tolist()
    for observer in (None, 0, 1, 2):
        copies = [game.concealed(rng, observer).state[0].hand.tolist() for _ in range(10)]
        kept = [all(hands[player] == held[player] for hands in copies) for player in range(3)]
        assert kept == [rules == OPEN or player == observer or held[player] == [NONE] for player in range(3)]


# --- back into the bag ---


@rule("H3")
def test_a_tile_that_cannot_be_laid_goes_back_into_the_bag_and_another_is_drawn():
    table = DrawnTable("E C V U", rules=BACK).play(CLOSE)
    assert (table.table.player, table.table.tile) == (1, "V")
    assert (table.table.discarded, table.table.remaining["C"]) == ({}, 1)
    table.play("1: V at 0,1 turned 1")
    assert record_of(table)["turns"][1]["put_back"] == ["C"]
    assert "put_back" not in record_of(table)["turns"][0]


@rule("H3")
def test_the_bag_is_shaken_once_tiles_went_back():
    ruleset = get_ruleset("carcassonne", rules=BACK)
    deck, rest = deal_tiles(ruleset, ["E", "C", "V"])
    bags = []
    for seed in range(4):
        game = Game.from_deal(ruleset, deck + rest, seed=seed)
        assert game.state[0].deck.tolist() == deck + rest
        game.step(game.parse_action("E@-1,0S"))
        game.step(game.parse_action("-"))
        state = game.state[0]
        bags.append(state.deck[state.drawn :].tolist())
    assert all(sorted(bag) == sorted([deck[1], *rest]) for bag in bags)
    assert len({tuple(bag) for bag in bags}) == 4


@rule("H3")
def test_the_game_ends_where_nothing_of_the_bag_can_be_laid():
    table = DrawnTable("U U B E", only=True, rules=BACK | IN_A_ROW).play("""
        0: U at 0,1, thief on r1
        1: U at 0,-1
    """)
    assert table.game.is_terminal
    assert table.table.remaining == {"B": 1, "E": 1}
    assert table.paid == {(0, "unfinished road"): 3}
    assert len(table.twin.turns) == 2


@rule("H1", "H3")
def test_a_tile_drawn_ahead_that_fits_nowhere_goes_back():
    table = DrawnTable("E C U V B", only=True, rules=AHEAD | BACK).play(CLOSE)
    assert (table.table.player, table.table.tile) == (1, "V")
    assert table.seen_by(0) == ["U", "."]
    assert table.table.remaining == {"C": 1, "B": 1, "U": 1}
    table.play("1: V at 0,1 turned 1")
    assert table.twin.turns[1]["put_back"] == ["C"]


@rule("H1", "H3")
def test_the_game_ends_where_nothing_of_the_bag_fits():
    table = DrawnTable("U B U", only=True, rules=AHEAD | BACK | IN_A_ROW).play("0: U at 0,1")
    assert table.game.is_terminal
    assert table.table.remaining == {"B": 1, "U": 1}
    assert table.seen_by(0) == ["U", "."]


@rule("H2", "H3")
def test_a_hand_that_cannot_be_laid_goes_back_and_three_others_are_drawn():
    table = DrawnTable("U U U B E F V W", only=True, rules=OPEN | BACK | IN_A_ROW).play("0: U at 0,1")
    assert (table.table.player, table.table.tile) == (1, "W")
    assert sorted(table.table.remaining.elements()) == sorted("VUUBEF")
    table.play("1: W at 0,-1 turned 3")
    assert table.twin.turns[1]["put_back"] == ["B", "E", "F"]


@rule("H2", "H3")
def test_a_hand_that_ends_the_game_as_nothing_can_be_laid_is_no_turn():
    table = DrawnTable("U U U B E E", only=True, rules=OPEN | BACK | IN_A_ROW).play("0: U at 0,1")
    assert table.game.is_terminal
    assert len(table.twin.turns) == 1
    assert PUT_BACK not in table.game.last_events[:, LOGGED_EVENT]


# --- the start tile in the bag ---


@rule("H4")
def test_the_first_tile_drawn_is_laid_in_the_middle_by_nobody():
    table = DrawnTable("B E D", rules={"start_in_bag": True})
    assert table.table.board == {(0, 0): ("B", 0)}
    assert (table.table.player, table.table.phase, table.table.tile) == (0, "place", "E")
    assert (table.table.followers, table.table.supplies) == ((), (7, 7))
    table.play("0: E at 1,0 turned 2")
    record = record_of(table)
    assert (record["start"], record["rules"]) == ("B", {"start_in_bag": True})
    assert [turn["tile"] for turn in record["turns"]] == ["E"]


@rule("H4")
@pytest.mark.parametrize("ruleset, tiles", [("carcassonne", 72), ("carcassonne-demo", 48)])
def test_the_start_tile_is_mixed_in_with_the_others(ruleset, tiles):
    position = Game(ruleset, seed=1, rules={"start_in_bag": True}).position()
    assert len(position.board) + (position.tile is not None) + position.remaining.total() == tiles
    firsts = {Game(ruleset, seed=seed, rules={"start_in_bag": True}).position().board[0, 0][0] for seed in range(30)}
    assert len(firsts) > 5


@rule("H1", "H4")
def test_the_tile_in_the_middle_is_drawn_before_those_drawn_ahead():
    table = DrawnTable("B E U V", only=True, rules=AHEAD | {"start_in_bag": True})
    assert (table.table.board, table.table.tile) == ({(0, 0): ("B", 0)}, "E")
    assert table.seen_by(1) == [".", "U"]


# --- fill a hole, play again ---

#  0,-1   *   0,1   0,2   0,3       two holes, south of the start tile and at 1,2
#  1,-1   ?   1,1    ?    1,3
#        2,0  2,1   2,2
TWO_HOLES = """
    0: U at 0,1
    1: U at 0,-1
    0: E at 1,-1 turned 3
    1: B at 1,1
    0: E at 2,1 turned 2
    1: E at 2,0 turned 2
    0: U at 0,2
    1: U at 0,3
    0: E at 1,3 turned 1
    1: E at 2,2 turned 2
    0: B at 1,0
"""
HOLE_AGAIN = {"hole_plays_again": True}
OF_TWO_HOLES = "U U E B E E U U E E B B V V"


@rule("H5")
def test_who_fills_a_hole_takes_another_turn_as_often_as_it_happens():
    table = DrawnTable(OF_TWO_HOLES, rules=HOLE_AGAIN).play(TWO_HOLES)
    table.play("""
        0: B at 1,2, monk on k1
        0: V at 0,4 turned 1
        1: V at 0,-2 turned 3
    """)
    record_of(table)


@rule("H5")
def test_without_the_rule_the_turn_passes_on():
    DrawnTable(OF_TWO_HOLES, only=True).play(TWO_HOLES).play("1: B at 1,2")


@rule("H5", "H7")
def test_the_edge_of_the_table_is_no_neighbour():
    table = DrawnTable("U U W", only=True, rules=HOLE_AGAIN | IN_A_ROW).play("0: U at 0,1")
    assert table.table.player == 1


@rule("H1", "H5")
def test_another_turn_begins_with_the_tile_drawn_at_the_end_of_the_first():
    table = DrawnTable(OF_TWO_HOLES, only=True, rules=HOLE_AGAIN | AHEAD).play(TWO_HOLES)
    assert (table.table.player, table.table.tile) == (0, "V")  # player 1 has the B
    assert table.seen_by(1) == [".", "B"]


@rule("H1", "H5")
def test_who_has_no_tile_for_another_turn_is_passed_over():
    table = DrawnTable(OF_TWO_HOLES.removesuffix(" V V"), only=True, rules=HOLE_AGAIN | AHEAD).play(TWO_HOLES)
    assert (table.table.player, table.table.tile) == (1, "B")
    table.play("1: B at 1,2")
    assert table.game.is_terminal
    assert [turn["player"] for turn in table.twin.turns] == [0, 1] * 6


# --- what is unfinished pays nothing ---


@rule("C6", "H6")
@pytest.mark.parametrize("rules, paid", [({}, {(1, "unfinished road"): 2}), ({"unfinished_pays_nothing": True}, {})])
def test_at_the_end_what_is_unfinished_pays_nothing_and_fields_pay(rules, paid):
    table = DrawnTable("E U", only=True, rules=rules).play("""
        0: E at -1,0 turned 2, farmer on f1
        1: U at 0,1, thief on r1
    """)
    assert table.paid == {(0, "field"): 3} | paid


@rule("H6")
def test_a_city_a_road_and_a_monastery_pay_nothing_and_followers_lie_where_they_lay():
    table = DrawnTable("N U B", only=True, rules={"unfinished_pays_nothing": True}).play("""
        0: N at -1,0 turned 2, knight on c1
        1: U at 0,1, thief on r1
        0: B at 1,0, monk on k1
    """)
    assert (table.paid, table.table.scores, table.table.supplies) == ({}, (0, 0), (5, 6))
    assert all(area.end_points == (0, 0) for area in table.game.areas())


# --- an edge ---


@rule("H7")
def test_nothing_can_be_laid_beyond_the_edge():
    table = DrawnTable("U A", only=True, rules=IN_A_ROW)
    assert table.placements() == {(0, -1): {0, 2}, (0, 1): {0, 2}}
    assert table.game.num_actions < Game("carcassonne", seed=0).num_actions


@rule("H7")
def test_the_start_tile_lies_in_the_middle_of_the_table():
    table = DrawnTable("U U U U", rules={"table": [1, 7]}).play("""
        0: U at 0,1
        1: U at 0,2
        0: U at 0,3
    """)
    assert table.placements() == {(0, -1): {0, 2}}


@rule("H7")
def test_what_runs_into_the_edge_stays_open():
    table = DrawnTable("U A", only=True, rules=IN_A_ROW).play("""
        0: U at 0,1, thief on r1
        1: A at 0,-1 turned 3, monk on k1
    """)
    assert table.scored == []
    assert table.area((0, 0), "r1").open_ports == 1
    assert table.area((0, -1), "k1").open_ports == 7
    assert table.paid == {(0, "unfinished road"): 3, (1, "unfinished monastery"): 2}


@rule("H7")
@pytest.mark.parametrize("table", [[2, 3], [3, 0], [-1, 3], [3], [3, 5, 7], [999, 3], [3, 3.0], "3 x 3"])
def test_a_table_has_two_odd_numbers(table):
    with pytest.raises(ValueError, match=r"rules: table"):
        Game("carcassonne", seed=0, rules={"table": table})


@rule("H8")
def test_edges_complete_what_runs_into_them():
    table = DrawnTable("U A", rules=IN_A_ROW | {"edges_complete": True}).play("""
        0: U at 0,1, thief on r1
        1: A at 0,-1 turned 3, monk on k1
    """)
    assert sorted(table.scored) == [(0, "road", 3, 3), (1, "monastery", 2, 2)]
    assert (table.paid, table.table.scores) == ({}, (3, 2))
    assert table.area((0, 0), "c1").complete
    record_of(table)


@rule("H8")
def test_a_monastery_in_a_corner_needs_the_three_cells_beside_it_and_pays_four():
    table = DrawnTable("U B E", rules={"table": [3, 3], "edges_complete": True}).play("""
        0: U at 0,1
        1: B at 1,1, monk on k1
        0: E at 1,0 turned 2
    """)
    assert table.scored == [(1, "monastery", 4, 4)]


@rule("H8")
def test_a_monastery_in_the_middle_of_the_table_needs_all_eight():
    table = DrawnTable("B", laid="U * U \n E3 . E1", rules={"table": [5, 3], "edges_complete": True})
    table.play("0: B at 1,0, monk on k1")
    assert table.scored == []
    assert table.area((1, 0), "k1").open_ports == 3


@rule("C8", "H8")
def test_fields_count_cities_that_the_edge_completes():
    table = DrawnTable("U", only=True, rules=IN_A_ROW | {"edges_complete": True}).play("0: U at 0,1, farmer on f1")
    assert table.paid == {(0, "field"): 3}


@rule("H8")
def test_edges_complete_nothing_without_a_table_that_has_some():
    with pytest.raises(ValueError, match="edges_complete"):
        Game("carcassonne", seed=0, rules={"edges_complete": True})


# --- small cities ---

SMALL = {"small_city": True}


@rule("C4", "H9")
@pytest.mark.parametrize("rules, points", [({}, 4), (SMALL, 2)])
def test_a_city_of_two_tiles_pays_a_point_a_tile(rules, points):
    table = DrawnTable("E", only=True, rules=rules).play("0: E at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, points)]
    assert table.paid == {}


@rule("C4", "H9")
def test_a_city_of_two_tiles_pays_a_point_a_shield():
    edge = {"table": [3, 1], "edges_complete": True}  # closes the other side of an M
    table = DrawnTable("M", rules=edge | SMALL).play("0: M at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, 3)]
    table = DrawnTable("M", rules=edge).play("0: M at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, 6)]


@rule("H9")
def test_larger_cities_roads_of_two_tiles_and_unfinished_cities_pay_as_ever():
    table = DrawnTable("N E N", only=True, rules=SMALL).play("""
        0: N at -1,0 turned 2, knight on c1
        1: E at -1,1 turned 3
        0: N at -2,0, knight on c1
    """)
    assert table.scored == [(0, "city", 3, 6)]
    assert table.paid == {(0, "unfinished city"): 1}


@rule("C8", "H9")
def test_a_field_counts_a_small_city_as_any_other():
    table = DrawnTable("E", only=True, rules=SMALL).play("0: E at -1,0 turned 2, farmer on f1")
    assert table.paid == {(0, "field"): 3}


@rule("H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9")
def test_house_rules_belong_to_a_table():
    with pytest.raises(ValueError, match="has a wall"):
        Game("zamek", seed=0, rules={"small_city": True})
    with pytest.raises(ValueError, match="rules"):
        Game("carcassonne", seed=0, rules={"dice": True})
