"""A position as one line of ASCII that a person can read and type: all that is public, nothing hidden.

POSITION NOTATION
    sokol; 1 send Z17@2,0; board Z02@0,3N Z17@2,0E; pieces 0,3.h1 : prince@0,3.m1; score 12:0; taken 12; tokens 2 : -

    Sections stand in the order of `SECTIONS`, and what is as at the start of a game is left out. `A : B` stands for
    player 0 and 1, and so on for more, `-` for nothing. `docs/notation.md` says what each section holds.
    Here the line is written, and parsed word by word; `set_up.py` finds out whether such a position is possible.

One position has one line, in whatever order its tiles were laid. So the line also identifies positions that look equal:
`write_key`.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.common.messages import show
from zamek_env.components.house_rules import format_rules, parse_rules
from zamek_env.components.model import SIDES
from zamek_env.layout.actions import CHOOSE, OVER, PHASE_NAMES, PLACE, SCORE
from zamek_env.notation.action_line import NOTHING, NUMBER, TILE_AT, name_area, read_segment, word, write_segment
from zamek_env.notation.position import name_location, read_position
from zamek_env.ruleset import Ruleset

SECTIONS = (
    "board", "pieces", "score", "taken", "tokens", "fresh", "used", "house", "nests", "gate", "out", "waiting", "hands",
)  # fmt: skip
PHASE_WORDS = tuple(name.partition(" ")[0] for name in PHASE_NAMES)  # `extra` for the extra turn
PAIRED = " : "
USUAL_PLAYERS = 2  # where a line does not say how many play
HIDDEN = "?"  # a tile in a hand that others do not see
DIGEST_DIGITS = 12  # of the components, where they are not packaged


def format_position(ruleset: Ruleset, state: np.record, viewer: int | None = None) -> str:
    """Return all that is public in a game of `ruleset` with this `state`, a record, as one line of ASCII.

    With a `viewer` also the hand of that player, where the others do not see it (rule H2).
    """
    position = read_position(ruleset, state)
    players, board = range(ruleset.players), ruleset.components.board
    sections = {
        "board": _write_board(ruleset, position),
        "pieces": _pair([_write_pieces(position, player) for player in players]),
        "score": _write_numbers(position.scores),
        "taken": " ".join(str(first) for first, _ in board.token_towers if first not in position.towers),
        "tokens": _pair([_write_kinds(held) for held in position.tokens]),
        "fresh": _pair([_write_kinds(held) for held in position.fresh_tokens]),
        "used": " ".join(_write_kinds(_find_used(state, position))),
        "house": _write_numbers(position.family_houses),
        "nests": _write_numbers(position.nests),
        "gate": " ".join(str(player) for player in players if position.at_gate[player]),
        "out": " ".join(word(tile) for tile in sorted(position.discarded.elements())),
        "waiting": _pair([_write_waiting(ruleset, state, player) for player in players]),
        "hands": _write_hands(ruleset, state, viewer),
    }
    head = [_name_ruleset(ruleset), _write_turn(ruleset, state)]
    return "; ".join([*head, *(f"{name} {sections[name]}" for name in SECTIONS if sections[name])])


def format_seen(ruleset: Ruleset, state: np.record, player: int | None) -> str:
    """Return all that `player` sees: what is public, and the hand, where others do not see it (rules H1, H2)."""
    line = format_position(ruleset, state)
    if player is None or not ruleset.sizes.hides_hands:
        return line
    return f"{line}; hand {' '.join(_name_held(ruleset, tile) for tile in state.hand[player].tolist())}"


def write_key(ruleset: Ruleset, state: np.record, player: int | None = None) -> bytes:
    """Return 32 bytes that positions share if and only if `player` sees the same, and their components are equal."""
    line = f"{ruleset.components.digest} {format_seen(ruleset, state, player)}"
    return hashlib.sha256(line.encode("ascii")).digest()


def _name_ruleset(ruleset):
    """Return name, digest of components not packaged, number of players and house rules, without the defaults."""
    digest = [] if ruleset.base else [ruleset.components.digest[:DIGEST_DIGITS]]
    usual = ruleset.base.players if ruleset.base else USUAL_PLAYERS
    players = [] if ruleset.players == usual else [f"{ruleset.players}p"]
    rules = [format_rules(ruleset.rules)] if ruleset.rules else []
    said = ",".join([*digest, *players, *rules])
    return f"{word(ruleset.name)}:{said}" if said else word(ruleset.name)


def _write_turn(ruleset, state):
    """Return whose turn it is, the decision to make, and its tile."""
    words = [str(int(state.player)), PHASE_WORDS[state.phase]]
    tile = ruleset.tile(int(state.deck[state.drawn - 1]))
    if state.phase == PLACE:
        words.append(word(tile.id))
    elif state.cell != NONE:
        cell: Any = name_location(ruleset, state, int(state.cell))
        words.append(f"{word(tile.id)}@{cell[0]},{cell[1]}")
    return " ".join(words)


def _write_board(ruleset, position):
    """Return the tiles that players laid, in reading order."""
    laid = [] if ruleset.components.start_tile is None or ruleset.sizes.starts_in_bag else [(0, 0)]
    tiles = [(cell, *lying) for cell, lying in sorted(position.board.items()) if cell not in laid]
    return " ".join(f"{word(tile)}@{row},{column}{SIDES[rotation]}" for (row, column), tile, rotation in tiles)


def _write_pieces(position, owner):
    for player, cell, name, piece in position.followers:
        if player == owner:
            where = write_segment(cell, name)
            yield where if piece == "follower" else f"{word(piece)}@{where}"


def _find_used(state, position):
    """Return the kinds of the tokens that left the game, as a `Counter`."""
    taken = Counter(kind for kind, gone in zip(state.token_deal.tolist(), state.tower_taken, strict=False) if gone)
    for held in (*position.tokens, *position.fresh_tokens):
        taken.subtract(held)
    return +taken


def _write_kinds(held):
    return [str(kind) for kind in sorted(held) for _ in range(held[kind])]


def _write_waiting(ruleset, state, player):
    """Return the areas that `player` will score, a word for each slot up to the last one in use."""
    slots = state.to_score[player].tolist() if state.phase == SCORE else []
    words = [NOTHING if area == NONE else name_area(ruleset, state, area) for area in slots]
    while words and words[-1] == NOTHING:
        words.pop()
    return words


def _write_hands(ruleset, state, viewer):
    """Return the public hands, and that of `viewer`, nothing where they follow from the rest."""
    if ruleset.sizes.hides_hands:
        hands = [[NOTHING if tile == NONE else HIDDEN for tile in hand] for hand in state.hand.tolist()]
        if viewer is not None:
            hands[viewer] = [_name_held(ruleset, tile) for tile in state.hand[viewer].tolist()]
        is_usual = hands == list_usual_hands(ruleset, int(state.player), int(state.phase))
        return "" if is_usual else PAIRED.join(" ".join(hand) for hand in hands)
    return PAIRED.join(" ".join(_name_held(ruleset, tile) for tile in hand) for hand in state.hand.tolist())


def list_usual_hands(ruleset: Ruleset, player: int, phase: int) -> list[list[str]]:
    """Return hidden hands as words: full, except the first slot of a player who has played a tile; empty at the end."""
    held = NOTHING if phase == OVER and not ruleset.sizes.draws_back else HIDDEN
    hands = [[held] * ruleset.sizes.hand_size for _ in range(ruleset.players)]
    if phase not in (CHOOSE, OVER):
        hands[player][0] = NOTHING
    return hands


def _name_held(ruleset, tile):
    return NOTHING if tile == NONE else word(ruleset.tile(tile).id)


def _write_numbers(numbers):
    return ":".join(map(str, numbers)) if any(numbers) else ""


def _pair(words_of_players):
    """Return the words of all players, nothing where nobody has any."""
    joined = [" ".join(words) for words in words_of_players]
    return PAIRED.join(words or NOTHING for words in joined) if any(joined) else ""


# --- parsing ---

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
        pieces=tuple([_read_piece(text) for text in words] for words in _read_each(sections, "pieces", players)),
        waiting=tuple(
            [_read_slot(text) for text in words] for words in _read_each(sections, "waiting", players, keep=True)
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
    for text in words:
        read = TILE_AT.fullmatch(text)
        if read is None:
            fail("board", f"{show(text)} must be tile, row, column and where its north points, like Z33@0,3E")
        cell = (int(read[2]), int(read[3]))
        if cell in board:
            fail("board", f"two tiles lie on {cell}")
        board[cell] = (read[1], SIDES.index(read[4]))
    return board


def _read_piece(text):
    piece, _, where = text.rpartition("@")
    read = read_segment(where)
    if read is None:
        fail("pieces", f"{show(text)} must be row, column and segment, like 2,0.r1, or prince@2,0.r1")
    return (piece or None, *read)


def _read_slot(text):
    read = None if text == NOTHING else read_segment(text)
    if read is None and text != NOTHING:
        fail("waiting", f"{show(text)} must be row, column and segment, like 2,0.h1, or - for a slot without area")
    return read


def _read_numbers(sections, name, players):
    numbers = _read_wholes(name, sections[name].split(":")) if sections[name] else [0] * players
    if len(numbers) != players:
        due = {1: "one number, like 12", 2: "two numbers, like 12:7"}.get(players, f"{players} numbers, like 12:7:0")
        fail(name, f"must be {due}, not {show(sections[name])}")
    return numbers


def _read_wholes(name, words):
    for text in words:
        if not _WHOLE.fullmatch(text):
            fail(name, f"{show(text)} must be a whole number from 0 to 99999, without zeros in front")
    return [int(text) for text in words]
