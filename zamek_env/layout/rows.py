"""The name table of rows: what the row of a legal action says of it.

ROW DESCRIPTION
    A row tells what changes by an action itself, before anything else happens: before areas are scored, the next tile
    is drawn or the game is paid out. Its columns are int8, named `group` or `group.item`, seen by the player to decide:
    `my` is that player's, `their` the opponent's (with more players `their_1` that of who plays next, and so on),
    `free` nobody's. Columns of players are differences, after the action less before it; columns of `free` say what is
    there after it. What exceeds ±127 counts as that.

    An area is counted for whoever leads in it and would be paid for it; where nobody stands, for nobody if it is on the
    tile of this turn and a piece may be sent there. Completed areas that wait to be scored count as scored, without
    tokens: their points as points, their pieces as in supply.

    Where sides differ so much that few tiles fit, `cells` are the empty cells beside this turn's tile, and the one on
    which it is laid before it lies there. Of each the areas are counted that can be completed and are open there, by
    how many tiles fit on the cell, turned somehow, of those that are not drawn yet or in hands that one does not see.
    All columns of `cells` are differences, those of `free` too, which are of all areas where nobody stands.

    Where players choose a tile of their hand (rule H2), nothing on the table changes by that: what a row tells then is
    what the tile shows, and in how many ways it can be laid, in the columns of `tile`.

    Everything follows from what both players see (rule Z31).
"""

from collections.abc import Sequence

from zamek_env.components.model import NUM_ROTATIONS, Components
from zamek_env.layout.actions import TOKEN_CHOICES
from zamek_env.layout.observation import Group, Layout, list_owners
from zamek_env.layout.sizes import MANY_FIT, Sizes

LIMIT = 127  # the largest entry: rows are int8
PORTS = (1, 2, 3, 4, 5)  # open ports of an area, the last for all higher numbers
FITTING = (0, 1, 2, 4, 8)  # tiles that fit on a cell, each for all numbers up to the next
TILE_COLUMNS = ("marks", "placements")  # of a tile of the hand, after its segments by feature
FREE = "free"


def list_holders(owners: Sequence[str]) -> tuple[str, ...]:
    """Return the holders for whom areas are counted: the `owners`, and nobody."""
    return (*owners, FREE)


def row_layout(components: Components) -> Layout:
    """Return the `Layout` of the columns of a row."""
    features = components.features
    closes = any(feature.completes and not feature.surrounded for feature in features)
    surrounds = any(feature.surrounded for feature in features)
    lasts = any(not feature.completes for feature in features)
    touches = any(feature.touches for feature in features)
    lasting = ("worth", "open_ports", *(("unfinished",) if touches else ()))
    worth = "areas with this many open ports, the last for more of them: points if they were completed as they are"
    surrounded = "areas that are completed by the tiles around them: the same, and empty cells around"
    lasts_on = "areas that are never completed: points at the end as they are, open ports"
    cells = "empty cells around the tile, by how many of the tiles left fit there: points of the areas open there"
    groups = []
    owners = list_owners(components.players)
    for owner in owners:
        groups += [_group(f"{owner}_{name}", *rest) for name, *rest in _list_holdings(components)]
    groups.append(_group(f"{FREE}_points", (), "what the completed areas of the tile pay"))
    if components.tokens:
        groups.append(_group(f"{FREE}_ahead", (), "completed areas of the tile that bring one's marker to a token"))
    for holder in list_holders(owners):
        if closes:
            groups.append(_group(f"{holder}_worth", PORTS, worth))
        if surrounds:
            groups.append(_group(f"{holder}_surrounded", ("worth", "missing"), surrounded))
        if lasts:
            groups.append(_group(f"{holder}_lasting", lasting, lasts_on + ", unfinished areas touched" * touches))
        if len(components.edges) > MANY_FIT:
            groups.append(_group(f"{holder}_cells", FITTING, cells))
    if components.house.hand:
        seen = tuple(feature.name for feature in features)
        meaning = "of a tile of the hand: segments, marks, ways to lay it now"
        groups.append(_group("tile", (*seen, *TILE_COLUMNS), meaning))
    return Layout(groups)


def _list_holdings(components):
    """Yield (name, items, meaning) of what a player has besides areas."""
    yield "points", (), "points, completed areas included"
    yield "supply", (), "followers in supply, those in completed areas included"
    if components.special_pieces:
        special = tuple(piece.name for piece in components.special_pieces)
        yield "special", special, "that piece is in supply, or in a completed area"
    if components.tokens:
        yield "tokens", (), "tokens in hand, those taken this turn included"
        yield "ahead", (), "completed areas whose points bring the marker to a token, each by itself"
    if any(feature.family_house for feature in components.features):
        yield "house", (), "tiles of the family house, completed areas included"
    if components.nests:
        yield "nests", (), "nests, those due for completed areas included"


def _group(name, items, meaning):
    return Group(name, items, 1, LIMIT, meaning)


def count_rows(sizes: Sizes) -> int:
    """Return the most actions that can be legal at once."""
    sends = 1 + (1 + sizes.special_pieces) * sizes.segments
    return max(
        NUM_ROTATIONS * sizes.most_open_cells, sends, sizes.slots * TOKEN_CHOICES, TOKEN_CHOICES, sizes.hand_size
    )
