"""A position as one line of ASCII that a person can read and type: all that is public, nothing hidden.

POSITION NOTATION
    sokol; 1 send Z17@2,0; board Z02@0,3N Z17@2,0E; pieces 0,3.h1 : prince@0,3.m1; score 12:0; taken 12; tokens 2 : -

    Sections stand in the order of `SECTIONS`, and what is as at the start of a game is left out. `A : B` stands for
    player 0 and 1, and so on for more, `-` for nothing. `docs/notation.md` says what each section holds; `set_up.py`
    reads the line.

One position has one line, in whatever order its tiles were laid. So the line also identifies positions that look equal:
`write_key`.
"""

import hashlib
from collections import Counter
from typing import Any

import numpy as np

from zamek_env.components.house_rules import format_rules
from zamek_env.components.model import SIDES
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import CHOOSE, OVER, PHASE_NAMES, PLACE, SCORE
from zamek_env.records.locations import name_location
from zamek_env.records.notation import NOTHING, name_area, word, write_segment
from zamek_env.records.position import read_position
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
