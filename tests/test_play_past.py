"""Looking back while playing: step by step, by the slider, by the list of moves; and the end of a game."""

import re

from tests.support import browser as browsers
from tests.support.browser import seated
from tests.test_play_page import play_until, serve, wait_for_status
from tests.test_play_session import begin
from zamek_agents.heuristic import RandomAgent
from zamek_env import Game

browser = browsers.browser  # the fixture
TILES = "#board .tile"


def test_the_game_is_gone_through_and_returned_to(browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_until("zamek", 50))
    played, tiles = session.view()["played"], len(session.game.position().board)
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#board .choice").first.wait_for()
        assert page.locator(TILES).count() == tiles
        page.locator("#past-first").click()
        wait_for_status(page, f"Looking back: 0 of {played}")
        assert page.locator(TILES).count() == 0 and page.locator("#board .choice").count() == 0
        assert page.locator("#turn").is_hidden()
        page.keyboard.press(".")
        wait_for_status(page, "Looking back: 1 of")
        assert page.locator(TILES).count() == 1
        page.locator("#moves button").nth(4).click()
        wait_for_status(page, f"Looking back: {played - 4} of")
        assert page.locator("#moves li[aria-current]").count() == 1
        page.locator("#past-slider").fill("3")
        wait_for_status(page, "Looking back: 3 of")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        wait_for_status(page, "Your turn")
        assert page.locator(TILES).count() == tiles and page.locator("#turn").is_visible()
        page.locator("#board .choice").first.click()
        page.locator("#confirm").click()
        page.wait_for_selector("#tile.close .choice, #board .choice")
    assert session.view()["played"] > played


def test_a_game_that_goes_on_disturbs_nobody_who_looks_back(browser):
    session = begin((None, None), ruleset="zamek", actions=play_until("zamek", 50))
    played = session.view()["played"]
    with serve(session) as address, seated(browser, address) as page:
        page.keyboard.press(",")
        wait_for_status(page, f"Looking back: {played - 1} of {played}")
        board = page.locator("#board").inner_html()
        session.move(session.state, session.view()["choices"][0]["action"])
        wait_for_status(page, f"Looking back: {played - 1} of {played + 1}")
        assert page.locator("#board").inner_html() == board
        page.locator("#past-last").click()
        wait_for_status(page, "Player")
        assert page.locator("#board .choice > circle").count() > 0


def test_the_end_says_where_the_points_came_from(browser):
    game, actions = Game("zamek", 3), play_until("zamek", 2)
    for action in actions:
        game.step(game.parse_action(action))
    while not game.is_terminal:
        actions.append(game.format_action(game.legal_actions()[0]))
        game.step(game.legal_actions()[0])
    session = begin((None, RandomAgent()), ruleset="zamek", actions=actions)
    sums = [sum(line["points"][player] for line in session.view()["ending"]) for player in (0, 1)]
    assert sums == list(session.game.scores)
    with serve(session) as address, seated(browser, address) as page:
        wait_for_status(page, "Game over")
        rows = page.locator("#result tbody tr")
        assert rows.count() == len(session.view()["ending"]) > 2
        names = page.locator("#result thead th").all_text_contents()
        assert names == ["Points from", "You", "random"]
        lit = next(number for number, line in enumerate(session.view()["ending"]) if line["at"])
        rows.nth(lit).hover()
        marks = page.locator("#board .paid").all_text_contents()
        assert marks == [f"+{points}" for _, _, points in session.view()["ending"][lit]["at"]]
        assert page.locator("#board .area.lit").count() >= len(marks)
        page.locator("h1").hover()
        assert page.locator("#board .paid").count() == 0
        assert re.search(r"\d+ : \d+", page.locator("#status").text_content())
