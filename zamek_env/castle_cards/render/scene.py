"""Composes a picture of a game of castle-cards from shapes: cards, pawns, what lies beside the castle, the players.

One card side is the unit. Pawns differ by number as well as by colour. Choices are laid over what they concern.
"""

import textwrap
from collections.abc import Iterator, Mapping

from zamek_env.castle_cards.components.cards import CARDS, KIND_OF
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.option_line import format_space, parse_space
from zamek_env.castle_cards.notation.position import CastlePosition, Pile, Seat, find_zone
from zamek_env.castle_cards.notation.words import Space
from zamek_env.castle_cards.render.choice_marks import Choices, mark_choices
from zamek_env.castle_cards.render.text import describe_decision, describe_turn
from zamek_env.render.shapes import Circle, Group, Point, Polygon, Scene, Shape, Text, rectangle

PAPER, INK, EDGE = "#f6f1e6", "#2b2520", "#5d5348"
GROUND = {"tower": "#cfd8e3", "rampart": "#ead9c0", "court": "#eadcdc", "siege": "#dde5d3", "outside": "#dde5d3"}
CARD = {"tower": "#a9c3e6", "rampart": "#eebf7f", "court": "#e9a7a1", "outside": "#b5d39b", "card": "#c9b3dd"}
PLAYERS = ("#1f1f1f", "#f0e0b0", "#d55e00", "#009e73", "#9b5fc0")  # black, beige, red, green, purple
PLAYER_INK = ("#ffffff", "#2b2520", "#ffffff", "#ffffff", "#ffffff")

_RADIUS, _GAP = 0.08, 0.04
_PANEL = WIDTH + 1.45  # where what lies beside the castle begins
_PANEL_WIDTH = 5.2
_MARGIN = 1.3  # round the castle, for siege engines
SHAPE = (_PANEL + _PANEL_WIDTH + _MARGIN) / (WIDTH + 2 * _MARGIN)  # width by height, if the castle is the highest
_BESIDE = {"N": (2.5, -1.12), "E": (6.12, 2.5), "S": (2.5, 6.12), "W": (-1.12, 2.5)}
_CHIP = 0.3  # height of a card in a list
_OUTSIDE_COLUMNS = 5


def compose(position: CastlePosition, hand: Mapping[str, int] | None = None) -> Scene:
    """Return the `Scene` of a position; `hand`, {card: number}, is shown as that of the player to decide."""
    groups = [*_draw_grid(position), *_draw_engines(position)]
    beside, height = _draw_beside(position, hand)
    bottom = max(WIDTH + _MARGIN, height)
    corner = (-_MARGIN, -_MARGIN)
    width = _PANEL + _PANEL_WIDTH + _MARGIN
    return Scene(corner, width, bottom + _MARGIN, PAPER, (*groups, *beside))


def compose_castle(position: CastlePosition, choices: Choices) -> Scene:
    """Return the `Scene` of the castle and the siege engines, with those of `choices` that lie there."""
    groups = (*_draw_grid(position), *_draw_engines(position))
    side = WIDTH + 2 * _MARGIN
    return Scene((-_MARGIN, -_MARGIN), side, side, PAPER, (*groups, *mark_choices(groups, choices)))


def compose_beside(position: CastlePosition, choices: Choices) -> Scene:
    """Return the `Scene` of what lies beside the castle, with those of `choices` that lie there.

    A place outside that is to be chosen and still free is drawn too.
    """
    drawn, height = _draw_beside(position, None, choices)
    groups, top = tuple(drawn), -_MARGIN
    return Scene(
        (_PANEL - 0.1, top), _PANEL_WIDTH + 0.2, height - top, PAPER, (*groups, *mark_choices(groups, choices))
    )


def _draw_grid(position):
    for row in range(WIDTH):
        for column in range(WIDTH):
            yield _draw_space(position, (row, column), (column, row))


def _draw_engines(position):
    for side in SIDES:
        yield _draw_space(position, ("siege", side), _BESIDE[side])


def _draw_space(position: CastlePosition, space: Space, at: Point) -> Group:
    """Return a space, with its pile where one lies there."""
    zone = find_zone(space)
    where, pile = format_space(space), position.piles.get(space)
    ground = Polygon(rectangle(_GAP / 2, _GAP / 2, 1 - _GAP, 1 - _GAP, _RADIUS), GROUND[zone])
    if pile is None:
        return Group("space", (ground,), at, data={"at": where}, title=f"{where}: {zone}, free")
    return Group("card", (ground, *_draw_pile(pile)), at, data={"at": where}, title=f"{where}: {describe_pile(pile)}")


def find_corner(space: Space) -> Point | None:
    """Return where the north-west corner of a space is drawn; None of a place outside."""
    first, second = space
    if isinstance(first, str):
        return _BESIDE[str(second)] if first == "siege" else None
    return float(second), float(first)


def describe_pile(pile: Pile) -> str:
    """Return in words what lies in a pile, the uncovered card first."""
    parts = [
        card if pawn is None else f"{card} of player {pawn}"
        for card, pawn in zip(reversed(pile.cards), reversed(pile.pawns), strict=True)
    ]
    return ", on ".join(parts)


