"""Castle, the card game: effects that take a card back, remove it or put it into the exchange (K5, K6)."""

import pytest

rule = pytest.mark.rule


def returned(space, card, to, **more):
    """Return the step by which a card goes back."""
    return {"do": "take_back", "at": list(space), "card": card, "to": to, **more}


@rule("Archer")
def test_the_archer_takes_back_a_card_outside(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . . . .
        outside: Dr1, He2
        siege: N SE
        hand 0: Archer, Soldier
    """)
    game.play("Archer", (0, 0))
    assert game.spaces == {("outside", 0), ("outside", 1), ("siege", "N")}
    game.space(("outside", 1))
    assert game.steps[1] == returned(("outside", 1), "Herald", 2)
    assert game.hand(2) == ["Herald"]


@rule("Archer")
def test_the_archer_does_nothing_while_nothing_lies_outside(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . . . .
        hand 0: Archer, Soldier
    """)
    assert game.play("Archer", (0, 0)).steps[1:] == [{"do": "void", "of": "Archer"}]


@rule("K5", "Archer")
def test_an_effect_is_mandatory_also_to_ones_own_harm(castle):
    game = castle("outside: Dr0\nhand 0: Archer, Soldier").play("Archer", (0, 0))
    assert game.steps[1] == returned(("outside", 0), "Dragon", 0)
    assert game.hand(0) == ["Dragon", "Soldier"]


@rule("K6", "Archer")
def test_a_card_without_a_pawn_goes_back_to_the_exchange(castle):
    game = castle("siege: E SE\nhand 0: Archer, Soldier").play("Archer", (0, 0))
    assert game.steps[1] == returned(("siege", "E"), "Siege Engine", "exchange")
    assert game.exchange == ["Siege Engine"]


@rule("Barbarian")
def test_the_barbarian_takes_back_a_card_on_a_tower_or_rampart(castle):
    game = castle("""
        Al1 So1 . . . .
        . Ki1 . . . .
        outside: Dr1
        hand 0: Barbarian, Soldier
    """)
    assert game.play("Barbarian").spaces == {(0, 0), (0, 1)}
    game.space((0, 0))
    assert game.hand(1) == ["Alchemist"]


@rule("Barbarian")
def test_the_barbarian_finds_nobody_in_the_courtyard_or_outside(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        outside: Dr1
        hand 0: Barbarian, Soldier
    """)
    assert game.play("Barbarian").done == ["play", "void"]


@rule("Dragon")
def test_the_dragon_takes_back_one_card_outside_and_one_on_a_tower_or_rampart(castle):
    game = castle("""
        Al1 So2 . . . .
        . Ki1 . . . .
        outside: He1, Fa2
        hand 0: Dragon, Soldier
    """)
    assert game.play("Dragon").spaces == {("outside", 0), ("outside", 1)}
    game.space(("outside", 1))
    assert game.spaces == {(0, 0), (0, 1)}
    game.space((0, 1))
    assert game.done == ["play", "take_back", "take_back"]
    assert game.hand(2) == ["Fairy", "Soldier"]


@rule("K5", "Dragon")
def test_each_part_of_the_dragon_is_carried_out_if_it_can_be(castle):
    game = castle("Al1 . . . . .\nhand 0: Dragon, Soldier").play("Dragon")
    assert game.steps[1:] == [returned((0, 0), "Alchemist", 1)]
    game = castle("outside: He1\nhand 0: Dragon, Soldier").play("Dragon")
    assert game.steps[1:] == [returned(("outside", 0), "Herald", 1)]


@rule("K5", "Dragon")
def test_the_dragon_never_takes_itself_back(castle):
    assert castle("hand 0: Dragon, Soldier").play("Dragon").done == ["play", "void"]


@rule("Courtier")
def test_the_courtier_takes_back_an_adjacent_card_and_no_other(castle):
    game = castle("""
        . So1 . . . .
        . . Ki2 . Qu1 .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (1, 1)).spaces == {(0, 1), (1, 2)}
    game.space((1, 2))
    assert game.hand(2) == ["King"]


