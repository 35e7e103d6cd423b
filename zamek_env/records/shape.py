"""The shape of game records (format `zamek-record/1`), whatever they say: fields and their kinds, the ruleset."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from zamek_env.common.messages import shorten, show_json
from zamek_env.components.box_folder import RULESETS, is_own_name
from zamek_env.components.house_rules import vary
from zamek_env.components.json_entry import name_kind
from zamek_env.components.model import Components
from zamek_env.errors import RecordError
from zamek_env.load import AnyComponents
from zamek_env.records.write import FORMAT, HEADS
from zamek_env.ruleset import Ruleset, get_ruleset

_TURN_FIELDS = {
    "player": int,
    "discarded": list,
    "tile": str | None,
    "cell": list | None,
    "rotation": int | None,
    "follower": dict | None,
    "scored": list,
    "extra_turn": bool,
}
_SCORED_FIELDS = {
    "player": int,
    "feature": str,
    "at": list,
    "tiles": int,
    "points": int,
    "token": int | None,
    "score": int,
    "took": int | None,
    "nests": int,
}
REPLAYED_BY = {
    "zamek-record/1": "Game.replay",
    "castle-record/1": "CastleCards.replay",
    "action-record/1": "the method replay of the game's own class",
}
_OPTIONAL_FIELDS = ("cell", "rotation")  # of a turn in which no tile could be placed
_MAY_LACK = {"players": list | None, "rules": dict, "deal": dict, "start": str, "actions": list}  # of a record


def read_json(record: object) -> Any:
    """Return `record` as a round trip through a JSON file would."""
    if isinstance(record, str | bytes):
        raise RecordError(f"record: must be an object, not text: read it with json.loads first: {show_json(record)}")
    try:
        return json.loads(json.dumps(record, allow_nan=False, default=_as_dict))
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"record: is not JSON: {shorten(str(error))}") from error


def _as_dict(value):
    """Return a `Mapping` that is no dict as one. Raises `TypeError` for anything else that JSON does not have."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def check_shape(record: Any) -> None:
    """Check the fields that every record has, and those of its turns."""
    check_format(record, FORMAT)
    check_fields(record, {"ruleset": str, "tokens": dict, "turns": list, "scores": list}, "record")
    if type(record.get("seed")) not in (int, type(None)):
        fail("record", "seed", f"must be a whole number or null, not {show_json(record['seed'])}")
    check_fields(record, {field: kind for field, kind in _MAY_LACK.items() if field in record}, "record")
    for number, text in enumerate(record.get("actions", [])):
        if not isinstance(text, str):
            fail("record", f"actions[{number}]", f"must be a text, not {show_json(text)}")
    for number, turn in enumerate(record["turns"]):
        _check_turn(turn, f"turns[{number}]")


def check_format(record: Any, due: str) -> None:
    """Fail unless `record` is an object in the format `due`; the message says how its own format is replayed."""
    check_fields(record, {"format": str}, "record")
    given = record["format"]
    if given in REPLAYED_BY and given != due:
        fail("record", "format", f"must be {due!r}, not {given!r}: {REPLAYED_BY[given]} replays such a record")
    expect(given, due, "record", "format")


def check_payment(entry: Any, where: str, players: int) -> None:
    """Check an entry of the end of a record of `players` players."""
    of_area = {"at": list, "tiles": int} if isinstance(entry, dict) and entry.keys() & {"at", "tiles"} else {}
    check_fields(entry, {"player": int, "reason": str, "points": int, **of_area}, where)
    if entry["player"] not in range(players):
        due = {1: "0", 2: "0 or 1"}.get(players, f"0 to {players - 1}")
        fail(where, "player", f"must be {due}, not {show_json(entry['player'])}")
    if entry["points"] < 0:
        fail(where, "points", f"must be at least 0, not {show_json(entry['points'])}")


