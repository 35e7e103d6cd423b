"""The form of game records (`zamek-record/1`): keys, types and ranges, before any rule is asked."""

from collections import Counter

from tests.support.reference import CarcassonneRules, Rules

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
PUT_BACK = {"put_back": (list,)}  # in turns in which tiles went back into the bag (H3)
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
END_OF_AREA = END | {"at": (list,), "tiles": (int,)}  # newer records name the area


def require(condition: bool, sentence: str) -> None:
    """Raise an `AssertionError` with the sentence unless the condition holds."""
    if not condition:
        raise AssertionError(sentence)


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


def check_player(value: int, where: str, rules: Rules | CarcassonneRules) -> None:
    """Check that a value is the number of a player."""
    require(value in range(rules.players), f"{where} is {value}, but the players are 0 to {rules.players - 1}")


def check_head(record, board: dict, rules: Rules | CarcassonneRules) -> bool:
    """Check the keys at the top; return whether the game was played to its end."""
    require(type(record) is dict, "the record must be an object")
    check_fields({key: value for key, value in record.items() if key in HEAD}, HEAD, "the record")
    require(record["format"] == "zamek-record/1", f"format is {record['format']!r}, not 'zamek-record/1'")
    for key, unsaid in (("ruleset", None), ("farmers", True), ("rules", {})):
        found, due = record.get(key, unsaid), rules.head.get(key, unsaid)
        require(found == due, f"{key} is {found!r}, but {rules.name!r} is checked here, with {due!r}")
    check_list(record["players"], (str,) * rules.players, "players")
    check_list(record["scores"], (int,) * rules.players, "scores")
    has_start = isinstance(rules, CarcassonneRules) and rules.house.start_in_bag
    require(
        ("start" in record) == has_start and isinstance(record.get("start", ""), str),
        f"start is {record.get('start')!r}; it names the tile in the middle where that was drawn, and only there",
    )
    check_tokens(record["tokens"], board)
    actions = record.get("actions", [])
    require(type(actions) is list and {*map(type, actions)} <= {str}, f"actions is no list of texts: {actions!r}")
    is_finished = record.get("finished", True)
    require(type(is_finished) is bool, f"finished is {is_finished!r}, which is neither true nor false")
    require(("end" in record) == is_finished, "a finished game has the key 'end', a broken-off one has none")
    return is_finished


def check_tokens(tokens: dict, board: dict) -> None:
    """Check that every tower but the empty one holds a token, and no kind lies out more than twice (Z4, Z5).

    An open table has no towers.
    """
    towers = {str(fields[0]) for fields in board.get("towers", []) if fields[0] not in board["towerless"]}
    require(set(tokens) == towers, f"tokens lie on {list(tokens)}, but the towers that hold one are {sorted(towers)}")
    for field, kind in tokens.items():
        require(type(kind) is int and 1 <= kind <= 9, f"tokens[{field!r}] is {kind!r}, but the kinds are 1 to 9")
    for kind, count in Counter(tokens.values()).items():
        require(count <= 2, f"tokens holds {count} tokens of kind {kind}, but there are two of each")


def check_turn_structure(turn, rules: Rules | CarcassonneRules, where: str) -> None:
    """Check keys, types and ranges of one turn, without the rules."""
    require(type(turn) is dict, f"{where} must be an object, not {turn!r}")
    has_no_tile = "tile" in turn and turn["tile"] is None
    goes_back = isinstance(rules, CarcassonneRules) and rules.house.back_into_bag and "put_back" in turn
    fields = TURN | (PUT_BACK if goes_back else {})
    check_fields({"cell": None, "rotation": None} | turn if has_no_tile else turn, fields, where)
    check_player(turn["player"], f"{where}.player", rules)
    for key in ("discarded", "put_back"):
        require(all(type(tile) is str for tile in turn.get(key, [])), f"{where}.{key} is no list of tile ids")
    require(turn.get("put_back") != [], f"{where}.put_back is empty; it is left out where nothing went back")
    for number, entry in enumerate(turn["scored"]):
        check_fields(entry, SCORED, f"{where}.scored[{number}]")
        check_player(entry["player"], f"{where}.scored[{number}].player", rules)
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
