"""Castle, the card game: the board, the cards, the deal, and where each card may be played (rules K1 to K3, K5)."""

import pytest

from tests.support.castle_cards.reference.board import (
    COURT,
    DEALT,
    GRID,
    OUTSIDE,
    PAWNS,
    RAMPART,
    SLOTS,
    TOWER,
    ZONE,
    list_cards,
    neighbours,
    zone_of,
)

rule = pytest.mark.rule

COURT_SPACES = {(row, col) for row in range(1, 5) for col in range(1, 5)}
TOWERS = {(0, 0), (0, 5), (5, 0), (5, 5)}
RAMPARTS = set(GRID) - COURT_SPACES - TOWERS
ANYWHERE_IN_COURT = [
    "Merchant", "King", "Minstrel", "Courtesan", "Queen", "Princess", "Prince", "Conspirator", "Spy", "Thief", "Fool",
    "Village Idiot", "Priest", "Courtier", "Assassin", "Mistress", "Prince Charming", "Black Knight",
]  # fmt: skip


@rule("K1")
def test_four_towers_four_ramparts_and_a_courtyard():
    assert [sum(zone_of(space) == zone for space in GRID) for zone in (TOWER, RAMPART, COURT)] == [4, 16, 16]
    assert {zone_of(slot) for slot in SLOTS} == {zone_of(("outside", 3))} == {OUTSIDE}


@rule("K1")
def test_a_corner_of_the_courtyard_touches_eight_spaces():
    near = [zone_of(space) for space in neighbours((1, 1))]
    assert [near.count(zone) for zone in (TOWER, RAMPART, COURT)] == [1, 4, 3]


@rule("K1", "Courtier")
def test_neighbours_are_adjacent_across_zones_and_diagonally(castle):
    game = castle("""
        Al1 So1 So1 . . .
        So1 . Ki1 . . .
        . Qu1 Sp1 So1 . .
        hand 0: Courtier, Herald
        outside: Dr1
    """)
    game.play("Courtier", (1, 1))
    assert game.spaces == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2)}


@rule("K1", "Courtier")
def test_nothing_outside_is_adjacent_to_anything(castle):
    game = castle("""
        outside: Dr1
        siege: N SE1, W SE1
        hand 0: Courtier, Herald
    """)
    assert game.play("Courtier", (1, 1)).done == ["play", "void"]


@rule("K2")
def test_56_cards_of_37_kinds_lie_in_the_box():
    cards = list_cards(3)
    assert (len(cards), len(set(cards))) == (56, 37)
    assert [sum(ZONE[card] == zone for card in cards) for zone in (TOWER, RAMPART, COURT, OUTSIDE)] == [6, 15, 21, 10]
    assert [cards.count(card) for card in ("Soldier", "Siege Engine", "Knight")] == [13, 5, 4]


@rule("K2")
@pytest.mark.parametrize("card", ANYWHERE_IN_COURT)
def test_a_card_of_the_courtyard_goes_to_an_empty_space_there(castle, card):
    game = castle(f"""
        . . . . . .
        . Am1 . . . .
        exchange: Soldier
        hand 0: {card}, Lookout
    """)
    game.choose(("play", card))
    assert game.spaces == COURT_SPACES - {(1, 1)}


@rule("K2")
@pytest.mark.parametrize("card", ["Lookout", "Magician", "Archer", "Witch", "Alchemist"])
def test_a_card_of_the_towers_goes_to_an_empty_tower(castle, card):
    game = castle(f"Gh1 . . . . .\nhand 0: {card}, Herald")
    game.choose(("play", card))
    assert game.spaces == TOWERS - {(0, 0)}


@rule("K2", "Soldier", "Captain", "Traitor")
@pytest.mark.parametrize("card", ["Soldier", "Captain", "Traitor"])
def test_a_soldier_goes_to_an_empty_space_of_a_rampart(castle, card):
    game = castle(f". So1 So1 . . .\nhand 0: {card}, Herald")
    game.choose(("play", card))
    assert game.spaces == RAMPARTS - {(0, 1), (0, 2)}