@rule("K5", "Courtier")
def test_an_effect_that_cannot_be_carried_out_is_ignored(castle):
    game = castle("""
        . . . . . .
        . . . Ki2 Qu1 .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (1, 1)).steps[1:] == [{"do": "void", "of": "Courtier"}]
    assert game.at((1, 1)) == "Cr0"


@rule("Assassin")
def test_the_assassin_removes_an_adjacent_card_from_the_game(castle):
    game = castle("""
        . So1 . . . .
        . . Qu1 . . .
        hand 0: Assassin, Soldier
    """)
    assert game.play("Assassin", (1, 1)).spaces == {(0, 1), (1, 2)}
    supply = game.game.supply(1)
    game.space((1, 2))
    assert game.steps[1] == {"do": "remove", "at": [1, 2]}
    assert (game.at((1, 2)), game.hand(1), game.exchange) == (".", [], [])
    assert game.game.supply(1) == supply + 1


@rule("Assassin", "K7")
def test_the_assassin_spares_the_king_and_protected_cards(castle):
    game = castle("""
        . . . . . .
        . . Ki1 Pr2 . .
        . Am1 Th2 . . .
        hand 0: Assassin, Soldier
    """)
    assert game.play("Assassin", (1, 1)).done == ["play", "void"]


@rule("Black Knight", "Knight")
def test_the_black_knight_takes_back_an_adjacent_knight(castle):
    game = castle("""
        . So1/Kn2 . . . .
        . . Qu1/Kn1 Ki1/Kn1 . .
        hand 0: Black Knight, Soldier
    """)
    assert game.play("Black Knight", (1, 1)).spaces == {(0, 1), (1, 2)}
    game.space((0, 1))
    assert (game.at((0, 1)), game.hand(2)) == ("So1", ["Knight"])


@rule("Black Knight")
def test_the_black_knight_takes_nobody_but_knights(castle):
    game = castle("""
        . So1 . . . .
        . . Qu1 Ki1/Kn1 . .
        hand 0: Black Knight, Soldier
    """)
    assert game.play("Black Knight", (1, 1)).done == ["play", "void"]


@rule("Black Knight")
def test_the_black_knight_is_no_knight(castle):
    game = castle("""
        . . . . . .
        . BK1 . Qu1 . .
        hand 0: Princess, Soldier
    """)
    assert game.play("Princess", (1, 2)).done == ["play", "void"]


@rule("Lady in Waiting", "K2")
def test_the_lady_in_waiting_takes_back_an_adjacent_man_in_the_courtyard(castle):
    game = castle("""
        . So1 . . . .
        . . Qu1 . . .
        . Fo1 Ms1/Kn2 . . .
        hand 0: Lady in Waiting, Soldier
    """)
    assert game.play("Lady in Waiting", (1, 1)).spaces == {(2, 1), (2, 2)}
    game.space((2, 2))
    assert game.hand(2) == ["Knight"]


@rule("Lady in Waiting")
def test_the_lady_in_waiting_takes_back_neither_women_nor_soldiers(castle):
    game = castle("""
        Lo1 So1 . . . .
        . . Qu1 Ki1 . .
        . Cn1 . . . .
        hand 0: Lady in Waiting, Soldier
    """)
    assert game.play("Lady in Waiting", (1, 1)).done == ["play", "void"]


@rule("Queen")
def test_the_queen_takes_back_another_card_of_the_courtyard(castle):
    game = castle("""
        Al1 So1 . . . .
        . Ki1 . . . .
        . . . . Sp2 .
        outside: Dr1
        hand 0: Queen, Soldier
    """)
    assert game.play("Queen", (1, 2)).spaces == {(1, 1), (2, 4)}
    game.space((2, 4))
    assert game.hand(2) == ["Spy"]


@rule("Queen")
def test_the_queen_does_nothing_alone_in_the_courtyard(castle):
    game = castle("""
        Al1 So1 . . . .
        outside: Dr1
        hand 0: Queen, Soldier
    """)
    assert game.play("Queen", (1, 2)).done == ["play", "void"]


@rule("King")
def test_the_king_takes_back_another_card_of_the_castle(castle):
    game = castle("""
        Al1 So1 . . . .
        . Qu2 . . . .
        outside: Dr1
        siege: N SE1
        hand 0: King, Soldier
    """)
    assert game.play("King", (3, 3)).spaces == {(0, 0), (0, 1), (1, 1)}
    game.space((1, 1))
    assert game.done == ["play", "take_back"]
    assert game.hand(2) == ["Queen"]


@rule("King")
def test_the_king_does_nothing_while_nobody_else_is_in_the_castle(castle):
    assert castle("outside: Dr1\nhand 0: King, Soldier").play("King", (3, 3)).done == ["play", "void"]


@rule("King", "Mistress", "K12")
def test_the_owner_of_the_mistress_takes_back_a_second_card(castle):
    game = castle("""
        Al1 So1 . . . .
        . Ms2 . Sp0 . .
        hand 0: King, Soldier
    """)
    game.play("King", (3, 3)).space((0, 0))
    assert (game.game.decider, game.game.turn_player) == (2, 0)
    assert game.spaces == {(0, 1), (1, 1), (1, 3)}
    game.space((1, 1))
    assert game.steps[1:] == [returned((0, 0), "Alchemist", 1), returned((1, 1), "Mistress", 2, by=2)]
    assert (game.game.decider, game.game.turn_player) == (0, 0)


@rule("King", "Mistress")
def test_ones_own_mistress_takes_back_a_second_card_too(castle):
    game = castle("""
        Al1 So1 . . . .
        . Ms0/Kn1 . Sp0 . .
        hand 0: King, Soldier
    """)
    game.play("King", (3, 3)).space((0, 0), (0, 1))
    assert game.steps[1:] == [returned((0, 0), "Alchemist", 1), returned((0, 1), "Soldier", 1)]


@pytest.mark.parametrize("mistress", ["Ms", "."])
@rule("King", "Mistress")
def test_nobody_takes_back_a_second_card_without_a_mistress_and_her_pawn(castle, mistress):
    game = castle(f"""
        Al1 So1 . . . .
        . {mistress} . Sp0 . .
        hand 0: King, Soldier
    """)
    assert game.play("King", (3, 3)).space((0, 0)).done == ["play", "take_back"]
    assert game.game.phase == "action"


@rule("King", "Mistress")
def test_a_mistress_whom_the_king_takes_back_or_who_is_outside_takes_nothing_back(castle):
    game = castle("""
        Al1 So1 . . . .
        . Ms2 . Sp0 . .
        hand 0: King, Soldier
    """)
    assert game.play("King", (3, 3)).space((1, 1)).done == ["play", "take_back"]
    game = castle("Al1 So1 . . . .\noutside: Ms2\nhand 0: King, Soldier")
    assert game.play("King", (3, 3)).space((0, 0)).done == ["play", "take_back"]


@rule("King", "Mistress")
def test_the_mistress_does_not_have_the_king_taken_back(castle):
    game = castle("""
        . . . . . .
        . Ms2/Kn1 . . . .
        hand 0: King, Soldier
    """)
    game.play("King", (3, 3))
    assert game.steps[1:] == [returned((1, 1), "Knight", 1), returned((1, 1), "Mistress", 2, by=2)]


@rule("Traitor")
def test_the_traitor_takes_back_an_adjacent_card_in_the_courtyard(castle):
    game = castle("""
        . . So1 . . .
        . Ki1 Qu2 . Sp1 .
        hand 0: Traitor, Herald
    """)
    assert game.play("Traitor", (0, 1)).spaces == {(1, 1), (1, 2)}
    game.space((1, 2))
    assert game.hand(2) == ["Queen"]


@rule("Traitor")
def test_the_traitor_takes_back_nobody_from_the_ramparts(castle):
    game = castle("""
        Al1 . So1 . . .
        . . . . Sp1 .
        hand 0: Traitor, Herald
    """)
    assert game.play("Traitor", (0, 1)).done == ["play", "void"]


@rule("Magician")
def test_the_magician_puts_an_unprotected_card_in_play_into_the_exchange(castle):
    game = castle("""
        . So1/Kn0 . . . .
        . Am1 Ki1 . . .
        outside: Dr2
        siege: W SE1
        hand 0: Magician, Soldier
        exchange: Soldier
    """)
    assert game.play("Magician", (5, 5)).spaces == {(0, 1), (1, 2), ("outside", 0), ("siege", "W")}
    game.space(("outside", 0))
    assert game.steps[1] == {"do": "to_exchange", "at": ["outside", 0]}
    assert (game.exchange, game.hand(2)) == (["Dragon", "Soldier"], [])


@rule("Magician")
def test_the_magician_never_puts_himself_into_the_exchange(castle):
    game = castle("""
        . . . . . .
        . Am1 . . . .
        hand 0: Magician, Soldier
    """)
    assert game.play("Magician", (5, 5)).done == ["play", "void"]


@rule("Ghost")
def test_the_ghost_takes_the_place_of_the_card_on_a_tower(castle):
    game = castle("Ar1 . . . . .\nhand 0: Ghost, Soldier").play("Ghost", (0, 0))
    assert game.steps == [{"do": "play", "card": "Ghost", "at": [0, 0], "legal": 18}, returned((0, 0), "Archer", 1)]
    assert (game.at((0, 0)), game.hand(1)) == ("Gh0", ["Archer"])


# --- the Enchanter ---


@rule("Enchanter")
def test_the_enchanter_takes_back_the_card_played_before_him(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . . . .
        last: 1,1
        hand 0: Enchanter, Soldier
    """)
    assert game.play("Enchanter").steps[1:] == [returned((1, 1), "King", 1)]


