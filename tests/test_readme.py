"""The README: its Python runs, its links lead somewhere, its make targets exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WHERE_THINGS_ARE = README.partition("## Where things are")[2]


def test_the_python_in_the_readme_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        names = {}  # each can be copied by itself
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    for said in re.findall(r"print\(.*\)  # (.*)", README):
        assert said in printed
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
