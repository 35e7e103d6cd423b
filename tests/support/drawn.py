"""Drawn positions: short scripted games in which one rule can be seen, played by both engines side by side.

NOTATION
    A script has a turn a line: whose turn it is, then its steps, parted by a comma and a space.

        0: Z17 at 2,0 turned 1, herald on r1
        1: Z02 at 0,3, nobody, house at 2,3 h1 with token 2, extra turn

    Z17 at 2,0 turned 1             the tile drawn, the space (row, column from the north-west), clockwise quarter turns
    herald on r1                    who is sent to which segment of that tile
    prince on r1, falconer on r1    the same, for the special pieces of Sokół
    nobody                          nobody is sent, though somebody could be; may be left out: a turn that says nothing
                                    of followers sends nobody, asked or not
    house at 2,3 h1 with token 2    which area is scored next (any of its segments names it), with which token, if any
    extra turn, no extra turn       whether a token of kind 1 is used
    ...                             as the last step: the turn is left open, the next line goes on with it

    A step that is not asked for, or does not fit what is asked, is an error, and so is a turn left open without `...`.
Positions on the open table of Carcassonne are drawn in `drawn_table.py`.

THE WALL, with the start spaces and what they show

          0 1 2 3 4 5 6 7 8 9
                B                       A  meadow, road, meadow    west of 2,0
      0     # # # #     C               B  meadow with a shrine    north of 0,3
      1   # # # # # # # # #             C  meadow, road, house     north of 1,7, from west to east
      2 A # # # # # # # # #             D  pigsty                  east of 3,9
      3       # # # # # # # # D         E  pigsty, road, meadow    east of 8,9, from north to south
      4       # # # # # # # #           F  house                   south of 9,4
      5       # # # # # # # #           G  meadow, road, house     west of 6,2, from north to south
      6     G # # # # # # # #
      7       # # # # # # # #
      8       # # # # # # # # E
      9         # # # # # #
                  F

THE WALL of Sokół: column 6 and row 5 are inserted, what lies beyond has moved by one

          0 1 2 3 4 5 6 7 8 9 10
                B                       gate 27  meadow, road, meadow    north of 1,6
      0     # # # #  27 C               gate 69  house, road, pigsty     south of 10,6, from west to east
      1   # # # # # # # # # #
      2 A # # # # # # # # # #           C  north of 1,8
      3       # # # # # # # # # D       D  east of 3,10
      4       # # # # # # # # #
      5       # # # # # # # # #
      6       # # # # # # # # #
      7     G # # # # # # # # #         G  west of 7,2
      8       # # # # # # # # #
      9       # # # # # # # # # E       E  east of 9,10
     10         # # # # # # #
                  F    69               F  south of 10,4
"""

import re
from typing import ClassVar

import pytest

from tests.support.deals import deal_tiles, deal_tokens
from tests.support.lockstep import compare, find_once, list_cells, twin_of
from zamek_env import Game, IllegalActionError
from zamek_env.core import log
from zamek_env.ruleset import get_ruleset

_LINE = re.compile(r"([0-4]): (.+)")
_PLACE = re.compile(r"([A-Z]\d*) at (-?\d+),(-?\d+)(?: turned ([123]))?")
_SEND = re.compile(r"([a-z]+) on ([a-z]\d)")
_SCORE = re.compile(r"(house|pigsty|road|chapel) at (\d+),(\d+) ([hprc]\d)(?: with token ([23]))?")
_EXTRA = re.compile(r"(no )?extra turn")