@rule("Enchanter")
def test_the_enchanter_takes_back_also_what_he_who_plays_him_played_last(castle):
    game = castle("""
        . So1 . . . .
        last: 0,1
        hand 0: Herald, Enchanter, Soldier
        hand 1: Archer, Witch
    """)
    game.play("Herald").play("Enchanter")
    assert game.steps[2:3] == [returned(("outside", 0), "Herald", 0)]


@rule("Enchanter")
def test_the_enchanter_does_nothing_as_the_first_card_of_a_game(castle):
    assert castle("hand 0: Enchanter, Soldier").play("Enchanter").done == ["play", "void"]


@rule("Enchanter", "K7")
def test_the_enchanter_does_nothing_if_the_last_card_is_protected(castle):
    game = castle("""
        . . . . . .
        . Ki1 Pr1 . . .
        last: 1,1
        hand 0: Enchanter, Soldier
    """)
    assert game.play("Enchanter").done == ["play", "void"]


@rule("Enchanter", "Ghost")
def test_the_ghost_is_the_last_card_once_he_has_taken_a_place(castle):
    game = castle("""
        Ar1 . . . . .
        last: 0,0
        hand 0: Ghost, Enchanter, Soldier
        hand 1: Lookout, Witch
    """)
    game.play("Ghost", (0, 0)).play("Enchanter")
    assert game.steps[-1] == returned((0, 0), "Ghost", 0)


@rule("Enchanter", "King's Counselor")
def test_a_card_that_the_counselor_played_is_the_last(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        exchange: Herald
        hand 0: King's Counselor, Enchanter, Soldier
        hand 1: Archer, Witch
    """)
    game.play("King's Counselor", (2, 2)).play("Enchanter")
    assert game.steps[-1] == returned(("outside", 0), "Herald", "exchange")


@rule("Enchanter", "King's Counselor")
def test_for_an_enchanter_whom_the_counselor_plays_the_counselor_is_the_last(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        exchange: Enchanter
        last: 1,1
        hand 0: King's Counselor, Soldier
    """)
    game.play("King's Counselor", (2, 2))
    assert game.steps[1:3] == [
        {"do": "play", "card": "Enchanter", "at": ["outside", 0], "from": "exchange"},
        returned((2, 2), "King's Counselor", 0),
    ]
