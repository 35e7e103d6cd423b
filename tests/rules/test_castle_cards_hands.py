"""Castle, the card game: effects on hands and the exchange, and what players know (K10 to K12)."""

from collections import Counter

import pytest

rule = pytest.mark.rule


def known(game, observer, holder):
    """Return what an observer knows to be in a hand, as a dict."""
    return dict(+Counter(game.game.known[observer][holder]))


@rule("Alchemist")
def test_the_alchemist_swaps_two_hand_cards_with_two_of_the_exchange(castle):
    game = castle("""
        hand 0: Alchemist, Spy, Fool, Herald
        exchange: Dragon, Queen, Soldier
    """)
    game.play("Alchemist", (0, 0))
    assert game.cards == {"Spy", "Fool", "Herald"}
    game.card("Herald", "Spy")
    assert game.cards == {"Dragon", "Queen", "Soldier"}
    game.card("Queen")
    assert game.cards == {"Dragon", "Soldier"}
    game.card("Dragon")
    assert (game.hand(0), game.exchange) == (["Dragon", "Fool", "Queen"], ["Herald", "Soldier", "Spy"])
    assert game.steps[1] == {"do": "swap", "give": ["Herald", "Spy"], "take": ["Queen", "Dragon"]}


@rule("Alchemist")
@pytest.mark.parametrize(
    "hand, exchange, swapped",
    [("Spy", "Dragon, Queen", 1), ("Spy, Fool", "Dragon", 1), ("Spy, Fool", "Dragon, Queen", 2)],
)
def test_the_alchemist_swaps_as_many_as_both_have(castle, hand, exchange, swapped):
    game = castle(f"hand 0: Alchemist, {hand}\nexchange: {exchange}").play("Alchemist", (0, 0))
    while game.game.phase == "effect":
        game.choose(min(game.options))
    assert [len(game.steps[1][key]) for key in ("give", "take")] == [swapped, swapped]


@rule("Alchemist")
@pytest.mark.parametrize("rest", ["hand 0: Alchemist\nexchange: Dragon", "hand 0: Alchemist, Soldier"])
def test_the_alchemist_does_nothing_with_an_empty_hand_or_an_empty_exchange(castle, rest):
    game = castle(rest).play("Alchemist", (0, 0))
    assert game.steps[1] == {"do": "void", "of": "Alchemist"}


@rule("Courtesan", "K11")
def test_the_courtesan_takes_a_random_card_and_gives_one_of_choice(castle):
    game = castle("""
        hand 0: Courtesan, Soldier, Herald
        hand 1: Spy, Fool
        hand 2: Queen
        exchange: Dragon
    """)
    game.play("Courtesan", (1, 1))
    assert game.options == {("player", 1), ("player", 2)}
    game.choose(("player", 1))
    (stolen,) = game.cards - {"Soldier", "Herald"}
    assert stolen in ("Spy", "Fool")
    game.card("Herald")
    assert game.steps[1] == {"do": "steal", "from": 1, "card": stolen, "give": "Herald"}
    assert game.hand(0) == sorted(["Soldier", stolen])
    assert game.hand(1) == sorted(["Herald", *{"Spy", "Fool"} - {stolen}])


@rule("Courtesan")
def test_the_card_taken_may_be_given_back(castle):
    game = castle("""
        hand 0: Courtesan, Soldier
        hand 1: Knight, Knight
        hand 2: none
        exchange: Dragon
    """)
    game.play("Courtesan", (1, 1)).card("Knight")
    assert game.steps[1] == {"do": "steal", "from": 1, "card": "Knight", "give": "Knight"}
    assert game.hand(1) == ["Knight", "Knight"]


@rule("Courtesan")
@pytest.mark.parametrize("hands", ["hand 0: Courtesan\nhand 1: Spy", "hand 0: Courtesan, Soldier"])
def test_the_courtesan_does_nothing_with_an_empty_hand_or_against_empty_hands(castle, hands):
    game = castle(f"{hands}\nexchange: Dragon").play("Courtesan", (1, 1))
    assert game.steps[1] == {"do": "void", "of": "Courtesan"}


@rule("Fool", "K12")
def test_the_fool_has_all_players_pass_a_card_of_their_choice_to_the_left(castle):
    game = castle("""
        hand 0: Spy, Thief
        hand 1: Fool, Queen, King
        hand 2: Dragon, Fairy
        turn: 1, 1 left
    """)
    game.play("Fool", (1, 1))
    asked = []
    for card in ("King", "Fairy", "Spy"):
        asked.append((game.game.decider, game.game.turn_player))
        assert [game.hand(player) for player in range(3)] == [["Spy", "Thief"], ["King", "Queen"], ["Dragon", "Fairy"]]
        game.card(card)
    assert asked == [(1, 1), (2, 1), (0, 1)]
    assert game.steps[1:4] == [
        {"do": "give", "from": 1, "to": 2, "card": "King"},
        {"do": "give", "from": 2, "to": 0, "card": "Fairy"},
        {"do": "give", "from": 0, "to": 1, "card": "Spy"},
    ]
    assert [game.hand(player) for player in range(3)] == [["Fairy", "Thief"], ["Queen", "Spy"], ["Dragon", "King"]]


