"""The steps of a record, made from the rows of a log, as `castle-record/1` has them (K13)."""

from typing import Any

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.notation.option_names import find_owner, name_place

Step = dict[str, Any]
Turn = dict[str, Any]  # "player" and "steps"


def make_place(place: int) -> list[Any]:
    """Return a space as records have it."""
    return list(name_place(place))


def _make_action_step(event: int, row: list[int]) -> Step:
    if event == events.DRAWN:
        card, legal, *_ = row
        return {"do": "draw", "card": NAMES[card], "legal": legal}
    if event == events.EXCHANGE:
        give, take, legal, *_ = row
        return {"do": "exchange", "give": NAMES[give], "take": NAMES[take], "legal": legal}
    if event == events.PASS:
        return {"do": "pass"}
    card, place, legal, is_from_exchange, _ = row
    how = {"from": "exchange"} if is_from_exchange else {"legal": legal}
    return {"do": "play", "card": NAMES[card], "at": make_place(place), **how}


def _make_board_step(event: int, row: list[int]) -> Step:
    if event == events.TAKE_BACK:
        card, place, player, is_siege, decider = row
        step: Step = {"do": "take_back", "at": make_place(place), "card": NAMES[card]}
        step["to"] = "exchange" if player == NONE else player
        return step | ({"why": "siege"} if is_siege else {}) | ({} if decider == NONE else {"by": decider})
    if event == events.MOVE:
        at, to, *_ = row
        return {"do": "move", "at": make_place(at), "to": make_place(to)}
    if event in (events.PAWNS, events.REARRANGE):
        return {"do": "pawns" if event == events.PAWNS else "rearrange", "set": []}
    return {"do": "remove" if event == events.REMOVE else "to_exchange", "at": make_place(row[0])}


def _make_card_step(event: int, row: list[int]) -> Step:
    if event == events.SWAP:
        given, taken = row[:2], row[2:4]
        names = [[NAMES[kind] for kind in kinds if kind != NONE] for kinds in (given, taken)]
        return {"do": "swap", "give": names[0], "take": names[1]}
    if event == events.STEAL:
        player, card, give, *_ = row
        return {"do": "steal", "from": player, "card": NAMES[card], "give": NAMES[give]}
    if event == events.GIVE:
        giver, receiver, card, by_chance, _ = row
        step = {"do": "give", "from": giver, "to": receiver, "card": NAMES[card]}
        return step | ({"chance": True} if by_chance else {})
    if event == events.AWARDED:
        player, card, *_ = row
        return {"do": "award", "to": player, "card": NAMES[card]}
    return {"do": "decline"} if event == events.DECLINED else {"do": "void", "of": NAMES[row[0]]}


_MAKERS = {
    **dict.fromkeys((events.DRAWN, events.EXCHANGE, events.PLAY, events.PASS), _make_action_step),
    **dict.fromkeys(
        (events.TAKE_BACK, events.MOVE, events.REMOVE, events.TO_EXCHANGE, events.PAWNS, events.REARRANGE),
        _make_board_step,
    ),
    **dict.fromkeys(
        (events.SWAP, events.STEAL, events.GIVE, events.AWARDED, events.DECLINED, events.VOID), _make_card_step
    ),
}


def append_steps(turns: list[Turn], log: Any) -> None:
    """Append what happened by the record `log` to the turns of a game: steps, and turns that began."""
    for event, *row in log.rows[: log.count].tolist():
        if event == events.TURN:
            turns.append({"player": row[0], "steps": []})
        elif event == events.PAWN_SET:
            place, level, card, owner, _ = row
            turns[-1]["steps"][-1]["set"].append([make_place(place), level, NAMES[card], find_owner(owner)])
        elif event == events.CARD_SET:
            place, card, *_ = row
            turns[-1]["steps"][-1]["set"].append([make_place(place), NAMES[card]])
        else:
            turns[-1]["steps"].append(_MAKERS[event](event, row))
