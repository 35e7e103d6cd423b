"""The page about notation says what is so: its examples run, its lines are read, its tables are complete."""

import re
from pathlib import Path

import pytest

from zamek_env import Game
from zamek_env.layout.actions import PHASE_NAMES
from zamek_env.records.position_line import PHASE_WORDS, SECTIONS

PAGE = (Path(__file__).parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")


def read_table(heading):
    """Return the rows of the table under a heading, as lists of cells."""
    section = PAGE.split(f"\n## {heading}\n")[1].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return rows[2:]


def test_the_program_prints_what_it_says(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(program, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == re.findall(r"print\(.*\)  # (.*)", program)


@pytest.mark.compiles
def test_the_line_on_the_page_is_a_position():
    (line,) = re.findall(r"```text\n(.*?)\n```", PAGE)
    assert Game.parse_position(line).format_position() == line


@pytest.mark.compiles
def test_every_form_of_an_action_is_read():
    positions = {
        "place": "zamek; 0 place Z33; board Z17@2,0E",
        "send": "sokol; 0 send Z17@2,0; board Z17@2,0E",
        "choose": "carcassonne:hand=open; 0 choose; hands A B V : E V X",
        "extra turn": "zamek; 0 extra Z17@2,0; board Z17@2,0E; taken 12; tokens 1 : -",
    }
    rows = read_table("Actions")
    assert {phase for phase, *_ in rows} == set(PHASE_NAMES) - {"over"}
    for phase, text, _ in rows:
        if phase != "score":
            game = Game.parse_position(positions[phase])
            assert game.phase == phase
            assert game.format_action(game.parse_action(text.strip("`"))) == text.strip("`")


def test_every_section_and_every_turn_is_told():
    parts = [part.strip("`") for part, *_ in read_table("Positions")]
    assert [part for part in parts if part in SECTIONS] == list(SECTIONS)
    turns = [example for part, example, _ in read_table("Positions") if part in ("turn", "")]
    assert [example.strip("`").split()[1] for example in turns] == list(PHASE_WORDS)
