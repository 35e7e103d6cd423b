"""The panel next to the castle: scores, supplies, family houses, tokens in hand, the tile to place, copies left."""

from collections.abc import Sequence
from dataclasses import dataclass

from zamek_env.common.messages import show_count
from zamek_env.components.model import Components
from zamek_env.components.token_text import describe_token, name_token
from zamek_env.notation.position import Position
from zamek_env.render import palette
from zamek_env.render.icons import follower, house, nest
from zamek_env.render.labels import (
    count_words,
    find_tile,
    has_copies,
    has_family_houses,
    phase_words,
    pool_words,
    tile_words,
)
from zamek_env.render.shapes import Group, Lines, Point, Polygon, Shape, Text, rectangle
from zamek_env.render.tiles import tile_shapes

WIDTH = 4.3
CARD_WIDTH = 4.0
CARD_HEIGHT, LOW_CARD_HEIGHT = 3.75, 1.75  # low where there are neither family houses nor tokens
FIRST_CARD_TOP, CARD_GAP = 0.95, 0.25
HEAD = 0.85
HELD = 0.7  # the side of a tile in hand
NEXT_GAP, NEXT_HEIGHT = 0.35, 2.95
NEXT_SCALE = 1.7
BESIDE_NEXT, BESIDE_WIDTH = 2.1, 4.0  # where words next to the tile begin, and their width in letter heights
COPIES = 7  # in a row
COPY_WIDTH, COPY_HEIGHT, COPY_SCALE, COPY_WORDS = 0.577, 0.78, 0.49, 0.19
MAX_ICONS = 8  # pieces drawn one by one
TITLE_WIDTH, COUNT_WIDTH = 3.5, 4.0  # in letter heights
CHIP_WIDTH, CHIP_HEIGHT, CHIP_GAP = 1.79, 0.28, 0.06
CHIPS, CHIP_ROWS = 2, 4  # in a row, and how many rows
NAME_WIDTH = 3.4  # in letter heights
NO_TILE = (Polygon(rectangle(0, 0, 1, 1), palette.CLOTH),)


@dataclass(frozen=True)
class Layout:
    """The positions of the parts of the panel, from its north edge."""

    card_height: float
    card_tops: tuple[float, ...]
    next_top: float
    copies_top: float
    height: float