def _draw_pile(pile: Pile) -> Iterator[Shape]:
    """Yield the shapes of a pile: its lowest card by name, a strip for each Knight on it."""
    yield Polygon(rectangle(0.05, 0.05, 0.9, 0.9, _RADIUS), _colour(pile.cards[0]), EDGE, 0.015)
    lines = textwrap.wrap(pile.cards[0], 11)  # as many letters as the longest word of a name has
    for number, line in enumerate(lines):
        yield Text((0.5, 0.17 + 0.16 * number), line, 0.15, INK)
    count = len(pile.pawns)
    step = min(0.27, 0.84 / count)  # from one card of the pile to the next
    for level, pawn in enumerate(pile.pawns):
        x = 0.5 + (level - (count - 1) / 2) * step
        if level:
            yield Polygon(rectangle(x - step / 2, 0.47, step, 0.44, 0.04), CARD["card"], EDGE, 0.01)
            yield Text((x, 0.55), "K", 0.12, INK)
        yield from _draw_pawn((x, 0.74), pawn, 0.16 if count == 1 else step * 0.46)


def _colour(card: str) -> str:
    return CARD[CARDS[KIND_OF[card]].zone]


def _draw_pawn(centre: Point, pawn: int | None, radius: float) -> Iterator[Shape]:
    if pawn is not None:
        yield Circle(centre, radius, PLAYERS[pawn], EDGE, radius / 8)
        yield Text(centre, str(pawn), radius * 1.25, PLAYER_INK[pawn])


# --- what lies beside the castle ---


def _draw_beside(
    position: CastlePosition, hand: Mapping[str, int] | None, choices: Choices | None = None
) -> tuple[list[Group], float]:
    """Return the groups of the panel, and where it ends. With `choices` those say what is to be decided."""
    groups, y = [], -0.95
    words = describe_decision(position) if choices is None else describe_turn(position)
    for line in textwrap.wrap(words, 48):
        groups.append(_write(_PANEL, y, line, 0.2))
        y += 0.27
    y += 0.2
    for player in range(position.num_players):
        groups.append(_draw_player(position, player, y))
        y += 0.28
        for line in textwrap.wrap(_describe_known(position.seats[player]), 62):
            groups.append(_write(_PANEL + 0.45, y, line, 0.15))
            y += 0.2
        y += 0.14
    y += 0.1
    outside: list[Space] = [space for space in position.piles if space[0] == "outside"]
    outside += [space for space in map(_read_outside, choices or ()) if space and space not in position.piles]
    groups.append(_write(_PANEL, y, "outside", 0.17))
    y += 0.15
    for number, space in enumerate(outside):
        row, column = divmod(number, _OUTSIDE_COLUMNS)
        groups.append(_draw_space(position, space, (_PANEL + column * 1.02, y + row * 1.02)))
    y += 1.02 * -(-len(outside) // _OUTSIDE_COLUMNS) + 0.2
    lists = [("exchange", position.exchange), ("removed", position.removed), ("hand", hand or {})]
    for name, cards in lists:
        if sum(cards.values()):
            groups.append(_write(_PANEL, y, name, 0.17))
            chips, y = _draw_chips(name, cards, y + 0.15)
            groups += chips
            y += 0.25
    return groups, y


def _read_outside(location: str) -> Space | None:
    """Return the place outside that the location of a choice names, None for another location."""
    return parse_space(location) if location.startswith("outside ") else None


def _write(x, y, words, size):
    return Group("words", (Text((x, y), words, size, INK, "start"),))


def _draw_player(position, player, y):
    """Return the line of a player: pawn, numbers of cards, what everybody knows to be in the hand."""
    seat, pawns = position.seats[player], position.pawns_left[player]
    words = f"{seat.hand} in hand, {seat.deck} in deck, {pawns} pawns left"
    pawn = tuple(_draw_pawn((_PANEL + 0.17, y), player, 0.17))
    is_turn = "▶ " if player == position.turn_player else ""
    text = Text((_PANEL + 0.45, y), is_turn + words, 0.19, INK, "start")
    title = f"player {player}: {words}; {_describe_known(seat) or 'known in hand: nothing'}"
    return Group("words", (*pawn, text), data={"player": player}, title=title)


def _describe_known(seat: Seat) -> str:
    """Return which cards the viewer knows to be in a hand; "" where there is none."""
    known = ", ".join(f"{count} {card}" for card, count in sorted(seat.known.items()) if count)
    return f"known in hand: {known}" if known else ""


def _draw_chips(name, cards, top):
    """Return the cards of a list as small named rectangles in rows, and where they end."""
    groups, x, y = [], _PANEL, top
    for card, count in sorted(cards.items()):
        if not count:
            continue
        words = card if count == 1 else f"{count} × {card}"
        width = 0.16 + 0.092 * len(words)
        if x + width > _PANEL + _PANEL_WIDTH:
            x, y = _PANEL, y + _CHIP + 0.05
        chip = Polygon(rectangle(0, 0, width, _CHIP, 0.06), _colour(card), EDGE, 0.01)
        text = Text((width / 2, _CHIP / 2), words, 0.16, INK)
        groups.append(Group("card", (chip, text), (x, y), data={"in": name, "card": card}, title=words))
        x += width + 0.06
    return groups, y + _CHIP
