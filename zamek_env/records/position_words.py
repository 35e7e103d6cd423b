"""Reads a position line (`position_line.py`) word by word: what it says, not yet whether that can be on a table."""

import re
from dataclasses import dataclass
from typing import NoReturn

from zamek_env.components.model import SIDES
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.messages import show
from zamek_env.records.notation import NOTHING, NUMBER, TILE_AT, read_segment
from zamek_env.records.position_line import PAIRED, PHASE_WORDS, SECTIONS

MAX_LINE = 100_000  # characters; a box holds at most 254 tiles, 2,000 pieces and 10,000 tokens
_HEAD = re.compile(r"([^ :;]+)(?::([0-9a-f]{1,64}))?")
_TURN = re.compile(rf"([01]) ({'|'.join(PHASE_WORDS)})(?: ([^ @]+)(?:@({NUMBER}),({NUMBER}))?)?")
_WHOLE = re.compile("0|[1-9][0-9]{0,4}")


@dataclass
class Line:
    """What a position line says. Names stand as words, cells are (row, column)."""

    ruleset: str
    digest: str  # the first digits of that of the components, "" where there are none
    player: int
    phase: int
    tile: str | None  # to be placed, or laid this turn
    cell: tuple[int, int] | None  # where it lies
    board: dict[tuple[int, int], tuple[str, int]]  # cell -> (tile, rotation)
    pieces: tuple[
        list[tuple[str | None, tuple[int, int], str]], ...
    ]  # (piece or None for a plain follower, cell, segment) of each player
    waiting: tuple[
        list[tuple[tuple[int, int], str] | None], ...
    ]  # (cell, segment) or None for each slot, of each player
    numbers: dict[str, list[int]]  # `score`, `house`, `nests`: those of both players
    kinds: dict[str, tuple[list[int], ...]]  # `tokens`, `fresh`: the kinds of both players
    used: list[int]  # kinds
    taken: list[int]  # first fields of towers
    gate: list[int]  # players
    out: list[str]  # tiles


def fail(section: str, problem: str) -> NoReturn:
    """Raise a `ValueError` about a section of a position line."""
    raise ValueError(f"position, {section}: {problem}")


def read_line(text: str) -> Line:
    """Return the `Line` that `text` is. Raises `ValueError` naming section and word, `TypeError` for other types."""
    if not isinstance(text, str):
        raise TypeError(f"position must be a line of text, not {show(text)}")
    if len(text) > MAX_LINE:
        fail("line", f"must have at most {MAX_LINE} characters, not {len(text)}")
    head, *rest = text.strip().split("; ")
    named = _HEAD.fullmatch(head)
    if named is None or not rest:
        fail("line", f'must begin like "zamek; 0 place Z33", not {show(text)}')
    turn = _TURN.fullmatch(rest[0])
    if turn is None:
        form = f"a player, one of {', '.join(PHASE_WORDS)}, and a tile"
        fail("turn", f'must be {form}, like "0 place Z33" or "1 send Z33@0,3", not {show(rest[0])}')
    sections = _split_sections(rest[1:])
    phase, cell = PHASE_WORDS.index(turn[2]), (int(turn[4]), int(turn[5])) if turn[4] else None
    expected = {PLACE: (True, False), OVER: (cell is not None,) * 2}.get(phase, (True, True))
    if (turn[3] is not None, cell is not None) != expected:
        due = "the tile to place" if phase == PLACE else "the tile laid this turn and its cell"
        fail("turn", f"{turn[2]} must be followed by {due}, not {show(rest[0])}")
    return Line(
        ruleset=named[1],
        digest=named[2] or "",
        player=int(turn[1]),
        phase=phase,
        tile=turn[3],
        cell=cell,
        board=_read_board(sections["board"].split()),
        pieces=tuple([_read_piece(word) for word in words] for words in _read_pair(sections, "pieces")),
        waiting=tuple([_read_slot(word) for word in words] for words in _read_pair(sections, "waiting", keep=True)),
        numbers={name: _read_numbers(sections, name) for name in ("score", "house", "nests")},
        kinds={
            name: tuple(_read_wholes(name, words) for words in _read_pair(sections, name))
            for name in ("tokens", "fresh")
        },
        used=_read_wholes("used", sections["used"].split()),
        taken=_read_wholes("taken", sections["taken"].split()),
        gate=_read_wholes("gate", sections["gate"].split()),
        out=sections["out"].split(),
    )


def _split_sections(parts):
    """Return {name: contents} of all sections, "" where one is left out."""
    sections = {}
    for part in parts:
        name, _, contents = part.strip(" ;").partition(" ")
        if name not in SECTIONS:
            fail("line", f"there is no section {show(name)}; there are {', '.join(SECTIONS)}")
        if name in sections:
            fail(name, "is given twice")
        if not contents.strip():
            fail(name, "is empty; leave it out")
        sections[name] = contents.strip()
    return dict.fromkeys(SECTIONS, "") | sections


def _read_pair(sections, name, keep=False):
    """Return the words of both players; `keep` says that a `-` stands for something."""
    if not sections[name]:
        return [[] for _ in range(2)]
    halves = sections[name].split(PAIRED)
    if len(halves) != 2:
        fail(name, f'must be what player 0 has, " : ", and what player 1 has, not {show(sections[name])}')
    return [[] if half.strip() == NOTHING and not keep else half.split() for half in halves]


def _read_board(words):
    board = {}
    for word in words:
        read = TILE_AT.fullmatch(word)
        if read is None:
            fail("board", f"{show(word)} must be tile, row, column and where its north points, like Z33@0,3E")
        cell = (int(read[2]), int(read[3]))
        if cell in board:
            fail("board", f"two tiles lie on {cell}")
        board[cell] = (read[1], SIDES.index(read[4]))
    return board


def _read_piece(word):
    piece, _, where = word.rpartition("@")
    read = read_segment(where)
    if read is None:
        fail("pieces", f"{show(word)} must be row, column and segment, like 2,0.r1, or prince@2,0.r1")
    return (piece or None, *read)


def _read_slot(word):
    read = None if word == NOTHING else read_segment(word)
    if read is None and word != NOTHING:
        fail("waiting", f"{show(word)} must be row, column and segment, like 2,0.h1, or - for a slot without area")
    return read


def _read_numbers(sections, name):
    numbers = _read_wholes(name, sections[name].split(":")) if sections[name] else [0] * 2
    if len(numbers) != 2:
        fail(name, f"must be two numbers, like 12:7, not {show(sections[name])}")
    return numbers


def _read_wholes(name, words):
    for word in words:
        if not _WHOLE.fullmatch(word):
            fail(name, f"{show(word)} must be a whole number from 0 to 99999, without zeros in front")
    return [int(word) for word in words]
