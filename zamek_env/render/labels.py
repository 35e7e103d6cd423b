"""Short words for what lies next to the castle, the same in every picture, and a check of what is drawn."""

from collections.abc import Sequence
from typing import Any

from zamek_env.common.messages import show, show_count
from zamek_env.common.player_names import name_player
from zamek_env.components.model import Components, Tile
from zamek_env.notation.position import Position


def phase_words(position: Position, names: Sequence[str] = ()) -> str:
    """Return whose turn it is and what to do."""
    if position.phase == "over":
        return "game over"
    return f"{name_player(position.player, names)}: {position.phase}"


def tile_words(position: Position) -> str:
    """Return a caption of the tile drawn next to the castle."""
    if position.tile is None:
        return "no tile"
    return f"to place: {position.tile}" if position.cell is None else f"just placed: {position.tile}"


def count_words(position: Position) -> str:
    """Return how many tiles are left, and how many left the game."""
    left, out = position.remaining.total(), position.discarded.total()
    words = f"{show_count(left, 'tile')} left"
    return f"{words}, {out} out" if out else words


def pool_words(position: Position) -> str:
    """Return how many nests lie in the pool."""
    return f"{show_count(position.nest_pool, 'nest')} in pool"


def has_family_houses(components: Components) -> bool:
    """Return whether a completed area can become a family house."""
    return any(feature.family_house for feature in components.features)


def has_copies(components: Components) -> bool:
    """Return whether some tile is in the deck more than once, so that one cannot tell what is left from the board."""
    return len({tile.id for tile in components.tiles}) < len(components.tiles)


def find_tile(components: Components, name: str) -> Tile:
    """Return the tile with the id `name`. Raises `ValueError` where there is none."""
    for tile in components.kinds:
        if tile.id == name:
            return tile
    known = f"the {len(components.tiles)} tiles of {components.name}"
    raise ValueError(f"position shows tile {name!r}, which is not one of {known}")


def check_table(components: Any, position: Any) -> None:
    """Raise `TypeError`, naming the argument, where one cannot be drawn."""
    if not isinstance(components, Components):
        raise TypeError(f"components must be Components, such as game.ruleset.components, not {show(components)}")
    if not hasattr(position, "board"):  # that of a game, say
        raise TypeError(f"position must be a Position, such as game.position(), not {show(position)}")
