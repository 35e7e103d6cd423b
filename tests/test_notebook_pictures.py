"""Pictures as a notebook shows them, in a real browser: within a page, and as an image of its own."""

from urllib.parse import quote

import pytest

from tests.support import browser as browsers
from tests.support.browser import opened
from zamek_env import Game
from zamek_env.castle_cards.game import CastleCards

browser = browsers.browser  # the fixture
CELLS = {"a notebook": 848, "a phone": 360}  # width, pixels
GAMES = {"zamek": Game, "castle-cards": CastleCards}


def fill(page, svg, theme="true"):
    """Show a picture in a page, within it and as an image that is as wide as it asks for, up to the page's width."""
    image = f'<img style="max-width: 100%" src="data:image/svg+xml,{quote(svg)}">'
    page.set_content(f'<body style="margin: 0" data-jp-theme-light="{theme}"><div>{svg}</div>{image}')
    page.wait_for_function("document.images[0].complete")
    return [page.locator(name).bounding_box() for name in ("svg", "img")]


@pytest.mark.parametrize("width", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_picture_fits_its_cell_and_keeps_its_shape(game, width, browser):
    svg = game(seed=1)._repr_svg_()
    with opened(browser, "about:blank", viewport={"width": width, "height": 700}) as page:
        boxes = fill(page, svg)
        _, _, wide, high = map(float, page.locator("svg").get_attribute("viewBox").split())
        for box in boxes:
            assert 300 < box["width"] <= width and box["height"] <= 700
            assert box["width"] / box["height"] == pytest.approx(wide / high, rel=0.02)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_picture_is_dark_as_the_system_or_the_notebook_is(game, browser):
    svg, seen = game(seed=1)._repr_svg_(), []
    for scheme, theme in (("light", "true"), ("dark", "true"), ("light", "false")):
        with opened(browser, "about:blank", color_scheme=scheme) as page:
            fill(page, svg, theme)
            seen.append(page.locator("rect.back").evaluate("rect => getComputedStyle(rect).fill"))
    light, by_system, by_notebook = seen
    assert by_system == by_notebook != light
