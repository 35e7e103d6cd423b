"""The notation of drawn positions is read strictly: a script that does not say what happens is an error."""

import pytest

from tests.support.drawn import Drawn
from tests.support.drawn_table import DrawnTable


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("Z12 at 9,4", "is no turn"),
        ("0 Z12 at 9,4", "is no turn"),
        ("1: Z12 at 9,4", "it is player 0's turn"),
        ("0: Z11 at 9,4", "the tile drawn is Z12"),
        ("0: Z12 at 9,4 turned 4", "is no step"),
        ("0: Z12 at 9, 4", "is no step"),
        ("0: Z12 at 5,5", "is not legal, but"),
        ("0: Z12 at 9,4, monk on h1", "a monk stands on m"),
        ("0: Z12 at 9,4, squire on h2", "is not legal, but"),
        ("0: Z12 at 9,4, preacher on h1", "a preacher stands on c"),
        ("0: Z12 at 9,4, prince on p1", "is not legal, but"),
        ("0: Z12 at 9,4, king on p1", "is no step"),
        ("0: Z12 at 9,4, nobody, nobody", "the turn is over before 'nobody'"),
        ("0: Z12 at 9,4, extra turn", "is not legal, but"),
        ("0: Z12 at 9,4 turned 2, squire on h1", "leaves open 'score'"),
        ("0: Z12 at 9,4 turned 2, squire on h1, road at 9,4 h1", "h1 is no road"),
        ("0: Z12 at 9,4 turned 2, squire on h1, house at 9,4 h1 with token 3", "is not legal, but"),
    ],
)
def test_a_script_that_does_not_fit_is_refused(script, complaint):
    with pytest.raises(AssertionError, match=complaint):
        Drawn("Z12 Z11", held=((2,), ())).play(script)


def test_a_turn_may_be_left_open_and_gone_on_with():
    castle = Drawn("Z12 Z11", held=((2,), ())).play("0: Z12 at 9,4 turned 2, ...")
    assert castle.options() == ["farmer on p1", "nobody", "squire on h1"]
    castle.play("0: squire on h1, ...")
    assert castle.options() == ["house at 9,4 h1", "house at 9,4 h1 with token 2"]
    castle.play("0: house at 9,4 h1 with token 2")
    assert castle.table.player == 1


def test_what_is_said_to_have_happened_before_lies_on_the_table():
    castle = Drawn("Z12 Z11", towers={12: 3}, held=((1, 1), (6,)), only=True)
    castle.set_earlier(scores=(7, 108), family_houses=(2, 0))
    table = castle.table
    assert table.tokens == ({1: 2}, {6: 1})
    assert len(table.towers) == 10
    assert table.scores == (7, 108)
    assert table.family_houses == (2, 0)
    assert table.remaining == {"Z11": 1}
    assert table.discarded.total() == 58


@pytest.mark.plays("sokol-gates")
def test_what_sokol_adds_is_read_and_lies_on_the_table():
    castle = Drawn("S02 Z11", ruleset="sokol-gates")
    castle.set_earlier(scores=(27, 47), nests=(3, 4), at_gate=(False, True))
    assert castle.table.nests == (3, 4)
    assert castle.table.nest_pool == 5
    assert castle.table.at_gate == (False, True)
    castle.play("0: S02 at 10,4, ...")
    assert castle.read_step("preacher on c1") == ("send", "c1", "follower")
    assert castle.read_step("prince on c1") == ("send", "c1", "prince")
    castle.play("0: falconer on c1")
    assert castle.table.followers == ((0, (10, 4), "c1", "falconer"),)


@pytest.mark.compiles
def test_a_picture_is_laid_tile_by_tile():
    table = DrawnTable("V", laid=". E2 . \n U * U2")
    assert table.table.board == {(0, 0): ("D", 0), (-1, 0): ("E", 2), (0, -1): ("U", 0), (0, 1): ("U", 2)}
    assert [turn["tile"] for turn in table.twin.turns] == ["E", "U", "U"]
    assert table.table.player == 1
    assert table.table.tile == "V"


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("0: E at -1,0", "is not legal, but"),
        ("0: E at 1,0 turned 1, squire on c1", "is no step"),
        ("0: E at 1,0 turned 1, thief on c1", "a thief stands on r"),
        ("0: E at -1,0 turned 2, prince on c1", "is no step"),
        ("0: E at -1,0 turned 2, monk on k1", "is not legal, but"),
        ("0: E at --1,0", "is no step"),
    ],
)
def test_a_script_for_the_open_table_that_does_not_fit_is_refused(script, complaint):
    with pytest.raises(AssertionError, match=complaint):
        DrawnTable("E").play(script)


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (lambda: DrawnTable(laid="E2"), "there must be one"),
        (lambda: DrawnTable(laid="* *"), "there must be one"),
        (lambda: DrawnTable(laid="* E"), "nothing can be laid"),
        (lambda: DrawnTable(laid="* . U"), "nothing can"),
        (lambda: Drawn("Z12", towers={0: 3}), "tokens lie on the towers"),
        (lambda: Drawn("Z12", towers={12: 3, 22: 3}, held=((3,), ())), "only two tokens of a kind"),
    ],
)
def test_a_position_that_cannot_be_set_up_is_refused(draw, complaint):
    with pytest.raises(AssertionError, match=complaint):
        draw()
