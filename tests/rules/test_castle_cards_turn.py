"""Castle, the card game: the turn, its actions, and how a game ends (rules K4, K9, K13; Herald, Merchant)."""

import pytest

rule = pytest.mark.rule


# --- actions (K4) ---


@rule("K4")
def test_a_turn_has_two_actions_of_three_kinds_the_same_twice_if_one_likes(castle):
    game = castle("""
        hand 0: Soldier, Herald
        hand 1: Archer, Witch
        deck 0: Spy, Thief, Fool
        exchange: Dragon
    """)
    assert game.options == {("draw",), ("give", "Soldier"), ("give", "Herald"), ("play", "Soldier"), ("play", "Herald")}
    game.choose(("draw",), ("draw",))
    assert (game.hand(0), game.game.turn_player) == (["Herald", "Soldier", "Spy", "Thief"], 1)


@rule("K4", "K9")
def test_the_next_player_is_the_left_neighbour(castle):
    game = castle("""
        hand 0: Soldier, Archer
        hand 1: Soldier, Witch
        hand 2: Soldier, Alchemist
        deck 0: Spy, Thief
        deck 1: Queen, Prince
        deck 2: Priest, Mistress
    """)
    for player in (0, 1, 2):
        assert game.game.turn_player == game.game.decider == player
        game.choose(("draw",), ("draw",))
    assert game.game.turn_player == 0


@rule("K4")
def test_a_hand_card_is_exchanged_for_one_of_the_exchange(castle):
    game = castle("""
        hand 0: Soldier, Fool
        exchange: Dragon, Spy
    """)
    game.choose(("give", "Fool"))
    assert game.cards == {"Dragon", "Spy"}
    game.card("Dragon")
    assert (game.hand(0), game.exchange) == (["Dragon", "Soldier"], ["Fool", "Spy"])
    assert game.steps == [{"do": "exchange", "give": "Fool", "take": "Dragon", "legal": 2 * 2 + 16 + 16 + 1}]


@rule("K4")
def test_equal_cards_may_be_exchanged_and_the_card_given_cannot_be_taken(castle):
    game = castle("""
        hand 0: Soldier, Fool
        exchange: Soldier, Spy
    """)
    game.choose(("give", "Soldier"))
    assert game.cards == {"Soldier", "Spy"}
    game.card("Soldier")
    assert (game.hand(0), game.exchange) == (["Fool", "Soldier"], ["Soldier", "Spy"])
    game = castle("hand 0: Soldier, Fool\nexchange: Spy, Thief").choose(("give", "Fool"))
    assert game.cards == {"Spy", "Thief"}


@rule("K4")
def test_an_action_that_cannot_be_done_is_not_available(castle):
    full = "Lo1 . . . . Ma1\n" + ". . . . . .\n" * 4 + "Wi1 . . . . Al1\n"
    game = castle(full + "hand 0: Archer, Lady in Waiting\ndeck 0: Spy, Thief\nexchange: Dragon")
    assert game.options == {("draw",), ("give", "Archer"), ("give", "Lady in Waiting")}
    game = castle("hand 0: Soldier, Herald\ndeck 0: none\nexchange: Dragon")
    assert ("draw",) not in game.options
    assert {option[0] for option in castle("hand 0: Soldier, Herald").options} == {"draw", "play"}


@rule("K4", "K13")
def test_with_no_action_available_the_rest_of_the_turn_lapses(castle):
    game = castle("""
        Lo1 . . . . Ma1
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        Wi1 . . . . Al1
        hand 0: Archer
        deck 0: none
        hand 1: Soldier, Dragon
        hand 2: Soldier
    """)
    assert game.steps[0] == {"do": "pass"}
    assert game.game.turn_player == 1


