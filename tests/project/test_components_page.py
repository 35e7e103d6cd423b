"""docs/components.md: its tables name the fields that files may have, its example loads and plays."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.box import write_box
from zamek_env import ComponentError, load_components
from zamek_env.components.box import FEATURE_FIELDS, RULESET_FIELDS, TABLE_FIELDS, TILE_FILE_FIELDS, TOKEN_FIELDS
from zamek_env.components.printed import (
    APART_FIELD,
    GATE_FIELDS,
    NESTS_FIELD,
    START_FIELDS,
    TILE_FIELDS,
    TRACK_FIELDS,
    WALL_FIELDS,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "components.md").read_text(encoding="utf-8")
FIELDS = {
    "Ruleset file": RULESET_FIELDS,
    "Table": TABLE_FIELDS,
    "Feature": FEATURE_FIELDS,
    "Token": TOKEN_FIELDS,
    "Wall file": WALL_FIELDS,
    "Start space": START_FIELDS,
    "Gate": GATE_FIELDS,
    "Track field": TRACK_FIELDS,
    "Tile file": TILE_FILE_FIELDS,
    "Tile": (*TILE_FIELDS, NESTS_FIELD, APART_FIELD),
}
ITEMS = {  # of the packaged files: one that has a table of its own
    "Ruleset file": ("zamek.json", ()),
    "Feature": ("zamek.json", ("features", 2)),
    "Token": ("zamek.json", ("tokens", 5)),
    "Wall file": ("zamek_wall.json", ()),
    "Start space": ("zamek_wall.json", ("starts", 0)),
    "Track field": ("zamek_wall.json", ("track", 3)),
    "Tile file": ("zamek_tiles.json", ()),
    "Tile": ("zamek_tiles.json", ("tiles", 0)),
}
DATA = ROOT / "zamek_env" / "data"


def read_table(title):
    """Return {field: what the page says of a file without it} of the table below a title."""
    section = re.split(r"\n##+ ", PAGE.partition(f"\n### {title}\n")[2])[0]
    rows = re.findall(r"^\| (`[^|]*) \| [^|]* \| ([^|]*) \|$", section, flags=re.MULTILINE)
    return {field: without for fields, without in rows for field in re.findall(r"`(\w+)`", fields)}


@pytest.mark.parametrize("title", FIELDS)
def test_the_tables_name_all_fields_in_their_order(title):
    assert list(read_table(title)) == list(FIELDS[title])


def find_item(values, path):
    for step in path:
        values = values[step]
    return values


@pytest.mark.parametrize("title", ITEMS)
def test_a_field_is_needed_where_the_page_says_so(title, tmp_path):
    name, path = ITEMS[title]
    text = (DATA / name).read_text(encoding="utf-8")
    for number, field in enumerate(find_item(json.loads(text), path)):
        values = json.loads(text)
        del find_item(values, path)[field]
        folder = write_box(tmp_path / f"{number}", {name: values})
        without = read_table(title)
        if without.get(field, "").startswith("needed"):
            with pytest.raises(ComponentError, match=rf"{field}.*: is missing$"):
                load_components(folder, "zamek")
        else:
            try:
                load_components(folder, "zamek")
            except ComponentError as error:
                assert "is missing" not in str(error), field


def test_the_example_loads_and_its_python_runs(tmp_path):
    """Without compilation, which takes longer than a short game."""
    steps = PAGE.partition("## Example")[0].replace("\n   ", "\n")
    (rules,) = re.findall(r"```json\n(.*?)```", steps, flags=re.DOTALL)
    write_box(tmp_path / "short", {"short.json": json.loads(rules)})
    code = "\n".join(re.findall(r"```python\n(.*?)```", steps, flags=re.DOTALL))
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nprint([again, env.unwrapped.game])"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert re.findall(r"print\(.*\)  # (.*)", code) == ["16"]
    assert done.stdout.startswith("16\n") and done.stdout.count("<Game short, seed ") == 2
