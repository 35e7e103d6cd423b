"""Actions of the engine as options in words, and back again; where places outside are meant, it takes the game."""

import numpy as np

from zamek_env.castle_cards.actions import (
    CARD_BASE,
    DECLINE,
    DRAW,
    GIVE_BASE,
    GROUP_BASES,
    GROUP_SIZES,
    LEVEL_BASE,
    NO_PAWN,
    PAWN_BASE,
    PLAY_BASE,
    PLAYER_BASE,
    SPACE_BASE,
)
from zamek_env.castle_cards.cards import KIND_OF, NAMES
from zamek_env.castle_cards.notation import Option
from zamek_env.castle_cards.position import find_space, name_space
from zamek_env.castle_cards.sizes import FIRST_OUTSIDE

_WORDS = (  # the first action of each group of options, from the last one on
    (PAWN_BASE, "pawn"), (PLAYER_BASE, "player"), (LEVEL_BASE, "level"), (SPACE_BASE, "space"), (CARD_BASE, "card"),
    (PLAY_BASE, "play"), (GIVE_BASE, "give"), (DECLINE, "decline"), (DRAW, "draw"),
)  # fmt: skip
_BASES = {word: base for base, word in _WORDS}


def name_option(state: np.record, action: int) -> Option | None:
    """Return what `action`, a number of the layout, stands for in a game, legal or not.

    None where it stands for a place outside that is neither taken nor the next one.
    """
    base, word = next((base, word) for base, word in _WORDS if action >= base)
    number = action - base
    if word in ("draw", "decline"):
        return (word,)
    if word in ("give", "play", "card"):
        return (word, NAMES[number])
    if word == "space":
        is_beyond = number > FIRST_OUTSIDE + state.outside_count
        return None if is_beyond else ("space", name_space(state, number))
    return (word, None if word == "pawn" and number == NO_PAWN else number)


def find_action(state: np.record, option: Option) -> int | None:
    """Return the action that `option` stands for in a game, None where it names a place outside that is not there."""
    word, *rest = option
    if not rest:
        return _BASES[word]
    if word == "space":
        space = find_space(state, rest[0])
        return None if space is None else SPACE_BASE + space
    number = KIND_OF[rest[0]] if word in ("give", "play", "card") else NO_PAWN if rest[0] is None else int(rest[0])
    return _BASES[word] + number


def list_legal(state: np.record) -> list[Option]:
    """Return what the legal actions stand for, in ascending order of their numbers."""
    named = (name_option(state, action) for action in list_actions(state))
    return [option for option in named if option is not None]


def list_actions(state: np.record) -> list[int]:
    """Return the legal actions in ascending order."""
    return [
        base + bit
        for base, size, word in zip(GROUP_BASES, GROUP_SIZES, state.options.tolist(), strict=True)
        for bit in range(size)
        if word >> bit & 1
    ]
