"""Check game records (`zamek-record/1`) by the rules alone: replayed on the reference engine, every field compared.

A record that disagrees with the format or the rules raises an `AssertionError` whose sentence names the place, such as
`turns[17].scored[0].points is 8, but the rules give 6`. Turns and entries are counted from 0, as they stand in the
file.

Where the format leaves a choice: `seed` may be null; a finished game may say `"finished": true`; `cell` and `rotation`
of a last turn without a placement may be null or missing; the `scores` of a broken-off game are those after its last
turn.
"""

from collections import Counter

from tests.reference import ZAMEK, Area, ReferenceGame, Rules, scores_after

NOTHING = type(None)
HEAD = {
    "format": (str,),
    "ruleset": (str,),
    "seed": (int, NOTHING),
    "players": (list,),
    "tokens": (dict,),
    "turns": (list,),
    "scores": (list,),
}
TURN = {
    "player": (int,),
    "discarded": (list,),
    "tile": (str, NOTHING),
    "cell": (list, NOTHING),
    "rotation": (int, NOTHING),
    "follower": (dict, NOTHING),
    "scored": (list,),
    "extra_turn": (bool,),
}
FOLLOWER = {"segment": (str,), "piece": (str,)}
SCORED = {
    "player": (int,),
    "feature": (str,),
    "at": (list,),
    "tiles": (int,),
    "points": (int,),
    "token": (int, NOTHING),
    "score": (int,),
    "took": (int, NOTHING),
    "nests": (int,),
}
END = {"player": (int,), "reason": (str,), "points": (int,)}
END_REASONS = {"meadow", "family house", "token 4", "token 6", "token 7", "token 8", "token 9"}  # and "nests" (S11)


def require(condition: bool, sentence: str) -> None:
    """Raise an `AssertionError` with the sentence unless the condition holds."""
    if not condition:
        raise AssertionError(sentence)


def check_record(record: dict, wall: dict, tiles: dict, rules: Rules = ZAMEK) -> None:
    """Raise an `AssertionError` at the first disagreement of one record with the format or the rules.

    `wall`, the one in force, and `tiles` are the parsed component data on which the game was played, `rules` what its
    ruleset says beside them; `tests.reference.read_box` reads all three.
    """
    is_finished = check_head(record, wall, rules)
    for index, turn in enumerate(record["turns"]):
        check_turn_structure(turn, rules, f"turns[{index}]")
    drawn = check_draws(record["turns"], [tile["id"] for tile in tiles["tiles"]], is_finished)
    undrawn = [tile["id"] for tile in tiles["tiles"] if tile["id"] not in drawn]
    tokens = {int(field): kind for field, kind in record["tokens"].items()}
    game = ReferenceGame(wall, tiles, drawn + undrawn, tokens, rules)
    for index, turn in enumerate(record["turns"]):
        if turn["tile"] is None:
            replay_empty_turn(game, index, turn)
        else:
            replay_turn(game, index, turn)
    check_result(record, game, is_finished)


def check_fields(value, fields: dict, where: str) -> None:
    """Check that a value is an object with exactly these keys, each value of an allowed type (a bool is no int)."""
    require(type(value) is dict, f"{where} must be an object, not {value!r}")
    for key in value:
        require(key in fields, f"{where} has the unknown key {key!r}")
    for key, types in fields.items():
        require(key in value, f"{where} lacks the key {key!r}")
        require(type(value[key]) in types, f"{where}.{key} is {value[key]!r}, which has the wrong type")


def check_list(value, types: tuple, where: str) -> None:
    """Check that a value is a list whose items have exactly these types, in order."""
    require(type(value) is list and tuple(type(item) for item in value) == types, f"{where} is malformed: {value!r}")


def check_player(value: int, where: str) -> None:
    """Check that a value is 0 or 1."""
    require(value in (0, 1), f"{where} is {value}, but the players are 0 and 1")


def check_head(record, wall: dict, rules: Rules) -> bool:
    """Check the keys at the top; return whether the game was played to its end."""
    require(type(record) is dict, "the record must be an object")
    check_fields({key: value for key, value in record.items() if key in HEAD}, HEAD, "the record")
    require(record["format"] == "zamek-record/1", f"format is {record['format']!r}, not 'zamek-record/1'")
    require(record["ruleset"] == rules.name, f"ruleset is {record['ruleset']!r}, but {rules.name!r} is checked here")
    check_list(record["players"], (str, str), "players")
    check_list(record["scores"], (int, int), "scores")
    check_tokens(record["tokens"], wall)
    is_finished = record.get("finished", True)
    require(type(is_finished) is bool, f"finished is {is_finished!r}, which is neither true nor false")
    require(("end" in record) == is_finished, "a finished game has the key 'end', a broken-off one has none")
    return is_finished


