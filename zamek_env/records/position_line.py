"""A position as one line of ASCII that a person can read and type: all that is public, nothing hidden.

POSITION NOTATION
    sokol; 1 send Z17@2,0; board Z02@0,3N Z17@2,0E; pieces 0,3.h1 : prince@0,3.m1; score 12:0; taken 12; tokens 2 : -

    Sections stand in the order of `SECTIONS`, and what is as at the beginning is left out. `A : B` stands for player 0
    and 1, `-` for nothing. `docs/notation.md` says what each section holds; `set_up.py` reads the line.

One position has one line, whatever the order in which its tiles were laid, so the line is also what two equal looking
positions share: `write_key`.
"""

import hashlib
from collections import Counter
from typing import Any

import numpy as np

from zamek_env.components.model import SIDES
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import PHASE_NAMES, PLACE, SCORE
from zamek_env.records.locations import name_location
from zamek_env.records.notation import NOTHING, name_area, word, write_segment
from zamek_env.records.position import read_position
from zamek_env.ruleset import Ruleset

SECTIONS = (
    "board", "pieces", "score", "taken", "tokens", "fresh", "used", "house", "nests", "gate", "out", "waiting",
)  # fmt: skip
PHASE_WORDS = tuple(name.partition(" ")[0] for name in PHASE_NAMES)  # `extra` for the extra turn
PAIRED = " : "
DIGEST_DIGITS = 12  # of the components, where they are not packaged


def format_position(ruleset: Ruleset, state: np.record) -> str:
    """Return all that is public in a game of `ruleset` with this `state`, a record, as one line of ASCII."""
    position = read_position(ruleset, state)
    sections = {
        "board": _write_board(ruleset, position),
        "pieces": _pair([_write_pieces(position, player) for player in range(2)]),
        "score": _write_numbers(position.scores),
        "taken": " ".join(str(field) for field in _find_taken(ruleset, position)),
        "tokens": _pair([_write_kinds(held) for held in position.tokens]),
        "fresh": _pair([_write_kinds(held) for held in position.fresh_tokens]),
        "used": " ".join(_write_kinds(_find_used(state, position))),
        "house": _write_numbers(position.family_houses),
        "nests": _write_numbers(position.nests),
        "gate": " ".join(str(player) for player in range(2) if position.at_gate[player]),
        "out": " ".join(word(tile) for tile in sorted(position.discarded.elements())),
        "waiting": _pair([_write_waiting(ruleset, state, player) for player in range(2)]),
    }
    head = [_name_ruleset(ruleset), _write_turn(ruleset, state)]
    return "; ".join([*head, *(f"{name} {sections[name]}" for name in SECTIONS if sections[name])])


def write_key(ruleset: Ruleset, state: np.record) -> bytes:
    """Return 32 bytes that positions share if and only if their public sides and their components are equal."""
    line = f"{ruleset.components.digest} {format_position(ruleset, state)}"
    return hashlib.sha256(line.encode("ascii")).digest()


def _name_ruleset(ruleset):
    name = word(ruleset.name)
    return name if ruleset.is_packaged else f"{name}:{ruleset.components.digest[:DIGEST_DIGITS]}"


def _write_turn(ruleset, state):
    """Return whose turn it is, what is to be decided, and about which tile."""
    words = [str(int(state.player)), PHASE_WORDS[state.phase]]
    tile = ruleset.tile(int(state.deck[state.drawn - 1]))
    if state.phase == PLACE:
        words.append(word(tile.id))
    elif state.cell != NONE:
        cell: Any = name_location(ruleset, state, int(state.cell))
        words.append(f"{word(tile.id)}@{cell[0]},{cell[1]}")
    return " ".join(words)


def _write_board(ruleset, position):
    """Return the tiles that players laid, in the order of reading."""
    laid = [] if ruleset.components.start_tile is None else [(0, 0)]
    tiles = [(cell, *lying) for cell, lying in sorted(position.board.items()) if cell not in laid]
    return " ".join(f"{word(tile)}@{row},{column}{SIDES[rotation]}" for (row, column), tile, rotation in tiles)


def _write_pieces(position, owner):
    for player, cell, name, piece in position.followers:
        if player == owner:
            where = write_segment(cell, name)
            yield where if piece == "follower" else f"{word(piece)}@{where}"


def _find_taken(ruleset, position):
    """Return the first fields of the towers whose tokens are gone."""
    return [tower[0] for tower in ruleset.components.board.token_towers if tower[0] not in position.towers]


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


def _write_numbers(pair):
    return ":".join(map(str, pair)) if any(pair) else ""


def _pair(words_of_players):
    """Return the words of both players, nothing where neither has any."""
    joined = [" ".join(words) for words in words_of_players]
    return PAIRED.join(words or NOTHING for words in joined) if any(joined) else ""
