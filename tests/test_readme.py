"""The README and the quickstart: their Python runs, links lead somewhere, make targets and folders exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
