"""Check game records (`zamek-record/1`) by the rules alone: replayed on the reference engine, every field compared.

A record that disagrees with the format or the rules raises an `AssertionError` whose sentence names the place, such as
`turns[17].scored[0].points is 8, but the rules give 6`. Turns and entries are counted from 0, as they stand in the
file.

Where the format leaves a choice: `seed` may be null; a finished game may say `"finished": true`; `cell` and `rotation`
of a last turn without a placement may be null or missing; the `scores` of a broken-off game are those after its last
turn; the areas of a turn may stand in any order where the rules leave it open (Carcassonne), and `at` may name any
placed tile of an area; `actions` may be missing, and must else be those of the turns.
"""

from collections import Counter
from urllib.parse import unquote

from tests.support.record_form import (
    END,
    END_OF_AREA,
    SCORED,
    check_fields,
    check_head,
    check_list,
    check_player,
    check_turn_structure,
    require,
)
from tests.support.reference import (
    ZAMEK,
    Area,
    Box,
    CarcassonneRules,
    HouseRules,
    Land,
    ReferenceCarcassonne,
    ReferenceGame,
    Rules,
    new_game,
    scores_after,
)
from tests.support.told_game import ToldGame

AnyGame = ReferenceGame | ReferenceCarcassonne


def check_record(record: dict, board: dict, tiles: dict, rules: Rules | CarcassonneRules = ZAMEK) -> None:
    """Raise an `AssertionError` at the first disagreement of one record with the format or the rules.

    `board`, the one in force, and `tiles` are the parsed component data on which the game was played, `rules` what its
    ruleset says beside them; `tests.support.reference.read_box` reads all three.
    """
    is_finished = check_head(record, board, rules)
    for index, turn in enumerate(record["turns"]):
        check_turn_structure(turn, rules, f"turns[{index}]")
    game, actions = set_up(record, Box(board, tiles, rules), is_finished), Actions(record)
    for index, turn in enumerate(record["turns"]):
        if turn["tile"] is None:
            replay_empty_turn(game, index, turn)
        else:
            replay_turn(game, index, turn, actions)
    actions.check_end()
    check_result(record, game, is_finished)


class Actions:
    """The actions of a record, in notation, compared one after another with its turns."""

    def __init__(self, record: dict) -> None:
        self.are_told = "actions" in record
        self.texts = [unquote(text) for text in record.get("actions", [])]
        self.number = 0

    def next(self) -> str:
        """The action that comes next; no text where there is none."""
        return "".join(self.texts[self.number : self.number + 1])

    def compare(self, allowed: list[str], where: str) -> None:
        """Check that the next action is one of those allowed, if the record has actions."""
        if self.are_told:
            due = " or ".join(allowed)
            require(self.next() in allowed, f"actions[{self.number}] is {self.next()!r}, but {where} has {due}")
            self.number += 1

    def check_end(self) -> None:
        """Check that there is no action more than the turns have."""
        count = len(self.texts)
        require(count == self.number, f"actions has {count} entries, but the turns have {self.number} decisions")


def set_up(record: dict, box: Box, is_finished: bool) -> AnyGame:
    """The game at its beginning, with tiles and tokens where the record says that they are or come."""
    starts = [record["start"]] if "start" in record else []
    drawn = check_draws(record["turns"], box, is_finished, starts)
    if isinstance(box.rules, CarcassonneRules):
        return ToldGame(box, record["turns"], record.get("start"), is_finished)
    undrawn = list((Counter(box.drawn) - Counter(drawn)).elements())
    return new_game(box, drawn + undrawn, {int(field): kind for field, kind in record["tokens"].items()})


def check_draws(turns: list[dict], box: Box, is_finished: bool, starts: list[str]) -> list[str]:
    """Check that no tile is drawn more often than there is one, and that the game ends with the last (Z11, Z26, C1).

    `starts` holds the tile that is laid in the middle where that is drawn (H4). Returns the order drawn.
    """
    tile_ids = box.drawn
    require(set(starts) <= set(tile_ids), f"start is {starts}, which is no tile of the game")
    drawn, left = list(starts), Counter(tile_ids) - Counter(starts)
    house = getattr(box.rules, "house", HouseRules())
    for index, turn in enumerate(turns):
        for tile in turn.get("put_back", []):
            require(left[tile] > 0, f"turns[{index}] puts back {tile!r}, which is not there")
        for tile in turn["discarded"] + [turn["tile"]] * (turn["tile"] is not None):
            require(tile in tile_ids, f"turns[{index}] draws {tile!r}, which is no tile of the game")
            require(left[tile] > 0, f"turns[{index}] draws {tile}, which was drawn before")
            left[tile] -= 1
            drawn.append(tile)
        holds_tiles = house.draw_ahead or house.hand
        require(
            turn["tile"] is not None or len(drawn) == len(tile_ids) or holds_tiles,
            f"turns[{index}].tile is null, but there were tiles left to draw",
        )
        require(
            len(drawn) < len(tile_ids) or index == len(turns) - 1,
            f"turns[{index + 1}] follows, but the last tile was drawn in the turn before it",
        )
    undrawn = len(tile_ids) - len(drawn)
    require(
        not is_finished or undrawn == 0 or house.back_into_bag,
        f"the game is called finished, but {undrawn} of its tiles were not drawn",
    )
    require(is_finished or undrawn > 0, "the game is called broken off, but its last tile was drawn")
    return drawn


