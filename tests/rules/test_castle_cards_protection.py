"""Castle, the card game: what is taken back, moved and protected, and the siege (rules K6 to K8)."""

import pytest

rule = pytest.mark.rule


# --- protection (K7) ---


@rule("K7", "Knight")
def test_a_knight_protects_the_card_under_him(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn2 . . . .
        hand 0: Courtier, Soldier
    """)
    game.play("Courtier", (1, 2))
    assert game.at((1, 1)) == "Ki1"
    assert game.steps[1] == {"do": "take_back", "at": [1, 1], "card": "Knight", "to": 2}


@rule("K7", "Knight")
def test_who_loses_his_knight_is_protected_no_more(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn2 . . . .
        hand 0: Courtier, Queen, Soldier
        hand 1: Herald, Soldier
    """)
    game.play("Courtier", (1, 2)).play("Queen", (2, 2)).space((1, 1))
    assert game.hand(1) == ["Herald", "King", "Soldier"]


@rule("K7", "Priest")
def test_the_priest_protects_adjacent_cards_with_a_pawn_of_his_colour(castle):
    game = castle("""
        Ar1 So1 So2 . . .
        . Pr1 Ki1 Ps2 . .
        . Qu . Sp1 . .
        hand 0: Courtier, Soldier
    """)
    game.play("Courtier", (2, 2))
    assert game.spaces == {(1, 1), (1, 3), (2, 1), (2, 3)}


@rule("K7", "Priest")
def test_the_priest_protects_towers_and_ramparts_too(castle):
    game = castle("""
        Ar1 So1 So2 . . .
        . Pr1 . . . .
        . . . . . Ca1
        hand 0: Barbarian, Soldier
    """)
    assert game.play("Barbarian").spaces == {(0, 2), (2, 5)}


@rule("K7", "Priest")
def test_the_priest_does_not_protect_himself(castle):
    game = castle("""
        . . . . . .
        . Pr1 . . . .
        hand 0: Courtier, Soldier
    """)
    game.play("Courtier", (1, 2))
    assert game.hand(1) == ["Priest"]


