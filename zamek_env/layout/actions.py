"""Phases of a turn, and what each action number means. The one place where the layout of actions is written.

ACTION DESCRIPTION  (L codes of cells, G segments on a tile at most, K kinds of pieces, P slots)
    number                          phase        meaning
    0 … 4L-1                        place        cell code * 4 + rotation: lay the drawn tile there, so turned
    4L                              send         nobody
    4L + 1 + kind * G + segment     send         a piece of that kind to that segment of the tile just placed
    4L + 1 + KG + slot * 2 + used   score        the area in that slot next; used = 1: with the token for it
    4L + 1 + KG + 2P + used         extra turn   used = 1: spend the token for an extra turn
    4L + 1 + KG + slot              choose       lay the tile in that slot of the hand, where players hold a hand of
                                                 three (rule H2); then there is neither scoring nor an extra turn

    ruleset                     L   G   K   P
    zamek                      76  11   1   6    kind 0: a follower
    sokol, sokol-gates         94  11   3   8    kind 1: the prince, 2: the falconer
    carcassonne-demo     441 + 96   8   1   –    nothing depends on the order of scoring: it is not asked for,
    carcassonne         625 + 144   8   1   –    and there are no actions for it, nor for extra turns

    With a wall the code of a cell is its number. On an open table the codes are the numbers of the window around the
    start tile, row by row, and then spots: spot `k` is the empty cell that touches a tile, bears no number of the
    window, and has `k` such cells of lower numbers before it (see `open_table.py`). There are as many spots as there
    can be such cells.

Which actions are legal is written by `zamek_env.core.legality.write_mask`.
"""

from dataclasses import dataclass

import numpy as np

from zamek_env.common.checks import check_count, check_whole
from zamek_env.common.messages import show
from zamek_env.components.model import NUM_ROTATIONS

PLACE, SEND, SCORE, EXTRA, OVER, CHOOSE = range(6)
PHASE_NAMES = ("place", "send", "score", "extra turn", "over", "choose")  # the last only where players hold a hand

NOBODY = 0  # added to the send base; 1 + kind * G + segment sends a piece
TOKEN_CHOICES = 2  # without, with a token


@dataclass(frozen=True)
class ActionLayout:
    """First action number of each phase, and how many there are.

    Its methods take whole numbers of any type and return ints. They raise `TypeError` for what is no whole number, and
    `ValueError`, naming the argument, where the layout has no such number: whether an action is legal they do not know.
    """

    cell_codes: int
    segments: int
    slots: int
    piece_kinds: int = 1
    has_track: bool = True  # areas are scored in an order that matters, and there may be extra turns
    hand_size: int = 0  # tiles among which a player chooses (rule H2)

    @property
    def send_base(self) -> int:
        """The first action that sends a piece: nobody."""
        return self.cell_codes * NUM_ROTATIONS

    @property
    def score_base(self) -> int:
        """The first action that scores an area."""
        return self.send_base + 1 + self.piece_kinds * self.segments

    @property
    def extra_base(self) -> int:
        """The action that does without an extra turn; the next one uses the token."""
        return self.score_base + self.slots * TOKEN_CHOICES * self.has_track

    @property
    def choose_base(self) -> int:
        """The first action that chooses a tile of the hand."""
        return self.extra_base + TOKEN_CHOICES * self.has_track

    @property
    def num_actions(self) -> int:
        """Number of actions."""
        return self.choose_base + self.hand_size

    def phase_of(self, action: int | np.integer) -> int:
        """Return the phase in which `action` can be legal: `PLACE`, `SEND`, `SCORE`, `EXTRA` or `CHOOSE`."""
        number = _check("action", action, 0, self.num_actions)
        if number >= self.choose_base:
            return CHOOSE
        return sum(number >= base for base in (self.send_base, self.score_base, self.extra_base))

    def place(self, cell_code: int | np.integer, rotation: int | np.integer) -> int:
        """Return the action that lays the tile on the cell of that code; `rotation` counts clockwise quarter turns."""
        code = _check("cell_code", cell_code, 0, self.cell_codes)
        return code * NUM_ROTATIONS + _check("rotation", rotation, 0, NUM_ROTATIONS)

    def send(self, segment: int | np.integer | None, kind: int | np.integer = 0) -> int:
        """Return the action that sends a piece of `kind` to `segment`, or nobody where that is None."""
        number = _check("kind", kind, 0, self.piece_kinds)
        if segment is None:
            return self.send_base + NOBODY
        return self.send_base + 1 + number * self.segments + _check("segment", segment, 0, self.segments)

    def score(self, slot: int | np.integer, with_token: bool) -> int:
        """Return the action that scores the area in `slot` next, with or without a token."""
        return self.score_base + _check("slot", slot, 0, self.slots * self.has_track) * TOKEN_CHOICES + bool(with_token)

    def extra_turn(self, used: bool) -> int:
        """Return the action that uses the token for an extra turn, or does without. `ValueError` without a track."""
        if not self.has_track:
            raise ValueError("there are no extra turns without a track")
        return self.extra_base + bool(used)

    def choose(self, slot: int | np.integer) -> int:
        """Return the action that lays the tile in that slot of the hand. `ValueError` where players hold none."""
        return self.choose_base + _check("slot", slot, 0, self.hand_size)

    def parse_place(self, action: int | np.integer) -> tuple[int, int]:
        """Return (cell code, rotation) of an action that lays a tile."""
        return divmod(_check("action", action, 0, self.send_base), NUM_ROTATIONS)

    def parse_send(self, action: int | np.integer) -> tuple[int | None, int]:
        """Return (segment, kind of piece) of an action that sends one; the segment is None for nobody."""
        chosen = _check("action", action, self.send_base, self.score_base) - self.send_base
        kind, segment = divmod(max(chosen - 1, 0), self.segments)
        return (None if chosen == NOBODY else segment), kind

    def parse_score(self, action: int | np.integer) -> tuple[int, bool]:
        """Return (slot, with_token) of an action that scores an area."""
        number = _check("action", action, self.score_base, self.extra_base)
        slot, with_token = divmod(number - self.score_base, TOKEN_CHOICES)
        return slot, bool(with_token)

    def parse_extra_turn(self, action: int | np.integer) -> bool:
        """Return whether an action of the phase of extra turns uses the token."""
        return _check("action", action, self.extra_base, self.choose_base) == self.extra_base + 1

    def parse_choose(self, action: int | np.integer) -> int:
        """Return the slot of the hand of an action that chooses a tile."""
        return _check("action", action, self.choose_base, self.num_actions) - self.choose_base


def _check(name: str, value: int | np.integer, first: int, end: int) -> int:
    """Return `value` as an int, which an integer of numpy is not, of `first` to `end` - 1."""
    number = check_whole(name, value)
    if first == end:
        raise ValueError(f"{name} must not be given: this ruleset has none, not {show(number)}")
    return check_count(name, number, end - 1, first)
