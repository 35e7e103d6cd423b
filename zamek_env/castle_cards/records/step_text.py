"""Castle in words: what an action does, and steps of records in sentences, which tell players only what they know."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from zamek_env.castle_cards.components.box import ASSASSIN, CONSPIRATOR, COURTESAN, FAIRY, MAGICIAN, MERCHANT
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.notation.action_line import Space, list_piles, name_option, name_space
from zamek_env.castle_cards.notation.position import find_zone
from zamek_env.castle_cards.records.write import States, Turn, record_decision
from zamek_env.common.player_names import (
    Sentence,
    conjugate,
    name_hand,
    name_owned,
    name_pawn,
    name_player,
    tell_player,
)

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


Step: TypeAlias = Mapping[str, Any]


def record_news(states: States, action: int, turns: list[Turn], names: Sequence[str] = ()) -> list[Sentence]:
    """Carry out a legal `action` in `states`, and return its outcome in words, as `describe_step` does.

    Appends that to `turns`, as records have it.
    """
    return [describe_step(player, step, names) for player, step in record_steps(states, action, turns)]


def record_steps(states: States, action: int, turns: list[Turn]) -> list[tuple[int, Step]]:
    """Do as `record_news`, and return the steps themselves, each with the player whose turn it is."""
    turn, done = len(turns) - 1, len(turns[-1]["steps"])
    record_decision(states, np.zeros(1, LOG), action, turns)
    first, *later = turns[turn:]
    steps = [(first["player"], step) for step in first["steps"][done:]]
    return steps + [(other["player"], step) for other in later for step in other["steps"]]


def describe_step(player: int, step: Step, names: Sequence[str] = ()) -> Sentence:
    """Return a `step` in the turn of `player` in words, with the players' `names`, if they have some.

    Parts of some steps are hidden (rule K10).
    """
    draws, gives = tell_player(player, names, "draws"), conjugate("gives", player, names)
    match step["do"]:
        case "draw":
            return Sentence(f"{draws} a card.", f"{draws} {step['card']}.", (player,))
        case "steal":
            hand = name_hand(step["from"], names)
            words = f"{draws} a card from {hand} and {gives} one in return."
            hidden = f"{draws} {step['card']} from {hand} and {gives} {step['give']}."
            return Sentence(words, hidden, (player, step["from"]))
        case "give":
            way = f"from {name_hand(step['from'], names)} to {name_player(step['to'], names)}"
            way += ", drawn at random" if "chance" in step else ""
            return Sentence(f"A card goes {way}.", f"{step['card']} goes {way}.", (step["from"], step["to"]))
    return Sentence(_describe_open(player, step, names))


def _describe_open(player: int, step: Step, names: Sequence[str]) -> str:
    """Return a step that all see, in words."""
    gives, takes = tell_player(player, names, "gives"), conjugate("takes", player, names)
    match step["do"]:
        case "exchange":
            return f"{gives} {step['give']} and {takes} {step['take']} from the exchange."
        case "pass":
            return f"{tell_player(player, names, 'can')} do nothing and {conjugate('passes', player, names)}."
        case "play":
            source = " of the exchange" if "from" in step else ""
            return f"{tell_player(player, names, 'plays')} {step['card']}{source} {_describe_at(step['at'])}."
        case "take_back":
            to = "to the exchange" if step["to"] == "exchange" else f"to {name_hand(step['to'], names)}"
            why = ", because of the siege" if "why" in step else ""
            if "by" in step:
                why += f", as {name_player(step['by'], names)} {conjugate('decides', step['by'], names)}"
            return f"{step['card']} goes back {to} from {_describe_at(step['at']).removeprefix('on ')}{why}."
        case "move":
            return f"The card {_describe_at(step['at'])} is now {_describe_at(step['to'])}."
        case "remove":
            return f"The card {_describe_at(step['at'])} leaves the game."
        case "to_exchange":
            return f"The card {_describe_at(step['at'])} goes to the exchange."
        case "pawns":
            changes = [
                f"{card} {_describe_at(at)} has {'no pawn' if pawn is None else name_pawn(pawn, names)}"
                for at, _, card, pawn in step["set"]
            ]
            return f"Pawns change: {'; '.join(changes)}." if changes else "Pawns change nowhere."
        case "rearrange":
            laid = "; ".join(f"{card} {_describe_at(at)}" for at, card in step["set"])
            return f"Cards are laid anew: {laid}." if laid else "Cards are laid anew nowhere."
        case "swap":
            given, taken = (" and ".join(step[name]) for name in ("give", "take"))
            return f"{gives} {given}, and {takes} {taken} from the exchange."
        case "award":
            return f"{tell_player(step['to'], names, 'gets')} {step['card']} of the exchange."
        case "decline":
            return f"{tell_player(player, names, 'leaves')} that part out."
        case _:
            return f"{step['of']} has no effect."


def _describe_at(at: Sequence[Any]) -> str:
    return describe_place(tuple(at))