@rule("K2")
@pytest.mark.parametrize("card", ["Barbarian", "Fairy", "Enchanter", "Dragon", "Herald"])
def test_the_outside_has_room_for_all(castle, card):
    rest = [name for name in ("Barbarian", "Fairy", "Enchanter", "Dragon", "Herald") if name != card]
    shorts = {"Barbarian": "Ba1", "Fairy": "Fa1", "Enchanter": "En1", "Dragon": "Dr1", "Herald": "He1"}
    game = castle(f"outside: {', '.join(shorts[name] for name in rest)}\nhand 0: {card}, Soldier")
    assert game.play(card).at(("outside", 4)) == shorts[card].replace("1", "0")


@rule("K2")
@pytest.mark.parametrize("card", ["Lookout", "Magician", "Archer", "Witch", "Alchemist"])
def test_a_card_without_an_empty_space_cannot_be_played(castle, card):
    others = {"Gh": "Ghost", "Lo": "Lookout", "Ma": "Magician", "Ar": "Archer", "Wi": "Witch", "Al": "Alchemist"}
    a, b, c, d = [short for short, name in others.items() if name != card][:4]
    picture = f"{a}1 . . . . {b}1\n" + ". . . . . .\n" * 4 + f"{c}1 . . . . {d}1\nhand 0: {card}, Herald"
    assert castle(picture).plays == {"Herald"}


@rule("K2", "Knight")
def test_a_knight_lies_on_any_uncovered_card_and_never_on_an_empty_space(castle):
    game = castle("""
        Ar1 So1/Kn2 . . . .
        . Am1 Ki0 . . .
        outside: Dr
        siege: N SE1
        hand 0: Knight, Soldier
    """)
    game.choose(("play", "Knight"))
    assert game.spaces == {(0, 0), (0, 1), (1, 1), (1, 2), ("outside", 0), ("siege", "N")}
    game.space((0, 1))
    assert game.at((0, 1)) == "So1/Kn2/Kn0"


@rule("K2", "Knight")
def test_a_knight_cannot_be_played_while_nothing_lies_there(castle):
    assert castle("hand 0: Knight, Soldier").plays == {"Soldier"}


@rule("K2", "Siege Engine")
def test_a_siege_engine_goes_before_a_rampart_without_one(castle):
    game = castle("siege: N SE1, S SE1/Kn0\nhand 0: Siege Engine, Soldier")
    game.choose(("play", "Siege Engine"))
    assert game.spaces == {("siege", "E"), ("siege", "W")}


@rule("K2", "Siege Engine")
def test_a_fifth_siege_engine_cannot_be_played(castle):
    game = castle("siege: N SE1, E SE1, S SE1, W SE1\nhand 0: Siege Engine, Soldier")
    assert game.plays == {"Soldier"}


@rule("K3")
@pytest.mark.parametrize("players", DEALT)
def test_all_cards_are_dealt(players):
    hand, deck, exchange = DEALT[players]
    assert players * (hand + deck) + exchange == (54 if players == 2 else 56)
    assert ("Fool" in list_cards(players), "Village Idiot" in list_cards(players)) == (players > 2, players > 2)


@rule("K3")
def test_a_pawn_lies_on_the_card_played_and_comes_back_with_it(castle):
    game = castle("""
        . . . . . .
        . Ki1 . . . .
        hand 0: Courtier, Herald
    """)
    assert [game.game.supply(player) for player in range(3)] == [PAWNS[0], PAWNS[1] - 1, PAWNS[2]]
    game.play("Courtier", (1, 2))
    assert (game.at((1, 2)), game.at((1, 1))) == ("Cr0", ".")
    assert [game.game.supply(player) for player in range(3)] == [PAWNS[0] - 1, PAWNS[1], PAWNS[2]]


