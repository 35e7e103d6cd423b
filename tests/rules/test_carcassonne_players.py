"""Carcassonne for two to five, and for one alone (rules C10 to C12)."""

import pytest

from tests.support.drawn_table import DrawnTable
from tests.support.games import finish
from zamek_env import Game

pytestmark = [pytest.mark.plays("carcassonne"), pytest.mark.compiles]
rule = pytest.mark.rule

#  1,0 ═ 1,1 ═ 1,2      a city of each player, which a tile at 1,1 joins; that in the south may be open to the east
#         ║
#        2,1
THREE_CITIES = """
    0: E at 1,0 turned 1, knight on c1
    1: U at 0,1
    2: U at 0,2
    0: B at 2,0
    1: E at 1,2 turned 3, knight on c1
"""


@rule("C10")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_turn_passes_from_seat_to_seat_and_seat_0_begins(players):
    table = DrawnTable("U U U U U U U", players=players)
    for column in range(1, 8):
        table.play(f"{(column - 1) % players}: U at 0,{column}")
    assert table.game.num_players == players


@rule("C2", "C10")
@pytest.mark.parametrize("ruleset, followers", [("carcassonne-demo", 5), ("carcassonne", 7)])
def test_each_of_five_players_has_all_followers(ruleset, followers):
    table = DrawnTable("U", ruleset=ruleset, players=5)
    assert table.table.supplies == (followers,) * 5
    table.play("0: U at 0,1, thief on r1")
    assert table.table.supplies == (followers - 1, *(followers,) * 4)
    assert table.table.scores == (0,) * 5


@rule("C10")
def test_nobody_is_sent_where_any_other_player_stands():
    table = DrawnTable("U U U", players=3).play("""
        0: U at 0,1, thief on r1
        1: U at 0,2
        2: U at 0,3, ...
    """)
    assert "thief on r1" not in table.options()


@rule("C5", "C10")
def test_all_of_three_who_tie_for_most_are_paid_in_full():
    table = DrawnTable("E U U B E E R", players=3).play(THREE_CITIES)
    table.play("""
        2: E at 2,1, knight on c1
        0: R at 1,1 turned 2
    """)
    assert sorted(table.scored) == [(0, "city", 4, 8), (1, "city", 4, 8), (2, "city", 4, 8)]
    assert table.table.scores == (8, 8, 8)
    assert table.table.supplies == (7, 7, 7)


@rule("C5", "C10")
def test_two_of_three_who_tie_are_paid_whoever_laid_the_tile():
    table = DrawnTable("E U U B E E U B R", players=3).play(THREE_CITIES)
    table.play("""
        2: E at 2,1
        0: U at 0,3
        1: B at 3,1
        2: R at 1,1 turned 2
    """)
    assert sorted(table.scored) == [(0, "city", 4, 8), (1, "city", 4, 8)]
    assert table.table.scores == (8, 8, 0)


@rule("C5", "C10")
def test_more_followers_than_each_other_player_get_all():
    table = DrawnTable("E U U B E U E R", players=3).play(THREE_CITIES)
    table.play("""
        2: U at 0,3
        0: E at 2,1, knight on c1
        1: R at 1,1 turned 2
    """)
    assert table.scored == [(0, "city", 4, 8)]
    assert table.table.scores == (8, 0, 0)
    assert table.table.supplies == (7, 7, 7)


@rule("C6", "C10")
def test_all_of_three_who_tie_in_an_unfinished_area_are_paid_in_full_at_the_end():
    table = DrawnTable("E U U B E N R", only=True, players=3).play(THREE_CITIES)
    table.play("""
        2: N at 2,1 turned 1, knight on c1
        0: R at 1,1 turned 2
    """)
    assert table.scored == []
    assert table.paid == {(player, "unfinished city"): 4 for player in range(3)}
    assert table.table.scores == (4, 4, 4)


@rule("C8", "C10")
def test_all_of_three_farmers_who_tie_in_a_field_are_paid_in_full():
    table = DrawnTable("E V E B U E B A", only=True, players=3).play("""
        0: E at -1,0 turned 2, farmer on f1
        1: V at 0,1 turned 1
        2: E at -2,0
        0: B at 1,0
        1: U at -1,1 turned 1, farmer on f1
        2: E at -3,0 turned 2, farmer on f1
        0: B at -3,1
        1: A at -2,1
    """)
    #  -3,0  -3,1      two small cities, one north of the other
    #  -2,0  -2,1      a road from the start tile to the monastery at -2,1, where the three fields meet
    #  -1,0  -1,1
    #   0,0   0,1
    assert table.paid == {(player, "field"): 6 for player in range(3)}


@rule("C11")
@pytest.mark.parametrize(
    "scores, returns", [((9, 3, 5), (1, -1 / 2, -1 / 2)), ((3, 5, 5), (-1 / 2, 1 / 4, 1 / 4)), ((5, 5, 5), (0, 0, 0))]
)
def test_of_three_most_points_win_and_those_who_tie_share_the_victory(scores, returns):
    table = DrawnTable("U B", only=True, players=3).set_earlier(scores=scores)
    table.play("0: U at 0,1")
    assert table.game.returns() == (0, 0, 0)
    table.play("1: B at 1,0")
    assert table.game.returns() == returns


@rule("C11")
def test_three_of_five_share_a_victory():
    table = DrawnTable("U", only=True, players=5).set_earlier(scores=(6, 1, 6, 6, 0)).play("0: U at 0,1")
    assert table.game.returns() == pytest.approx((1 / 6, -1 / 4, 1 / 6, 1 / 6, -1 / 4))
    assert sum(table.game.returns()) == pytest.approx(0)


@rule("C12")
def test_one_player_alone_has_all_turns_and_nobody_to_beat():
    table = DrawnTable("N E B", only=True, players=1).play("""
        0: N at -1,0 turned 2, knight on c1
        0: E at -1,1 turned 3
        0: B at 1,0, monk on k1
    """)
    assert table.scored == [(0, "city", 3, 6)]
    assert table.paid == {(0, "unfinished monastery"): 2}
    assert table.table.scores == (8,)
    assert table.game.returns() == (0,)


@rule("C12")
def test_whole_games_of_one_player_end():
    game = finish(Game("carcassonne-demo", seed=3, players=1))
    assert len(game.position().board) + sum(game.position().discarded.values()) == 48
    assert game.returns() == (0,)


@rule("C10")
@pytest.mark.parametrize("ruleset, players", [("carcassonne", 0), ("carcassonne", 6), ("zamek", 1), ("zamek", 3)])
def test_other_numbers_of_players_are_refused(ruleset, players):
    with pytest.raises(ValueError, match=f"players must be .* not {players}"):
        Game(ruleset, seed=0, players=players)
