"""Parses a position line (`position_line.py`) word by word, without checking that the position is possible."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from zamek_env.common.messages import show
from zamek_env.components.house_rules import parse_rules
from zamek_env.components.model import SIDES
from zamek_env.layout.actions import CHOOSE, OVER, PLACE
from zamek_env.records.notation import NOTHING, NUMBER, TILE_AT, read_segment
from zamek_env.records.position_line import PAIRED, PHASE_WORDS, SECTIONS

MAX_LINE = 100_000  # characters; a box holds at most 254 tiles, 2,000 pieces and 10,000 tokens
_HEAD = re.compile(r"([^ :;]+)(?::([^ ;]+))?")
_DIGEST = re.compile("[0-9a-f]{1,64}")
_PLAYERS = re.compile("([0-9])p")
_TURN = re.compile(rf"([0-9]) ({'|'.join(PHASE_WORDS)})(?: ([^ @]+)(?:@({NUMBER}),({NUMBER}))?)?")
_WHOLE = re.compile("0|[1-9][0-9]{0,4}")


@dataclass
class Head:
    """The first words of a position line, parsed, and the parts that follow."""

    ruleset: str
    digest: str  # the first digits of that of the components, "" where there are none
    players: int | None  # None where nothing is said of them
    rules: dict[str, Any] | None  # house rules
    parts: list[str]


@dataclass
class Line:
    """A position line, parsed. Names are words, cells are (row, column)."""

    ruleset: str
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
    numbers: dict[str, list[int]]  # `score`, `house`, `nests`: those of each player
    kinds: dict[str, tuple[list[int], ...]]  # `tokens`, `fresh`: the kinds of each player
    used: list[int]  # kinds
    taken: list[int]  # first fields of towers
    gate: list[int]  # players
    out: list[str]  # tiles
    hands: list[list[str]] | None  # tiles of each player, by slot; None where nothing is said of them


def fail(section: str, problem: str) -> NoReturn:
    """Raise a `ValueError` about a section of a position line."""
    raise ValueError(f"position, {section}: {problem}")


def read_head(text: str) -> Head:
    """Return the `Head` of the line `text`. Raises `ValueError` where it has none, `TypeError` for other types."""
    if not isinstance(text, str):
        raise TypeError(f"position must be a line of text, not {show(text)}")
    if len(text) > MAX_LINE:
        fail("line", f"must have at most {MAX_LINE} characters, not {len(text)}")
    head, *parts = text.strip().split("; ")
    named = _HEAD.fullmatch(head)
    if named is None or not parts:
        fail("line", f'must begin like "zamek; 0 place Z33", not {show(text)}')
    said = named[2].split(",") if named[2] else []
    digest = said.pop(0) if said and _DIGEST.fullmatch(said[0]) else ""
    players = int(said.pop(0)[0]) if said and _PLAYERS.fullmatch(said[0]) else None
    try:
        rules = parse_rules(",".join(said)) if said else None
    except ValueError as error:
        fail("line", f"{error}: after the ruleset come a digest, a number of players such as 3p, and house rules")
    return Head(named[1], digest, players, rules, parts)


def read_line(head: Head, players: int, phases: Sequence[str]) -> Line:
    """Return the `Line` that begins with `head`, of a game of `players` players with these `phases`, as words.

    Raises `ValueError` naming section and word.
    """
    first, *rest = head.parts
    turn = _TURN.fullmatch(first)
    if turn is None or int(turn[1]) >= players or turn[2] not in phases:
        who = "a player" if players == 2 else f"a player of 0 to {players - 1}"
        form = f"{who}, one of {', '.join(phases)}, and a tile"
        fail("turn", f'must be {form}, like "0 place Z33" or "1 send Z33@0,3", not {show(first)}')
    sections = _split_sections(rest)
    phase, cell = PHASE_WORDS.index(turn[2]), (int(turn[4]), int(turn[5])) if turn[4] else None
    expected = {PLACE: (True, False), OVER: (cell is not None,) * 2, CHOOSE: (False, False)}.get(phase, (True, True))
    if (turn[3] is not None, cell is not None) != expected:
        due = {PLACE: "the tile to place", CHOOSE: "nothing"}.get(phase, "the tile laid this turn and its cell")
        fail("turn", f"{turn[2]} must be followed by {due}, not {show(first)}")
    hands = _read_each(sections, "hands", players, keep=True) if sections["hands"] else None
    return Line(
        ruleset=head.ruleset,
        player=int(turn[1]),
        phase=phase,
        tile=turn[3],
        cell=cell,
        board=_read_board(sections["board"].split()),
        pieces=tuple([_read_piece(word) for word in words] for words in _read_each(sections, "pieces", players)),
        waiting=tuple(
            [_read_slot(word) for word in words] for words in _read_each(sections, "waiting", players, keep=True)
        ),
        numbers={name: _read_numbers(sections, name, players) for name in ("score", "house", "nests")},
        kinds={
            name: tuple(_read_wholes(name, words) for words in _read_each(sections, name, players))
            for name in ("tokens", "fresh")
        },
        used=_read_wholes("used", sections["used"].split()),
        taken=_read_wholes("taken", sections["taken"].split()),
        gate=_read_wholes("gate", sections["gate"].split()),
        out=sections["out"].split(),
        hands=hands,
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


def _read_each(sections, name, players, keep=False):
    """Return the words of each player; `keep` says that a `-` has a meaning."""
    if not sections[name]:
        return [[] for _ in range(players)]
    given = sections[name].split(PAIRED)
    if len(given) != players:
        more = "" if players < 3 else f", and so on for all {players}"
        due = 'what player 0 has, " : ", and what player 1 has' if players > 1 else "what player 0 has"
        fail(name, f"must be {due}{more}, not {show(sections[name])}")
    return [[] if half.strip() == NOTHING and not keep else half.split() for half in given]


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


def _read_numbers(sections, name, players):
    numbers = _read_wholes(name, sections[name].split(":")) if sections[name] else [0] * players
    if len(numbers) != players:
        due = {1: "one number, like 12", 2: "two numbers, like 12:7"}.get(players, f"{players} numbers, like 12:7:0")
        fail(name, f"must be {due}, not {show(sections[name])}")
    return numbers


def _read_wholes(name, words):
    for word in words:
        if not _WHOLE.fullmatch(word):
            fail(name, f"{show(word)} must be a whole number from 0 to 99999, without zeros in front")
    return [int(word) for word in words]