THIRTEEN_PURPLE = """
    . . . . . .
    . Ki4 Qu4 Ps4 Pi4 .
    . Sp4 Th4 Fo4 VI4 .
    . LW4 Cr4 As4 KC4 .
    . Ms4 {} . . .
"""


@rule("K3")
def test_a_player_without_a_pawn_left_places_cards_without_one(castle):
    game = castle(
        THIRTEEN_PURPLE.format("PC4") + "outside: Dr4\nhand 4: Lookout, Archer\nturn: 4, 2 left\nhand 0: Witch, Ghost",
        players=5,
    )
    assert game.game.supply(4) == 0
    game.play("Archer", (0, 0))
    assert (game.at((0, 0)), game.game.supply(4)) == ("Ar", 1)
    game.play("Lookout", (5, 5))
    assert (game.at((5, 5)), game.game.supply(4)) == ("Lo4", 0)


@rule("K3", "Merchant")
@pytest.mark.parametrize("outside, done", [("Dr4", "void"), ("Dr", "pawns")])
def test_the_merchant_replaces_pawns_as_long_as_there_are_own_ones(castle, outside, done):
    rest = f"outside: {outside}\nsiege: N SE1, E SE1\nhand 4: Merchant, Archer\nturn: 4, 2 left"
    game = castle(THIRTEEN_PURPLE.format(".") + rest, players=5)
    game.play("Merchant", (4, 4))
    if game.game.phase == "effect":
        game.space(("siege", "E"))
    assert (game.done[1], game.game.supply(4)) == (done, 0)
    assert game.at(("siege", "N")) == "SE1"


# --- conditions (K5) ---


@rule("K5", "Ambassador")
def test_the_ambassador_goes_to_the_last_free_space_of_the_courtyard(castle):
    game = castle("""
        . . . . . .
        . Ki1 Qu1 Ps1 Pi1 .
        . Sp1 Th1 Fo1 VI1 .
        . Pr1 LW1 Cr1 As1 .
        . KC1 Ms1 PC1 . .
        hand 0: Ambassador, Herald
    """)
    assert game.play("Ambassador", (4, 4)).at((4, 4)) == "Am0"
    assert game.done == ["play"]


@rule("K5", "Ambassador")
def test_the_ambassador_cannot_be_played_while_two_spaces_are_free_or_none(castle):
    court = ["Ki1 Qu1 Ps1 Pi1", "Sp1 Th1 Fo1 VI1", "Pr1 LW1 Cr1 As1", "KC1 Ms1 {} {}"]
    for last in ((".", "."), ("PC1", "BK1")):
        rows = ". . . . . .\n" + "\n".join(f". {row} ." for row in court).format(*last)
        assert castle(f"{rows}\nhand 0: Ambassador, Herald").plays == {"Herald"}


@rule("K5", "King's Counselor")
def test_the_counselor_goes_next_to_the_king(castle):
    game = castle("""
        . So1 . . . .
        . Ki1 Qu1 . Pi1 .
        . . . . . .
        hand 0: King's Counselor, Herald
    """)
    game.choose(("play", "King's Counselor"))
    assert game.spaces == {(2, 1), (2, 2)}


@rule("K5", "King's Counselor", "Prince")
def test_the_counselor_goes_next_to_the_prince_without_a_king(castle):
    for outside in ("Dr1", "Ki1"):
        game = castle(f"""
            . . . . . .
            . Pi1 . . . .
            outside: {outside}
            hand 0: King's Counselor, Herald
        """)
        game.choose(("play", "King's Counselor"))
        assert game.spaces == {(1, 2), (2, 1), (2, 2)}


@rule("K5", "King's Counselor", "Prince")
def test_the_counselor_cannot_be_played_without_king_and_prince_in_the_courtyard(castle):
    assert castle("hand 0: King's Counselor, Herald").plays == {"Herald"}
    assert castle("outside: Ki1, Pi1\nhand 0: King's Counselor, Herald").plays == {"Herald"}


