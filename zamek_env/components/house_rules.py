"""House rules, on which players may agree before a game of Carcassonne (rules H1–H9)."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from zamek_env.common.checks import check_whole
from zamek_env.common.messages import show
from zamek_env.components.json_entry import Entry
from zamek_env.components.model import MAX_PLAYERS, Components, HouseRules
from zamek_env.components.open_table import OpenTable

HANDS = ("open", "hidden")
HOUSE_RULES = tuple(field.name for field in fields(HouseRules))
CITY = "city"  # the feature that `small_city` is about
_TYPED = {"hand": "hand=open or hand=hidden", "table": "table=ROWSxCOLUMNS"}  # in a text, where not by the name alone
_TABLE = "such as table=9x11, in JSON and Python [9, 11]"
_WORDS = {"true": True, "false": False, "none": None}  # values of rules in a text, besides texts and pairs


def vary(components: Components, players: int | None = None, rules: Mapping[str, Any] | None = None) -> Components:
    """Return `components` for `players` players, with these house `rules` in place of those that they name.

    What is None stays as it is. Raises `ValueError`, `TypeError` or `ComponentError` naming the argument for an
    impossible number or rule.
    """
    varied = components
    if rules is not None:
        if not isinstance(rules, Mapping):
            raise TypeError(f"rules must be a mapping of house rules such as {{'draw_ahead': True}}, not {show(rules)}")
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()}
        varied = apply_rules(varied, Entry("rules", "", given, HOUSE_RULES), varied.house)
    return varied if players is None else replace(varied, players=_check_players(varied, players))


def parse_rules(text: str) -> dict[str, Any]:
    """Return the house rules that a text such as `"draw_ahead"` or `"hand=hidden,table=9x11"` names, as for `vary`.

    A name alone switches a rule on, and `NAME=false` off; a table is `ROWSxCOLUMNS`. Raises `ValueError` where the text
    names no rule, an unknown one, or one twice. `vary` checks the values.
    """
    rules: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in HOUSE_RULES:
            names = ", ".join(_TYPED.get(rule, rule) for rule in HOUSE_RULES)
            raise ValueError(f"rules must name some of {names}, not {show(name)}")
        if name in rules:
            raise ValueError(f"rules must name each rule once, not {show(name)} twice")
        rules[name] = _parse_value(value) if equals else True
    return rules


def format_rules(rules: Mapping[str, Any]) -> str:
    """Return house rules, as `list_rules` returns them, as a text that `parse_rules` reads."""
    return ",".join(name if value is True else f"{name}={_format_value(value)}" for name, value in rules.items())


def list_rules(house: HouseRules, known: HouseRules | None = None) -> dict[str, Any]:
    """Return the house rules that differ from `known`, or from the defaults, as `vary` takes them, in JSON's types."""
    before = known or HouseRules()
    changed = {name: getattr(house, name) for name in HOUSE_RULES if getattr(house, name) != getattr(before, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}


def _format_value(value):
    if isinstance(value, list):
        return "x".join(map(str, value))
    return next((word for word, meant in _WORDS.items() if value is meant), value)


def _parse_value(text):
    numbers = text.split("x")
    if len(numbers) == 2 and all(number.isascii() and number.isdigit() and len(number) < 5 for number in numbers):
        return [int(number) for number in numbers]
    return _WORDS.get(text, text)


def parse_option(text: str) -> dict[str, Any] | None:
    """Return the house rules of an option's `text` as `parse_rules` does; None where it is empty."""
    return parse_rules(text) if text else None


def list_players(components: Components) -> range:
    """Return the possible numbers of players: at a table one to five, within a wall two."""
    return range(1, MAX_PLAYERS + 1) if isinstance(components.board, OpenTable) else range(2, 3)


def _check_players(components, players):
    counts = list_players(components)
    number = check_whole("players", players)
    if number not in counts:
        allowed = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
        raise ValueError(f"players must be {allowed} in the ruleset {components.name}, not {show(players)}")
    return number


def apply_rules(components: Components, entry: Entry, known: HouseRules | None = None) -> Components:
    """Return `components` with the house rules of an `entry`; those that it does not name are as in `known`.

    Raises `ComponentError`, naming the field, where they conflict with each other or with the components.
    """
    before = known or HouseRules()
    house = _read(entry, before, len(components.tiles))
    if house != HouseRules() and not isinstance(components.board, OpenTable):
        name = next(name for name in HOUSE_RULES if getattr(house, name) != getattr(HouseRules(), name))
        entry.fail(name, f"goes with a table, and the board of {components.name} has a wall")
    if house.small_city and not any(feature.name == CITY and feature.completes for feature in components.features):
        entry.fail("small_city", f"there is no feature {CITY} that is completed")
    tiles = components.tiles
    if house.start_in_bag is not components.house.start_in_bag:
        tiles = _move_start(tiles, components.start_tile, house.start_in_bag)
    board = components.board
    if isinstance(board, OpenTable):
        board = replace(board, edge=house.table)
    return replace(components, house=house, tiles=tiles, board=board)


def _read(entry, known, tiles):
    house = HouseRules(
        draw_ahead=entry.get("draw_ahead", bool, known.draw_ahead),
        hand=_read_hand(entry, known.hand),
        back_into_bag=entry.get("back_into_bag", bool, known.back_into_bag),
        start_in_bag=entry.get("start_in_bag", bool, known.start_in_bag),
        hole_plays_again=entry.get("hole_plays_again", bool, known.hole_plays_again),
        unfinished_pays_nothing=entry.get("unfinished_pays_nothing", bool, known.unfinished_pays_nothing),
        table=_read_table(entry, known.table, 2 * tiles + 1),
        edges_complete=entry.get("edges_complete", bool, known.edges_complete),
        small_city=entry.get("small_city", bool, known.small_city),
    )
    if house.hand and house.draw_ahead:
        entry.fail("draw_ahead", "who holds a hand has drawn ahead already: one of draw_ahead and hand, not both")
    if house.edges_complete and house.table is None:
        entry.fail("edges_complete", f"there is no edge that could complete anything: name a table, {_TABLE}")
    return house


def _read_hand(entry, known):
    if entry.values.get("hand", known) is None:
        return None
    if entry.values.get("hand") is True:  # as a command line has it
        entry.fail("hand", f"must be {_TYPED['hand']}, not True")
    return entry.choice("hand", HANDS) if "hand" in entry.values else known


def _read_table(entry, known, most):
    if entry.values.get("table", known) is None:
        return None
    if "table" not in entry.values:
        return known
    if isinstance(entry.values["table"], str | bool):  # as a command line has it
        given = show(entry.values["table"])
        entry.fail("table", f"must be ROWSxCOLUMNS, {_TABLE}, not {given}")
    table = entry.whole_pair("table")
    if any(not 1 <= number <= most or number % 2 == 0 for number in table):
        entry.fail("table", f"must be two odd numbers, rows and columns, of 1 to {most}, not {list(table)}")
    return table


def _move_start(tiles, start, into_bag):
    """Return the tiles of the deck with the start tile among its copies, or without it."""
    place = next((number for number, tile in enumerate(tiles) if tile.id == start.id), len(tiles))
    return (*tiles[:place], *((start,) if into_bag else ()), *tiles[place + (not into_bag) :])
