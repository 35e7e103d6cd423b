"""The page of `zamek play` in a real browser: clicked, by keyboard alone, on a phone, reloaded, in two tabs."""

import re
import threading

import numpy as np
import pytest

from tests.commands.test_play_session import DEMO, Failing, Hurried, Slow, begin
from tests.support import browser as browsers
from tests.support.browser import opened, seated, served
from tests.support.card_game import CardGame
from tests.support.games import list_texts, play_randomly
from tests.support.scripted_agent import Valuing
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_scripts.playing.opening import Opening

server = pytest.importorskip("zamek_scripts.playing.server", reason="needs the extra `play`")
browser = browsers.browser  # the fixture
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


def play_until(ruleset, tiles, seed=3):
    """Return random actions, in notation, up to a turn in which no more than `tiles` are left."""
    for game in play_randomly(Game(ruleset, seed), seed):
        if game.position().remaining.total() <= tiles and game.phase == "place" and game.current_player == 0:
            return list_texts(game)
    raise AssertionError("the game is over")


def serve(session):
    return served(server.make_server(Opening(session)))


def wait_for_status(page, pattern):
    """Wait until the status begins with a regular expression, and return it."""
    status = page.locator("#status", has_text=re.compile(rf"^({pattern})"))
    status.wait_for()
    return status.text_content()


def wait_for_moves(page, played):
    """Wait until the page shows that many moves."""
    page.locator("#moves li").nth(played - 1).wait_for()


def click_through(page, session):
    """Click until the game is over: on the board where there is something to click, else in the list."""
    rng = np.random.default_rng(0)
    while not wait_for_status(page, r"Your turn|\w+ player:|Game over").startswith("Game over"):
        seen = page.locator("body").get_attribute("data-state")
        spots = page.locator("#board .choice")
        if spots.count():
            spots.nth(int(rng.integers(spots.count()))).dispatch_event("click")
        else:
            page.locator("#nowhere button").first.click()
        if rng.random() < 0.3 and page.locator("#rotate").is_enabled():
            page.locator("#rotate").click()
        page.locator("#confirm").click()
        page.locator(f"body:not([data-state='{seen}'])").wait_for()


@pytest.mark.parametrize(("ruleset", "agent"), [("zamek", GreedyAgent), (DEMO, RandomAgent)])
def test_the_end_of_a_game_is_clicked_through(ruleset, agent, browser):
    session = begin((None, agent()), ruleset=ruleset, actions=play_until(ruleset, 2))
    with serve(session) as address, seated(browser, address) as page:
        click_through(page, session)
        assert f"{session.game.scores[0]} : {session.game.scores[1]}" in page.locator("#status").text_content()
        with page.expect_download() as download:
            page.get_by_text("Save its record").click()
        assert download.value.suggested_filename == "game.json"


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["zamek", "sokol", "sokol-gates", DEMO, "carcassonne"])
def test_a_whole_game_is_clicked_through(ruleset, browser):
    GreedyAgent().act(Game(ruleset, seed=0), np.random.default_rng(0))  # compiled before the page waits for it
    session = begin((None, GreedyAgent()), ruleset=ruleset)
    with serve(session) as address, seated(browser, address) as page:
        click_through(page, session)
    assert Game.replay(session.record()).scores == session.game.scores


