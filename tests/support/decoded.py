"""Reads observations back into the words of the rules."""

from collections import Counter

import numpy as np

from zamek_env.layout.observation import AREA_COLUMNS, special_columns

SIDES = ("my", "their")


class Decoded:
    """What an observation says, read by the name tables of a ruleset and nothing else."""

    def __init__(self, ruleset, observation, observer):
        self.ruleset = ruleset
        self.planes = observation["planes"].astype(int)
        self.vector = observation["vector"].astype(float)
        self.players = (observer, 1 - observer)  # in the order my, their
        self.kinds = ruleset.components.kinds
        board = ruleset.components.board
        self.corner = (0, 0) if board.starts else (-(board.window // 2),) * 2  # the cell that the first square shows

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

    def in_seats(self, mine, theirs):
        """Return what belongs to me and to them in the order of the players."""
        return (mine, theirs) if self.players[0] == 0 else (theirs, mine)

    @property
    def phase(self):
        return next(name for name, given in self.values("phase").items() if given)

    @property
    def player(self):
        return self.players[0] if self.values("my_decision") else self.players[1]

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
        for cell in {*self._where("my_follower"), *self._where("their_follower")}:
            segments = self.kinds[self.plane("tile", cell)[0] - 1].segments
            for side, player in zip(SIDES, self.players, strict=True):
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
        held = [self.values(f"{side}_special") for side in SIDES]
        return self.in_seats(*(tuple(name for name, given in side.items() if given) for side in held))

    @property
    def nests(self):
        """The nests of player 0 and 1, and those in the pool."""
        values = self.values("nests") or {"my": 0, "their": 0, "pool": 0}
        return (*self.in_seats(values["my"], values["their"]), values["pool"])

    @property
    def at_gate(self):
        return tuple(map(bool, self.pair("at_gate")))

    def pair(self, group):
        """Return a value of player 0 and 1; 0 for both where the ruleset has no such group."""
        values = self.values(group) or {"my": 0, "their": 0}
        return self.in_seats(values["my"], values["their"])

    def tokens(self, group):
        held = [{int(kind): count for kind, count in self.values(f"{side}_{group}").items() if count} for side in SIDES]
        return self.in_seats(*held)

    def area(self, group):
        """Return (feature, worth, open ports, my followers, theirs, …) of an area group, None where it is not there.

        The last are the columns that only some rulesets have.
        """
        values, special = self.values(group), special_columns(self.ruleset.components)
        if not values:
            return None
        feature = [name for name in values if name not in (*AREA_COLUMNS, *special) and values[name]]
        if not values["present"]:
            assert not any(values.values())
            return None
        (name,) = feature
        return (name, *(values[column] for column in (*AREA_COLUMNS[1:], *special)))
