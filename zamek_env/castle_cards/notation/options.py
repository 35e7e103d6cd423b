"""Options in words as actions of the engine. Where places outside are meant, that takes the game."""

import numpy as np

from zamek_env.castle_cards.components.cards import KIND_OF
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE, FIRST_SLOT
from zamek_env.castle_cards.layout.actions import (
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
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.option_names import Option, Space, name_option

_BASES = {
    "draw": DRAW,
    "decline": DECLINE,
    "give": GIVE_BASE,
    "play": PLAY_BASE,
    "card": CARD_BASE,
    "space": SPACE_BASE,
    "level": LEVEL_BASE,
    "player": PLAYER_BASE,
    "pawn": PAWN_BASE,
}


def find_space(state: np.record, space: Space) -> int | None:
    """Return the number of a space, None of a place outside that is neither taken nor the next one."""
    first, second = space
    if not isinstance(first, str):
        return first * WIDTH + int(second)
    if first == "siege":
        return FIRST_SLOT + SIDES.index(str(second))
    numbers = [*state.outside_number[: state.outside_count].tolist(), int(state.next_number)]
    return FIRST_OUTSIDE + numbers.index(second) if second in numbers else None


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
    return [name_option(state, action) for action in list_actions(state)]


def list_actions(state: np.record) -> list[int]:
    """Return the legal actions in ascending order."""
    return [
        base + bit
        for base, size, word in zip(GROUP_BASES, GROUP_SIZES, state.options.tolist(), strict=True)
        for bit in range(size)
        if word >> bit & 1
    ]
