"""Pages that replay games, at work in a browser."""

import re
from functools import cache

import pytest

from tests.pages.test_play_page import PHONE
from tests.pages.test_replay_page import HOSTILE, make_other_story, play_some
from tests.support import browser as browsers
from tests.support.browser import find_in_picture, pinch
from zamek_agents import make_agent
from zamek_env.render import palette
from zamek_scripts.replaying.replay_page import make_page, make_story
from zamek_scripts.replaying.story import Look, Moment, Option, Story, Thoughts

browser = browsers.browser  # the fixture
DRAWN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><g class="tile"></g></svg>'


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens the page of a story; whatever the browser complains of fails the test."""
    complaints, contexts = [], []

    def opened(story, **options):
        path = tmp_path / "game.html"
        path.write_text(make_page(story), encoding="utf-8")
        contexts.append(browser.new_context(offline=True, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith("file:") else complaints.append(request.url))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@cache
def make_short_story(ruleset="zamek", decisions=14):
    """Return the story of the beginning of a game, in Zamek with thoughts."""
    agent = make_agent("value") if ruleset == "zamek" else None  # to compile it for another takes long
    record = play_some(ruleset, decisions).record((HOSTILE, "second"))
    return make_story(record, agent=agent, blunder=1.0)


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne-demo"])
def test_a_game_is_stepped_through_by_keys(ruleset, open_page):
    story = make_short_story(ruleset)
    page = open_page(story)
    for number, moment in enumerate(story.moments):
        if moment.action:
            assert moment.action in page.inner_text("#told .action")
        assert page.locator("#views svg:first-child g.tile").count() == moment.views[0].count('<g class="tile"')
        assert page.input_value("#slider") == str(number)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.input_value("#slider") == "0"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    step = int(page.input_value("#slider"))
    assert story.moments[step].turn == 2 and story.moments[step - 1].turn == 1
    page.keyboard.press("ArrowUp")
    assert story.moments[int(page.input_value("#slider"))].turn == 1
    page.keyboard.press("b")
    assert ("Blunder" in page.inner_text("#told")) == (ruleset == "zamek")


def test_the_list_of_decisions_is_one_stop_of_the_tab_key_that_goes_along(open_page):
    page = open_page(make_short_story())
    stop = page.locator("#moves button[tabindex='0']")
    assert page.locator("#moves button").count() > 10 and stop.count() == 1
    stop.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert stop.count() == 1 and page.input_value("#slider") == "2"
    assert page.locator("#moves button:focus").get_attribute("aria-current") == "step"
    page.keyboard.press("Tab")
    assert page.locator("#moves button:focus").count() == 0
    page.locator("#next").click()
    assert page.locator("#next:focus").count() == 1  # what has the focus keeps it


def find_width(page):
    """Return how wide the part of the board is that is shown, in units of the picture."""
    return float(page.locator("#frame svg").get_attribute("viewBox").split()[2])


@pytest.mark.parametrize("way", [(60, 180), (200, 100)])
def test_two_fingers_zoom_about_what_lies_between_them(way, open_page):
    page = open_page(make_short_story("carcassonne-demo"), **PHONE)
    page.locator("#last").click()
    if way[1] < way[0]:
        for _ in range(4):
            page.locator(".zoom button").first.click()
    page.evaluate("scrollTo(0, 0)")
    place, step = page.locator("#frame").bounding_box(), page.input_value("#slider")
    x, y = place["x"] + 0.45 * place["width"], place["y"] + 0.55 * place["height"]
    before, unit = find_in_picture(page, "#frame svg", (x, y))
    pinch(page, (x, y), way)
    after, larger = find_in_picture(page, "#frame svg", (x, y))
    assert larger / unit == pytest.approx(way[1] / way[0], rel=0.05)
    assert max(abs(one - other) * larger for one, other in zip(before, after, strict=True)) < 4
    assert page.input_value("#slider") == step


def test_the_board_is_zoomed_and_moved_by_wheel_keys_buttons_and_drag(open_page):
    page = open_page(make_short_story(), viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    whole, box = find_width(page), page.locator("#frame").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"parseFloat(document.querySelector('#frame svg').viewBox.baseVal.width) < {whole} - 1")
    near, before = find_width(page), page.locator("#frame svg").get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(middle[0] - 80, middle[1] - 40, steps=4)
    page.mouse.up()
    after = page.locator("#frame svg").get_attribute("viewBox")
    assert after != before and find_width(page) == near
    page.keyboard.press("Shift+ArrowLeft")
    assert page.locator("#frame svg").get_attribute("viewBox") != after and page.input_value("#slider") == "0"
    page.keyboard.press("ArrowRight")
    assert page.input_value("#slider") == "1" and find_width(page) == near  # a step on, it stays
    page.get_by_role("button", name="Zoom out").click()
    assert near < find_width(page)
    page.keyboard.press("0")
    assert find_width(page) == pytest.approx(whole)
    page.get_by_role("button", name="Zoom in").click()
    assert find_width(page) < whole


def test_a_close_up_follows_the_tile_laid_last(open_page):
    page = open_page(make_short_story(), viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    whole = find_width(page)
    page.get_by_label("close-up").check()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        tile, frame = page.locator("#frame .last").bounding_box(), page.locator("#frame").bounding_box()
        assert tile["width"] > 110
        for start, size in (("x", "width"), ("y", "height")):
            assert frame[start] - 2 <= tile[start] and tile[start] + tile[size] <= frame[start] + frame[size] + 2
    page.keyboard.press("z")
    assert not page.get_by_label("close-up").is_checked() and find_width(page) == pytest.approx(whole)


def test_a_board_without_a_last_tile_has_no_close_up(open_page):
    page = open_page(make_other_story())
    assert page.get_by_label("close-up").is_hidden()


def test_the_curve_has_axes_and_a_click_goes_to_the_step_below_it(open_page):
    story = make_short_story()
    page = open_page(story)
    words = page.locator("#curve svg:not(.sample) text").all_text_contents()
    assert {"points", "turn", "0", "1", str(story.moments[-1].turn)} <= set(words)
    for step in (0, 5, len(story.moments) - 1):
        page.evaluate(f"go({step})")
        at = page.locator("#curve .now").bounding_box()
        page.evaluate(f"go({(step + 3) % len(story.moments)})")
        page.locator("#curve").scroll_into_view_if_needed()
        box = page.locator("#curve svg:not(.sample)").bounding_box()
        page.mouse.click(at["x"] + at["width"] / 2, box["y"] + box["height"] / 2)
        assert page.input_value("#slider") == str(step)


def test_players_of_cards_have_one_colour_in_picture_names_and_curve(open_page):
    moments = [Moment((DRAWN,), (3, 2)), Moment((DRAWN,), (3, 1), turn=1, player=1, action="play")]
    pawns = (("#1a1a1a", "#ffffff"), ("#eeddaa", "#1a1a1a"))
    page = open_page(Story("game", "", ("a", "b"), moments, look=Look(pawns=pawns)))
    for number, colour in enumerate(("rgb(26, 26, 26)", "rgb(238, 221, 170)")):
        style = "element => getComputedStyle(element)"
        assert page.locator(".player").nth(number).evaluate(f"{style}.borderLeftColor") == colour
        assert page.locator(".player i").nth(number).evaluate(f"{style}.backgroundColor") == colour
        assert page.locator("#curve svg:not(.sample) polyline.line").nth(number).evaluate(f"{style}.stroke") == colour
    assert page.locator("#curve svg:not(.sample) polyline.casing").count() == 2


def test_play_runs_to_the_end_and_stops(open_page):
    story = make_short_story(decisions=5)
    page = open_page(story)
    page.select_option("#speed", "200")
    page.click("#play")
    page.locator("#moves li:last-child button:last-child[aria-current]").wait_for(timeout=10_000)
    assert page.input_value("#slider") == str(len(story.moments) - 1)
    assert page.inner_text("#play") == "▶"


def test_switches_show_choices_and_what_is_hidden(open_page):
    story = make_short_story()
    page = open_page(story)
    assert not page.locator(".revealed").first.is_visible()
    page.keyboard.press("h")
    assert page.locator(".revealed").first.is_visible() and "Next in the deck" in page.inner_text("#told")
    page.click("#moves button >> nth=1")
    page.keyboard.press("c")
    outlines = {option.outline for option in story.moments[1].thoughts.options} - {None}
    assert page.locator("#views g.choice").count() == len(outlines)
    strongest = ",".join(str(part) for part in bytes.fromhex(palette.CHOICES[1].removeprefix("#")))
    assert page.locator(f'#views g.choice rect[fill="rgb({strongest})"]').count() >= 1
    assert page.locator("#thoughts tbody tr").count() == len(story.moments[1].thoughts.options)
    assert story.moments[1].action in page.inner_text("#thoughts tr.played")


def test_a_loss_names_what_lies_in_a_hand_only_where_choices_are_asked_for(open_page):
    thoughts = Thoughts("probability", [Option("give King", 0.8), Option("give Witch", 0.1, is_played=True)], 0.7)
    moments = [Moment((DRAWN,), (0, 0)), Moment((DRAWN,), (0, 0), 1, 0, "card …", thoughts=thoughts)]
    page = open_page(Story("cards", "", ("a", "b"), moments, "ismcts", look=Look(has_hands=True)))
    page.keyboard.press("ArrowRight")
    assert "Loss: 70% less than the best choice" in page.inner_text("#told") and "King" not in page.inner_text("#told")
    page.keyboard.press("c")
    assert "Loss: 70% less than “give King”" in page.inner_text("#told")


def test_pointing_at_an_area_says_who_holds_it(open_page):
    page = open_page(make_short_story())
    page.keyboard.press("End")
    page.locator("#views [data-at]").last.dispatch_event("pointerover", {"bubbles": True})
    assert re.search(r"^\S+: \w+ of \d+ tiles?", page.inner_text("#pointed"))
    assert page.locator("#views .pointed").count() >= 1
    for key in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        assert page.locator("#views .pointed").count() == 0 and page.inner_text("#pointed") == ""


def test_keys_go_from_area_to_area(open_page):
    page = open_page(make_short_story())
    page.keyboard.press("End")
    pointed = []
    while len(pointed) < 2 or pointed[-1] != pointed[0]:
        page.keyboard.press("a")
        pointed.append(page.inner_text("#pointed"))
    assert len(set(pointed)) == len(pointed) - 1 >= 2
    page.keyboard.press("Shift+A")
    assert page.inner_text("#pointed") == pointed[-2]
    assert page.locator("#views .pointed").count() >= 1


def test_names_are_shown_as_they_are_in_the_browser(open_page):
    page = open_page(make_short_story(decisions=4))
    assert HOSTILE[:40] in page.inner_text("#players")
    assert "hacked" not in page.title() or HOSTILE[:40] in page.title()
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne-demo"])
def test_a_phone_shows_all_without_scrolling_sideways(ruleset, open_page):
    page = open_page(make_short_story(ruleset, 10), viewport={"width": 360, "height": 740}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for view in page.locator("#views svg").all():
        assert view.bounding_box()["width"] > 250
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(30, 26, 23)"
    page.select_option("#theme", "light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(241, 232, 213)"


def test_any_game_is_shown_in_the_browser(open_page):
    page = open_page(make_other_story())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    assert page.inner_text("#thoughts tr.played").split()[0] == "pass"
    assert page.locator("#players .player").count() == 3


@pytest.mark.parametrize("switch", ["#hidden", "#choices"])
def test_keys_work_after_a_click_on_a_switch(switch, open_page):
    page = open_page(make_short_story(decisions=5))
    page.click(switch)
    page.keyboard.press("ArrowRight")
    assert page.input_value("#slider") == "1" and page.is_checked(switch)
    page.keyboard.press(" ")  # which is the switch's own
    assert not page.is_checked(switch) and page.inner_text("#play") == "▶"


def test_elements_keep_the_keys_that_they_have_a_use_for(open_page):
    page = open_page(make_short_story(decisions=5))
    page.focus("#slider")
    page.keyboard.press("ArrowUp")
    assert page.input_value("#slider") == "1"
    page.keyboard.press("h")
    assert page.is_checked("#hidden")
    page.focus("summary")
    page.keyboard.press(" ")
    assert page.locator("details[open]").count() == 1 and page.inner_text("#play") == "▶"
    page.focus("#speed")
    page.keyboard.press("ArrowDown")
    assert page.input_value("#speed") != "1000" and page.input_value("#slider") == "1"


def test_a_link_names_a_decision(open_page):
    page = open_page(make_other_story(5))
    for named, shown in (("3", "3"), ("2.5", "2"), ("-1", "0"), ("99", "4"), ("x", "0")):
        page.goto(f"{page.url.partition('#')[0]}#{named}")
        page.reload()
        assert page.input_value("#slider") == shown, named


def test_a_worth_that_is_rounded_to_nothing_has_no_minus(open_page):
    thoughts = Thoughts("points", [Option("a", -0.04), Option("b", -0.06, None, True)], 0.02)
    view = ('<svg viewBox="0 0 9 9"><text>x</text></svg>',)
    moments = [Moment(view, (0, 0)), Moment(view, (0, 0), 1, 0, "b", thoughts=thoughts)]
    page = open_page(Story("Cards", "by hand", ("a", "b"), moments, "someone"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    assert page.locator("#thoughts td:nth-child(2)").all_inner_texts() == ["+0.0", "−0.1"]
