"""Steps of records of castle-cards as sentences: what all see of them, and what only some know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.notation.describe import describe_place
from zamek_env.castle_cards.records.shape import read_space
from zamek_env.castle_cards.records.telling import Turn
from zamek_env.castle_cards.records.write import States, tell_decision

Step: TypeAlias = Mapping[str, Any]


class Told(NamedTuple):
    """A step in a sentence."""

    seen: str  # by all
    hidden: str = ""  # the same with what only some know; "" where all know it
    knowing: tuple[int, ...] = ()  # the players who know it

    def tell(self, viewer: int | None) -> str:
        """Return what `viewer` knows, a player or None for somebody who sees only what all see."""
        return self.hidden if viewer in self.knowing else self.seen


def tell_news(states: States, action: int, turns: list[Turn]) -> list[Told]:
    """Carry out a legal `action` in `states`, append to `turns` what it brought, as records have it, and return it."""
    turn, done = len(turns) - 1, len(turns[-1]["steps"])
    tell_decision(states, np.zeros(1, LOG), action, turns)
    first, *later = turns[turn:]
    steps = [(first["player"], step) for step in first["steps"][done:]]
    steps += [(other["player"], step) for other in later for step in other["steps"]]
    return [tell_step(player, step) for player, step in steps]


def tell_step(player: int, step: Step) -> Told:
    """Return a `step` in the turn of `player` in words."""
    do = step["do"]
    return _HIDING[do](player, step) if do in _HIDING else Told(_OPEN[do](player, step))


# --- steps of which a part is hidden (rule K10) ---


def _tell_draw(player, step):
    return Told(f"Player {player} draws a card.", f"Player {player} draws {step['card']}.", (player,))


def _tell_steal(player, step):
    other = step["from"]
    words = f"Player {player} draws a card from the hand of player {other} and gives one in return."
    hidden = f"Player {player} draws {step['card']} from the hand of player {other} and gives {step['give']}."
    return Told(words, hidden, (player, other))


def _tell_give(_, step):
    way = f"from the hand of player {step['from']} to player {step['to']}"
    chance = ", drawn at random" if "chance" in step else ""
    return Told(f"A card goes {way}{chance}.", f"{step['card']} goes {way}{chance}.", (step["from"], step["to"]))


_HIDING: dict[str, Callable[[int, Step], Told]] = {
    "draw": _tell_draw,
    "steal": _tell_steal,
    "give": _tell_give,
}

# --- steps that all see ---


def _tell_exchange(player, step):
    return f"Player {player} gives {step['give']} and takes {step['take']} from the exchange."


def _tell_play(player, step):
    source = " of the exchange" if "from" in step else ""
    return f"Player {player} plays {step['card']}{source} {_tell_place(step['at'])}."


def _tell_take_back(_, step):
    to = "to the exchange" if step["to"] == "exchange" else f"to the hand of player {step['to']}"
    why = ", because of the siege" if "why" in step else ""
    by = f", as player {step['by']} decides" if "by" in step else ""
    return f"{step['card']} goes back {to} from {_tell_place(step['at'])}{why}{by}."


def _tell_move(_, step):
    return f"The card {_tell_place(step['at'])} is now {_tell_place(step['to'])}."


def _tell_pawns(_, step):
    changes = (
        f"{card} {_tell_place(at)} has {'no pawn' if pawn is None else f'a pawn of player {pawn}'}"
        for at, _, card, pawn in step["set"]
    )
    return _list_all("Pawns change", changes)


def _tell_rearrange(_, step):
    return _list_all("Cards are laid anew", (f"{card} {_tell_place(at)}" for at, card in step["set"]))


def _tell_swap(player, step):
    given, taken = (" and ".join(step[name]) for name in ("give", "take"))
    return f"Player {player} gives {given}, and takes {taken} from the exchange."


_OPEN: dict[str, Callable[[int, Step], str]] = {
    "exchange": _tell_exchange,
    "pass": lambda player, _: f"Player {player} can do nothing and passes.",
    "play": _tell_play,
    "take_back": _tell_take_back,
    "move": _tell_move,
    "remove": lambda _, step: f"The card {_tell_place(step['at'])} leaves the game.",
    "to_exchange": lambda _, step: f"The card {_tell_place(step['at'])} goes to the exchange.",
    "pawns": _tell_pawns,
    "rearrange": _tell_rearrange,
    "swap": _tell_swap,
    "award": lambda _, step: f"Player {step['to']} gets {step['card']} of the exchange.",
    "decline": lambda player, _: f"Player {player} leaves that part out.",
    "void": lambda _, step: f"{step['of']} has no effect.",
}


def _tell_place(at: Sequence[Any]) -> str:
    space = read_space(list(at))
    assert space is not None  # the engine has written it
    return describe_place(space)


def _list_all(what, changes):
    told = "; ".join(changes)
    return f"{what}: {told}." if told else f"{what} nowhere."
