"""The reference engine: Zamek played slowly and plainly from the numbered rules, as an oracle for the fast one.

It knows the component data and nothing of the fast engine. What can be recomputed is recomputed: areas are flood-filled
from the board each time somebody asks, supplies are counted from the followers in the castle, and who still has to
score is read off the board after every step. `Area` is a value, `Castle` is what lies on the table, `ReferenceGame` is
the turn.
"""

from dataclasses import dataclass

FEATURES = {"h": "house", "p": "pigsty", "r": "road", "m": "meadow"}  # first letter of a segment's name -> feature
SIDES = "NESW"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # side N E S W -> (row, column) step to the neighbouring space
TRACK_FIELDS = 100  # Z1: fields 0 to 99, a ring
SUPPLY = 6  # Z4: followers of a player, without the score marker
DOUBLING_TOKEN = {"house": 2, "pigsty": 3}  # Z23: feature -> kind that doubles it on the owner's turn
UNFINISHED_TOKENS = ((7, "house", 1), (8, "pigsty", 2), (9, "road", 1))  # Z23: kind, feature, points a tile

#  The 12 ports of a tile, clockwise (Z6); port i comes to i + 3r after r quarter turns.
#
#             N
#         0   1   2
#      11 +-------+ 3
#   W  10 |       | 4  E
#       9 +-------+ 5
#         8   7   6
#             S


def ports_of_side(side: int, face: str) -> dict[int, str]:
    """Port -> segment name of one side: `m1` (both halves, no middle), `m1 r1 h1`, or `m1|h1` (two halves, no road)."""
    if "|" in face:
        left, right = face.split("|")
        return {3 * side: left.strip(), 3 * side + 2: right.strip()}
    names = face.split()
    if len(names) == 1:
        return {3 * side: names[0], 3 * side + 2: names[0]}
    left, road, right = names
    return {3 * side: left, 3 * side + 1: road, 3 * side + 2: right}


def turned_ports(tile: dict, rotation: int) -> dict[int, str]:
    """Port -> segment name of a whole tile after `rotation` clockwise quarter turns (Z6)."""
    ports = {}
    for side, key in enumerate("nesw"):
        for port, name in ports_of_side(side, tile[key]).items():
            ports[(port + 3 * rotation) % 12] = name
    return ports


def facing_port(port: int) -> int:
    """The neighbour's port that this port touches: clockwise on one side runs against clockwise on the other (Z6)."""
    side, place_on_side = divmod(port, 3)
    return 3 * ((side + 2) % 4) + (2 - place_on_side)


@dataclass(frozen=True)
class Area:
    """Segments joined through facing ports of one feature (Z7), with all that scoring asks about them."""

    feature: str
    segments: frozenset  # of (place, segment name); place is a (row, col) or a start space's id
    tiles: int  # tiles and start spaces, each once (Z18)
    open_ports: int
    followers: list[int]  # of player 0 and of player 1
    shrines: int
    stocks: int

    @property
    def is_complete(self) -> bool:
        """Whether the area is a road, house or pigsty without open ports; a meadow is never completed (Z16)."""
        return self.feature != "meadow" and self.open_ports == 0

    @property
    def controller(self) -> int | None:
        """The player with strictly more followers, or None (Z17, Z24, Z27)."""
        first, second = self.followers
        if first == second:
            return None
        return 0 if first > second else 1

    def points(self, token: int | None) -> int:
        """What the completed area is worth, with a token of kind 2 or 3 used on it or none (Z18, Z23)."""
        a_tile = {"road": 2 if self.stocks else 1, "house": 1, "pigsty": 2}[self.feature]
        return self.tiles * a_tile * (1 if token is None else 2)


