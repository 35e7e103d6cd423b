"""Castle, the card game, on the page of `zamek play` in a real browser."""

import re

import numpy as np
import pytest

from tests.commands.test_castle_cards_play import find_games, sit_down
from tests.commands.test_play_session import wait_until
from tests.pages.test_play_page import PHONE, serve, wait_for_status
from tests.support import browser as browsers
from tests.support.browser import seated
from tests.support.games import list_texts, play_randomly
from tests.support.scripted_agent import Valuing
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import CARDS, KIND_OF
from zamek_env.castle_cards.notation.action_line import parse_space
from zamek_env.castle_cards.render.colours import CARD
from zamek_env.evaluation import PROBABILITY

browser = browsers.browser  # the fixture
PLACES = ":is(#board, #panel, #buttons) .choice"


def click_through(page, most=10**6):
    """Click choices, and what else is to be clicked, until the game is over, or `most` decisions have been made."""
    rng = np.random.default_rng(0)
    for _ in range(most):
        if wait_for_status(page, r"Your turn|\w+ player:|It is the turn|Game over").startswith("Game over"):
            return
        seen = page.locator("body").get_attribute("data-state")
        if page.locator("#uncover").is_visible():
            assert page.locator("#buttons").is_hidden() and page.locator(PLACES).count() == 0
            page.locator("#uncover").click()
            page.locator(PLACES).first.wait_for()
        spots = page.locator(PLACES)
        spots.nth(int(rng.integers(spots.count()))).click(force=True)
        if rng.random() < 0.3 and page.locator("#rotate").is_visible() and page.locator("#rotate").is_enabled():
            page.locator("#rotate").click()
        page.locator("#confirm").click()
        page.locator(f"body:not([data-state='{seen}'])").wait_for()


def play_until(players, left, seed=3):
    """Return random actions, in notation, up to where somebody has no more than `left` cards."""
    for game in play_randomly(CastleCards(players, seed), seed):
        if min(-score for score in game.scores) <= left and game.current_player == 0:
            return list_texts(game)
    raise AssertionError("the game is over")


def test_some_turns_are_clicked_through_by_two_people(browser):
    session = sit_down(None, RandomAgent(), None)
    with serve(session) as address, seated(browser, address) as page:
        click_through(page, most=8)
    assert session.view()["played"] >= 8


def test_a_card_of_the_hand_is_to_be_played_first_and_then_to_be_exchanged(browser):
    session = sit_down(None, RandomAgent())
    with serve(session) as address, seated(browser, address) as page:
        both = {choice["location"] for choice in session.view()["choices"] if choice["action"].startswith("play ")}
        both &= {choice["location"] for choice in session.view()["choices"] if choice["action"].startswith("give ")}
        for location in sorted(both):
            page.locator(f"{PLACES}[data-location='{location}']").first.click(force=True)
            assert page.locator("#chosen").inner_text().startswith("Play ")
            assert page.locator("#rotate").inner_text().startswith("Rather exchange ")
        assert both


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_game_is_clicked_through(players, browser):
    session = sit_down(None, *[GreedyAgent()] * (players - 1))
    with serve(session) as address, seated(browser, address) as page:
        click_through(page)
        assert "cards left" in page.locator("#status").text_content()
    assert CastleCards.replay(session.record()) == session.game


def test_the_card_of_the_hand_that_has_the_focus_is_marked(browser):
    with serve(sit_down(None, RandomAgent())) as address, seated(browser, address) as page:
        for key in ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "ArrowDown"):
            page.keyboard.press(key)
            if page.locator("#buttons .choice:focus").count():
                break
        focused = page.locator("#buttons .choice:focus")
        assert focused.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"


def test_a_card_is_played_exchanged_and_taken_back(browser):
    session = sit_down(None, RandomAgent())
    with serve(session) as address, seated(browser, address) as page:
        assert page.locator("#choices").get_attribute("open") is None
        choice = next(choice for choice in session.view()["choices"] if choice["action"].startswith("play "))
        card = page.locator(f'#buttons [data-location="{choice["location"]}"]')
        card.click()
        ways = [page.locator("#chosen").text_content()]
        page.locator("#rotate").click()
        ways.append(page.locator("#chosen").text_content())
        name = choice["action"].removeprefix("play ")
        assert sorted(ways) == [f"Exchange {name}", f"Play {name}"]
        card.click()
        assert page.locator("#chosen").text_content() == ways[0]
        page.locator("#confirm").click()
        page.locator("#undo:enabled").click()
        card.and_(page.locator(".choice")).wait_for()
        assert session.view()["played"] == 0


