"""Which options of a decision agree with what a record says next: how records of castle-cards are followed.

A record lists steps, and a step may be the outcome of several decisions. So there may be more than one option that
agrees; whoever follows the record tries them in order.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from zamek_env.castle_cards.components.kinds import SPY
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import NEIGHBOURS
from zamek_env.castle_cards.notation.option_names import Option, list_piles, name_space
from zamek_env.castle_cards.records.shape import read_space

Step = Mapping[str, Any]


def find_agreeing(state: np.record, steps: Sequence[Step], legal: Sequence[Option]) -> list[Option]:
    """Return those of the `legal` options that agree with `steps`, what the record says from here to the turn's end.

    `state` is the state of the game before the decision. What a decision asks for follows from its phase.
    """
    if not steps:
        return []
    try:
        wanted = _FINDERS[int(state.phase)](state, steps)
    except (KeyError, TypeError, ValueError):  # another kind of step, or fields or entries of another one
        return []
    if wanted is None:
        return list(legal)
    return [option for option in wanted if option in legal]


def sort_step(step: Step) -> dict[str, Any]:
    """Return a step with its lists in order, where the order is free: steps that say the same become equal."""
    return {key: sorted(value, key=repr) if _is_free(key, value) else value for key, value in step.items()}


def _is_free(key, value):
    return key in ("set", "give", "take") and isinstance(value, list)


# --- a finder for each phase: the options wanted, None where all agree ---


def _find_action(_, steps):
    step = steps[0]
    if step["do"] == "exchange":
        return [("give", step["give"])]
    if step["do"] == "play":
        return [("play", step["card"])] if "from" not in step else []
    return [("draw",)] if step["do"] == "draw" else []


def _find_source(_, steps):
    return [("decline",)] if steps[0]["do"] == "decline" else [("space", read_space(steps[0]["at"]))]


def _find_card(field):
    return lambda _, steps: [("card", steps[0][field])]


def _find_swapped(field):
    """Return a finder of the next card that the Alchemist gives or takes; the order of the record comes first."""

    def find(state, steps):
        cards = steps[0][field]
        done = int(state.progress) % len(cards) if cards else 0
        return [("card", card) for card in (*cards[done:], *cards[:done])]

    return find


def _find_space(field):
    return lambda _, steps: [("space", read_space(steps[0][field]))]


def _find_player(_, steps):
    return [("player", steps[0]["from" if steps[0]["do"] == "steal" else "to"])]


def _find_passed(state, steps):
    return [("card", step["card"]) for step in steps if step["do"] == "give" and step["from"] == state.decider][:1]


def _find_pile(state, steps):
    left = _list_unchanged(state, steps[0]["set"])
    return None if left is None else [("space", space) for space, _ in left]


def _find_level(state, steps):
    left = _list_unchanged(state, steps[0]["set"])
    return None if left is None else [("level", level) for _, level in left]


def _list_unchanged(state, entries):
    """Return [(space, level), …] of the pawns in a `set` that have not changed yet; None where the set is empty."""
    piles, left = list_piles(state), []
    for where, level, _, pawn in entries:
        space = read_space(where)
        pile = piles.get(space, []) if space else []
        if level < len(pile) and pile[level][1] != pawn:
            left.append((space, level))
    return left if entries else None


def _find_arranged(state, steps):
    """Return the card that the Minstrel puts on the next space, by row, then column."""
    cards = {tuple(where): card for where, card in steps[0]["set"]}
    return [("card", cards[space]) for space in sorted(cards)[state.progress : state.progress + 1]]


def _find_pawn(state, steps):
    """Return the pawn that the Spy puts on the next of the adjacent cards, by row, column and level."""
    pawns = {(read_space(where), level): pawn for where, level, _, pawn in steps[0]["set"]}
    around = int(NEIGHBOURS[state.where[SPY]])
    piles = list_piles(state)
    spaces = [name_space(state, space) for space in range(len(NEIGHBOURS)) if around >> space & 1]
    places = [(space, level, pawn) for space in spaces for level, (_, pawn) in enumerate(piles.get(space, []))]
    return [("pawn", pawns.get((space, level), pawn)) for space, level, pawn in places[state.progress :][:1]]


_FINDERS: dict[int, Callable[[np.record, Sequence[Step]], list[Option] | None]] = {
    actions.ACTION: _find_action,
    actions.TAKE: _find_card("take"),
    actions.PLACE: _find_space("at"),
    actions.TARGET: _find_space("at"),
    actions.MOVE_FROM: _find_source,
    actions.MOVE_TO: _find_space("to"),
    actions.PILE: _find_pile,
    actions.LEVEL: _find_level,
    actions.SWAP_GIVE: _find_swapped("give"),
    actions.SWAP_TAKE: _find_swapped("take"),
    actions.PLAYER: _find_player,
    actions.STEAL_GIVE: _find_card("give"),
    actions.AWARD: _find_card("card"),
    actions.PASS_ON: _find_passed,
    actions.COUNSEL: _find_card("card"),
    actions.ARRANGE: _find_arranged,
    actions.PAWN: _find_pawn,
}
