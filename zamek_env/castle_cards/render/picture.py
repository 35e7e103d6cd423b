"""Pictures of a game of castle-cards: composed from shapes, as SVG, as pixels; and the legend of pages about it.

One card side is the unit. Pawns differ by number as well as by colour. Choices and the last changes are laid over their
spaces.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import CARDS, ZONES, describe_rules
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.action_line import Space, format_space, parse_space
from zamek_env.castle_cards.notation.position import CastleCardsPosition, Pile, Seat, find_zone
from zamek_env.castle_cards.render.colours import CARD, CLEAR, DARK, EDGE, FACE, PAPER, ROW, WORDS
from zamek_env.castle_cards.render.faces import (
    CHIP,
    PORTRAIT,
    draw_chip,
    draw_face,
    draw_meadow,
    draw_pawn,
    draw_pile,
    draw_space,
    draw_walls,
    measure_chip,
    place_portrait,
    write_number,
)
from zamek_env.castle_cards.render.marks import Changes, Choices, Left, Steps, find_changes, mark_choices, mark_last
from zamek_env.castle_cards.render.text import describe_decision, describe_turn
from zamek_env.common.player_names import name_owned, name_player
from zamek_env.render.rgb import paint
from zamek_env.render.shapes import Circle, Group, Point, Polygon, Scene, Text, rectangle
from zamek_env.render.svg import follow, write_svg

_PANEL = WIDTH + 1.45  # where the panel next to the castle begins
_PANEL_WIDTH = 5.2
_MARGIN = 1.3  # round the castle, for siege engines
SHAPE = (_PANEL + _PANEL_WIDTH + _MARGIN) / (WIDTH + 2 * _MARGIN)  # width by height, if the castle is the highest
_BESIDE = {"N": (2.5, -1.22), "E": (6.22, 2.5), "S": (2.5, 6.22), "W": (-1.22, 2.5)}
_OUTSIDE_COLUMNS = 5


def compose(position: CastleCardsPosition, hand: Mapping[str, int] | None = None) -> Scene:
    """Return the `Scene` of a position; `hand`, {card: number}, is shown as that of the player to decide.

    The card that was played last has a frame.
    """
    castle = _draw_castle(position)
    beside, height = _draw_beside(position, hand)
    last = [] if position.last_played is None else [format_space(position.last_played)]
    marks = mark_last((*castle, *beside), Changes(framed=dict.fromkeys(last)))
    bottom = max(WIDTH + _MARGIN, height)
    corner = (-_MARGIN, -_MARGIN)
    width = _PANEL + _PANEL_WIDTH + _MARGIN
    return Scene(corner, width, bottom + _MARGIN, PAPER, (*castle, *beside, *marks))


def _draw_castle(position: CastleCardsPosition, names: Sequence[str] = ()) -> tuple[Group, ...]:
    grid = (((row, column), (column, row)) for row in range(WIDTH) for column in range(WIDTH))
    engines = ((("siege", side), _BESIDE[side]) for side in SIDES)
    places: list[tuple[Space, Point]] = [*grid, *engines]
    spaces = (group for space, at in places for group in _draw_space(position, space, at, names))
    return draw_meadow(_MARGIN), draw_walls(), *spaces


def _draw_space(position: CastleCardsPosition, space: Space, at: Point, names: Sequence[str]) -> Iterator[Group]:
    """Yield a space, and its pile where one lies there."""
    zone = find_zone(space)
    where, pile = format_space(space), position.piles.get(space)
    if pile is None:
        yield Group("space", draw_space(space), at, data={"at": where}, title=f"{where}: {zone}, free")
        return
    title = f"{where}: {describe_pile(pile, names)}\n{describe_rules(reversed(pile.cards))}"
    yield Group("card", (draw_space(space)[0], *draw_face(pile.cards[0])), at, data={"at": where}, title=title)
    yield from draw_pile(pile, at)


def find_corner(space: Space) -> Point | None:
    """Return where the north-west corner of a space is drawn; None of a place outside."""
    first, second = space
    if isinstance(first, str):
        return _BESIDE[str(second)] if first == "siege" else None
    return float(second), float(first)


def describe_pile(pile: Pile, names: Sequence[str] = ()) -> str:
    """Return in words what lies in a pile, the uncovered card first; `names` are those of the players."""
    parts = [
        card if pawn is None else name_owned(card, pawn, names)
        for card, pawn in zip(reversed(pile.cards), reversed(pile.pawns), strict=True)
    ]
    return ", on ".join(parts)


# --- the panel next to the castle ---


def _draw_beside(
    position: CastleCardsPosition,
    hand: Mapping[str, int] | None,
    choices: Choices | None = None,
    names: Sequence[str] = (),
) -> tuple[list[Group], float]:
    """Return the groups of the panel, and where it ends. With `choices` those describe the decision."""
    groups, y = [], -1.0
    words = describe_decision(position, names) if choices is None else describe_turn(position, names)
    for line in textwrap.wrap(words[0].upper() + words[1:], 48):
        groups.append(_write(_PANEL, y, line, 0.2))
        y += 0.27
    y += 0.1
    for player in range(position.num_players):
        known = textwrap.wrap(_describe_known(position.seats[player]), 54)
        groups.extend(_draw_player(position, player, known, y, names))
        y += 0.5 + 0.22 * len(known)
    y += 0.2
    outside: list[Space] = [space for space in position.piles if space[0] == "outside"]
    named = [parse_space(location) for location in choices or () if location.startswith("outside ")]
    outside += [space for space in named if space not in position.piles]
    if outside:
        groups.append(_write(_PANEL, y, "outside", 0.18))
        y += 0.16
    for number, space in enumerate(outside):
        row, column = divmod(number, _OUTSIDE_COLUMNS)
        groups.extend(_draw_space(position, space, (_PANEL + column * 1.02, y + row * 1.02), names))
    y += 1.02 * -(-len(outside) // _OUTSIDE_COLUMNS) + 0.2 * bool(outside)
    lists = [("exchange", position.exchange), ("removed", position.removed), ("hand", hand or {})]
    for name, cards in lists:
        if sum(cards.values()):
            groups.append(_write(_PANEL, y, name, 0.18))
            chips, y = _draw_chips(name, cards, y + 0.16)
            groups += chips
            y += 0.25
    return groups, y


def _write(x, y, words, size):
    return Group("words", (Text((x, y), words, size, WORDS, "start"),))


def _draw_player(
    position: CastleCardsPosition, player: int, known: Sequence[str], y: float, names: Sequence[str]
) -> Iterator[Group]:
    """Yield the row of a player: numbers of cards, `known`, what everybody knows to be in the hand; and a pawn."""
    seat, pawns = position.seats[player], position.pawns_left[player]
    words = f"{seat.hand} in hand, {seat.deck} in deck, {pawns} pawns left"
    is_turn = player == position.turn_player
    row = Polygon(rectangle(0, 0, _PANEL_WIDTH, 0.44 + 0.22 * len(known)), ROW if is_turn else CLEAR)
    text = Text((0.5, 0.22), ("▶ " if is_turn else "") + words, 0.2, WORDS, "start")
    more = (Text((0.5, 0.46 + 0.22 * number), line, 0.17, WORDS, "start") for number, line in enumerate(known))
    title = f"{name_player(player, names)}: {words}; {_describe_known(seat) or 'known in hand: nothing'}"
    yield Group("words", (row, text, *more), (_PANEL, y), data={"at": f"player {player}"}, title=title)
    yield Group("pawns", tuple(draw_pawn((0.24, 0.22), player, 0.18)), (_PANEL, y))


def _describe_known(seat: Seat) -> str:
    """Return which cards the viewer knows to be in a hand; "" where there is none."""
    known = ", ".join(f"{count} {card}" for card, count in sorted(seat.known.items()) if count)
    return f"known in hand: {known}" if known else ""


def _draw_chips(name: str, cards: Mapping[str, int], start: float) -> tuple[list[Group], float]:
    """Return the cards of a list in rows, and where they end."""
    groups, x, y = [], _PANEL, start
    for card, count in sorted(cards.items()):
        if not count:
            continue
        width = measure_chip(card, count)
        if x + width > _PANEL + _PANEL_WIDTH:
            x, y = _PANEL, y + CHIP + 0.06
        title = f"{name}: {write_number(card, count)}\n{describe_rules([card])}"
        groups.append(Group("card", tuple(draw_chip(card, count)), (x, y), data={"at": f"{name} {card}"}, title=title))
        left, top, side = PORTRAIT
        groups.append(place_portrait(card, (x + left, y + top), side))
        x += width + 0.06
    return groups, y + CHIP


def draw_svg(position: CastleCardsPosition, hand: Mapping[str, int] | None = None) -> str:
    """Return `position` as an SVG document, with `hand`, {card: number}, as that of the player to decide.

    It follows the light or dark mode of the viewer. Groups say what they show: `class` is card, space or words,
    `data-at` the place, such as `0,3` or `exchange Spy`, and a title says all of it in words, with the cards' rules.
    """
    return write_svg(compose(position, hand), follow(DARK), fits=True)


def draw_parts(
    position: CastleCardsPosition,
    choices: Choices | None = None,
    last: Steps = (),
    has_rules: bool = True,
    names: Sequence[str] = (),
) -> tuple[str, str]:
    """Return `position` as two SVG documents, the castle and the panel next to it, without styles of their own.

    `choices` says where somebody may choose: {location: a mark of a few letters}. A location is a space as in notation,
    `exchange` and a card, or `player` and a number. Each becomes a group of the class choice with that `data-location`.
    `last` are the last steps, as records have them: what they have changed is marked by groups of the class change.
    `has_rules` says whether titles say what cards do; `names` are those of the players, if they have some.
    """
    marked, changes = {} if choices is None else choices, find_changes(last)
    castle = _draw_castle(position, names)
    beside, height = _draw_beside(position, None, marked, names)  # a free place outside that may be chosen is drawn too
    scenes = []
    for groups, left, width, bottom in (
        (castle, -_MARGIN, WIDTH + 2 * _MARGIN, WIDTH + _MARGIN),
        (beside, _PANEL - 0.1, _PANEL_WIDTH + 0.2, height),
    ):
        shown = [*groups, *mark_last(groups, changes), *mark_choices(groups, marked)]
        if not has_rules:
            shown = [replace(group, title=group.title.partition("\n")[0]) for group in shown]
        scenes.append(Scene((left, -_MARGIN), width, bottom + _MARGIN, PAPER, tuple(shown)))
    return write_svg(scenes[0]), write_svg(scenes[1])


def draw_rgb(position: CastleCardsPosition, size: int = 640) -> npt.NDArray[np.uint8]:
    """Return `position` as pixels, `uint8[size, width, 3]`; all pictures have one shape, however full the panel is.

    Raises `ValueError` unless `size` lies in 1 to 10,000, `TypeError` where it is no whole number.
    """
    scene = compose(position)
    return paint(replace(scene, width=scene.height * SHAPE), size)


# --- the legend: all cards with their rules and portraits, and what signs mean ---

_TITLES = {
    "tower": "Towers",
    "rampart": "Ramparts",
    "court": "Courtyard",
    "outside": "Outside",
    "card": "On other cards",
}
_KING, _KNIGHTS = Pile(("King",), (0,)), Pile(("King", "Knight", "Knight"), (0, 1, None))
_SPACE = "1,1"


@cache
def make_legend() -> dict[str, Any]:
    """Return `zones`, each with its cards, and `signs`, for `json.dumps`; pictures are SVG documents."""
    zones = [
        {"zone": zone, "title": _TITLES[zone], "cards": [_tell_card(card) for card in CARDS if card.zone == zone]}
        for zone in ZONES
    ]
    return {"zones": zones, "signs": [{"picture": picture, "words": words} for picture, words in _list_signs()]}


def write_zone_colours() -> str:
    """Return the style sheet that gives pages the colours of zones, as `--zone-tower` and so on."""
    return f":root{{{''.join(f'--zone-{zone}:{colour};' for zone, colour in CARD.items())}}}"


def _tell_card(card):
    face = Group("face", (Circle((0.5, 0.5), 0.5, FACE, EDGE, 0.02),))
    picture = _draw(face, place_portrait(card.name, (0.18, 0.22), 0.64))
    return {"name": card.name, "copies": card.copies, "rule": card.rule, "picture": picture}


def _list_signs():
    face = Group("card", (draw_space((1, 1))[0], *draw_face("King")), data={"at": _SPACE})
    card = face, *draw_pile(_KING, (0.0, 0.0))
    space = Group("space", draw_space((1, 1)), data={"at": _SPACE})
    beside = Group("space", draw_space((1, 2)), (1.0, 0.0), data={"at": "1,2"})
    moved = Changes(moved={"1,2": _SPACE})
    pile = face, *draw_pile(_KNIGHTS, (0.0, 0.0))
    framed = Changes(framed={_SPACE: None})
    yield _draw(*card), "A card: its zone by colour, and the pawn of the player to whose hand it would go back."
    yield _draw(*pile), "K: a Knight on the card below, with a pawn of his own. Only the uppermost card can be taken."
    yield _draw(*card, *mark_last(card, framed)), "New, moved, or with another pawn."
    yield _draw(space, beside, *mark_last([space, beside], moved), width=2.0), "A card was moved from here to there."
    for left, words in (
        (Left("Spy", 2), "A card has left, to the hand of the player with that number."),
        (Left("Spy", "exchange"), "E: a card has left, to the exchange."),
        (Left("Spy", "removed"), "×: a card has left the game."),
    ):
        yield _draw(space, *mark_last([space], Changes(left={_SPACE: left}))), words
    yield _draw(space, *mark_choices([space], {_SPACE: ""})), "Something that you may choose."


def _draw(*groups: Group, width: float = 1.0) -> str:
    return write_svg(Scene((-0.08, -0.08), width + 0.16, 1.16, CLEAR, groups))
