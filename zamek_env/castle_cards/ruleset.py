"""The ruleset of castle-cards for a number of players: what the entries of observations and actions stand for."""

from functools import cache
from typing import Any, NamedTuple

from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.layout.observation import Layout


class CardsRuleset(NamedTuple):
    """What a network or a reader of observations has to know, under the names that `zamek_env.ruleset.Ruleset` has."""

    name: str
    players: int
    vector: Layout  # entries of the vector
    rows: Layout  # columns of a row
    num_rows: int  # at most, in one observation
    num_actions: int

    def __reduce__(self) -> tuple[Any, ...]:  # copied or unpickled, it is the same one again
        return get_cards_ruleset, (self.players,)


@cache
def get_cards_ruleset(players: int = 2) -> CardsRuleset:
    """Return the ruleset for so many players, 2 to 5. Raises `ValueError` for other numbers."""
    vector, rows = find_layout(players), find_row_layout(players)
    return CardsRuleset(CASTLE_CARDS, players, vector, rows, NUM_ROWS, NUM_ACTIONS)