@rule("Fool")
def test_empty_hands_give_nothing_to_the_fool(castle):
    game = castle("""
        hand 0: Fool
        hand 1: Queen
        exchange: Dragon
    """)
    game.play("Fool", (1, 1))
    assert game.steps[1] == {"do": "give", "from": 1, "to": 2, "card": "Queen"}
    assert game.done[2] != "give"


@rule("Fool", "Village Idiot")
@pytest.mark.parametrize("card", ["Fool", "Village Idiot"])
def test_with_all_hands_empty_nothing_is_passed(castle, card):
    game = castle(f"hand 0: {card}").play(card, (1, 1))
    assert game.steps[1] == {"do": "void", "of": card}


@rule("Village Idiot", "K11")
def test_the_village_idiot_has_each_draw_a_card_from_the_right_neighbour(castle):
    game = castle("""
        hand 0: Soldier, Soldier
        hand 1: Village Idiot, Knight, Knight
        hand 2: Siege Engine, Siege Engine
        turn: 1, 1 left
    """)
    game.play("Village Idiot", (1, 1))
    assert game.steps[1:4] == [
        {"do": "give", "from": 1, "to": 2, "card": "Knight", "chance": True},
        {"do": "give", "from": 2, "to": 0, "card": "Siege Engine", "chance": True},
        {"do": "give", "from": 0, "to": 1, "card": "Soldier", "chance": True},
    ]
    assert [len(game.hand(player)) for player in range(3)] == [2, 2, 2]


@rule("Village Idiot")
def test_the_village_idiot_draws_from_the_hands_as_they_were(castle):
    game = castle("""
        hand 0: Village Idiot, Soldier, Soldier
        hand 1: none
        hand 2: Spy
    """)
    game.play("Village Idiot", (1, 1))
    assert [(step["from"], step["card"]) for step in game.steps[1:3]] == [(0, "Soldier"), (2, "Spy")]
    assert game.hand(1) == ["Soldier"]


@rule("Witch")
def test_a_player_of_ones_choice_takes_a_card_of_the_exchange(castle):
    game = castle("""
        hand 0: Witch, Soldier
        exchange: Dragon, Queen
    """)
    game.play("Witch", (0, 0))
    assert game.options == {("player", 0), ("player", 1), ("player", 2)}
    game.choose(("player", 2))
    assert (game.cards, game.game.decider) == ({"Dragon", "Queen"}, 0)
    game.card("Queen")
    assert game.steps[1] == {"do": "award", "to": 2, "card": "Queen"}
    assert (game.hand(2), game.exchange) == (["Queen"], ["Dragon"])


@rule("Witch")
def test_the_witch_does_nothing_with_an_empty_exchange(castle):
    assert castle("hand 0: Witch, Soldier").play("Witch", (0, 0)).done[:2] == ["play", "void"]


@rule("King's Counselor")
def test_the_counselor_plays_a_card_of_the_exchange_without_a_pawn(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 . . . .
        hand 0: King's Counselor, Soldier
        exchange: Archer, Spy, Lady in Waiting
        outside: Dr2
    """)
    game.play("King's Counselor", (2, 2))
    assert game.cards == {"Archer", "Spy"}
    game.card("Archer")
    assert (game.game.phase, game.spaces) == ("place", {(0, 0), (0, 5), (5, 0), (5, 5)})
    game.space((0, 0))
    assert game.steps[1:] == [
        {"do": "play", "card": "Archer", "at": [0, 0], "from": "exchange"},
        {"do": "take_back", "at": ["outside", 0], "card": "Dragon", "to": 2},
    ]
    assert (game.at((0, 0)), game.exchange) == ("Ar", ["Lady in Waiting", "Spy"])


@rule("King's Counselor")
def test_the_counselor_does_nothing_if_no_card_of_the_exchange_fits(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: King's Counselor, Soldier
        exchange: Lady in Waiting, Ambassador
    """)
    assert game.play("King's Counselor", (2, 2)).done == ["play", "void"]


