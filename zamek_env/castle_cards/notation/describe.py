"""Describes actions in words for a person, from the phase of the game and the option chosen."""

from collections.abc import Sequence

import numpy as np

from zamek_env.castle_cards.components.box import ASSASSIN, CONSPIRATOR, COURTESAN, FAIRY, MAGICIAN, MERCHANT
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.notation.options import Space, list_piles, name_option, name_space
from zamek_env.castle_cards.notation.position import find_zone
from zamek_env.common.player_names import name_hand, name_owned, name_pawn, name_player

_CARDS = {  # by phase: what is done with the card
    actions.TAKE: "take {card} from the exchange",
    actions.SWAP_GIVE: "put {card} into the exchange",
    actions.SWAP_TAKE: "take {card} from the exchange",
    actions.STEAL_GIVE: "give {card} in return",
    actions.AWARD: "give {card} of the exchange to {other}",
    actions.PASS_ON: "pass {card} to the left",
    actions.COUNSEL: "play {card} from the exchange",
}


def describe(state: np.record, action: int, names: Sequence[str] = ()) -> str:
    """Return what a legal `action` does in a game, in words, with the players' `names`, if they have some.

    They reveal nothing that the player to decide does not know.
    """
    word, *rest = name_option(state, action)
    if word == "draw":
        return "draw a card from the deck"
    if word == "decline":
        return f"leave that part of the {NAMES[state.effect]} out"
    if word == "give":
        return f"exchange {rest[0]}"
    if word == "play":
        return f"play {rest[0]}"
    if word == "card":
        if state.phase == actions.ARRANGE:
            spaces = [space for space in range(state.height.size) if state.arranging >> space & 1]
            return f"lay {rest[0]} {describe_place(name_space(state, spaces[state.progress]))}"
        return _CARDS[int(state.phase)].format(card=rest[0], other=name_player(int(state.other), names))
    if word == "space":
        return _describe_space(state, rest[0], names)
    if word == "level":
        where = name_space(state, int(state.source))
        return f"choose the pawn of {_describe_owned(state, where, names, rest[0])} {describe_place(where)}"
    if word == "player":
        if state.effect == COURTESAN:
            return f"draw a card from {name_hand(rest[0], names)}"
        return f"give a card of the exchange to {name_player(rest[0], names)}"
    return "let no pawn come to the next card" if rest[0] is None else f"let {name_pawn(rest[0], names)} come there"


def _describe_space(state: np.record, space: Space, names: Sequence[str]) -> str:
    phase, where = int(state.phase), describe_place(space)
    if phase == actions.PLACE:
        return f"play {NAMES[state.card]} {where}"
    if phase == actions.MOVE_TO:
        source = name_space(state, int(state.source))
        return f"move {_describe_owned(state, source, names)} {where}"
    describe_owned = _describe_choosable if phase == actions.PILE else _describe_owned
    return f"{_find_verb(state)} {describe_owned(state, space, names)} {where}"


def _describe_choosable(state, space, names):
    """Return the cards of a pile whose pawn can be chosen now, with the owners; the lowest first."""
    effect, found = int(state.effect), []
    is_second = effect == CONSPIRATOR and state.progress > 0 and name_space(state, int(state.picked[0])) == space
    for level, (_, pawn) in enumerate(list_piles(state)[space]):
        is_own = effect == MERCHANT and pawn == state.turn
        if pawn is not None and not is_own and not (is_second and level == state.picked[1]):
            found.append(_describe_owned(state, space, names, level))
    return " or ".join(found)


def _find_verb(state):
    phase, effect = int(state.phase), int(state.effect)
    if phase == actions.MOVE_FROM:
        return "move"
    if phase == actions.PILE:
        verbs = {MERCHANT: "replace a pawn of", CONSPIRATOR: "swap a pawn of"}
        return verbs.get(effect, "remove a pawn of")
    verbs = {ASSASSIN: "remove", MAGICIAN: "put into the exchange", FAIRY: "move to the outside"}
    return verbs.get(effect, "take back")


def _describe_owned(state: np.record, space: Space, names: Sequence[str], level: int = -1) -> str:
    """Return the card on that level of a pile, by default the uncovered one, and the owner of the pawn on it."""
    card, pawn = list_piles(state)[space][level]
    return f"{card} without a pawn" if pawn is None else name_owned(card, pawn, names)


def describe_place(space: Space) -> str:
    """Return where a space lies, in words that continue a sentence."""
    if space[0] == "siege":
        return f"before the rampart {space[1]}"
    if space[0] == "outside":
        return f"outside, place {space[1]}"
    return f"on {space[0]},{space[1]} ({find_zone(space)})"