def test_a_turn_is_played_by_keyboard_alone(browser):
    session = sit_down(None, None)
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#uncover").wait_for()
        page.locator("#uncover").press("Enter")
        page.locator(PLACES).first.wait_for()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        chosen = page.locator(f"{PLACES}[aria-pressed=true]").get_attribute("data-location")
        page.locator("#confirm:enabled").wait_for()  # while an answer is awaited, nothing more is sent
        page.keyboard.press("Enter")
        wait_until(lambda: session.view()["played"] == 1)
        assert session.view()["moves"][0]["action"].split(" ", 1)[-1] in chosen


def test_the_values_of_an_agent_stand_on_places_and_cards(browser):
    played = next(played for played in find_games(2, [1], ["place"]) if played.game.current_player == 0)
    session = sit_down(None, RandomAgent(), seed=1, actions=played.actions)
    session.adviser = Valuing(lambda count: np.full(count, 0.25), PROBABILITY)
    session.start()
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#board .choice text").first.wait_for()
        assert page.locator("#board .choice text").first.text_content() == "25%"
        page.locator("#undo").click()
        page.locator("#buttons .value").first.wait_for()
        assert page.locator("#buttons .choice").count() == page.locator("#buttons .value").count() > 3


@pytest.mark.long
def test_a_phone_shows_everything_in_its_width(browser):
    session = sit_down(None, RandomAgent(), RandomAgent(), actions=play_until(3, 8))
    with serve(session) as address, seated(browser, address, **PHONE) as page:
        page.locator("#buttons .choice").first.tap()
        bottom = page.locator("#confirm").bounding_box()
        assert bottom["y"] + bottom["height"] <= PHONE["viewport"]["height"] and bottom["height"] >= 40
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# --- what a card does ---


def describe(card):
    return CARDS[KIND_OF[card]].rule


def find_in_hand(session):
    """Return {location: card} of the cards in the hand of player 0."""
    return {f"hand {card}": card for card in session.game.hand(0)}


def test_a_card_says_what_it_does_to_who_points_at_it_taps_it_or_has_it_in_focus(browser):
    session = sit_down(None, RandomAgent(), actions=play_until(2, 9))
    with serve(session) as address, seated(browser, address, has_touch=True) as page:
        for location, card in find_in_hand(session).items():
            button = page.locator(f'#buttons [data-location="{location}"]')
            for act in (button.hover, button.tap):
                page.keyboard.press("Escape")
                assert page.locator("#card").is_hidden()
                act()
                assert describe(card) in page.locator("#card").inner_text()
        pile = page.locator("#board g.card").first
        pile.hover()
        top = session.game.position().piles[parse_space(pile.get_attribute("data-at"))].top
        assert describe(top) in page.locator("#card").inner_text()
        page.locator("#title").hover()
        assert page.locator("#card").is_hidden()
        page.keyboard.press("Tab")
        page.locator("#buttons .choice[tabindex='0']").focus()
        assert page.locator("#card").is_visible()
        assert page.locator("#board title, #panel title").count() == 0  # browsers would show them too


POINT_AT_ALL = """() =>
  [...document.querySelectorAll("#board g.card, #buttons [data-zone], #panel g.card")].map((card) => {
    card.scrollIntoView({ block: "nearest", inline: "nearest" });
    card.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    return document.getElementById("card").getBoundingClientRect().toJSON();
  })
"""


def test_what_is_said_of_a_card_lies_on_the_screen(browser):
    session = sit_down(None, RandomAgent(), actions=play_until(2, 9))
    for settings in (PHONE, {"viewport": {"width": 844, "height": 390}}):
        with serve(session) as address, seated(browser, address, **settings) as page:
            size = page.viewport_size
            page.locator("#buttons [data-zone]").first.wait_for()
            boxes = page.evaluate(POINT_AT_ALL)
            assert len(boxes) > 10 and all(box["width"] > 0 for box in boxes)
            for box in boxes:
                assert box["left"] >= 0 and box["right"] <= size["width"]
                assert box["top"] >= 0 and box["bottom"] <= size["height"]


