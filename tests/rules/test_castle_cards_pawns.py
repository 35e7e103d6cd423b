"""Castle, the card game: effects on pawns, which no protection hinders (K7)."""

import pytest

rule = pytest.mark.rule


def changed(game):
    """Return the pawns that the first step about them sets."""
    return next(step["set"] for step in game.steps if step["do"] == "pawns")


@rule("Merchant")
def test_the_merchant_replaces_three_opposing_pawns_by_own_ones(castle):
    game = castle("""
        . So1 . . . .
        . Am1 Ki0 Qu2 Ps .
        outside: Dr2
        hand 0: Merchant, Herald
    """)
    game.play("Merchant", (4, 4))
    assert game.spaces == {(0, 1), (1, 1), (1, 3), ("outside", 0)}
    game.space((0, 1))
    assert game.spaces == {(1, 1), (1, 3), ("outside", 0)}
    game.space((1, 1), ("outside", 0))
    assert [game.at(space) for space in ((0, 1), (1, 1), (1, 3), ("outside", 0))] == ["So0", "Am0", "Qu2", "Dr0"]
    assert len(changed(game)) == 3
    assert all(player == 0 for *_, player in changed(game))


@rule("Merchant", "K5")
def test_the_merchant_takes_as_many_as_there_are(castle):
    game = castle("""
        . So1 . . . .
        . Ki0 Qu2 . . .
        hand 0: Merchant, Herald
    """)
    game.play("Merchant", (4, 4)).space((1, 2))
    assert len(changed(game)) == 2
    assert (game.at((0, 1)), game.at((1, 2))) == ("So0", "Qu0")


@rule("Merchant", "K13")
def test_the_merchant_without_opposing_pawns_has_no_effect_but_the_further_action(castle):
    game = castle("""
        . So . . . .
        . Ki0 . . . .
        hand 0: Merchant, Herald
    """)
    assert game.play("Merchant", (4, 4)).steps[1] == {"do": "void", "of": "Merchant"}


@rule("Merchant", "K5")
def test_pawns_under_a_knight_are_chosen_by_their_level(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn0/Kn2 . . . .
        . Qu2 Sp1 Th1 . .
        hand 0: Merchant, Herald
    """)
    game.play("Merchant", (4, 4)).space((1, 1))
    assert game.options == {("level", 0), ("level", 2)}
    game.choose(("level", 0))
    assert game.at((1, 1)) == "Ki0/Kn0/Kn2"


@rule("Thief")
def test_the_thief_removes_the_pawn_of_an_adjacent_card(castle):
    game = castle("""
        Ar2 So1 . . . .
        . . Ki Qu1 . .
        hand 0: Thief, Herald
    """)
    supply = game.game.supply(2)
    assert game.play("Thief", (1, 1)).spaces == {(0, 0), (0, 1)}
    game.space((0, 0))
    assert (game.at((0, 0)), game.game.supply(2)) == ("Ar", supply + 1)
    assert changed(game) == [[[0, 0], 0, "Archer", None]]


@rule("Thief", "Knight")
@pytest.mark.parametrize("level, left", [(0, "Ki/Kn2"), (1, "Ki1/Kn")])
def test_the_thief_reaches_the_pawn_under_a_knight_and_his_own(castle, level, left):
    game = castle("""
        . . . . . .
        . . Ki1/Kn2 . . .
        hand 0: Thief, Herald
    """)
    game.play("Thief", (1, 1)).choose(("level", level))
    assert game.at((1, 2)) == left


@rule("Thief")
def test_the_thief_does_nothing_without_an_adjacent_pawn(castle):
    game = castle("""
        . . . . . .
        . . Ki Qu1 . .
        outside: Dr1
        hand 0: Thief, Herald
    """)
    assert game.play("Thief", (1, 1)).done == ["play", "void"]


@rule("Conspirator")
def test_the_conspirator_swaps_the_pawns_of_two_cards_in_play(castle):
    game = castle("""
        . So1 . . . .
        . Am2 Ki . . .
        outside: Dr0
        hand 0: Conspirator, Herald
    """)
    assert game.play("Conspirator", (4, 4)).spaces == {(0, 1), (1, 1), ("outside", 0)}
    game.space((1, 1))
    assert game.spaces == {(0, 1), ("outside", 0)}
    game.space(("outside", 0))
    assert (game.at((1, 1)), game.at(("outside", 0)), game.at((4, 4))) == ("Am0", "Dr2", "Co0")
    assert sorted(changed(game), key=str) == [[["outside", 0], 0, "Dragon", 2], [[1, 1], 0, "Ambassador", 0]]


@rule("Conspirator", "K13")
def test_equal_pawns_may_be_swapped_also_within_a_pile(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn1 . . . .
        hand 0: Conspirator, Herald
        exchange: Spy
    """)
    game.play("Conspirator", (4, 4))
    assert game.options == {("level", 0), ("level", 1)}
    game.choose(("level", 0))
    assert changed(game) == []


@rule("Conspirator")
def test_the_conspirator_does_nothing_with_fewer_than_two_other_cards_with_a_pawn(castle):
    game = castle("""
        . . . . . .
        . Ki1 Qu . . .
        hand 0: Conspirator, Herald
    """)
    assert game.play("Conspirator", (4, 4)).done == ["play", "void"]


@rule("Spy")
def test_the_spy_permutes_the_pawns_of_adjacent_cards_missing_ones_too(castle):
    game = castle("""
        . So1 . . . .
        . . Am2 . . .
        . Ki . . Qu1 .
        hand 0: Spy, Herald
    """)
    game.play("Spy", (1, 1))
    assert game.options == {("pawn", 1), ("pawn", 2), ("pawn", None)}
    game.choose(("pawn", None))
    assert game.options == {("pawn", 1), ("pawn", 2)}
    game.choose(("pawn", 2))
    assert [game.at(space) for space in ((0, 1), (1, 2), (2, 1), (2, 4))] == ["So", "Am2", "Ki1", "Qu1"]
    assert sorted(changed(game), key=str) == [[[0, 1], 0, "Soldier", None], [[2, 1], 0, "King", 1]]


@rule("Spy", "K5")
def test_the_spy_may_leave_everything_as_it_is(castle):
    game = castle("""
        . . . . . .
        . . Ki1/Kn2 . . .
        hand 0: Spy, Herald
    """)
    game.play("Spy", (1, 1)).choose(("pawn", 1))
    assert changed(game) == []


@rule("Spy")
def test_the_spy_puts_at_most_one_pawn_on_a_card_level_by_level(castle):
    game = castle("""
        . . . . . .
        . . Ki1/Kn2 . . .
        . Qu . . . .
        hand 0: Spy, Herald
    """)
    game.play("Spy", (1, 1)).choose(("pawn", 2), ("pawn", None))
    assert (game.at((1, 2)), game.at((2, 1))) == ("Ki2/Kn", "Qu1")


@rule("Spy")
def test_the_spy_does_nothing_while_no_pawn_is_adjacent(castle):
    game = castle("""
        . . . . . .
        . . Ki Qu1 . .
        hand 0: Spy, Herald
    """)
    assert game.play("Spy", (1, 1)).done == ["play", "void"]
