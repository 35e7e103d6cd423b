"""The board of `zamek play` zoomed and moved: by wheel, drag, pinch, keys and buttons."""

import pytest

from tests.support import browser as browsers
from tests.support.browser import find_in_picture, pinch, seated
from tests.test_play_page import PHONE, play_until, serve
from tests.test_play_session import DEMO, begin
from zamek_agents.heuristic import RandomAgent

browser = browsers.browser  # the fixture


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