class Drawn:
    """A game of the packaged components that was set up to show something, and its twin in the reference engine.

    Args:
        tiles: ids of the tiles in the order of drawing; all others follow them.
        towers: {first field of a tower: kind of the token on it}; the other tokens lie anywhere.
        held: kinds of the tokens that player 0 and player 1 hold already, each gone from some tower not in `towers`.
        only: whether all tiles but `tiles` have left the game before its first turn.
        ruleset: the name of its ruleset.
        seats: how many `players` there are, and the house `rules`.

    What `held`, `only` and `set_earlier` say did not happen: it is written into the state, in place of a long game.
    """

    roles: ClassVar = {"squire": "h", "farmer": "p", "herald": "r", "monk": "m", "preacher": "c"}  # (rules Z13, S3)
    special_pieces = ("prince", "falconer")
    features: ClassVar = {"h": "house", "p": "pigsty", "r": "road", "c": "chapel"}  # that can be completed

    def __init__(self, tiles, towers=None, held=((), ()), only=False, ruleset="zamek", **seats):
        ruleset = get_ruleset(ruleset, **seats)
        named = tiles.split()
        deck, rest = deal_tiles(ruleset, named)
        kinds, taken = deal_tokens(ruleset, towers or {}, held)
        self.game = Game.from_deal(ruleset, deck + rest, kinds)
        self.twin = twin_of(self.game, deck if only else deck + rest)
        self.scored = []  # (player, feature, tiles, points) of every area scored so far
        self.took = []  # (player, kind, score) of every token taken from a tower so far
        self.took_nests = []  # (player, feature, nests) of every area scored so far that brought nests
        if only:
            self._discard(rest)
        find_once(self.twin.table)
        for player, field, kind in taken:
            self._hand_over(player, field, kind)
        self.decisions = compare(self.game, self.twin)

    def _discard(self, rest):
        state = self.game.raw_states[0]
        state["deck"][:] = rest + state["deck"][: len(state["deck"]) - len(rest)].tolist()
        state["drawn"] += len(rest)
        self.twin.discarded += [self.game.ruleset.tile(number).id for number in rest]

    def _hand_over(self, player, field, kind):
        state = self.game.raw_states[0]
        towers = [fields[0] for fields in self.game.ruleset.components.board.token_towers]
        state["tower_taken"][towers.index(field)] = 1
        state["tokens"][player, kind] += 1
        assert self.twin.tower_tokens.pop(field) == kind
        self.twin.tokens_usable[player][kind] = self.twin.tokens_usable[player].get(kind, 0) + 1

    def set_earlier(self, **earlier):
        """Pretend that so many points, such family houses and nests were scored before, and markers halted at a gate.

        Each of `scores`, `family_houses`, `nests` and `at_gate` may be given, for both players. Returns this position.
        """
        fields = {"scores": "score", "family_houses": "family_house", "nests": "nests", "at_gate": "at_gate"}
        for name, given in earlier.items():
            self.game.raw_states[0][fields[name]][:] = given
            setattr(self.twin, name, list(given))
        self.decisions = compare(self.game, self.twin)
        return self

    # --- playing ---

    def play(self, script):
        """Play the turns of `script`, comparing both engines at every decision; return this position."""
        for line in script.strip().splitlines():
            self._play_line(line.strip())
        return self

    def _play_line(self, line):
        read = _LINE.fullmatch(line)
        assert read, f"{line!r} is no turn"
        assert self.game.current_player == int(read[1]), f"{line!r}: it is player {self.game.current_player}'s turn"
        steps, turns = read[2].split(", "), len(self.twin.turns)
        left_open = steps[-1] == "..."
        for step in steps[:-1] if left_open else steps:
            assert len(self.twin.turns) == turns, f"{line!r}: the turn is over before {step!r}"
            self._take_step(step)
        if not left_open:
            if self.game.phase == "send" and len(self.twin.turns) == turns:
                self._take_step("nobody")
            assert len(self.twin.turns) > turns, f"{line!r} leaves open {self.game.phase!r}: {self.options()}"

    def _take_step(self, step):
        decision = self.read_step(step)
        if self.game.phase == "send" and decision[0] != "send":
            self._take_step("nobody")
        assert decision in self.decisions, f"{step!r} is not legal, but {self.options()}"
        turn = self.twin.turn
        known = len(turn["scored"])
        self.game.step(self.decisions[decision])
        self.twin.play(decision)
        self._note_events(turn["scored"][known:])
        self.decisions = compare(self.game, self.twin)

    def _note_events(self, due):
        """Take down what the last step scored, and check it against the reference engine's entries `due`."""
        columns = (
            log.LOGGED_PLAYER,
            log.LOGGED_TILES,
            log.LOGGED_POINTS,
            log.LOGGED_TOKEN,
            log.LOGGED_SCORE,
            log.LOGGED_TOOK,
            log.LOGGED_NESTS,
        )
        rows = [row for row in self.game.last_events.tolist() if row[log.LOGGED_EVENT] == log.SCORED]
        fields = ("player", "tiles", "points", "token", "score", "took", "nests")
        found = [[row[column] for column in columns] for row in rows]
        theirs = [[entry[field] or 0 for field in fields] for entry in due]
        assert self._without_order(found) == self._without_order(theirs)
        for row in rows:
            feature = self.game.ruleset.segment_of_node(row[log.LOGGED_SUBJECT]).feature
            self.scored.append((row[log.LOGGED_PLAYER], feature, row[log.LOGGED_TILES], row[log.LOGGED_POINTS]))
            if row[log.LOGGED_TOOK]:
                self.took.append((row[log.LOGGED_PLAYER], row[log.LOGGED_TOOK], row[log.LOGGED_SCORE]))
            if row[log.LOGGED_NESTS]:
                self.took_nests.append((row[log.LOGGED_PLAYER], feature, row[log.LOGGED_NESTS]))

    def _without_order(self, entries):
        """Return the entries of the areas that were scored, without their order where nothing depends on it."""
        return entries

    # --- reading steps ---

    def read_step(self, step):
        """Return what `step` decides, legal or not, in the words of the reference engine."""
        if step == "nobody":
            return "send", None
        if read := _PLACE.fullmatch(step):
            assert read[1] == self.twin.tile, f"{step!r}: the tile drawn is {self.twin.tile}"
            return "place", (int(read[2]), int(read[3])), int(read[4] or 0)
        read = _SEND.fullmatch(step)
        if read and read[1] in (*self.roles, *self.special_pieces):
            letter = self.roles.get(read[1])
            assert letter in (None, read[2][0]), f"{step!r}: a {read[1]} stands on {letter}"
            return "send", read[2], "follower" if letter else read[1]
        if read := _SCORE.fullmatch(step):
            assert read[4][0] == read[1][0], f"{step!r}: {read[4]} is no {read[1]}"
            segments = self.area((int(read[2]), int(read[3])), read[4]).segments
            return "score", segments, int(read[5]) if read[5] else None
        if read := _EXTRA.fullmatch(step):
            return "extra turn", read[1] is None
        raise AssertionError(f"{step!r} is no step")

    def why_illegal(self, step):
        """Return how the game refuses `step`, which the reference engine must hold for illegal as well."""
        decision = self.read_step(step)
        assert decision not in self.twin.decisions(), f"{step!r} is legal"
        with pytest.raises(IllegalActionError) as refused:
            self.game.step(self._number(decision))
        compare(self.game, self.twin)
        return str(refused.value)

    def _number(self, decision):
        """Return the action number of `decision`, legal or not."""
        actions, ruleset = self.game.ruleset.actions, self.game.ruleset
        if decision[0] == "place":
            return actions.place(list_cells(self.game).index(decision[1]), decision[2])
        if decision[0] == "send":
            if decision[1] is None:
                return actions.send(None)
            names = [segment.name for segment in self._tile().segments]
            pieces = [piece.name for piece in ruleset.components.pieces]
            return actions.send(names.index(decision[1]), pieces.index(decision[2]))
        if decision[0] == "score":
            return self.decisions[(*decision[:2], None)] + (decision[2] is not None)
        return actions.extra_turn(decision[1])

    def _tile(self):
        state = self.game.raw_states[0]
        return self.game.ruleset.tile(int(state["deck"][state["drawn"] - 1]))

    # --- looking ---

    @property
    def table(self):
        """What lies on the table, a `Position`."""
        return self.game.position()

    @property
    def paid(self):
        """{(player, reason): points} of the end scoring."""
        entries = self.twin.end_entries()
        reasons = {log.AREAS_PAID: "", log.HOUSE_PAID: "family house", log.NESTS_PAID: "nests", log.TOKEN_PAID: "token"}
        rows = [row for row in self.game.last_events.tolist() if row[log.LOGGED_EVENT] in reasons]
        paid = {}
        for row in rows:
            reason = reasons[row[log.LOGGED_EVENT]]
            if row[log.LOGGED_EVENT] == log.TOKEN_PAID:
                reason = f"token {row[log.LOGGED_SUBJECT]}"
            if row[log.LOGGED_EVENT] == log.AREAS_PAID:
                feature = self.game.ruleset.components.features[row[log.LOGGED_SUBJECT]]
                reason = f"unfinished {feature.name}" if feature.completes else feature.name
            paid[row[log.LOGGED_PLAYER], reason] = row[log.LOGGED_POINTS]
        assert paid == {(entry["player"], entry["reason"]): entry["points"] for entry in entries}
        return paid

    def area(self, location, name):
        """Return the `Area` of a segment; `location` is (row, column) or the id of a start space."""
        return next(area for area in self.game.areas() if (location, name) in area.segments)

    def options(self):
        """Return the legal steps as a sorted list, in the notation of a script."""
        return sorted(self._write_step(decision) for decision in self.decisions)

    def _write_step(self, decision):
        if decision[0] == "place":
            (row, column), rotation = decision[1:]
            return f"{self.twin.tile} at {row},{column}" + (f" turned {rotation}" if rotation else "")
        if decision == ("send", None):
            return "nobody"
        if decision[0] == "send":
            roles = {letter: role for role, letter in self.roles.items()}
            return f"{roles[decision[1][0]] if decision[2] == 'follower' else decision[2]} on {decision[1]}"
        if decision[0] == "score":
            (row, column), name = min(segment for segment in decision[1] if not isinstance(segment[0], str))
            text = f"{self.features[name[0]]} at {row},{column} {name}"
            return text + (f" with token {decision[2]}" if decision[2] else "")
        return "extra turn" if decision[1] else "no extra turn"

    def placements(self):
        """Return {(row, column): rotations} of the legal placements."""
        found = {}
        for kind, cell, rotation in self.decisions:
            assert kind == "place"
            found.setdefault(cell, set()).add(rotation)
        return found
