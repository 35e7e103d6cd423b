"""The shape of game records of castle-cards (format `castle-record/1`), whatever they say: keys, kinds, names.

A record comes from outside, so it is checked completely before any of it is played.
"""

from collections.abc import Callable, Mapping
from typing import Any

from zamek_env.base.chance import MAX_DEAL
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS, NUM_CARDS, NUM_LEVELS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core.state import END_NAMES
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.action_line import Space
from zamek_env.common.messages import show_json
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.errors import RecordError
from zamek_env.records.shape import check_format, fail

FORMAT = "castle-record/1"
ENDS = END_NAMES[1:]
MAX_TURNS = 100_000  # of a record; a game of random players has some hundreds
MAX_STEPS = 1_000  # of a turn
MAX_ACTIONS = 10 * MAX_TURNS
MAX_LEGAL = 10_000  # actions that a record says are legal
ACTIONS = ("draw", "exchange", "play", "pass")  # what an action of a turn begins with
_HEAD = ("format", "ruleset", "players", "seed", "agents", "hands", "decks", "exchange", "turns")
_MAY_LACK = ("actions",)  # records of older versions and of other programs do
_TAIL = ("end", "hands_left", "decks_left", "winners", "returns")


def read_space(value: object) -> Space | None:
    """Return the space that a record calls `value`, None where it is none."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, second = value
    if first == "siege" and isinstance(second, str) and second in (*SIDES,):
        return ("siege", second)
    if first == "outside" and _is_whole(second, 10_000):
        return ("outside", second)
    if _is_whole(first, WIDTH - 1) and _is_whole(second, WIDTH - 1):
        return (first, second)
    return None


def is_finished(record: Mapping[str, Any]) -> bool:
    """Return whether a record holds a whole game."""
    return "end" in record


def check_shape(record: Any) -> None:
    """Raise `RecordError`, naming the place, unless `record`, as it comes from JSON, has the shape of a record."""
    check_format(record, FORMAT)
    due = _HEAD + _TAIL if record.keys() & {*_TAIL} else _HEAD
    _check_keys(record, due, _MAY_LACK, "record")
    if record["ruleset"] != CASTLE_CARDS:
        fail("record", "ruleset", f"must be {CASTLE_CARDS!r}, not {show_json(record['ruleset'])}")
    players = record["players"]
    if not _is_whole(players, MAX_PLAYERS) or players < MIN_PLAYERS:
        fail("record", "players", f"must be {MIN_PLAYERS} to {MAX_PLAYERS}, not {show_json(players)}")
    if record["seed"] is not None and not _is_whole(record["seed"], MAX_DEAL):
        fail("record", "seed", f"must be null or a whole number from 0 to {MAX_DEAL}, not {show_json(record['seed'])}")
    _check_list("record", record, "agents", _is_text, players, "names")
    for field in ("hands", "decks"):
        _check_list("record", record, field, _are_cards, players, "lists of cards")
    _check_list("record", record, "exchange", _is_card, None, "cards")
    if "actions" in record:
        _check_list("record", record, "actions", _is_text, None, "texts", MAX_ACTIONS)
    _check_list("record", record, "turns", lambda turn: isinstance(turn, dict), None, "objects", MAX_TURNS)
    for number, turn in enumerate(record["turns"]):
        _check_turn(turn, players, f"turns[{number}]")
    if not is_finished(record):
        return
    if record["end"] not in ENDS:
        fail("record", "end", f"must be one of {', '.join(ENDS)}, not {show_json(record['end'])}")
    for field in ("hands_left", "decks_left"):
        _check_list("record", record, field, lambda count: _is_whole(count, NUM_CARDS), players, "whole numbers")
    _check_list("record", record, "winners", lambda player: _is_whole(player, players - 1), None, "players")
    _check_list(
        "record", record, "returns", lambda value: type(value) in (int, float) and -1 <= value <= 1, players,
        "numbers from -1 to 1",
    )  # fmt: skip


def _check_turn(turn, players, where):
    _check_keys(turn, ("player", "steps"), (), where)
    if not _is_whole(turn["player"], players - 1):
        fail(where, "player", f"must be a player, not {show_json(turn['player'])}")
    _check_list(where, turn, "steps", lambda step: isinstance(step, dict), None, "objects", MAX_STEPS)
    for number, step in enumerate(turn["steps"]):
        kind, at = step.get("do"), f"{where}, steps[{number}]"
        if not isinstance(kind, str) or kind not in _STEPS:
            fail(at, "do", f"must be one of {', '.join(_STEPS)}, not {show_json(kind)}")
        required, optional = _STEPS[kind]
        _check_keys(step, ("do", *required), optional, at)
        for field, value in step.items():
            if field == "do":
                continue
            is_right, allowed = _FIELDS[field]
            if not is_right(value, players):
                fail(at, field, f"must be {allowed}, not {show_json(value)}")


def _check_keys(values, required, optional, where):
    for key in required:
        if key not in values:
            fail(where, key, "is missing")
    for key in values:
        if key not in required and key not in optional:
            allowed = ", ".join((*required, *optional))
            raise RecordError(f"{where}: may have the keys {allowed}, not {show_json(key)}")


def _check_list(where, values, field, check, length, what, most=NUM_CARDS * 10):
    found = values[field]
    if not isinstance(found, list) or (length is not None and len(found) != length) or len(found) > most:
        number = f"at most {most}" if length is None else length
        fail(where, field, f"must be a list of {number} {what}, not {show_json(found)}")
    for number, value in enumerate(found):
        if not check(value):
            fail(where, f"{field}[{number}]", f"must be one of the {what}, not {show_json(value)}")


# --- what a field may hold ---


def _is_whole(value, most):
    return type(value) is int and 0 <= value <= most


def _is_text(value):
    return isinstance(value, str)


def _is_card(value):
    return isinstance(value, str) and value in NAMES


def _are_cards(value):
    return isinstance(value, list) and len(value) <= NUM_CARDS and all(map(_is_card, value))


def _is_card_or_cards(value, _):
    return _is_card(value) or _are_cards(value)


def _is_source(value, players):
    return value == "exchange" or _is_whole(value, players - 1)


def _is_set(value, players):
    """Return whether `value` is a list of entries, each of another place."""
    if not isinstance(value, list) or len(value) > NUM_CARDS or not all(_is_entry(entry, players) for entry in value):
        return False
    places = [str(entry[: len(entry) // 2]) for entry in value]
    return len(set(places)) == len(places)


def _is_entry(entry, players):
    """Return whether `entry` is [space, card], or [space, level, card, player or null]: a place, and what is there."""
    if not isinstance(entry, list) or not entry or read_space(entry[0]) is None:
        return False
    if len(entry) == 2:
        return _is_card(entry[1])
    return (
        len(entry) == 4
        and _is_whole(entry[1], NUM_LEVELS - 1)
        and _is_card(entry[2])
        and (entry[3] is None or _is_whole(entry[3], players - 1))
    )


_STEPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # kind: its fields, those that may be left out
    "draw": (("card", "legal"), ()),
    "exchange": (("give", "take", "legal"), ()),
    "play": (("card", "at"), ("from", "legal")),
    "take_back": (("at", "card", "to"), ("by", "why")),
    "move": (("at", "to"), ("by",)),
    "remove": (("at",), ("by",)),
    "to_exchange": (("at",), ("by",)),
    "pawns": (("set",), ("by",)),
    "rearrange": (("set",), ("by",)),
    "swap": (("give", "take"), ("by",)),
    "steal": (("from", "card", "give"), ("by",)),
    "give": (("from", "to", "card"), ("chance",)),
    "award": (("to", "card"), ("by",)),
    "decline": ((), ("by",)),
    "void": (("of",), ()),
    "pass": ((), ()),
}
_FIELDS: dict[str, tuple[Callable[[Any, int], bool], str]] = {  # field: (whether a value is one, what it may hold)
    "card": (lambda value, _: _is_card(value), "the name of a card"),
    "of": (lambda value, _: _is_card(value), "the name of a card"),
    "give": (_is_card_or_cards, "the name of a card, or a list of names"),
    "take": (_is_card_or_cards, "the name of a card, or a list of names"),
    "at": (lambda value, _: read_space(value) is not None, "a space"),
    "to": (
        lambda value, players: read_space(value) is not None or _is_source(value, players),
        "a space, 'exchange' or a player",
    ),
    "from": (_is_source, "'exchange' or a player"),
    "by": (lambda value, players: _is_whole(value, players - 1), "a player"),
    "why": (lambda value, _: value == "siege", "'siege'"),
    "chance": (lambda value, _: value is True, "true"),
    "legal": (lambda value, _: _is_whole(value, MAX_LEGAL), f"a whole number of at most {MAX_LEGAL}"),
    "set": (_is_set, "a list of [space, card] or [space, level, card, player or null], each of another place"),
}