def find_layout(components: Components) -> Layout:
    """Return the `Layout` of the panel: it has room for all parts of the game."""
    card = CARD_HEIGHT if has_family_houses(components) or components.tokens else LOW_CARD_HEIGHT
    card += HELD + 0.1 if components.house.hand_size else 0
    tops = tuple(round(FIRST_CARD_TOP + player * (card + CARD_GAP), 2) for player in range(components.players))
    next_top = round(tops[-1] + card + NEXT_GAP, 2)
    copies_top = round(next_top + NEXT_HEIGHT, 2)
    rows = -(-len(components.kinds) // COPIES) if has_copies(components) else 0
    return Layout(card, tops, next_top, copies_top, copies_top + rows * COPY_HEIGHT)


def panel_groups(
    components: Components, position: Position, corner: Point, scale: float, names: Sequence[str] = ()
) -> list[Group]:
    """Return the groups of the panel, its north-west corner at `corner`."""
    name = components.name.capitalize()
    count = count_words(position)
    title = (
        Text((0.05, 0.42), name, min(0.55, TITLE_WIDTH / len(name)), palette.WORDS, "start"),
        Text((CARD_WIDTH, 0.5), count, min(0.24, COUNT_WIDTH / len(count)), palette.FAINT_WORDS, "end"),
    )
    groups, layout = [Group("title", title, corner, scale)], find_layout(components)
    for player, top in enumerate(layout.card_tops):
        at = _at(corner, scale, 0, top)
        for kind, shapes, data, words in _card(components, position, player, names):
            groups.append(Group(kind, tuple(shapes), at, scale, {"player": player} | data, words))
        groups += _hand(components, position, player, at, scale)
    groups += _next_tile(components, position, corner, scale, names)
    return groups + (_copies(components, position, corner, scale) if has_copies(components) else [])


def _at(corner, scale, x, y):
    return (corner[0] + scale * x, corner[1] + scale * y)


def _card(components, position, player, names):
    """Yield (kind, shapes, more data, title) of the groups of a player's card."""
    yield "player", _frame(components, position, player, names), {"score": position.scores[player]}, ""
    count, special = position.supplies[player], position.pieces[player]
    yield "supply", _supply(count, special, player), {}, f"{_name_supply(count, special)} in supply"
    if has_family_houses(components):
        yield "house", _family_house(components, position, player), {}, ""
    if components.tokens:
        yield from _chips(components, position.tokens[player], position.fresh_tokens[player])


def _frame(components, position, player, names):
    colour, ink = palette.PLAYERS[player], palette.PLAYER_INK[player]
    active = position.phase != "over" and position.player == player
    edge = (palette.WORDS, 0.06) if active else (palette.FAINT_WORDS, 0.02)
    height = find_layout(components).card_height
    yield Polygon(rectangle(0, 0, CARD_WIDTH, height, 0.16), palette.PAPER, *edge)
    yield Polygon(rectangle(0.03, 0.03, CARD_WIDTH - 0.06, HEAD, 0.14), colour)
    name = names[player] if names else f"Player {player}"
    yield Text((0.25, 0.03 + HEAD / 2), name, min(0.38, NAME_WIDTH / len(name)), ink, "start")
    if active:
        yield Polygon(((2.04, 0.29), (2.32, 0.03 + HEAD / 2), (2.04, 0.62)), ink)
    yield Text((CARD_WIDTH - 0.25, 0.03 + HEAD / 2), str(position.scores[player]), 0.62, ink, "end")


def _hand(components, position, player, corner, scale):
    """The tiles of a hand that are shown, in a separate row."""
    hand = [name for name in position.hands[player] if name] if position.hands else []
    for number, name in enumerate(hand):
        at = _at(corner, scale, 0.25 + number * (HELD + 0.1), find_layout(components).card_height - HELD - 0.1)
        shapes = tile_shapes(find_tile(components, name), 0, components.features)
        yield Group("hand", shapes, at, scale * HELD, {"player": player, "tile": name}, f"in hand: {name}")


def _family_house(components, position, player):
    yield from house((0.4, 1.92), 0.4)
    tiles = position.family_houses[player]
    words = f"family house of {show_count(tiles, 'tile')}" if tiles else "no family house"
    if components.nests:
        words = f"family house {tiles}" if tiles else words
        yield from nest((3.1, 1.9), 0.44)
        yield Text((3.42, 1.95), str(position.nests[player]), 0.32, palette.WORDS, "start")
    yield Text((0.75, 1.95), words, 0.25, palette.WORDS if tiles else palette.FAINT_WORDS, "start")


def _supply(count, special, player):
    for number, piece in enumerate([*["follower"] * min(count, MAX_ICONS), *special][:MAX_ICONS]):
        yield from follower((0.4 + number * 0.44, 1.3), 0.4, player, piece=piece)
    if count + len(special) > MAX_ICONS or not (count or special):
        words = _name_supply(count, special) + ("" if count else " in supply")
        yield Polygon(rectangle(0.2, 1.1, CARD_WIDTH - 0.4, 0.42), palette.PAPER)
        yield Text((0.25, 1.32), words, 0.25, palette.WORDS if count else palette.FAINT_WORDS, "start")


def _name_supply(count, special):
    """Return in words how many followers and which special pieces a player has in supply."""
    return " + ".join((show_count(count, "follower") if count else "no follower", *special))


def _chips(components, ready, fresh):
    """Yield the groups of the tokens in hand, those not usable yet on white."""
    lots = [(kind, hand[kind], hand is ready) for hand in (ready, fresh) for kind in sorted(hand) if hand[kind]]
    if not lots:
        yield "tokens", (Text((0.25, 2.5), "no tokens", 0.25, palette.FAINT_WORDS, "start"),), {}, ""
    for number, (kind, count, usable) in enumerate(lots[: CHIPS * CHIP_ROWS]):
        x = 0.18 + number % CHIPS * (CHIP_WIDTH + CHIP_GAP)
        y = 2.3 + number // CHIPS * (CHIP_HEIGHT + CHIP_GAP)
        words = (f"{count}x " if count > 1 else "") + name_token(components, kind)
        size = min(0.22, 1.7 * CHIP_WIDTH / len(words))
        fill, ink = (palette.TOKEN, palette.INK) if usable else (palette.PAPER, palette.WORDS)
        outline = rectangle(x, y, CHIP_WIDTH, CHIP_HEIGHT, 0.1)
        middle = (x + CHIP_WIDTH / 2, y + CHIP_HEIGHT / 2)
        shapes = (Polygon(outline, fill, palette.TOKEN_EDGE, 0.025), Text(middle, words, size, ink))
        when = "" if usable else " From the next turn on."
        yield "tokens", shapes, {"kind": kind}, f"{words}: {describe_token(components, kind)}{when}"


def _next_tile(components, position, corner, scale, names):
    top = find_layout(components).next_top
    text = tile_words(position)
    size = min(0.25, BESIDE_WIDTH / len(text))
    words = [
        Text((0.05, top + 0.3), phase_words(position, names).capitalize(), 0.36, palette.WORDS, "start"),
        Text((BESIDE_NEXT, top + 1.0), text, size, palette.FAINT_WORDS, "start"),
    ]
    if components.nests:
        words.append(Text((BESIDE_NEXT, top + 1.4), pool_words(position), 0.25, palette.FAINT_WORDS, "start"))
    at = _at(corner, scale, 0.1, top + 0.75)
    outline = rectangle(0, 0, 1, 1)
    edge = Lines(((*outline, outline[0]),), palette.WORDS, 0.03)
    shapes: tuple[Shape, ...] = (Polygon(outline, palette.GROUND), edge)
    data: dict[str, str] = {}
    if position.tile is not None:
        tile = find_tile(components, position.tile)
        _, rotation = position.board.get(position.cell, (None, 0))
        shapes, data = (*tile_shapes(tile, rotation, components.features), edge), {"tile": tile.id}
    return [Group("words", tuple(words), corner, scale), Group("next", shapes, at, scale * NEXT_SCALE, data)]


def _copies(components, position, corner, scale):
    """Return the rest of the deck: a small picture of each kind of tile and the number of its copies."""
    groups, top = [], find_layout(components).copies_top
    for number, tile in enumerate(components.kinds):
        left = position.remaining[tile.id]
        x, y = 0.02 + number % COPIES * COPY_WIDTH, top + number // COPIES * COPY_HEIGHT
        shapes = tile_shapes(tile, 0, components.features) if left else NO_TILE
        data = {"tile": tile.id, "count": left}
        words = f"{tile.id} {left}"
        size = min(COPY_WORDS, 1.9 * COPY_SCALE / len(words))
        name = Text(
            (x + COPY_SCALE / 2, y + COPY_SCALE + 0.13), words, size, palette.WORDS if left else palette.FAINT_WORDS
        )
        groups.append(Group("left", shapes, _at(corner, scale, x, y), scale * COPY_SCALE, data))
        groups.append(Group("words", (name,), corner, scale))
    return groups
