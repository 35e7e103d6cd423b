"""Which options of a decision agree with what a record says next: how records of castle-cards are followed.

A record lists steps, and a step may be the outcome of several decisions. So there may be more than one option that
agrees; whoever follows the record tries them in order.
"""

from collections.abc import Mapping, Sequence
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
        wanted = _find_wanted(state, steps)
    except (KeyError, TypeError, ValueError):  # another kind of step, or fields or entries of another one
        return []
    if wanted is None:
        return list(legal)
    return [option for option in wanted if option in legal]


def sort_step(step: Step) -> dict[str, Any]:
    """Return a step with its lists in order, where the order is free: steps that say the same become equal."""
    free = {key for key in ("set", "give", "take") if isinstance(step.get(key), list)}
    return {key: sorted(value, key=repr) if key in free else value for key, value in step.items()}


def _find_wanted(state: np.record, steps: Sequence[Step]) -> list[Option] | None:
    """Return the options wanted, by the phase of `state`; None where all agree."""
    step = steps[0]
    match int(state.phase):
        case actions.ACTION if step["do"] == "exchange":
            return [("give", step["give"])]
        case actions.ACTION if step["do"] == "play" and "from" not in step:
            return [("play", step["card"])]
        case actions.ACTION if step["do"] == "draw":
            return [("draw",)]
        case actions.TAKE:
            return [("card", step["take"])]
        case actions.PLACE | actions.TARGET:
            return [("space", read_space(step["at"]))]
        case actions.MOVE_FROM:
            return [("decline",)] if step["do"] == "decline" else [("space", read_space(step["at"]))]
        case actions.MOVE_TO:
            return [("space", read_space(step["to"]))]
        case actions.PILE:
            left = _list_unchanged(state, step["set"])
            return None if left is None else [("space", space) for space, _ in left]
        case actions.LEVEL:
            left = _list_unchanged(state, step["set"])
            return None if left is None else [("level", level) for _, level in left]
        case actions.SWAP_GIVE | actions.SWAP_TAKE:  # of the Alchemist; the order of the record comes first
            cards = step["give" if state.phase == actions.SWAP_GIVE else "take"]
            done = int(state.progress) % len(cards) if cards else 0
            return [("card", card) for card in (*cards[done:], *cards[:done])]
        case actions.PLAYER:
            return [("player", step["from" if step["do"] == "steal" else "to"])]
        case actions.STEAL_GIVE:
            return [("card", step["give"])]
        case actions.AWARD | actions.COUNSEL:
            return [("card", step["card"])]
        case actions.PASS_ON:
            return [("card", one["card"]) for one in steps if one["do"] == "give" and one["from"] == state.decider][:1]
        case actions.ARRANGE:  # the card that the Minstrel puts on the next space, by row, then column
            laid = {tuple(where): card for where, card in step["set"]}
            return [("card", laid[space]) for space in sorted(laid)[state.progress : state.progress + 1]]
        case actions.PAWN:  # the one that the Spy puts on the next of the adjacent cards, by row, column and level
            pawns = {(read_space(where), level): pawn for where, level, _, pawn in step["set"]}
            around, piles = int(NEIGHBOURS[state.where[SPY]]), list_piles(state)
            spaces = [name_space(state, space) for space in range(len(NEIGHBOURS)) if around >> space & 1]
            places = [(space, level, pawn) for space in spaces for level, (_, pawn) in enumerate(piles.get(space, []))]
            return [("pawn", pawns.get((space, level), pawn)) for space, level, pawn in places[state.progress :][:1]]
    return []


def _list_unchanged(state, entries):
    """Return [(space, level), …] of the pawns in a `set` that have not changed yet; None where the set is empty."""
    piles, left = list_piles(state), []
    for where, level, _, pawn in entries:
        space = read_space(where)
        pile = piles.get(space, []) if space else []
        if level < len(pile) and pile[level][1] != pawn:
            left.append((space, level))
    return left if entries else None
