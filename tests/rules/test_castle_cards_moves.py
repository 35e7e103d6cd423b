"""Castle, the card game: effects that move cards (K6)."""

import pytest

rule = pytest.mark.rule

COURT_SPACES = {(row, col) for row in range(1, 5) for col in range(1, 5)}


@rule("Lookout")
def test_the_lookout_moves_a_soldier(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . . . Tr2/Kn1
        Ca2 . . . . .
        outside: Dr1
        hand 0: Lookout, Herald
    """)
    assert game.play("Lookout", (5, 5)).spaces == {(0, 1), (2, 0)}
    game.space((2, 0), (5, 1))
    assert game.at((5, 1)) == "Ca2"


@rule("Lookout", "K6")
def test_the_lookout_does_nothing_without_a_soldier_on_the_ramparts(castle):
    game = castle("""
        Ar1 . . . . .
        . Ki1 . . . .
        outside: So1
        hand 0: Lookout, Herald
    """)
    assert game.play("Lookout", (5, 5)).done == ["play", "void"]


@rule("Prince Charming")
def test_prince_charming_moves_a_woman(castle):
    game = castle("""
        Wi1 So1 . . . .
        . Ki1 Qu1 . . .
        . . Cn2 . . .
        hand 0: Prince Charming, Herald
    """)
    assert game.play("Prince Charming", (4, 4)).spaces == {(0, 0), (1, 2), (2, 2)}
    game.space((0, 0))
    assert game.spaces == {(0, 5), (5, 0), (5, 5)}
    game.space((5, 5))
    assert game.at((5, 5)) == "Wi1"


@rule("Prince Charming")
def test_prince_charming_moves_no_man_and_nobody_under_a_knight(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 Qu1/Kn1 . . .
        hand 0: Prince Charming, Herald
    """)
    assert game.play("Prince Charming", (4, 4)).done == ["play", "void"]


@rule("Princess", "Knight")
def test_the_princess_moves_a_knight(castle):
    game = castle("""
        Ar1/Kn1 . . . . Al1
        . Ki1/Kn2 . . . .
        hand 0: Princess, Herald
    """)
    assert game.play("Princess", (4, 4)).spaces == {(0, 0), (1, 1)}
    game.space((0, 0))
    assert (game.at((0, 0)), game.at((0, 5))) == ("Ar1", "Al1/Kn1")


@rule("Princess", "K7")
def test_the_princess_moves_no_protected_or_lonely_knight(castle):
    game = castle("""
        Ar1/Kn1 . . . . .
        . Ki1/Kn2 Pr2 . . .
        hand 0: Princess, Herald
    """)
    assert game.play("Princess", (4, 4)).done == ["play", "void"]


@rule("Mistress", "King")
def test_the_mistress_moves_the_king_and_then_a_knight(castle):
    game = castle("""
        . . . . . .
        . Ki1 . Sp1/Kn2 . .
        hand 0: Mistress, Herald
    """)
    game.play("Mistress", (4, 4))
    assert game.options == {("decline",), ("space", (1, 1))}
    game.space((1, 1))
    assert game.spaces == COURT_SPACES - {(1, 1), (1, 3), (4, 4)}
    game.space((3, 3))
    assert game.options == {("decline",), ("space", (1, 3))}
    game.space((1, 3))
    assert game.spaces == {(3, 3), (4, 4)}
    game.space((3, 3))
    assert (game.at((3, 3)), game.done) == ("Ki1/Kn2", ["play", "move", "move"])


@rule("Mistress")
def test_each_part_of_the_mistress_may_be_declined(castle):
    game = castle("""
        . . . . . .
        . Ki1 . Sp1/Kn2 . .
        hand 0: Mistress, Herald
    """)
    game.play("Mistress", (4, 4)).choose(("decline",), ("decline",))
    assert game.steps[1:3] == [{"do": "decline"}, {"do": "decline"}]


