"""What a decision brought, as steps of a game record (`castle-record/1`): the engine's log in words."""

from typing import Any

import numpy as np

from zamek_env.castle_cards import log as events
from zamek_env.castle_cards.board import SIDES, WIDTH
from zamek_env.castle_cards.cards import NAMES
from zamek_env.castle_cards.sizes import FIRST_OUTSIDE, FIRST_SLOT
from zamek_env.castle_cards.state import NONE

Turn = dict[str, Any]


class Recorder:
    """Gathers turns, as records hold them, from the log of one decision after the other; `player` begins."""

    def __init__(self, player: int) -> None:
        self.turns: list[Turn] = [{"player": player, "steps": []}]

    def read(self, log: np.record) -> None:
        """Add what stands in `log`, a record of `zamek_env.castle_cards.log.LOG`."""
        for event, *values in log.rows[: log.count].tolist():
            if event == events.TURN:
                self.turns.append({"player": values[0], "steps": []})
            elif event in (events.PAWN_SET, events.CARD_SET):
                self._last["set"].append(_tell_entry(event, values))
            else:
                self.turns[-1]["steps"].append(_TELLERS[event](*values))

    def copy(self) -> "Recorder":
        """Return an independent copy, which shares the turns that are over."""
        twin = Recorder(0)
        twin.turns = [*self.turns[:-1], {"player": self.turns[-1]["player"], "steps": [*self.turns[-1]["steps"]]}]
        return twin

    @property
    def _last(self) -> dict[str, Any]:
        return self.turns[-1]["steps"][-1]


def name_place(number: int) -> list[int | str]:
    """Return a place of the log as records call spaces."""
    if number < FIRST_SLOT:
        return list(divmod(number, WIDTH))
    if number < FIRST_OUTSIDE:
        return ["siege", SIDES[number - FIRST_SLOT]]
    return ["outside", number - FIRST_OUTSIDE]


def _tell_entry(event, values):
    if event == events.CARD_SET:
        return [name_place(values[0]), NAMES[values[1]]]
    place, level, card, player = values[:4]
    return [name_place(place), level, NAMES[card], None if player == NONE else player]


def _tell_exchange(give, take, legal, *_):
    return {"do": "exchange", "give": NAMES[give], "take": NAMES[take], "legal": legal}


def _tell_play(card, place, legal, is_counseled, *_):
    step = {"do": "play", "card": NAMES[card], "at": name_place(place)}
    return step | ({"from": "exchange"} if is_counseled == 1 else {"legal": legal})


def _tell_take_back(card, place, player, by_siege, decider):
    step = {"do": "take_back", "at": name_place(place), "card": NAMES[card]}
    step["to"] = "exchange" if player == NONE else player
    step |= {"why": "siege"} if by_siege == 1 else {}
    return step | ({} if decider == NONE else {"by": decider})


def _tell_swap(*cards):
    given, taken = ([NAMES[card] for card in pair if card != NONE] for pair in (cards[:2], cards[2:4]))
    return {"do": "swap", "give": given, "take": taken}


def _tell_steal(player, card, give, *_):
    return {"do": "steal", "from": player, "card": NAMES[card], "give": NAMES[give]}


def _tell_give(giver, receiver, card, by_chance, *_):
    step = {"do": "give", "from": giver, "to": receiver, "card": NAMES[card]}
    return step | ({"chance": True} if by_chance == 1 else {})


_TELLERS = {
    events.DRAWN: lambda card, legal, *_: {"do": "draw", "card": NAMES[card], "legal": legal},
    events.EXCHANGE: _tell_exchange,
    events.PLAY: _tell_play,
    events.TAKE_BACK: _tell_take_back,
    events.MOVE: lambda place, target, *_: {"do": "move", "at": name_place(place), "to": name_place(target)},
    events.REMOVE: lambda place, *_: {"do": "remove", "at": name_place(place)},
    events.TO_EXCHANGE: lambda place, *_: {"do": "to_exchange", "at": name_place(place)},
    events.PAWNS: lambda *_: {"do": "pawns", "set": []},
    events.REARRANGE: lambda *_: {"do": "rearrange", "set": []},
    events.SWAP: _tell_swap,
    events.STEAL: _tell_steal,
    events.GIVE: _tell_give,
    events.AWARDED: lambda player, card, *_: {"do": "award", "to": player, "card": NAMES[card]},
    events.DECLINED: lambda *_: {"do": "decline"},
    events.VOID: lambda card, *_: {"do": "void", "of": NAMES[card]},
    events.PASS: lambda *_: {"do": "pass"},
}
