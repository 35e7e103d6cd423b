"""A real browser for tests of pages: Chromium by playwright, where both are installed."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tools.install_browser import NAMES, find_browser

PATIENCE = 20_000  # milliseconds


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window; the test is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright, by which a browser is driven")
    path = find_browser()
    if path is None:
        pytest.skip(f"needs a browser, one of {', '.join(NAMES)}")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def served(server) -> Iterator[str]:
    """Let `server`, of uvicorn, serve on a free port in a thread; the value is the address."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{sock.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def opened(browser, address, **settings):
    """Open the page at `address` as `settings` of a context say; fail where it has errors."""
    context = browser.new_context(**settings)
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(address)
    try:
        yield page
        assert wrong == []
    finally:
        context.close()


@contextmanager
def seated(browser, address, **settings):
    """Open the page of `zamek play` as `opened` does, and wait until it has heard of the game."""
    with opened(browser, address, **settings) as page:
        page.locator("body[data-state]").wait_for()
        yield page


def pinch(page, middle, apart, steps=5):
    """Lay two fingers on the screen about `middle`, (x, y), and draw them apart; `apart` are pixels before and after.

    The fingers lie north-west and south-east of the middle.
    """
    driver, (x, y), (before, after) = page.context.new_cdp_session(page), middle, apart

    def touch(kind, distance):
        ways = [] if kind == "touchEnd" else [-0.5, 0.5]
        points = [{"x": x + 0.8 * way * distance, "y": y + 0.6 * way * distance, "id": int(way > 0)} for way in ways]
        driver.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", before)
    for step in range(1, steps + 1):
        touch("touchMove", before + (after - before) * step / steps)
    touch("touchEnd", after)
    driver.detach()


def find_in_picture(page, selector, at):
    """Return where in the units of the picture a point of the screen lies, and how many pixels one of these is."""
    look = """([selector, x, y]) => {
      const matrix = document.querySelector(selector).getScreenCTM();
      const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
      return [[point.x, point.y], matrix.a];
    }"""
    return page.evaluate(look, [selector, *at])
