"""Looking back while playing: step by step, by the slider, by the list of moves; and the end of a game."""

import re

import pytest

from tests.support import browser as browsers
from tests.support.browser import seated, served
from tests.test_play_page import play_until, serve, wait_for_status
from tests.test_play_session import DEMO, begin
from zamek_agents.heuristic import RandomAgent
from zamek_env import Game
from zamek_scripts.playing.opening import Offers, Opening
from zamek_scripts.playing.session import NotNowError, StaleError

server = pytest.importorskip("zamek_scripts.playing.server", reason="needs the extra `play`")
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
        wait_for_status(page, r"\w+ player: ")
        assert page.locator("#board .choice > circle").count() > 0


def play_all(ruleset="zamek"):
    """Return the actions of a whole game, in notation."""
    actions = play_until(ruleset, 2)
    game = Game(ruleset, 3)
    for action in actions:
        game.step(game.parse_action(action))
    while not game.is_terminal:
        actions.append(game.format_action(game.legal_actions()[0]))
        game.step(game.legal_actions()[0])
    return actions


def test_the_end_says_where_the_points_came_from(browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_all())
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


def test_a_game_that_is_over_is_replayed_and_analysed(browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_all())
    with serve(session) as address, seated(browser, address) as page:
        for words, more in (("Replay the game", 0), ("Analyse it with value", 1)):
            with page.context.expect_page() as opened:
                page.get_by_text(words).click()
            opened.value.locator("#moves button").first.wait_for()
            assert "You – random" in opened.value.locator("h1").text_content()
            assert opened.value.locator("#choices-label").is_visible() == bool(more)
        policy = page.request.get(f"{address}replay").headers["content-security-policy"]
        assert "script-src 'sha256-" in policy and "frame-ancestors 'none'" in policy


def test_another_game_is_begun_on_the_page(browser):
    opening = Opening(begin((None, RandomAgent()), ruleset="zamek", actions=play_all()))
    asked = []

    def make(ruleset, against, players, seat):
        asked.append((ruleset, against, players, seat))
        if ruleset == "zamek":
            raise ValueError("not this one")
        return begin((None, RandomAgent()), ruleset=ruleset, start=False)

    opening.offers = Offers(("zamek", DEMO), ("greedy", "random"), {"zamek": [2], DEMO: [1, 2, 3, 4, 5]}.get, make)
    with served(server.make_server(opening)) as address, seated(browser, address) as page:
        old = opening.session
        other = page.context.new_page()  # which logs what is refused
        other.goto(address)
        other.locator("#new select[name=players]:disabled").wait_for()  # there are no others
        other.locator("#new button").click()
        other.locator("#alerts p", has_text="Not this one.").wait_for()
        other.close()
        assert opening.session is old and not old.closed.is_set()
        page.locator("#past-first").click()
        wait_for_status(page, "Looking back")
        page.locator("#new select[name=ruleset]").select_option(DEMO)
        form = page.locator("#new")
        assert form.get_by_label("players").is_enabled() and form.get_by_label("players").input_value() == "2"
        form.get_by_label("players").select_option("1")
        assert form.get_by_label("against").is_hidden() and form.get_by_label("you are the").is_hidden()
        form.get_by_label("players").select_option("4")
        seats = form.get_by_label("you are the").locator("option")
        assert seats.all_text_contents() == ["first", "second", "third", "fourth"]
        form.get_by_label("you are the").select_option("fourth")
        form.get_by_label("players").select_option("3")  # the last seat there is now
        page.locator("#new button").click()
        wait_for_status(page, "Your turn")
        page.locator("#board .choice").first.click()
        assert page.locator("#title").text_content() == DEMO and page.locator("#board .tile").count() == 1
        assert old.closed.is_set()
    assert asked == [("zamek", "greedy", 2, 0), (DEMO, "greedy", 3, 2)]


def test_a_game_that_is_not_offered_is_refused():
    opening = Opening(begin((None, RandomAgent())))
    state = opening.session.state
    with pytest.raises(NotNowError):
        opening.begin_anew(state, DEMO, "greedy", "2", "0")
    opening.offers = Offers((DEMO,), ("greedy",), lambda ruleset: range(2, 6), pytest.fail)
    for wishes, words in (
        (("chess", "greedy", "2", "0"), "ruleset must be one of"),
        ((DEMO, "file.py:Agent", "2", "0"), "opponent must be one of"),
        ((DEMO, "greedy", "6", "0"), "players must be one of 2, 3, 4, 5, not '6'"),
        ((DEMO, "greedy", "1", "0"), "players must be one of"),
        ((DEMO, "greedy", "3", "3"), "seat must be one of 0, 1, 2, not '3'"),
    ):
        with pytest.raises(ValueError, match=words):
            opening.begin_anew(state, *wishes)
    with pytest.raises(StaleError):
        opening.begin_anew("long ago", DEMO, "greedy", "2", "0")
