"""Notation of castle-cards: options and public positions as text, and back again."""

import pytest

from zamek_env.castle_cards.components.box import MAX_PLAYERS, NUM_LEVELS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.board import SIDES
from zamek_env.castle_cards.notation.options import format_option, parse_option
from zamek_env.castle_cards.notation.position import find_zone
from zamek_env.castle_cards.notation.position_line import format_position, parse_position

FULL_TABLE = (  # something of everything
    "castle-cards:3; 1 target Archer; turn 1 left 2 quiet 3; board 0,0 Archer:1, 0,1 Soldier:0+Knight:2, 0,2 Soldier:0,"
    " 0,5 Ghost:-, 1,2 King:1+Knight:-+Knight:0+Knight:2, 2,2 Queen:2, 2,3 Lady in Waiting:2, 3,3 King's Counselor:-,"
    " 4,4 Prince Charming:2, 5,1 Captain:1, siege N Siege Engine:2, siege W Siege Engine:0, outside 4 Dragon:1,"
    " outside 7 Village Idiot:0, outside 9 Herald:2; exchange Black Knight, Courtesan, 3 Siege Engine, 4 Soldier;"
    " removed Spy; hands 4:5:3; decks 2:2:1; known - : Thief : -; last 0,0"
)
OVER = "castle-cards:2; - over; turn 0 left 0 quiet 0; board 1,1 Fool:0; hands 0:3; decks 0:2; won 0"


SPACES = [
    *((row, column) for row in range(6) for column in range(6)),
    *(("siege", side) for side in SIDES),
    *(("outside", number) for number in (0, 4, 117)),
]
OPTIONS = [
    *(("draw",), ("decline",)),
    *((word, card) for word in ("give", "play", "card") for card in NAMES),
    *(("space", space) for space in SPACES),
    *(("level", level) for level in range(NUM_LEVELS)),
    *((word, player) for word in ("player", "pawn") for player in range(MAX_PLAYERS)),
    ("pawn", None),
]


def test_options_and_texts_correspond():
    texts = [format_option(option) for option in OPTIONS]
    assert [parse_option(text) for text in texts] == OPTIONS
    assert len(set(texts)) == len(OPTIONS) and all(text.isascii() and text.isprintable() for text in texts)
    assert format_option(("space", ("siege", "N"))) == "at siege N"


@pytest.mark.parametrize(
    "text",
    ["", "Draw", "draw ", "give", "give fool", "give Joker", "play  Fool", "at", "at 6,0", "at 0,-1", "at 0, 1",
     "at ²,1", "at siege", "at siege NE", "at siege n", "at outside", "at outside 01", "at outside -1",
     "at outside 123456", "level 5", "level x", "player 5", "player none", "pawn", "pawn None", "decline 1",
     "space 0,0", "x" * 10_000],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="must be like") as refused:
        parse_option(text)
    assert len(str(refused.value)) < 500
    with pytest.raises(TypeError, match="text must be a str"):
        parse_option(None)


@pytest.mark.parametrize("line", [FULL_TABLE, OVER])
def test_positions_and_lines_correspond(line):
    position = parse_position(line)
    assert format_position(position) == line and parse_position(format_position(position)) == position


def test_a_line_tells_what_it_says():
    position = parse_position(FULL_TABLE)
    assert position.piles[0, 1].cards == ("Soldier", "Knight") and position.piles[0, 1].pawns == (0, 2)
    assert position.piles[1, 2].top == "Knight" and position.piles["outside", 7].pawns == (0,)
    assert position.exchange["Soldier"] == 4 and position.seats[1].known == {"Thief": 1}
    assert position.pawns_left == (30 - 5, 30 - 4, 22 - 7)
    assert (position.current_player, position.phase, position.card) == (1, "target", "Archer")


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("castle-cards:3", "castle-cards:6", "must begin with castle-cards:2 to castle-cards:5"),
        ("castle-cards:3", "zamek", "must begin with"),
        ("; 1 target", "; 3 target", "who decides must be one of 0, 1, 2, -"),
        ("target Archer", "aim Archer", "the phase must be one of"),
        ("Archer; turn", "Joker; turn", "the card must be one of"),
        ("turn 1 left", "turn 1", "turn must be like"),
        ("0,0 Archer:1", "0,0 Archer:3", "a pawn must be one of"),
        ("0,0 Archer:1", "0,7 Archer:1", "a space must be like"),
        ("0,1 Soldier", "0,0 Soldier", "board names 0,0 twice"),
        ("0,0 Archer:1", "0,0 Bowman:1", "a card of the board must be one of"),
        ("hands 4:5:3", "hands 4:5", "hands must be 3 numbers"),
        ("decks 2:2:1", "decks 2:2:x", "decks must hold whole numbers"),
        ("removed Spy", "removed Spy; removed Spy", "each once"),
        ("removed Spy", "gone Spy", "a section must be one of"),
        ("exchange Black Knight, Courtesan", "exchange Courtesan, Black Knight", "must be written as"),
        ("removed Spy", "removed 1 Spy", "must be written as"),
        ("; known - : Thief : -", "; known - : Thief", "known must be of 3 players"),
    ],
)
def test_lines_that_cannot_be_read_are_refused(old, new, said):
    line = FULL_TABLE.replace(old, new, 1)
    assert line != FULL_TABLE
    with pytest.raises(ValueError, match=said):
        parse_position(line)


@pytest.mark.rule("K1")
def test_zones_are_where_the_castle_has_them():
    grid = ["".join(find_zone((row, column))[0] for column in range(6)) for row in range(6)]
    assert grid == ["trrrrt", *["rccccr"] * 4, "trrrrt"]