@rule("K7", "Priest")
def test_a_priest_without_a_pawn_protects_nothing(castle):
    game = castle("""
        . . . . . .
        . Pr Ki Ps1 . .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (2, 2)).spaces == {(1, 1), (1, 2), (1, 3)}


@rule("K7", "Priest", "Knight")
def test_a_covered_priest_protects_and_so_is_a_knight_of_his_colour(castle):
    game = castle("""
        . . . . . .
        . Pr1/Kn1 Ki1 Sp2/Kn1 . .
        . . . Ps2 . .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (2, 2)).spaces == {(1, 1), (1, 3), (2, 3)}
    game = castle("""
        . . . . . .
        . Pr1 Sp2/Kn1 . . .
        . . . . . .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (2, 2)).at((1, 2)) == "Sp2/Kn1"
    assert game.hand(1) == ["Priest"]


@rule("K7", "Priest")
def test_a_priest_outside_protects_nothing(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        outside: Pr1
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (2, 2)).hand(1) == ["King"]


@rule("K7", "Captain")
def test_the_captain_protects_the_other_soldiers_of_his_rampart(castle):
    game = castle("""
        . So1 Ca2 So2 . .
        . . . . . So1
        hand 0: Barbarian, Herald
    """)
    assert game.play("Barbarian").spaces == {(0, 2), (1, 5)}


@rule("K7", "Captain")
def test_a_covered_captain_protects_but_no_knight_among_the_soldiers(castle):
    game = castle("""
        . So1 Ca2/Kn2 So2/Kn1 . .
        hand 0: Barbarian, Herald
    """)
    assert game.play("Barbarian").spaces == {(0, 2), (0, 3)}


@rule("K7", "Captain")
def test_a_captain_outside_protects_nobody(castle):
    game = castle("""
        . So1 So2 . . .
        outside: Ca1
        hand 0: Barbarian, Herald
    """)
    assert game.play("Barbarian").spaces == {(0, 1), (0, 2)}


@rule("K7", "Ambassador")
def test_the_ambassador_is_always_protected(castle):
    game = castle("""
        . . . . . .
        . Am1 Ki2 . . .
        hand 0: Courtier, Soldier
    """)
    assert game.play("Courtier", (2, 2)).hand(2) == ["King"]
    assert game.at((1, 1)) == "Am1"


@rule("K7", "Thief", "Ambassador")
def test_the_pawn_of_a_protected_card_may_be_removed(castle):
    game = castle("""
        . . . . . .
        . Am1 Pr2 Ki2 . .
        hand 0: Thief, Soldier
    """)
    assert game.play("Thief", (2, 2)).spaces == {(1, 1), (1, 2), (1, 3)}
    game.space((1, 1))
    assert game.at((1, 1)) == "Am"


@rule("K7", "Priest", "Lookout")
def test_a_protected_card_cannot_be_moved(castle):
    game = castle("""
        . So1 So2 . . .
        . Pr1 . . . .
        hand 0: Lookout, Herald
    """)
    game.play("Lookout", (5, 5))
    game.space((5, 1))
    assert game.steps[1] == {"do": "move", "at": [0, 2], "to": [5, 1]}


# --- taken back and moved (K6) ---


@rule("K6")
def test_a_card_taken_back_goes_to_the_owner_of_its_pawn(castle):
    for pawn, hand in (("0", 0), ("2", 2)):
        game = castle(f"""
            . . . . . .
            . Ki{pawn} . . . .
            hand 0: Courtier, Soldier
        """)
        game.play("Courtier", (1, 2))
        assert "King" in game.hand(hand)
        assert game.game.supply(2) == 22


@rule("K6", "Lookout")
def test_a_card_is_moved_to_another_free_space_of_its_zone(castle):
    game = castle("""
        . So1 . . . .
        So2 . . . . .
        hand 0: Lookout, Herald
    """)
    game.play("Lookout", (5, 5)).space((0, 1))
    ramparts = {(0, n) for n in range(1, 5)} | {(5, n) for n in range(1, 5)}
    ramparts |= {(n, 0) for n in range(1, 5)} | {(n, 5) for n in range(1, 5)}
    assert game.spaces == ramparts - {(0, 1), (1, 0)}


@rule("K6", "Prince Charming")
def test_a_card_without_a_free_space_in_its_zone_is_no_target(castle):
    game = castle("""
        Wi1 . . . . Lo1
        . Ps1 . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        Ar1 . . . . Al1
        hand 0: Prince Charming, Soldier
    """)
    game.play("Prince Charming", (1, 2))
    assert (0, 0) not in game.spaces
    assert {option[0] for option in game.options} == {"space"}
    assert game.space((4, 4)).at((4, 4)) == "Ps1"


@rule("K6", "Prince Charming")
def test_a_card_outside_is_never_moved(castle):
    game = castle("outside: Qu1, Ps1\nhand 0: Prince Charming, Soldier")
    assert game.play("Prince Charming", (1, 2)).done == ["play", "void"]


@rule("K6", "Prince Charming", "Queen")
def test_conditions_do_not_apply_to_moves_and_effects_do_not_fire(castle):
    game = castle("""
        . . . . . .
        . Ki1 Qu1 . . .
        hand 0: Prince Charming, Soldier
    """)
    game.play("Prince Charming", (3, 3)).space((4, 4))
    assert game.at((4, 4)) == "Qu1"
    assert game.done == ["play", "move"]


@rule("K6", "Knight", "Princess")
def test_a_knight_is_moved_onto_another_pile_of_the_zone_never_to_an_empty_space(castle):
    game = castle("""
        Ar1 So1 . . . .
        . Ki1/Kn2 Qu2 . . .
        outside: Dr1
        hand 0: Princess, Soldier
    """)
    game.play("Princess", (4, 4))
    assert game.spaces == {(1, 2), (4, 4)}
    game.space((4, 4))
    assert (game.at((1, 1)), game.at((4, 4))) == ("Ki1", "Ps0/Kn2")


@rule("K6", "Knight", "Princess")
def test_a_knight_outside_is_moved_among_the_cards_there(castle):
    game = castle("""
        . . . . . .
        outside: Dr1/Kn0, He1
        siege: E SE2
        hand 0: Princess, Soldier
    """)
    game.play("Princess", (4, 4))
    assert game.spaces == {("outside", 1), ("siege", "E")}
    game.space(("siege", "E"))
    assert game.at(("siege", "E")) == "SE2/Kn0"


@rule("K6", "Knight", "Princess")
@pytest.mark.parametrize("where", ["outside: Dr1/Kn2", "siege: N SE1/Kn2"])
def test_a_knight_outside_without_another_card_there_is_no_target(castle, where):
    game = castle(f"""
        . . . . . .
        . Ki1/Kn2 . . . .
        {where}
        hand 0: Princess, Soldier
    """)
    game.play("Princess", (4, 4))
    assert game.at((4, 4)) == "Ps0/Kn2"  # nobody was asked: there was one Knight to move, and one place


# --- the siege (K8) ---


@rule("K8")
@pytest.mark.parametrize("card", ["Soldier", "Captain", "Traitor"])
def test_who_fills_a_rampart_takes_back_the_siege_engine_before_it(castle, card):
    game = castle(f"""
        . So1 So1 . So1 .
        siege: N SE2, E SE1
        hand 0: {card}, Herald
    """)
    game.play(card, (0, 3))
    step = {"do": "take_back", "at": ["siege", "N"], "card": "Siege Engine", "to": 2, "why": "siege"}
    assert game.steps[1] == step
    assert game.at(("siege", "E")) == "SE1"


@rule("K8", "Traitor")
def test_the_siege_comes_before_the_effect_and_does_not_count_as_one(castle):
    game = castle("""
        . So1 So1 . So1 .
        siege: N SE2
        hand 0: Traitor, Herald
    """)
    assert game.play("Traitor", (0, 3)).done == ["play", "take_back", "void"]
    game = castle("""
        . So1 So1 . So1 .
        . . Ki1 . . .
        siege: N SE2
        hand 0: Traitor, Herald
    """)
    game.play("Traitor", (0, 3))
    assert [step["card"] for step in game.steps] == ["Traitor", "Siege Engine", "King"]


@rule("K8", "Soldier")
def test_a_soldier_who_does_not_fill_his_rampart_takes_nothing_back(castle):
    game = castle("""
        . So1 So1 . . .
        siege: N SE2
        hand 0: Soldier, Herald
    """)
    assert game.play("Soldier", (0, 3)).done == ["play"]


@rule("K8", "Knight")
def test_a_siege_engine_under_a_knight_stays(castle):
    game = castle("""
        . So1 So1 . So1 .
        siege: N SE2/Kn2
        hand 0: Soldier, Herald
    """)
    assert game.play("Soldier", (0, 3)).done == ["play"]
    assert game.at(("siege", "N")) == "SE2/Kn2"


@rule("K8", "Siege Engine")
def test_a_siege_engine_may_be_placed_before_a_full_rampart(castle):
    game = castle("""
        . So1 So1 So1 So1 .
        hand 0: Siege Engine, Herald
    """)
    assert game.play("Siege Engine", ("siege", "N")).done == ["play"]


@rule("K8", "Siege Engine")
def test_the_fourth_siege_engine_takes_back_the_soldiers_of_all_ramparts(castle):
    game = castle("""
        Ar1 So1 . . . .
        So Ki1 . . . .
        . . . . . Tr2
        siege: N SE1, E SE1, S SE2/Kn2
        hand 0: Siege Engine, Herald
    """)
    game.play("Siege Engine", ("siege", "W"))
    assert [(step["at"], step["card"], step["to"], step["why"]) for step in game.steps[1:]] == [
        ([0, 1], "Soldier", 1, "siege"),
        ([1, 0], "Soldier", "exchange", "siege"),
        ([2, 5], "Traitor", 2, "siege"),
    ]
    assert (game.at((0, 0)), game.at((1, 1))) == ("Ar1", "Ki1")


@rule("K8", "K7", "Captain")
def test_the_captain_saves_his_soldiers_from_the_siege_and_not_himself(castle):
    game = castle("""
        . So1 Ca1 . . .
        . . . . . So2
        siege: N SE1, E SE1, S SE2
        hand 0: Siege Engine, Herald
    """)
    game.play("Siege Engine", ("siege", "W"))
    assert [step["at"] for step in game.steps[1:]] == [[0, 2], [1, 5]]
    assert game.at((0, 1)) == "So1"


@rule("K8", "K7", "Priest", "Knight")
def test_priest_and_knight_save_soldiers_from_the_siege(castle):
    game = castle("""
        . So1 So2 So2/Kn0 . .
        . Pr1 . . . .
        siege: N SE1, E SE1, S SE2
        hand 0: Siege Engine, Herald
    """)
    game.play("Siege Engine", ("siege", "W"))
    assert [step["at"] for step in game.steps[1:]] == [[0, 2]]


@rule("K8", "Siege Engine")
def test_the_third_siege_engine_takes_nobody_back(castle):
    game = castle("""
        . So1 . . . .
        siege: N SE1, E SE1
        hand 0: Siege Engine, Herald
    """)
    assert game.play("Siege Engine", ("siege", "W")).done == ["play"]


@rule("K8", "Soldier")
def test_a_soldier_may_be_placed_before_four_siege_engines(castle):
    game = castle("""
        . So1 . . . .
        siege: N SE1, E SE1, S SE1, W SE1
        hand 0: Soldier, Herald
    """)
    assert game.play("Soldier", (0, 2)).done == ["play"]


@rule("K8", "K6", "Lookout")
def test_a_soldier_moved_by_the_lookout_may_repel_a_siege_engine(castle):
    game = castle("""
        . So1 So1 So1 . .
        . . . . . So2
        siege: N SE1
        hand 0: Lookout, Herald
    """)
    game.play("Lookout", (5, 5)).space((1, 5), (0, 4))
    assert game.steps[1:] == [
        {"do": "move", "at": [1, 5], "to": [0, 4]},
        {"do": "take_back", "at": ["siege", "N"], "card": "Siege Engine", "to": 1, "why": "siege"},
    ]


@rule("K8", "Lookout")
def test_a_soldier_moved_within_his_rampart_does_not_fill_it(castle):
    game = castle("""
        . So1 So1 So1 . .
        siege: N SE1
        hand 0: Lookout, Herald
    """)
    game.play("Lookout", (5, 5)).space((0, 1), (0, 4))
    assert game.done == ["play", "move"]
