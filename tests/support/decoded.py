"""Reads observations back into the words of the rules."""

from collections import Counter

import numpy as np

from zamek_env.layout.observation import AREA_COLUMNS, special_columns


def list_sides(players):
    """Return what the names of groups begin with, by player from the observer on."""
    return ("my", "their")[:players] if players < 3 else ("my", *(f"their_{number}" for number in range(1, players)))


class Decoded:
    """What an observation says, read by the name tables of a ruleset and nothing else."""

    def __init__(self, ruleset, observation, observer):
        self.ruleset = ruleset
        self.planes = observation["planes"].astype(int)
        self.vector = observation["vector"].astype(float)
        self.sides = list_sides(ruleset.players)
        self.players = tuple((observer + seat) % ruleset.players for seat in range(ruleset.players))
        self.kinds = ruleset.components.kinds
        board = ruleset.components.board
        # the cell that the first square shows
        self.corner = (0, 0) if board.starts else tuple(-(size // 2) for size in board.shape)

    def values(self, group):
        """Return the values of a group of vector entries, by the labels of its items, or the single one.

        There are none where the ruleset has no such group.
        """
        if group not in self.ruleset.vector:
            return {}
        layout = self.ruleset.vector
        where = layout[group]
        values = np.round(self.vector[where] / layout.scale[where]).astype(int).tolist()
        labels = [name.partition(".")[2] for name in layout.names[where]]
        return dict(zip(labels, values, strict=True)) if labels != [""] else values[0]

    def plane(self, group, cell):
        """Return the values of a group of planes at a cell."""
        square = (cell[0] - self.corner[0], cell[1] - self.corner[1])
        return self.planes[square][self.ruleset.planes[group]].tolist()

    def in_seats(self, *held):
        """Return what belongs to me and to them in the order of the players."""
        return tuple(held[self.players.index(player)] for player in range(len(self.players)))

    @property
    def phase(self):
        return next(name for name, given in self.values("phase").items() if given)

    @property
    def player(self):
        """Who is to decide: of two players it is known, of more whether it is the observer; None for another."""
        if self.values("my_decision"):
            return self.players[0]
        return self.players[1] if len(self.players) == 2 else None

    @property
    def tile(self):
        return next((name for name, given in self.values("tile").items() if given), None)

    @property
    def remaining(self):
        return Counter({name: count for name, count in self.values("remaining").items() if count})

    @property
    def cells(self):
        return self._where("space")

    def _where(self, group):
        """Return the cells at which the first plane of a group is not 0."""
        squares = np.argwhere(self.planes[:, :, self.ruleset.planes[group].start])
        return [(row + self.corner[0], column + self.corner[1]) for row, column in squares.tolist()]

    @property
    def board(self):
        return {
            cell: (self.kinds[self.plane("tile", cell)[0] - 1].id, self.plane("rotation", cell)[0])
            for cell in self._where("tile")
        }

    @property
    def cell(self):
        return next(iter(self._where("current")), None)

    @property
    def followers(self):
        standing = []
        for cell in {cell for side in self.sides for cell in self._where(f"{side}_follower")}:
            segments = self.kinds[self.plane("tile", cell)[0] - 1].segments
            for side, player in zip(self.sides, self.players, strict=True):
                number = self.plane(f"{side}_follower", cell)[0]
                if number:
                    standing.append((player, cell, segments[number - 1].name, self._piece(side, cell)))
        return tuple(sorted(standing))

    def _piece(self, side, cell):
        special = [piece.name for piece in self.ruleset.components.special_pieces]
        given = self.plane(f"{side}_special", cell) if special else []
        return next((name for name, stands in zip(special, given, strict=True) if stands), "follower")

    @property
    def pieces(self):
        """The special pieces in supply, by player."""
        held = [self.values(f"{side}_special") for side in self.sides]
        return self.in_seats(*(tuple(name for name, given in side.items() if given) for side in held))

    @property
    def nests(self):
        """The nests of player 0 and 1, and those in the pool."""
        values = self.values("nests") or dict.fromkeys((*self.sides, "pool"), 0)
        return (*self.in_seats(*(values[side] for side in self.sides)), values["pool"])

    @property
    def at_gate(self):
        return tuple(map(bool, self.each("at_gate")))

    @property
    def hands(self):
        """What lies in the slots of each player's hand, None for nothing and for what is not shown."""
        size = self.ruleset.sizes.hand_size
        return self.in_seats(*(tuple(self._held(f"{side}_hand_{slot}") for slot in range(size)) for side in self.sides))

    def _held(self, group):
        return next((name for name, given in (self.values(group) or {}).items() if given), None)

    def each(self, group):
        """Return a value of each player; 0 for all where the ruleset has no such group."""
        values = self.values(group) or dict.fromkeys(self.sides, 0)
        return self.in_seats(*(values[side] for side in self.sides))

    def tokens(self, group):
        values = (self.values(f"{side}_{group}") for side in self.sides)
        held = [{int(kind): count for kind, count in of_side.items() if count} for of_side in values]
        return self.in_seats(*held)

    def area(self, group):
        """Return (feature, worth, open ports, my followers, theirs, …) of an area group, None where it is not there.

        The last are the columns that only some rulesets have.
        """
        values, special = self.values(group), special_columns(self.ruleset.components)
        if not values:
            return None
        columns = (*AREA_COLUMNS, *(f"{side}_followers" for side in self.sides))
        feature = [name for name in values if name not in (*columns, *special) and values[name]]
        if not values["present"]:
            assert not any(values.values())
            return None
        (name,) = feature
        return (name, *(values[column] for column in (*columns[1:], *special)))