@rule("Mistress")
def test_a_part_of_the_mistress_that_cannot_be_carried_out_leaves_no_step(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn1 . . . .
        hand 0: Mistress, Herald
        exchange: Spy
    """)
    game.play("Mistress", (4, 4)).choose(("decline",))
    assert game.done == ["play", "decline"]
    game = castle("outside: Ki1\nhand 0: Mistress, Herald\nexchange: Spy").play("Mistress", (4, 4))
    assert game.done == ["play", "void"]


@rule("Mistress")
def test_moving_the_king_may_make_the_place_for_a_knight(castle):
    game = castle("""
        Ar1/Kn1 . . . . .
        . Ki1 . . . .
        outside: Dr1/Kn2
        hand 0: Mistress, Herald
        exchange: Spy
    """)
    game.play("Mistress", (4, 4)).choose(("decline",))
    assert game.done == ["play", "decline"]


@rule("Fairy")
def test_the_fairy_moves_a_character_from_the_castle_to_the_outside(castle):
    game = castle("""
        Ar1 So1 . . . .
        . Ki1 Am1 Sp1/Kn1 . .
        outside: Dr1
        siege: N SE1
        hand 0: Fairy, Herald
        hand 1: Soldier, Witch
    """)
    assert game.play("Fairy").spaces == {(0, 0), (0, 1), (1, 1)}
    game.space((1, 1))
    assert game.steps[1] == {"do": "move", "at": [1, 1], "to": ["outside", 2]}
    game.play("Herald")
    assert game.steps[2]["at"] == ["outside", 3]


@rule("Fairy", "K6")
def test_the_fairy_finds_nobody_outside_and_no_knight(castle):
    game = castle("""
        . . . . . .
        . Am1 Sp1/Kn1 . . .
        outside: Dr1
        hand 0: Fairy, Herald
        exchange: Fool
    """)
    assert game.play("Fairy").done == ["play", "void"]


@rule("Minstrel")
def test_the_minstrel_permutes_the_adjacent_cards_in_the_courtyard_with_their_pawns(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . Qu2 . .
        . . . . . .
        . Sp . . Th1 .
        hand 0: Minstrel, Herald
    """)
    game.play("Minstrel", (2, 2))
    assert game.cards == {"King", "Queen", "Spy"}
    game.card("Spy")
    assert game.cards == {"King", "Queen"}
    game.card("King")
    assert [game.at(space) for space in ((1, 1), (1, 3), (3, 1))] == ["Sp", "Ki1", "Qu2"]
    assert game.steps[1] == {"do": "rearrange", "set": [[[1, 1], "Spy"], [[1, 3], "King"], [[3, 1], "Queen"]]}


@rule("Minstrel", "K5")
def test_the_minstrel_may_leave_everything_as_it_is(castle):
    game = castle("""
        . . . . . .
        . Ki1 . Qu2 . .
        hand 0: Minstrel, Herald
    """)
    game.play("Minstrel", (2, 2)).card("King")
    assert game.steps[1] == {"do": "rearrange", "set": [[[1, 1], "King"], [[1, 3], "Queen"]]}


@rule("Minstrel", "K7")
def test_protected_cards_and_spaces_with_a_knight_take_no_part(castle):
    game = castle("""
        . . . . . .
        . Am1 Ki1/Kn1 . . .
        . Pr2 . Qu2 . .
        . Sp2 . . . .
        hand 0: Minstrel, Herald
    """)
    game.play("Minstrel", (2, 2))
    assert game.cards == {"Priest", "Queen"}


@rule("Minstrel")
def test_the_minstrel_alone_does_nothing(castle):
    game = castle("""
        . So1 So1 . . .
        . . . . . .
        . . . . Ki1 .
        hand 0: Minstrel, Herald
    """)
    assert game.play("Minstrel", (1, 1)).done == ["play", "void"]


@rule("Minstrel")
def test_one_card_beside_the_minstrel_stays_where_it_is(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: Minstrel, Herald
    """)
    game.play("Minstrel", (2, 2))
    assert game.steps[1] == {"do": "rearrange", "set": [[[1, 1], "King"]]}