def check_equal(given, expected, where: str) -> None:
    """Check one field against the replay."""
    require(given == expected, f"{where} is {given!r}, but the rules give {expected!r}")


def check_discards(game: AnyGame, turn: dict, where: str) -> None:
    """Check that each tile that was discarded, or went back into the bag, really fitted nowhere (Z11, H3)."""
    for key in ("discarded", "put_back"):
        for number, tile in enumerate(turn.get(key, [])):
            require(not game.table.placements(tile), f"{where}.{key}[{number}]: {tile} could have been placed")


def replay_empty_turn(game: AnyGame, index: int, turn: dict) -> None:
    """Compare a last turn without a placement; the engine has gone through it by itself (Z11)."""
    check_discards(game, turn, f"turns[{index}]")
    due = game.turns[index] if index < len(game.turns) else game.turn
    check_equal(turn["player"], due["player"], f"turns[{index}].player")
    require(index < len(game.turns), f"turns[{index}].tile is null, but there were tiles left to draw")
    check_equal(turn["discarded"], due["discarded"], f"turns[{index}].discarded")


def replay_turn(game: AnyGame, index: int, turn: dict, actions: Actions) -> None:
    """Play one recorded turn and compare everything that followed from it."""
    where, tile, cell = f"turns[{index}]", turn["tile"], tuple(turn["cell"])
    check_discards(game, turn, where)
    require(game.table.placements(tile) != [], f"{where}.tile: {tile} fits nowhere, it should have been discarded")
    check_equal(turn["player"], game.player, f"{where}.player")
    require(
        game.table.fits(tile, cell, turn["rotation"]),
        f"{where}: {tile} may not be placed at {turn['cell']} with rotation {turn['rotation']}",
    )
    if game.phase == "choose":
        slots = [slot for kind, slot in game.decisions() if game.hands[game.player][slot] == tile]
        require(slots != [], f"{where}.tile: {tile} is not in the hand of player {game.player}")
        game.play(("choose", slots[0]))
    check_equal(tile, game.tile, f"{where}.tile")
    for key in ("discarded", "put_back"):
        check_equal(turn.get(key, []), game.turn.get(key, []), f"{where}.{key}")
    if actions.next().startswith("choose "):  # what others hold, and so whether there was a choice, is not known (H2)
        actions.compare([f"choose {tile}"], where)
    actions.compare([f"{tile}@{cell[0]},{cell[1]}{'NESW'[turn['rotation']]}"], where)
    game.play(("place", cell, turn["rotation"]))
    replay_follower(game, turn["follower"], where, actions)
    replay_scoring_choices(game, turn["scored"], where, actions)
    if game.phase == "extra turn":
        actions.compare(["extra" if turn["extra_turn"] else "end"], where)
        game.play(("extra turn", turn["extra_turn"]))
    else:
        require(not turn["extra_turn"], f"{where}.extra_turn is true, but no extra turn was possible")
    compare_scored(game, turn["scored"], game.turns[index]["scored"], where)


def replay_follower(game: AnyGame, follower: dict | None, where: str, actions: Actions) -> None:
    """Send the recorded follower, prince or falconer, or nobody (Z12, S4)."""
    decision = ("send", None) if follower is None else ("send", follower["segment"], follower["piece"])
    if game.phase == "send":
        sent = "nobody" if follower is None else f"{follower['piece']} to segment {follower['segment']!r}"
        require(decision in game.decisions(), f"{where}.follower: {sent} may not be sent")
        actions.compare(["-"] if follower is None else name_sent(actions.next(), follower, game), where)
        game.play(decision)
    else:
        require(follower is None, f"{where}.follower: there is no follower in supply or no free area on the tile")


def name_sent(text: str, follower: dict, game: AnyGame) -> list[str]:
    """Actions that send the recorded piece; a plain follower is called by its role, any word (Z13, C3)."""
    role = text.partition(" ")[0]
    is_plain = follower["piece"] == "follower" and role not in game.rules.special_pieces
    return [f"{role if is_plain else follower['piece']} {follower['segment']}"]


def replay_scoring_choices(game: AnyGame, scored: list[dict], where: str, actions: Actions) -> None:
    """Answer each scoring choice of the turn by the entry that stands at its place in the record (Z19)."""
    while game.phase == "score":
        number = len(game.turn["scored"])
        require(number < len(scored), f"{where}.scored has {number} entries, but more areas are to be scored")
        entry = scored[number]
        row, col, segment = entry["at"]
        fitting = [
            decision
            for decision in game.decisions()
            if ((row, col), segment) in decision[1] and decision[2] == entry["token"]
        ]
        require(
            fitting != [],
            f"{where}.scored[{number}]: the area at {entry['at']} may not be scored now with token {entry['token']}",
        )
        token = "" if entry["token"] is None else f" +token{entry['token']}"
        named = [(cell, name) for cell, name in fitting[0][1] if isinstance(cell, tuple)]
        actions.compare([f"score {cell[0]},{cell[1]}.{name}{token}" for cell, name in named], where)
        game.play(fitting[0])


