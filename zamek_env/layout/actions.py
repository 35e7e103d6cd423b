"""Phases of a turn, and what each action number means. The one place where the layout of actions is written.

ACTION DESCRIPTION  (L codes of cells, G segments on a tile at most, K kinds of pieces, P slots)
    number                          phase        meaning
    0 … 4L-1                        place        cell code * 4 + rotation: lay the drawn tile there, so turned
    4L                              send         nobody
    4L + 1 + kind * G + segment     send         a piece of that kind to that segment of the tile just placed
    4L + 1 + KG + slot * 2 + used   score        the area in that slot next; used = 1: with the token for it
    4L + 1 + KG + 2P + used         extra turn   used = 1: spend the token for an extra turn

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

from zamek_env.components.model import NUM_ROTATIONS

PLACE, SEND, SCORE, EXTRA, OVER = range(5)
PHASE_NAMES = ("place", "send", "score", "extra turn", "over")

NOBODY = 0  # added to the send base; 1 + kind * G + segment sends a piece
TOKEN_CHOICES = 2  # without, with a token


@dataclass(frozen=True)
class ActionLayout:
    """First action number of each phase, and how many there are."""

    cell_codes: int
    segments: int
    slots: int
    piece_kinds: int = 1
    has_track: bool = True  # areas are scored in an order that matters, and there may be extra turns

    @property
    def send_base(self) -> int:
        return self.cell_codes * NUM_ROTATIONS

    @property
    def score_base(self) -> int:
        return self.send_base + 1 + self.piece_kinds * self.segments

    @property
    def extra_base(self) -> int:
        return self.score_base + self.slots * TOKEN_CHOICES * self.has_track

    @property
    def num_actions(self) -> int:
        return self.extra_base + TOKEN_CHOICES * self.has_track

    def phase_of(self, action: int) -> int:
        """Return the phase in which `action` can be legal."""
        bases = (self.send_base, self.score_base, self.extra_base)
        return sum(action >= base for base in bases)

    def place(self, cell_code: int, rotation: int) -> int:
        return cell_code * NUM_ROTATIONS + rotation

    def send(self, segment: int | None, kind: int = 0) -> int:
        """Action that sends a piece of `kind` to `segment`, or nobody where that is None."""
        return self.send_base + (NOBODY if segment is None else 1 + kind * self.segments + segment)

    def score(self, slot: int, with_token: bool) -> int:
        return self.score_base + slot * TOKEN_CHOICES + with_token

    def extra_turn(self, used: bool) -> int:
        return self.extra_base + used

    def parse_place(self, action: int) -> tuple[int, int]:
        """Return (cell code, rotation)."""
        return divmod(action, NUM_ROTATIONS)

    def parse_send(self, action: int) -> tuple[int | None, int]:
        """Return (segment, kind of piece); the segment is None for nobody."""
        chosen = action - self.send_base
        kind, segment = divmod(max(chosen - 1, 0), self.segments)
        return (None if chosen == NOBODY else segment), kind

    def parse_score(self, action: int) -> tuple[int, bool]:
        """Return (slot, with_token)."""
        slot, with_token = divmod(action - self.score_base, TOKEN_CHOICES)
        return slot, bool(with_token)

    def parse_extra_turn(self, action: int) -> bool:
        """Return whether the token is used."""
        return action == self.extra_base + 1
