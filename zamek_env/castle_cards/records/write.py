"""Game records of castle-cards, format `castle-record/1`: written from the deal and the actions played."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from zamek_env.castle_cards.components.cards import DEALS, KIND_OF, NAMES
from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import END_NAMES, NONE
from zamek_env.castle_cards.layout.actions import ACTION, OVER
from zamek_env.castle_cards.notation.option_line import format_option
from zamek_env.castle_cards.notation.option_names import name_option
from zamek_env.castle_cards.notation.position import list_results, list_winners
from zamek_env.castle_cards.records.log_steps import Turn, append_steps
from zamek_env.castle_cards.records.shape import FORMAT
from zamek_env.common.player_names import check_names
from zamek_env.components.box_folder import CASTLE_CARDS

States: TypeAlias = np.ndarray[Any, Any]  # records, shape (1,)
Draws: TypeAlias = dict[int, Mapping[int, str]]  # number of the action -> {player: card}


def make_record(
    start: States, actions: Sequence[int], seed: int | None, draws: Draws, agents: Sequence[str] | None
) -> dict[str, Any]:
    """Return the record of a game as a dict that `json.dump` takes; without its end where it is not over.

    It begins as `start` stands, dealt from `seed`, and goes on by `actions`, where `draws` replace chance's own.
    Raises `ValueError` unless `agents` are one name a player, and for a game that does not begin with its deal.
    """
    names = check_names(agents, int(start[0].players))
    if not _is_deal(start[0]):
        raise ValueError("a game that begins after its deal has no record: how it came to be is not known")
    states, turns, texts = _play_again(start, actions, draws)
    record = {
        "format": FORMAT,
        "ruleset": CASTLE_CARDS,
        "players": len(names),
        "seed": seed,
        "agents": names,
        **make_deal(start[0]),
        "actions": texts,
        "turns": [turn for turn in turns if turn["steps"]],
    }
    return record | (make_end(states[0]) if states[0].phase == OVER else {})


def _is_deal(state):
    """Return whether a game stands as it was dealt, before its first action."""
    deal, players = DEALS[int(state.players)], int(state.players)
    sizes = {*zip(state.hand_size[:players].tolist(), state.deck_size[:players].tolist(), strict=True)}
    is_new = state.turns == 1 and state.is_first and state.phase == ACTION
    return bool(is_new and state.last_space == NONE and sizes == {(deal.hand, deal.deck)})


def make_deal(state: np.record) -> dict[str, Any]:
    """Return how the cards lie before the first action, as records have it."""
    players = range(int(state.players))
    return {
        "hands": [list_cards(state.hand[player].tolist()) for player in players],
        "decks": [
            [NAMES[kind] for kind in state.deck[player, : state.deck_size[player]][::-1].tolist()] for player in players
        ],
        "exchange": list_cards(state.exchange.tolist()),
    }


def list_cards(numbers: Sequence[int]) -> list[str]:
    """Return the names of cards of which there are so many, by kind."""
    return [NAMES[kind] for kind, number in enumerate(numbers) for _ in range(number)]


def _play_again(start, actions, draws):
    """Return (states, shape `(1,)`, turns, actions as texts) of a game after its `actions`, as records hold them.

    The last turn may have no step.
    """
    states, log, turns, texts = start.copy(), np.zeros(1, LOG), begin_turns(start), []
    for number, action in enumerate(actions):
        texts.append(format_option(name_option(states[0], action)))
        with forced_draws(states, draws.get(number, {})):
            record_decision(states, log, action, turns)
    return states, turns, texts


def begin_turns(start: States) -> list[Turn]:
    """Return the turns of a game that begins as `start` stands: the first one, without a step."""
    return [{"player": int(start[0].turn), "steps": []}]


def record_decision(states: States, log: States, action: int, turns: list[Turn]) -> None:
    """Carry out a legal `action` and what needs no decision after it, and append to the `turns` what that brought."""
    calls.decide(states, log, 0, action)
    append_steps(turns, log[0])
    while calls.pass_over(states, log, 0):
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