@rule("King's Counselor", "Prince", "King")
def test_the_effect_of_a_card_from_the_exchange_is_the_players(castle):
    game = castle("""
        . . . . . .
        . Pi1 . . . .
        hand 0: King's Counselor, Soldier
        exchange: King, Lady in Waiting
    """)
    game.play("King's Counselor", (2, 2)).space((4, 4))
    assert (game.game.decider, game.spaces) == (0, {(1, 1), (2, 2)})


@rule("King's Counselor", "Courtesan", "Witch")
def test_a_card_without_a_pawn_still_works_for_the_player_of_the_turn(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: King's Counselor, Soldier
        exchange: Witch, Lady in Waiting
    """)
    game.play("King's Counselor", (2, 2)).space((0, 0))
    assert game.options == {("player", 0), ("player", 1), ("player", 2)}
    game.choose(("player", 0))
    assert game.steps[2] == {"do": "award", "to": 0, "card": "Lady in Waiting"}


# --- what players know (K10) ---


@rule("K10")
def test_a_card_taken_back_is_known_to_everybody(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: Courtier, Soldier
        hand 1: Spy
    """)
    game.play("Courtier", (1, 2))
    assert [known(game, observer, 1) for observer in range(3)] == [{"King": 1}, {"King": 1, "Spy": 1}, {"King": 1}]


@rule("K10")
def test_a_card_of_the_exchange_is_known_until_it_is_given_or_played(castle):
    game = castle("""
        hand 0: Soldier, Soldier, Spy
        hand 1: Archer, Witch
        exchange: Dragon, Knight
        deck 0: Thief, Queen
    """)
    game.choose(("give", "Spy"), ("card", "Dragon"))
    assert (known(game, 1, 0), known(game, 2, 0)) == ({"Dragon": 1}, {"Dragon": 1})
    game.play("Dragon")
    assert known(game, 1, 0) == {}


@rule("K10")
def test_equal_cards_exchanged_leave_the_one_taken_known(castle):
    game = castle("hand 0: Soldier, Spy\nexchange: Soldier, Fool")
    game.choose(("give", "Soldier"), ("card", "Soldier"))
    assert known(game, 1, 0) == {"Soldier": 1}


@rule("K10")
def test_a_card_drawn_from_the_own_deck_is_known_to_nobody_else(castle):
    game = castle("hand 0: Soldier, Spy\ndeck 0: Queen, King").choose(("draw",))
    assert (known(game, 1, 0), known(game, 0, 0)) == ({}, {"Soldier": 1, "Spy": 1, "Queen": 1})


@rule("K10", "Fool")
def test_a_card_passed_is_known_to_giver_and_taker_and_others_know_less(castle):
    game = castle("""
        . . . . . .
        . . Ki1 Qu1 . .
        hand 0: Courtier, Fool, Soldier
        hand 1: Spy, Thief
        hand 2: Dragon, Fairy
    """)
    game.play("Courtier", (1, 1))
    assert known(game, 2, 1) == {"King": 1}
    game.play("Fool", (3, 3)).card("Thief", "Dragon")
    assert [step["card"] for step in game.steps[-3:]] == ["Soldier", "Thief", "Dragon"]
    assert known(game, 0, 1) == {"Soldier": 1}  # the King may have left the hand
    assert known(game, 2, 1) == {"King": 1}  # it saw the Thief leave
    assert known(game, 1, 2) == {"Thief": 1}
    assert known(game, 0, 2) == {}
    assert known(game, 2, 0) == {"Dragon": 1}
    assert known(game, 1, 0) == {}


@rule("K10", "Courtesan")
def test_a_card_stolen_and_the_one_given_are_known_to_both_sides_only(castle):
    game = castle("""
        hand 0: Courtesan, Soldier, Spy
        hand 1: Knight, Knight
        exchange: Dragon
    """)
    game.play("Courtesan", (1, 1)).card("Spy")
    assert (known(game, 1, 0), known(game, 0, 1)) == ({"Knight": 1}, {"Spy": 1})
    assert (known(game, 2, 0), known(game, 2, 1)) == ({}, {})


@rule("K10", "Witch")
def test_a_card_awarded_is_known_to_everybody(castle):
    game = castle("hand 0: Witch, Soldier\nexchange: Dragon").play("Witch", (0, 0)).choose(("player", 1))
    assert (known(game, 0, 1), known(game, 2, 1)) == ({"Dragon": 1}, {"Dragon": 1})


@rule("K10", "Alchemist")
def test_cards_swapped_are_known_to_everybody(castle):
    game = castle("hand 0: Alchemist, Soldier, Spy, King\nexchange: Dragon, Queen").play("Alchemist", (0, 0))
    game.card("Soldier", "Spy", "Dragon")
    assert known(game, 1, 0) == {"Dragon": 1, "Queen": 1}
