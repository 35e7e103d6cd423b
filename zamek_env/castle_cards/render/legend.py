"""The legend of pages about castle-cards: all cards with their rules and portraits, and what signs mean."""

from functools import cache
from typing import Any

from zamek_env.castle_cards.components.cards import CARDS, ZONES
from zamek_env.castle_cards.notation.position import Pile
from zamek_env.castle_cards.render.colours import CARD, CLEAR, EDGE, FACE
from zamek_env.castle_cards.render.faces import draw_face, draw_pile, draw_space, place_portrait
from zamek_env.castle_cards.render.marks import Changes, Left, mark_choices, mark_last
from zamek_env.render.shapes import Circle, Group, Scene
from zamek_env.render.svg import write_svg

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