def test_what_is_said_of_a_card_of_the_hand_does_not_cover_what_is_pressed_next(browser):
    session = sit_down(None, RandomAgent(), actions=play_until(2, 9))
    with serve(session) as address, seated(browser, address) as page:
        for button in page.locator("#buttons [data-zone]").all():
            button.click()
            button.hover()  # the buttons above it may have grown
            said, aside = page.locator("#card").bounding_box(), page.locator("aside").bounding_box()
            assert page.locator("#confirm").is_enabled() and said["x"] + said["width"] <= aside["x"]


def test_cards_that_cannot_be_chosen_are_read_by_the_keyboard(browser):
    played = next(played for played in find_games(2, [1], ["place"]) if played.game.current_player == 0)
    session = sit_down(None, RandomAgent(), seed=1, actions=played.actions)
    with serve(session) as address, seated(browser, address) as page:
        idle = page.locator("#buttons [aria-disabled]")
        assert idle.count() == len(session.game.hand(0)) > 2 and page.locator("#buttons .choice").count() == 0
        page.keyboard.press("Shift")
        idle.first.focus()
        for card in [*session.view()["buttons"][1:], session.view()["buttons"][0]]:
            page.keyboard.press("ArrowRight")
            assert page.locator("#buttons :focus").get_attribute("data-location") == card["location"]
            assert describe(card["location"].removeprefix("hand ")) in page.locator("#card").inner_text()
        before = session.state
        page.keyboard.press("Enter")
        assert session.state == before and page.locator("#chosen").inner_text().startswith("Choose")


def test_cards_of_the_hand_have_the_colours_of_their_zones(browser):
    session = sit_down(None, RandomAgent())
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#buttons svg").first.wait_for()
        for location, card in find_in_hand(session).items():
            button = page.locator(f'#buttons [data-location="{location}"]')
            red, green, blue = (int(CARD[CARDS[KIND_OF[card]].zone][first : first + 2], 16) for first in (1, 3, 5))
            edge = button.evaluate("element => getComputedStyle(element).borderLeftColor")
            assert edge == f"rgb({red}, {green}, {blue})" and button.locator("svg").count() == 1


def test_the_legend_holds_every_card_with_its_rule(browser):
    with serve(sit_down(None, RandomAgent())) as address, seated(browser, address) as page:
        page.locator("#legend summary").click()
        told = page.locator("#legend li").all_inner_texts()
        for card in CARDS:
            name = card.name if card.copies == 1 else f"{card.name} ({card.copies})"
            assert f"{name} {card.rule}" in told


# --- what has happened ---


def test_what_others_did_since_ones_turn_is_told_and_marked(browser):
    played = find_busy_turn()
    session = sit_down(None, RandomAgent(), RandomAgent(), seed=played.game.seed, actions=played.actions)
    lines = session.view()["recent"]
    assert len({line["player"] for line in lines} - {0}) == 2
    with serve(session) as address, seated(browser, address) as page:
        assert page.locator("#recent h2").inner_text() == "Since your turn"
        told = page.locator("#recent li").all_inner_texts()
        assert len(told) == len(lines) and not re.search(r"[Pp]layer 0", " ".join(told))
        assert page.locator("#board .change").count() > 0
        number = next(number for number, line in enumerate(lines) if line["places"])
        page.locator("#recent li").nth(number).hover()
        pointed = page.locator("g.pointed").evaluate_all("groups => groups.map((group) => group.dataset.at)")
        assert set(pointed) and set(pointed) <= set(lines[number]["places"])


def find_busy_turn():
    """Return a game of three in which, since player 0 decided, both others have laid a card in the castle."""
    for played in find_games(3, range(20), ["action"]):
        if played.game.current_player == 0:
            session = sit_down(None, RandomAgent(), RandomAgent(), seed=played.game.seed, actions=played.actions)
            laid = [line["player"] for line in session.view()["recent"] if "(court)" in line["words"]]
            if {1, 2} <= set(laid):
                return played
    raise AssertionError("no such game")
