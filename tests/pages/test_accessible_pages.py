"""All pages as axe-core sees them, wide and narrow, in light and dark: names, roles, contrast, the keyboard."""

from functools import cache

import numpy as np
import pytest

from tests.agents.test_analysis import finish
from tests.commands.test_castle_cards_play import sit_down
from tests.commands.test_play_session import DEMO, Hurried, begin, wait_until
from tests.pages.test_play_page import play_until, serve
from tests.pages.test_replay_in_browser import make_short_story
from tests.support import browser as browsers
from tests.support.browser import opened, seated, served
from zamek_agents import make_agent
from zamek_agents.analysis import analyse
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_scripts.playing.opening import Opening
from zamek_scripts.replaying.replay_page import make_page, make_story

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
server = pytest.importorskip("zamek_scripts.playing.server", reason="needs the extra `play`")
browser = browsers.browser  # the fixture
SCREENS = {
    "wide": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of axe-core that look at colours, which differ in dark
BROKEN = {"resultTypes": ["violations"]}  # to list each element that is fine too takes several times as long
LONG = pytest.mark.long  # daily each page is looked at on one screen, and in the proof on both


def on_screens(name, **daily):
    """Let a test look at pages on both screens; `daily` is {page: the screen on which it is looked at every day}."""
    return pytest.mark.parametrize(
        (name, "screen"),
        [
            pytest.param(page, screen, id=f"{page}-{at}", marks=() if daily[page] == at else LONG)
            for page in daily
            for at, screen in SCREENS.items()
        ],
    )


on_a_phone = pytest.mark.parametrize(
    "screen", [pytest.param(SCREENS["wide"], id="wide", marks=LONG), pytest.param(SCREENS["phone"], id="phone")]
)


def check(page):
    """Fail, naming what is wrong and where, unless axe-core has nothing to say against a page, in light or dark."""
    wrong = {}
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.Axe().axe_script)
    for scheme, options in (("dark", BROKEN | {"runOnly": COLOURS}), ("light", BROKEN)):
        page.emulate_media(color_scheme=scheme)
        for rule in page.evaluate("options => axe.run(options).then(found => found.violations)", options):
            wrong[scheme, rule["id"]] = [node["target"] for node in rule["nodes"]][:5]
    assert wrong == {}


@on_screens("ruleset", **{"zamek": "wide", DEMO: "phone"})
def test_a_game_of_tiles_that_is_played(ruleset, screen, browser):
    session = begin((None, RandomAgent()), ruleset=ruleset, actions=play_until(ruleset, 40))
    with serve(session) as address, seated(browser, address, **screen) as page:
        check(page)
        page.locator("#board .choice").first.click(force=True)
        check(page)
        page.locator("#confirm").click()
        page.wait_for_selector("#board .choice > circle")
        for tab in page.get_by_role("tab").all():
            if tab.is_visible():
                tab.click()
                check(page)
        page.locator("#past-first").click()
        page.locator("#status", has_text="Looking back").wait_for()
        check(page)


@on_a_phone
def test_a_game_of_tiles_that_is_over(screen, browser):
    session = begin((RandomAgent(), GreedyAgent()), ruleset=DEMO)
    wait_until(lambda: session.game.is_terminal)
    with serve(session) as address, seated(browser, address, **screen) as page:
        check(page)


@on_a_phone
def test_a_game_of_cards_that_is_played(screen, browser):
    session = sit_down(None, RandomAgent(), RandomAgent())
    with serve(session) as address, seated(browser, address, **screen) as page:
        check(page)
        page.locator("#buttons .choice").first.click()
        check(page)


@on_a_phone
def test_what_is_waited_for(screen, browser):
    opening, agent = Opening(), Hurried()
    opening.plan("the rules of zamek", "greedy")
    opening.finish_step()
    with served(server.make_server(opening)) as address, opened(browser, address, **screen) as page:
        page.get_by_role("progressbar").wait_for()
        check(page)
        opening.session = begin((agent, None))
        page.get_by_role("button", name="Move now").wait_for()
        check(page)
        agent.hurry()


@on_screens("kind", tiles="wide", cards="phone")
def test_a_game_that_is_replayed(kind, screen, browser, tmp_path):
    path = tmp_path / "game.html"
    path.write_text(make_page(make_short_story() if kind == "tiles" else make_castle_story()), encoding="utf-8")
    with opened(browser, path.as_uri(), **screen) as page:
        for _ in range(9):
            page.locator("#next").click()
        for box in page.locator("input[type=checkbox]:visible").all():
            box.check()
        for summary in page.locator("summary").all():
            summary.click()
        check(page)


@cache
def make_report():
    """Return the page of a report on three games, with what an agent thinks of them."""
    page_of = pytest.importorskip("zamek_agents.analysis.page", reason="needs the extra `bench`")
    records = [finish(Game("zamek", seed), seed).record(("a", "b")) for seed in range(3)]
    return page_of.make_page(analyse(records, agent=make_agent("value")), "games.jsonl")


@cache
def make_castle_story():
    """Return the story of the beginning of a game, with thoughts."""
    game, rng = CastleCards(2, seed=1), np.random.default_rng(1)
    for _ in range(30):
        game.step(int(rng.choice(game.legal_actions())))
    return make_story(game.record(("you", "other")), agent=make_agent("ismcts:simulations=20"))


@on_a_phone
def test_a_report_on_games(screen, browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(make_report(), encoding="utf-8")
    with opened(browser, path.as_uri(), **screen) as page:
        for summary in page.locator("summary").all():
            summary.click()
        check(page)