def check_tokens(tokens: dict, wall: dict) -> None:
    """Check that every tower but the empty one holds a token, and no kind lies out more than twice (Z4, Z5)."""
    towers = {str(fields[0]) for fields in wall["towers"] if fields[0] not in wall["towerless"]}
    require(set(tokens) == towers, f"tokens lie on {list(tokens)}, but the towers that hold one are {sorted(towers)}")
    for field, kind in tokens.items():
        require(type(kind) is int and 1 <= kind <= 9, f"tokens[{field!r}] is {kind!r}, but the kinds are 1 to 9")
    for kind, count in Counter(tokens.values()).items():
        require(count <= 2, f"tokens holds {count} tokens of kind {kind}, but there are two of each")


def check_turn_structure(turn, rules: Rules, where: str) -> None:
    """Check keys, types and ranges of one turn, without the rules."""
    require(type(turn) is dict, f"{where} must be an object, not {turn!r}")
    has_no_tile = "tile" in turn and turn["tile"] is None
    check_fields({"cell": None, "rotation": None} | turn if has_no_tile else turn, TURN, where)
    check_player(turn["player"], f"{where}.player")
    require(all(type(tile) is str for tile in turn["discarded"]), f"{where}.discarded is no list of tile ids")
    for number, entry in enumerate(turn["scored"]):
        check_fields(entry, SCORED, f"{where}.scored[{number}]")
        check_player(entry["player"], f"{where}.scored[{number}].player")
        check_list(entry["at"], (int, int, str), f"{where}.scored[{number}].at")
    if has_no_tile:
        check_empty_turn_structure(turn, where)
        return
    check_list(turn["cell"], (int, int), f"{where}.cell")
    require(turn["rotation"] in (0, 1, 2, 3), f"{where}.rotation is {turn['rotation']}, not 0 to 3 quarter turns")
    if turn["follower"] is not None:
        check_fields(turn["follower"], FOLLOWER, f"{where}.follower")
        piece = turn["follower"]["piece"]
        require(piece in ("follower", *rules.special_pieces), f"{where}.follower.piece is {piece!r}")


def check_empty_turn_structure(turn: dict, where: str) -> None:
    """Check that a turn without a tile holds discarded tiles and nothing else (Z11)."""
    require(turn["discarded"] != [], f"{where}.tile is null, but {where}.discarded is empty")
    for key, nothing in {"cell": None, "rotation": None, "follower": None, "scored": [], "extra_turn": False}.items():
        require(turn.get(key, nothing) == nothing, f"{where}.{key} must be {nothing!r} in a turn without a tile")


def check_draws(turns: list[dict], tile_ids: list[str], is_finished: bool) -> list[str]:
    """Check that each tile is drawn at most once and the game ends with the last (Z11, Z26); return the order drawn."""
    drawn = []
    for index, turn in enumerate(turns):
        for tile in turn["discarded"] + [turn["tile"]] * (turn["tile"] is not None):
            require(tile in tile_ids, f"turns[{index}] draws {tile!r}, which is no tile of the game")
            require(tile not in drawn, f"turns[{index}] draws {tile}, which was drawn before")
            drawn.append(tile)
        require(
            turn["tile"] is not None or len(drawn) == len(tile_ids),
            f"turns[{index}].tile is null, but there were tiles left to draw",
        )
        require(
            len(drawn) < len(tile_ids) or index == len(turns) - 1,
            f"turns[{index + 1}] follows, but the last tile was drawn in the turn before it",
        )
    undrawn = len(tile_ids) - len(drawn)
    require(not is_finished or undrawn == 0, f"the game is called finished, but {undrawn} of its tiles were not drawn")
    require(is_finished or undrawn > 0, "the game is called broken off, but its last tile was drawn")
    return drawn


def check_equal(given, expected, where: str) -> None:
    """Check one field against the replay."""
    require(given == expected, f"{where} is {given!r}, but the rules give {expected!r}")


