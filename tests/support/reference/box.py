"""The data files of a ruleset, read: board and tiles in force, and the rules in which rulesets differ."""

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[3] / "zamek_env" / "data"


@dataclass(frozen=True)
class Rules:
    """The few things in which the castle's rulesets differ besides wall and tiles; as it stands, the base game."""

    name: str = "zamek"
    special_pieces: tuple[str, ...] = ()  # what each player has one of, beside the followers (S2)
    nests: int = 0  # in the pool at the start (S2)
    halting_gates: bool = False  # whether a marker stops at the gates of the wall (S12)

    players = 2  # Z3
    orders_scoring = True  # the order of the areas matters, and a player chooses it (Z19)

    @property
    def head(self) -> dict:
        """How a record says which ruleset it is of."""
        return {"ruleset": self.name}

    @property
    def end_reasons(self) -> set[str]:
        """What the end scoring pays for (Z24, Z27 to Z29, S11)."""
        tokens = {f"token {kind}" for kind in (4, 6, 7, 8, 9)}
        return {"meadow", "family house"} | tokens | ({"nests"} if self.nests else set())


@dataclass(frozen=True)
class HouseRules:
    """What the people at a table may agree on; by default none of it."""

    draw_ahead: bool = False  # H1
    hand: str | None = None  # "open" or "hidden" (H2)
    back_into_bag: bool = False  # H3
    start_in_bag: bool = False  # H4
    hole_plays_again: bool = False  # H5
    unfinished_pays_nothing: bool = False  # H6
    table: tuple[int, int] | None = None  # its rows and columns (H7)
    edges_complete: bool = False  # H8
    small_city: bool = False  # H9

    @property
    def switched_on(self) -> dict:
        """What differs from a game without house rules, as a record says it."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if name == "table" else value for name, value in given.items() if value}


@dataclass(frozen=True)
class CarcassonneRules:
    """The few things in which the rulesets of Carcassonne differ besides the tiles."""

    name: str
    followers: int  # of each player (C2)
    farmers: bool  # whether followers may lie on fields (C8)
    players: int = 2  # C10, C12
    house: HouseRules = HouseRules()
    own_house: HouseRules = HouseRules()  # what the file of the ruleset says of them

    special_pieces = ()
    orders_scoring = False  # nothing depends on it (C5)

    @property
    def head(self) -> dict:
        """How a record says what is played: of two there is the same with farmers and without (C9)."""
        without = self.name.removesuffix("-no-farmers")
        own = self.own_house.switched_on
        agreed = {name: value for name, value in self.house.switched_on.items() if own.get(name) != value}
        head = {"ruleset": without} | ({"farmers": False} if without != self.name else {})
        return head | ({"rules": agreed} if agreed else {})

    @property
    def end_reasons(self) -> set[str]:
        """What the end scoring pays for (C6, C8, H6)."""
        unfinished = {f"unfinished {feature}" for feature in ("road", "city", "monastery")}
        return (set() if self.house.unfinished_pays_nothing else unfinished) | ({"field"} if self.farmers else set())


CARCASSONNE = (  # C2, C8
    CarcassonneRules("carcassonne-demo", followers=5, farmers=False),
    CarcassonneRules("carcassonne", followers=7, farmers=True),
    CarcassonneRules("carcassonne-no-farmers", followers=7, farmers=False),
)


class Box(NamedTuple):
    """All that a game of one ruleset is played with."""

    board: dict  # the wall, or which tile is the start tile of an open table
    tiles: dict
    rules: Rules | CarcassonneRules

    @property
    def drawn(self) -> list[str]:
        """The tiles that are drawn, each by its name: the start tile is among them where it lies in the bag (H4)."""
        in_bag = isinstance(self.rules, CarcassonneRules) and self.rules.house.start_in_bag
        return [tile["id"] for tile in [*self.tiles["tiles"], *([self.board["start"]] if in_bag else [])]]

    def seat(self, players: int = 2, **house) -> "Box":
        """The same for so many players with these house rules, in place of those that they name (C10, C12)."""
        given = {name: tuple(value) if name == "table" and value else value for name, value in house.items()}
        return self._replace(rules=replace(self.rules, players=players, house=replace(self.rules.house, **given)))


ZAMEK = Rules()


def read_box(ruleset: str, folder: Path = DATA) -> Box:
    """Board, tiles and rules of one ruleset; what is not in the folder is packaged."""
    says = read_ruleset(f"{ruleset}.json", folder)
    return read_carcassonne(says, folder) if "table" in says else read_castle(says, folder)


def read_carcassonne(says: dict, folder: Path) -> Box:
    """The start tile, every other tile, as often as there is one, and the rules (C1)."""
    faces = {tile["id"]: tile for name in says["tiles"] for tile in read(name, folder)["tiles"]}
    start = says["table"]["start"]
    copies = [faces[letter] for letter, count in says["copies"].items() for _ in range(count - (letter == start))]
    known = {rules.name: rules for rules in CARCASSONNE}
    own = CarcassonneRules(says["name"], says["followers"], says["farmers"])
    rules = known.get(says["name"], own)
    box = Box(board={"start": faces[start]}, tiles={"tiles": copies}, rules=rules).seat(**says.get("rules", {}))
    return box._replace(rules=replace(box.rules, own_house=box.rules.house))


def read_castle(says: dict, folder: Path) -> Box:
    """The wall, widened where the ruleset says so, tiles and rules."""
    wall = read(says["wall"], folder)
    return Box(
        board=widen(wall) if says.get("widened", False) else wall,
        tiles={"tiles": [tile for name in says["tiles"] for tile in read(name, folder)["tiles"]]},
        rules=Rules(
            name=says["name"],
            special_pieces=tuple(says.get("pieces", [])),
            nests=says.get("nests", 0),
            halting_gates=says.get("halting_gates", False),
        ),
    )


def read(name: str, folder: Path) -> dict:
    """One data file, the packaged one where the folder has none of that name."""
    own = folder / name
    return json.loads((own if own.exists() else DATA / name).read_text(encoding="utf-8"))


def read_ruleset(name: str, folder: Path) -> dict:
    """A ruleset file; where it extends another, its lists continue those of that file and all else replaces."""
    says = read(name, folder)
    if "extends" not in says:
        return says
    extended = read_ruleset(says.pop("extends"), folder)
    lists = {key: extended[key] + value for key, value in says.items() if isinstance(extended.get(key), list)}
    return extended | says | lists


def widen(wall: dict) -> dict:
    """The wall with the four gates put in: one column more, then one row more, and the start spaces of the gates (S1).

    A space of the new column or row is inside where both its neighbours are. Start spaces beyond it move by one.
    """
    column = next(gate["column"] for gate in wall["gates"] if gate["side"] == "N")
    row = next(gate["row"] for gate in wall["gates"] if gate["side"] == "W")
    rows = [line[:column] + between(line[column - 1], line[column]) + line[column:] for line in wall["interior"]]
    new_row = "".join(between(above, below) for above, below in zip(rows[row - 1], rows[row], strict=True))
    rows.insert(row, new_row)
    starts = [
        start
        | {"cell": [start["cell"][0] + (start["cell"][0] >= row), start["cell"][1] + (start["cell"][1] >= column)]}
        for start in wall["starts"]
    ]
    inside = [number for number, line in enumerate(rows) if line[column] == "#"]
    for gate in wall["gates"]:
        if "start" in gate:  # a space of the new column: the northern gate touches its first, the southern its last
            cell = [inside[0] if gate["side"] == "N" else inside[-1], column]
            starts.append(
                {"id": f"gate {gate['between'][0]}", "cell": cell, "side": gate["side"], "face": gate["start"]}
            )
    return wall | {"interior": rows, "starts": starts}


def between(one: str, other: str) -> str:
    """What lies between two spaces that are moved apart."""
    return "#" if one == other == "#" else "."