@rule("K4", "K13")
def test_the_second_action_lapses_too_if_there_is_none(castle):
    game = castle("""
        . . . . . .
        . . . . . .
        hand 0: Lady in Waiting, King's Counselor, Soldier
        deck 0: none
        hand 1: Soldier, Dragon
    """)
    game.play("Soldier", (0, 1))
    assert game.done == ["play", "pass"]
    assert game.game.turn_player == 1


@rule("K13")
def test_legal_counts_cards_with_spaces_and_cards_given_with_cards_taken(castle):
    game = castle("""
        . So1 . . . .
        hand 0: Knight, Archer, Soldier, Soldier, Dragon
        exchange: Spy, Thief, Soldier, Soldier
        siege: N SE1
    """)
    game.choose(("draw",))
    plays = {"Knight": 2, "Archer": 4, "Soldier": 15, "Dragon": 1}
    assert game.steps[0] == {"do": "draw", "card": "Soldier", "legal": 1 + 4 * 3 + sum(plays.values())}


# --- the end (K9) ---


@rule("K9")
def test_who_has_neither_hand_nor_deck_wins_at_once(castle):
    game = castle("""
        hand 0: Soldier
        deck 0: none
    """)
    game.space((0, 1))
    assert (game.game.end, list(game.game.winners), list(game.game.returns)) == ("empty", [0], [1.0, -0.5, -0.5])
    assert game.options == set()


@rule("K9")
def test_who_has_an_empty_hand_and_a_deck_does_not_win(castle):
    game = castle("hand 0: Soldier, Herald\nhand 1: Spy, Thief")
    game.play("Soldier", (0, 1)).play("Herald")
    assert (game.hand(0), game.game.end) == ([], None)


@rule("K9", "Soldier", "K8")
def test_who_takes_back_his_own_siege_engine_with_his_last_card_does_not_win(castle):
    game = castle("""
        . So1 So1 So1 . .
        siege: N SE0
        hand 0: Soldier
        deck 0: none
        hand 1: Spy, Thief
    """)
    game.space((0, 4))
    assert (game.hand(0), game.game.end) == (["Siege Engine"], None)


@rule("K9")
def test_the_effect_of_the_last_card_is_carried_out_before_anybody_wins(castle):
    game = castle("""
        . . . . . .
        . Ki0 Qu1 . . .
        hand 0: Courtier
        deck 0: none
        hand 1: Spy, Thief
    """)
    game.space((2, 1))
    assert game.spaces == {(1, 1), (1, 2)}
    assert game.game.end is None
    game.space((1, 2))
    assert (game.game.end, list(game.game.winners)) == ("empty", [0])


@rule("K9", "Fool")
def test_every_player_is_checked_after_a_card_was_played(castle):
    game = castle("""
        . . . . . .
        hand 0: Fool
        deck 0: Spy
        hand 1: Thief
        deck 1: none
        hand 2: none
    """)
    game.play("Fool", (1, 1))
    assert game.steps[1:] == [{"do": "give", "from": 1, "to": 2, "card": "Thief"}]
    assert (game.game.end, list(game.game.winners)) == ("empty", [1])


@rule("K9", "Fool")
def test_if_several_are_out_of_cards_the_active_player_wins_then_the_next_clockwise(castle):
    game = castle("""
        hand 0: Thief
        deck 0: none
        hand 1: none
        deck 1: Spy
        hand 2: Fool
        deck 2: none
        turn: 2, 2 left
    """)
    game.play("Fool", (1, 1))
    assert list(game.game.winners) == [2]
    game = castle(
        """
        hand 0: Priest
        deck 0: none
        hand 1: Fool
        deck 1: Spy
        hand 2: Prince
        deck 2: none
        hand 3: none
        deck 3: none
        turn: 1, 2 left
    """,
        players=4,
    )
    game.play("Fool", (1, 1))
    assert list(game.game.winners) == [2]