def test_a_tile_is_turned_confirmed_and_taken_back(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    turned = [choice for choice in session.view()["choices"] if choice["location"] == "1,7"]
    with serve(session) as address, seated(browser, address) as page:
        assert page.locator("#confirm").is_disabled() and page.locator("#undo").is_disabled()
        spot = page.locator('#board [data-location="1,7"]')
        spot.click()
        assert page.locator("#chosen").text_content() == "P" + turned[0]["words"][1:]
        spot.click()
        assert page.locator("#chosen").text_content() == "P" + turned[1]["words"][1:]
        page.locator("#confirm").click()
        page.wait_for_selector("#tile.close .choice")
        assert session.view()["moves"][-1]["action"] == turned[1]["action"]
        page.locator("#undo").click()
        spot.wait_for()
        assert session.view()["played"] == 0


def test_the_tile_on_trial_lies_below_its_frame_and_has_buttons(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        spot = page.locator('#board [data-location="1,7"]')
        spot.hover()
        assert spot.locator("g.ghost").count() == 1  # shown before it is chosen
        page.locator("h1").hover()
        assert page.locator("g.ghost").count() == 0
        spot.click()
        parts = spot.evaluate("place => [...place.children].map(part => part.getAttribute('class') ?? part.tagName)")
        assert parts == ["title", "trial", "polygon"]
        assert float(spot.locator("g.trial").evaluate("tile => getComputedStyle(tile).opacity")) < 1
        tile, buttons = spot.bounding_box(), page.locator("#trial").bounding_box()
        assert abs(tile["x"] + tile["width"] / 2 - buttons["x"] - buttons["width"] / 2) < 1
        first = page.locator("#chosen").text_content()
        page.locator("#trial-rotate").click()
        assert page.locator("#chosen").text_content() != first
        page.locator("#trial-confirm").click()
        page.wait_for_selector("#tile.close .choice")
        assert page.locator("#trial").is_hidden()
    assert session.view()["played"] == 1


def test_one_click_is_enough_for_who_wants_that(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#tab-options").click()
        page.locator("#quick").check()
        page.locator('#board [data-location="1,7"]').click()
        page.wait_for_selector("#tile.close .choice")
        page.reload()
        page.wait_for_selector("#tile.close .choice")
        assert page.locator("#quick").is_checked()


SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((each) => each.value)))
        .observe({ type: "layout-shift" });
"""


WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("ruleset", "screen"),
    [
        ("zamek", NARROW),
        (DEMO, WIDE),
        *(pytest.param(*pair, marks=pytest.mark.long) for pair in (("zamek", WIDE), (DEMO, NARROW))),
    ],
)
def test_nothing_jumps_from_decision_to_decision(ruleset, screen, browser):
    session = begin((None, RandomAgent()), ruleset=ruleset, actions=play_until(ruleset, 20))
    with serve(session) as address, seated(browser, address, viewport=screen) as page:
        page.evaluate(SHIFTS)
        for _ in range(8):
            if wait_for_status(page, "Your turn|Game over").startswith("Game over"):
                break
            state = session.state
            choice = session.view()["choices"][0]["action"]
            session.move(state, choice)  # as from another tab: what a click moves does not count
            page.locator(f"body:not([data-state='{state}'])").wait_for()
        page.wait_for_timeout(100)
        assert sum(page.evaluate("shifts")) < 0.01


def test_what_players_hold_is_seen_without_scrolling(browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_until("zamek", 20))
    with serve(session) as address, seated(browser, address, viewport={"width": 1280, "height": 800}) as page:
        for place in ("#scores", "#facts", "#turn", "#past", "#sheets"):
            box = page.locator(place).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= 800, place
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_token_says_what_it_does(browser):
    line = "zamek; 0 place Z33; board Z02@0,3N; taken 12 22 25; tokens 2 5 : 9"
    session = begin((None, None), ruleset="zamek", game=Game.parse_position(line, seed=1))
    held = [thing for things in session.view()["beside"]["held"] for thing in things if thing["icon"] == "token"]
    with serve(session) as address, seated(browser, address) as page:
        chips = page.locator("#scores .chip")
        chips.first.wait_for()
        assert chips.count() == len(held) > 0
        for number, thing in enumerate(held):
            chips.nth(number).click()
            assert thing["hint"] and thing["hint"] in page.locator("#pointed").text_content()
            assert thing["hint"] in chips.nth(number).get_attribute("title")


def test_a_piece_is_sent_by_the_picture_of_the_tile(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    session.move(session.state, session.view()["choices"][0]["action"])
    wanted = next(choice for choice in session.view()["choices"] if choice["action"] == "herald r2")
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#tile .choice", has_text="r2").click()
        assert page.locator("#chosen").text_content().lower() == wanted["words"]
        assert page.locator('#choices [aria-pressed="true"]').text_content().lower() == wanted["words"]
        page.locator("#confirm").click()
        wait_for_moves(page, 3)
    assert session.view()["moves"][1]["action"] == "herald r2"


def test_a_turn_is_played_by_keyboard_alone(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        focused = page.locator("#board .choice:focus")
        focused.wait_for()
        first = focused.get_attribute("data-location")
        page.keyboard.press("ArrowDown")
        assert focused.get_attribute("data-location") != first
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        assert page.locator("#chosen").text_content().startswith("Place")
        page.keyboard.press("r")
        page.keyboard.press("Enter")
        page.wait_for_selector("#board .choice > circle")
        page.keyboard.press("u")
        page.wait_for_selector("#board .choice > polygon")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_selector("#board .choice > circle")
        for _ in range(20):  # to the list, and the first choice in it: nobody
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.action") == "-":
                break
        page.keyboard.press("Enter")
        assert page.locator("#chosen").text_content() == "Send nobody"
        page.keyboard.press("Enter")
        wait_for_moves(page, 3)
    assert session.view()["moves"][1]["action"] == "-"


@pytest.mark.parametrize("where", ["#board .choice", "#choices button"])
def test_a_key_held_down_confirms_nothing(where, browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#board .choice:focus").wait_for()
        page.locator("#tab-choices").click()
        page.locator(where).first.focus()
        page.keyboard.down("Enter")
        page.keyboard.down("Enter")  # again without having been up
        assert page.locator("#chosen").text_content().startswith("Place") and page.locator("#confirm").is_enabled()
        page.keyboard.up("Enter")
        page.keyboard.press("Enter")
        page.wait_for_selector("#tile.close .choice")
    assert session.view()["played"] == 1


def test_all_moves_are_listed_with_their_numbers(browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_until("zamek", 30))
    view = session.view()
    with serve(session) as address, seated(browser, address) as page:
        assert page.locator("#moves").evaluate("list => list.start") == view["played"]
        assert page.locator("#moves li").count() == len(view["moves"]) == view["played"] > 40


@pytest.mark.parametrize("ruleset", ["zamek", DEMO])
def test_a_phone_shows_everything_in_its_width(ruleset, browser):
    session = begin((None, RandomAgent()), ruleset=ruleset)
    with serve(session) as address, seated(browser, address, **PHONE) as page:
        page.locator("#board .choice").first.tap(force=True)
        page.locator("#confirm:enabled").wait_for()
        bottom = page.locator("#confirm").bounding_box()
        assert bottom["y"] + bottom["height"] <= PHONE["viewport"]["height"] and bottom["height"] >= 40
        page.locator("#confirm").tap()
        page.wait_for_selector("#nowhere button")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


COVERED = """() => [...document.querySelectorAll("#board .choice")].filter((choice) => {
    const { x, y, width, height } = choice.getBoundingClientRect();
    return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".choice");
}).length"""


@pytest.mark.parametrize("screen", [{"width": 240, "height": 480}, {"width": 600, "height": 300}])
def test_a_small_window_shows_everything_in_its_width_and_covers_no_place(screen, browser):
    session = begin((None, RandomAgent()), ruleset="zamek", actions=play_until("zamek", 20))
    with serve(session) as address, seated(browser, address, viewport=screen) as page:
        page.locator("#board .choice").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(COVERED) == 0


def test_a_reload_shows_the_game_as_it_stands(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#board .choice").first.click()
        page.locator("#confirm").click()
        page.wait_for_selector("#board .choice > circle")
        words = page.locator("#status").text_content()
        page.reload()
        page.wait_for_selector("#board .choice > circle")
        assert page.locator("#status").text_content() == words and page.locator("#undo").is_enabled()


def test_a_second_tab_follows_and_a_late_move_is_explained(browser):
    session = begin(ruleset=DEMO)
    with serve(session) as address, seated(browser, address) as page:
        other = page.context.new_page()
        other.route(re.compile(r"state\?after"), lambda route: None)  # it hears no news
        other.goto(address)
        other.locator("#board .choice").first.click()
        page.locator("#board .choice").first.click()
        page.locator("#confirm").click()
        page.wait_for_selector("#board .choice > circle")
        other.locator("#confirm").click()
        other.wait_for_selector("#alerts p")
        assert "gone on since" in other.locator("#alerts").text_content()
        assert other.locator("#board .choice > circle").count()
        other.unroute_all()
        other.reload()
        page.locator("#undo").click()
        other.wait_for_selector("#board .choice > polygon")


def test_a_refusal_goes_once_the_game_has_gone_on(browser):
    session = begin(ruleset=DEMO)
    with serve(session) as address, seated(browser, address) as page:
        other = page.context.new_page()
        other.route(re.compile("/move"), lambda route: route.fulfill(status=400, json={"error": "not so"}))
        other.goto(address)
        other.locator("#board .choice").first.click()
        other.locator("#confirm").click()
        other.locator("#alerts p", has_text="Not so.").wait_for()
        session.move(session.state, session.view()["choices"][0]["action"])
        other.wait_for_selector("#board .choice > circle")
        assert other.locator("#alerts p").count() == 0


def test_a_line_of_the_list_is_marked_on_the_board_also_after_hints_have_come(browser):
    def think(count):
        assert may_answer.wait(20)
        return np.arange(count)

    may_answer, session = threading.Event(), begin((None, RandomAgent()), ruleset="zamek")
    session.adviser = Valuing(think)
    session.start()
    with serve(session) as address, seated(browser, address) as page:
        may_answer.set()
        page.locator("#choices .value").first.wait_for(state="attached")
        page.locator("#tab-choices").click()
        page.locator("#choices button").first.click()
        assert page.locator("#board .choice.selected").count() == 1
        assert page.locator("#board g.trial").count() == 1


def test_the_tile_of_a_move_is_framed_while_the_move_is_pointed_at(browser):
    session = begin((None, None), ruleset="zamek", actions=play_until("zamek", 50))
    moves = session.view()["moves"]
    with serve(session) as address, seated(browser, address) as page:
        page.locator("#moves li").first.wait_for()
        marked = page.locator("#board .tile:has(.mark)")
        cells = []
        for number, move in enumerate(moves[-6:], start=1):
            page.locator(f"#moves li:nth-last-child({len(moves) - 6 + number})").hover()
            cells.append(marked.get_attribute("data-cell"))
            assert marked.count() == 1
            if "@" in move["action"]:
                assert move["action"].partition("@")[2][:-1] == cells[-1]
        assert len(set(cells)) > 1
        page.locator("h1").hover()
        assert marked.count() == 0


def test_what_lies_beside_the_board_is_told_in_words(browser):
    session = begin((None, None), ruleset="zamek", actions=play_until("zamek", 50))
    with serve(session) as address, seated(browser, address) as page:
        page.wait_for_selector("#board .choice")
        table = page.get_by_role("table", name="Points").text_content()
        for words in ("First player", "Second player", "followers in supply", "no family house"):
            assert words in table
        assert page.locator("#facts").text_content() == "49 tiles left"


def test_the_page_says_that_an_agent_thinks_or_failed(browser):
    slow, failing = Slow(), Failing()
    with serve(begin((slow, None))) as address, seated(browser, address) as page:
        wait_for_status(page, "slow is thinking")
        assert page.locator("#board .choice").count() == 0 and page.locator("#turn").is_hidden()
        slow.may_decide.set()
        page.wait_for_selector("#board .choice")
    with serve(begin((failing, None))) as address, seated(browser, address) as page:
        page.wait_for_selector("#alerts p")
        assert "RuntimeError: no idea" in page.locator("#alerts").text_content()
        assert page.title() == f"{DEMO}: The game waits."
        failing.broken = False
        page.locator("#again").click()
        page.wait_for_selector("#board .choice")
        assert page.locator("#alerts p").count() == 0


def test_a_page_that_was_opened_early_shows_what_is_made_ready_and_then_the_board(browser):
    opening = Opening()
    opening.plan("the rules of zamek", "greedy")
    opening.finish_step()
    with served(server.make_server(opening)) as address, opened(browser, address) as page:
        page.get_by_role("progressbar", name="Getting the game ready").wait_for()
        assert page.locator("#opening li.done").text_content() == "the rules of zamek"
        assert page.locator("#opening [aria-current=step]").text_content() == "greedy"
        assert page.locator("main").is_hidden() and page.locator("#alerts p").count() == 0
        opening.session = begin()
        page.wait_for_selector("#board .choice")
        assert page.locator("#opening").is_hidden()


def test_a_long_search_is_followed_and_ended(browser):
    agent = Hurried()
    with serve(begin((agent, None))) as address, seated(browser, address) as page:
        page.get_by_text("12,345 games simulated").wait_for()
        page.get_by_role("button", name="Move now").click()
        page.wait_for_selector("#board .choice")
        assert page.locator("#hurry").is_hidden() and page.locator("#doing").is_hidden()
    with serve(begin((slow := Slow(), None))) as address, seated(browser, address) as page:
        page.locator("#doing", has_text="s").wait_for()
        assert page.locator("#hurry").is_hidden()  # it cannot be hurried
        slow.may_decide.set()


def test_the_page_says_that_the_server_is_gone(browser):
    with serve(begin()) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("#board .choice")
    page.wait_for_selector("#alerts p")
    assert "cannot be reached" in page.locator("#alerts").text_content()
    context.close()


def test_the_page_says_whose_hand_is_covered_though_there_are_no_hints(browser):
    class Adviser(RandomAgent):
        def evaluate(self, game, rng):
            raise RuntimeError("no idea")

    session = begin((None, None, None), ruleset="cards", game=CardGame(seed=1))
    session.adviser = Adviser()
    session.start()
    with serve(session) as address, seated(browser, address) as page:
        page.wait_for_selector("#alerts p")
        assert page.locator("#status").text_content() == "It is the turn of the first player."


@pytest.mark.long
def test_a_game_of_hands_is_played_by_buttons(browser):
    session = begin((None, None, None), ruleset="cards", game=CardGame(seed=1))
    with serve(session) as address, seated(browser, address) as page:
        for played in range(3):
            page.locator("#uncover").click()
            page.locator("#choices button").first.click()
            page.locator("#confirm").click()
            wait_for_moves(page, played + 1)
            page.locator("#uncover").wait_for()
            assert page.locator("#choices button").count() == 0
    assert session.view()["played"] == 3


def test_hints_are_switched_on_in_the_page_and_read_out(browser):
    session = begin((None, RandomAgent()), ruleset="zamek")
    with serve(session) as address, seated(browser, address) as page:
        spot = page.locator("#board .choice").first
        assert "worth" not in spot.get_attribute("aria-label")
        page.locator("#tab-options").click()
        page.locator("#adviser").select_option("value")
        page.locator("#board .choice > text").first.wait_for(state="attached")
        assert re.search(r", worth [+-]\d+\.\d", spot.get_attribute("aria-label"))
        page.locator("#adviser").select_option("")
        page.locator("#board .choice > text").first.wait_for(state="detached")
        assert "worth" not in spot.get_attribute("aria-label")


def test_a_game_that_is_watched_pauses_and_steps(browser):
    session = begin((RandomAgent(), RandomAgent()), ruleset="zamek", start=False)
    session.pace = 60.0
    session.start()
    with serve(session) as address, seated(browser, address) as page:
        assert page.locator("#turn").is_hidden()
        page.locator("#pause").click()
        wait_for_status(page, "Paused: random")
        for played in (1, 2):
            page.locator("#step").click()
            wait_for_moves(page, played)
        page.locator("#pace").select_option("0")
        wait_for_moves(page, 10)
