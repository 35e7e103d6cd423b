"""Actions in notation: each has one short line of ASCII that a person can read and type (`docs/notation.md`).

ACTION NOTATION
    Z33@0,3E                 place the tile there, row and column; its printed north side points east
    herald r1, prince m1     send that piece to that segment of the tile drawn last; r1 alone sends a plain follower
    -                        send nobody
    score 2,0.h1             score next the area to which segment h1 of the tile at row 2, column 0 belongs
    score 2,0.h1 +token2     the same, with a token of kind 2
    extra, end               use a token for an extra turn, or end the turn
    choose V                 lay that tile of the hand this turn

Names out of a box may hold any sign. Those that a word cannot hold are written as in web addresses: `%20` for a space.
"""

import re
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.common.messages import shorten, show, show_beyond
from zamek_env.components.model import SIDES
from zamek_env.core import engine
from zamek_env.core.placement import is_in_window
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, PLACE, SCORE, SEND
from zamek_env.notation.position import find_locations, find_tiles
from zamek_env.ruleset import Ruleset

NOTHING = "-"
EXTRA_TURN, NO_EXTRA_TURN = "extra", "end"
CHOSEN = "choose "  # begins what chooses a tile of the hand
SUGGESTED = 3  # legal actions that an error names
NUMBER = "(?:0|-?[1-9][0-9]{0,4})"
TILE_AT = re.compile(rf"([^@]+)@({NUMBER}),({NUMBER})([{SIDES}])")
_SEGMENT_AT = re.compile(rf"({NUMBER}),({NUMBER})\.([^.]+)")
_SCORE = re.compile(r"score ([^ ]+)( \+token[0-9]*)?")


def format_action(ruleset: Ruleset, state: np.record, action: int) -> str:
    """Return `action` of a game of `ruleset` with this `state`, a record, in notation.

    It need not be legal. Raises `ValueError` where there is no such action, or its number means nothing now: no such
    segment on the tile, no area in that slot, no such spot beyond the window.
    """
    if not 0 <= action < ruleset.num_actions:
        raise ValueError(show_beyond(action, ruleset.num_actions))
    text = _Notation(ruleset, state).write(action)
    if text is None:
        raise ValueError(f"action {show(action)} of 0 to {ruleset.num_actions - 1} means nothing now")
    return text


