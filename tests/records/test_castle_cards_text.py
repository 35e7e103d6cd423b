"""Castle, the card game, in words: what steps of records say to whom, what choices do, and what is asked for."""

import re
from pathlib import Path

import pytest

from tests.support.castle_cards.drawn import DrawnCastleCards
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import MAX_PLAYERS, NUM_LEVELS
from zamek_env.castle_cards.components.cards import CARDS, NAMES, describe_rules
from zamek_env.castle_cards.layout.board import SIDES
from zamek_env.castle_cards.notation.action_line import format_option, parse_option
from zamek_env.castle_cards.notation.position import find_zone
from zamek_env.castle_cards.notation.position_line import format_position, parse_position
from zamek_env.castle_cards.records.step_text import describe_step
from zamek_env.common.player_names import label_players
from zamek_scripts.playing.castle_cards_presenter import CastleCardsPresenter

OPEN = [  # steps in the turn of player 1 that all see, and their sentences
    ({"do": "exchange", "give": "King", "take": "Spy"}, "Player 1 gives King and takes Spy from the exchange."),
    ({"do": "pass"}, "Player 1 can do nothing and passes."),
    ({"do": "play", "card": "King", "at": [1, 2]}, "Player 1 plays King on 1,2 (court)."),
    (
        {"do": "play", "card": "Dragon", "at": ["outside", 4], "from": "exchange"},
        "Player 1 plays Dragon of the exchange outside, place 4.",
    ),
    (
        {"do": "take_back", "card": "King", "at": [1, 2], "to": 2, "by": 0},
        "King goes back to the hand of player 2 from 1,2 (court), as player 0 decides.",
    ),
    (
        {"do": "take_back", "card": "Soldier", "at": [0, 1], "to": "exchange", "why": "siege"},
        "Soldier goes back to the exchange from 0,1 (rampart), because of the siege.",
    ),
    ({"do": "move", "at": [1, 2], "to": ["siege", "N"]}, "The card on 1,2 (court) is now before the rampart N."),
    ({"do": "remove", "at": [0, 0]}, "The card on 0,0 (tower) leaves the game."),
    ({"do": "to_exchange", "at": [0, 0]}, "The card on 0,0 (tower) goes to the exchange."),
    (
        {"do": "pawns", "set": [[[1, 2], 0, "King", 2], [[1, 3], 0, "Queen", None]]},
        "Pawns change: King on 1,2 (court) has a pawn of player 2; Queen on 1,3 (court) has no pawn.",
    ),
    ({"do": "pawns", "set": []}, "Pawns change nowhere."),
    ({"do": "rearrange", "set": [[[1, 2], "King"]]}, "Cards are laid anew: King on 1,2 (court)."),
    (
        {"do": "swap", "give": ["King", "Spy"], "take": ["Queen", "Thief"]},
        "Player 1 gives King and Spy, and takes Queen and Thief from the exchange.",
    ),
    ({"do": "award", "to": 2, "card": "Spy"}, "Player 2 gets Spy of the exchange."),
    ({"do": "decline"}, "Player 1 leaves that part out."),
    ({"do": "void", "of": "Archer"}, "Archer has no effect."),
]


@pytest.mark.parametrize(("step", "said"), OPEN, ids=[step["do"] for step, _ in OPEN])
def test_what_all_see_is_said_to_all(step, said):
    assert [describe_step(1, step).words_for(viewer) for viewer in (None, 0, 1, 2, 3)] == [said] * 5


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    ("step", "seen", "known", "knowing"),
    [
        ({"do": "draw", "card": "King"}, "Player 1 draws a card.", "Player 1 draws King.", (1,)),
        (
            {"do": "steal", "from": 2, "card": "King", "give": "Spy"},
            "Player 1 draws a card from the hand of player 2 and gives one in return.",
            "Player 1 draws King from the hand of player 2 and gives Spy.",
            (1, 2),
        ),
        (
            {"do": "give", "from": 0, "to": 2, "card": "King"},
            "A card goes from the hand of player 0 to player 2.",
            "King goes from the hand of player 0 to player 2.",
            (0, 2),
        ),
        (
            {"do": "give", "from": 3, "to": 1, "card": "King", "chance": True},
            "A card goes from the hand of player 3 to player 1, drawn at random.",
            "King goes from the hand of player 3 to player 1, drawn at random.",
            (1, 3),
        ),
    ],
)
def test_cards_of_hands_are_named_to_those_who_saw_them(step, seen, known, knowing):
    said = [describe_step(1, step).words_for(viewer) for viewer in (None, 0, 1, 2, 3)]
    assert said == [known if viewer in knowing else seen for viewer in (None, 0, 1, 2, 3)]


# --- choices, and what is asked for ---