def find_ruleset_name(record: dict[str, Any], components: AnyComponents = None) -> str:
    """Return the name of the ruleset that the head of `record` gives.

    That must be the one of `components`: `Components`, or a folder that holds them. None: the packaged ones.
    """
    given = record["ruleset"]
    names = [name for name in RULESETS if name not in HEADS]
    is_own = components is not None and "components" in record and (given in RULESETS or is_own_name(given))
    if given not in names and not is_own:
        own = "; a game on components of your own needs these, by components=, or by --components of some commands"
        hint = own if is_own_name(given) else ""
        fail("record", "ruleset", f"must be one of {', '.join(names)}, not {show_json(given)}{hint}")
    named = [name for name, head in HEADS.items() if all(is_same(record.get(key), head[key]) for key in head)]
    due = [*named, given]
    if not isinstance(components, Components):
        return due[0]
    if components.name not in due:
        fail("record", "ruleset", f"must be {components.name}, of which the components are, not {due[0]}")
    return components.name


def find_varied(record: dict[str, Any], components: AnyComponents = None) -> Ruleset:
    """Return the `Ruleset` of a record: for its number of `players`, with its house `rules`."""
    base = get_ruleset(find_ruleset_name(record, components), components).components
    names, field = record.get("players"), "players"
    seats = len(names) if isinstance(names, list) else None
    try:
        vary(base, seats)  # which is refused before any rules are
        field = "rules"
        return get_ruleset(base.name, base, seats, record.get("rules"))
    except ValueError as error:
        fail("record", field, str(error))


def check_components(record: dict[str, Any], ruleset: Ruleset) -> None:
    """Check what a record says of its components: their digest, or nothing where they are the packaged ones."""
    due = ruleset.components.digest if ruleset.base is None else None
    if "components" not in record:
        if due is not None:
            fail("record", "components", f"is missing, so it was played on the packaged components, not on {due}")
    elif due is None:
        fail(
            "record",
            "components",
            f"it was played on {show_json(record['components'])}, not on the packaged components",
        )
    else:
        expect(record["components"], due, "record", "components")


def check_farmers(record: dict[str, Any], components: Components) -> None:
    """Check what a record says of farmers where there could be any (rule C8)."""
    if "farmers" in record and any(feature.touches for feature in components.features):
        expect(record["farmers"], components.farmers, "record", "farmers")


def fail(where: str, field: str, problem: str) -> NoReturn:
    """Raise a `RecordError` about `field` at `where`."""
    raise RecordError(f"{where}, {field}: {problem}")


def expect(given: object, due: object, where: str, field: str) -> None:
    """Fail unless `given` is what is `due`, of the same type."""
    if not is_same(given, due):
        fail(where, field, f"must be {show_json(due)}, not {show_json(given)}")


def is_same(given: object, due: object) -> bool:
    """Return whether two JSON values are the same: 1 is neither True nor 1.0."""
    return type(given) is type(due) and given == due and types_in(given) == types_in(due)


def types_in(value: object) -> list[type]:
    """Return the types of the items of a list."""
    return [type(item) for item in value] if isinstance(value, list) else []


def check_fields(values: object, fields: Mapping[str, Any], where: str) -> None:
    """Fail unless `values` is an object with all `fields`, {name: type}."""
    if not isinstance(values, dict):
        raise RecordError(f"{where}: must be an object, not {show_json(values)}")
    for field, kind in fields.items():
        if field not in values:
            fail(where, field, "is missing")
        if not isinstance(values[field], kind) or (isinstance(values[field], bool) and kind is not bool):
            fail(where, field, f"must be {name_kind(kind)}, not {show_json(values[field])}")


def _check_turn(turn, where):
    no_tile = isinstance(turn, dict) and turn.get("tile", "") is None
    check_fields({**dict.fromkeys(_OPTIONAL_FIELDS), **turn} if no_tile else turn, _TURN_FIELDS, where)
    if "put_back" in turn:
        check_fields(turn, {"put_back": list}, where)
    if turn["follower"] is not None:
        check_fields(turn["follower"], {"segment": str, "piece": str}, f"{where}, follower")
    for number, area in enumerate(turn["scored"]):
        check_fields(area, _SCORED_FIELDS, f"{where}, scored[{number}]")
