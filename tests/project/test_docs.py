"""The docs: links lead somewhere, examples run, tables are those of the code, files that are named exist."""

import importlib
import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from zamek_env import render

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
# pages whose examples run, each from top to bottom
RUN = (
    "quickstart.md", "vector.md", "wrappers.md", pytest.param("environments.md", marks=pytest.mark.compiles),
    pytest.param("pettingzoo.md", marks=pytest.mark.compiles),
    pytest.param("rulesets.md", marks=pytest.mark.compiles), "records.md", "drawing.md", "analysis.md", "datasets.md",
    "castle_cards_environment.md",
)  # fmt: skip
FOLDERS = ("agents", "benchmarks", "docs", "examples", "findings", "scripts", "tests", "tools", "zamek_env")
WIDTH = 120  # columns

_FENCED = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n+)+")
_LINK = re.compile(r"(?<!`)\[[^\]]*\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def load(name):
    """Return the module `docs/{name}.py`, which belongs to no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(page):
    return page.read_text(encoding="utf-8")


def read_prose(page):
    """Return the text of a page without blocks of code."""
    return _INDENTED.sub("", _FENCED.sub("", read(page)))


def find_anchors(page):
    """Return the anchors of the headings of a page, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.*)$", _FENCED.sub("", read(page)), flags=re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in plain}


def find_bad_links(page, text):
    """Return the links in `text`, written on `page`, that lead to no file or to no heading."""
    bad = []
    for path, anchor in _LINK.findall(text):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in find_anchors(target)):
            bad.append(f"{path}#{anchor}" if anchor else path)
    return bad


@pages
def test_links_lead_to_files_and_headings(page):
    assert find_bad_links(page, read_prose(page)) == []


def test_a_link_that_leads_nowhere_is_noticed():
    page = DOCS / "rules.md"
    text = "[a](gone.md) [b](#z31-what-is-hidden) [c](rules.md#z99-gone) [d](#gone) ![e](pictures/gone.png) [f](a://b)"
    assert find_bad_links(page, text) == ["gone.md", "rules.md#z99-gone", "#gone", "pictures/gone.png"]


@pages
def test_no_line_is_too_long_but_those_of_tables(page):
    lines = enumerate(read(page).splitlines(), 1)
    assert [number for number, line in lines if len(line) > WIDTH and not line.startswith("|")] == []


def find_uneven_tables(text):
    """Return the first rows of tables whose rows have unequal numbers of cells."""
    tables = re.findall(r"(?:^\|.*\n)+", re.sub(r"`[^`\n]*`|\\\|", "code", text + "\n"), flags=re.MULTILINE)
    return [table.splitlines()[0] for table in tables if len({row.count("|") for row in table.splitlines()}) > 1]


@pages
def test_the_rows_of_a_table_have_equally_many_cells(page):
    assert find_uneven_tables(read_prose(page)) == []


def test_a_table_with_joined_rows_is_noticed():
    assert find_uneven_tables("| a | b |\n| --- | --- |\n| `x|y` | \\| |\n") == []
    assert find_uneven_tables("| a | b |\n| --- | --- |\n| 1 | 2 | | 3 | 4 |") == ["| a | b |"]


@pages
def test_lists_begin_after_an_empty_line(page):
    """Without it GitHub shows a list, and the site a paragraph."""
    begun = re.compile(r"^(?!\s|- |\d+\. |$).*\n(?=- |\d+\. )", re.MULTILINE)
    assert begun.findall(read_prose(page)) == []


@pages
def test_files_that_are_named_exist(page):
    assert [path for path in _PATH.findall(read_prose(page)) if not (ROOT / path).exists()] == []


@pages
def test_the_package_is_installed_from_a_clone(page):
    """It is on no package index, so a name with an extra cannot be installed."""
    assert "zamek-env[" not in read(page)


@pages
def test_the_python_compiles(page):
    for number, block in enumerate(_PYTHON.findall(read(page)), 1):
        compile(block, f"{page.name}, block {number}", "exec")


@pytest.mark.parametrize("name", RUN)
def test_the_python_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = _PYTHON.findall(read(DOCS / name))
    assert blocks
    names = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{name}, block {number}", "exec"), names)


def test_the_tables_are_those_of_the_code():
    stale = [path.relative_to(ROOT).as_posix() for path in load("tables").find_stale()]
    assert stale == [], "write them anew by `python docs/tables.py --update`"


def test_the_page_of_the_api_names_all_that_draws():
    (named,) = re.findall(
        r"^::: zamek_env\.render\n +options:\n +members: \[(.*)\]$", read(DOCS / "api.md"), re.MULTILINE
    )
    assert sorted(named.split(", ")) == sorted(render.__all__)


def test_every_page_is_in_the_navigation_once():
    listed = re.findall(r"^ +- .*: (\S+\.md)$", read(ROOT / "mkdocs.yml"), flags=re.MULTILINE)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_pictures_lie_in_one_folder_and_each_is_shown():
    pictures = {path for suffix in ("png", "svg") for path in DOCS.rglob(f"*.{suffix}")}
    shown = {(page.parent / path).resolve() for page in PAGES for path, _ in _LINK.findall(read_prose(page))}
    assert {path.parent for path in pictures} == {DOCS / "pictures"}
    assert pictures <= shown


@pytest.mark.parametrize(
    ("source", "repository", "link"),
    [
        ("rules.md", None, "a"),
        ("rules.md", "https://b.org/c/", "[a](https://b.org/c/blob/main/tests/d.py)"),
        ("notes/value.md", None, "[a](../tests/d.py)"),
    ],
)
def test_on_the_site_links_out_of_the_docs_lead_to_the_repository(source, repository, link):
    page, config = SimpleNamespace(file=SimpleNamespace(src_uri=source)), SimpleNamespace(repo_url=repository)
    hook = load("hooks").on_page_markdown
    assert hook("[a](../tests/d.py)", page=page, config=config, files=()) == link
    kept = "[a](#b) [a](c.md#b) ![a](../b.png) [a](https://b.org)"
    assert hook(kept, page=page, config=config, files=()) == kept


# --- the README and the quickstart ---


README = (ROOT / "README.md").read_text(encoding="utf-8")
QUICKSTART = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WHERE_THINGS_ARE = ARCHITECTURE.partition("## Where things are")[2]


def run_blocks(page):
    """Run the Python of a page, and return the names that its last block leaves."""
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        names = {}  # each can be copied by itself
        exec(compile(block, "a page", "exec"), names)
    return names


def test_the_python_in_the_readme_runs():
    assert run_blocks(README)["terminated"]
    assert len(README.splitlines()) <= 80


def test_the_python_in_the_quickstart_runs_and_prints_what_it_says(capsys):
    names = run_blocks(QUICKSTART)
    printed, said = capsys.readouterr().out, re.findall(r"print\(.*\)  # (.*)", QUICKSTART)
    assert said and all(line in printed for line in said)
    assert names["game"].history == (names["action"],)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_of_the_readme_lead_to_files(link):
    assert (ROOT / link).exists()


@pytest.mark.parametrize("path", re.findall(r"^\| `([\w./]+)`", WHERE_THINGS_ARE, flags=re.MULTILINE))
def test_files_in_the_table_exist(path):
    assert (ROOT / path).exists()


def test_the_commands_of_the_readme_are_make_targets():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"^ {4}make ([a-z]+)", README, flags=re.MULTILINE)) <= set(targets)
