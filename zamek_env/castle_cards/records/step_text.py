"""Steps of records of castle-cards as sentences: what all see of them, and what only some know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.notation.describe import describe_place
from zamek_env.castle_cards.records.log_steps import Turn
from zamek_env.castle_cards.records.shape import read_space
from zamek_env.castle_cards.records.write import States, record_decision
from zamek_env.common.player_names import conjugate, name_hand, name_pawn, name_player, tell_player

Step: TypeAlias = Mapping[str, Any]


class Sentence(NamedTuple):
    """A step in a sentence."""

    seen: str  # by all
    hidden: str = ""  # the same with what only some know; "" where all know it
    knowing: tuple[int, ...] = ()  # the players who know it

    def words_for(self, viewer: int | None) -> str:
        """Return what `viewer` knows, a player or None for somebody who sees only what all see."""
        return self.hidden if viewer in self.knowing else self.seen


def record_news(states: States, action: int, turns: list[Turn], names: Sequence[str] = ()) -> list[Sentence]:
    """Carry out a legal `action` in `states`, and return what it brought in words, as `describe_step` does.

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
    """Return a `step` in the turn of `player` in words, with the players' `names`, if they have some."""
    do = step["do"]
    return _HIDING[do](player, step, names) if do in _HIDING else Sentence(_OPEN[do](player, step, names))


# --- steps of which a part is hidden (rule K10) ---


def _describe_draw(player, step, names):
    draws = tell_player(player, names, "draws")
    return Sentence(f"{draws} a card.", f"{draws} {step['card']}.", (player,))


def _describe_steal(player, step, names):
    other, draws, gives = step["from"], tell_player(player, names, "draws"), conjugate("gives", player, names)
    words = f"{draws} a card from {name_hand(other, names)} and {gives} one in return."
    hidden = f"{draws} {step['card']} from {name_hand(other, names)} and {gives} {step['give']}."
    return Sentence(words, hidden, (player, other))


def _describe_give(_, step, names):
    way = f"from {name_hand(step['from'], names)} to {name_player(step['to'], names)}"
    chance = ", drawn at random" if "chance" in step else ""
    return Sentence(f"A card goes {way}{chance}.", f"{step['card']} goes {way}{chance}.", (step["from"], step["to"]))


_HIDING: dict[str, Callable[[int, Step, Sequence[str]], Sentence]] = {
    "draw": _describe_draw,
    "steal": _describe_steal,
    "give": _describe_give,
}

# --- steps that all see ---


def _describe_exchange(player, step, names):
    takes = conjugate("takes", player, names)
    return f"{tell_player(player, names, 'gives')} {step['give']} and {takes} {step['take']} from the exchange."


def _describe_play(player, step, names):
    source = " of the exchange" if "from" in step else ""
    return f"{tell_player(player, names, 'plays')} {step['card']}{source} {_describe_at(step['at'])}."


def _describe_take_back(_, step, names):
    to = "to the exchange" if step["to"] == "exchange" else f"to {name_hand(step['to'], names)}"
    why = ", because of the siege" if "why" in step else ""
    by = f", as {name_player(step['by'], names)} {conjugate('decides', step['by'], names)}" if "by" in step else ""
    return f"{step['card']} goes back {to} from {_describe_at(step['at']).removeprefix('on ')}{why}{by}."


def _describe_move(_, step, names):
    return f"The card {_describe_at(step['at'])} is now {_describe_at(step['to'])}."


def _describe_pawns(_, step, names):
    changes = (
        f"{card} {_describe_at(at)} has {'no pawn' if pawn is None else name_pawn(pawn, names)}"
        for at, _, card, pawn in step["set"]
    )
    return _list_all("Pawns change", changes)


def _describe_rearrange(_, step, names):
    return _list_all("Cards are laid anew", (f"{card} {_describe_at(at)}" for at, card in step["set"]))


def _describe_swap(player, step, names):
    given, taken = (" and ".join(step[name]) for name in ("give", "take"))
    takes = conjugate("takes", player, names)
    return f"{tell_player(player, names, 'gives')} {given}, and {takes} {taken} from the exchange."


def _describe_pass(player, _, names):
    return f"{tell_player(player, names, 'can')} do nothing and {conjugate('passes', player, names)}."


_OPEN: dict[str, Callable[[int, Step, Sequence[str]], str]] = {
    "exchange": _describe_exchange,
    "pass": _describe_pass,
    "play": _describe_play,
    "take_back": _describe_take_back,
    "move": _describe_move,
    "remove": lambda _, step, names: f"The card {_describe_at(step['at'])} leaves the game.",
    "to_exchange": lambda _, step, names: f"The card {_describe_at(step['at'])} goes to the exchange.",
    "pawns": _describe_pawns,
    "rearrange": _describe_rearrange,
    "swap": _describe_swap,
    "award": lambda _, step, names: f"{tell_player(step['to'], names, 'gets')} {step['card']} of the exchange.",
    "decline": lambda player, _, names: f"{tell_player(player, names, 'leaves')} that part out.",
    "void": lambda _, step, names: f"{step['of']} has no effect.",
}


def _describe_at(at: Sequence[Any]) -> str:
    space = read_space(list(at))
    assert space is not None  # the engine has written it
    return describe_place(space)


def _list_all(what, changes):
    words = "; ".join(changes)
    return f"{what}: {words}." if words else f"{what} nowhere."
