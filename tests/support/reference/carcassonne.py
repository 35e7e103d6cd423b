"""The turn of Carcassonne, and the end of the game (rules C1 to C9)."""

from collections import Counter
from copy import copy

from tests.support.reference.box import CarcassonneRules
from tests.support.reference.land import Land
from tests.support.reference.open_table import OpenTable
from tests.support.reference.turns import copy_turn, make_record, new_turn

POINTS_A_CITY = 3  # C8: of each completed city that a field touches


class ReferenceCarcassonne:
    """One game for a known deck, from decision to decision.

    Whether to send a follower is asked only where one can be sent; a placement is always asked for. `phase` is
    "place", "send" or, at the end, "over". `tile` is the tile to place or, in "send", the one just placed. After the
    end `scores` hold the end scoring too, while followers still lie where they lay. `turns` are the finished turns as
    the game record writes them, `turn` is the one in progress. `board` holds the start tile, `tiles` every tile of the
    deck, `deck` the order of as many of them as are played with; there are no `tokens`.
    """

    def __init__(self, board: dict, tiles: dict, deck: list[str], tokens: dict, rules: CarcassonneRules):
        if not deck or Counter(deck) - Counter(tile["id"] for tile in tiles["tiles"]):
            raise ValueError("the deck must hold tiles of the game, each as often as there is one, and at least one")
        if tokens:
            raise ValueError("there are no tokens in this game")
        self.rules = rules
        self.table = OpenTable(board["start"], tiles["tiles"])
        self.board, self.followers = self.table.board, self.table.followers
        self.remaining, self.discarded = list(deck), []
        self.scores = [0, 0]
        self.turns: list[dict] = []
        self._begin_turn(0)

    @property
    def supplies(self) -> list[int]:
        """Followers that each player has left to send (C2)."""
        owners = [owner for owner, *_ in self.followers]
        return [self.rules.followers - owners.count(player) for player in (0, 1)]

    def areas(self) -> list[Land]:
        """All areas as they are now, recomputed from the board."""
        return self.table.areas()

    def decisions(self) -> list[tuple]:
        """Every legal decision, each once; none when the game is over."""
        if self.phase == "place":
            return [("place", cell, rotation) for cell, rotation in self.table.placements(self.tile)]
        if self.phase == "send":
            return [("send", None)] + [("send", name, "follower") for name in self._free_segments()]
        return []

    def play(self, decision: tuple) -> None:
        """Carry out one legal decision and all that follows without a choice; ValueError if it is not legal."""
        if decision not in self.decisions():
            raise ValueError(f"{decision} is no legal decision in phase {self.phase!r}")
        if decision[0] == "place":
            self._place_tile(*decision[1:])
        else:
            self._send_follower(decision[1])

    def end_entries(self) -> list[dict]:
        """The end scoring by player and reason, without zeros; ValueError while the game goes on."""
        if self.phase != "over":
            raise ValueError("the game is not over yet")
        return [dict(entry) for entry in self._end]

    def end_worth(self, area: Land, player: int) -> tuple[str, int] | None:
        """For what reason an area pays a player at the end, and how much; None where it does not."""
        return end_worth(self.table, area) if player in area.owners else None

    def record(self, seed=None, players=("player 0", "player 1")) -> dict:
        """The game record; without farmers the 72 tiles are marked as played so."""
        return make_record(self, {**self.rules.head, "tokens": {}}, seed, players)

    def copy(self) -> "ReferenceCarcassonne":
        """A game in the same position that goes its own way; the components are shared."""
        other = copy(self)
        other.table = copy(self.table)
        other.table.board, other.table.followers = self.board.copy(), self.followers.copy()
        other.board, other.followers = other.table.board, other.table.followers
        for name in ("remaining", "discarded", "scores", "turns"):
            setattr(other, name, getattr(self, name).copy())
        other.turn = copy_turn(self.turn)
        return other

    def _begin_turn(self, player: int) -> None:
        """Draw until a tile fits somewhere; if none is left, this turn is the last and empty (C1)."""
        self.player = player
        self.turn = new_turn(player)
        while self.remaining:
            self.tile = self.remaining.pop(0)
            if self.table.placements(self.tile):
                self.phase = "place"
                return
            self.discarded.append(self.tile)
            self.turn["discarded"].append(self.tile)
        self._end_turn()

    def _place_tile(self, cell: tuple, rotation: int) -> None:
        """Place the tile; the send is skipped where there is nothing to choose (C3)."""
        self.board[cell] = (self.tile, rotation)
        self.turn |= {"tile": self.tile, "cell": list(cell), "rotation": rotation}
        if self._free_segments():
            self.phase = "send"
        else:
            self._score()

    def _free_segments(self) -> list[str]:
        """Where on the tile just placed a follower may go: to a field only with farmers (C3, C8)."""
        if self.supplies[self.player] == 0:
            return []
        cell = tuple(self.turn["cell"])
        return [
            name
            for name in self.table.segments(cell)
            if (self.rules.farmers or name[0] != "f") and self.table.area_of(cell, name).followers == [0, 0]
        ]

    def _send_follower(self, name: str | None) -> None:
        """Send a follower or nobody; what it stands on is scored at once if it is complete (C5)."""
        if name is not None:
            self.followers.append((self.player, tuple(self.turn["cell"]), name, "follower"))
            self.turn["follower"] = {"segment": name, "piece": "follower"}
        self._score()

    def _score(self) -> None:
        """Pay every completed area with followers to all who have most of them, and take these back (C4, C5)."""
        due = [area for area in self.areas() if area.is_complete and area.owners]
        for area in due:
            (row, col), name = min(area.segments)
            for player in area.owners:
                self.scores[player] += area.points
                self.turn["scored"].append(
                    {
                        "player": player,
                        "feature": area.feature,
                        "at": [row, col, name],
                        "tiles": area.tiles,
                        "points": area.points,
                        "token": None,
                        "score": self.scores[player],
                        "took": None,
                        "nests": 0,
                    }
                )
            self.table.take_back_followers(area)
        self._end_turn()

    def _end_turn(self) -> None:
        """Close the turn; the game ends with the turn in which the last tile was placed or left the game (C1)."""
        self.turns.append(self.turn)
        if self.remaining:
            self._begin_turn(1 - self.player)
            return
        self.phase, self.tile = "over", None
        self._end = end_scoring(self.table)
        for entry in self._end:
            self.scores[entry["player"]] += entry["points"]


def end_scoring(table: OpenTable) -> list[dict]:
    """The entries of the end scoring that are not 0: unfinished areas, and fields by their cities (C6, C8)."""
    points = Counter()
    for area in table.areas():
        for player in area.owners:
            reason, worth = end_worth(table, area)
            points[player, reason] += worth
    return [
        {"player": player, "reason": reason, "points": value}
        for (player, reason), value in sorted(points.items())
        if value
    ]


def end_worth(table: OpenTable, area: Land) -> tuple[str, int]:
    """What an area pays at the end, and for what reason; a completed one has no followers any more (C6, C8)."""
    if area.feature == "field":
        return "field", POINTS_A_CITY * len(table.cities_touched(area))
    return f"unfinished {area.feature}", area.unfinished_points