def check_discards(game: ReferenceGame, turn: dict, where: str) -> None:
    """Check that each discarded tile really fitted nowhere (Z11)."""
    for number, tile in enumerate(turn["discarded"]):
        require(not game.castle.placements(tile), f"{where}.discarded[{number}]: {tile} could have been placed")


def replay_empty_turn(game: ReferenceGame, index: int, turn: dict) -> None:
    """Compare a last turn without a placement; the engine has gone through it by itself (Z11)."""
    check_discards(game, turn, f"turns[{index}]")
    check_equal(turn["player"], game.turns[index]["player"], f"turns[{index}].player")


def replay_turn(game: ReferenceGame, index: int, turn: dict) -> None:
    """Play one recorded turn and compare everything that followed from it."""
    where, tile, cell = f"turns[{index}]", turn["tile"], tuple(turn["cell"])
    check_discards(game, turn, where)
    require(game.castle.placements(tile) != [], f"{where}.tile: {tile} fits nowhere, it should have been discarded")
    check_equal(turn["player"], game.player, f"{where}.player")
    require(
        game.castle.fits(tile, cell, turn["rotation"]),
        f"{where}: {tile} may not be placed at {turn['cell']} with rotation {turn['rotation']}",
    )
    game.play(("place", cell, turn["rotation"]))
    replay_follower(game, turn["follower"], where)
    replay_scoring_choices(game, turn["scored"], where)
    if game.phase == "extra turn":
        game.play(("extra turn", turn["extra_turn"]))
    else:
        require(not turn["extra_turn"], f"{where}.extra_turn is true, but no extra turn was possible")
    compare_scored(game, turn["scored"], game.turns[index]["scored"], where)


def replay_follower(game: ReferenceGame, follower: dict | None, where: str) -> None:
    """Send the recorded follower, prince or falconer, or nobody (Z12, S4)."""
    decision = ("send", None) if follower is None else ("send", follower["segment"], follower["piece"])
    if game.phase == "send":
        told = "nobody" if follower is None else f"{follower['piece']} to segment {follower['segment']!r}"
        require(decision in game.decisions(), f"{where}.follower: {told} may not be sent")
        game.play(decision)
    else:
        require(follower is None, f"{where}.follower: there is no follower in supply or no free area on the tile")


def replay_scoring_choices(game: ReferenceGame, scored: list[dict], where: str) -> None:
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
        game.play(fitting[0])


def compare_scored(game: ReferenceGame, given: list[dict], expected: list[dict], where: str) -> None:
    """Compare the scored areas of a turn field by field; `at` may name any placed tile of the area."""
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


def area_at(game: ReferenceGame, at: list) -> Area:
    """The area that holds a segment given as [row, column, segment name]."""
    row, col, segment = at
    return game.castle.area_of((row, col), segment)


def check_result(record: dict, game: ReferenceGame, is_finished: bool) -> None:
    """Compare the end scoring, summed by player and reason, and the scores (Z27 to Z30)."""
    scores = scores_after(game.turns[: len(record["turns"])])
    if is_finished:
        compare_end(record["end"], game.end_entries(), END_REASONS | ({"nests"} if game.rules.nests else set()))
        for entry in game.end_entries():
            scores[entry["player"]] += entry["points"]
    check_equal(record["scores"], scores, "scores")


def compare_end(given, expected: list[dict], reasons: set[str]) -> None:
    """Compare two end scorings as sums by player and reason, of those that there are."""
    require(type(given) is list, f"end must be a list, not {given!r}")
    for number, entry in enumerate(given):
        check_fields(entry, END, f"end[{number}]")
        check_player(entry["player"], f"end[{number}].player")
        require(entry["reason"] in reasons, f"end[{number}].reason is {entry['reason']!r}, no reason of this game")
        require(entry["points"] >= 0, f"end[{number}].points is negative")
    sums, right = sums_by_reason(given), sums_by_reason(expected)
    for player, reason in sorted(sums.keys() | right.keys()):
        check_equal(sums[player, reason], right[player, reason], f"end: the sum of player {player} for {reason!r}")


def sums_by_reason(entries: list[dict]) -> Counter:
    """Points of the end scoring by (player, reason)."""
    sums = Counter()
    for entry in entries:
        sums[entry["player"], entry["reason"]] += entry["points"]
    return sums