HANDS = "hand 1: Soldier, Dragon\nhand 2: Soldier"
TABLE = f". . . . . .\n. Sp1 . Qu2 . .\n. . . . . .\n{HANDS}\nhand 0: Archer, Herald"
ROBBED = "hand 0: Courtesan, Archer\nhand 1: Spy\nhand 2: Thief"
EXCHANGE = "exchange: Thief, Queen\nhand 1: Soldier\nhand 2: Soldier\nhand 0: Archer, Herald"
ASKED = [  # position, card played, where, further options; what is asked for, and what the first choice does
    (TABLE, "Magician", (0, 0), [], "Magician: choose a card to put into the exchange",
     "put into the exchange Spy of player 1 on 1,1 (court)"),
    (TABLE, "Fairy", None, [], "Fairy: choose a card to move to the outside",
     "move to the outside Spy of player 1 on 1,1 (court)"),
    (TABLE, "King", (1, 2), [], "King: choose a card to take back", "take back Spy of player 1 on 1,1 (court)"),
    (TABLE, "Minstrel", (1, 2), [], "Minstrel: choose which card is laid next", "lay Queen on 1,1 (court)"),
    (TABLE, "Prince Charming", (1, 2), [], "Prince Charming: choose where it is moved",
     "move Queen of player 2 on 1,4 (court)"),
    (TABLE.replace("Sp1", "Th1"), "Spy", (1, 2), [], "Spy: choose the pawn that comes to the next card",
     "let a pawn of player 1 come there"),
    (TABLE, "Fool", (2, 2), [], "Fool: choose the card that you pass to the left", "pass Archer to the left"),
    (ROBBED, "Courtesan", (1, 1), [], "Courtesan: choose from whose hand you draw a card",
     "draw a card from the hand of player 1"),
    (ROBBED, "Courtesan", (1, 1), [("player", 1)],
     "Courtesan: you drew Spy; choose the card that you give in return", "give Archer in return"),
    (EXCHANGE, "Witch", (0, 0), [], "Witch: choose who gets a card of the exchange",
     "give a card of the exchange to player 0"),
    (EXCHANGE, "Witch", (0, 0), [("player", 2)], "Witch: choose the card of the exchange that player 2 gets",
     "give Queen of the exchange to player 2"),
    (EXCHANGE, "Alchemist", (0, 0), [], "Alchemist: choose a card of your hand for the exchange",
     "put Archer into the exchange"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "card", "at", "more", "task", "first"), ASKED, ids=[entry[4] for entry in ASKED])
def test_it_is_said_what_is_asked_for_and_what_a_choice_does(text, card, at, more, task, first):
    held = text if f"hand 0: {card}" in text else text.replace("hand 0: ", f"hand 0: {card}, ")
    game = CastleCards.from_history(DrawnCastleCards(held, engine="fast").play(card, at).choose(*more).game.states, ())
    assert CastleCardsPresenter().task(game) == task and game.describe(game.legal_actions()[0]) == first


REMARKS = re.compile(r" \((?:\*\*French cards\*\*|K\d+)\)")


def test_the_rule_of_each_card_is_that_of_the_page_of_rules():
    page = (Path(__file__).parents[2] / "docs" / "castle_cards.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### ([^\d\n]+)\n\n((?:.+\n)+)", page, re.MULTILINE))
    assert {card.name: card.rule for card in CARDS} == {
        name: REMARKS.sub("", " ".join(words.split())) for name, words in sections.items()
    }


def test_a_card_that_lies_there_twice_is_told_once():
    lines = describe_rules(["Knight", "King", "Knight"]).split("\n")
    assert [line.split(":")[0] for line in lines] == ["Knight", "King"]


NAMED = [  # steps in the turn of player 0 of `You`, a greedy one and the third player, and their sentences for player 0
    ({"do": "exchange", "give": "King", "take": "Spy"}, "You give King and take Spy from the exchange."),
    ({"do": "pass"}, "You can do nothing and pass."),
    ({"do": "decline"}, "You leave that part out."),
    ({"do": "draw", "card": "King"}, "You draw King."),
    ({"do": "steal", "from": 1, "card": "King", "give": "Spy"}, "You draw King from the hand of greedy and give Spy."),
    ({"do": "give", "from": 2, "to": 0, "card": "Spy"}, "Spy goes from the hand of the third player to you."),
    ({"do": "give", "from": 0, "to": 1, "card": "Spy"}, "Spy goes from your hand to greedy."),
    ({"do": "award", "to": 1, "card": "Spy"}, "greedy gets Spy of the exchange."),
    ({"do": "award", "to": 2, "card": "Spy"}, "The third player gets Spy of the exchange."),
    (
        {"do": "take_back", "card": "King", "at": [1, 2], "to": 2, "by": 0},
        "King goes back to the hand of the third player from 1,2 (court), as you decide.",
    ),
    (
        {"do": "pawns", "set": [[[1, 2], 0, "King", 0], [[1, 3], 0, "Queen", 1]]},
        "Pawns change: King on 1,2 (court) has a pawn of yours; Queen on 1,3 (court) has a pawn of greedy.",
    ),
]


@pytest.mark.parametrize(("step", "said"), NAMED)
def test_sentences_call_players_by_their_names(step, said):
    assert describe_step(0, step, ("You", "greedy", "Third player")).words_for(0) == said


def test_players_of_one_name_are_told_apart_by_their_seats():
    assert label_players(["greedy", "", "greedy", "random"]) == (
        "greedy (first)",
        "Second player",
        "greedy (third)",
        "random",
    )


# --- notation ---


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