@rule("K9", "King's Counselor")
def test_the_effect_of_the_card_that_the_counselor_plays_belongs_to_his_play(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        outside: Dr0, He1
        exchange: Archer
        hand 0: King's Counselor
        hand 1: Spy
        deck 0: none
    """)
    game.play("King's Counselor", (2, 2)).space((0, 0))
    assert game.game.end is None
    game.space(("outside", 1))
    assert (game.game.end, list(game.game.winners)) == ("empty", [0])


@rule("K9", "King", "Mistress")
def test_the_part_of_the_mistress_comes_before_the_check(castle):
    game = castle("""
        . So0 So1 . . .
        . Ms1 . . . .
        outside: He1
        hand 0: King
        hand 1: Spy
        deck 0: none
    """)
    game.space((3, 3), (0, 2), (0, 1))
    assert (game.game.end, game.hand(0)) == (None, ["Soldier"])


@rule("K9", "Merchant")
def test_the_further_action_of_the_merchant_comes_after_the_check(castle):
    game = castle("""
        hand 0: Merchant
        deck 0: none
        exchange: Spy
    """)
    game.play("Merchant", (1, 1))
    assert (game.game.end, list(game.game.winners), game.done) == ("empty", [0], ["play", "void"])


LAST_TOWER = """
    Ma1 . . . . Wi1
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    Al1 . . . . .
"""


@rule("K9")
@pytest.mark.parametrize(
    "hands, winners, returns",
    [
        (("Lookout, Lady in Waiting", "Archer, King's Counselor", "Ambassador"), [0, 2], [0.5, -1.0, 0.5]),
        (("Lookout, Lady in Waiting, Archer", "King's Counselor", "Ambassador, Ghost"), None, None),
        (("Lookout, Lady in Waiting, Archer", "King's Counselor", "Ambassador, Mistress"), None, None),
        (("Lookout, Lady in Waiting, Archer", "King's Counselor", "Ambassador, Soldier"), None, None),
        (("Lookout, Lady in Waiting", "Archer", "Ambassador"), [0, 1, 2], [0.0, 0.0, 0.0]),
        (("Lookout, Lady in Waiting, Archer", "King's Counselor", "none"), [2], [-0.5, -0.5, 1.0]),
    ],
)
def test_when_no_card_could_be_played_by_anybody_the_fewest_hand_cards_win(castle, hands, winners, returns):
    cards = "".join(f"hand {player}: {hand}\ndeck {player}: none\n" for player, hand in enumerate(hands))
    cards = cards.replace("none\ndeck 2: none", "none\ndeck 2: Ambassador")  # else the game were over
    game = castle(LAST_TOWER + cards).play("Lookout", (5, 5))
    assert game.game.end == (None if winners is None else "stalled")
    assert (list(game.game.winners), list(game.game.returns)) == (winners or [], returns or [0.0, 0.0, 0.0])


@rule("K9")
@pytest.mark.parametrize("where", ["exchange", "deck 1"])
def test_a_card_that_fits_keeps_a_game_from_being_stalled(castle, where):
    cards = "hand 0: Lookout, Lady in Waiting\nhand 1: Archer, Ambassador\nhand 2: King's Counselor\n"
    decks = "".join(f"deck {player}: none\n" for player in range(3) if where != f"deck {player}")
    game = castle(f"{LAST_TOWER}{cards}{decks}{where}: Soldier, Soldier").play("Lookout", (5, 5))
    assert game.game.end is None


@rule("K9")
def test_after_200_turns_without_a_card_played_the_fewest_hand_cards_win(castle):
    position = """
        hand 0: Soldier, Archer
        hand 1: Witch
        hand 2: Herald, Alchemist
        deck 0: Spy, Thief
        quiet: {}
    """
    game = castle(position.format(199)).choose(("draw",), ("draw",))
    assert (game.game.end, list(game.game.winners), list(game.game.returns)) == ("quiet", [1], [-0.5, 1.0, -0.5])
    assert game.options == set()
    assert castle(position.format(198)).choose(("draw",), ("draw",)).game.end is None
    game = castle(position.format(199)).choose(("draw",)).play("Soldier", (0, 1))
    assert game.game.end is None


# --- the Herald ---


@rule("Herald", "King")
def test_under_the_herald_the_king_must_be_the_first_action_of_a_turn(castle):
    game = castle("""
        outside: He1
        hand 0: King, Soldier, Archer
        exchange: Spy
    """)
    assert game.game.phase == "place"
    assert len(game.spaces) == 16
    game.space((1, 1))
    assert game.steps[0] == {"do": "play", "card": "King", "at": [1, 1], "legal": 16}


@rule("Herald")
def test_a_covered_herald_counts(castle):
    assert castle("outside: He1/Kn1\nhand 0: King, Soldier").game.phase == "place"


@rule("Herald")
def test_the_herald_wants_nothing_of_the_second_action(castle):
    game = castle("""
        outside: He1
        hand 0: King, Soldier, Archer
        turn: 0, 1 left
    """)
    assert game.plays == {"King", "Soldier", "Archer"}


@rule("Herald")
def test_a_turn_that_began_without_the_herald_knows_no_duty(castle):
    game = castle("hand 0: King, Soldier, Herald, Archer")
    assert game.plays == {"King", "Soldier", "Herald", "Archer"}
    assert game.play("Herald").plays == {"King", "Soldier", "Archer"}


@rule("Herald", "King")
def test_there_is_no_duty_while_the_king_cannot_be_placed(castle):
    game = castle("""
        . . . . . .
        . Me1 Qu1 Ps1 Pi1 .
        . Sp1 Th1 Fo1 VI1 .
        . Pr1 LW1 Cr1 As1 .
        . KC1 Ms1 PC1 BK1 .
        outside: He1
        hand 0: King, Soldier, Archer
    """)
    assert game.plays == {"Soldier", "Archer"}


@rule("Herald")
def test_who_does_not_hold_the_king_has_no_duty(castle):
    game = castle("""
        outside: He0
        hand 0: Soldier, Archer
        hand 1: King, Soldier
    """)
    assert game.plays == {"Soldier", "Archer"}


# --- the Merchant's further action ---


@rule("Merchant")
def test_the_merchant_brings_a_third_action(castle):
    game = castle("""
        hand 0: Merchant, Soldier
        hand 1: Archer, Witch
        deck 0: Spy, Thief, Fool
    """)
    game.play("Merchant", (1, 1)).choose(("draw",), ("draw",))
    assert (game.done, game.game.turn_player) == (["play", "void", "draw", "draw"], 1)


@rule("Merchant", "K4")
def test_the_merchant_as_second_action_brings_one_more(castle):
    game = castle("""
        hand 0: Merchant, Soldier
        hand 1: Archer, Witch
        deck 0: Spy, Thief, Fool
        turn: 0, 1 left
    """)
    game.play("Merchant", (1, 1)).choose(("draw",))
    assert (game.done, game.game.turn_player) == (["play", "void", "draw"], 1)


@rule("Merchant", "King's Counselor")
def test_a_merchant_whom_the_counselor_plays_brings_one_more_action(castle):
    game = castle("""
        . . . . . .
        . Ki0 . . . .
        hand 0: King's Counselor, Soldier
        hand 1: Archer, Witch
        deck 0: Spy, Thief, Fool
        exchange: Merchant
        turn: 0, 1 left
    """)
    game.play("King's Counselor", (2, 2)).space((4, 4)).choose(("draw",))
    assert game.done == ["play", "play", "void", "draw"]
    assert game.game.turn_player == 1


@rule("Merchant", "K4", "K13")
def test_the_further_action_lapses_if_there_is_none(castle):
    game = castle("""
        hand 0: Merchant, Ambassador
        hand 1: Archer, Witch
        deck 0: none
        turn: 0, 1 left
    """)
    assert game.at((1, 1)) == "."
    game.space((1, 1))
    assert (game.done, game.game.turn_player) == (["play", "void", "pass"], 1)
