"""Steps of records of castle-cards as sentences: what all see of them, and what only some know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from zamek_env.castle_cards.describe import describe_place
from zamek_env.castle_cards.record_shape import read_space

Step: TypeAlias = Mapping[str, Any]


def tell_step(player: int, step: Step) -> tuple[str, str]:
    """Return (what all see of a `step` in the turn of `player`, what of it is hidden from some; "" for nothing)."""
    do = step["do"]
    if do in _HIDING:
        return _HIDING[do](player, step)
    return _OPEN[do](player, step), ""


# --- steps of which a part is hidden (rule K10) ---


def _tell_draw(player, step):
    return f"Player {player} draws a card.", f"Player {player} draws {step['card']}."


def _tell_steal(player, step):
    other = step["from"]
    words = f"Player {player} draws a card from the hand of player {other} and gives one in return."
    return words, f"Player {player} draws {step['card']} from the hand of player {other} and gives {step['give']}."


def _tell_give(_, step):
    way = f"from the hand of player {step['from']} to player {step['to']}"
    chance = ", drawn at random" if "chance" in step else ""
    return f"A card goes {way}{chance}.", f"{step['card']} goes {way}."


_HIDING: dict[str, Callable[[int, Step], tuple[str, str]]] = {
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
