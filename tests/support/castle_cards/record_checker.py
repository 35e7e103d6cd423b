"""Check records of Castle, the card game (`castle-record/1`): their actions are played on the reference engine."""

import json
from collections import Counter
from typing import Any

from tests.support.castle_cards.reference.board import DEALT, list_cards
from tests.support.castle_cards.reference.reference import CastleCardsReference, without_order


def check_record(record: dict) -> None:
    """Raise an `AssertionError` where the record of a finished game is not what the reference engine writes of it.

    Chance draws the cards that the record says. Lists in steps whose order is free may stand in any order.
    """
    players, piles = record["players"], [*record["hands"], *record["decks"], record["exchange"]]
    hand, deck, exchange = DEALT[players]
    assert [len(pile) for pile in piles] == [hand] * players + [deck] * players + [exchange], "the deal has other sizes"
    assert Counter(card for pile in piles for card in pile) == Counter(list_cards(players)), (
        f"the cards dealt are not those of {players}"
    )
    steps = [step for turn in record["turns"] for step in turn["steps"]]
    drawn = iter([step["card"] for step in steps if step["do"] == "steal" or "chance" in step])
    game = CastleCardsReference(
        players, record["hands"], record["decks"], record["exchange"], draw=lambda hand: next(drawn, "no card")
    )
    for number, text in enumerate(record["actions"]):
        named = {name_option(option): option for option in game.options()}
        assert text in named, f"actions[{number}] is {text!r}, but the rules allow {sorted(named)}"
        game.play(named[text])
    assert game.end is not None, "the game is not over after its actions"
    compare(record, game.record(record["seed"], record["agents"]) | {"actions": record["actions"]})


def name_option(option: tuple) -> str:
    """The notation of an option: `draw`, `play Archer`, `at 0,3`, `at siege N`, `pawn none`."""
    word, *what = option
    if word == "space":
        first, second = what[0]
        return f"at {first} {second}" if isinstance(first, str) else f"at {first},{second}"
    return " ".join([word, *("none" if entry is None else str(entry) for entry in what)])


def compare(record: dict, due: dict) -> None:
    """Raise an `AssertionError` that names the first field in which two records differ, of the turns the first turn."""
    assert record.keys() == due.keys(), f"the keys are {sorted(record)}, not {sorted(due)}"
    for key in due.keys() - {"turns"}:
        assert as_text(record[key]) == as_text(due[key]), f"{key} is {record[key]}, but the rules give {due[key]}"
    both = zip(without_order(record["turns"]), without_order(due["turns"]), strict=False)
    for number, (given, right) in enumerate(both):
        assert as_text(given) == as_text(right), f"turns[{number}] is {given}, but the rules give {right}"
    assert len(record["turns"]) == len(due["turns"]), f"there are {len(record['turns'])} turns, not {len(due['turns'])}"


def as_text(value: Any) -> str:
    """JSON, in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)
