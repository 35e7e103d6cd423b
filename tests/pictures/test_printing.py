"""Text for any stream: ASCII equivalents of all signs that are printed, and pictures that never raise."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from zamek_env import Game
from zamek_env.common.printing import ASCII_SIGNS, print_text, to_ascii
from zamek_env.components.box_folder import RULESETS
from zamek_env.single import ZamekEnv
from zamek_env.zamek_v0 import raw_env

ROOT = Path(__file__).parents[2]
ENCODINGS = ["ascii", "cp1252", "latin-1", "cp437", "utf-8", "utf-16"]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("50 – 60", "50 - 60"),
        ("−3 … +4", "-3 ... +4"),
        ("±1 × 2", "+/-1 x 2"),
        ("TD(λ)", "TD(lambda)"),
        ("Sokół é Ö", "Sokol e O"),
        ("½ ² ™ ﬁ", "1/2 2 TM fi"),
        ("┌──┐│┼└┘├", "+--+|++++"),
        ("━┃╭╮┄╎", "-|++-|"),
        ("═║╔╝╗╚", "=|//\\\\"),
        ("█ ◎▼ ♔♚♕♛♖ ♗♝♘♞♙", "% Ov KkQqR BbNnP"),
        ("日本 \udcff \U0001f600", "?? ? ?"),
        ("\u0301 a\u0301", "? a?"),
        ("plain ~\t\n", "plain ~\t\n"),
        ("", ""),
    ],
)
def test_signs_have_equivalents_in_ascii(text, plain):
    assert to_ascii(text) == plain
    assert text.encode("ascii", ASCII_SIGNS).decode() == plain


def test_signs_that_an_encoding_has_stay_as_they_are():
    assert "½ – ł λ".encode("cp1252", ASCII_SIGNS).decode("cp1252") == "½ – l lambda"
    assert "½ – ł λ \udcff".encode("utf-8", ASCII_SIGNS).decode() == "½ – ł λ ?"


def test_only_what_cannot_be_encoded_is_replaced():
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", ASCII_SIGNS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_picture_of_a_game_keeps_its_columns_and_tells_apart_what_differs(ruleset):
    game = Game(ruleset, seed=2)
    for _ in range(150):
        if game.is_terminal:
            break
        game.step(game.legal_actions()[0])
    text, plain = str(game), to_ascii(str(game))
    assert plain.isascii() and "?" not in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in text.splitlines()]


# --- pictures for people ---


def human_game(stream, monkeypatch):
    """Reset and step both environments with `stream` as standard output."""
    monkeypatch.setattr(sys, "stdout", stream)
    env, pair = ZamekEnv(render_mode="human"), raw_env(render_mode="human")
    for one in (env, pair):
        one.reset(seed=1)
        one.step(one.game.legal_actions()[0])
    monkeypatch.undo()
    return env


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_people_see_the_board_on_any_stream(encoding, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    env = human_game(stream, monkeypatch)
    assert (stream.encoding, stream.errors) == (encoding, "strict")
    stream.flush()
    printed = stream.buffer.getvalue().decode(encoding)
    assert printed.count("towers with token") == 4
    assert printed.endswith(f"{env.game}".encode(encoding, ASCII_SIGNS).decode(encoding) + "\n")


class Refusing(io.StringIO):
    """A stream that takes nothing."""

    def write(self, text):
        raise BrokenPipeError(32, "Broken pipe")


class Plain:
    """A stream of somebody's own, with nothing but what `print` needs, of an encoding nobody knows."""

    encoding = "own"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text


def test_a_game_goes_on_where_nobody_can_see_it(monkeypatch):
    closed = io.StringIO()
    closed.close()
    for stream in (None, closed, Refusing(), io.StringIO(), Plain()):
        human_game(stream, monkeypatch)
        if isinstance(stream, Plain):
            assert "towers with token" in stream.text and stream.text.isascii()


def test_what_is_printed_is_as_print_would_have_it(capsys):
    game = Game(seed=1)
    print_text(game)
    printed = capsys.readouterr().out
    print(game)
    assert capsys.readouterr().out == printed


PROGRAM = """
from zamek_env.single import ZamekEnv
env = ZamekEnv(render_mode="human")
env.reset(seed=1)
for _ in range(40):
    env.step(env.game.legal_actions()[0])
import sys
print("done", file=sys.stderr)
"""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "ascii:strict"])
@pytest.mark.long
def test_people_see_the_board_under_any_setting(encoding):
    settings = os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=settings, capture_output=True)
    assert (done.returncode, done.stderr.strip()) == (0, b"done")
    assert "towers with token" in done.stdout.decode(encoding.partition(":")[0])
