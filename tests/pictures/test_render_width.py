"""The board in characters: no wider than asked, in ASCII where asked, with room for all that can lie on a tile."""

import re

import pytest

from tests.support.games import few, play_greedily, play_randomly
from zamek_env import Game, load_components
from zamek_env.components.box_folder import RULESETS
from zamek_env.render import draw_text
from zamek_env.render.text import LINE, MARKS, NEST, PIECES, draw_block

BOXES = {name: load_components(ruleset=name) for name in ("zamek", "sokol", "carcassonne", "carcassonne-demo")}


def sample(ruleset):
    """Yield a few positions of a random and a greedy game, the first and the last among them."""
    for play in (play_randomly, play_greedily)[: few(2, 1)]:
        positions = play(Game(ruleset, seed=3), 3)
        yield from (game for number, game in enumerate(positions) if number % few(9, 40) == 0 or game.is_terminal)


def columns_of(text):
    """Return the numbers of columns that stand above the parts of a board, part by part."""
    board = text.partition("\n  ┌")[0]
    heads = [line for line in board.splitlines() if re.fullmatch(r" {7,}-?\d+( +-?\d+)*", line)]
    return [[int(number) for number in head.split()] for head in heads]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_line_is_wider_than_asked_and_no_column_is_missing(ruleset):
    for game in sample(ruleset):
        components, position = game.ruleset.components, game.position()
        assert max(map(len, str(game).splitlines())) <= LINE == 80
        known = None
        for width in (1000, LINE, 57, 40):
            text = draw_text(components, position, width=width)
            assert max(map(len, text.splitlines())) <= width
            parts = columns_of(text)
            assert len(parts) == 1 or width < 1000
            known = known or parts[0]
            assert [column for part in parts for column in part] == known


@pytest.mark.parametrize("ruleset", RULESETS)
def test_with_ascii_the_picture_keeps_its_columns(ruleset):
    for game in sample(ruleset):
        text, plain = (draw_text(game.ruleset.components, game.position(), ascii=on) for on in (False, True))
        assert plain.isascii() and "?" not in plain
        assert [len(line) for line in plain.splitlines()] == [len(line) for line in text.splitlines()]


@pytest.mark.compiles
def test_every_tile_of_a_board_in_parts_is_drawn_once():
    for game in sample("carcassonne"):
        position = game.position()
        text = draw_text(game.ruleset.components, position, width=40)
        drawn = sorted(re.findall(r"[┼─]([A-Z])[↑→↓←]", text))
        assert drawn == sorted(tile for tile, _ in position.board.values())


@pytest.mark.parametrize("name", BOXES)
def test_a_piece_hides_neither_a_mark_nor_a_nest(name):
    shown = (*MARKS.values(), NEST)
    for tile in BOXES[name].kinds:
        marks = sum(segment.marks + segment.nests for segment in tile.segments)
        for rotation in range(4):
            for segment in tile.segments:
                piece = PIECES["prince"][1]
                signs = "".join(draw_block(BOXES[name], tile, rotation, ((1, segment.name, "prince"),)))
                assert signs.count(piece) == 1, (tile.id, segment.name)
                assert sum(signs.count(sign) for sign in shown) == marks, (tile.id, segment.name)


@pytest.mark.parametrize("name", BOXES)
def test_every_sign_is_explained_under_the_board(name):
    text = draw_text(BOXES[name], Game(name, seed=1).position())
    legend = " ".join(text.splitlines()[-6:])
    for feature in BOXES[name].features:
        assert f"{'═' if feature.middle else feature.letter} {feature.name}" in legend
        assert feature.mark is None or feature.mark in legend
    for piece in BOXES[name].pieces:
        assert f"{piece.name} of player 0, 1" in legend
    assert (f"{NEST} nests" in legend) == (name == "sokol")


@pytest.mark.parametrize(
    ("widths", "error", "said"),
    [((39, 0, -80), ValueError, "be at least 40"), ((None, 80.0, True), TypeError, "be a whole number")],
)
def test_another_width_is_refused(widths, error, said):
    for width in widths:
        with pytest.raises(error, match=f"^width must {said}, not {width}$"):
            draw_text(BOXES["zamek"], Game(seed=1).position(), width=width)
