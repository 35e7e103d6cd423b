"""The notebooks: each runs, and holds the outputs that it has."""

import re
from pathlib import Path
from urllib.parse import quote

import nbformat
import numpy as np
import pytest
from matplotlib import pyplot

from tests.support import browser as browsers
from tests.support.browser import opened
from tests.support.notebooks import (
    PATHS,
    QUICK,
    SETTINGS,
    execute,
    find_faults,
    list_code,
    list_printed,
    make_quick,
    read,
    run_code,
)
from zamek_env import Game
from zamek_env.castle_cards import CastleCards

DOCS = Path(__file__).parents[2] / "docs"
notebooks = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@pytest.mark.plays("zamek")
@notebooks
@pytest.mark.filterwarnings("ignore:FigureCanvasAgg")  # a picture that nobody sees
def test_the_code_of_a_notebook_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pyplot.switch_backend("agg")
    run_code(make_quick(read(path), path.stem))
    pyplot.close("all")
    assert capsys.readouterr().out


@pytest.mark.plays("zamek")
@pytest.mark.filterwarnings("ignore:FigureCanvasAgg")
def test_a_notebook_that_trains_may_be_executed_again_where_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pyplot.switch_backend("agg")
    path, held = next(path for path in PATHS if path.stem == "3_train_and_evaluate"), []
    for _ in range(2):
        run_code(make_quick(read(path), path.stem))
        held.append({file.name: _read_arrays(file) for file in tmp_path.glob("weights-*.npz")})
    pyplot.close("all")
    assert held[0] == held[1] and len(set(held[0].values())) == len(held[0]) == 2


def _read_arrays(path):
    """Return what a file of weights holds but for `about`, which says how long it took to learn them."""
    with np.load(path) as file:
        return tuple((name, file[name].tobytes()) for name in file.files if name != "about")


@pytest.mark.plays("zamek")
@pytest.mark.filterwarnings("default")  # of Jupyter
@pytest.mark.long
def test_jupyter_runs_a_notebook(tmp_path):
    book = execute(make_quick(read(PATHS[0]), PATHS[0].stem), tmp_path)
    assert len(list_printed(book)) == len(list_code(book))


@pytest.mark.long
@notebooks
@pytest.mark.filterwarnings("default")  # of Jupyter
def test_a_notebook_prints_what_it_holds(path, tmp_path):
    held = list_printed(read(path))
    printed = list_printed(execute(read(path), tmp_path))
    assert printed == held, "store it by `python -m tests.support.notebooks --update`"


@notebooks
def test_what_a_notebook_holds_can_be_shown(path):
    book = read(path)
    assert find_faults(book) == []
    assert any(list_printed(book))


@notebooks
def test_a_notebook_reads_as_a_text(path):
    """It begins with a title and ends with what was seen; each cell of code is short."""
    book = read(path)
    assert re.match(r"# .+\n", book.cells[0].source)
    assert book.cells[-1].source.startswith("## What was seen\n")
    for cell in book.cells:
        lines = cell.source.splitlines()
        assert max(map(len, lines)) <= 120
        assert len(lines) <= 30


def test_quick_settings_are_settings():
    for path in PATHS:
        settings = [cell.source for cell in list_code(read(path)) if cell.source.startswith(SETTINGS)]
        assert len(settings) == (path.stem in QUICK)
        for source in settings:
            names = re.findall(r"^(\w+) = ", source, re.MULTILINE)
            assert re.sub(" = .*", "", QUICK[path.stem]).split(", ") == names


def test_faults_are_found():
    book = read(PATHS[0])
    cell = list_code(book)[0]
    cell.outputs = [nbformat.v4.new_output("stream", name="stderr", text="at /home/somebody/games")]
    cell.execution_count, cell.metadata = 7, {"tags": ["mine"]}
    assert find_faults(book) == [
        "cell 1 wrote to stderr",
        "cell 1 was not executed in its place",
        "'/home/' begins a path of some machine",
        "it holds notes of Jupyter's",
    ]


def test_the_docs_list_all_notebooks():
    page = (DOCS / "analysis.md").read_text(encoding="utf-8")
    assert re.findall(r"notebooks/(\w+)\.ipynb", page) == [path.stem for path in PATHS]


# --- pictures as a notebook shows them, in a real browser ---


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
