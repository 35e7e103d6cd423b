"""Looking back while playing, the end of a game, another one; and the board zoomed and moved."""

import re

import pytest

from tests.commands.test_play_session import DEMO, begin
from tests.pages.test_play_page import PHONE, play_until, serve, wait_for_status
from tests.support import browser as browsers
from tests.support.browser import find_in_picture, pinch, seated, served
from tests.support.games import finish, list_texts
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


def play_all():
    """Return the actions of a whole game, in notation."""
    return list_texts(finish(Game("zamek", 3), 3))


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
        answers = []
        page.context.on("response", lambda answer: answers.append(answer) if "/replay" in answer.url else None)
        for words, more in (("Replay the game", 0), ("Analyse it with value", 1)):
            with page.context.expect_page() as opened:
                page.get_by_text(words).click()
            opened.value.locator("#moves button").first.wait_for()
            assert "You – random" in opened.value.locator("h1").text_content()
            assert opened.value.locator("#choices-label").is_visible() == bool(more)
        policy = answers[0].headers["content-security-policy"]
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


# --- zoom: by wheel, drag, pinch, keys and buttons ---


def read_box(page):
    """Return what is shown of the picture: left, top, width and height, in its units."""
    return [float(part) for part in page.locator("#board svg").get_attribute("viewBox").split()]


def wait_for_width(page, relation, width):
    """Wait until the width of what is shown has a relation to `width`."""
    picture = "document.querySelector('#board svg').getAttribute('viewBox').split(' ')[2]"
    page.wait_for_function(f"width => Number({picture}) {relation} width", arg=width)


SIZES = "shapes => shapes.map(shape => shape.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"


@pytest.fixture(scope="module")
def address():
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as where:
        yield where


def test_the_wheel_zooms_about_the_pointer_and_zero_shows_everything(address, browser):
    with seated(browser, address) as page:
        whole, spot = read_box(page), page.locator('#board [data-location="1,7"]')
        place = spot.bounding_box()
        page.mouse.move(place["x"] + 5, place["y"] + 5)
        page.mouse.wheel(0, -400)
        wait_for_width(page, "<", whole[2])
        moved = spot.bounding_box()
        assert moved["width"] > place["width"] * 1.5
        assert abs(moved["x"] - place["x"]) < 12 and abs(moved["y"] - place["y"]) < 12
        page.keyboard.press("0")
        wait_for_width(page, "===", whole[2])
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(50)
        assert read_box(page) == whole  # it never shows more than everything


def test_a_drag_moves_the_board_and_chooses_nothing(address, browser):
    with seated(browser, address) as page:
        for _ in range(4):
            page.keyboard.press("+")
        before, spot = read_box(page), page.locator('#board [data-location="1,7"]')
        place = page.locator("#frame").bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y - 40, steps=4)
        page.mouse.up()
        after = read_box(page)
        assert after[0] > before[0] and after[1] > before[1] and after[2] == before[2]
        assert page.locator(".choice.selected").count() == 0
        page.keyboard.press("Shift+ArrowLeft")
        assert read_box(page)[0] < after[0]
        page.keyboard.press("0")
        wait_for_width(page, ">", 1.5 * before[2])
        spot.click()
        assert page.locator(".choice.selected").count() == 1


def test_the_wheel_turns_the_tile_on_trial_and_zooms_elsewhere(address, browser):
    with seated(browser, address) as page:
        spot = page.locator('#board [data-location="1,7"]')
        spot.click()
        box, words = read_box(page), page.locator("#chosen").text_content()
        page.mouse.wheel(0, 100)
        page.wait_for_function("words => document.querySelector('#chosen').textContent !== words", arg=words)
        assert read_box(page) == box
        page.locator("#board .space").first.hover()
        page.mouse.wheel(0, -100)
        wait_for_width(page, "<", box[2])


def test_two_fingers_zoom_about_what_lies_between_them_and_lay_no_tile(browser):
    """One click would lay it: fingers lie where there is a choice."""
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as where, seated(browser, where, **PHONE) as page:
        page.get_by_role("tab", name="Options").click()
        page.locator("#quick").check()
        page.evaluate("scrollTo(0, 0)")
        place = page.locator("#board .choice").first.bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        before, unit = find_in_picture(page, "#board svg", (x, y))
        pinch(page, (x, y), (60, 180))
        after, larger = find_in_picture(page, "#board svg", (x, y))
        assert larger / unit == pytest.approx(3, rel=0.05)
        assert max(abs(one - other) * larger for one, other in zip(before, after, strict=True)) < 4
        pinch(page, (x, y), (90, 30))
        assert find_in_picture(page, "#board svg", (x, y))[1] == pytest.approx(unit, rel=0.05)
        assert page.locator(".choice.selected").count() == 0 and session.view()["played"] == 0


@pytest.mark.parametrize(("ruleset", "left"), [("zamek", 30), (DEMO, 10)])
def test_fingers_find_what_there_is_to_choose(ruleset, left, browser):
    session = begin((None, RandomAgent()), ruleset=ruleset, actions=play_until(ruleset, left))
    with serve(session) as where, seated(browser, where, **PHONE, reduced_motion="reduce") as page:
        for shape in ("polygon", "circle"):
            page.locator(f"#board .choice > {shape}").first.wait_for()
            sizes = page.locator(f"#board .choice > {shape}").evaluate_all(SIZES)
            assert min(sizes) >= 23.9
            if shape == "polygon":
                state = session.state
                session.move(state, session.view()["choices"][0]["action"])
                if not session.is_persons_turn or session.game.phase != "send":
                    return


def test_a_close_up_is_left_once_there_is_nothing_more_to_choose_in_it(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as where, seated(browser, where, **PHONE, reduced_motion="reduce") as page:
        before = read_box(page)
        session.move(session.state, session.view()["choices"][0]["action"])
        page.locator("#board .choice > circle").first.wait_for()
        assert read_box(page)[2] < before[2] / 2
        session.undo(session.state)
        page.locator("#board .choice > polygon").first.wait_for()
        assert read_box(page)[2] == before[2]
