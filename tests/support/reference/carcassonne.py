"""The turn of Carcassonne, and the end of the game (rules C1 to C12, H1 to H9)."""

from collections import Counter
from collections.abc import Callable
from copy import copy, deepcopy
from fractions import Fraction

from tests.support.reference.box import Box, CarcassonneRules
from tests.support.reference.land import Land
from tests.support.reference.open_table import OpenTable
from tests.support.reference.turns import copy_turn, make_record, new_turn

POINTS_A_CITY = 3  # C8: of each completed city that a field touches


class ReferenceCarcassonne:
    """One game for a known deck, from decision to decision.

    Whether to send a follower is asked only where one can be sent, which tile of a hand to lay only where two kinds of
    them can be laid; a placement is always asked for. `phase` is "choose", "place", "send" or, at the end, "over".
    `tile` is the tile to place or, in "send", the one just placed. `hands` are the tiles that each player holds, slot
    by slot, None where a slot is empty; the tile to place is in no hand any more. After the end `scores` hold the end
    scoring too, while followers still lie where they lay. `turns` are the finished turns as the game record writes
    them, `turn` is the one in progress. `board` holds the start tile, `tiles` every tile of the deck beside it, `deck`
    the order of as many of them as are played with; there are no `tokens`. `shake` returns the bag in the order in
    which it lies after it has been shaken (H3); a copy of a game shakes it likewise.
    """

    def __init__(
        self,
        board: dict,
        tiles: dict,
        deck: list[str],
        tokens: dict,
        rules: CarcassonneRules,
        shake: Callable[[list], list] = list,
    ):
        if not deck or Counter(deck) - Counter(Box(board, tiles, rules).drawn):
            raise ValueError("the deck must hold tiles of the game, each as often as there is one, and at least one")
        if tokens:
            raise ValueError("there are no tokens in this game")
        self.rules, self.house, self.shake = rules, rules.house, shake
        self.table = OpenTable(board["start"], tiles["tiles"], rules.players, rules.house)
        self.board, self.followers = self.table.board, self.table.followers
        self.remaining, self.discarded = list(deck), []
        self.scores = [0] * rules.players
        self.turns: list[dict] = []
        if self.house.start_in_bag:
            self.board[0, 0] = (self.remaining.pop(0), 0)  # H4
        self.hands: list[list] = [[None] * (3 if self.house.hand else 1) for _ in range(rules.players)]
        if self.draws_at_the_end:
            for player in range(rules.players):
                self._draw(player)
        self._begin_turn(0)

    @property
    def draws_at_the_end(self) -> bool:
        """Whether tiles are drawn at the end of a turn, to be held until the next one (H1, H2)."""
        return self.house.draw_ahead or self.house.hand is not None

    @property
    def supplies(self) -> list[int]:
        """Followers that each player has left to send (C2)."""
        owners = [owner for owner, *_ in self.followers]
        return [self.rules.followers - owners.count(player) for player in range(self.rules.players)]

    def seen_hands(self, observer: int | None) -> tuple[tuple, ...]:
        """The hands as a player sees them, or somebody who knows what all know; None where nothing is, or is seen."""
        if not self.draws_at_the_end:
            return ()
        is_open = self.house.hand == "open"
        return tuple(
            tuple(hand) if is_open or player == observer else (None,) * len(hand)
            for player, hand in enumerate(self.hands)
        )

    def areas(self) -> list[Land]:
        """All areas as they are now, recomputed from the board."""
        return self.table.areas()

    def decisions(self) -> list[tuple]:
        """Every legal decision, each once; none when the game is over."""
        if self.phase == "choose":
            return [("choose", slot) for slot in self._find_choices()]
        if self.phase == "place":
            return [("place", cell, rotation) for cell, rotation in self.table.placements(self.tile)]
        if self.phase == "send":
            return [("send", None)] + [("send", name, "follower") for name in self._free_segments()]
        return []

    def play(self, decision: tuple) -> None:
        """Carry out one legal decision and all that follows without a choice; ValueError if it is not legal."""
        if decision not in self.decisions():
            raise ValueError(f"{decision} is no legal decision in phase {self.phase!r}")
        if decision[0] == "choose":
            self._turn_up(decision[1])
        elif decision[0] == "place":
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

    def returns(self) -> list[float]:
        """Each player's result: who wins alone has 1, all others share -1 evenly, k winners count 1/k each (C7, C11).

        Somebody who plays alone has 0 (C12), as everybody has before the end.
        """
        others, best = self.rules.players - 1, max(self.scores)
        if self.phase != "over" or others == 0:
            return [0.0] * self.rules.players
        share = Fraction(1, self.scores.count(best))
        return [float(share - (1 - share) / others) if score == best else -1 / others for score in self.scores]

    def record(self, seed=None, players=None) -> dict:
        """The game record; without farmers the 72 tiles are marked as played so."""
        head = {**self.rules.head, "tokens": {}}
        if self.house.start_in_bag:
            head["start"] = self.board[0, 0][0]
        names = players or [f"player {player}" for player in range(self.rules.players)]
        return make_record(self, head, seed, names)

    def copy(self) -> "ReferenceCarcassonne":
        """A game in the same position that goes its own way; the components are shared."""
        other = copy(self)
        other.table = copy(self.table)
        other.table.board, other.table.followers = self.board.copy(), self.followers.copy()
        other.board, other.followers = other.table.board, other.table.followers
        for name in ("remaining", "discarded", "scores", "turns"):
            setattr(other, name, getattr(self, name).copy())
        other.hands = [hand.copy() for hand in self.hands]
        other.turn, other.shake = copy_turn(self.turn), deepcopy(self.shake)
        return other

    def _draw(self, player: int) -> None:
        """Draw a tile into every empty slot, as long as there are tiles in the bag."""
        hand = self.hands[player]
        for slot in range(len(hand)):
            if hand[slot] is None and self.remaining:
                hand[slot] = self.remaining.pop(0)

    def _begin_turn(self, player: int) -> None:
        """Let a player come by a tile that can be laid; who gets none is passed over (C1, H1, H2)."""
        self.player, self.turn = player, new_turn(player)
        self._fills_hole = False
        if not self.draws_at_the_end:
            self._draw(player)
        while any(self.hands[player]) and not self._find_choices():
            shown = self._take_hand()
            if not self.house.back_into_bag:
                self.discarded += shown
                self.turn["discarded"] += shown
                self._draw(player)
            elif not self._put_back(shown):
                self._end_game()
                return
        choices = self._find_choices()
        if not choices:
            self._end_turn()
        elif len(choices) == 1:
            self._turn_up(choices[0])
        else:
            self.phase, self.tile = "choose", None

    def _find_choices(self) -> list[int]:
        """The slots of the hand whose tiles can be laid, of tiles that are alike the first one only (H2)."""
        hand = self.hands[self.player]
        return [
            slot
            for slot, tile in enumerate(hand)
            if tile is not None and hand.index(tile) == slot and self.table.placements(tile)
        ]

    def _turn_up(self, slot: int) -> None:
        """Take the tile to lay out of the hand; all see it from now on."""
        hand = self.hands[self.player]
        self.phase, self.tile, hand[slot] = "place", hand[slot], None

    def _take_hand(self) -> list[str]:
        """Take all tiles out of the hand."""
        hand = self.hands[self.player]
        taken = [tile for tile in hand if tile is not None]
        hand[:] = [None] * len(hand)
        return taken

    def _put_back(self, shown: list[str]) -> bool:
        """Put tiles of which none can be laid back into the bag, and draw others; False where all there is like that.

        One tile is exchanged for the first one that can be laid, three for any three (H3).
        """
        for tile in shown:
            self.remaining.insert(0, tile)
        fitting = [number for number, tile in enumerate(self.remaining) if self.table.placements(tile)]
        if not fitting:
            return False
        if self.house.hand:
            self.turn.setdefault("put_back", shown)
            self.remaining = self.shake(self.remaining)
            self._draw(self.player)
        else:
            self.turn["put_back"] = self.remaining[: fitting[0]]
            self.hands[self.player] = [self.remaining.pop(fitting[0])]
            self.remaining = self.shake(self.remaining)
        return True

    def _place_tile(self, cell: tuple, rotation: int) -> None:
        """Place the tile; the send is skipped where there is nothing to choose (C3)."""
        self.board[cell] = (self.tile, rotation)
        self._fills_hole = all(self.table.neighbour(cell, side) in self.board for side in range(4))  # H5
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
            if (self.rules.farmers or name[0] != "f") and not any(self.table.area_of(cell, name).followers)
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
        """Close the turn; the game ends with the turn in which the last tile was placed or left the game (C1, H1, H2).

        A turn in which nothing was drawn is not written down.
        """
        if self.turn["tile"] is not None or self.turn["discarded"]:
            self.turns.append(self.turn)
        if self.draws_at_the_end:
            self._draw(self.player)
        if not self.remaining and not any(tile for hand in self.hands for tile in hand):
            self._end_game()
        elif self._fills_hole and self.house.hole_plays_again:
            self._begin_turn(self.player)
        else:
            self._begin_turn((self.player + 1) % self.rules.players)

    def _end_game(self) -> None:
        """Pay what is paid at the end."""
        self.phase, self.tile = "over", None
        self._end = end_scoring(self.table)
        for entry in self._end:
            self.scores[entry["player"]] += entry["points"]


def end_scoring(table: OpenTable) -> list[dict]:
    """The entries of the end scoring that are not 0: unfinished areas, and fields by their cities (C6, C8)."""
    points = Counter()
    for area in table.areas():
        for player in area.owners:
            if pays := end_worth(table, area):
                points[player, pays[0]] += pays[1]
    return [
        {"player": player, "reason": reason, "points": value}
        for (player, reason), value in sorted(points.items())
        if value
    ]


def end_worth(table: OpenTable, area: Land) -> tuple[str, int] | None:
    """For what reason an area pays at the end, and how much; a completed one has no followers any more (C6, C8, H6)."""
    if area.feature == "field":
        return "field", POINTS_A_CITY * len(table.cities_touched(area))
    if table.house.unfinished_pays_nothing:
        return None
    return f"unfinished {area.feature}", area.unfinished_points