@rule("K5", "King's Counselor", "Knight")
def test_a_covered_king_counts(castle):
    game = castle("""
        . . . . . .
        . Ki1/Kn1 Qu1 . . .
        . Sp1 . . . .
        hand 0: King's Counselor, Herald
    """)
    assert game.play("King's Counselor", (2, 2)).at((2, 2)) == "KC0"


@rule("K5", "Queen")
def test_the_queen_goes_next_to_the_king_if_he_is_in_the_courtyard(castle):
    game = castle("""
        . . . . . .
        . Ki1 Sp1 . Pi1 .
        hand 0: Queen, Herald
    """)
    game.choose(("play", "Queen"))
    assert game.spaces == {(2, 1), (2, 2)}


@rule("K5", "Queen", "Prince")
def test_the_queen_goes_anywhere_in_the_courtyard_while_the_king_is_not_there(castle):
    game = castle("""
        . . . . . .
        . Pi1 . . . .
        outside: Ki1
        hand 0: Queen, Herald
    """)
    game.choose(("play", "Queen"))
    assert game.spaces == COURT_SPACES - {(1, 1)}


@rule("K5", "Queen")
def test_the_queen_cannot_be_played_while_all_spaces_next_to_the_king_are_taken(castle):
    game = castle("""
        . . . . . .
        . Ki1 Sp1 . . .
        . Th1 Pr1 . . .
        hand 0: Queen, Herald
    """)
    assert game.plays == {"Herald"}


@rule("K5", "Prince Charming")
def test_prince_charming_goes_next_to_the_princess_if_she_is_in_the_courtyard(castle):
    game = castle("""
        . . . . . .
        . Ps1 Sp1 . . .
        hand 0: Prince Charming, Herald
    """)
    game.choose(("play", "Prince Charming"))
    assert game.spaces == {(2, 1), (2, 2)}
    game = castle("outside: Ps1\nhand 0: Prince Charming, Herald")
    game.choose(("play", "Prince Charming"))
    assert game.spaces == COURT_SPACES


@rule("K5", "Lady in Waiting")
def test_the_lady_in_waiting_goes_next_to_queen_or_princess(castle):
    game = castle("""
        . . . . . .
        . Qu1/Kn1 Sp1 Ki1 Ps1 .
        hand 0: Lady in Waiting, Herald
    """)
    game.choose(("play", "Lady in Waiting"))
    assert game.spaces == {(2, 1), (2, 2), (2, 3), (2, 4)}


@rule("K5", "Lady in Waiting")
def test_the_lady_in_waiting_cannot_be_played_without_either_in_the_courtyard(castle):
    assert castle("outside: Qu1, Ps1\nhand 0: Lady in Waiting, Herald").plays == {"Herald"}


@rule("K5", "Mistress")
def test_the_mistress_cannot_be_played_while_the_queen_is_in_the_courtyard(castle):
    court = ". . . . . .\n. {} . . . .\nhand 0: Mistress, Herald"
    assert castle(court.format("Qu1")).plays == {"Herald"}
    assert castle(court.format("Qu1/Kn1")).plays == {"Herald"}
    assert castle("outside: Qu1\nhand 0: Mistress, Herald").plays == {"Mistress", "Herald"}


@rule("K5", "Ghost")
def test_the_ghost_goes_to_an_occupied_tower_only(castle):
    game = castle("Ar1 . . . . Wi2\nhand 0: Ghost, Herald")
    game.choose(("play", "Ghost"))
    assert game.spaces == {(0, 0), (0, 5)}


@rule("K5", "Ghost")
def test_the_ghost_needs_a_tower_with_an_unprotected_card_but_a_knight(castle):
    game = castle("""
        Ar1 . . . . Wi2/Kn2
        . Pr1 . . . .
        hand 0: Ghost, Herald
    """)
    assert game.plays == {"Herald"}
