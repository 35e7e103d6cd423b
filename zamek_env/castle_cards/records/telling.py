"""The steps of a record, made from the rows of a log, as `castle-record/1` has them (K13)."""

from typing import Any

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.notation.words import name_place

Step = dict[str, Any]
Turn = dict[str, Any]  # "player" and "steps"


def tell_place(place: int) -> list[Any]:
    """Return a space as records have it."""
    return list(name_place(place))


def _owner(pawn: int) -> int | None:
    return None if pawn == NONE else pawn


def _tell_action(event: int, row: list[int]) -> Step:
    if event == events.DRAWN:
        return {"do": "draw", "card": NAMES[row[0]], "legal": row[1]}
    if event == events.EXCHANGE:
        return {"do": "exchange", "give": NAMES[row[0]], "take": NAMES[row[1]], "legal": row[2]}
    if event == events.PASS:
        return {"do": "pass"}
    how = {"from": "exchange"} if row[3] else {"legal": row[2]}
    return {"do": "play", "card": NAMES[row[0]], "at": tell_place(row[1]), **how}


def _tell_board(event: int, row: list[int]) -> Step:
    if event == events.TAKE_BACK:
        step: Step = {"do": "take_back", "at": tell_place(row[1]), "card": NAMES[row[0]]}
        step["to"] = "exchange" if row[2] == NONE else row[2]
        return step | ({"why": "siege"} if row[3] else {}) | ({} if row[4] == NONE else {"by": row[4]})
    if event == events.MOVE:
        return {"do": "move", "at": tell_place(row[0]), "to": tell_place(row[1])}
    if event in (events.PAWNS, events.REARRANGE):
        return {"do": "pawns" if event == events.PAWNS else "rearrange", "set": []}
    return {"do": "remove" if event == events.REMOVE else "to_exchange", "at": tell_place(row[0])}


def _tell_cards(event: int, row: list[int]) -> Step:
    if event == events.SWAP:
        given, taken = row[:2], row[2:4]
        names = [[NAMES[kind] for kind in kinds if kind != NONE] for kinds in (given, taken)]
        return {"do": "swap", "give": names[0], "take": names[1]}
    if event == events.STEAL:
        return {"do": "steal", "from": row[0], "card": NAMES[row[1]], "give": NAMES[row[2]]}
    if event == events.GIVE:
        step = {"do": "give", "from": row[0], "to": row[1], "card": NAMES[row[2]]}
        return step | ({"chance": True} if row[3] else {})
    if event == events.AWARDED:
        return {"do": "award", "to": row[0], "card": NAMES[row[1]]}
    return {"do": "decline"} if event == events.DECLINED else {"do": "void", "of": NAMES[row[0]]}


_TELLERS = {
    **dict.fromkeys((events.DRAWN, events.EXCHANGE, events.PLAY, events.PASS), _tell_action),
    **dict.fromkeys(
        (events.TAKE_BACK, events.MOVE, events.REMOVE, events.TO_EXCHANGE, events.PAWNS, events.REARRANGE), _tell_board
    ),
    **dict.fromkeys(
        (events.SWAP, events.STEAL, events.GIVE, events.AWARDED, events.DECLINED, events.VOID), _tell_cards
    ),
}


def append_steps(turns: list[Turn], log: Any) -> None:
    """Append what the record `log` tells to the turns of a game: steps, and turns that began."""
    for event, *row in log.rows[: log.count].tolist():
        if event == events.TURN:
            turns.append({"player": row[0], "steps": []})
        elif event == events.PAWN_SET:
            turns[-1]["steps"][-1]["set"].append([tell_place(row[0]), row[1], NAMES[row[2]], _owner(row[3])])
        elif event == events.CARD_SET:
            turns[-1]["steps"][-1]["set"].append([tell_place(row[0]), NAMES[row[1]]])
        else:
            turns[-1]["steps"].append(_TELLERS[event](event, row))
