"""Castle, the card game, in words: what steps of records say to whom, what choices do, and what is asked for."""

import re
from pathlib import Path

import pytest

from tests.support.castle_drawn import DrawnCastle
from zamek_env.castle_cards.components.cards import CARDS, describe_rules
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.records.step_text import describe_step
from zamek_env.common.player_names import label_players
from zamek_scripts.playing.castle_presenter import CastlePresenter

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
    game = CastleCards.from_history(DrawnCastle(held, engine="fast").play(card, at).choose(*more).game.states, ())
    assert CastlePresenter().task(game) == task and game.describe(game.legal_actions()[0]) == first


REMARKS = re.compile(r" \((?:\*\*French cards\*\*|K\d+)\)")


def test_the_rule_of_each_card_is_that_of_the_page_of_rules():
    page = (Path(__file__).parents[1] / "docs" / "castle_cards.md").read_text(encoding="utf-8")
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