class Castle:
    """The wall with its start spaces, the tiles placed inside it, and the followers on them."""

    def __init__(self, wall: dict, tiles: dict):
        rows = wall["interior"]
        self.interior = {(row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#"}
        self.starts = {start["id"]: start for start in wall["starts"]}
        self.start_beside = {
            (tuple(start["cell"]), SIDES.index(start["side"])): start["id"] for start in wall["starts"]
        }
        self.tiles = {tile["id"]: tile for tile in tiles["tiles"]}
        self.turned = {
            (tile_id, rotation): turned_ports(tile, rotation)
            for tile_id, tile in self.tiles.items()
            for rotation in range(4)
        }
        self.board: dict = {}  # (row, col) -> (tile id, rotation)
        self.followers: list = []  # (player, (row, col), segment name)

    def ports(self, place) -> dict[int, str]:
        """Port -> segment name of the tile or start space at a place; a start shows its inner side only (Z2)."""
        if place in self.starts:
            start = self.starts[place]
            return ports_of_side((SIDES.index(start["side"]) + 2) % 4, start["face"])
        return self.turned[self.board[place]]

    def neighbour(self, place, side: int):
        """The place beyond a side: a start space, an interior space (empty or not), or None for the bare wall."""
        if place in self.starts:
            return tuple(self.starts[place]["cell"])
        if (place, side) in self.start_beside:
            return self.start_beside[place, side]
        row, col = place
        beyond = (row + STEPS[side][0], col + STEPS[side][1])
        return beyond if beyond in self.interior else None

    def is_filled(self, place) -> bool:
        """Whether a tile lies there or the place is a start space, which counts as one (Z2)."""
        return place in self.starts or place in self.board

    def fits(self, tile: str, cell: tuple, rotation: int) -> bool:
        """Whether the tile may be placed: it touches something, and roads meet roads wherever it does (Z9, Z10)."""
        if cell not in self.interior or cell in self.board:
            return False
        own = self.turned[tile, rotation]
        touches = False
        for side in range(4):
            place = self.neighbour(cell, side)
            if place is None or not self.is_filled(place):
                continue
            touches = True
            middle = 3 * side + 1
            if (middle in own) != (facing_port(middle) in self.ports(place)):
                return False
        return touches

    def placements(self, tile: str) -> list[tuple]:
        """Every (cell, rotation) at which the tile may be placed."""
        return [
            (cell, rotation)
            for cell in sorted(self.interior)
            for rotation in range(4)
            if self.fits(tile, cell, rotation)
        ]

    def segments(self, place) -> list[str]:
        """Names of the segments at a place."""
        return sorted(set(self.ports(place).values()))

    def areas(self) -> list[Area]:
        """All areas on the table, those of start spaces alone too."""
        areas, seen = [], set()
        for place in [*self.starts, *self.board]:
            for name in self.segments(place):
                if (place, name) not in seen:
                    areas.append(self.area_of(place, name))
                    seen |= areas[-1].segments
        return areas

    def area_of(self, place, name: str) -> Area:
        """The area of one segment, by flood fill through facing ports (Z7, Z16)."""
        reached, to_visit, open_ports = {(place, name)}, [(place, name)], 0
        while to_visit:
            here, segment = to_visit.pop()
            for port in [port for port, owner in self.ports(here).items() if owner == segment]:
                there = self.neighbour(here, port // 3)
                if there is None:
                    continue
                if not self.is_filled(there):
                    open_ports += 1
                    continue
                met = self.ports(there).get(facing_port(port))
                if met is not None and met[0] == segment[0] and (there, met) not in reached:
                    reached.add((there, met))
                    to_visit.append((there, met))
        return self.measure(frozenset(reached), open_ports)

    def measure(self, segments: frozenset, open_ports: int) -> Area:
        """Count what stands on the segments of one area."""
        any_name = next(iter(segments))[1]
        return Area(
            feature=FEATURES[any_name[0]],
            segments=segments,
            tiles=len({place for place, _ in segments}),
            open_ports=open_ports,
            followers=[
                sum(1 for owner, cell, name in self.followers if owner == player and (cell, name) in segments)
                for player in (0, 1)
            ],
            shrines=sum(self.component(place).get("shrines", []).count(name) for place, name in segments),
            stocks=sum(self.component(place).get("stocks", []).count(name) for place, name in segments),
        )

    def component(self, place) -> dict:
        """The data of the start space or tile at a place."""
        return self.starts[place] if place in self.starts else self.tiles[self.board[place][0]]

    def take_back_followers(self, area: Area) -> None:
        """Return all followers of an area to their owners (Z20)."""
        self.followers[:] = [
            (player, cell, name) for player, cell, name in self.followers if (cell, name) not in area.segments
        ]

    def largest_empty_group(self) -> int:
        """Spaces of the largest group of empty interior spaces joined by sides (Z28)."""
        empty, largest = self.interior - set(self.board), 0
        while empty:
            to_visit, size = [empty.pop()], 0
            while to_visit:
                row, col = to_visit.pop()
                size += 1
                for beside in [(row + down, col + right) for down, right in STEPS]:
                    if beside in empty:
                        empty.remove(beside)
                        to_visit.append(beside)
            largest = max(largest, size)
        return largest


def end_scoring(castle: Castle, family_houses: list[int], tokens: list[dict]) -> list[dict]:
    """The entries of the end scoring that are not 0, kinds 4 to 9 used as well as they can be (Z24, Z27 to Z29)."""
    areas = castle.areas()
    sizes = [size + 2 * owned.get(5, 0) if size else 0 for size, owned in zip(family_houses, tokens, strict=False)]
    entries = []
    for player in (0, 1):
        own, owned = [area for area in areas if area.controller == player], tokens[player]
        shrines = [area.shrines for area in own if area.feature == "meadow"]
        points = {
            "meadow": 3 * sum(shrines),
            "family house": castle.largest_empty_group() if sizes[player] > sizes[1 - player] else 0,
            "token 4": sum_of_largest(shrines, owned.get(4, 0)),
            "token 6": 5 * owned.get(6, 0),
        }
        for kind, feature, a_tile in UNFINISHED_TOKENS:
            unfinished = [area.tiles for area in own if area.feature == feature and not area.is_complete]
            points[f"token {kind}"] = a_tile * sum_of_largest(unfinished, owned.get(kind, 0))
        entries += [{"player": player, "reason": reason, "points": value} for reason, value in points.items() if value]
    return entries


def sum_of_largest(values: list[int], count: int) -> int:
    """The sum of the `count` largest values: as many tokens on as many different areas (Z24)."""
    return sum(sorted(values, reverse=True)[:count])


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
    are the finished turns as the game record writes them, `turn` is the one in progress.
    """

    def __init__(self, wall: dict, tiles: dict, deck: list[str], tokens: dict[int, int]):
        self.castle = Castle(wall, tiles)
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
        self.scores, self.family_houses = [0, 0], [0, 0]
        self.turns: list[dict] = []
        self._begin_turn(0)

    @property
    def supplies(self) -> list[int]:
        """Followers that each player has left to send (Z4)."""
        return [SUPPLY - sum(1 for owner, _, _ in self.followers if owner == player) for player in (0, 1)]

    def areas(self) -> list[Area]:
        """All areas as they are now, recomputed from the board."""
        return self.castle.areas()

    def decisions(self) -> list[tuple]:
        """Every legal decision, each once; none when the game is over."""
        if self.phase == "place":
            return [("place", cell, rotation) for cell, rotation in self.castle.placements(self.tile)]
        if self.phase == "send":
            return [("send", None)] + [("send", name) for name in self._free_segments()]
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
            self._send_follower(decision[1])
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

    def record(self, ruleset="zamek", seed=None, players=("player 0", "player 1")) -> dict:
        """The game record; of a game in progress its finished turns, with the scores as they stood after them."""
        record = {
            "format": "zamek-record/1",
            "ruleset": ruleset,
            "seed": seed,
            "players": list(players),
            "tokens": {str(field): kind for field, kind in sorted(self.tokens_at_start.items())},
            "turns": [copy_turn(turn) for turn in self.turns],
        }
        if self.phase == "over":
            return record | {"end": self.end_entries(), "scores": list(self.scores)}
        scored = [entry for turn in self.turns for entry in turn["scored"]]
        scores = [sum(entry["points"] for entry in scored if entry["player"] == player) for player in (0, 1)]
        return record | {"finished": False, "scores": scores}

    def _begin_turn(self, player: int) -> None:
        """Draw until a tile fits somewhere; if none is left, this turn is the last and empty (Z9, Z11)."""
        self.player = player
        self.turn = {
            "player": player,
            "discarded": [],
            "tile": None,
            "cell": None,
            "rotation": None,
            "follower": None,
            "scored": [],
            "extra_turn": False,
        }
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
        if self.supplies[self.player] > 0 and self._free_segments():
            self.phase = "send"
        else:
            self._begin_scoring()

    def _free_segments(self) -> list[str]:
        """Segments of the tile just placed in whose areas nobody stands (Z12)."""
        cell = tuple(self.turn["cell"])
        return [name for name in self.castle.segments(cell) if self.castle.area_of(cell, name).followers == [0, 0]]

    def _send_follower(self, name: str | None) -> None:
        """Action 2."""
        if name is not None:
            self.followers.append((self.player, tuple(self.turn["cell"]), name))
            self.turn["follower"] = {"segment": name, "piece": "follower"}
        self._begin_scoring()

    def _begin_scoring(self) -> None:
        """Action 3: followers of tied completed areas go home first, then the areas are scored (Z17, Z20)."""
        for area in self.areas():
            if area.is_complete and area.controller is None:
                self.castle.take_back_followers(area)
        self._score_on()

    def _scorings(self) -> list[tuple]:
        """The (area, token or None) that may be scored next: the active player's before the opponent's (Z19, Z23)."""
        due = [area for area in self.areas() if area.is_complete and area.controller is not None]
        own = [area for area in due if area.controller == self.player]
        usable = self.tokens_usable[self.player]
        doubled = [(area, DOUBLING_TOKEN[area.feature]) for area in own if DOUBLING_TOKEN.get(area.feature) in usable]
        return [(area, None) for area in own or due] + doubled

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
        """Move the marker for one area, with all that follows from it (Z18 to Z23)."""
        player = area.controller
        points = area.points(token)
        self.scores[player] += points
        if token is not None:
            remove_token(self.tokens_usable[player], token)
        if area.feature == "house":
            self.family_houses[player] = max(self.family_houses[player], area.tiles)
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
                "nests": 0,
            }
        )

    def _take_token(self, player: int) -> int | None:
        """Take the token of the tower on which the marker rests, if one is still there (Z22)."""
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
        """Score the meadows, the family house and the tokens of the end."""
        self.phase, self.tile = "over", None
        self._end = end_scoring(self.castle, self.family_houses, self.tokens_usable)
        for entry in self._end:
            self.scores[entry["player"]] += entry["points"]


def copy_turn(turn: dict) -> dict:
    """A turn's record that shares no list or dict with the game."""
    return turn | {
        "discarded": list(turn["discarded"]),
        "cell": None if turn["cell"] is None else list(turn["cell"]),
        "follower": None if turn["follower"] is None else dict(turn["follower"]),
        "scored": [entry | {"at": list(entry["at"])} for entry in turn["scored"]],
    }
