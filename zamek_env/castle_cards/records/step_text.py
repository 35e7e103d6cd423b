"""Describes steps of records of castle-cards in sentences: what all see of them, and what only some know."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.notation.describe import describe_place
from zamek_env.castle_cards.records.shape import read_space
from zamek_env.castle_cards.records.write import States, Turn, record_decision
from zamek_env.common.player_names import conjugate, name_hand, name_pawn, name_player, tell_player

Step: TypeAlias = Mapping[str, Any]


class Sentence(NamedTuple):
    """A step in a sentence."""

    seen: str  # by all
    hidden: str = ""  # the same with what only some know; "" where all know it
    knowing: tuple[int, ...] = ()  # the players who know it

    def words_for(self, viewer: int | None) -> str:
        """Return the words for `viewer`, a player or None for somebody who sees only what all see."""
        return self.hidden if viewer in self.knowing else self.seen


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
    space = read_space(list(at))
    assert space is not None  # the engine has written it
    return describe_place(space)
