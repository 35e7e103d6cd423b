"""Whole games of all rulesets, written line by line and stored: a change of the rules shows where it first matters.

After a change that is meant, write them anew by `python -m tests.support.golden --update` and read the difference.
"""

import re
from itertools import pairwise

import pytest

from tests.support import golden
from tests.support.rulesets import skip_unless_played
from zamek_env.components.house_rules import HOUSE_RULES, parse_option

FILES = sorted(golden.FOLDER.glob("*.txt"))
OTHERS = [deal.rules or deal.more for deal in golden.GAMES]  # which `RULESETS` do not hold as they are
VARIANTS = [path for path, is_other in zip(FILES, OTHERS, strict=True) if is_other]


def read(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.compiles] * (path in VARIANTS)) for path in FILES],
    ids=lambda path: path.stem,
)
def test_a_stored_game_is_played_as_it_was_told(path):
    skip_unless_played(path.stem.split("_")[1])
    stored = read(path)
    difference = golden.find_difference(stored, golden.replay(stored))
    assert not difference, f"{path.name}, {difference}"


def test_every_listed_game_is_stored():
    names = [golden.name_file(place, deal) for place, deal in enumerate(golden.GAMES, start=1)]
    assert [path.name for path in FILES] == names
    assert {len(deal.names) for deal in golden.GAMES} == {2, 3}
    assert {name for deal in golden.GAMES for name in parse_option(deal.rules) or ()} == {*HOUSE_RULES}


@pytest.mark.parametrize(
    "event",
    [
        "use the token extra turn$",
        "end the turn without an extra turn$",
        "send nobody$",
        "points with the token house ×2$",
        "points with the token pigsty ×4$",
        "discards",
        "score: score .* points$",
        "now [0-9]+, takes token",
        "now 1[0-9][0-9]",
        *(f"for token {kind}$" for kind in (4, 6, 7, 8, 9)),
        "for meadow$",
        "for the family house$",
        "the victory is shared$",
        "player 0 wins$",
        "player 1 wins$",
        "send the prince to meadow",
        "send the prince to chapel",
        "send the falconer to house",
        "send a preacher to",
        "scores 20: chapel of 4 tiles",
        "takes nests: [2-9]",
        "player 0 on a gate",
        "player 1 on a gate",
        "for the nests$",
        "place [A-Z] on \\(-\\d+, -\\d+\\)",
        "send a knight to city",
        "send a thief to road",
        "send a monk to monastery",
        "send a farmer to field",
        "scores 9: monastery of 9 tiles",
        "scores 4: city of 2 tiles",
        "discards [A-Z]$",
        *(f"for unfinished {feature}$" for feature in ("road", "city", "monastery")),
        "for field$",
        ": choose [A-Z] ",
        ", hands [A-Z] [A-Z] [A-Z] : [A-Z] [A-Z] - : [A-Z] [A-Z] [A-Z]",
        "puts back [A-Z]$",
        "scores 2: city of 2 tiles",  # by H9
        "player 2 wins$",
        "player 2 scores",
        r"player 0 scores (\d+: \w+ of \d+ tiles at \w+ of \w);.*\n    player 1 scores \1;",  # both, of one area
        r"discards Z\d+\n    player \d gets",  # the last tile
    ],
)
def test_somewhere_in_the_games_it_happens(event):
    assert any(re.search(event, path.read_text(encoding="utf-8"), re.MULTILINE) for path in FILES)


def test_somewhere_a_hole_is_filled_and_the_same_player_plays_again():
    (path,) = (path for path in VARIANTS if "hole_plays_again" in path.stem)
    players = re.findall(r"player (\d), place:", path.read_text(encoding="utf-8"))
    assert any(first == second for first, second in pairwise(players))


def test_the_first_difference_is_shown_with_the_lines_before_it():
    difference = golden.find_difference(list("abcdef"), list("abcdxf"))
    before = [f"        {line}" for line in "bcd"]
    assert difference.splitlines() == ["line 5 differs:", *before, "stored  e", "played  x"]
    assert golden.find_difference(["a"], ["a", "b"]).endswith("stored  (no line)\nplayed  b")
    assert golden.find_difference(["a", "b"], ["a", "b"]) == ""


def test_a_decision_that_has_become_illegal_is_told():
    stored = read(FILES[0])
    spoilt = [line.replace(": ", ": extra", 1) if line.startswith("  1 ") else line for line in stored]
    assert "text must be an action, not 'extraZ" in golden.find_difference(spoilt, golden.replay(spoilt))
    spoilt = [golden.DECISION.sub("  1 player 0, place: extra (one of ", line, count=1) for line in stored]
    assert "(extra) is illegal: it answers 'extra turn'" in golden.find_difference(spoilt, golden.replay(spoilt))
