"""Game records of castle-cards, format `castle-record/1`: written from the deal and the actions played.

The steps of a record are made from the rows of a log (K13). A deal from outside is checked (K3).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF, NAMES
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import END_NAMES, NONE
from zamek_env.castle_cards.layout.actions import ACTION, OVER
from zamek_env.castle_cards.notation.action_line import find_owner, format_option, name_option, name_place
from zamek_env.castle_cards.notation.position import list_results, list_winners
from zamek_env.castle_cards.records.shape import FORMAT
from zamek_env.common.checks import check_choice
from zamek_env.common.messages import show, show_names
from zamek_env.common.player_names import check_names
from zamek_env.components.box_folder import CASTLE_CARDS

Step = dict[str, Any]
Turn = dict[str, Any]  # "player" and "steps"


def make_place(place: int) -> list[Any]:
    """Return a space in the format of records."""
    return list(name_place(place))


def _make_step(event: int, row: list[int]) -> Step:
    step: Step
    match event:
        case events.DRAWN:
            card, legal, *_ = row
            return {"do": "draw", "card": NAMES[card], "legal": legal}
        case events.EXCHANGE:
            give, take, legal, *_ = row
            return {"do": "exchange", "give": NAMES[give], "take": NAMES[take], "legal": legal}
        case events.PASS:
            return {"do": "pass"}
        case events.PLAY:
            card, place, legal, is_from_exchange, _ = row
            how = {"from": "exchange"} if is_from_exchange else {"legal": legal}
            return {"do": "play", "card": NAMES[card], "at": make_place(place), **how}
        case events.TAKE_BACK:
            card, place, player, is_siege, decider = row
            step = {"do": "take_back", "at": make_place(place), "card": NAMES[card]}
            step["to"] = "exchange" if player == NONE else player
            return step | ({"why": "siege"} if is_siege else {}) | ({} if decider == NONE else {"by": decider})
        case events.MOVE:
            at, to, *_ = row
            return {"do": "move", "at": make_place(at), "to": make_place(to)}
        case events.REMOVE | events.TO_EXCHANGE:
            return {"do": "remove" if event == events.REMOVE else "to_exchange", "at": make_place(row[0])}
        case events.PAWNS | events.REARRANGE:
            return {"do": "pawns" if event == events.PAWNS else "rearrange", "set": []}
        case events.SWAP:
            names = [[NAMES[kind] for kind in kinds if kind != NONE] for kinds in (row[:2], row[2:4])]
            return {"do": "swap", "give": names[0], "take": names[1]}
        case events.STEAL:
            player, card, give, *_ = row
            return {"do": "steal", "from": player, "card": NAMES[card], "give": NAMES[give]}
        case events.GIVE:
            giver, receiver, card, by_chance, _ = row
            step = {"do": "give", "from": giver, "to": receiver, "card": NAMES[card]}
            return step | ({"chance": True} if by_chance else {})
        case events.AWARDED:
            player, card, *_ = row
            return {"do": "award", "to": player, "card": NAMES[card]}
        case events.DECLINED:
            return {"do": "decline"}
        case _:
            return {"do": "void", "of": NAMES[row[0]]}


def append_steps(turns: list[Turn], log: Any) -> None:
    """Append the events of the record `log` to the turns of a game: steps, and turns that began."""
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
            turns[-1]["steps"].append(_make_step(event, row))


States: TypeAlias = np.ndarray[Any, Any]  # records, shape (1,)
Draws: TypeAlias = dict[int, Mapping[int, str]]  # number of the action -> {player: card}


def make_record(
    start: States, actions: Sequence[int], seed: int | None, draws: Draws, agents: Sequence[str] | None
) -> dict[str, Any]:
    """Return the record of a game as a dict that `json.dump` takes; without its end where it is not over.

    It begins at `start`, dealt from `seed`, and goes on by `actions`, where `draws` replace chance's own. Raises
    `ValueError` unless `agents` are one name a player, and for a game that does not begin with its deal.
    """
    names = check_names(agents, int(start[0].players))
    state, players, deal = start[0], int(start[0].players), DEALS[int(start[0].players)]
    sizes = {*zip(state.hand_size[:players].tolist(), state.deck_size[:players].tolist(), strict=True)}
    is_new = state.turns == 1 and state.is_first and state.phase == ACTION and state.last_space == NONE
    if not is_new or sizes != {(deal.hand, deal.deck)}:
        raise ValueError("a game that begins after its deal has no record: how it came to be is not known")
    states, log, turns, texts = start.copy(), np.zeros(1, LOG), begin_turns(start), []
    for number, action in enumerate(actions):
        texts.append(format_option(name_option(states[0], action)))
        with forced_draws(states, draws.get(number, {})):
            record_decision(states, log, action, turns)
    record = {
        "format": FORMAT,
        "ruleset": CASTLE_CARDS,
        "players": len(names),
        "seed": seed,
        "agents": names,
        **make_deal(start[0]),
        "actions": texts,
        "turns": [turn for turn in turns if turn["steps"]],  # the last one may have none
    }
    return record | (make_end(states[0]) if states[0].phase == OVER else {})


def make_deal(state: np.record) -> dict[str, Any]:
    """Return the deal of the cards before the first action, in the format of records."""
    players = range(int(state.players))
    return {
        "hands": [list_cards(state.hand[player].tolist()) for player in players],
        "decks": [
            [NAMES[kind] for kind in state.deck[player, : state.deck_size[player]][::-1].tolist()] for player in players
        ],
        "exchange": list_cards(state.exchange.tolist()),
    }


def list_cards(numbers: Sequence[int]) -> list[str]:
    """Return the names of cards, given their `numbers` by kind."""
    return [NAMES[kind] for kind, number in enumerate(numbers) for _ in range(number)]


def begin_turns(start: States) -> list[Turn]:
    """Return the turns of a game that begins at `start`: the first one, without a step."""
    return [{"player": int(start[0].turn), "steps": []}]


def record_decision(states: States, log: States, action: int, turns: list[Turn]) -> None:
    """Carry out a legal `action` and steps after it that need no decision, and append the outcome to the `turns`."""
    engine.decide(states, log, 0, action)
    append_steps(turns, log[0])
    while engine.pass_over(states, log, 0):
        append_steps(turns, log[0])


@contextmanager
def forced_draws(states: States, drawn: Mapping[int, str]) -> Iterator[None]:
    """Let chance draw these cards, which must be there, from the hands of players: {player: card}."""
    for player, card in drawn.items():
        states[0].forced[player] = KIND_OF[card]
    try:
        yield
    finally:
        states[0].forced[:] = NONE


def make_end(state: np.record) -> dict[str, Any]:
    """Return the entries of a record about the end of a game, which has this `state`."""
    players = int(state.players)
    return {
        "end": END_NAMES[state.end],
        "hands_left": state.hand_size[:players].tolist(),
        "decks_left": state.deck_size[:players].tolist(),
        "winners": list(list_winners(state)),
        "returns": list(list_results(state)),
    }


Cards = Sequence[str]


def list_deal(hands: Sequence[Cards], decks: Sequence[Cards], exchange: Cards) -> npt.NDArray[np.int64]:
    """Return the cards of a deal in the order of `dealing.hand_out`; `decks` are given from the top down.

    Raises `ValueError` for a deal that K3 does not allow.
    """
    deal = DEALS[check_choice("players", len(hands), DEALS)]
    if len(decks) != len(hands):
        raise ValueError(f"decks must be {len(hands)}, one a player as hands, not {len(decks)}")
    sizes = {"hands": deal.hand, "decks": deal.deck, "exchange": deal.exchange}
    for name, piles in (("hands", hands), ("decks", decks), ("exchange", [exchange])):
        for cards in piles:
            if len(cards) != sizes[name]:
                raise ValueError(f"{name} of {len(hands)} players must have {sizes[name]} cards, not {len(cards)}")
    order = [name for hand, deck in zip(hands, decks, strict=True) for name in (*hand, *reversed(deck))]
    order += exchange
    for name in order:
        if name not in KIND_OF:
            raise ValueError(f"{show(name)} is no card; the cards are {show_names(KIND_OF)}")
    for card in CARDS:
        copies = 0 if card.name in deal.left_out else card.copies
        if order.count(card.name) != copies:
            found = order.count(card.name)
            raise ValueError(f"a deal for {len(hands)} players must have {copies} of {show(card.name)}, not {found}")
    return np.array([KIND_OF[name] for name in order], np.int64)
