"""The turn: one game of the base rules or of Sokół, from decision to decision."""

from copy import copy

from tests.support.reference.box import ZAMEK, Rules
from tests.support.reference.scoring import TRACK_FIELDS, end_scoring, move_marker, take_nests
from tests.support.reference.table import Area, WalledTable
from tests.support.reference.turns import copy_turn, make_record, new_turn

SUPPLY = 6  # Z4: followers of a player, without the score marker
DOUBLING_TOKEN = {"house": 2, "pigsty": 3}  # Z23: feature -> kind that doubles it on the owner's turn


def add_token(tokens: dict[int, int], kind: int) -> None:
    """Count one more token of a kind."""
    tokens[kind] = tokens.get(kind, 0) + 1


def remove_token(tokens: dict[int, int], kind: int) -> None:
    """Count one token of a kind less; kinds that are not owned are not listed."""
    tokens[kind] -= 1
    if not tokens[kind]:
        del tokens[kind]


class ReferenceGame:
    """One game for a known deck and known tower tokens, from decision to decision.

    A decision with one legal answer is taken by the engine, except a placement, which is always asked for. `phase` says
    what is asked: "place", "send", "score", "extra turn"; "over" is the end. `tile` is the tile to place or, in "send"
    and "score", the one just placed. `tokens_fresh` were taken in the turn in progress and become usable when it ends
    (Z23). After the end `scores` hold the end scoring too, while tokens and followers still lie where they lay. `turns`
    are the finished turns as the game record writes them, `turn` is the one in progress. `wall` is the one in force,
    widened where the rules want it; of its gates only those of halting rules matter here (S12).
    """

    def __init__(self, wall: dict, tiles: dict, deck: list[str], tokens: dict[int, int], rules: Rules = ZAMEK):
        self.rules = rules
        self.castle = WalledTable(wall, tiles)
        self.gates = {gate["between"][0] for gate in wall["gates"]} if rules.halting_gates else set()
        self.towers = [tuple(fields) for fields in wall["towers"]]
        with_token = {fields[0] for fields in self.towers} - set(wall["towerless"])
        if not deck or len(set(deck)) != len(deck) or not set(deck) <= set(self.castle.tiles):
            raise ValueError("the deck must hold known tiles, each once, and at least one")
        if not set(tokens) <= with_token or not set(tokens.values()) <= set(range(1, 10)):
            raise ValueError(f"tokens must map towers {sorted(with_token)} to kinds 1 to 9, not {tokens}")
        self.board, self.followers = self.castle.board, self.castle.followers
        self.remaining, self.discarded = list(deck), []
        self.tower_tokens, self.tokens_at_start = dict(tokens), dict(tokens)
        self.tokens_usable: list[dict[int, int]] = [{}, {}]
        self.tokens_fresh: list[dict[int, int]] = [{}, {}]
        self.scores, self.family_houses, self.at_gate = [0, 0], [0, 0], [False, False]
        self.nests = [0, 0]
        self.turns: list[dict] = []
        self._begin_turn(0)

    @property
    def table(self) -> WalledTable:
        """What lies on the table; other games have another thing there."""
        return self.castle

    @property
    def supplies(self) -> list[int]:
        """Plain followers that each player has left to send (Z4)."""
        standing = [(owner, piece) for owner, _, _, piece in self.followers]
        return [SUPPLY - standing.count((player, "follower")) for player in (0, 1)]

    @property
    def pieces(self) -> list[tuple]:
        """Special pieces that each player has left to send (S2)."""
        standing = [(owner, piece) for owner, _, _, piece in self.followers]
        return [
            tuple(piece for piece in self.rules.special_pieces if (player, piece) not in standing) for player in (0, 1)
        ]

    @property
    def nest_pool(self) -> int:
        """Nests that lie in the pool (S2)."""
        return self.rules.nests - sum(self.nests)

    def areas(self) -> list[Area]:
        """All areas as they are now, recomputed from the board."""
        return self.castle.areas()

    def decisions(self) -> list[tuple]:
        """Every legal decision, each once; none when the game is over."""
        if self.phase == "place":
            return [("place", cell, rotation) for cell, rotation in self.castle.placements(self.tile)]
        if self.phase == "send":
            return [("send", None)] + [("send", name, piece) for name, piece in self._sendings()]
        if self.phase == "score":
            return [("score", area.segments, token) for area, token in self._scorings()]
        if self.phase == "extra turn":
            return [("extra turn", True), ("extra turn", False)]
        return []

    def play(self, decision: tuple) -> None:
        """Carry out one legal decision and all that follows without a choice; ValueError if it is not legal."""
        if decision not in self.decisions():
            raise ValueError(f"{decision} is no legal decision in phase {self.phase!r}")
        if decision[0] == "place":
            self._place_tile(*decision[1:])
        elif decision[0] == "send":
            self._send_follower(*decision[1:])
        elif decision[0] == "score":
            area, token = next(option for option in self._scorings() if (option[0].segments, option[1]) == decision[1:])
            self._score_area(area, token)
            self._score_on()
        else:
            self._end_turn(decision[1])

    def end_entries(self) -> list[dict]:
        """The end scoring by player and reason, without zeros; ValueError while the game goes on."""
        if self.phase != "over":
            raise ValueError("the game is not over yet")
        return [dict(entry) for entry in self._end]

    def end_worth(self, area: Area, player: int) -> tuple[str, int] | None:
        """For what reason an area pays a player at the end, and how much; None where it does not (Z27, S7)."""
        pays = area.feature == "meadow" and area.controller == player
        return ("meadow", 3 * area.shrines * area.prince_factor(player)) if pays else None

    def record(self, seed=None, players=("player 0", "player 1")) -> dict:
        """The game record; of a game in progress its finished turns, with the scores as they stood after them."""
        tokens = {str(field): kind for field, kind in sorted(self.tokens_at_start.items())}
        return make_record(self, {**self.rules.head, "tokens": tokens}, seed, players)

    def copy(self) -> "ReferenceGame":
        """A game in the same position that goes its own way; the components are shared."""
        other = copy(self)
        other.castle = copy(self.castle)
        other.castle.board, other.castle.followers = self.board.copy(), self.followers.copy()
        other.board, other.followers = other.castle.board, other.castle.followers
        for name in ("remaining", "discarded", "tower_tokens", "scores", "family_houses", "nests", "at_gate", "turns"):
            setattr(other, name, getattr(self, name).copy())
        for name in ("tokens_usable", "tokens_fresh"):
            setattr(other, name, [held.copy() for held in getattr(self, name)])
        other.turn = copy_turn(self.turn)
        return other

    def _begin_turn(self, player: int) -> None:
        """Draw until a tile fits somewhere; if none is left, this turn is the last and empty (Z9, Z11)."""
        self.player = player
        self.turn = new_turn(player)
        while self.remaining:
            self.tile = self.remaining.pop(0)
            if self.castle.placements(self.tile):
                self.phase = "place"
                return
            self.discarded.append(self.tile)
            self.turn["discarded"].append(self.tile)
        self._end_turn(False)

    def _place_tile(self, cell: tuple, rotation: int) -> None:
        """Action 1; the send is skipped when there is nothing to choose (Z12)."""
        self.board[cell] = (self.tile, rotation)
        self.turn |= {"tile": self.tile, "cell": list(cell), "rotation": rotation}
        if self._sendings():
            self.phase = "send"
        else:
            self._begin_scoring()

    def _sendings(self) -> list[tuple]:
        """The (segment name, piece) that may be sent to the tile just placed (Z12, S4)."""
        cell = tuple(self.turn["cell"])
        free = [name for name in self.castle.segments(cell) if self.castle.area_of(cell, name).followers == [0, 0]]
        followers = [(name, "follower") for name in free if self.supplies[self.player] > 0]
        unscored = [name for name in free if not self.castle.area_of(cell, name).is_complete]
        return followers + [(name, piece) for piece in self.pieces[self.player] for name in unscored]

    def _send_follower(self, name: str | None, piece: str = "follower") -> None:
        """Action 2."""
        if name is not None:
            self.followers.append((self.player, tuple(self.turn["cell"]), name, piece))
            self.turn["follower"] = {"segment": name, "piece": piece}
        self._begin_scoring()

    def _begin_scoring(self) -> None:
        """Action 3: followers of tied completed areas go home first, then the areas are scored (Z17, Z20)."""
        for area in self.areas():
            if area.is_complete and area.controller is None:
                self.castle.take_back_followers(area)
        self._score_on()

    def _scorings(self) -> list[tuple]:
        """The (area, token or None) that may be scored next: the active player's before the opponent's (Z19, Z23).

        What an own prince doubles, no token doubles again (S7).
        """
        due = [area for area in self.areas() if area.is_complete and area.controller is not None]
        own = [area for area in due if area.controller == self.player]
        usable = self.tokens_usable[self.player]
        with_token = [
            (area, DOUBLING_TOKEN[area.feature])
            for area in own
            if DOUBLING_TOKEN.get(area.feature) in usable and not area.has(self.player, "prince")
        ]
        return [(area, None) for area in own or due] + with_token

    def _score_on(self) -> None:
        """Score area after area until there is a choice or nothing left, then go on to the end of the turn."""
        while len(self._scorings()) == 1:
            self._score_area(*self._scorings()[0])
        if self._scorings():
            self.phase = "score"
        elif 1 in self.tokens_usable[self.player] and self.remaining:
            self.phase, self.tile = "extra turn", None
        else:
            self._end_turn(False)

    def _score_area(self, area: Area, token: int | None) -> None:
        """Move the marker for one area, with all that follows from it (Z18 to Z23, S6 to S10, S12)."""
        player = area.controller
        points = area.points(token)
        self.scores[player], self.at_gate[player] = move_marker(
            self.scores[player], self.at_gate[player], points, self.gates
        )
        if token is not None:
            remove_token(self.tokens_usable[player], token)
        if area.feature == "house":
            self.family_houses[player] = max(self.family_houses[player], area.tiles)
        due = area.nests + area.has(player, "falconer")
        self.nests, nests = take_nests(self.nests, self.nest_pool, player, due)
        self.castle.take_back_followers(area)
        (row, col), name = min(segment for segment in area.segments if segment[0] in self.board)
        self.turn["scored"].append(
            {
                "player": player,
                "feature": area.feature,
                "at": [row, col, name],
                "tiles": area.tiles,
                "points": points,
                "token": token,
                "score": self.scores[player],
                "took": self._take_token(player),
                "nests": nests,
            }
        )

    def _take_token(self, player: int) -> int | None:
        """Take the token of the tower on which the marker rests, if one is still there (Z22); on a gate none (S12)."""
        if self.at_gate[player]:
            return None
        field = self.scores[player] % TRACK_FIELDS
        for fields in self.towers:
            if field in fields and fields[0] in self.tower_tokens:
                kind = self.tower_tokens.pop(fields[0])
                add_token(self.tokens_fresh[player], kind)
                return kind
        return None

    def _end_turn(self, extra_turn: bool) -> None:
        """Close the turn; the game ends with the turn in which the last tile was placed or discarded (Z25, Z26)."""
        self.turn["extra_turn"] = extra_turn
        self.turns.append(self.turn)
        if extra_turn:
            remove_token(self.tokens_usable[self.player], 1)
        for usable, fresh in zip(self.tokens_usable, self.tokens_fresh, strict=False):
            for kind in [kind for kind, count in fresh.items() for _ in range(count)]:
                add_token(usable, kind)
            fresh.clear()
        if self.remaining:
            self._begin_turn(self.player if extra_turn else 1 - self.player)
        else:
            self._end_game()

    def _end_game(self) -> None:
        """Score the meadows, the family house, the nests and the tokens of the end; gates halt nobody now (S12)."""
        self.phase, self.tile = "over", None
        self._end = end_scoring(self.castle, self.family_houses, self.tokens_usable, self.nests)
        for entry in self._end:
            self.scores[entry["player"]] += entry["points"]