def compare_scored(game: AnyGame, given: list[dict], expected: list[dict], where: str) -> None:
    """Compare the scored areas of a turn field by field; `at` may name any placed tile of the area."""
    expected = in_order_of(given, game, expected)
    require(len(given) == len(expected), f"{where}.scored has {len(given)} entries, but the rules give {len(expected)}")
    for number, (entry, right) in enumerate(zip(given, expected, strict=False)):
        for key in SCORED:
            if key == "at":
                area = area_at(game, right["at"])
                row, col, segment = entry["at"]
                require(
                    ((row, col), segment) in area.segments,
                    f"{where}.scored[{number}].at is {entry['at']}, which is not in the area of {right['at']}",
                )
            else:
                check_equal(entry[key], right[key], f"{where}.scored[{number}].{key}")


def in_order_of(given: list[dict], game: AnyGame, expected: list[dict]) -> list[dict]:
    """The expected entries in the order of those given, where the rules leave it open, with scores to match (C5)."""
    if game.rules.orders_scoring:
        return expected
    due, ordered, scores = list(expected), [], {}
    for right in expected:
        scores.setdefault(right["player"], right["score"] - right["points"])
    for entry in [*given, *expected]:
        row, col, segment = entry["at"]
        own = [right for right in due if right["player"] == entry["player"]]
        same = [right for right in own if ((row, col), segment) in area_at(game, right["at"]).segments]
        for right in (same or own)[:1]:
            due.remove(right)
            scores[right["player"]] += right["points"]
            ordered.append(right | {"score": scores[right["player"]]})
    return ordered


def area_at(game: AnyGame, at: list) -> Area | Land:
    """The area that holds a segment given as [row, column, segment name]."""
    row, col, segment = at
    return game.table.area_of((row, col), segment)


def check_result(record: dict, game: AnyGame, is_finished: bool) -> None:
    """Compare the end scoring, summed by player and reason, and the scores (Z27 to Z30)."""
    scores = scores_after(game.turns[: len(record["turns"])], game.rules.players)
    require(is_finished or game.phase != "over", "the game is called broken off, but nothing more can be laid")
    if is_finished:
        require(game.phase == "over", f"the game is called finished, but {game.tile or 'a tile'} can be laid")
        compare_end(record["end"], game)
        compare_areas_paid(record["end"], game)
        for entry in game.end_entries():
            scores[entry["player"]] += entry["points"]
    check_equal(record["scores"], scores, "scores")


def compare_end(given, game: AnyGame) -> None:
    """Compare two end scorings as sums by player and reason, of those that there are."""
    reasons = game.rules.end_reasons
    require(type(given) is list, f"end must be a list, not {given!r}")
    for number, entry in enumerate(given):
        check_fields(entry, END_OF_AREA if "at" in entry else END, f"end[{number}]")
        check_player(entry["player"], f"end[{number}].player", game.rules)
        require(entry["reason"] in reasons, f"end[{number}].reason is {entry['reason']!r}, no reason of this game")
        require(entry["points"] >= 0, f"end[{number}].points is negative")
    sums, right = sums_by_reason(given), sums_by_reason(game.end_entries())
    for player, reason in sorted(sums.keys() | right.keys()):
        check_equal(sums[player, reason], right[player, reason], f"end: the sum of player {player} for {reason!r}")


def compare_areas_paid(given: list[dict], game: AnyGame) -> None:
    """Compare the payments that name an area with what it pays: each area once, or in parts that add up (Z27, C6)."""
    paid = Counter()
    for number, entry in enumerate(given):
        if "at" not in entry:
            continue
        check_list(entry["at"], (int, int, str), f"end[{number}].at")
        row, col, segment = entry["at"]
        areas = [area for area in game.areas() if ((row, col), segment) in area.segments]
        require(areas != [], f"end[{number}].at is {entry['at']}, where no tile has such a segment")
        pays = game.end_worth(areas[0], entry["player"])
        require(pays is not None, f"end[{number}].at is {entry['at']}, whose area does not pay that player")
        check_equal(entry["reason"], pays[0], f"end[{number}].reason")
        check_equal(entry["tiles"], areas[0].tiles, f"end[{number}].tiles")
        paid[entry["player"], pays, areas[0].segments] += entry["points"]
    for (player, (reason, points), _), total in paid.items():
        check_equal(total, points, f"end: the sum of player {player} for an area of {reason!r}")


def sums_by_reason(entries: list[dict]) -> Counter:
    """Points of the end scoring by (player, reason)."""
    sums = Counter()
    for entry in entries:
        sums[entry["player"], entry["reason"]] += entry["points"]
    return sums