def parse_action(ruleset: Ruleset, state: np.record, text: str) -> int:
    """Return the action, legal or not, that `text` means in a game of `ruleset` with this `state`, a record.

    Raises `ValueError` naming the nearest legal actions where it means none, `TypeError` where it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be an action in notation, not {show(text)}")
    notation = _Notation(ruleset, state)
    action = notation.read(text)
    if action is None:
        raise ValueError(f"text must be an action, not {show(text)}: {_describe_legal(notation, text)}")
    return action


def name_action(ruleset: Ruleset, state: np.record, action: int) -> str:
    """Return a name of `action`, any int, for messages: number and notation, or the number where it means nothing."""
    text = _Notation(ruleset, state).write(action) if 0 <= action < ruleset.num_actions else None
    return f"action {show(action)}" if text is None else f"action {action} ({text})"


def list_legal(ruleset: Ruleset, state: np.record) -> list[str]:
    """Return the legal actions in notation, in ascending order of their numbers."""
    return _list_legal(_Notation(ruleset, state))


def describe_illegal(ruleset: Ruleset, state: np.record, action: int) -> str:
    """Return a message that `action`, any int, is illegal, with some legal ones."""
    legal = shorten(", ".join(list_legal(ruleset, state)))
    return f"{name_action(ruleset, state, action)} is illegal, legal are {legal}"


@lru_cache(maxsize=1024)  # of names of tiles, pieces and features: it is asked for the same ones in every line
def word(name: str) -> str:
    """Return a name as one word of ASCII without characters that notation uses."""
    return "%2D" if name == NOTHING else quote(name, safe="")


def read_segment(text: str) -> tuple[tuple[int, int], str] | None:
    """Return ((row, column), word of the segment) of a text such as `2,0.h1`, None where it is none."""
    read = _SEGMENT_AT.fullmatch(text)
    return read and ((int(read[1]), int(read[2])), read[3])


def write_segment(cell: tuple[int, int], name: str) -> str:
    """Return the segment of that name on the tile at `cell` in notation."""
    return f"{cell[0]},{cell[1]}.{word(name)}"


def name_area(ruleset: Ruleset, state: np.record, area: int) -> str:
    """Return the first segment, in reading order, that a placed tile has in `area`, in notation."""
    return write_segment(*find_first_segment(ruleset, state, area))


def find_first_segment(ruleset: Ruleset, state: np.record, area: int) -> tuple[tuple[int, int], str]:
    """Return (cell, name) of the first segment, in reading order, that a placed tile has in `area`."""
    nodes = np.flatnonzero(state.area == area)
    tiles: dict[int, Any] = dict(find_tiles(ruleset, state))
    table = ruleset.tables[0]
    placed = [node for node in nodes if table.node_tile[node] < ruleset.sizes.tiles]
    return min((tiles[int(table.node_tile[n])], ruleset.segment_of_node(n).name) for n in placed)


class _Notation:
    """The actions of one position."""

    def __init__(self, ruleset: Ruleset, state: np.record) -> None:
        self.ruleset, self.state = ruleset, state
        self.tile = ruleset.tile(int(state.deck[state.drawn - 1]))
        self._has_tile = state.phase != CHOOSE  # before that, none is this turn's

    def write(self, action: int) -> str | None:
        """Return `action`, a number of the layout, in notation, None where it means nothing now."""
        actions = self.ruleset.actions
        phase = actions.phase_of(action)
        if phase in (PLACE, SEND) and not self._has_tile:
            return None
        if phase == PLACE:
            code, rotation = actions.parse_place(action)
            cell = self._find_cell(code)
            return cell and f"{word(self.tile.id)}@{cell[0]},{cell[1]}{SIDES[rotation]}"
        if phase == SEND:
            number, kind = actions.parse_send(action)
            if number is None or number >= len(self.tile.segments):
                return NOTHING if number is None else None
            segment, components = self.tile.segments[number], self.ruleset.components
            pieces = [piece.name for piece in components.pieces]
            role = components.feature(segment.feature).role
            plain = pieces[0] if role in pieces else role
            return f"{word(pieces[kind] if kind else plain)} {word(segment.name)}"
        if phase == SCORE:
            slot, with_token = actions.parse_score(action)
            area = int(self.state.to_score[self.state.scorer, slot])
            if area == NONE:
                return None
            text = f"score {name_area(self.ruleset, self.state, area)}"
            return text + self._write_token(area) if with_token else text
        if phase == CHOOSE:
            tile = int(self.state.hand[self.state.player, actions.parse_choose(action)])
            return None if tile == NONE else f"{CHOSEN}{word(self.ruleset.tile(tile).id)}"
        return EXTRA_TURN if actions.parse_extra_turn(action) else NO_EXTRA_TURN

    def read(self, text: str) -> int | None:
        """Return the action that `text` means, None where it means none."""
        if read := TILE_AT.fullmatch(text):
            return self._read_place(read[1], (int(read[2]), int(read[3])), SIDES.index(read[4]))
        if (read := _SCORE.fullmatch(text)) and (action := self._read_score(read[1], read[2])) is not None:
            return action
        actions = self.ruleset.actions
        others = [*range(actions.send_base, actions.score_base), *range(actions.extra_base, actions.num_actions)]
        names = [word(segment.name) for segment in self.tile.segments] if self._has_tile else []
        plain = actions.send(names.index(text), 0) if text in names else None  # a follower, without saying so
        return next((action for action in others if self.write(action) == text), plain)

    # --- place ---

    @cached_property
    def _locations(self):
        return find_locations(self.ruleset, self.state)

    def _find_cell(self, code):
        """Return (row, column) of the cell that `code` names, None for a spot without cell."""
        window = self.ruleset.sizes.window_cells
        if code >= window:
            return self._locations.get(int(self.state.spot_cell[code - window]))  # which holds nothing for NONE
        cell = self.ruleset.components.board.cells[code]
        # as long as all lies in the window, numbers mean what they mean at the beginning
        return cell if is_in_window(self.state) else self._locations.get(code) or cell

    def _read_place(self, tile, cell, rotation):
        code = self.ruleset.components.board.find_number(cell)
        if code is None or tile != word(self.tile.id) or not self._has_tile:
            return None
        window, spots = self.ruleset.sizes.window_cells, self.state.spot_cell.tolist()
        if code >= window:
            code = window + spots.index(code) if code in spots else None
        if code is None or self._find_cell(code) != cell:
            return None
        return self.ruleset.actions.place(code, rotation)

    # --- score ---

    def _write_token(self, area):
        """Return the text for a token on `area`, with the kind of token for its feature, if there is one."""
        table = self.ruleset.tables[0]
        return f" +token{int(table.feature_token[table.node_feature[area]]) or ''}"

    def _read_score(self, where, token):
        area = self._find_area(where)
        slots = self.state.to_score[self.state.scorer].tolist()
        if area is None or area not in slots or token not in (None, self._write_token(area)):
            return None
        return self.ruleset.actions.score(slots.index(area), token is not None)

    def _find_area(self, where):
        """Return the area of any segment on a placed tile, None where there is none."""
        cell, name = read_segment(where) or (None, None)
        for tile, location in find_tiles(self.ruleset, self.state).items():
            if location == cell:
                for node, segment in zip(
                    self.ruleset.tables[0].tile_node[tile].tolist(), self.ruleset.tile(tile).segments, strict=False
                ):
                    if word(segment.name) == name:
                        return int(self.state.area[node])
        return None


def _list_legal(notation):
    mask = np.empty(notation.ruleset.num_actions, np.bool_)
    states = np.frombuffer(bytearray(notation.state.tobytes()), notation.ruleset.state_dtype)
    engine.write_mask(notation.ruleset.tables, states, 0, mask)
    return [notation.write(action) for action in np.flatnonzero(mask).tolist()]


def _describe_legal(notation, text):
    """Return a description of the decision, and of the legal actions most like `text`."""
    legal = _list_legal(notation)
    if not legal:
        return "the game is over"
    near = get_close_matches(text[:100], legal, SUGGESTED, cutoff=0)
    asked = f"player {notation.state.player} is to decide {PHASE_NAMES[notation.state.phase]!r}"
    if notation.state.phase == PLACE:
        asked += f" with {word(notation.tile.id)}"
    return f"{asked}, as by {', '.join(near)} ({len(legal)} {'is' if len(legal) == 1 else 'are'} legal)"
