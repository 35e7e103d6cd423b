"""Actions in notation: every action that means something has a text of its own, and every such text is read back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.games import IS_COMPILED, few, finish, play_randomly
from tests.support.notated import list_games
from zamek_env import Game, IllegalActionError, load_components
from zamek_env.components.box_folder import RULESETS
from zamek_env.layout.actions import PHASE_NAMES
from zamek_env.notation.action_line import name_action, word
from zamek_env.notation.position_line import PHASE_WORDS, SECTIONS

WORDS = {
    "choose": r"choose [A-Z](\d\d)?",
    "place": r"[A-Z](\d\d)?@(0|-?[1-9]\d*),(0|-?[1-9]\d*)[NESW]",
    "send": r"-|(herald|squire|farmer|monk|preacher|prince|falconer|knight|thief) [a-z]\d",
    "score": r"score \d+,\d+\.[a-z]\d( \+token[23]?)?",
    "extra turn": r"extra|end",
}


def notate_all(game):
    """Return {action: text} of all actions that mean something."""
    texts = {}
    for action in range(game.num_actions):
        try:
            texts[action] = game.format_action(action)
        except ValueError as error:
            assert str(error) == f"action {action} of 0 to {game.num_actions - 1} means nothing now"
    return texts


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_action_that_means_something_is_written_and_read_back(ruleset):
    phases = set()
    for positions in list_games(ruleset, 3, 4):
        for number, game in enumerate(positions):
            legal = game.legal_actions()
            texts = [game.format_action(action) for action in legal]
            assert [game.parse_action(text) for text in texts] == legal
            assert all(re.fullmatch(WORDS[game.phase], text) for text in texts), texts
            if game.phase not in phases or number % 100 == 50:
                notated, first = notate_all(game), {}
                for action, text in notated.items():
                    assert text.isascii() and text.isprintable()
                    assert first.setdefault(text, action) == action or text.startswith("choose")  # a tile held twice
                    assert game.parse_action(text) == first[text]
                assert set(legal) <= set(notated)
            phases.add(game.phase)
    due = {"choose", "place", "send"} if ruleset == "carcassonne-hand" else {"place", "send"}
    if game.ruleset.sizes.fields:
        due |= {"score", "extra turn"}
    assert phases >= due or not IS_COMPILED


def test_what_is_illegal_has_a_text_where_it_has_a_meaning():
    game = Game(seed=1)
    actions, tile = game.ruleset.actions, game.position().tile
    assert game.format_action(actions.place(0, 0)) == f"{tile}@0,1N"
    assert game.format_action(actions.place(75, 3)) == f"{tile}@9,8W"
    assert game.format_action(actions.send(None)) == "-"
    assert game.format_action(actions.extra_turn(True)) == "extra"
    assert game.format_action(actions.extra_turn(False)) == "end"
    assert name_action(game.ruleset, game.state[0], actions.score(0, False)) == f"action {actions.score(0, False)}"
    with pytest.raises(IllegalActionError, match=rf"^action \d+ \({tile}@9,8W\) is illegal: "):
        game.step(actions.place(75, 3))


@pytest.mark.plays("sokol")
def test_an_area_may_be_named_by_any_segment_of_it():
    named = set()
    for positions in list_games("sokol", 0, few(8, 0)):
        for game in positions:
            for action in game.legal_actions() if game.phase == "score" else ():
                state = game.state[0]
                slot, _ = game.ruleset.actions.parse_score(action)
                node = int(state.to_score[state.scorer, slot])
                tail = game.format_action(action).split(" ")[2:]
                area = next(area for area in game.areas() if _segment(game, node) in area.segments)
                for place, name in area.segments:
                    if not isinstance(place, str):
                        text = " ".join(["score", f"{place[0]},{place[1]}.{name}", *tail])
                        assert game.parse_action(text) == action
                        named.add(text)
    assert len(named) > 20 or not IS_COMPILED


def _segment(game, node):
    """Return (cell, segment name) of a node on the board."""
    tile = int(game.ruleset.tables[0].node_tile[node])
    name = game.ruleset.segment_of_node(node).name
    cell = [cell for cell, (lying, _) in game.position().board.items() if lying == game.ruleset.tile(tile).id]
    return (cell[0], name) if cell else (game.ruleset.tile(tile).id, name)


BAD = [
    "", " ", "-1", "--", "extra turn", "Extra", "end ", "\n", "0", "17", "nobody", "herald", "herald r9", "score",
    "score 2,0.h1", "Z99@0,1N", "@0,1N", "{tile}@0,1", "{tile}@0,1n", "{tile}@0,01N", "{tile}@-0,1N", "{tile}@0,0N",
    "{tile}@0,1N ", "{tile}@99999,1N", "{tile}@999999999999999999999,1N", "{tile}@٣,1N", "score 0,1.h1 +token2", "♔ r1",
    "x" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:30])
def test_a_text_that_is_no_action_is_refused_with_the_nearest_legal_ones(text):
    game = Game(seed=1)
    before, tile = game.state.tobytes(), game.position().tile
    with pytest.raises(ValueError) as refused:
        game.parse_action(text.replace("{tile}", tile))
    message = re.fullmatch(
        r"text must be an action, not (.+): player 0 is to decide 'place' with (Z\d\d), as by (.+) \((\d+) are legal\)",
        str(refused.value),
    )
    assert message[2] == tile and int(message[4]) == len(game.legal_actions())
    assert {game.parse_action(near) for near in message[3].split(", ")} <= set(game.legal_actions())
    assert len(str(refused.value)) < 600 and game.state.tobytes() == before


def test_a_mistyped_cell_suggests_the_cell_that_was_meant():
    game = Game(seed=1)
    legal = game.format_action(game.legal_actions()[0])
    with pytest.raises(ValueError, match=re.escape(legal)):
        game.parse_action(legal[:-1])


@pytest.mark.parametrize("text", [None, 3, b"-", ["-"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(TypeError, match=r"^text must be an action in notation, not "):
        Game(seed=1).parse_action(text)


def test_numbers_that_are_no_action_are_refused():
    game = Game(seed=1)
    for number in (-1, game.num_actions, 10**30):
        with pytest.raises(ValueError, match=rf"^action must lie in 0 to {game.num_actions - 1}, not {number}$"):
            game.format_action(number)
    with pytest.raises(TypeError, match=r"^action must be a whole number"):
        game.format_action("-")


def test_after_the_end_nothing_is_suggested():
    game = finish(Game("carcassonne-demo", seed=1))
    with pytest.raises(ValueError, match=r"not 'end': the game is over$"):
        game.parse_action("end")


def rename(components):
    """Return a box in which everything is called as badly as a box allows."""
    names = dict(zip("rhpm", ("prince", "a; b : c", "-", "łowca @1,2N"), strict=True))
    features = tuple(replace(feature, role=names[feature.letter]) for feature in components.features)
    ids = ("-", "Z 1", "@1,2N", "a;b", "%20", "ä", "extra", " : ")
    tiles = [replace(tile, id=name) for tile, name in zip(components.tiles, ids, strict=False)]
    return replace(components, features=features, tiles=(*tiles, *components.tiles[len(ids) :]))


def test_whatever_names_a_box_has_they_are_written_and_read_back():
    components = rename(load_components())
    met = set()
    for seed in range(few(4, 1)):
        for number, game in enumerate(play_randomly(Game(seed=seed, components=components), seed)):
            legal = game.legal_actions()
            texts = [game.format_action(action) for action in legal]
            assert all(text.isascii() and text.isprintable() for text in texts)
            assert [game.parse_action(text) for text in texts] == legal
            met |= set(texts)
            if number % 5 == 0 or game.is_terminal:
                line = game.format_position()
                assert line.isascii()
                assert Game.parse_position(line, components).format_position() == line
    assert {"prince r1", "%2D p1", "a%3B%20b%20%3A%20c h1"} <= met or not IS_COMPILED
    assert [word(name) for name in ("-", "--", "a.b", "a b")] == ["%2D", "--", "a.b", "a%20b"]


# --- the page about it ---


PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


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
