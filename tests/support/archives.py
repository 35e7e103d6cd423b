"""Archives of Board Game Arena in every form in which they are met, written from games that people played."""

import json
from collections import Counter
from pathlib import Path

from zamek_env.interchange.bga import POSITIONS, TILES
from zamek_env.ruleset import get_ruleset

PEOPLE = json.loads((Path(__file__).parent / "data/games_of_people.json").read_text())["games"]
PLAYERS = ("9001", "9002")
REAL_TYPES = {"city": "city", "road": "road", "monastery": "abbey", "field": "field"}
START_ID = 36  # the first of type 15


def list_moves(game: dict) -> list[str]:
    """A game's moves in notation, by a mapping of its own: the letters by type, U turned by a quarter."""
    moves = []
    for turn in game["turns"]:
        kind, x, y, ori, pos = turn["bga"]
        letter = "TSNMPOGFIHEKJLDUVWXBACRQ"[kind - 1]
        rotation = (ori - 1 + (letter == "U")) % 4
        moves += [f"discard {tile}" for tile in turn.get("discarded", ())]
        moves += [f"{letter}@{y},{x}{'NESW'[rotation]}", "-" if pos is None else POSITIONS[letter][pos - 1]]
    return moves


def list_ids(kind: int) -> range:
    """The ids of the tiles of a type: of all types one after another."""
    deck = Counter(tile.id for tile in get_ruleset("carcassonne").components.tiles)
    copies = [deck[letter] + (letter == "D") for letter in TILES]
    return range(1 + sum(copies[: kind - 1]), 1 + sum(copies[:kind]))


class ArchiveWriter:
    """Writes one game, event by event, as the archive of `owner`, a player, or of both.

    `as_text` writes numbers as texts. Without `private` nobody's draws are shown, without `discards` no `cantPlay`.
    """

    def __init__(self, game: dict, as_text: bool = False, private: bool = True, discards: bool = True):
        self.game, self.as_text, self.private, self.discards = game, as_text, private, discards
        self.packets, self.used = [], Counter()
        self.ids = {(0, 0): START_ID}  # (row, column) -> id
        self.scores = [0, 0]

    def number(self, value):
        """A number as the archive has it."""
        return str(value) if self.as_text else value

    def take_id(self, kind: int) -> int:
        """An id that no tile has had; the start tile has the first of its type."""
        self.used[kind] += 1
        return list_ids(kind)[self.used[kind] - 1 + (kind == 15)]

    def tell(self, *events: tuple, owner: int | None = None):
        """Add a packet of (type, args)."""
        channel = "/table/t1" if owner is None else f"/player/p{PLAYERS[owner]}"
        data = [{"type": kind, "args": args} for kind, args in events]
        self.packets.append({"channel": channel, "move_id": str(len(self.packets)), "time": "0", "data": data})

    def write(self) -> dict:
        """The archive, a JSON object."""
        uses = self.list_uses()
        for player in (0, 1):
            self.draw(uses, player, player)
        for number, turn in enumerate(self.game["turns"]):
            self.write_turn(turn, number % 2, uses, number)
        for paid in self.game["end"] or ():
            self.pay(paid)
        self.tell(("gameStateChange", {"id": self.number(99), "args": []}))
        return {"status": 1, "data": {"valid": 1, "data": self.packets}}

    def list_uses(self) -> list[list[tuple[int, int]]]:
        """The (type, id) of the tiles of each turn, those discarded first."""
        uses = []
        for turn in self.game["turns"]:
            kinds = [TILES.index(tile) + 1 for tile in turn.get("discarded", ())] + [turn["bga"][0]]
            uses.append([(kind, self.take_id(kind)) for kind in kinds])
        return uses

    def draw(self, uses: list, number: int, player: int, which: int = 0):
        """The owner sees the tile that a player draws for a turn."""
        if self.private and number < len(uses):
            kind, tile = uses[number][which]
            self.tell(("pickTile", {"id": self.number(tile), "type": self.number(kind)}), owner=player)

    def write_turn(self, turn: dict, player: int, uses: list, number: int):
        """One turn: whose it is, what is discarded, placed, sent and paid, and what its player draws next."""
        for which, (kind, tile) in enumerate(uses[number][:-1]):
            self.announce(player, kind, tile)
            if self.discards:
                self.tell(("cantPlay", {"player_id": self.number(PLAYERS[player]), "tile_id": self.number(tile)}))
            self.draw(uses, number, player, which + 1)
        kind, x, y, ori, pos = turn["bga"]
        tile = uses[number][-1][1]
        self.announce(player, kind, tile)
        self.ids[y, x] = tile
        args = {"player_id": PLAYERS[player], "player_name": f"name {player}", "id": tile, "type": kind}
        args |= {"x": x, "y": y, "ori": ori}
        self.tell(("playTile", {name: self.number(value) for name, value in args.items()}), ("deck_size", {"n": 1}))
        if "spots" in turn:
            letter = TILES[kind - 1]
            spots = [{"tile": tile, "pos": self.number(POSITIONS[letter].index(s) + 1)} for s in turn["spots"].split()]
            self.tell(("gameStateChange", {"id": 3, "active_player": PLAYERS[player], "args": {"spots": spots}}))
        if pos is not None:
            args = {"player_id": PLAYERS[player], "id": self.number(tile), "pos": self.number(pos), "target": "?"}
            self.tell(("playPartisan", args))
        for paid in turn.get("paid", ()):
            self.pay(paid)
        self.draw(uses, number + 2, player)

    def announce(self, player: int, kind: int, tile: int):
        """The state in which a player is to place a tile."""
        args = {"tile_type": self.number(kind), "tile_id": self.number(tile)}
        self.tell(("gameStateChange", {"id": self.number(2), "active_player": PLAYERS[player], "args": args}))

    def pay(self, paid: list):
        """What an area pays, tile by tile, and the scores after it."""
        feature, tiles, points = paid
        winners = [player for player in (0, 1) if points[player]]
        args = {
            "real_type": REAL_TYPES[feature],
            "tile_to_value": {str(self.ids[row, column]): self.number(value) for row, column, value in tiles},
            "winners": [self.number(int(PLAYERS[player])) for player in winners],
        }
        won = []
        for player in winners:
            self.scores[player] += points[player]
            score = {"points": self.number(points[player]), "score": self.number(self.scores[player])}
            won.append(("winPoints", {"player_id": self.number(int(PLAYERS[player]))} | score))
        self.tell(("realizationAchieved", args), *won)


def write_archive(game: dict, **options) -> dict:
    """The archive of a game; `options` are those of `ArchiveWriter`."""
    return ArchiveWriter(game, **options).write()


def flatten(archive: dict) -> list[dict]:
    """The same moves as a flat list, without places for followers, points and discards."""
    names = {"type": "tile_type", "id": "tile_id", "ori": "orientation", "pos": "position"}
    moves = []
    for packet in archive["data"]["data"]:
        for event in packet["data"]:
            if event["type"] in ("playTile", "playPartisan", "pickTile"):
                args = {names.get(name, name): value for name, value in event["args"].items()}
                if event["type"] == "pickTile":
                    args["player_id"] = packet["channel"].removeprefix("/player/p")
                moves.append({"seq": len(moves) + 1, "type": event["type"]} | args)
    return moves
