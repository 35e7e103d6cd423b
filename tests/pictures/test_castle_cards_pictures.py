"""Pictures of castle-cards: in characters, as SVG, as pixels."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.records.test_castle_cards_text import FULL_TABLE, OVER
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import NAMES, describe_rules
from zamek_env.castle_cards.notation.position_line import parse_position
from zamek_env.castle_cards.render.marks import find_changes
from zamek_env.castle_cards.render.picture import draw_parts, draw_rgb, draw_svg
from zamek_env.castle_cards.render.text import describe_turn, draw_text

GROUP = "{http://www.w3.org/2000/svg}g"
CIRCLE = "{http://www.w3.org/2000/svg}circle"
POSITION = parse_position(FULL_TABLE)


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("line", [FULL_TABLE, OVER])
def test_text_keeps_within_its_columns(line, ascii):
    text = draw_text(parse_position(line), ascii, {"Spy": 2, "Soldier": 13})
    rows = text.splitlines()
    assert max(map(len, rows)) <= 80 and rows[0].count("┬" if not ascii else "+") == (5 if not ascii else 7)
    assert text.isascii() or not ascii
    assert "hand: 13 Soldier, 2 Spy" in text


def test_text_shows_what_lies_where():
    rows = draw_text(POSITION).splitlines()
    cells = [[rows[1 + 4 * row + line].split("│")[1:-1] for line in range(3)] for row in range(6)]
    assert [part[0].strip() for part in cells[0]] == ["Archer", "", "1"]
    assert [part[2].strip() for part in cells[1]] == ["King", "", "1K-K0K2"]
    assert [part[3].strip() for part in cells[2]] == ["Lady in", "Waiting", "2"]
    assert [part[5].strip() for part in cells[5]] == ["", "tower", ""]
    beside = "\n".join(rows[25:])
    for said in (
        *("N Siege Engine 2; E -; S -; W Siege Engine 0", "4 Dragon 1; 7 Village Idiot 0; 9 Herald 2", "4 Soldier"),
        *(
            "removed: Spy",
            "player 1: 5 in hand, 2 in the deck, 26 pawns; known in hand: Thief",
            "target for the Archer",
        ),
    ):
        assert said in beside
    assert "hand:" not in beside.replace("in hand:", "")


@pytest.mark.parametrize(("left", "words"), [(0, "0 actions"), (1, "1 action"), (2, "2 actions")])
def test_the_actions_left_are_counted(left, words):
    assert describe_turn(replace(POSITION, turn_player=0, actions_left=left)) == f"turn of player 0, {words} left"


def test_the_end_tells_who_won():
    assert "now: player 0 won" in draw_text(parse_position(OVER))
    assert "now: player 0 and player 1 won" in draw_text(parse_position(OVER.replace("won 0", "won 0 1")))


def test_svg_tells_what_it_shows():
    root = ElementTree.fromstring(draw_svg(POSITION, {"Spy": 1}))
    titles = {group.get("data-at"): group[0].text for group in root.iter(GROUP) if group.get("data-at")}
    listed = {f"player {player}" for player in range(3)} | {"hand Spy", "removed Spy"}
    listed |= {f"exchange {card}" for card in POSITION.exchange}
    assert len(titles) == 36 + 4 + 3 + len(listed) and listed <= set(titles)
    where, *rules = titles["1,2"].split("\n")
    assert where == "1,2: Knight of player 2, on Knight of player 0, on Knight, on King of player 1"
    assert rules == describe_rules(["Knight", "King"]).split("\n") and rules[0].startswith("Knight: On any uncovered")
    assert titles["siege E"] == "siege E: siege, free"
    assert titles["outside 4"].split("\n")[0] == "outside 4: Dragon of player 1"
    assert titles["exchange Courtesan"] == f"exchange: Courtesan\n{describe_rules(['Courtesan'])}"
    words = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"4 × Soldier", "Spy", "exchange", "removed", "hand", "K"} <= words
    assert "prefers-color-scheme: dark" in draw_svg(POSITION)
    assert "hand" not in {text.text for text in ElementTree.fromstring(draw_svg(POSITION)).iter() if text.text}


def test_everything_lies_within_the_picture():
    root = ElementTree.fromstring(draw_svg(POSITION, dict.fromkeys(("Spy", "Thief", "King", "Queen"), 9)))
    left, top, width, height = map(float, root.get("viewBox").split())
    for group in root.iter(GROUP):
        x, y = map(float, re.findall(r"-?[\d.]+", group.get("transform", "0 0"))[:2])
        for polygon in group.iter("{http://www.w3.org/2000/svg}polygon"):
            for point in polygon.get("points").split():
                px, py = map(float, point.split(","))
                assert left <= x + px <= left + width and top <= y + py <= top + height


def test_both_parts_hold_their_choices_and_no_style():
    card = next(iter(POSITION.exchange))
    places = {"1,2", "siege E"}, {"outside 9", f"exchange {card}", "player 1"}  # a place outside that is still free
    choices = {location: "7%" for part in places for location in part} | {"hand Spy": "2%"}
    castle, beside = (ElementTree.fromstring(part) for part in draw_parts(POSITION, choices))
    for root, locations in zip((castle, beside), places, strict=True):
        assert root.find("{http://www.w3.org/2000/svg}style") is None
        left, top, width, height = map(float, root.get("viewBox").split())
        found = [group for group in root.iter(GROUP) if group.get("class") == "choice"]
        assert {group.get("data-location") for group in found} == locations
        for polygon in [polygon for group in found for polygon in group.iter("{http://www.w3.org/2000/svg}polygon")]:
            for x, y in (map(float, point.split(",")) for point in polygon.get("points").split()):
                assert left <= x <= left + width and top <= y <= top + height
    assert "known in hand: 1 Thief" in {text.text for text in beside.iter("{http://www.w3.org/2000/svg}text")}


def find_marks(*pictures):
    """Return {where: how many shapes} of what is marked as changed last."""
    groups = [group for picture in pictures for group in ElementTree.fromstring(picture).iter(GROUP)]
    return {group.get("data-where"): len(group) for group in groups if group.get("class") == "change"}


def test_the_card_played_last_has_a_frame():
    assert find_marks(draw_svg(POSITION)).keys() == {"0,0"}
    assert find_marks(draw_svg(replace(POSITION, last_played=None))) == {}


def test_what_the_last_steps_have_changed_is_marked():
    steps = [
        {"do": "play", "card": "Dragon", "at": ["outside", 4]},
        {"do": "take_back", "card": "Spy", "at": [4, 1], "to": 0},
        {"do": "draw", "card": "Thief"},
        {"do": "pawns", "set": [[[2, 2], 0, "Queen", 2]]},
        {"do": "move", "at": [3, 4], "to": [2, 3]},
    ]
    castle, beside = draw_parts(POSITION, last=steps)
    assert find_marks(castle).keys() == {"4,1", "2,2", "2,3"} and find_marks(beside).keys() == {"outside 4"}
    assert ">Spy</text>" in castle and "Thief" not in "".join(line for line in castle.split("\n") if "change" in line)


def test_an_arrow_leads_from_where_a_card_began_and_a_card_that_left_has_none():
    moves = [{"do": "move", "at": [4, 0], "to": [4, 4]}, {"do": "move", "at": [4, 4], "to": [2, 3]}]
    changes = find_changes(moves)
    assert changes.moved == {"2,3": "4,0"} and [*changes.framed] == ["2,3"]
    changes = find_changes([*moves, {"do": "remove", "at": [2, 3]}])
    assert changes.moved == {} and [*changes.left] == ["2,3"]


def test_a_mark_lies_within_the_picture_wherever_it_is():
    steps = [{"do": "take_back", "card": "Siege Engine", "at": ["siege", side], "to": "exchange"} for side in "NESW"]
    root = ElementTree.fromstring(draw_parts(POSITION, last=steps)[0])
    left, top, width, height = map(float, root.get("viewBox").split())
    discs = [disc for group in root.iter(GROUP) if group.get("class") == "change" for disc in group.iter(CIRCLE)]
    assert len(discs) == 8
    for disc in discs:
        x, y, radius = (float(disc.get(name)) for name in ("cx", "cy", "r"))
        assert left <= x - radius and x + radius <= left + width
        assert top <= y - radius and y + radius <= top + height


def test_pixels_show_the_same_shapes():
    pixels = draw_rgb(POSITION, 200)
    assert pixels.dtype == np.uint8 and pixels.shape[0] == 200 and pixels.shape[2] == 3
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    assert not np.array_equal(pixels, draw_rgb(parse_position(OVER), 200))
    for size, error, problem in (
        (0, ValueError, "lie in 1 to 10000"),
        (10**9, ValueError, "lie in 1 to 10000"),
        (True, TypeError, "be a whole number"),
        (2.5, TypeError, "be a whole number"),
    ):
        with pytest.raises(error, match=f"^size must {problem}, not {size}$"):
            draw_rgb(POSITION, size)


def test_pixels_have_one_shape_however_much_lies_beside_the_castle():
    """What records a video of a game puts pictures of one shape together."""
    crowded = replace(POSITION, exchange=Counter(NAMES), removed=Counter(NAMES))
    assert draw_rgb(crowded, 200).shape == draw_rgb(POSITION, 200).shape


@pytest.mark.parametrize("hand", [{"<b>": 1}, {"Spy": "x"}, {"Spy": -1}, {"Spy": 1000}, {"Spy": True}, ["Spy"], 5])
def test_what_is_no_hand_of_cards_is_not_drawn(hand):
    with pytest.raises(ValueError, match=r"hand must be \{card: number\} of cards such as"):
        CastleCards(2, seed=1).draw_svg(hand)
