"""Castle, the card game: situations that games at random hardly ever reach, in which several rules meet."""

import pytest

rule = pytest.mark.rule


@rule("Dragon", "Enchanter", "K6")
def test_the_dragon_comes_back_though_a_pile_outside_before_him_is_gone(castle):
    game = castle("outside: He1, Ba2\nhand 0: Dragon, Enchanter, Soldier").play("Dragon")
    game.space(("outside", 0)).play("Enchanter")
    assert game.steps[-1] == {"do": "take_back", "at": ["outside", 2], "card": "Dragon", "to": 0}
    assert game.hand(0) == ["Dragon", "Soldier"]
    assert game.game.piles == {("outside", 1): [("Barbarian", 2)], ("outside", 3): [("Enchanter", 0)]}


@rule("King's Counselor", "K9")
def test_who_has_the_counselor_play_in_vain_with_his_last_card_wins(castle):
    game = castle("""
        . . . . . .
        . Ki0 Ms1 . . .
        hand 0: King's Counselor
        deck 0: none
        exchange: Dragon
    """)
    game.play("King's Counselor", (2, 2))
    assert game.steps[-1] == {"do": "void", "of": "Dragon"}
    assert (game.game.end, list(game.game.winners)) == ("empty", [0])


@rule("King's Counselor", "Courtier", "K9")
def test_the_counselor_whom_his_own_courtier_takes_back_wins_nothing(castle):
    game = castle("""
        . . . . . .
        . Ki0 Ms1 . . .
        hand 0: King's Counselor
        deck 0: none
        exchange: Courtier
    """)
    game.play("King's Counselor", (2, 2)).space((2, 3))
    assert game.spaces == {(1, 2), (2, 2)}
    game.space((2, 2))
    assert (game.hand(0), game.game.end) == (["King's Counselor"], None)


@rule("King's Counselor", "Knight")
def test_the_counselor_may_play_a_knight_onto_himself(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: King's Counselor, Soldier
        exchange: Knight
    """)
    game.play("King's Counselor", (2, 2))
    assert game.spaces == {(1, 1), (2, 2)}
    assert game.space((2, 2)).at((2, 2)) == "KC0/Kn"


@rule("King's Counselor", "Ambassador")
def test_the_ambassador_fits_after_the_counselor_took_the_last_space_but_one(castle):
    game = castle("""
        . . . . . .
        . Qu1 Ps1 Th1 Sp1 .
        . Me1 Mi1 Cn1 Co1 .
        . Cr1 Pi1 As1 Pr1 .
        . Fo1 Ki1 . . .
        hand 0: King's Counselor, Soldier
        exchange: Ambassador, Mistress
    """)
    game.play("King's Counselor", (4, 3))
    assert game.steps[-1] == {"do": "play", "card": "Ambassador", "at": [4, 4], "from": "exchange"}
    assert game.exchange == ["Mistress"]


@rule("Princess", "Enchanter", "K7")
def test_a_princess_who_has_moved_a_knight_onto_herself_is_safe_from_the_enchanter(castle):
    game = castle("""
        . . . . . .
        . Ki0/Kn1 . . . .
        hand 0: Princess, Enchanter, Soldier
    """)
    game.play("Princess", (1, 2)).play("Enchanter")
    assert game.at((1, 2)) == "Ps0/Kn1"
    assert {"do": "void", "of": "Enchanter"} in game.steps


@rule("Traitor", "K8", "K9")
def test_a_traitor_who_brings_back_his_own_siege_engine_is_no_last_card(castle):
    game = castle("""
        . So1 So2 So0 . .
        siege: N SE0
        hand 0: Traitor
        deck 0: none
    """)
    game.play("Traitor", (0, 4))
    assert (game.hand(0), game.game.end) == (["Siege Engine"], None)


@rule("King", "Mistress")
def test_the_owner_of_a_mistress_who_is_all_there_is_to_take_takes_her_back(castle):
    game = castle("""
        . . . . . .
        . Ms1 . . . .
        . Qu0 . . . .
        hand 0: King, Soldier
        hand 1: Spy
    """)
    game.play("King", (3, 3))
    assert game.spaces == {(1, 1), (2, 1)}
    game.space((1, 1))
    assert game.steps[-1] == {"do": "take_back", "at": [1, 1], "card": "Mistress", "to": 1}
    assert game.hand(1) == ["Mistress", "Spy"]


@rule("K3", "K5", "Ghost")
def test_the_ghost_gets_no_pawn_from_the_card_that_he_takes_back(castle):
    game = castle(
        """
        Ar4 So4 So4 So4 So4 .
        So4 Ki0 Qu4 Ps4 Th4 .
        So4 Sp4 Pi4 . . .
        So4 BK4 . . . .
        outside: He4
        hand 4: Ghost, Fairy
        turn: 4, 2 left
    """,
        5,
    )
    assert game.game.supply(4) == 0
    game.play("Ghost", (0, 0))
    assert (game.at((0, 0)), game.game.supply(4), game.hand(4)) == ("Gh", 1, ["Archer", "Fairy"])


@rule("K9")
def test_cards_of_decks_do_not_count_where_the_fewest_hand_cards_win(castle):
    game = castle("""
        hand 0: Soldier
        hand 1: Spy
        deck 2: Thief
        turn: 0, 1 left
        quiet: 199
    """)
    game.choose(("draw",))
    assert (game.game.end, list(game.game.winners)) == ("quiet", [2])
    assert list(game.game.returns) == [-0.5, -0.5, 1]
